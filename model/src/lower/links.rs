//! References to functions that free something, return a length or tell about a failure. They are checked when all
//! functions are known.

use super::meaning::{Constant, Direction, Form, Function, HandleRole, Param, Passing, Returned, StateRole};
use super::types::Registry;
use crate::c_type::CType;
use crate::diagnostic::Findings;
use crate::document::{self, Keys};
use crate::plan::{Amount, AskArg, Factor, FreeArg, FreeBy, Scalar, View};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// One reference.
pub(super) struct Link {
    pub(super) target: usize,
    pub(super) span: Span,
    kind: Kind,
}

enum Kind {
    /// It frees what is described there.
    Free { of: Freed, itself: bool, args: Vec<Abi> },
    /// It ends what was borrowed from a handle of that type.
    Until { parent: usize },
    /// It is called with these values, and returns a length or leaves it in the output at that index.
    Call { args: Vec<Abi>, output: Option<usize> },
}

/// What a function frees.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Freed {
    /// A handle of that type.
    Handle(usize),
    /// A state of that type.
    State(usize),
    /// Any other pointer.
    Pointer,
}

/// What C sees of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Abi {
    Scalar(CType),
    Handle(usize),
    State(usize),
    /// A handle or a state that may be absent, and then is NULL.
    Absent(Absent),
    /// A pointer that the document does not describe, after a call.
    Pointer,
    /// An integer from the document, of any type that can hold it.
    Integer(i128),
    /// The pointer to free.
    Value,
    Other,
}

/// What a caller may leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absent {
    Handle(usize),
    State(usize),
}

/// The references of one function.
pub(super) fn collect(
    name: &str,
    params: &[Param],
    returned: Option<&Returned>,
    keys: (&[Keys], Option<&Keys>),
    registry: &Registry<'_>,
    links: &mut Vec<Link>,
) {
    let values = params.iter().zip(keys.0).map(|(param, keys)| {
        let form = param.fetched();
        let state = match &param.passing {
            Passing::State { record, role: StateRole::Begins { end, .. } } => {
                end.free().map(|free| (free, Freed::State(*record)))
            }
            // The function takes the address of the struct.
            Passing::Record { .. } => param.disposed.map(|free| (free, Freed::Pointer)),
            _ => None,
        };
        let length = match &param.passing {
            Passing::Buffer { capacity, .. } => capacity.as_ref(),
            passing => passing.length(),
        };
        (form, state, length, keys, param.passing.handle_items())
    });
    let returned = returned
        .zip(keys.1)
        .map(|(returned, keys)| (Some(&returned.form), None, None, keys, returned.form.handle_items()));
    for (form, state, length, keys, items) in values.chain(returned) {
        let (held, length) = match form {
            None => (state, length),
            Some(Form::Handle { handle, held, .. }) => {
                (held.free.map(|free| (free, Freed::Handle(*handle))), None)
            }
            Some(Form::Array { held, length, .. }) => {
                (held.free.map(|free| (free, Freed::Pointer)), length.as_ref())
            }
            Some(Form::Strings { held, length, .. } | Form::Handles { held, length, .. }) => {
                (held.free.map(|free| (free, Freed::Pointer)), Some(length))
            }
            Some(Form::Str { held, .. } | Form::Pointed { held, .. } | Form::Record { held, .. }) => {
                (held.free.map(|free| (free, Freed::Pointer)), None)
            }
            Some(Form::Value(_) | Form::RecordValue(_) | Form::Opaque) => (None, None),
        };
        let named = keys.free.as_ref().and_then(|key| key.value.function());
        let items = items.and_then(|items| {
            items.free.map(|free| (free, Freed::Handle(items.handle))).zip(items.freed_by.as_ref())
        });
        for ((free, of), named) in held.zip(named).into_iter().chain(items) {
            let FreeBy::Function { function: target, args, .. } = registry.freed_by(free) else { continue };
            let captured = registry.captured_by(free);
            let args = args.iter().map(|arg| match arg {
                FreeArg::Value => Abi::Value,
                FreeArg::Integer(value) => Abi::Integer(*value),
                FreeArg::Captured(position) => given_abi(&params[captured[*position]]),
            });
            let kind = Kind::Free { of, itself: named.value == name, args: args.collect() };
            links.push(Link { target, span: named.span, kind });
        }
        if let (Some(Form::Handle { parents, until, .. }), Some(names)) = (form, &keys.valid_until)
            && let Some(Passing::Handle { handle: parent, .. }) =
                parents.first().map(|parent| &params[*parent].passing)
        {
            let named = until.iter().zip(&names.value);
            links.extend(named.map(|(target, name)| Link {
                target: *target,
                span: name.span,
                kind: Kind::Until { parent: *parent },
            }));
        }
        let asked = length.zip(keys.length.as_ref()).map(|(length, key)| asked(length, key));
        for (amount, span) in asked.into_iter().flatten() {
            let Amount::Ask { function, args, output } = amount else { continue };
            let args = args.iter().map(|arg| match arg {
                AskArg::Integer(value) => Abi::Integer(*value),
                AskArg::Param(index) if output.is_some() => whole_abi(&params[*index]),
                AskArg::Param(index) => given_abi(&params[*index]),
                // A length is asked before the call.
                AskArg::Left(_) | AskArg::Returned | AskArg::Asked(_) => Abi::Other,
            });
            links.push(Link {
                target: *function,
                span,
                kind: Kind::Call { args: args.collect(), output: *output },
            });
        }
    }
}

/// The calls that tell a length, and where the document names their functions.
fn asked<'a>(length: &'a Amount, key: &Spanned<document::Length>) -> Vec<(&'a Amount, Span)> {
    match (length, &key.value) {
        (Amount::Product(factors), document::Length::Product(named))
        | (Amount::Sum(factors), document::Length::Sum(named)) => {
            let calls =
                factors.iter().zip(named).filter_map(|(factor, named)| match (factor, &named.value) {
                    (Factor::Asked(amount), document::Factor::Call { function, .. }) => {
                        Some((amount, function.span))
                    }
                    _ => None,
                });
            calls.collect()
        }
        (Amount::Ask { .. }, document::Length::Call { function, .. }) => vec![(length, function.span)],
        (Amount::Ask { .. }, _) => vec![(length, key.span)],
        _ => Vec::new(),
    }
}

/// What a function takes that is called with all its checks: a value that is always there, and that both see alike.
fn whole_abi(param: &Param) -> Abi {
    match &param.passing {
        Passing::Value(Scalar { view: View::Plain, .. })
        | Passing::Handle { .. }
        | Passing::Length { .. }
        | Passing::Capacity { .. }
            if param.required =>
        {
            abi(&param.passing)
        }
        _ => Abi::Other,
    }
}

/// What C is passed for a parameter of the function that refers to another.
fn given_abi(param: &Param) -> Abi {
    match abi(&param.passing) {
        Abi::Handle(handle) if !param.required => Abi::Absent(Absent::Handle(handle)),
        Abi::State(record) if !param.required => Abi::Absent(Absent::State(record)),
        abi => abi,
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
        Passing::Handle { handle, role: HandleRole::Borrowed | HandleRole::Ending } => Abi::Handle(*handle),
        Passing::State { record, role: StateRole::Used } => Abi::State(*record),
        _ => Abi::Other,
    }
}

/// Reports references to functions that do not fit.
pub(super) fn check(links: &[Link], functions: &[Option<Function>], findings: &Findings) {
    for link in links {
        let Some(target) = &functions[link.target] else { continue };
        let is_until = matches!(link.kind, Kind::Until { .. });
        let problem = if target.is_required() || is_until {
            match &link.kind {
                Kind::Free { itself: true, .. } => Some((
                    "it is the function that returns the value".to_owned(),
                    "name the function that frees it",
                )),
                Kind::Free { of, args, .. } => frees(target, *of, args),
                Kind::Until { parent } => target.borrows(*parent).is_none().then(|| {
                    (
                        "it does not take the parent".to_owned(),
                        "name a function that takes the handle in `x-parent`",
                    )
                }),
                Kind::Call { args, output: None } => tells_length(target, args),
                Kind::Call { args, output: Some(output) } => leaves_length(target, args, *output),
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

fn frees(target: &Function, of: Freed, args: &[Abi]) -> Option<(String, &'static str)> {
    if args == [Abi::Value] && target.params.len() != 1 {
        return Some((
            format!("it has {}", parameters(target)),
            "name a function whose only parameter is the pointer to free, or write its arguments as `args`",
        ));
    }
    if target.params.len() == args.len()
        && let Some(position) = args.iter().position(|arg| *arg == Abi::Value)
        && let Some(unfit) = frees_pointer(&target.params[position], of)
    {
        return Some(unfit);
    }
    takes(target, args)
}

/// Why a parameter does not take the pointer to free, if it does not.
fn frees_pointer(param: &Param, of: Freed) -> Option<(String, &'static str)> {
    let fits = match (of, &param.passing) {
        (Freed::Handle(handle), Passing::Handle { handle: taken, .. }) => handle == *taken,
        (Freed::State(record), Passing::State { record: taken, .. }) => record == *taken,
        (Freed::Handle(_) | Freed::State(_), _) => false,
        (Freed::Pointer, passing) => matches!(
            passing,
            Passing::Opaque { output: false }
                | Passing::Str(_)
                | Passing::Pointer(_)
                | Passing::Slice { .. }
                | Passing::Record { direction: Direction::In | Direction::InOut, .. }
        ),
    };
    (!fits).then(|| match of {
        Freed::State(_) => (
            format!("its parameter `{}` is not a state of that type", param.key),
            "give that parameter the same schema",
        ),
        Freed::Handle(_) => (
            format!("its parameter `{}` is not a handle of that type", param.key),
            "give that parameter the same `x-handle`",
        ),
        Freed::Pointer => (
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

/// Why a function does not leave a length in the output at this index, if it does not.
fn leaves_length(target: &Function, args: &[Abi], output: usize) -> Option<(String, &'static str)> {
    let param = &target.params[output];
    if !matches!(&param.passing, Passing::Output(Scalar { c_type, view: View::Plain }) if c_type.counts()) {
        return Some((
            format!("its parameter `{}` is not an output with an integer", param.key),
            "name a pointer to an integer with \"isIn\": false",
        ));
    }
    let others = || target.params.iter().enumerate().filter(|(index, _)| *index != output);
    if let Some((_, other)) = others().find(|(_, other)| whole_abi(other) == Abi::Other) {
        return Some((
            format!("its parameter `{}` is not a number, nor a handle that it only uses", other.key),
            "name a function that takes required integers, numbers and handles, besides the output",
        ));
    }
    fit(others().map(|(_, param)| param), args, &parameters_besides(target))
}

/// The number of parameters besides the output, in words.
fn parameters_besides(of: &Function) -> String {
    match of.params.len() - 1 {
        1 => "1 parameter besides the output".to_owned(),
        count => format!("{count} parameters besides the output"),
    }
}

/// Why a function does not take these arguments, if it does not.
pub(super) fn takes(target: &Function, args: &[Abi]) -> Option<(String, &'static str)> {
    fit(target.params.iter(), args, &parameters(target))
}

/// Why these parameters, `count` in words, do not take these arguments, if they do not.
fn fit<'p>(
    params: impl Iterator<Item = &'p Param>,
    args: &[Abi],
    count: &str,
) -> Option<(String, &'static str)> {
    let params: Vec<&Param> = params.collect();
    if params.len() != args.len() {
        return Some((
            format!("it has {count}, but `args` has {}", args.len()),
            "list one argument per parameter",
        ));
    }
    for (param, arg) in params.into_iter().zip(args) {
        let fits = match (abi(&param.passing), arg) {
            (Abi::Scalar(c_type), Abi::Integer(value)) => {
                let (lowest, highest) = c_type.widest();
                c_type.counts() && (lowest..=highest).contains(value)
            }
            // It is compared with the type of the handle.
            (_, Abi::Value) => true,
            // NULL, where no function is passed.
            (Abi::Other, Abi::Integer(0)) => {
                !param.required && matches!(param.passing, Passing::Callback(..))
            }
            (Abi::Other, Abi::Pointer) => matches!(param.passing, Passing::Opaque { output: false }),
            (Abi::Other, _) => false,
            (Abi::Handle(taken), Abi::Absent(Absent::Handle(given))) if !param.required => taken == *given,
            (Abi::State(taken), Abi::Absent(Absent::State(given))) if !param.required => taken == *given,
            (taken, given) => taken == *given,
        };
        if let (false, Abi::Absent(_)) = (fits, arg)
            && param.required
        {
            return Some((
                format!("its parameter `{}` must not be NULL, but the argument may be absent", param.key),
                "write \"required\": true where the argument is described, or name a function that takes NULL",
            ));
        }
        if let (false, Abi::Scalar(_), Abi::Integer(value)) = (fits, abi(&param.passing), arg) {
            return Some((
                format!("its parameter `{}` cannot be {value}", param.key),
                "write an integer in the range of its C type",
            ));
        }
        if !fits {
            return Some((
                format!("the C type of its parameter `{}` is not that of the argument", param.key),
                "name a scalar by value, a length, or a handle or state of exactly the same type",
            ));
        }
    }
    None
}
