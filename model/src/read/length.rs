//! `x-length`: the forms of a number of elements.

use crate::diagnostic::Findings;
use crate::document::{Factor, Length, Literal};
use crate::json::{Node, Value};
use crate::keys::Place;
use crate::rule::Rule;
use crate::span::Spanned;

use super::object::Object;

/// The keys that a length has one of.
const FORMS: [&str; 5] = ["const", "call", "argument", "terminated", "member"];

pub(super) fn read_length(node: &Node, within: &Object<'_>, findings: &Findings) -> Option<Spanned<Length>> {
    let span = node.span;
    let value = match &node.value {
        Value::String(name) => Length::Parameter(name.clone()),
        Value::Array(_) => read_product(node, within, findings)?,
        Value::Object(_) => read_object(node, findings)?,
        _ => {
            within.wrong(node, "x-length", "the name of a parameter, a list of factors, or an object");
            return None;
        }
    };
    Some(Spanned { value, span })
}

fn read_product(node: &Node, within: &Object<'_>, findings: &Findings) -> Option<Length> {
    let factors = within.list("x-length", |node| read_factor(node, within, findings))?;
    let is_factor = |factor: &Factor| match factor {
        Factor::Call { .. } | Factor::Literal(Literal::String(_)) => true,
        Factor::Literal(Literal::Integer(value)) => u64::try_from(*value).is_ok(),
        Factor::Literal(Literal::Bool(_) | Literal::Number(_)) => false,
    };
    let wrong = factors.value.iter().find(|factor| !is_factor(&factor.value));
    if let Some(wrong) = wrong {
        findings.report(
            Rule::WrongJsonType,
            wrong.span,
            "a factor of `x-length` must be the name of a parameter, an integer of 0 or more, or a call",
            "write a product such as [\"width\", \"height\", 3]",
        );
        return None;
    }
    if factors.value.iter().all(|factor| matches!(factor.value, Factor::Literal(Literal::Integer(_)))) {
        findings.report(
            Rule::LengthParameter,
            node.span,
            "a product must have a parameter or a call among its factors",
            "write {\"const\": 32} for a length that is always the same",
        );
        return None;
    }
    Some(Length::Product(factors.value))
}

fn read_factor(node: &Node, within: &Object<'_>, findings: &Findings) -> Option<Spanned<Factor>> {
    let span = node.span;
    if !matches!(node.value, Value::Object(_)) {
        let expected = "the name of a parameter, an integer of 0 or more, or a call";
        let literal = within.literal_at(node, "x-length", expected)?;
        return Some(Spanned { value: Factor::Literal(literal.value), span });
    }
    let object = Object::new(node, Place::Factor, findings)?;
    let function = object.required_string("call");
    let args = read_args(&object);
    let output = object.optional_string("output");
    object.finish();
    Some(Spanned { value: Factor::Call { function: function?, args: args?, output }, span })
}

/// `args` of a call that gives a number.
fn read_args(object: &Object<'_>) -> Option<Vec<Spanned<Literal>>> {
    let expected = "the name of a parameter, or an integer";
    match object.optional("args") {
        Some(_) => {
            object.list("args", |node| object.literal_at(node, "args", expected)).map(|args| args.value)
        }
        None => Some(Vec::new()),
    }
}

fn read_object(node: &Node, findings: &Findings) -> Option<Length> {
    let object = Object::new(node, Place::Length, findings)?;
    let count = object.count("const");
    let function = object.optional_string("call");
    let args = read_args(&object);
    let output = object.optional_string("output");
    let parameter = object.optional_string("parameter");
    let argument = object.optional_string("argument");
    let terminated = object.optional_bool("terminated").filter(|flag| flag.value);
    let member = object.optional_string("member");
    let given = FORMS.iter().filter(|form| object.optional(form).is_some()).count();
    let value = match (count, function, argument, terminated) {
        _ if given != 1 => None,
        (Some(count), ..) => Some(Length::Const { count, parameter: parameter.clone() }),
        (_, Some(function), ..) => {
            Some(Length::Call { function, args: args?, output: output.clone(), parameter: parameter.clone() })
        }
        (_, _, Some(argument), _) => Some(Length::Argument(argument)),
        (_, _, _, Some(_)) => Some(Length::Terminated),
        (None, None, None, None) => member.map(Length::Member),
    };
    let is_false = object.optional_bool("terminated").is_some_and(|flag| !flag.value);
    if given != 1 {
        findings.report(
            Rule::MissingField,
            node.span,
            "`x-length` must have exactly one of `const`, `call`, `argument`, `terminated` and `member`",
            "write the name of a parameter, {\"const\": 32}, {\"call\": \"f\", \"args\": [\"n\"]}, \
             {\"argument\": \"capacity\"}, or {\"terminated\": true}",
        );
    } else if is_false {
        findings.report(
            Rule::MisusedKey,
            node.span,
            "`terminated` that is false says nothing about the length",
            "write {\"terminated\": true}, or another form of `x-length`",
        );
    }
    let is_call = matches!(value, Some(Length::Call { .. }));
    for (key, is_used) in [
        ("args", is_call),
        ("output", is_call),
        ("parameter", is_call || matches!(value, Some(Length::Const { .. }))),
    ] {
        if let (Some(unused), false, true) = (object.optional(key), is_used, value.is_some()) {
            findings.report(
                Rule::MisusedKey,
                unused.span,
                format!("`{key}` has no effect in this `x-length`"),
                "remove it",
            );
        }
    }
    object.finish();
    value
}
