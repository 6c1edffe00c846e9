//! An object of the document, whose keys are asked for one by one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::slip;
use crate::diagnostic::Findings;
use crate::document::{Literal, Switches};
use crate::json::{Member, Node, Value};
use crate::keys::{Place, Shape};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// An object whose keys are those of a place in the table.
pub(super) struct Object<'n> {
    pub(super) what: String,
    place: Place,
    members: &'n [Member],
    span: Span,
    findings: &'n Findings,
}

impl<'n> Object<'n> {
    pub(super) fn new(node: &'n Node, place: Place, findings: &'n Findings) -> Option<Self> {
        match &node.value {
            Value::Object(members) => {
                Some(Self { what: place.noun().to_owned(), place, members, span: node.span, findings })
            }
            other => {
                wrong_type(findings, node, place.noun(), "an object", other);
                None
            }
        }
    }

    /// Whether such an object can have `key`.
    pub(super) fn has(&self, key: &str) -> bool {
        self.place.has(key)
    }

    /// The value of `key`, unless it is absent or null.
    pub(super) fn optional(&self, key: &'static str) -> Option<&'n Node> {
        debug_assert!(self.place.has(key), "{key} is not in the table of {}", self.what);
        let node = &self.members.iter().find(|member| member.key == key)?.value;
        (!matches!(node.value, Value::Null)).then_some(node)
    }

    pub(super) fn required(&self, key: &'static str) -> Option<&'n Node> {
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

    pub(super) fn required_string(&self, key: &'static str) -> Option<Spanned<String>> {
        let node = self.required(key)?;
        self.string(node, key)
    }

    pub(super) fn optional_string(&self, key: &'static str) -> Option<String> {
        let node = self.optional(key)?;
        self.string(node, key).map(|text| text.value)
    }

    pub(super) fn optional_bool(&self, key: &'static str) -> Option<Spanned<bool>> {
        let node = self.optional(key)?;
        match node.value {
            Value::Bool(value) => Some(Spanned { value, span: node.span }),
            ref other => {
                wrong_type(self.findings, node, &format!("`{key}` of {}", self.what), "true or false", other);
                None
            }
        }
    }

    /// The keys of this place that are true or false, and are true.
    pub(super) fn switches(&self) -> Switches {
        let keys = self.place.keys().iter().filter(|key| matches!(key.shape, Shape::Boolean));
        let is_on = |name: &&'static str| self.optional_bool(name).is_some_and(|flag| flag.value);
        Switches(keys.map(|key| key.name).filter(is_on).collect())
    }

    /// A boolean that the specification requires and documents in the wild leave out.
    pub(super) fn bool_or_default(&self, key: &'static str, default: bool) -> Spanned<bool> {
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

    pub(super) fn optional_spanned(&self, key: &'static str) -> Option<Spanned<String>> {
        let node = self.optional(key)?;
        self.string(node, key)
    }

    /// An integer of 0 or more.
    pub(super) fn count(&self, key: &'static str) -> Option<Spanned<u64>> {
        let node = self.optional(key)?;
        let count = match &node.value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        };
        if count.is_none() {
            self.wrong(node, key, "an integer of 0 or more");
        }
        Some(Spanned { value: count?, span: node.span })
    }

    /// A string, a number or a boolean.
    pub(super) fn literal(&self, key: &'static str) -> Option<Spanned<Literal>> {
        let node = self.optional(key)?;
        let literal = literal(node);
        if literal.is_none() {
            self.wrong(node, key, "a string, a number or a boolean");
        }
        literal
    }

    /// An array of strings, numbers and booleans; `None` where something else is in it, which is
    /// reported.
    pub(super) fn literals(&self, key: &'static str) -> Option<Spanned<Vec<Spanned<Literal>>>> {
        let elements = self.elements(key)?;
        let mut literals = Some(Vec::new());
        for node in elements.value {
            match (literal(node), &mut literals) {
                (Some(literal), Some(literals)) => literals.push(literal),
                (Some(_), None) => {}
                (None, _) => {
                    self.wrong(node, key, "a string, a number or a boolean");
                    literals = None;
                }
            }
        }
        Some(Spanned { value: literals?, span: elements.span })
    }

    /// The elements of an array; what is not one is reported.
    pub(super) fn elements(&self, key: &'static str) -> Option<Spanned<&'n [Node]>> {
        let node = self.optional(key)?;
        match &node.value {
            Value::Array(elements) => Some(Spanned { value: elements, span: node.span }),
            _ => {
                self.wrong(node, key, "an array");
                None
            }
        }
    }

    /// An array of strings; `None` where something else is in it, which is reported.
    pub(super) fn strings(&self, key: &'static str) -> Option<Spanned<Vec<Spanned<String>>>> {
        let elements = self.elements(key)?;
        let strings: Vec<Option<_>> = elements.value.iter().map(|node| self.string(node, key)).collect();
        Some(Spanned { value: strings.into_iter().collect::<Option<_>>()?, span: elements.span })
    }

    pub(super) fn wrong(&self, node: &Node, key: &str, expected: &str) {
        wrong_type(self.findings, node, &format!("`{key}` of {}", self.what), expected, &node.value);
    }

    /// Reports keys that have no effect beside `$ref`.
    pub(super) fn beside_reference(&self, keys: &[&str]) {
        for member in self.members.iter().filter(|member| keys.contains(&member.key.as_str())) {
            self.findings.report(
                Rule::MisusedKey,
                member.key_span,
                format!("`{}` means nothing beside `$ref`", member.key),
                "write it in the schema that `$ref` names, or describe the value here, without `$ref`",
            );
        }
    }

    /// Reports the questions that are still open.
    fn todo(&self) {
        let Some(node) = self.optional("x-todo") else { return };
        let questions = match &node.value {
            Value::Array(questions) => questions,
            _ => std::slice::from_ref(node),
        };
        for question in questions {
            match &question.value {
                Value::String(text) => self.findings.report(
                    Rule::Todo,
                    question.span,
                    format!("{} has an open question: {text}", self.what),
                    "write the answer into the document, and remove the question",
                ),
                _ => self.wrong(question, "x-todo", "a question, or an array of questions"),
            }
        }
    }

    /// Reports keys that do not belong here, and open questions.
    pub(super) fn finish(self) {
        report_duplicates(self.members, self.findings);
        if self.place.has("x-todo") {
            self.todo();
        }
        for member in self.members {
            let key = member.key.as_str();
            if self.place.has(key) {
                continue;
            }
            if !key.starts_with("x-") {
                self.findings.report(
                    Rule::UnknownKey,
                    member.key_span,
                    format!("OpenDyn 1.0 has no key {key:?} in {}", self.what),
                    format!("remove it, or begin its name with `x-`; the keys here are {}", self.known()),
                );
            } else if let Some(homes) = homes(key) {
                self.findings.report(
                    Rule::MisplacedKey,
                    member.key_span,
                    format!("`{key}` means nothing in {}", self.what),
                    format!("move it to {homes}"),
                );
            } else if let Some(meant) = slip::meant(key, self.place) {
                let homes = (!self.place.has(meant)).then(|| homes(meant)).flatten();
                let homes = homes.map_or_else(String::new, |homes| format!(", which belongs to {homes}"));
                self.findings.report(
                    Rule::MistypedKey,
                    member.key_span,
                    format!("`{key}` of {} is not a known key, and is ignored", self.what),
                    format!("did you mean `{meant}`{homes}?"),
                );
            }
        }
    }

    fn known(&self) -> String {
        let named = self.place.keys().iter().map(|key| key.name).filter(|key| !key.starts_with("x-"));
        named.collect::<Vec<_>>().join(", ")
    }
}

/// Where a key belongs, if it is one of ours.
fn homes(key: &str) -> Option<String> {
    let homes: Vec<&str> =
        Place::ALL.iter().filter(|place| place.has(key)).map(|place| place.noun()).collect();
    (!homes.is_empty()).then(|| homes.join(", or "))
}

pub(super) fn literal(node: &Node) -> Option<Spanned<Literal>> {
    let value = match &node.value {
        Value::Bool(value) => Literal::Bool(*value),
        Value::String(text) => Literal::String(text.clone()),
        Value::Number(text) => match text.parse() {
            Ok(integer) => Literal::Integer(integer),
            Err(_) => Literal::Number(text.parse().ok()?),
        },
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    Some(Spanned { value, span: node.span })
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
