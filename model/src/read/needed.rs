//! Which functions of a document one function needs, told before any of them is read.
//!
//! A document of a thousand functions is read in full to serve it, but one call needs one function, and those that it
//! names: what frees its results, what tells a length, what tells why it failed.

use std::collections::{HashMap, HashSet};

use crate::document::{Frees, Init, Other};
use crate::json::{Node, Value};

/// The functions that `x-free` names, of values and of schemas. They free what they are passed.
pub(super) fn frees(functions: &[Node], schemas: Option<&Node>) -> HashMap<String, Frees> {
    let mut frees = HashMap::new();
    for function in functions {
        let params = member(function, "parameters").map_or(&[][..], elements);
        for value in params.iter().chain(member(function, "return")) {
            frees.extend(named(value));
            frees.extend(member(value, "schema").into_iter().flat_map(freed_by));
        }
    }
    if let Some(Value::Object(schemas)) = schemas.map(|node| &node.value) {
        frees.extend(schemas.iter().flat_map(|schema| freed_by(&schema.value)));
    }
    frees.into_iter().map(|(name, frees)| (name.to_owned(), frees)).collect()
}

fn freed_by(schema: &Node) -> impl Iterator<Item = (&str, Frees)> {
    let of = |schema| named(schema).into_iter().chain(member(schema, "cType").and_then(named));
    // The elements of an array of handles.
    of(schema).chain(member(schema, "items").into_iter().flat_map(of))
}

/// The function that `x-free` of an object names, and how it takes the pointer.
fn named(object: &Node) -> Option<(&str, Frees)> {
    let free = member(object, "x-free")?;
    if let Value::String(name) = &free.value {
        return Some((name, Frees { position: 0, count: 1 }));
    }
    let name = text(free, "call")?;
    let Some(args) = member(free, "args").map(elements) else {
        return Some((name, Frees { position: 0, count: 1 }));
    };
    let is_value = |arg: &Node| matches!(&arg.value, Value::String(name) if name == "value");
    Some((name, Frees { position: args.iter().position(is_value)?, count: args.len() }))
}

/// The functions that calls of `only` need, and the others; all of them if it is `None`.
///
/// A function needs each one whose name is anywhere in it, or anywhere in what all functions share: schemas and errors.
/// That may be one too many, which only takes time. Every function needs those that begin and end the library.
pub(super) fn needed<'n>(
    functions: &'n [Node],
    shared: &[Option<&Node>],
    init: Option<&Init>,
    only: Option<&str>,
) -> (Vec<&'n Node>, Vec<Other>) {
    let whole = || (functions.iter().collect(), Vec::new());
    let Some(only) = only else { return whole() };
    // What a handle is freed with, and what it depends on when C takes it, the functions say that give it.
    let is_only = |function: &&Node| text(function, "name") == Some(only);
    if functions.iter().filter(is_only).any(has_takes)
        || shared.iter().flatten().any(|node| has_takes(node))
        || frees(functions, None).get(only).is_some_and(|frees| frees.count > 1)
    {
        return whole();
    }
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
        // The calls of their callbacks may be in the reply of any function with such a handle.
        for function in functions.iter().filter(|function| collects_events(function)) {
            want(text(function, "name").unwrap_or_default(), &mut open);
        }
        for name in init.into_iter().flat_map(|init| init.end.iter().chain([&init.call])) {
            want(&name.value, &mut open);
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

/// Whether `x-takes` is anywhere in it: on a parameter, in its schema or in `items`.
fn has_takes(node: &Node) -> bool {
    match &node.value {
        Value::Array(elements) => elements.iter().any(has_takes),
        Value::Object(members) => {
            members.iter().any(|child| child.key == "x-takes" || has_takes(&child.value))
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether it has a callback whose calls are in the replies of other functions.
fn collects_events(node: &Node) -> bool {
    match &node.value {
        Value::Array(elements) => elements.iter().any(collects_events),
        Value::Object(members) => members.iter().any(|child| {
            let into = (child.key == "collect").then(|| member(&child.value, "into")).flatten();
            into.is_some() || collects_events(&child.value)
        }),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn other(function: &Node) -> Option<Other> {
    let name = text(function, "name")?;
    let optional = member(function, "x-optional");
    // A function with `x-member` has no symbol.
    let reads = text(function, "x-member").is_some();
    let symbol = if reads { "" } else { text(function, "x-symbol").unwrap_or(name) };
    Some(Other {
        name: name.to_owned(),
        symbol: symbol.to_owned(),
        optional: reads || matches!(optional.map(|node| &node.value), Some(Value::Bool(true))),
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
