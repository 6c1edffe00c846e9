//! `x-length`: the forms of a number of elements.

use crate::diagnostic::Findings;
use crate::document::{Factor, Length, Literal};
use crate::json::{Node, Value};
use crate::keys::Place;
use crate::rule::Rule;
use crate::span::Spanned;

use super::object::Object;

/// The keys that a length has one of.
const FORMS: [&str; 6] = ["const", "sum", "call", "argument", "terminated", "member"];

pub(super) fn read_length(node: &Node, within: &Object<'_>, findings: &Findings) -> Option<Spanned<Length>> {
    let span = node.span;
    let value = match &node.value {
        Value::String(name) => Length::Parameter(name.clone()),
        Value::Array(_) => Length::Product(read_factors(Computed::Product, node, within, findings)?),
        Value::Object(_) => read_object(node, findings)?,
        _ => {
            within.wrong(node, "x-length", "the name of a parameter, a list of factors, or an object");
            return None;
        }
    };
    Some(Spanned { value, span })
}

/// What the numbers of a list become.
#[derive(Clone, Copy)]
enum Computed {
    Product,
    Sum,
}

impl Computed {
    /// The key with the list, and what the list may hold.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Product => ("x-length", "the name of a parameter, an integer of 0 or more, or a call"),
            Self::Sum => ("sum", "the name of a parameter, an integer, or a call"),
        }
    }

    fn has(self, factor: &Factor) -> bool {
        match factor {
            Factor::Call { .. } | Factor::Literal(Literal::String(_)) => true,
            Factor::Literal(Literal::Integer(value)) => {
                i64::try_from(*value).is_ok_and(|value| matches!(self, Self::Sum) || value >= 0)
            }
            Factor::Literal(Literal::Bool(_) | Literal::Number(_)) => false,
        }
    }
}

/// The numbers of a product or a sum.
fn read_factors(
    computed: Computed,
    node: &Node,
    within: &Object<'_>,
    findings: &Findings,
) -> Option<Vec<Spanned<Factor>>> {
    let (key, expected) = computed.words();
    let factors = within.list(key, |node| read_factor(computed, node, within, findings))?.value;
    if let Some(wrong) = factors.iter().find(|factor| !computed.has(&factor.value)) {
        let (of, example) = match computed {
            Computed::Product => ("a factor", "write a product such as [\"width\", \"height\", 3]"),
            Computed::Sum => ("a term", "write a sum such as {\"sum\": [\"n\", 16]}"),
        };
        let message = format!("{of} of `x-length` must be {expected}");
        findings.report(Rule::WrongJsonType, wrong.span, message, example);
        return None;
    }
    if factors.iter().all(|factor| matches!(factor.value, Factor::Literal(Literal::Integer(_)))) {
        let problem = match computed {
            Computed::Product => "a product must have a parameter or a call among its factors",
            Computed::Sum => "a sum must have a parameter or a call among its terms",
        };
        let help = "write {\"const\": 32} for a length that is always the same";
        findings.report(Rule::LengthParameter, node.span, problem, help);
        return None;
    }
    Some(factors)
}

fn read_factor(
    computed: Computed,
    node: &Node,
    within: &Object<'_>,
    findings: &Findings,
) -> Option<Spanned<Factor>> {
    let span = node.span;
    if !matches!(node.value, Value::Object(_)) {
        let (key, expected) = computed.words();
        let literal = within.literal_at(node, key, expected)?;
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
    let sum = object.optional("sum").map(|node| read_factors(Computed::Sum, node, &object, findings));
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
        _ if sum.is_some() => sum.flatten().map(Length::Sum),
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
            "`x-length` must have exactly one of `const`, `sum`, `call`, `argument`, `terminated` and `member`",
            "write the name of a parameter, {\"const\": 32}, {\"sum\": [\"n\", 16]}, {\"call\": \"f\", \"args\": [\"n\"]}, \
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
