//! Decisions that need a person: a question, its possible answers, and what each of them changes.

use serde_json::Value;

use super::evidence::Evidence;
use super::scalar::Object;

/// One question, for `x-todo`, and to be asked.
#[derive(Clone, Debug)]
pub(super) struct Question {
    text: String,
    /// What the likely answer changes in the object of the question: keys to write, and with `null` keys to
    /// remove.
    answer: Object,
    choices: Vec<Choice>,
    group: Option<String>,
    because: Option<Evidence>,
}

/// A possible answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The answer in a few words.
    pub label: String,
    /// What it changes in the object that the question is about: keys to write, and with `null` keys to remove.
    /// In `schema`, `cType` and `x-callback` the keys inside are changed.
    pub changes: Object,
}

/// How many answers one key each can choose.
const MOST_CHOICES: usize = 9;

impl Question {
    /// `text` ends with a colon, or with a question mark if no answer is likely.
    pub(super) fn new(text: impl Into<String>, answer: Object) -> Self {
        let choices = vec![Choice { label: "yes".to_owned(), changes: answer.clone() }];
        Self { text: text.into(), answer, choices, group: None, because: None }
    }

    /// A question without a suggestion.
    pub(super) fn open(text: impl Into<String>) -> Self {
        Self { text: text.into(), answer: Object::new(), choices: Vec::new(), group: None, because: None }
    }

    /// Words the likely answer.
    pub(super) fn likely(mut self, label: impl Into<String>) -> Self {
        if let Some(first) = self.choices.first_mut() {
            first.label = label.into();
        }
        self
    }

    /// The suggestion only shows the form of an answer: there is none to choose.
    pub(super) fn only_form(mut self) -> Self {
        self.choices.clear();
        self
    }

    /// Adds a possible answer, unless there is one that changes the same or is worded the same.
    pub(super) fn or(mut self, label: impl Into<String>, changes: impl Into<Value>) -> Self {
        let (label, Value::Object(changes)) = (label.into(), changes.into()) else { return self };
        let is_new = self.choices.iter().all(|choice| choice.changes != changes && choice.label != label);
        if is_new && self.choices.len() < MOST_CHOICES {
            self.choices.push(Choice { label, changes });
        }
        self
    }

    /// The answers are those of `ways`, in that order after the likely one, which must be among them.
    pub(super) fn worded(mut self, ways: Vec<(String, Value)>) -> Self {
        let is_likely = |(_, changes): &&(String, Value)| changes.as_object() == Some(&self.answer);
        match ways.iter().find(is_likely).map(|(label, _)| label.clone()) {
            // Without effect if it is not one to choose first.
            Some(label) => self = self.likely(label),
            // Without words for it, it is no answer to choose.
            None => self.choices.clear(),
        }
        ways.into_iter().fold(self, |question, (label, changes)| question.or(label, changes))
    }

    /// The text that the likely answer writes for a key.
    pub(super) fn suggested(&self, key: &str) -> Option<&str> {
        self.answer.get(key)?.as_str()
    }

    /// Questions with the same `group` are about one fact, and one answer can be given to all of them. The names of
    /// values and types alone do not make two questions the same.
    pub(super) fn grouped(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }

    /// Shows what made us ask.
    pub(super) fn because(mut self, evidence: Option<Evidence>) -> Self {
        self.because = evidence;
        self
    }

    /// The text of the question with its suggestion.
    pub(super) fn text(&self) -> String {
        if self.answer.is_empty() {
            return self.text.clone();
        }
        format!("{} {}.", self.text, instructions(&self.answer))
    }

    /// The question alone, without what to write.
    pub(super) fn headline(&self) -> &str {
        self.text.find('?').map_or(self.text.as_str(), |end| &self.text[..=end])
    }

    pub(super) fn choices(&self) -> &[Choice] {
        &self.choices
    }

    pub(super) fn group(&self) -> Option<&str> {
        self.group.as_deref()
    }

    pub(super) fn reason(&self) -> Option<&Evidence> {
        self.because.as_ref()
    }

    /// Takes the suggestion as the answer; `false` if there is none.
    pub(super) fn apply(&self, object: &mut Object) -> bool {
        merge(object, &self.answer);
        !self.answer.is_empty()
    }
}

impl Choice {
    /// What to write, in words.
    #[must_use]
    pub fn instructions(&self) -> String {
        instructions(&self.changes)
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

/// Makes the changes of an answer in `object`.
pub(super) fn merge(object: &mut Object, answer: &Object) {
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

    #[test]
    fn what_is_asked_is_the_question_alone() {
        let question = Question::new("Is `n` it? (If not, write \"a\".) Then", Object::new());
        assert_eq!(question.headline(), "Is `n` it?");
        assert_eq!(Question::open("Write it.").headline(), "Write it.");
    }

    #[test]
    fn an_answer_that_changes_the_same_is_offered_once() {
        let question = Question::new("?", object(json!({ "isIn": false })))
            .likely("it writes")
            .or("it fills", json!({ "isIn": false }))
            .or("it reads", json!({ "isIn": true }))
            .or("it reads", json!({ "x-inout": true }));
        let labels: Vec<&str> = question.choices().iter().map(|choice| choice.label.as_str()).collect();
        assert_eq!(labels, ["it writes", "it reads"]);
        assert!(question.only_form().choices().is_empty());
    }
}
