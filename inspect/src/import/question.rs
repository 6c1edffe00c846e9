//! Decisions that need a person: a question, and the changes for the most likely answer.

use serde_json::Value;

use super::scalar::Object;

/// One question, for `x-todo`.
#[derive(Clone, Debug)]
pub(super) struct Question {
    text: String,
    /// What the likely answer changes in the object of the question: keys to write, and with `null` keys to
    /// remove.
    answer: Object,
}

impl Question {
    /// `text` ends with a colon, or with a question mark if no answer is likely.
    pub(super) fn new(text: impl Into<String>, answer: Object) -> Self {
        Self { text: text.into(), answer }
    }

    /// A question without a suggestion.
    pub(super) fn open(text: impl Into<String>) -> Self {
        Self { text: text.into(), answer: Object::new() }
    }

    /// The text of the question with its suggestion.
    pub(super) fn text(&self) -> String {
        if self.answer.is_empty() {
            return self.text.clone();
        }
        format!("{} {}.", self.text, instructions(&self.answer))
    }

    /// Takes the suggestion as the answer; `false` if there is none.
    pub(super) fn apply(&self, object: &mut Object) -> bool {
        merge(object, &self.answer);
        !self.answer.is_empty()
    }
}

/// Objects that a suggestion changes inside; other values are replaced as a whole.
const WITHIN: [&str; 3] = ["schema", "cType", "x-callback"];

/// `write "isIn": false and "x-length": "n", in `schema` write "type": "string"; remove `x-inout``
fn instructions(answer: &Object) -> String {
    let mut written = Vec::new();
    let mut removed = Vec::new();
    let mut within = Vec::new();
    for (key, value) in answer {
        match value {
            Value::Null => removed.push(format!("`{key}`")),
            Value::Object(inner) if WITHIN.contains(&key.as_str()) => {
                within.push(format!("in `{key}` {}", instructions(inner)));
            }
            value => written.push(format!("\"{key}\": {}", spaced(value))),
        }
    }
    let mut parts = Vec::new();
    if !written.is_empty() {
        parts.push(format!("write {}", written.join(", ")));
    }
    if !removed.is_empty() {
        parts.push(format!("remove {}", removed.join(" and ")));
    }
    parts.extend(within);
    parts.join("; ")
}

/// JSON on one line, with spaces as people write them.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let members: Vec<String> =
                object.iter().map(|(key, value)| format!("\"{key}\": {}", spaced(value))).collect();
            format!("{{ {} }}", members.join(", "))
        }
        Value::Array(elements) => {
            format!("[{}]", elements.iter().map(spaced).collect::<Vec<_>>().join(", "))
        }
        scalar => scalar.to_string(),
    }
}

fn merge(object: &mut Object, answer: &Object) {
    for (key, value) in answer {
        match (value, object.get_mut(key)) {
            (Value::Null, _) => {
                object.shift_remove(key);
            }
            (Value::Object(inner), Some(Value::Object(outer))) if WITHIN.contains(&key.as_str()) => {
                merge(outer, inner);
            }
            (value, _) => {
                object.insert(key.clone(), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> Object {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn a_question_says_what_to_write() {
        let answer = object(json!({
            "isIn": false, "x-length": { "const": 32 }, "x-inout": null, "schema": { "type": "string" }
        }));
        assert_eq!(
            Question::new("Does C write it? Then", answer).text(),
            "Does C write it? Then write \"isIn\": false, \"x-length\": { \"const\": 32 }; remove `x-inout`; \
             in `schema` write \"type\": \"string\"."
        );
    }

    #[test]
    fn the_answer_reaches_into_the_schema_and_removes_keys() {
        let answer = object(json!({ "x-inout": null, "schema": { "type": "string" } }));
        let mut parameter = object(json!({ "x-inout": true, "schema": { "type": "array", "cType": 1 } }));
        assert!(Question::new("", answer).apply(&mut parameter));
        assert_eq!(Value::Object(parameter), json!({ "schema": { "type": "string", "cType": 1 } }));
    }
}
