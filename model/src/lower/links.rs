//! References to functions that free something, return a length or tell about a failure. They are checked when all
//! functions are known.

use super::meaning::{Constant, Direction, Form, Function, HandleRole, Param, Passing, Returned};
use crate::c_type::CType;
use crate::diagnostic::Findings;
use crate::document::{self, Keys};
use crate::plan::{Amount, AskArg, Scalar, View};
use crate::rule::Rule;
use crate::span::Span;

/// One reference.
pub(super) struct Link {
    target: usize,
    span: Span,
    kind: Kind,
}

enum Kind {
    /// It frees a handle of that type, or any pointer.
    Free { handle: Option<usize>, itself: bool },
    /// It is called with these values and returns a length.
    Call { args: Vec<Abi> },
}

/// What C sees of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Abi {
    Scalar(CType),
    Handle(usize),
    /// A pointer that the document does not describe, after a call.
    Pointer,
    /// An integer from the document, of any type that can hold it.
    Integer(i128),
    Other,
}

/// The references of one function.
pub(super) fn collect(
    name: &str,
    params: &[Param],
    returned: Option<&Returned>,
    keys: (&[Keys], Option<&Keys>),
    links: &mut Vec<Link>,
) {
    let values = params.iter().zip(keys.0).map(|(param, keys)| {
        let form = match &param.passing {
            Passing::Fetched(form) => Some(form),
            _ => None,
        };
        let length = match &param.passing {
            Passing::Buffer { capacity, .. } => capacity.as_ref(),
            passing => passing.length(),
        };
        (form, length, keys)
    });
    let returned = returned.zip(keys.1).map(|(returned, keys)| (Some(&returned.form), None, keys));
    for (form, length, keys) in values.chain(returned) {
        let (held, length) = match form {
            None => (None, length),
            Some(Form::Handle { handle, held, .. }) => (held.free.map(|free| (free, Some(*handle))), None),
            Some(Form::Array { held, length, .. }) => (held.free.map(|free| (free, None)), length.as_ref()),
            Some(Form::Strings { held, length }) => (held.free.map(|free| (free, None)), Some(length)),
            Some(Form::Str { held, .. } | Form::Pointed { held, .. } | Form::Record { held, .. }) => {
                (held.free.map(|free| (free, None)), None)
            }
            Some(Form::Value(_) | Form::RecordValue(_) | Form::Opaque) => (None, None),
        };
        if let (Some((target, handle)), Some(free)) = (held, &keys.free) {
            let itself = free.value == name;
            links.push(Link { target, span: free.span, kind: Kind::Free { handle, itself } });
        }
        if let (Some(Amount::Ask { function, args }), Some(key)) = (length, &keys.length) {
            let span = match &key.value {
                document::Length::Call { function, .. } => function.span,
                _ => key.span,
            };
            let args = args.iter().map(|arg| match arg {
                AskArg::Integer(value) => Abi::Integer(*value),
                AskArg::Param(index) => abi(&params[*index].passing),
                // A length is asked before the call.
                AskArg::Left(_) | AskArg::Returned => Abi::Other,
            });
            links.push(Link { target: *function, span, kind: Kind::Call { args: args.collect() } });
        }
    }
}

pub(super) fn abi(passing: &Passing) -> Abi {
    match passing {
        Passing::Value(scalar) | Passing::Constant { of: Constant::Scalar(scalar), .. } => {
            Abi::Scalar(scalar.c_type)
        }
        Passing::Length { c_type, pointer: false, .. } | Passing::Capacity { c_type, pointer: false, .. } => {
            Abi::Scalar(*c_type)
        }
        Passing::Handle { handle, role: HandleRole::Borrowed } => Abi::Handle(*handle),
        _ => Abi::Other,
    }
}

/// Reports references to functions that do not fit.
pub(super) fn check(links: &[Link], functions: &[Option<Function>], findings: &Findings) {
    for link in links {
        let Some(target) = &functions[link.target] else { continue };
        let problem = if target.is_required() {
            match &link.kind {
                Kind::Free { itself: true, .. } => Some((
                    "it is the function that returns the value".to_owned(),
                    "name the function that frees it",
                )),
                Kind::Free { handle, .. } => frees(target, *handle),
                Kind::Call { args } => tells_length(target, args),
            }
        } else {
            Some((
                "it is optional, so the library may lack it".to_owned(),
                "name a function that is not optional",
            ))
        };
        if let Some((problem, help)) = problem {
            findings.report(
                Rule::LinkedFunction,
                link.span,
                format!("`{}` does not fit here: {problem}", target.name),
                help,
            );
        }
    }
}

fn frees(target: &Function, handle: Option<usize>) -> Option<(String, &'static str)> {
    let [param] = target.params.as_slice() else {
        return Some((
            format!("it has {}", parameters(target)),
            "name a function whose only parameter is the pointer to free",
        ));
    };
    let fits = match (handle, &param.passing) {
        (Some(handle), Passing::Handle { handle: taken, .. }) => handle == *taken,
        (Some(_), _) => false,
        (None, passing) => matches!(
            passing,
            Passing::Opaque { output: false }
                | Passing::Str(_)
                | Passing::Pointer(_)
                | Passing::Slice { .. }
                | Passing::Record { direction: Direction::In | Direction::InOut, .. }
        ),
    };
    (!fits).then(|| match handle {
        Some(_) => (
            format!("its parameter `{}` is not a handle of that type", param.key),
            "give that parameter the same `x-handle`",
        ),
        None => (
            format!("its parameter `{}` cannot take the pointer", param.key),
            "describe that parameter as an input of the C type `void*`",
        ),
    })
}

/// The number of parameters, in words.
fn parameters(of: &Function) -> String {
    match of.params.len() {
        1 => "1 parameter".to_owned(),
        count => format!("{count} parameters"),
    }
}

fn tells_length(target: &Function, args: &[Abi]) -> Option<(String, &'static str)> {
    let returns = target.returned.as_ref().map(|returned| &returned.form);
    if !matches!(returns, Some(Form::Value(Scalar { c_type, view: View::Plain })) if c_type.counts()) {
        return Some(("it does not return an integer".to_owned(), "name a function that returns a count"));
    }
    takes(target, args)
}

/// Why a function does not take these arguments, if it does not.
pub(super) fn takes(target: &Function, args: &[Abi]) -> Option<(String, &'static str)> {
    if target.params.len() != args.len() {
        return Some((
            format!("it has {}, but `args` has {}", parameters(target), args.len()),
            "list one argument per parameter",
        ));
    }
    for (param, arg) in target.params.iter().zip(args) {
        let fits = match (abi(&param.passing), arg) {
            (Abi::Scalar(c_type), Abi::Integer(value)) => {
                let (lowest, highest) = c_type.widest();
                c_type.counts() && (lowest..=highest).contains(value)
            }
            (Abi::Other, Abi::Pointer) => matches!(param.passing, Passing::Opaque { output: false }),
            (Abi::Other, _) => false,
            (taken, given) => taken == *given,
        };
        if let (false, Abi::Integer(value)) = (fits, arg) {
            return Some((
                format!("its parameter `{}` cannot be {value}", param.key),
                "write an integer in the range of its C type",
            ));
        }
        if !fits {
            return Some((
                format!("the C type of its parameter `{}` is not that of the argument", param.key),
                "name a scalar by value, a length or a handle of exactly the same type",
            ));
        }
    }
    None
}
