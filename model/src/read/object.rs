//! An object of the document with the keys of a place in the table.
//!
//! `opendyn-source` reads fields and reports absent ones, wrong types and duplicate keys, as for every kind of
//! document. Added here is what the table of keys knows: unknown, misplaced and mistyped keys, and `x-todo`.

use opendyn_source::object::{FieldRule, Object as Fields};

use super::slip;
use crate::diagnostic::Findings;
use crate::document::{Literal, Switches};
use crate::json::{Node, Value};
use crate::keys::{Place, Shape};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

impl FieldRule for Rule {
    const MISSING_FIELD: Self = Self::MissingField;
    const WRONG_TYPE: Self = Self::WrongJsonType;
    const DUPLICATE_KEY: Self = Self::DuplicateKey;

    fn is_field(key: &str) -> bool {
        Place::ALL.iter().any(|place| place.has(key))
    }
}

/// An object whose keys are those of a place in the table.
pub(super) struct Object<'n> {
    fields: Fields<'n, 'n, Rule>,
    place: Place,
    findings: &'n Findings,
}

impl<'n> Object<'n> {
    pub(super) fn new(node: &'n Node, place: Place, findings: &'n Findings) -> Option<Self> {
        Some(Self { fields: Fields::new(node, place.noun(), findings)?, place, findings })
    }

    /// Uses `what` for the object in messages from now on.
    pub(super) fn call(&mut self, what: String) {
        self.fields.what = what;
    }

    /// The first character of the object.
    pub(super) fn start(&self) -> Span {
        self.fields.start()
    }

    /// What kind of object it is.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Whether such an object can have `key`.
    pub(super) fn has(&self, key: &str) -> bool {
        self.place.has(key)
    }

    /// The value of `key`, unless it is absent or null.
    pub(super) fn optional(&self, key: &'static str) -> Option<&'n Node> {
        self.known(key).optional(key)
    }

    pub(super) fn required(&self, key: &'static str) -> Option<&'n Node> {
        self.known(key).required(key)
    }

    pub(super) fn string(&self, node: &'n Node, key: &str) -> Option<Spanned<String>> {
        self.fields.string(node, key).map(owned)
    }

    pub(super) fn required_string(&self, key: &'static str) -> Option<Spanned<String>> {
        self.known(key).required_string(key).map(owned)
    }

    pub(super) fn optional_string(&self, key: &'static str) -> Option<Spanned<String>> {
        self.known(key).optional_string(key).map(owned)
    }

    pub(super) fn optional_bool(&self, key: &'static str) -> Option<Spanned<bool>> {
        self.known(key).optional_bool(key)
    }

    /// Whether the key is there and null, for a key to which that is more than absent.
    pub(super) fn is_null(&self, key: &'static str) -> bool {
        let members = self.known(key).members();
        members.iter().any(|member| member.key == key && matches!(member.value.value, Value::Null))
    }

    /// The keys of this place that are true or false, and are true.
    pub(super) fn switches(&self) -> Switches {
        let keys = self.place.keys().iter().filter(|key| matches!(key.shape, Shape::Boolean));
        let is_on = |name: &&'static str| self.optional_bool(name).is_some_and(|flag| flag.value);
        Switches(keys.map(|key| key.name).filter(is_on).collect())
    }

    /// A boolean that the specification requires, although existing documents lack it.
    pub(super) fn bool_or_default(&self, key: &'static str, default: bool) -> Spanned<bool> {
        let absent = self.optional(key).is_none();
        self.optional_bool(key).unwrap_or_else(|| {
            if absent {
                self.findings.report(
                    Rule::MissingBoolean,
                    self.start(),
                    format!("{} has no `{key}`; {default} is assumed", self.fields.what),
                    format!("add \"{key}\": {default}"),
                );
            }
            Spanned { value: default, span: self.start() }
        })
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

    /// An integer.
    pub(super) fn integer(&self, key: &'static str) -> Option<Spanned<i128>> {
        let node = self.optional(key)?;
        let integer = match &node.value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        };
        if integer.is_none() {
            self.wrong(node, key, "an integer");
        }
        Some(Spanned { value: integer?, span: node.span })
    }

    /// A number.
    pub(super) fn number(&self, key: &'static str) -> Option<Spanned<Literal>> {
        let node = self.optional(key)?;
        let number = literal(node).filter(|it| matches!(it.value, Literal::Integer(_) | Literal::Number(_)));
        if number.is_none() {
            self.wrong(node, key, "a number");
        }
        number
    }

    /// A string, a number or a boolean.
    pub(super) fn literal(&self, key: &'static str) -> Option<Spanned<Literal>> {
        self.literal_at(self.optional(key)?, key, "a string, a number or a boolean")
    }

    /// The string, number or boolean at `node`. Other values are reported; `expected` says what they should be.
    pub(super) fn literal_at(&self, node: &Node, key: &str, expected: &str) -> Option<Spanned<Literal>> {
        let literal = literal(node);
        if literal.is_none() {
            self.wrong(node, key, expected);
        }
        literal
    }

    /// An array of strings, numbers and booleans; `None` if it has other elements, which are reported.
    pub(super) fn literals(&self, key: &'static str) -> Option<Spanned<Vec<Spanned<Literal>>>> {
        self.list(key, |node| self.literal_at(node, key, "a string, a number or a boolean"))
    }

    /// An array of strings; `None` if it has other elements, which are reported.
    pub(super) fn strings(&self, key: &'static str) -> Option<Spanned<Vec<Spanned<String>>>> {
        self.list(key, |node| self.string(node, key))
    }

    /// One string, or several.
    pub(super) fn names(&self, key: &'static str) -> Option<Spanned<Vec<Spanned<String>>>> {
        let node = self.optional(key)?;
        if let Value::String(name) = &node.value {
            let only = Spanned { value: name.clone(), span: node.span };
            return Some(Spanned { value: vec![only], span: node.span });
        }
        if !matches!(node.value, Value::Array(_)) {
            self.wrong(node, key, "a name, or an array of names");
            return None;
        }
        self.strings(key)
    }

    /// An array, element by element; `None` if an element is `None`.
    pub(super) fn list<T>(
        &self,
        key: &'static str,
        element: impl Fn(&'n Node) -> Option<T>,
    ) -> Option<Spanned<Vec<T>>> {
        let node = self.optional(key)?;
        let Value::Array(nodes) = &node.value else {
            self.wrong(node, key, "an array");
            return None;
        };
        let elements: Vec<Option<T>> = nodes.iter().map(element).collect();
        Some(Spanned { value: elements.into_iter().collect::<Option<_>>()?, span: node.span })
    }

    pub(super) fn wrong(&self, node: &Node, key: &str, expected: &str) {
        self.fields.wrong(node, key, expected);
    }

    /// Reports keys that have no effect beside `$ref`.
    pub(super) fn beside_reference(&self, keys: &[&str]) {
        for member in self.fields.members().iter().filter(|member| keys.contains(&member.key.as_str())) {
            self.findings.report(
                Rule::MisusedKey,
                member.key_span,
                format!("`{}` has no effect beside `$ref`", member.key),
                "move it to the schema that `$ref` names, or describe the value here without `$ref`",
            );
        }
    }

    /// Reports open questions.
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
                    format!("{} has an open question: {text}", self.fields.what),
                    "write the answer into the document, and remove the question",
                ),
                _ => self.wrong(question, "x-todo", "a question, or an array of questions"),
            }
        }
    }

    /// Reports keys that do not belong here, and open questions.
    pub(super) fn finish(self) {
        if self.place.has("x-todo") {
            self.todo();
        }
        for member in self.fields.members() {
            let (key, span, what) = (member.key.as_str(), member.key_span, &self.fields.what);
            if self.place.has(key) {
                continue;
            }
            if !key.starts_with("x-") {
                self.findings.report(
                    Rule::UnknownKey,
                    span,
                    format!("OpenDyn 1.0 has no key {key:?} in {what}"),
                    format!("remove it, or begin its name with `x-`; the keys here are {}", self.keys()),
                );
            } else if let Some(homes) = homes(key) {
                self.findings.report(
                    Rule::MisplacedKey,
                    span,
                    format!("`{key}` has no effect in {what}"),
                    format!("move it to {homes}"),
                );
            } else if let Some(meant) = slip::meant(key, self.place) {
                let homes = (!self.place.has(meant)).then(|| homes(meant)).flatten();
                let homes = homes.map_or_else(String::new, |homes| format!(", which belongs to {homes}"));
                self.findings.report(
                    Rule::MistypedKey,
                    span,
                    format!("`{key}` of {what} is not a known key and is ignored"),
                    format!("did you mean `{meant}`{homes}?"),
                );
            }
        }
    }

    /// The fields, to ask for `key`, which must be in the table.
    fn known(&self, key: &str) -> &Fields<'n, 'n, Rule> {
        debug_assert!(self.place.has(key), "{key} is not in the table of {}", self.fields.what);
        &self.fields
    }

    /// The keys of the specification.
    fn keys(&self) -> String {
        let names = self.place.keys().iter().map(|key| key.name).filter(|key| !key.starts_with("x-"));
        names.collect::<Vec<_>>().join(", ")
    }
}

/// The objects that a key belongs to, if it is one of ours.
fn homes(key: &str) -> Option<String> {
    let homes: Vec<&str> =
        Place::ALL.iter().filter(|place| place.has(key)).map(|place| place.noun()).collect();
    (!homes.is_empty()).then(|| homes.join(", or "))
}

fn literal(node: &Node) -> Option<Spanned<Literal>> {
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

fn owned(text: Spanned<&str>) -> Spanned<String> {
    Spanned { value: text.value.to_owned(), span: text.span }
}
