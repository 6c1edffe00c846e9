//! A description of some functions of a document.

use std::collections::HashSet;

use serde_json::Value;

use super::{Description, Function};

impl Description {
    /// Keeps the functions that `keep` returns true for, and the types that they use.
    pub fn retain(&mut self, keep: impl FnMut(&Function) -> bool) {
        self.functions.retain(keep);
        forget_unused(self);
    }
}

/// Removes the types that no function uses.
fn forget_unused(description: &mut Description) {
    let mut used = HashSet::new();
    for function in &description.functions {
        for value in function.arguments.iter().chain(&function.results) {
            titles(&value.schema, &mut used);
        }
        used.extend(
            function.parameters.iter().chain(&function.returns).filter_map(|value| value.handle.clone()),
        );
    }
    description.structs.retain(|each| used.contains(&each.name));
    description.enums.retain(|each| used.contains(&each.name));
    description.handles.retain(|each| used.contains(&each.name));
}

fn titles(schema: &Value, found: &mut HashSet<String>) {
    found.extend(schema["title"].as_str().map(str::to_owned));
    if schema["items"].is_object() {
        titles(&schema["items"], found);
    }
    for property in schema["properties"].as_object().into_iter().flat_map(|properties| properties.values()) {
        titles(property, found);
    }
}
