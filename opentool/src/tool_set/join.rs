//! Joins the documents of a set into one.
//!
//! The documents are handled as JSON, because every `$ref` in them has to be found and changed.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use crate::document::referred;
use crate::{Info, OpenTool, Schema};

/// The functions and schemas joined so far.
#[derive(Default)]
pub(super) struct Joined {
    version: Option<String>,
    titles: Vec<String>,
    instructions: Vec<String>,
    functions: Vec<Value>,
    schemas: Map<String, Value>,
    refused: Vec<Value>,
}

impl Joined {
    /// Adds the functions of a member, renamed by `public`, and the schemas that they refer to.
    pub(super) fn add(
        &mut self,
        member: &str,
        document: &OpenTool,
        public: impl Fn(&str) -> String,
    ) -> Result<(), serde_json::Error> {
        let version = document.published_version();
        if self.version.as_deref().is_none_or(|newest| numbers(newest) < numbers(version)) {
            self.version = Some(version.to_owned());
        }
        let mut document = serde_json::to_value(document)?;
        self.titles.extend(document["info"]["title"].as_str().map(str::to_owned));
        self.instructions.extend(document["info"]["x-instructions"].as_str().map(str::to_owned));
        // The same code means something else in another member.
        let hints = document["info"].get_mut("x-hints").map(Value::take);
        let hints = hints.as_ref().and_then(Value::as_object);
        let schemas = match document.get_mut("schemas").map(Value::take) {
            Some(Value::Object(schemas)) => schemas,
            _ => Map::new(),
        };
        let renamed = self.renamed(member, &schemas);
        for (name, mut schema) in schemas {
            rename_references(&mut schema, &renamed);
            let name = renamed.get(&name).and_then(Value::as_str).map_or(name, str::to_owned);
            self.schemas.insert(name, schema);
        }
        if let Some(Value::Array(functions)) = document.get_mut("functions").map(Value::take) {
            for mut function in functions {
                let name = public(function["name"].as_str().unwrap_or_default());
                function["name"] = json!(name);
                if let (Some(hints), Some(function)) = (hints, function.as_object_mut()) {
                    let own = function.entry("x-hints").or_insert_with(|| json!({}));
                    for (code, hint) in hints {
                        if own.get(code).is_none() {
                            own[code] = hint.clone();
                        }
                    }
                }
                let parameters = function.get_mut("parameters").and_then(Value::as_array_mut);
                for parameter in parameters.into_iter().flatten() {
                    rename_references(&mut parameter["schema"], &renamed);
                }
                if let Some(returned) = function.get_mut("return") {
                    rename_in_return(returned, &renamed);
                }
                let streamed = function.get_mut("stream").and_then(Value::as_object_mut);
                for returned in streamed.into_iter().flat_map(Map::values_mut) {
                    rename_in_return(returned, &renamed);
                }
                self.functions.push(function);
            }
        }
        if let Some(Value::Array(refused)) = document.get_mut("x-refused").map(Value::take) {
            self.refused.extend(refused.into_iter().map(|mut one| {
                one["name"] = json!(public(one["name"].as_str().unwrap_or_default()));
                one
            }));
        }
        Ok(())
    }

    pub(super) fn document(self, info: Option<Info>) -> Result<OpenTool, serde_json::Error> {
        let mut info = match info {
            Some(info) => serde_json::to_value(info)?,
            None => json!({"title": self.titles.join(", "), "version": "1.0.0"}),
        };
        if !self.instructions.is_empty() && info.get("x-instructions").is_none() {
            info["x-instructions"] = json!(self.instructions.join("\n\n"));
        }
        serde_json::from_value(json!({
            "opentool": self.version.unwrap_or_else(|| "1.0.0".to_owned()),
            "info": info,
            "functions": self.functions,
            "schemas": self.schemas,
            "x-refused": self.refused,
        }))
    }

    /// The schemas of a member whose names are taken by different schemas, with their new names.
    ///
    /// A schema can be shared only if everything that it refers to can be shared: two schemas with the same text may
    /// refer to a third that differs.
    fn renamed(&self, member: &str, schemas: &Map<String, Value>) -> Map<String, Value> {
        let mut referring: HashMap<String, Vec<&str>> = HashMap::new();
        for (name, schema) in schemas.iter().filter(|(name, _)| self.schemas.contains_key(*name)) {
            for target in referred_in(schema) {
                referring.entry(target).or_default().push(name);
            }
        }
        let differs = |(name, schema): &(&String, &Value)| {
            self.schemas.get(*name).is_some_and(|taken| taken != *schema)
        };
        let mut own: HashSet<&str> = HashSet::new();
        let mut pending: Vec<&str> = schemas.iter().filter(differs).map(|(name, _)| name.as_str()).collect();
        while let Some(name) = pending.pop() {
            if own.insert(name) {
                pending.extend(referring.get(name).into_iter().flatten());
            }
        }
        let mut renamed: Map<String, Value> = Map::new();
        for name in schemas.keys().filter(|name| own.contains(name.as_str())) {
            let mut new = format!("{member}_{name}");
            while self.schemas.contains_key(&new)
                || schemas.contains_key(&new)
                || renamed.values().any(|taken| taken == new.as_str())
            {
                new.push('_');
            }
            renamed.insert(name.clone(), json!(new));
        }
        renamed
    }
}

/// The numbers of a version, for comparison.
fn numbers(version: &str) -> Vec<u64> {
    version.split('.').map(|part| part.parse().unwrap_or(0)).collect()
}

/// Calls `visit` for each `$ref` in a schema. A property may be called `$ref` too, and an `enum` may list any value,
/// so only the places that hold a schema are visited.
fn references(schema: &mut Value, visit: &mut impl FnMut(&mut String)) {
    let Value::Object(schema) = schema else { return };
    for (key, value) in schema {
        match (key.as_str(), value) {
            ("$ref", Value::String(reference)) => visit(reference),
            ("items", items) => references(items, visit),
            ("anyOf", Value::Array(shapes)) => shapes.iter_mut().for_each(|shape| references(shape, visit)),
            ("properties", Value::Object(properties)) => {
                properties.values_mut().for_each(|property| references(property, visit));
            }
            _ => {}
        }
    }
}

fn rename_references(schema: &mut Value, renamed: &Map<String, Value>) {
    if renamed.is_empty() {
        return;
    }
    references(schema, &mut |reference| {
        let new = referred(reference).and_then(|name| renamed.get(&name)?.as_str());
        if let Some(new) = new.and_then(|new| Schema::reference(new).reference) {
            *reference = new;
        }
    });
}

fn rename_in_return(returned: &mut Value, renamed: &Map<String, Value>) {
    if let Some(schema) = returned.get_mut("schema") {
        rename_references(schema, renamed);
    }
}

/// The names of the schemas that a schema refers to.
fn referred_in(schema: &Value) -> Vec<String> {
    let mut names = Vec::new();
    references(&mut schema.clone(), &mut |reference| names.extend(referred(reference)));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schemas(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(schemas) => schemas,
            other => panic!("{other} is not an object"),
        }
    }

    #[test]
    fn only_schemas_that_differ_are_renamed() {
        let joined = Joined {
            schemas: schemas(json!({"Same": {"type": "integer"}, "Point": {"type": "object"}})),
            ..Joined::default()
        };
        let theirs = schemas(
            json!({"Same": {"type": "integer"}, "Point": {"type": "string"}, "New": {"type": "string"}}),
        );
        assert_eq!(Value::Object(joined.renamed("geo", &theirs)), json!({"Point": "geo_Point"}));
    }

    #[test]
    fn a_schema_that_refers_to_a_renamed_one_is_renamed_too() {
        let line = json!({"type": "array", "items": {"$ref": "#/schemas/Point"}});
        let joined = Joined {
            schemas: schemas(json!({"Point": {"type": "object"}, "Line": line, "geo_Line": {}})),
            ..Joined::default()
        };
        let theirs = schemas(json!({"Point": {"type": "string"}, "Line": line}));
        let renamed = joined.renamed("geo", &theirs);
        assert_eq!(Value::Object(renamed.clone()), json!({"Point": "geo_Point", "Line": "geo_Line_"}));
        let mut theirs = theirs["Line"].clone();
        rename_references(&mut theirs, &renamed);
        assert_eq!(theirs["items"]["$ref"], json!("#/schemas/geo_Point"));
    }

    #[test]
    fn only_references_are_changed() {
        let renamed = schemas(json!({"P/Q": "geo_P/Q"}));
        let mut schema = json!({
            "properties": {"$ref": {"$ref": "#/schemas/P~1Q"}, "enum": {"$ref": "#/schemas/Other"}},
            "enum": [{"$ref": "#/schemas/P~1Q"}],
        });
        rename_references(&mut schema, &renamed);
        assert_eq!(
            schema,
            json!({
                "properties": {"$ref": {"$ref": "#/schemas/geo_P~1Q"}, "enum": {"$ref": "#/schemas/Other"}},
                "enum": [{"$ref": "#/schemas/P~1Q"}],
            })
        );
    }

    #[test]
    fn the_newest_version_stays() {
        assert!(numbers("1.10.0") > numbers("1.9.9"));
    }
}
