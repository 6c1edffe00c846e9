//! The names of the values of a function are unique, in the document and in Rust.

use super::meaning::{Param, Passing, Returned};
use std::collections::HashMap;

use super::collect;
use super::identifier;
use crate::diagnostic::Findings;
use crate::document::{self, Keys};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// Reports parameters with the same name, in the document or in Rust.
pub(super) fn check_parameters(
    function: &document::Function,
    params: &[Option<(Param, Keys)>],
    findings: &Findings,
) {
    let of =
        function.name.as_ref().map_or_else(|| "the function".to_owned(), |name| format!("`{}`", name.value));
    let mut names: HashMap<&str, Span> = HashMap::new();
    let mut idents: HashMap<&str, &str> = HashMap::new();
    for (parameter, param) in function.parameters.iter().zip(params) {
        let Some(name) = &parameter.name else { continue };
        if let Some(first) = names.insert(&name.value, name.span) {
            duplicate(first, name, &of, "parameters", findings);
            continue;
        }
        let Some((param, _)) = param else { continue };
        if let Some(first) = idents.insert(&param.ident, &param.key) {
            findings.report(
                Rule::RustNameCollision,
                name.span,
                format!("`{}` and `{first}` become the same parameter `{}` in Rust", param.key, param.ident),
                "rename one of them: the names must differ in more than case and punctuation",
            );
        }
    }
}

fn duplicate(first: Span, name: &Spanned<String>, of: &str, what: &str, findings: &Findings) {
    findings.report_second(
        Rule::DuplicateName,
        [first, name.span],
        format!("{of} has two {what} named `{}`", name.value),
        "rename one of them",
    );
}

/// Reports a return value that has the name of an output, in the document or in Rust.
pub(super) fn check_results(
    function: &document::Function,
    params: &[Param],
    lowered: Option<&Returned>,
    findings: &Findings,
) {
    check_calls(params, lowered, function, findings);
    let Some(returned) = function.returns.as_ref().and_then(|returned| returned.name.as_ref()) else {
        return;
    };
    if lowered.is_none_or(|lowered| !lowered.is_result()) {
        return;
    }
    let of =
        function.name.as_ref().map_or_else(|| "the function".to_owned(), |name| format!("`{}`", name.value));
    let ident = identifier::for_value(&returned.value);
    for (parameter, param) in function.parameters.iter().zip(params) {
        let output = param.is_result() || matches!(param.passing, Passing::Buffer { .. } | Passing::InOut(_));
        if !output || Some(&param.ident) != ident.as_ref() {
            continue;
        }
        if param.key == returned.value {
            let output = parameter.name.as_ref().map_or(returned.span, |name| name.span);
            duplicate(output, returned, &of, "results", findings);
        } else {
            findings.report(
                Rule::RustNameCollision,
                returned.span,
                format!(
                    "`{}` and `{}` become the same result `{}` in Rust",
                    returned.value, param.key, param.ident
                ),
                "rename one of them: the names must differ in more than case and punctuation",
            );
        }
    }
}

/// Reports collected calls that have the name of another result. Their number beyond the limit has a name too.
fn check_calls(
    params: &[Param],
    returned: Option<&Returned>,
    function: &document::Function,
    findings: &Findings,
) {
    let is_collected = |param: &Param| matches!(&param.passing, Passing::Callback(callback, _) if callback.collect.is_some());
    let returned = returned.filter(|returned| returned.is_result()).map(|returned| returned.key.as_str());
    for (index, param) in params.iter().enumerate().filter(|(_, param)| is_collected(param)) {
        let omitted = collect::omitted(&param.key);
        let others = params.iter().enumerate().filter(|(other, _)| *other != index);
        let mut others = others.map(|(_, other)| other.key.as_str()).chain(returned);
        if let Some(taken) = others.find(|other| *other == param.key || *other == omitted) {
            let span = function.parameters[index].name.as_ref().map_or(Span::default(), |name| name.span);
            findings.report(
                Rule::DuplicateName,
                span,
                format!(
                    "the calls of `{}` are in the reply as `{}` and `{omitted}`, but `{taken}` is another value",
                    param.key, param.key
                ),
                "rename one of them",
            );
        }
    }
}
