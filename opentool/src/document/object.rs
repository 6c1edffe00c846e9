//! An object of the tree while it is checked: its fields by name, and reports of what is wrong.

use std::cell::RefCell;
use std::collections::HashSet;

use super::finding::{Finding, Rule};
use crate::source::json::{Member, Node, Value};
use crate::source::short::{self, shortened};
use crate::source::span::{Lines, Span};

/// Collects findings. Shared by reference, so that every part can report what it finds.
#[derive(Default)]
pub(super) struct Findings(RefCell<Vec<(usize, Rule, String, String)>>);

impl Findings {
    pub(super) fn report(&self, rule: Rule, at: usize, message: impl Into<String>, help: impl Into<String>) {
        let (message, help) = (shortened(message, short::MESSAGE), shortened(help, short::MESSAGE));
        self.0.borrow_mut().push((at, rule, message, help));
    }

    /// What was found, in the order of the document.
    pub(super) fn finish(self, text: &str) -> Vec<Finding> {
        let mut found = self.0.into_inner();
        found.sort();
        let lines = Lines::new(text);
        let finding = |(at, rule, message, help)| {
            let (line, column) = lines.locate(at);
            Finding { rule, line, column, message, help }
        };
        found.into_iter().map(finding).collect()
    }

    /// Reports a node that is not `expected`.
    pub(super) fn wrong_type(&self, node: &Node, what: &str, expected: &str) {
        self.report(
            Rule::WrongType,
            node.span.start,
            format!("{what} is {}, not {expected}", node.value.noun()),
            format!("write {expected} here"),
        );
    }

    pub(super) fn array<'n>(&self, node: &'n Node, what: &str) -> &'n [Node] {
        match &node.value {
            Value::Array(elements) => elements,
            _ => {
                self.wrong_type(node, what, "an array");
                &[]
            }
        }
    }

    /// The members of an object whose keys are the document's own.
    pub(super) fn members<'n>(&self, node: &'n Node, what: &str) -> &'n [Member] {
        let Value::Object(members) = &node.value else {
            self.wrong_type(node, what, "an object");
            return &[];
        };
        let mut seen = HashSet::new();
        for member in members {
            if !seen.insert(member.key.as_str()) {
                self.report(
                    Rule::DuplicateKey,
                    member.key_span.start,
                    format!("the key {:?} stands twice in this object", member.key),
                    "remove one of the two, because JSON readers differ in which one they keep",
                );
            }
        }
        members
    }
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
        let members = findings.members(node, what);
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
                    member.value.span.start,
                    format!("`{key}` of {} is null", self.what),
                    "give it a value".to_owned(),
                ),
                None => (
                    self.span.start,
                    format!("{} has no `{key}`", self.what),
                    format!("add {key:?} to this object"),
                ),
            };
            self.findings.report(Rule::MissingField, at, message, help);
        }
        node
    }

    fn as_string(&self, node: &'n Node, key: &str) -> Option<(&'n str, usize)> {
        match &node.value {
            Value::String(text) => Some((text, node.span.start)),
            _ => {
                self.findings.wrong_type(node, &format!("`{key}` of {}", self.what), "a string");
                None
            }
        }
    }

    /// The string and where it stands.
    pub(super) fn required_string(&self, key: &str) -> Option<(&'n str, usize)> {
        self.required(key).and_then(|node| self.as_string(node, key))
    }

    pub(super) fn optional_string(&self, key: &str) -> Option<(&'n str, usize)> {
        self.optional(key).and_then(|node| self.as_string(node, key))
    }

    /// Whether the flag is there, right or wrong.
    pub(super) fn flag(&self, key: &str) -> bool {
        let node = self.optional(key);
        if let Some(node) = node.filter(|node| !matches!(node.value, Value::Bool(_))) {
            self.findings.wrong_type(node, &format!("`{key}` of {}", self.what), "true or false");
        }
        node.is_some()
    }

    /// Where the object begins.
    pub(super) fn start(&self) -> usize {
        self.span.start
    }
}
