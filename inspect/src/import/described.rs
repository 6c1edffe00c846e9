//! A parameter or a return value as it is described: what is stated, each with its evidence, and what is asked.

use serde_json::Value;

use super::evidence::Evidence;
use super::question::Question;
use super::scalar::Object;

/// A parameter or a return value.
///
/// Its fields are private, so that nothing is stated without evidence. If something is asked, nothing else says
/// what the pointer points to: the function is then unsafe, and refused to JSON callers.
#[derive(Clone)]
pub(super) struct Described {
    schema: Object,
    /// The keys beside the schema.
    keys: Object,
    is_in: bool,
    required: bool,
    questions: Vec<Question>,
    facts: Vec<(String, Evidence)>,
}

impl Described {
    /// A pointer of which nothing is stated but its C type, and a question about the rest.
    pub(super) fn undescribed(schema: Object, question: Question) -> Self {
        Self { questions: vec![question], ..Self::bare(schema) }
    }

    /// A pointer of which nothing is stated but its C type: only unsafe code can use it.
    pub(super) fn bare(schema: Object) -> Self {
        Self {
            schema,
            keys: Object::new(),
            is_in: true,
            required: true,
            questions: Vec::new(),
            facts: Vec::new(),
        }
    }

    /// A value that the caller gives: what it is.
    pub(super) fn input(schema: Object, what: &str, evidence: Evidence) -> Self {
        Self::bare(schema).fact(what, evidence)
    }

    /// A value that C gives: what it is.
    pub(super) fn output(schema: Object, what: &str, evidence: Evidence) -> Self {
        Self { is_in: false, ..Self::input(schema, what, evidence) }
    }

    /// States the direction of an input again, as proven by `evidence`.
    pub(super) fn directed(mut self, direction: crate::Direction, evidence: Evidence) -> Self {
        match direction {
            crate::Direction::In => self.fact("in", evidence),
            crate::Direction::Out => {
                self.is_in = false;
                self.fact("out", evidence)
            }
            crate::Direction::InOut => self.key("x-inout", true, evidence),
        }
    }

    /// States a key.
    pub(super) fn key(mut self, key: &str, value: impl Into<Value>, evidence: Evidence) -> Self {
        let value = value.into();
        let what = format!("{key}: {value}");
        self.keys.insert(key.to_owned(), value);
        self.fact(&what, evidence)
    }

    /// States that an input may be NULL.
    pub(super) fn optional(mut self, evidence: Evidence) -> Self {
        if !self.is_in {
            return self;
        }
        self.required = false;
        self.fact("required: false", evidence)
    }

    /// States that it is never NULL, which is how every value is described.
    pub(super) fn required(self, evidence: Evidence) -> Self {
        self.fact("required: true", evidence)
    }

    /// States something that no key says.
    pub(super) fn fact(mut self, what: &str, evidence: Evidence) -> Self {
        self.facts.push((what.to_owned(), evidence));
        self
    }

    /// Whether it is a handle that the caller must give and still has after the call, of which nothing is asked.
    pub(super) fn is_certain_handle(&self) -> bool {
        let is_handle = self.schema.get("cType").is_some_and(|c_type| c_type.get("x-handle").is_some());
        let is_over = ["x-free", "x-takes"].iter().any(|key| self.keys.contains_key(*key));
        is_handle && self.is_in && self.required && !self.is_asked() && !is_over
    }

    /// The parameter that it depends on.
    pub(super) fn parent(&self) -> Option<&str> {
        self.keys.get("x-parent")?.as_str()
    }

    pub(super) fn is_output(&self) -> bool {
        !self.is_in || self.keys.contains_key("x-inout")
    }

    /// Whether it is memory with a length, that is neither a text nor an array of pointers, of which nothing is asked.
    pub(super) fn is_certain_array(&self) -> bool {
        let is_text = self.schema.get("type").is_some_and(|of| of == "string")
            && !self.schema.contains_key("x-encoding");
        let is_over = ["x-free", "x-takes", "x-keeps"].iter().any(|key| self.keys.contains_key(*key));
        let is_deep = self.schema.get("cType").is_some_and(|c_type| c_type.get("x-pointerDepth").is_some());
        self.keys.contains_key("x-length") && !self.is_asked() && !is_text && !is_deep && !is_over
    }

    /// A pointer of which nothing is stated but its C type, and a question: `ask` gets what was stated, as its answer.
    pub(super) fn doubted(self, ask: impl FnOnce(Object) -> Question) -> Self {
        let mut answer = self.keys;
        if !self.is_in {
            answer.insert("isIn".to_owned(), false.into());
        }
        let is_bare = |key: &str| key == "cType" || key == "items";
        let mut schema = self.schema;
        let of = schema.get("cType").and_then(|of| of.get("type")).cloned().unwrap_or_default();
        let is_void = of == "void" && !schema.contains_key("items");
        let mut stated = Object::new();
        for key in schema.keys().filter(|key| !is_bare(key)).cloned().collect::<Vec<_>>() {
            stated.extend(schema.shift_remove(&key).map(|value| (key, value)));
        }
        schema.insert("type".to_owned(), if is_void { "object".into() } else { "array".into() });
        answer.insert("schema".to_owned(), stated.into());
        Self::undescribed(schema, ask(answer))
    }

    /// What is asked stays open without a question: only unsafe code can use it.
    pub(super) fn unasked(mut self, evidence: &Evidence) -> Self {
        if self.questions.is_empty() {
            return self;
        }
        self.questions.clear();
        self.fact("not described, for unsafe code", evidence.clone())
    }

    /// Whether something is asked.
    pub(super) fn is_asked(&self) -> bool {
        !self.questions.is_empty()
    }

    pub(super) fn schema(&self) -> &Object {
        &self.schema
    }

    /// What it consists of, for the function that writes it.
    pub(super) fn into_parts(self) -> Parts {
        let Self { schema, keys, is_in, required, questions, facts } = self;
        Parts { schema, keys, is_in, required, questions, facts }
    }
}

/// What a [`Described`] consists of. It is only made from one.
pub(super) struct Parts {
    pub(super) schema: Object,
    pub(super) keys: Object,
    pub(super) is_in: bool,
    pub(super) required: bool,
    pub(super) questions: Vec<Question>,
    pub(super) facts: Vec<(String, Evidence)>,
}
