//! The open questions of a function: its `x-todo`, and those of its parameters, its return value and their schemas.
//!
//! `object` reports each of them as a warning. Here they are kept, for whoever asks why the function cannot be called.

use crate::json::{Member, Node, Value};

/// The questions in the order of the document. Those of a parameter, and of the return value, begin with its name.
pub(super) fn of(function: &Node) -> Vec<String> {
    let mut found = Vec::new();
    collect(function, None, &mut found);
    found
}

fn collect(node: &Node, about: Option<&str>, found: &mut Vec<String>) {
    match &node.value {
        Value::Object(members) => {
            for Member { key, value, .. } in members {
                match key.as_str() {
                    "x-todo" => found.extend(texts(value).map(|text| match about {
                        Some(name) => format!("`{name}`: {text}"),
                        None => text.to_owned(),
                    })),
                    "parameters" => elements(value).for_each(|one| collect(one, named(one).or(about), found)),
                    "return" => collect(value, named(value).or(about), found),
                    // Values, which are not described.
                    "default" | "enum" => {}
                    _ => collect(value, about, found),
                }
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| collect(element, about, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn elements(node: &Node) -> impl Iterator<Item = &Node> {
    match &node.value {
        Value::Array(elements) => elements.iter(),
        _ => [].iter(),
    }
}

/// A question, or several.
fn texts(node: &Node) -> impl Iterator<Item = &str> {
    let one = matches!(node.value, Value::String(_)).then_some(node);
    one.into_iter().chain(elements(node)).filter_map(text)
}

fn named(node: &Node) -> Option<&str> {
    let Value::Object(members) = &node.value else { return None };
    members.iter().find(|member| member.key == "name").and_then(|member| text(&member.value))
}

fn text(node: &Node) -> Option<&str> {
    match &node.value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_kept_with_the_name_of_what_they_are_about() {
        let function = r#"{"name": "sum", "x-todo": ["For callers?", "Why?"], "parameters": [
            {"name": "xs", "x-todo": "How long?", "schema": {"x-todo": "Of what?", "default": {"x-todo": "a value"}}},
            {"name": "n"}
        ], "return": {"name": "result", "schema": {"x-todo": []}, "x-todo": "A code?"}}"#;
        let node = crate::json::parse(function).expect("JSON");
        assert_eq!(
            of(&node),
            ["For callers?", "Why?", "`xs`: How long?", "`xs`: Of what?", "`result`: A code?"]
        );
    }
}
