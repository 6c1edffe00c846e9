//! A value in its function: what the keys of the value can name.

use super::meaning::Held;
use std::collections::{HashMap, HashSet};

use super::types::Registry;
use crate::diagnostic::Findings;
use crate::document::{self, Keys, Literal};
use crate::plan::{Amount, AskArg, Place};
use crate::rule::Rule;
use crate::span::Spanned;

/// The functions of a document by name, and the names of those that free something.
pub(super) struct Names<'d> {
    pub(super) functions: HashMap<&'d str, usize>,
    pub(super) frees: &'d HashSet<String>,
}

/// The largest constant length. Longer arrays would exhaust memory.
const MAX_COUNT: u64 = 64 << 20;

/// The number of elements in `const`.
pub(super) fn constant(count: &Spanned<u64>, findings: &Findings) -> Option<u64> {
    if count.value <= MAX_COUNT {
        return Some(count.value);
    }
    findings.report(
        Rule::LengthParameter,
        count.span,
        format!("a constant length of {} is too large", count.value),
        format!("write at most {MAX_COUNT}"),
    );
    None
}

/// One value of one function.
pub(super) struct Site<'c> {
    pub(super) registry: &'c Registry<'c>,
    pub(super) names: &'c Names<'c>,
    pub(super) function: &'c document::Function,
    /// Whether calls may run concurrently.
    pub(super) shared: bool,
    /// The name for types of the value that no schema names.
    pub(super) path: String,
}

impl<'c> Site<'c> {
    pub(super) fn findings(&self) -> &'c Findings {
        self.registry.findings
    }

    fn function_name(&self) -> &str {
        self.function.name.as_ref().map_or("", |name| &name.value)
    }

    /// The index of the parameter that a key names.
    pub(super) fn parameter(&self, key: &str, name: &Spanned<String>) -> Option<usize> {
        let is_it = |parameter: &document::Parameter| {
            parameter.name.as_ref().is_some_and(|given| given.value == name.value)
        };
        let index = self.function.parameters.iter().position(is_it);
        if index.is_none() {
            let names: Vec<&str> = self
                .function
                .parameters
                .iter()
                .filter_map(|parameter| parameter.name.as_ref())
                .map(|name| name.value.as_str())
                .collect();
            self.findings().report(
                Rule::UnknownParameter,
                name.span,
                format!(
                    "`{key}` names {:?}, which is not a parameter of `{}`",
                    name.value,
                    self.function_name()
                ),
                if names.is_empty() {
                    "add the parameter to the function, which has none".to_owned()
                } else {
                    format!("its parameters are {}", names.join(", "))
                },
            );
        }
        index
    }

    /// The index of the function that a key names.
    fn function(&self, key: &str, name: &Spanned<String>) -> Option<usize> {
        let index = self.names.functions.get(name.value.as_str()).copied();
        if index.is_none() {
            self.findings().report(
                Rule::LinkedFunction,
                name.span,
                format!("`{key}` names {:?}, which is not a function of the document", name.value),
                "add this function to `functions`, or correct the name",
            );
        }
        index
    }

    /// `x-length`: `None` if it is wrong, `Some(None)` if it is absent.
    pub(super) fn length(&self, keys: &Keys) -> Option<Option<Amount>> {
        let Some(length) = &keys.length else { return Some(None) };
        let lowered = match &length.value {
            document::Length::Parameter(name) => {
                let name = Spanned { value: name.clone(), span: length.span };
                Amount::Param(self.parameter("x-length", &name)?)
            }
            document::Length::Const { count, .. } => Amount::Const(constant(count, self.findings())?),
            document::Length::Call { function, args, .. } => {
                let callee = self.function("call", function);
                let args: Vec<Option<AskArg>> = args.iter().map(|arg| self.call_arg(arg)).collect();
                Amount::Ask { function: callee?, args: args.into_iter().collect::<Option<_>>()? }
            }
        };
        Some(Some(lowered))
    }

    fn call_arg(&self, arg: &Spanned<Literal>) -> Option<AskArg> {
        match &arg.value {
            Literal::Integer(value) => Some(AskArg::Integer(*value)),
            Literal::String(name) => {
                let name = Spanned { value: name.clone(), span: arg.span };
                self.parameter("args", &name).map(AskArg::Param)
            }
            Literal::Bool(_) | Literal::Number(_) => {
                self.findings().report(
                    Rule::LinkedFunction,
                    arg.span,
                    "an argument of `call` must be a parameter or an integer",
                    "write the name of a parameter, or an integer",
                );
                None
            }
        }
    }

    /// The parameter that passes the length to C, beside `const` or `call`.
    pub(super) fn told(&self, keys: &Keys) -> Option<Option<usize>> {
        match keys.length.as_ref().map(|length| &length.value) {
            Some(
                document::Length::Const { parameter: Some(name), .. }
                | document::Length::Call { parameter: Some(name), .. },
            ) => self.parameter("parameter", name).map(Some),
            _ => Some(None),
        }
    }

    pub(super) fn written(&self, keys: &Keys) -> Option<Option<Place>> {
        match &keys.written {
            None => Some(None),
            Some(name) if name.value == "return" => Some(Some(Place::Returned)),
            Some(name) => self.parameter("x-written", name).map(|index| Some(Place::Param(index))),
        }
    }

    pub(super) fn parent(&self, keys: &Keys) -> Option<Option<usize>> {
        match &keys.parent {
            None => Some(None),
            Some(name) => self.parameter("x-parent", name).map(Some),
        }
    }

    pub(super) fn held(&self, keys: &Keys) -> Option<Held> {
        let free = match &keys.free {
            None => None,
            Some(name) => Some(self.function("x-free", name)?),
        };
        Some(Held { nullable: keys.nullable.is_some_and(|flag| flag.value), free })
    }

    /// Whether `x-free` of an input names this function itself.
    pub(super) fn frees_itself(&self, keys: &Keys) -> bool {
        keys.free.as_ref().is_some_and(|free| free.value == self.function_name())
    }

    /// Whether the function frees the handle that it takes: its own `x-free` says so, or it has no other
    /// parameter and the `x-free` of another function names it.
    pub(super) fn consumes(&self, keys: &Keys) -> bool {
        self.frees_itself(keys)
            || self.function.parameters.len() == 1 && self.names.frees.contains(self.function_name())
    }
}
