//! The functions of a tool, listed for callers.

use opentool::{Function, OpenTool, Schema};

/// Every callable function: arguments, results, and description.
pub(crate) fn listing(described: &OpenTool) -> String {
    described.functions.iter().map(entry).collect()
}

/// `add(a: integer, b?: integer) -> {result: integer}`, followed by its description.
fn entry(function: &Function) -> String {
    let parameters = function.parameters.iter().map(|parameter| {
        let mark = if parameter.required { "" } else { "?" };
        format!("{}{mark}: {}", parameter.name, kind(&parameter.schema))
    });
    let results =
        function.returns.as_ref().map_or_else(String::new, |returned| match &returned.schema.properties {
            Some(properties) if returned.spread => properties
                .iter()
                .map(|(name, schema)| format!("{name}: {}", kind(schema)))
                .collect::<Vec<_>>()
                .join(", "),
            _ => format!("{}: {}", returned.name, kind(&returned.schema)),
        });
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    let about = first_sentence(&function.description);
    let about = if about.is_empty() { about } else { format!("    {about}\n") };
    format!("{}({parameters}) -> {{{results}}}\n{about}", function.name)
}

/// A list should be short: the rest of the description is in the document.
fn first_sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = text.match_indices(". ").find(|(at, _)| {
        let next = text[at + 2..].chars().next();
        next.is_some_and(|next| next.is_uppercase())
    });
    match ends {
        Some((at, _)) => text[..=at].to_owned(),
        None => text,
    }
}

/// The type of a value; for a token, the type of its handle.
fn kind(schema: &Schema) -> String {
    let nullable = if schema.nullable { " or null" } else { "" };
    if let Some(handle) = &schema.handle {
        return format!("handle of {handle}{nullable}");
    }
    if let Some(values) = &schema.values {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        return values.join(" | ");
    }
    match (&schema.items, &schema.properties) {
        (Some(items), _) => format!("[{}]{nullable}", kind(items)),
        (None, Some(properties)) => {
            let members: Vec<String> =
                properties.iter().map(|(name, schema)| format!("{name}: {}", kind(schema))).collect();
            format!("{{{}}}{nullable}", members.join(", "))
        }
        (None, None) => format!("{}{nullable}", schema.kind.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_listed_with_all_that_a_call_needs() {
        let function: Function = serde_json::from_str(
            r#"{"name":"f","description":"Does it, e.g. so,\nat once. And well.","parameters":[
                {"name":"db","schema":{"type":"string","description":"The base.","x-handle":"db"}},
                {"name":"xs","schema":{"type":"array","items":{"type":"integer"}},"required":false},
                {"name":"mode","schema":{"type":"string","enum":["r","w"]}},
                {"name":"at","schema":{"type":"object","properties":{"x":{"type":"number"}}}}],
              "return":{"name":"results","schema":{"type":"object","properties":{
                "code":{"type":"integer"},"text":{"type":"string","x-nullable":true}}},"x-spread":true}}"#,
        )
        .expect("a function");
        assert_eq!(
            entry(&function),
            "f(db: handle of db, xs?: [integer], mode: \"r\" | \"w\", at: {x: number}) -> \
             {code: integer, text: string or null}\n    Does it, e.g. so, at once.\n"
        );
    }
}
