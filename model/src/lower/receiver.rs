//! What a method belongs to: the type of a handle or state that the function takes, or the binding. On such a type the
//! method also loses the name of the type: `git_repository_head` is `head` of a `Repository`.

use std::collections::HashMap;

use super::identifier;
use super::meaning::{Function, Passing, StateRole, Stem};
use super::prefix::Prefix;
use crate::diagnostic::Findings;
use crate::document::{self, Document, ReceiverOf};
use crate::plan::{Receiver, Types};
use crate::rule::Rule;

/// Chooses the receivers of all functions, and names their methods.
pub(super) fn assign(
    document: &Document,
    functions: &mut [Option<Function>],
    types: &Types,
    prefix: Prefix<'_>,
    findings: &Findings,
) {
    for (described, function) in document.functions.iter().zip(functions.iter_mut()) {
        if let Some(function) = function {
            function.receiver = receiver(described, function, findings);
        }
    }
    // What methods of one type would be called, without and with the name of the type.
    let mut met: HashMap<(Of, String), usize> = HashMap::new();
    let named: Vec<Option<Method>> =
        functions.iter().map(|function| method(function.as_ref()?, types, prefix)).collect();
    for method in named.iter().flatten() {
        for name in [Some(&method.whole), method.short.as_ref()].into_iter().flatten() {
            *met.entry((method.of, name.clone())).or_default() += 1;
        }
    }
    for (function, method) in functions.iter_mut().zip(named) {
        let (Some(function), Some(Method { of, whole, short })) = (function, method) else { continue };
        let is_alone = |short: &String| met.get(&(of, short.clone())) == Some(&1);
        function.names.method = short.filter(is_alone).unwrap_or(whole);
    }
}

/// The type that has a method.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub(super) enum Of {
    /// The index of the handle type.
    Handle(usize),
    /// The index of the record.
    State(usize),
}

impl Of {
    /// `None` for the binding.
    pub(super) fn receiver(receiver: Receiver) -> Option<Self> {
        match receiver {
            Receiver::Binding => None,
            Receiver::Handle { handle, .. } => Some(Self::Handle(handle)),
            Receiver::State { record, .. } => Some(Self::State(record)),
        }
    }
}

/// The names that a method of a handle or state can have.
struct Method {
    of: Of,
    whole: String,
    /// Without the name of the type.
    short: Option<String>,
}

fn method(function: &Function, types: &Types, prefix: Prefix<'_>) -> Option<Method> {
    let of = Of::receiver(function.receiver)?;
    let name = match of {
        Of::Handle(handle) => &types.handles[handle].name,
        Of::State(record) => &types.records[record].name,
    };
    let Stem::Name(stem) = &function.stem else {
        return Some(Method { of, whole: function.names.method.clone(), short: None });
    };
    let whole = identifier::for_handle_method(stem)?;
    Some(Method { of, short: short(stem, prefix.strip(name)), whole })
}

/// `repository_head` as `head`, for the type `repository` or `repository_t`.
fn short(stem: &str, of: &str) -> Option<String> {
    let (stem, of) = (identifier::snake_case(stem), identifier::snake_case(of));
    let of = of.strip_suffix("_t").unwrap_or(&of);
    let rest = stem.strip_prefix(of)?.trim_start_matches('_');
    let is_word = stem.as_bytes().get(of.len()) == Some(&b'_');
    let is_name =
        rest.starts_with(|first: char| !first.is_numeric()) && !identifier::is_reserved_handle_method(rest);
    (is_word && is_name).then(|| identifier::for_handle_method(rest)).flatten()
}

/// The first handle or state that every call passes, or what `x-receiver` says.
fn receiver(described: &document::Function, function: &Function, findings: &Findings) -> Receiver {
    let at = |param: usize| match &function.params[param].passing {
        Passing::Handle { handle, .. } if function.params[param].required => {
            Some(Receiver::Handle { param, handle: *handle })
        }
        Passing::State { record, role: StateRole::Used | StateRole::Ends { .. } }
            if function.params[param].required =>
        {
            Some(Receiver::State { param, record: *record })
        }
        _ => None,
    };
    match &described.receiver {
        Some(ReceiverOf::Binding) => Receiver::Binding,
        None => (0..function.params.len()).find_map(at).unwrap_or_default(),
        Some(ReceiverOf::Param(name)) => {
            let Some(param) = function.params.iter().position(|param| param.key == name.value) else {
                findings.report(
                    Rule::UnknownParameter,
                    name.span,
                    format!("`x-receiver` names {:?}, which is not a parameter of this function", name.value),
                    "name one of its handles or states, or write null for a method of the binding",
                );
                return Receiver::Binding;
            };
            at(param).unwrap_or_else(|| {
                findings.report(
                    Rule::UnknownParameter,
                    name.span,
                    format!("`x-receiver` names `{}`, which is not a required handle or state", name.value),
                    "name a handle or a state that the function takes, with \"required\": true, or write null for a \
                     method of the binding",
                );
                Receiver::Binding
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_type_is_left_out_where_a_word_remains() {
        for (stem, of, expected) in [
            ("repository_head", "repository", Some("head")),
            ("repository_head", "repository_t", Some("head")),
            ("CCtx_setParameter", "CCtx", Some("set_parameter")),
            ("bank__close", "bank", Some("close")),
            ("stmt_type", "stmt", Some("r#type")),
            ("banker_open", "bank", None),
            ("bank", "bank", None),
            ("bank_2", "bank", None),
            ("bank_clone", "bank", None),
        ] {
            assert_eq!(short(stem, of).as_deref(), expected, "{stem} of {of}");
        }
    }
}
