//! `x-init`: how the library begins and ends.

use opendyn_source::object::wrong_type;

use crate::diagnostic::Findings;
use crate::document::Init;
use crate::json::{Node, Value};
use crate::keys::Place;
use crate::span::Spanned;

use super::object::Object;

/// `x-init`: the name of a function, or an object; `None` if it cannot be read.
pub(super) fn read_init(node: &Node, findings: &Findings) -> Option<Init> {
    if let Value::String(name) = &node.value {
        let call = Spanned { value: name.clone(), span: node.span };
        return Some(Init { call, args: Vec::new(), end: None });
    }
    let Value::Object(_) = &node.value else {
        wrong_type(node, "`x-init` of `info`", "the name of a function, or an object with `call`", findings);
        return None;
    };
    let object = Object::new(node, Place::Init, findings)?;
    let call = object.required_string("call");
    let args = match object.optional("args") {
        Some(_) => object.list("args", |node| integer(node, &object)).map(|args| args.value),
        None => Some(Vec::new()),
    };
    let end = object.optional_string("end");
    // An `end` that cannot be read is reported.
    object.finish();
    Some(Init { call: call?, args: args?, end })
}

fn integer(node: &Node, object: &Object<'_>) -> Option<Spanned<i128>> {
    let integer = match &node.value {
        Value::Number(text) => text.parse().ok(),
        _ => None,
    };
    if integer.is_none() {
        object.wrong(node, "args", "an integer");
    }
    Some(Spanned { value: integer?, span: node.span })
}
