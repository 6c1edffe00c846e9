//! An object of the tree while it is checked: its fields by name, and reports of what is wrong.

use std::collections::HashSet;

use super::finding::{Findings, Rule};
use opendyn_source::json::{Member, Node, Value};
use opendyn_source::span::Span;

/// Reports a node that is not `expected`.
pub(super) fn wrong_type(node: &Node, what: &str, expected: &str, findings: &Findings) {
    findings.report(
        Rule::WrongType,
        node.span,
        format!("{what} is {}, not {expected}", node.value.noun()),
        format!("write {expected} here"),
    );
}

pub(super) fn array<'n>(node: &'n Node, what: &str, findings: &Findings) -> &'n [Node] {
    match &node.value {
        Value::Array(elements) => elements,
        _ => {
            wrong_type(node, what, "an array", findings);
            &[]
        }
    }
}

/// The members of an object whose keys are the document's own.
pub(super) fn members<'n>(node: &'n Node, what: &str, findings: &Findings) -> &'n [Member] {
    let Value::Object(members) = &node.value else {
        wrong_type(node, what, "an object", findings);
        return &[];
    };
    let mut seen = HashSet::new();
    for member in members {
        if !seen.insert(member.key.as_str()) {
            findings.report(
                Rule::DuplicateKey,
                member.key_span,
                format!("the key {:?} stands twice in this object", member.key),
                "remove one of the two, because JSON readers differ in which one they keep",
            );
        }
    }
    members
}

/// An object with the fields of the specification.
pub(super) struct Object<'n, 'f> {
    members: &'n [Member],
    span: Span,
    pub(super) what: String,
    findings: &'f Findings,
}

impl<'n, 'f> Object<'n, 'f> {
    pub(super) fn new(node: &'n Node, what: &str, findings: &'f Findings) -> Option<Self> {
        let members = members(node, what, findings);
        let is_object = matches!(node.value, Value::Object(_));
        is_object.then(|| Self { members, span: node.span, what: what.to_owned(), findings })
    }

    /// A field that may be absent, or null.
    pub(super) fn optional(&self, key: &str) -> Option<&'n Node> {
        let node = &self.members.iter().find(|member| member.key == key)?.value;
        (!matches!(node.value, Value::Null)).then_some(node)
    }

    pub(super) fn required(&self, key: &str) -> Option<&'n Node> {
        let node = self.optional(key);
        if node.is_none() {
            let null = self.members.iter().find(|member| member.key == key);
            let (at, message, help) = match null {
                Some(member) => (
                    member.value.span,
                    format!("`{key}` of {} is null", self.what),
                    "give it a value".to_owned(),
                ),
                None => (
                    self.span,
                    format!("{} has no `{key}`", self.what),
                    format!("add {key:?} to this object"),
                ),
            };
            self.findings.report(Rule::MissingField, at, message, help);
        }
        node
    }

    fn as_string(&self, node: &'n Node, key: &str) -> Option<(&'n str, Span)> {
        match &node.value {
            Value::String(text) => Some((text, node.span)),
            _ => {
                wrong_type(node, &format!("`{key}` of {}", self.what), "a string", self.findings);
                None
            }
        }
    }

    /// The string and where it stands.
    pub(super) fn required_string(&self, key: &str) -> Option<(&'n str, Span)> {
        self.required(key).and_then(|node| self.as_string(node, key))
    }

    pub(super) fn optional_string(&self, key: &str) -> Option<(&'n str, Span)> {
        self.optional(key).and_then(|node| self.as_string(node, key))
    }

    /// Whether the flag is there, right or wrong.
    pub(super) fn flag(&self, key: &str) -> bool {
        let node = self.optional(key);
        if let Some(node) = node.filter(|node| !matches!(node.value, Value::Bool(_))) {
            wrong_type(node, &format!("`{key}` of {}", self.what), "true or false", self.findings);
        }
        node.is_some()
    }

    /// Where the object stands.
    pub(super) fn span(&self) -> Span {
        self.span
    }
}
