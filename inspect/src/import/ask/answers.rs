//! The file that keeps answers: JSON, one entry per question and answer, in an order that does not depend on when they
//! were given.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

use super::super::question::Choice;
use super::super::scalar::Object;
use super::asked::Asked;

/// The key of the file's form, and its value.
const FORM: (&str, &str) = ("opendynAnswers", "1");

/// The answer of an entry whose changes a person wrote by hand.
const BY_HAND: &str = "own";

/// The answers to questions of a document, by their places.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    given: BTreeMap<String, Given>,
}

/// One answer at one place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given {
    question: String,
    text: String,
    answer: String,
    changes: Object,
    declaration: String,
}

/// Why the text of a file is not one of answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswersError(String);

impl fmt::Display for AnswersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AnswersError {}

/// An answer that is not applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// The place of the question: `compress.dest`.
    pub place: String,
    /// Why it is not applied.
    pub reason: String,
}

impl Answers {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// It is not JSON of the expected form, or answers one question twice.
    pub fn parse(text: &str) -> Result<Self, AnswersError> {
        let wrong = |reason: String| AnswersError(reason);
        let root: Value =
            serde_json::from_str(text).map_err(|error| wrong(format!("it is not JSON: {error}")))?;
        let root = object(&root, "the file")?;
        known_keys(root, &[FORM.0, "answers"], "the file")?;
        if root.get(FORM.0).and_then(Value::as_str) != Some(FORM.1) {
            return Err(wrong(format!("it has no \"{}\": \"{}\"", FORM.0, FORM.1)));
        }
        let Some(entries) = root.get("answers").and_then(Value::as_array) else {
            return Err(wrong("it has no list \"answers\"".to_owned()));
        };
        let mut given = BTreeMap::new();
        for (index, entry) in entries.iter().enumerate() {
            let shown = format!("entry {} of \"answers\"", index + 1);
            let entry = object(entry, &shown)?;
            known_keys(entry, &["question", "text", "answer", "changes", "places"], &shown)?;
            let text = |key: &str| {
                let text = entry.get(key).and_then(Value::as_str);
                text.map(str::to_owned).ok_or_else(|| wrong(format!("{shown} has no text \"{key}\"")))
            };
            let inner = |key: &str| {
                let inner = entry.get(key).and_then(Value::as_object);
                inner.ok_or_else(|| wrong(format!("{shown} has no object \"{key}\"")))
            };
            let (question, headline, answer) = (text("question")?, text("text")?, text("answer")?);
            let changes = inner("changes")?;
            for (place, declaration) in inner("places")? {
                let Some(declaration) = declaration.as_str() else {
                    return Err(wrong(format!("{shown} has no declaration as text for `{place}`")));
                };
                let one = Given {
                    question: question.clone(),
                    text: headline.clone(),
                    answer: answer.clone(),
                    changes: changes.clone(),
                    declaration: declaration.to_owned(),
                };
                if given.insert(place.clone(), one).is_some() {
                    return Err(wrong(format!("`{place}` is answered twice")));
                }
            }
        }
        Ok(Self { given })
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut entries: Vec<(&Given, Object)> = Vec::new();
        for (place, one) in &self.given {
            let is_same = |(other, _): &&mut (&Given, Object)| {
                (&one.question, &one.answer, &one.changes) == (&other.question, &other.answer, &other.changes)
            };
            let declaration = Value::from(one.declaration.as_str());
            match entries.iter_mut().find(is_same) {
                Some((_, places)) => {
                    places.insert(place.clone(), declaration);
                }
                None => entries.push((one, Object::from_iter([(place.clone(), declaration)]))),
            }
        }
        let entries: Vec<Value> = entries
            .into_iter()
            .map(|(one, places)| {
                json!({
                    "question": one.question,
                    "text": one.text,
                    "answer": one.answer,
                    "changes": one.changes,
                    "places": places,
                })
            })
            .collect();
        let root = json!({ FORM.0: FORM.1, "answers": entries });
        format!("{root:#}\n")
    }

    /// How many questions are answered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.given.len()
    }

    /// Whether no question is answered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// The answers whose place is none of the questions.
    pub(super) fn without_question(&self, asked: &[Asked]) -> Vec<Stale> {
        let places: std::collections::BTreeSet<String> = asked.iter().map(Asked::place).collect();
        let gone = self.given.keys().filter(|place| !places.contains(*place));
        gone.map(|place| Stale { place: place.clone(), reason: "it is not asked any more".to_owned() })
            .collect()
    }

    /// The kept answer to a question, or why it is none.
    pub(super) fn of(&self, asked: &Asked) -> Option<Result<Choice, String>> {
        let given = self.given.get(&asked.place())?;
        Some(given.fits(asked))
    }

    /// Keeps an answer; returns what was kept before.
    pub(super) fn keep(&mut self, asked: &Asked, choice: &Choice) -> Option<Given> {
        let given = Given {
            question: asked.identity.clone(),
            text: asked.text.clone(),
            answer: choice.label.clone(),
            changes: choice.changes.clone(),
            declaration: asked.declaration.clone(),
        };
        self.given.insert(asked.place(), given)
    }

    /// Goes back to what was kept before.
    pub(super) fn restore(&mut self, asked: &Asked, before: Option<Given>) {
        match before {
            Some(given) => self.given.insert(asked.place(), given),
            None => self.given.remove(&asked.place()),
        };
    }
}

impl Given {
    /// What it answers to a question of today.
    fn fits(&self, asked: &Asked) -> Result<Choice, String> {
        if self.declaration != asked.declaration {
            return Err(format!("the declaration was `{}` and is `{}`", self.declaration, asked.declaration));
        }
        if self.question != asked.identity || self.text != asked.text {
            return Err(format!("the question was \"{}\" and is \"{}\"", self.text, asked.text));
        }
        if self.answer == BY_HAND {
            return Ok(Choice { label: BY_HAND.to_owned(), changes: self.changes.clone() });
        }
        match asked.choice(&self.answer) {
            Some(choice) if choice.changes == self.changes => Ok(choice.clone()),
            Some(_) => Err(format!("the answer \"{}\" means something else now", self.answer)),
            None => Err(format!("the answer \"{}\" is not among the possible ones any more", self.answer)),
        }
    }
}

fn object<'v>(value: &'v Value, shown: &str) -> Result<&'v Object, AnswersError> {
    value.as_object().ok_or_else(|| AnswersError(format!("{shown} is not an object")))
}

/// A key that nobody reads may be an answer that its writer believes in.
fn known_keys(object: &Object, known: &[&str], shown: &str) -> Result<(), AnswersError> {
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(AnswersError(format!("{shown} has an unknown key \"{key}\""))),
        None => Ok(()),
    }
}
