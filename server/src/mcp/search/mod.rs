//! Many functions: instead of a list, a client gets one tool that searches for functions, and one that calls them.
//!
//! A list of a hundred functions takes more of a model's attention than its task. `words` takes texts apart and `compounds`
//! names, `synonyms` knows words of one meaning, `ranking` finds the functions of a question, and this module answers.

mod compounds;
mod ranking;
mod synonyms;
#[cfg(test)]
mod tests;
mod words;

use rmcp::model::Tool;
use serde_json::{Map, Value, json};

use super::calling::CALL;
use opentool::export::Signature;
use opentool::{OpenTool, ToolError};
use ranking::Ranking;

pub(super) const SEARCH: &str = "search_tools";

/// How many functions a search shows, unless the client says how many.
const SHOWN: usize = 5;
const MOST_SHOWN: usize = 20;

/// Names are listed if they are no longer than this all together, in bytes.
const NAMES: usize = 3000;

/// The functions that are not listed.
pub(super) struct Search {
    document: OpenTool,
    ranking: Ranking,
}

impl Search {
    /// The functions of `document`.
    pub(super) fn of(document: OpenTool) -> Self {
        let ranking = Ranking::of(&document);
        Self { document, ranking }
    }

    /// What a description says of where functions are found.
    pub(super) fn about(document: &OpenTool) -> String {
        let mut about = format!(" `{SEARCH}` shows the arguments that it takes.");
        if let Some(names) = names(document) {
            about.push_str(" Functions: ");
            about.push_str(&names);
        }
        about
    }

    /// The functions that a query is about, with what a call of them needs.
    pub(super) fn found(&self, arguments: &Map<String, Value>) -> Result<String, ToolError> {
        let query = match arguments.get("query") {
            Some(Value::String(query)) => query,
            Some(_) => return Err(ToolError::invalid_arguments("/query", "expected a string")),
            None => {
                return Err(ToolError::invalid_arguments("/query", "missing: say what the function does"));
            }
        };
        let shown = match arguments.get("limit") {
            None | Some(Value::Null) => SHOWN,
            Some(limit) => limit
                .as_u64()
                .and_then(|limit| usize::try_from(limit).ok())
                .filter(|limit| *limit > 0)
                .ok_or_else(|| {
                    ToolError::invalid_arguments(
                        "/limit",
                        format!("expected an integer from 1 to {MOST_SHOWN}"),
                    )
                })?,
        };
        if let Some(unknown) = arguments.keys().find(|key| !matches!(key.as_str(), "query" | "limit")) {
            return Err(ToolError::invalid_arguments(
                format!("/{unknown}"),
                "unknown argument; `search_tools` takes `query` and `limit`",
            ));
        }
        let found = self.ranking.find(query);
        if found.is_empty() {
            let mut reply = Map::from_iter([("tools".to_owned(), json!([]))]);
            reply.insert("note".to_owned(), json!("No function has a word of the query. Try other words."));
            if let Some(names) = names(&self.document) {
                reply.insert("names".to_owned(), json!(names));
            }
            return Ok(Value::Object(reply).to_string());
        }
        let shown = shown.min(MOST_SHOWN);
        let tools: Vec<Value> =
            found.iter().take(shown).filter_map(|index| described(&self.document, *index)).collect();
        let mut reply = Map::from_iter([("tools".to_owned(), Value::Array(tools))]);
        if found.len() > shown {
            reply.insert("more".to_owned(), json!(found.len() - shown));
        }
        Ok(Value::Object(reply).to_string())
    }
}

/// A function with the schemas of its arguments and of what it returns.
fn described(document: &OpenTool, index: usize) -> Option<Value> {
    // It was made for all functions before, without an error.
    let mut signature = Signature::of(document, document.functions.get(index)?).ok()?;
    let mut tool = Map::new();
    tool.insert("name".to_owned(), json!(signature.name));
    tool.insert("description".to_owned(), json!(signature.description));
    tool.insert("inputSchema".to_owned(), Value::Object(signature.input));
    if let Some(Value::Object(returns)) = signature.output.remove("properties")
        && !returns.is_empty()
    {
        tool.insert("returns".to_owned(), Value::Object(returns));
    }
    Some(Value::Object(tool))
}

/// The names of all functions, if they are short enough to be shown.
fn names(document: &OpenTool) -> Option<String> {
    let names: Vec<&str> = document.functions.iter().map(|function| function.name.as_str()).collect();
    let names = names.join(" ");
    (names.len() <= NAMES).then_some(names)
}

pub(super) fn search_tool(document: &OpenTool) -> Tool {
    let (title, count) = (&document.info.title, document.functions.len());
    let description = format!(
        "Finds functions of {title} by what they do; there are {count}. The reply has the names, and the arguments that \
         `{CALL}` takes for them, the best first."
    );
    let schema = json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What the function does, in a few words, or its name."},
            "limit": {
                "type": "integer", "minimum": 1, "maximum": MOST_SHOWN,
                "description": format!("How many functions to show. Default: {SHOWN}.")
            }
        },
        "required": ["query"],
        "additionalProperties": false
    });
    let schema = match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    };
    let mut tool = Tool::new(SEARCH, description, schema);
    tool.annotations = serde_json::from_value(json!({"readOnlyHint": true, "idempotentHint": true})).ok();
    tool
}
