//! Merges a new import into a document that was edited: existing content stays, new functions are added.

use opendyn_model::layout;
use serde_json::Value;

use super::scalar::Object;

/// The merged document, and what happened to the functions.
#[derive(Debug)]
pub struct Merged {
    document: Value,
    /// How many functions were there and are still declared.
    pub kept: usize,
    /// The functions that were added.
    pub added: Vec<String>,
    /// The functions that were there and are no longer declared or exported. They are kept.
    pub gone: Vec<String>,
}

impl Merged {
    /// The text of the document, in canonical layout.
    #[must_use]
    pub fn text(&self) -> String {
        layout::of_value(&self.document)
    }
}

/// Adds what is only in `new` to `old`; `None` if `old` is not a document.
pub(super) fn merge(old: &Value, new: &Value) -> Option<Merged> {
    let mut document = old.as_object()?.clone();
    let functions = document.get("functions")?.as_array()?.clone();
    let declared = new.get("functions")?.as_array()?;
    let is_there = |function: &Value| functions.iter().any(|known| symbol(known) == symbol(function));
    let is_declared = |function: &&Value| declared.iter().any(|known| symbol(known) == symbol(function));
    let added: Vec<&Value> = declared.iter().filter(|function| !is_there(function)).collect();
    let gone: Vec<String> = functions.iter().filter(|known| !is_declared(known)).map(symbol).collect();
    let kept = functions.len() - gone.len();

    let all: Vec<Value> = functions.iter().chain(added.iter().copied()).cloned().collect();
    document.insert("functions".to_owned(), all.into());
    let schemas = new.get("schemas").and_then(Value::as_object);
    let needed = needed(&added, schemas);
    if !needed.is_empty() {
        let known = document.entry("schemas").or_insert_with(|| Object::new().into()).as_object_mut()?;
        for (name, schema) in needed {
            known.entry(name).or_insert(schema);
        }
    }
    let omitted = new.get("info").and_then(|info| info.get("x-omitted"));
    if let (Some(Value::Object(info)), Some(omitted)) = (document.get_mut("info"), omitted) {
        info.insert("x-omitted".to_owned(), omitted.clone());
    }
    let added = added.into_iter().map(symbol).collect();
    Some(Merged { document: document.into(), kept, added, gone })
}

/// The name in the library, which identifies a function whatever its name in the document.
fn symbol(function: &Value) -> String {
    let name = function.get("x-symbol").or_else(|| function.get("name"));
    name.and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The schemas that the functions refer to, directly or through other schemas.
fn needed(functions: &[&Value], schemas: Option<&Object>) -> Vec<(String, Value)> {
    let mut found: Vec<(String, Value)> = Vec::new();
    let mut open: Vec<&Value> = functions.to_vec();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(elements) => open.extend(elements),
            Value::Object(object) => open.extend(object.values()),
            Value::String(text) => {
                let Some(name) = text.strip_prefix("#/schemas/") else { continue };
                let Some(schema) = schemas.and_then(|schemas| schemas.get(name)) else { continue };
                if found.iter().all(|(known, _)| known != name) {
                    found.push((name.to_owned(), schema.clone()));
                    open.push(schema);
                }
            }
            _ => {}
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_there_stays_and_what_is_new_is_added_with_its_schemas() {
        let old = json!({ "info": { "title": "mine" }, "functions": [
            { "name": "add", "x-symbol": "f", "description": "my words" }, { "name": "gone" }] });
        let new = json!({
            "info": { "title": "t", "x-omitted": { "why": ["h"] } },
            "functions": [
                { "name": "f", "description": "" },
                { "name": "g", "parameters": [{ "schema": { "$ref": "#/schemas/Outer" } }] }],
            "schemas": {
                "Other": {},
                "Inner": { "type": "object" },
                "Outer": { "properties": { "a": { "$ref": "#/schemas/Inner" } } } } });
        let merged = merge(&old, &new).expect("documents");
        assert_eq!(
            (merged.kept, merged.added, merged.gone),
            (1, vec!["g".to_owned()], vec!["gone".to_owned()])
        );
        let names: Vec<&Value> =
            merged.document["functions"].as_array().expect("a list").iter().map(|f| &f["name"]).collect();
        assert_eq!(names, ["add", "gone", "g"]);
        assert_eq!(merged.document["functions"][0]["description"], "my words");
        let schemas: Vec<&String> =
            merged.document["schemas"].as_object().expect("an object").keys().collect();
        assert_eq!(schemas, ["Inner", "Outer"]);
        assert_eq!(merged.document["info"], json!({ "title": "mine", "x-omitted": { "why": ["h"] } }));
    }

    #[test]
    fn what_is_no_document_is_not_merged() {
        assert!(merge(&json!([]), &json!({ "functions": [] })).is_none());
        assert!(merge(&json!({ "functions": 1 }), &json!({ "functions": [] })).is_none());
    }
}
