//! What can be called through JSON with a document.

use std::collections::BTreeSet;

use opendyn_model::plan::Json;
use opendyn_model::{Findings, Options, lower, read};
use serde_json::Value;

/// The functions that JSON can call; or what is wrong with the document.
pub(super) fn callable(document: &Value) -> Result<BTreeSet<String>, String> {
    let source = document.to_string();
    let findings = Findings::new();
    let binding = read::read(&source, &findings)
        .and_then(|document| lower::lower(&document, &Options::default(), &findings).binding());
    let report = findings.finish("", &source);
    if let Some(error) = report.errors().next() {
        return Err(error.message.clone());
    }
    let Some(binding) = binding else { return Err("it cannot be read".to_owned()) };
    let is_callable = |function: &&opendyn_model::plan::Function| matches!(function.json, Json::Callable(_));
    Ok(binding.functions.iter().filter(is_callable).map(|function| function.name.clone()).collect())
}
