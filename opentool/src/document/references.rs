//! What a `$ref` refers to, and which references are cyclic.

use std::collections::HashMap;

use super::schema::REFERENCE;
use opendyn_source::json::{Node, Value};

/// The name that a `$ref` refers to; `None` if it is not of the form `#/schemas/NAME`.
pub(crate) fn referred(reference: &str) -> Option<String> {
    let name = reference.strip_prefix(REFERENCE)?;
    let plain = !name.is_empty() && !name.contains('/');
    plain.then(|| name.replace("~1", "/").replace("~0", "~"))
}

/// The references that close a cycle: the name of the schema that contains it, and the node of the `$ref`.
pub(super) fn circles<'n>(schemas: &HashMap<&'n str, &'n Node>) -> Vec<(&'n str, &'n Node)> {
    let mut walk = Walk { schemas, states: HashMap::new(), found: Vec::new() };
    let mut names: Vec<&&str> = schemas.keys().collect();
    // In the order of the document, so that its findings are always the same.
    names.sort_by_key(|name| schemas[**name].span.start);
    for name in names {
        walk.enter(name);
    }
    walk.found
}

struct Walk<'w, 'n> {
    schemas: &'w HashMap<&'n str, &'n Node>,
    states: HashMap<&'n str, State>,
    found: Vec<(&'n str, &'n Node)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Done,
}

impl<'n> Walk<'_, 'n> {
    /// Follows every reference of one schema. A chain can be as long as the document has schemas, so the pending work
    /// is kept in a list and not on the stack.
    fn enter(&mut self, name: &'n str) {
        let mut open: Vec<(&'n str, Vec<&'n Node>)> = Vec::new();
        self.open(name, &mut open);
        while let Some((from, pending)) = open.last_mut() {
            let from = *from;
            let Some(reference) = pending.pop() else {
                self.states.insert(from, State::Done);
                open.pop();
                continue;
            };
            let Some(target) = target(reference) else { continue };
            let Some((target, _)) = self.schemas.get_key_value(target.as_str()) else { continue };
            match self.states.get(target) {
                Some(State::Open) => self.found.push((from, reference)),
                Some(State::Done) => {}
                None => self.open(target, &mut open),
            }
        }
    }

    fn open(&mut self, name: &'n str, open: &mut Vec<(&'n str, Vec<&'n Node>)>) {
        if self.states.contains_key(name) {
            return;
        }
        self.states.insert(name, State::Open);
        let mut references = Vec::new();
        if let Some(node) = self.schemas.get(name) {
            collect(node, &mut references);
        }
        open.push((name, references));
    }
}

fn target(node: &Node) -> Option<String> {
    match &node.value {
        Value::String(reference) => referred(reference),
        _ => None,
    }
}

/// Every `$ref` in a schema. Keys beside a `$ref` are ignored.
fn collect<'n>(node: &'n Node, found: &mut Vec<&'n Node>) {
    let Value::Object(members) = &node.value else { return };
    let member = |key: &str| members.iter().find(|member| member.key == key).map(|member| &member.value);
    if let Some(reference) = member("$ref") {
        found.push(reference);
        return;
    }
    if let Some(items) = member("items") {
        collect(items, found);
    }
    if let Some(Node { value: Value::Array(shapes), .. }) = member("anyOf") {
        shapes.iter().for_each(|shape| collect(shape, found));
    }
    if let Some(Node { value: Value::Object(properties), .. }) = member("properties") {
        for property in properties {
            collect(&property.value, found);
        }
    }
}
