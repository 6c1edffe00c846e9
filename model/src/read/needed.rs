//! Which functions of a document one function needs, told before any of them is read.
//!
//! A document of a thousand functions is read in full to serve it, but one call needs one function, and those that it
//! names: what frees its results, what tells a length, what tells why it failed.

use std::collections::{HashMap, HashSet};

use crate::document::Other;
use crate::json::{Node, Value};

/// The names that `x-free` has, of values and of schemas. A function with one of them frees what it is passed.
pub(super) fn frees(functions: &[Node], schemas: Option<&Node>) -> HashSet<String> {
    let mut frees = HashSet::new();
    for function in functions {
        let params = member(function, "parameters").map_or(&[][..], elements);
        for value in params.iter().chain(member(function, "return")) {
            frees.extend(text(value, "x-free"));
            frees.extend(member(value, "schema").into_iter().flat_map(freed_by));
        }
    }
    if let Some(Value::Object(schemas)) = schemas.map(|node| &node.value) {
        frees.extend(schemas.iter().flat_map(|schema| freed_by(&schema.value)));
    }
    frees.into_iter().map(str::to_owned).collect()
}

fn freed_by(schema: &Node) -> impl Iterator<Item = &str> {
    let of_type = member(schema, "cType").and_then(|c_type| text(c_type, "x-free"));
    text(schema, "x-free").into_iter().chain(of_type)
}

/// The functions that calls of `only` need, and the others; all of them if it is `None`.
///
/// A function needs each one whose name is anywhere in it, or anywhere in what all functions share: schemas and errors.
/// That may be one too many, which only takes time.
pub(super) fn needed<'n>(
    functions: &'n [Node],
    shared: &[Option<&Node>],
    only: Option<&str>,
) -> (Vec<&'n Node>, Vec<Other>) {
    let Some(only) = only else { return (functions.iter().collect(), Vec::new()) };
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, function) in functions.iter().enumerate() {
        by_name.entry(text(function, "name").unwrap_or_default()).or_default().push(index);
    }
    let mut wanted = HashSet::new();
    let mut open: Vec<&str> = Vec::new();
    let mut want = |name: &str, open: &mut Vec<&'n str>| {
        for index in by_name.get(name).into_iter().flatten() {
            if wanted.insert(*index) {
                open.extend(text(&functions[*index], "name"));
            }
        }
    };
    want(only, &mut open);
    if !open.is_empty() {
        for node in shared {
            strings(*node, &mut |name| want(name, &mut open));
        }
    }
    while let Some(name) = open.pop() {
        for index in by_name.get(name).into_iter().flatten() {
            strings(Some(&functions[*index]), &mut |name| want(name, &mut open));
        }
    }
    let (wanted, others): (Vec<usize>, Vec<usize>) =
        (0..functions.len()).partition(|index| wanted.contains(index));
    let others = others.into_iter().filter_map(|index| other(&functions[index])).collect();
    (wanted.into_iter().map(|index| &functions[index]).collect(), others)
}

fn other(function: &Node) -> Option<Other> {
    let name = text(function, "name")?;
    let optional = member(function, "x-optional");
    Some(Other {
        name: name.to_owned(),
        symbol: text(function, "x-symbol").unwrap_or(name).to_owned(),
        optional: matches!(optional.map(|node| &node.value), Some(Value::Bool(true))),
    })
}

/// Passes every string in `node` to `found`, except the keys.
fn strings(node: Option<&Node>, found: &mut dyn FnMut(&str)) {
    match node.map(|node| &node.value) {
        Some(Value::String(text)) => found(text),
        Some(Value::Array(elements)) => elements.iter().for_each(|element| strings(Some(element), found)),
        Some(Value::Object(members)) => {
            members.iter().for_each(|member| strings(Some(&member.value), found));
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_)) | None => {}
    }
}

fn member<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    match &node.value {
        Value::Object(members) => members.iter().find(|member| member.key == key).map(|member| &member.value),
        _ => None,
    }
}

fn text<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    match &member(node, key)?.value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn elements(node: &Node) -> &[Node] {
    match &node.value {
        Value::Array(elements) => elements,
        _ => &[],
    }
}
