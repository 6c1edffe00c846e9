//! An object of the document, whose keys are asked for one by one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::diagnostic::Findings;
use crate::json::{Member, Node, Value};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// An object whose keys the specification names; remembers which were asked for.
pub(super) struct Object<'n> {
    pub(super) what: String,
    members: &'n [Member],
    span: Span,
    known: Vec<&'static str>,
    findings: &'n Findings,
}

impl<'n> Object<'n> {
    pub(super) fn new(node: &'n Node, what: &str, findings: &'n Findings) -> Option<Self> {
        match &node.value {
            Value::Object(members) => {
                Some(Self { what: what.to_owned(), members, span: node.span, known: Vec::new(), findings })
            }
            other => {
                wrong_type(findings, node, what, "an object", other);
                None
            }
        }
    }

    /// The value of `key`, unless it is absent or null.
    pub(super) fn optional(&mut self, key: &'static str) -> Option<&'n Node> {
        self.known.push(key);
        let node = &self.members.iter().find(|member| member.key == key)?.value;
        (!matches!(node.value, Value::Null)).then_some(node)
    }

    pub(super) fn required(&mut self, key: &'static str) -> Option<&'n Node> {
        let node = self.optional(key);
        if node.is_none() {
            let null = self.members.iter().find(|member| member.key == key).map(|member| member.value.span);
            let (span, message, help) = match null {
                Some(span) => {
                    (span, format!("`{key}` of {} is null", self.what), "give it a value".to_owned())
                }
                None => {
                    let start = Span { start: self.span.start, end: self.span.start + 1 };
                    (start, format!("{} has no `{key}`", self.what), format!("add {key:?} to this object"))
                }
            };
            self.findings.report(Rule::MissingField, span, message, help);
        }
        node
    }

    pub(super) fn string(&self, node: &'n Node, key: &str) -> Option<Spanned<String>> {
        match &node.value {
            Value::String(text) => Some(Spanned { value: text.clone(), span: node.span }),
            other => {
                wrong_type(self.findings, node, &format!("`{key}` of {}", self.what), "a string", other);
                None
            }
        }
    }

    pub(super) fn required_string(&mut self, key: &'static str) -> Option<Spanned<String>> {
        let node = self.required(key)?;
        self.string(node, key)
    }

    pub(super) fn optional_string(&mut self, key: &'static str) -> Option<String> {
        let node = self.optional(key)?;
        self.string(node, key).map(|text| text.value)
    }

    pub(super) fn optional_bool(&mut self, key: &'static str) -> Option<Spanned<bool>> {
        let node = self.optional(key)?;
        match node.value {
            Value::Bool(value) => Some(Spanned { value, span: node.span }),
            ref other => {
                wrong_type(self.findings, node, &format!("`{key}` of {}", self.what), "true or false", other);
                None
            }
        }
    }

    /// A boolean that the specification requires and documents in the wild leave out.
    pub(super) fn bool_or_default(&mut self, key: &'static str, default: bool) -> Spanned<bool> {
        let absent = self.optional(key).is_none();
        let given = self.optional_bool(key);
        given.unwrap_or_else(|| {
            let span = Span { start: self.span.start, end: self.span.start + 1 };
            if absent {
                self.findings.report(
                    Rule::MissingBoolean,
                    span,
                    format!("{} has no `{key}`; {default} is assumed", self.what),
                    format!("add \"{key}\": {default}"),
                );
            }
            Spanned { value: default, span }
        })
    }

    /// Reports what nobody asked for.
    pub(super) fn finish(self) {
        report_duplicates(self.members, self.findings);
        for member in self.members {
            if !self.known.contains(&&*member.key) && !member.key.starts_with("x-") {
                self.findings.report(
                    Rule::UnknownKey,
                    member.key_span,
                    format!("OpenDyn 1.0 has no key {:?} in {}", member.key, self.what),
                    format!(
                        "remove it, or begin its name with `x-`; the keys here are {}",
                        known(&self.known)
                    ),
                );
            }
        }
    }
}

fn known(keys: &[&str]) -> String {
    let named: Vec<&str> = keys.iter().copied().filter(|key| !key.starts_with("x-")).collect();
    named.join(", ")
}

pub(super) fn wrong_type(findings: &Findings, node: &Node, what: &str, expected: &str, found: &Value) {
    findings.report(
        Rule::WrongJsonType,
        node.span,
        format!("{what} is {}, not {expected}", found.noun()),
        format!("write {expected} here"),
    );
}

pub(super) fn report_duplicates(members: &[Member], findings: &Findings) {
    let mut seen = HashMap::new();
    for member in members {
        match seen.entry(member.key.as_str()) {
            Entry::Vacant(entry) => {
                entry.insert(member.key_span);
            }
            Entry::Occupied(first) => findings.report_second(
                Rule::DuplicateKey,
                [*first.get(), member.key_span],
                format!("the key {:?} stands twice in this object", member.key),
                "remove one of the two, because JSON readers differ in which one they keep",
            ),
        }
    }
}
