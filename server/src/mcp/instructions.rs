//! What a client is told once about all functions.

use opentool::{Function, OpenTool, Schema};

/// The description and the instructions of the document, and what its functions have in common. `None` if there is
/// nothing to say.
pub(super) fn instructions(document: &OpenTool, is_searched: bool) -> Option<String> {
    let info = &document.info;
    let mut paragraphs: Vec<String> = info.description.iter().chain(&info.instructions).cloned().collect();
    if is_searched {
        paragraphs.push("Find functions with `search_tools`, and call them with `call_tool`.".to_owned());
    }
    let functions = || document.functions.iter().filter(|function| function.is_offered());
    let has = |is: fn(&Schema) -> bool| functions().any(|function| any(function, document, is));
    let mut facts = Vec::new();
    if has(|schema| schema.handle.is_some()) {
        facts.push(
            "A handle is a text such as \"name:1.0.1.5d0c\": pass it on as it is. It is valid until it is freed or your session ends.",
        );
    }
    if has(is_bytes) {
        facts.push(
            "Bytes are base64 in results, and in arguments base64, {\"text\": …} (as UTF-8) or {\"hex\": …}.",
        );
    }
    if has(|schema| matches!(schema.format.as_deref(), Some("int64" | "uint64"))) {
        facts.push("Integers beyond 2^53 are texts of digits in results, and may be in arguments.");
    }
    if !facts.is_empty() {
        paragraphs.push(facts.join(" "));
    }
    (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
}

fn is_bytes(schema: &Schema) -> bool {
    schema.description.as_deref().is_some_and(|text| text.contains("in base64"))
}

/// Whether a schema of the function is one of these.
fn any(function: &Function, document: &OpenTool, is: fn(&Schema) -> bool) -> bool {
    let given = function.parameters.iter().map(|parameter| &parameter.schema);
    let returned = function.returns.iter().map(|returned| &returned.schema);
    // What is shared is looked at as a whole.
    given.chain(returned).chain(document.schemas.values()).any(|schema| within(schema, is))
}

fn within(schema: &Schema, is: fn(&Schema) -> bool) -> bool {
    is(schema)
        || schema.properties.iter().flatten().any(|(_, schema)| within(schema, is))
        || schema.any_of.iter().flatten().any(|schema| within(schema, is))
        || schema.items.as_deref().is_some_and(|schema| within(schema, is))
}
