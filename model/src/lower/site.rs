//! A value in its function: what the keys of the value can name.

use super::meaning::Held;
use std::collections::HashMap;

use super::types::Registry;
use crate::diagnostic::Findings;
use crate::document::{self, Free, Keys, Literal};
use crate::plan::{Amount, AskArg, Factor, FreeArg, FreeBy, Keeper, Kept, Place};
use crate::rule::Rule;
use crate::span::Spanned;

/// The functions of a document by name, and the names of those that free something.
pub(super) struct Names<'d> {
    pub(super) functions: HashMap<&'d str, usize>,
    /// The functions, in order.
    pub(super) all: &'d [document::Function],
    pub(super) frees: &'d HashMap<String, document::Frees>,
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
    /// The name of the value, where it has one.
    pub(super) value: Option<&'c Spanned<String>>,
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
            document::Length::Member(name) => self.length_member(name)?,
            document::Length::Const { count, .. } => Amount::Const(constant(count, self.findings())?),
            document::Length::Product(factors) => Amount::Product(self.factors(factors)?),
            document::Length::Sum(terms) => Amount::Sum(self.factors(terms)?),
            document::Length::Argument(name) => {
                // Only parameters are buffers; `lengths` reports those that are not.
                let Some(position) = self.chosen().iter().position(|chosen| chosen.value == name.value)
                else {
                    return super::lengths::not_chosen(length.span, self);
                };
                Amount::Param(self.function.parameters.len() + position)
            }
            document::Length::Terminated => Amount::Terminated,
            document::Length::Call { function, args, output, .. } => {
                self.asked_length(function, args, output.as_ref())?
            }
        };
        Some(Some(lowered))
    }

    /// The capacities that the caller chooses: arguments behind the parameters of C.
    pub(super) fn chosen(&self) -> Vec<Spanned<String>> {
        let mut names: Vec<Spanned<String>> = Vec::new();
        for parameter in &self.function.parameters {
            let schema = parameter.schema.as_ref().and_then(|schema| self.registry.schemas.resolve(schema));
            let keys = schema.map_or_else(Keys::default, |schema| schema.keys);
            if let Some(document::Length::Argument(name)) =
                parameter.keys.clone().or(&keys).length.map(|length| length.value)
                && names.iter().all(|other| other.value != name.value)
            {
                names.push(name);
            }
        }
        names
    }

    /// A length that another function tells.
    fn asked_length(
        &self,
        function: &Spanned<String>,
        args: &[Spanned<Literal>],
        output: Option<&Spanned<String>>,
    ) -> Option<Amount> {
        let callee = self.function("call", function);
        let args: Vec<Option<AskArg>> = args.iter().map(|arg| self.call_arg(arg)).collect();
        let output = match output {
            Some(name) => Some(self.output_of(callee?, name)?),
            None => None,
        };
        Some(Amount::Ask { function: callee?, args: args.into_iter().collect::<Option<_>>()?, output })
    }

    fn factors(&self, factors: &[Spanned<document::Factor>]) -> Option<Vec<Factor>> {
        let factors: Vec<Option<Factor>> = factors.iter().map(|factor| self.factor(factor)).collect();
        factors.into_iter().collect()
    }

    fn factor(&self, factor: &Spanned<document::Factor>) -> Option<Factor> {
        match &factor.value {
            document::Factor::Literal(Literal::Integer(value)) => {
                i64::try_from(*value).ok().map(Factor::Const)
            }
            document::Factor::Literal(Literal::String(name)) => {
                let name = Spanned { value: name.clone(), span: factor.span };
                self.parameter("x-length", &name).map(Factor::Param)
            }
            // Reading has reported it.
            document::Factor::Literal(Literal::Bool(_) | Literal::Number(_)) => None,
            document::Factor::Call { function, args, output } => {
                self.asked_length(function, args, output.as_ref()).map(Factor::Asked)
            }
        }
    }

    /// The index of an output of the function at `callee`.
    fn output_of(&self, callee: usize, name: &Spanned<String>) -> Option<usize> {
        let asked = self.names.all.get(callee)?;
        let is_it = |parameter: &document::Parameter| {
            parameter.name.as_ref().is_some_and(|given| given.value == name.value)
        };
        let index = asked.parameters.iter().position(is_it);
        if index.is_none() {
            let of = asked.name.as_ref().map_or("", |name| &name.value);
            self.findings().report(
                Rule::UnknownParameter,
                name.span,
                format!("`output` names {:?}, which is not a parameter of `{of}`", name.value),
                "name the pointer parameter of that function to which C writes the number",
            );
        }
        index
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

    pub(super) fn parents(&self, keys: &Keys) -> Option<Vec<usize>> {
        let names = keys.parent.iter().flat_map(|names| &names.value);
        let parents: Vec<Option<usize>> = names.map(|name| self.parameter("x-parent", name)).collect();
        parents.into_iter().collect()
    }

    pub(super) fn valid_until(&self, keys: &Keys) -> Option<Vec<usize>> {
        let names = keys.valid_until.iter().flat_map(|names| &names.value);
        let functions: Vec<Option<usize>> = names.map(|name| self.function("x-validUntil", name)).collect();
        functions.into_iter().collect()
    }

    /// `x-keeps`. Whether its name is that of a handle is checked when all parameters are known.
    pub(super) fn kept(&self, keys: &Keys) -> Option<Option<Kept>> {
        let Some(keeps) = &keys.keeps else { return Some(None) };
        let by = match &keeps.value.until {
            None => Keeper::Forever,
            Some(name) if name.value == "return" => Keeper::Result(Place::Returned),
            Some(name) => Keeper::Param(self.parameter("x-keeps", name)?),
        };
        Some(Some(Kept { by, replaced: keeps.value.replaced }))
    }

    pub(super) fn held(&self, keys: &Keys) -> Option<Held> {
        let free = match &keys.free {
            None => None,
            Some(free) => self.free(&free.value)?,
        };
        Some(Held { nullable: keys.nullable.is_some_and(|flag| flag.value), free })
    }

    /// The way to free that `x-free` describes: `None` if it is wrong, `Some(None)` if it says that nothing frees.
    fn free(&self, free: &Free) -> Option<Option<usize>> {
        let mut captures = Vec::new();
        let by = match free {
            Free::Nothing => return Some(None),
            Free::Symbol(name) => FreeBy::Symbol(self.symbol("x-free", name, false)?),
            Free::Variable(name) => FreeBy::Variable(self.symbol("x-free", name, true)?),
            Free::Call { function, args: None, .. } => {
                let function = self.function("x-free", function)?;
                FreeBy::Function { function, args: vec![FreeArg::Value], refused: None }
            }
            Free::Call { function: name, args: Some(args), .. } => {
                let function = self.function("call", name);
                let lowered: Vec<Option<FreeArg>> =
                    args.iter().map(|arg| self.free_arg(arg, &mut captures)).collect();
                let lowered: Vec<FreeArg> = lowered.into_iter().collect::<Option<_>>()?;
                if lowered.iter().filter(|arg| **arg == FreeArg::Value).count() != 1 {
                    self.findings().report(
                        Rule::LinkedFunction,
                        name.span,
                        "`args` of `x-free` must have \"value\" once: the pointer to free",
                        "write \"value\" in the place of the parameter that takes the pointer",
                    );
                    return None;
                }
                FreeBy::Function { function: function?, args: lowered, refused: None }
            }
        };
        Some(Some(self.registry.free(by, captures)))
    }

    fn free_arg(&self, arg: &Spanned<Literal>, captures: &mut Vec<usize>) -> Option<FreeArg> {
        match self.call_arg_unless_value(arg)? {
            None => Some(FreeArg::Value),
            Some(AskArg::Integer(value)) => Some(FreeArg::Integer(value)),
            Some(AskArg::Param(index) | AskArg::Left(index)) => {
                captures.push(index);
                Some(FreeArg::Captured(captures.len() - 1))
            }
            // A parameter or an integer is neither.
            Some(AskArg::Returned | AskArg::Asked(_)) => None,
        }
    }

    /// An argument of a function that frees; `None` for the pointer itself.
    fn call_arg_unless_value(&self, arg: &Spanned<Literal>) -> Option<Option<AskArg>> {
        let is_value = matches!(&arg.value, Literal::String(name) if name == "value");
        if is_value { Some(None) } else { self.call_arg(arg).map(Some) }
    }

    /// A symbol that is not a function of the document.
    pub(super) fn symbol(
        &self,
        key: &'static str,
        name: &Spanned<String>,
        is_variable: bool,
    ) -> Option<usize> {
        if name.value.is_empty() || name.value.contains('\0') {
            self.findings().report(
                Rule::IllegalName,
                name.span,
                format!("{:?} cannot be the name of a symbol", name.value),
                "write the name that the library exports",
            );
            return None;
        }
        Some(self.registry.linked_symbol(key, name, is_variable))
    }

    /// Whether `x-free` of an input names this function itself.
    pub(super) fn frees_itself(&self, keys: &Keys) -> bool {
        let named = keys.free.as_ref().and_then(|free| free.value.function());
        named.is_some_and(|function| function.value == self.function_name())
    }

    /// Whether the function frees the handle that it takes: its own `x-free` says so, or the `x-free` of another
    /// function names it, with the pointer for this parameter.
    pub(super) fn consumes(&self, keys: &Keys) -> bool {
        let is_value = |parameter: &document::Parameter| {
            parameter.name.as_ref().zip(self.value).is_some_and(|(name, value)| name.span == value.span)
        };
        self.frees_itself(keys)
            || self.names.frees.get(self.function_name()).is_some_and(|frees| {
                frees.count == self.function.parameters.len()
                    && self.function.parameters.iter().position(is_value) == Some(frees.position)
            })
    }

    /// Whether also a call that fails has freed what it takes.
    pub(super) fn frees_always(&self, keys: &Keys) -> bool {
        self.frees_itself(keys) && keys.free.as_ref().is_some_and(|free| free.value.is_always())
    }
}
