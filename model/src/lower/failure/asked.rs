//! Other functions that tell about a failure: they are called after the call, with what it was passed and what it left.

use super::super::links::{self, Abi};
use super::super::meaning::{Form, Function, Param, Passing, StateRole};
use super::Scope;
use crate::document::{self, AskedArg, Literal};
use crate::plan::{AskArg, Asked};
use crate::rule::Rule;
use crate::span::Spanned;

impl Scope<'_> {
    /// Reports a function that does not return what is needed. One with errors of its own is not reported again.
    pub(super) fn returns<T>(
        &self,
        fits: bool,
        at: &Spanned<T>,
        target: Option<&Function>,
        needed: &str,
    ) -> bool {
        if let (false, Some(target)) = (fits, target) {
            self.findings.report(
                Rule::LinkedFunction,
                at.span,
                format!("`{}` does not fit here: it does not return {needed}", target.name),
                format!("name a function that returns {needed}"),
            );
        }
        fits
    }

    /// A call, and the function that it calls if that has no errors.
    pub(super) fn asked(&self, asked: &document::Asked) -> Option<(Asked, Option<&Function>)> {
        let name = &asked.function;
        let Some(function) = self.names.functions.get(name.value.as_str()).copied() else {
            self.findings.report(
                Rule::LinkedFunction,
                name.span,
                format!("`call` names {:?}, which is not a function of the document", name.value),
                "add this function to `functions`, or correct the name",
            );
            return None;
        };
        let args: Vec<Option<(AskArg, Abi)>> = asked.args.iter().map(|arg| self.arg(arg)).collect();
        let args: Vec<(AskArg, Abi)> = args.into_iter().collect::<Option<_>>()?;
        let (args, given): (Vec<AskArg>, Vec<Abi>) = args.into_iter().unzip();
        let target = self.functions[function].as_ref();
        if let Some((problem, help)) = target.and_then(|target| unfit(target, &given)) {
            self.findings.report(
                Rule::LinkedFunction,
                name.span,
                format!("`{}` does not fit here: {problem}", name.value),
                help,
            );
            return None;
        }
        let free = target.and_then(|target| target.returned.as_ref()?.form.held().free);
        Some((Asked { function, args, free }, target))
    }

    fn arg(&self, arg: &AskedArg) -> Option<(AskArg, Abi)> {
        match arg {
            AskedArg::Literal(literal) => self.literal(literal),
            AskedArg::Call(inner) => {
                let (asked, target) = self.asked(inner)?;
                let form = target?.returned.as_ref().map(|returned| &returned.form);
                let abi = match form {
                    Some(Form::Handle { handle, held, .. }) if held.free.is_none() => {
                        Some(Abi::Handle(*handle))
                    }
                    Some(Form::Value(scalar)) => Some(Abi::Scalar(scalar.c_type)),
                    _ => None,
                };
                let needed = "a scalar, or a handle that is not freed";
                self.returns(abi.is_some(), &inner.function, target, needed);
                Some((AskArg::Asked(Box::new(asked)), abi?))
            }
        }
    }

    fn literal(&self, arg: &Spanned<Literal>) -> Option<(AskArg, Abi)> {
        match &arg.value {
            Literal::Integer(value) => Some((AskArg::Integer(*value), Abi::Integer(*value))),
            Literal::String(name) if name == "return" => Some((AskArg::Returned, returned(self.form()))),
            Literal::String(name) => {
                let index = self.parameter(&Spanned { value: name.clone(), span: arg.span })?;
                Some(after_call(index, &self.function.params[index]))
            }
            Literal::Bool(_) | Literal::Number(_) => {
                self.findings.report(
                    Rule::LinkedFunction,
                    arg.span,
                    "an argument of `call` must be a parameter, \"return\" or an integer",
                    "write the name of a parameter, \"return\", or an integer",
                );
                None
            }
        }
    }

    /// The index of a parameter of this function.
    pub(super) fn parameter(&self, name: &Spanned<String>) -> Option<usize> {
        let index = self.function.params.iter().position(|param| param.key == name.value);
        if index.is_none() {
            let keys: Vec<&str> = self.function.params.iter().map(|param| param.key.as_str()).collect();
            self.findings.report(
                Rule::UnknownParameter,
                name.span,
                format!(
                    "`x-error` names {:?}, which is not a parameter of `{}`",
                    name.value, self.function.name
                ),
                if keys.is_empty() {
                    "add the parameter to the function, which has none".to_owned()
                } else {
                    format!("its parameters are {}", keys.join(", "))
                },
            );
        }
        index
    }
}

/// Why a function cannot be asked with these arguments.
fn unfit(target: &Function, args: &[Abi]) -> Option<(String, &'static str)> {
    if !target.is_required() {
        return Some((
            "it is optional, so the library may lack it".to_owned(),
            "name a function that is not optional",
        ));
    }
    links::takes(target, args)
}

/// What C sees of the return value.
fn returned(form: Option<&Form>) -> Abi {
    match form {
        Some(Form::Value(scalar)) => Abi::Scalar(scalar.c_type),
        Some(Form::Handle { handle, .. }) => Abi::Handle(*handle),
        Some(Form::Opaque) => Abi::Pointer,
        _ => Abi::Other,
    }
}

/// A parameter as an argument after the call.
fn after_call(index: usize, param: &Param) -> (AskArg, Abi) {
    match &param.passing {
        Passing::Output(scalar) => (AskArg::Left(index), Abi::Scalar(scalar.c_type)),
        Passing::Fetched(Form::Handle { handle, .. }) => (AskArg::Left(index), Abi::Handle(*handle)),
        // C has left something in the memory, or zeros.
        Passing::State { record, role: StateRole::Begins { .. } } => {
            (AskArg::Param(index), Abi::State(*record))
        }
        passing => (AskArg::Param(index), links::abi(passing)),
    }
}
