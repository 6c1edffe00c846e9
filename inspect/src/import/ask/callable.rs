//! What can be called through JSON with a document, and which of its functions are wrong.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use opendyn_model::plan::Json;
use opendyn_model::{Findings, Options, lower, read};
use serde_json::Value;

/// An error of a document.
#[derive(Clone, Debug)]
pub(super) struct Wrong {
    /// The index of its function; `None` if it is none of a function.
    pub(super) function: Option<usize>,
    pub(super) message: String,
}

/// The functions that JSON can call; or what is wrong with the document.
pub(super) fn callable(document: &Value) -> Result<BTreeSet<String>, Vec<Wrong>> {
    let source = lines(document);
    let count = document["functions"].as_array().map_or(0, Vec::len);
    let findings = Findings::new();
    let binding = read::read(&source, &findings)
        .and_then(|document| lower::lower(&document, &Options::default(), &findings).binding());
    let report = findings.finish("", &source);
    let wrong: Vec<Wrong> = report
        .errors()
        .map(|error| Wrong {
            function: error.line.and_then(|line| line.checked_sub(FIRST)).filter(|index| *index < count),
            message: error.message.clone(),
        })
        .collect();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let Some(binding) = binding else {
        return Err(vec![Wrong { function: None, message: "it cannot be read".to_owned() }]);
    };
    let is_callable = |function: &&opendyn_model::plan::Function| matches!(function.json, Json::Callable(_));
    Ok(binding.functions.iter().filter(is_callable).map(|function| function.name.clone()).collect())
}

/// The line of the first function in the text of a document.
const FIRST: usize = 2;

/// The text of a document, each function on a line of its own: a line tells the function, and places are found without
/// counting the characters of the whole text.
fn lines(document: &Value) -> String {
    let mut text = "{\"functions\":[\n".to_owned();
    let functions = document["functions"].as_array().map_or(&[][..], Vec::as_slice);
    for (index, function) in functions.iter().enumerate() {
        let end = if index + 1 < functions.len() { ",\n" } else { "\n" };
        // Writing to a string cannot fail.
        let _ = write!(text, "{function}{end}");
    }
    text.push(']');
    let others = document.as_object().into_iter().flatten().filter(|(key, _)| *key != "functions");
    for (key, value) in others {
        let _ = write!(text, ",\n{}:{value}", Value::from(key.as_str()));
    }
    text.push_str("}\n");
    text
}
