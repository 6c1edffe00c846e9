//! An object of a document, read field by field: absent fields, wrong types and duplicate keys are reported.
//!
//! A kind of document says which of its rules these are with [`FieldRule`]. What the fields mean is the reader's
//! business.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::json::{Member, Node, Value};
use crate::nearest::nearest;
use crate::span::{Span, Spanned};
use crate::{Findings, Form, Rule};

/// The rules that every document made of objects has.
pub trait FieldRule: Rule {
    /// A required field is present.
    const MISSING_FIELD: Self;
    /// A field has the JSON type that the specification requires.
    const WRONG_TYPE: Self;
    /// A key occurs once in an object.
    const DUPLICATE_KEY: Self;

    /// Whether `key` is a field in some object of such documents. A field is not a misspelling of another one.
    fn is_field(key: &str) -> bool {
        let _ = key;
        false
    }
}

/// An object with the fields of a specification.
pub struct Object<'n, 'f, R> {
    /// What messages call the object, with its article: `the document`.
    pub what: String,
    members: &'n [Member],
    span: Span,
    findings: &'f Findings<R>,
}

impl<'n, 'f, R: FieldRule> Object<'n, 'f, R> {
    /// The object at `node`. Other values are reported, and so are duplicate keys.
    pub fn new(node: &'n Node, what: impl Into<String>, findings: &'f Findings<R>) -> Option<Self> {
        let what = what.into();
        let Value::Object(members) = &node.value else {
            wrong_type(node, &what, "an object", findings);
            return None;
        };
        report_duplicates(members, findings);
        Some(Self { what, members, span: node.span, findings })
    }

    /// All members, in the order of the document.
    #[must_use]
    pub fn members(&self) -> &'n [Member] {
        self.members
    }

    /// Where the object is.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// The first character of the object, to mark where something is missing.
    #[must_use]
    pub fn start(&self) -> Span {
        Span { start: self.span.start, end: self.span.start + 1 }
    }

    /// The value of `key`, which may be null.
    #[must_use]
    pub fn member(&self, key: &str) -> Option<&'n Node> {
        self.members.iter().find(|member| member.key == key).map(|member| &member.value)
    }

    /// The value of `key`, unless it is absent or null.
    #[must_use]
    pub fn optional(&self, key: &str) -> Option<&'n Node> {
        self.member(key).filter(|node| !matches!(node.value, Value::Null))
    }

    /// The value of `key`, which may be null. An absent key is reported.
    pub fn present(&self, key: &str) -> Option<&'n Node> {
        let node = self.member(key);
        if node.is_none() {
            let keys = self.members.iter().map(|member| member.key.as_str()).filter(|key| !R::is_field(key));
            let message = format!("{} has no `{key}`", self.what);
            let (note, help) = match nearest(key, keys) {
                Some(near) => {
                    (format!("; is `{near}` a misspelling of it?"), format!("rename `{near}` to `{key}`"))
                }
                None => (String::new(), format!("add {key:?} to this object")),
            };
            match R::FORM {
                Form::Line => {
                    self.findings.report_line(R::MISSING_FIELD, self.start(), format!("{message}{note}"));
                }
                Form::Brief | Form::Full => {
                    self.findings.report(R::MISSING_FIELD, self.start(), message, help);
                }
            }
        }
        node
    }

    /// The value of `key`. An absent key is reported, and so is null.
    pub fn required(&self, key: &str) -> Option<&'n Node> {
        let node = self.present(key)?;
        if matches!(node.value, Value::Null) {
            let message = format!("`{key}` of {} is null", self.what);
            report(self.findings, R::MISSING_FIELD, node.span, message, "give it a value");
            return None;
        }
        Some(node)
    }

    /// The string at `node`, which is the value of `key`. Other values are reported.
    pub fn string(&self, node: &'n Node, key: &str) -> Option<Spanned<&'n str>> {
        let Value::String(text) = &node.value else {
            self.wrong(node, key, "a string");
            return None;
        };
        Some(Spanned { value: text, span: node.span })
    }

    /// The string that `key` must have.
    pub fn required_string(&self, key: &str) -> Option<Spanned<&'n str>> {
        self.string(self.required(key)?, key)
    }

    /// The string that `key` may have.
    pub fn optional_string(&self, key: &str) -> Option<Spanned<&'n str>> {
        self.string(self.optional(key)?, key)
    }

    /// The boolean that `key` may have.
    pub fn optional_bool(&self, key: &str) -> Option<Spanned<bool>> {
        let node = self.optional(key)?;
        let Value::Bool(value) = node.value else {
            self.wrong(node, key, "true or false");
            return None;
        };
        Some(Spanned { value, span: node.span })
    }

    /// The object that `key` must have, called `what` in messages.
    pub fn required_object(&self, key: &str, what: impl Into<String>) -> Option<Self> {
        Self::new(self.required(key)?, what, self.findings)
    }

    /// The object that `key` may have, called `what` in messages.
    pub fn optional_object(&self, key: &str, what: impl Into<String>) -> Option<Self> {
        Self::new(self.optional(key)?, what, self.findings)
    }

    /// Reports that the value of `key`, at `node`, is not what is expected.
    pub fn wrong(&self, node: &Node, key: &str, expected: &str) {
        wrong_type(node, &format!("`{key}` of {}", self.what), expected, self.findings);
    }
}

/// The elements of an array. Other values are reported, and have none.
pub fn elements<'n, R: FieldRule>(node: &'n Node, what: &str, findings: &Findings<R>) -> &'n [Node] {
    match &node.value {
        Value::Array(elements) => elements,
        _ => {
            wrong_type(node, what, "an array", findings);
            &[]
        }
    }
}

/// The members of an object whose keys the document chooses. Other values are reported, and have none; so are
/// duplicate keys.
pub fn members<'n, R: FieldRule>(node: &'n Node, what: &str, findings: &Findings<R>) -> &'n [Member] {
    Object::new(node, what, findings).map_or(&[], |object| object.members)
}

/// Reports a value that is not what is expected.
pub fn wrong_type<R: FieldRule>(node: &Node, what: &str, expected: &str, findings: &Findings<R>) {
    let message = format!("{what} is {}, not {expected}", node.value.noun());
    report(findings, R::WRONG_TYPE, node.span, message, format!("write {expected} here"));
}

/// Reports every key that occurs a second time.
pub fn report_duplicates<R: FieldRule>(members: &[Member], findings: &Findings<R>) {
    // An object has few keys, of which a scan is faster than a map; of one with many, as `schemas` can be, it is not.
    let mut seen: HashMap<&str, Span> = HashMap::new();
    let is_small = members.len() <= 16;
    for (index, member) in members.iter().enumerate() {
        let first = if is_small {
            members[..index].iter().find(|other| other.key == member.key).map(|other| other.key_span)
        } else {
            match seen.entry(member.key.as_str()) {
                Entry::Occupied(first) => Some(*first.get()),
                Entry::Vacant(entry) => {
                    entry.insert(member.key_span);
                    None
                }
            }
        };
        let Some(first) = first else { continue };
        let message = format!("the key {:?} occurs twice in this object", member.key);
        match R::FORM {
            Form::Line => findings.report_line(R::DUPLICATE_KEY, member.key_span, message),
            Form::Brief | Form::Full => findings.report_second(
                R::DUPLICATE_KEY,
                [first, member.key_span],
                message,
                "remove one of them; JSON readers differ in which one they keep",
            ),
        }
    }
}

/// Reports with help, if findings of this kind of document show any.
fn report<R: Rule>(findings: &Findings<R>, rule: R, span: Span, message: String, help: impl Into<String>) {
    match R::FORM {
        Form::Line => findings.report_line(rule, span, message),
        Form::Brief | Form::Full => findings.report(rule, span, message, help),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    use rules::{Brief, Line};

    #[expect(dead_code, reason = "the tests need no table of the rules")]
    mod rules {
        crate::rules! {
            /// A rule.
            pub enum Brief shown Brief {
                Missing "missing" Error "A field is present."
                Type "type" Error "A field has its type."
                Twice "twice" Error "A key occurs once."
            }
        }
        crate::rules! {
            /// A rule.
            pub enum Line shown Line {
                Missing "missing" Error "A field is present."
                Type "type" Error "A field has its type."
                Twice "twice" Error "A key occurs once."
            }
        }
    }

    impl FieldRule for Brief {
        const MISSING_FIELD: Self = Self::Missing;
        const WRONG_TYPE: Self = Self::Type;
        const DUPLICATE_KEY: Self = Self::Twice;

        fn is_field(key: &str) -> bool {
            key == "names"
        }
    }

    impl FieldRule for Line {
        const MISSING_FIELD: Self = Self::Missing;
        const WRONG_TYPE: Self = Self::Type;
        const DUPLICATE_KEY: Self = Self::Twice;
    }

    const DISH: &str = r#"{"nam": "soup", "hot": 1, "hot": true, "price": null, "parts": []}"#;

    /// Reads a dish, and shows what is wrong with it.
    fn shown<R: FieldRule>(text: &str) -> String {
        let findings: Findings<R> = Findings::new();
        let root = parse(text).expect("JSON");
        if let Some(dish) = Object::new(&root, "the dish", &findings) {
            dish.required_string("name");
            dish.optional_bool("hot");
            dish.required("price");
            dish.optional_object("parts", "`parts`");
            dish.present("id");
        }
        findings.finish("", text).to_string()
    }

    #[test]
    fn everything_wrong_with_the_fields_is_reported() {
        assert_eq!(
            shown::<Brief>(DISH),
            "1:1: error: the dish has no `id`\n  help: add \"id\" to this object\n\
             1:1: error: the dish has no `name`\n  help: rename `nam` to `name`\n\
             1:24: error: `hot` of the dish is a number, not true or false\n  help: write true or false here\n\
             1:27: error: the key \"hot\" occurs twice in this object\n  help: remove one of them; JSON readers differ \
             in which one they keep; the first is in line 1\n\
             1:49: error: `price` of the dish is null\n  help: give it a value\n\
             1:64: error: `parts` is an array, not an object\n  help: write an object here"
        );
    }

    #[test]
    fn another_field_is_not_taken_for_a_misspelling() {
        let findings: Findings<Brief> = Findings::new();
        let root = parse(r#"{"names": []}"#).expect("JSON");
        Object::new(&root, "the dish", &findings).expect("an object").required("name");
        assert_eq!(
            findings.finish("", "").to_string(),
            "1:1: error: the dish has no `name`\n  help: add \"name\" to this object"
        );
    }

    #[test]
    fn documents_whose_findings_are_lines_get_no_help() {
        assert_eq!(
            shown::<Line>(DISH),
            "1:1: the dish has no `id`\n1:1: the dish has no `name`; is `nam` a misspelling of it?\n\
             1:24: `hot` of the dish is a number, not true or false\n\
             1:27: the key \"hot\" occurs twice in this object\n1:49: `price` of the dish is null\n\
             1:64: `parts` is an array, not an object"
        );
    }

    #[test]
    fn fields_have_their_values_and_places() {
        let findings: Findings<Brief> = Findings::new();
        let root = parse(r#"{"name": "soup", "hot": true, "parts": {"a": 1}, "none": null}"#).expect("JSON");
        let dish = Object::new(&root, "the dish", &findings).expect("an object");
        let name = dish.required_string("name").expect("a string");
        assert_eq!((name.value, name.span), ("soup", Span { start: 9, end: 15 }));
        assert_eq!(dish.optional_bool("hot").map(|hot| hot.value), Some(true));
        assert_eq!(dish.required_object("parts", "`parts`").map(|parts| parts.members().len()), Some(1));
        assert!(dish.optional("none").is_none() && dish.present("none").is_some());
        assert!(!findings.has_errors());
    }
}
