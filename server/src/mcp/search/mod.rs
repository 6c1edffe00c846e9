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

use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, Tool};
use serde_json::{Map, Value, json};

use super::listing;
use crate::policy::Listing;
use opentool::export::{ExportError, Signature};
use opentool::{OpenTool, ToolError};
use ranking::Ranking;

const SEARCH: &str = "search_tools";
const CALL: &str = "call_tool";

/// How many functions a search shows, unless the client says how many.
const SHOWN: usize = 5;
const MOST_SHOWN: usize = 20;

/// Names are listed if they are no longer than this all together, in bytes.
const NAMES: usize = 3000;

/// What a client is offered.
pub(super) struct Offer {
    /// The list.
    pub(super) tools: Arc<[Tool]>,
    search: Option<Search>,
}

/// The functions that are not listed.
struct Search {
    document: OpenTool,
    ranking: Ranking,
}

/// What becomes of a call.
pub(super) enum Taken {
    /// It is answered.
    Answer(CallToolResult),
    /// The function that it names is called.
    Call,
    /// The function is called that its arguments name, which `request` names now.
    Within,
}

/// Whether a call may be one of the tools of a search.
pub(super) fn is_of_search(name: &str) -> bool {
    matches!(name, SEARCH | CALL)
}

impl Offer {
    /// What is offered of `document`, whose hidden functions are left out already.
    pub(super) fn of(document: &OpenTool, listing: Listing) -> Result<Self, ExportError> {
        // A function with the name of such a tool would be out of reach.
        let is_taken = document.functions.iter().any(|function| is_of_search(&function.name));
        if is_taken || !listing.searches(document) {
            return Ok(Self { tools: listing::tools(document)?.into(), search: None });
        }
        // All of them, so that a search finds nothing that cannot be described.
        Signature::offered(document)?;
        let is_listed =
            |name: &str| document.function(name).is_some_and(|function| function.tool == Some(true));
        let mut listed = document.clone();
        listed.functions.retain(|function| is_listed(&function.name));
        let mut tools = listing::tools(&listed)?;
        tools.extend([search_tool(document), call_tool(document)]);
        let mut rest = document.clone();
        rest.functions.retain(|function| !is_listed(&function.name));
        let ranking = Ranking::of(&rest);
        Ok(Self { tools: tools.into(), search: Some(Search { document: rest, ranking }) })
    }

    /// Whether functions are found by a search.
    pub(super) fn is_searched(&self) -> bool {
        self.search.is_some()
    }

    /// Answers a call of a tool of the search, or makes it the call that it asks for.
    pub(super) fn take(&self, request: &mut CallToolRequestParams) -> Taken {
        let Some(search) = &self.search else { return Taken::Call };
        let arguments = request.arguments.take().unwrap_or_default();
        let taken = match &*request.name {
            SEARCH => search.found(&arguments).map(|found| Taken::Answer(text(found))),
            CALL => within(arguments).map(|(name, arguments)| {
                request.name = name.into();
                request.arguments = Some(arguments);
                Taken::Within
            }),
            _ => {
                request.arguments = Some(arguments);
                Ok(Taken::Call)
            }
        };
        taken.unwrap_or_else(|error| {
            Taken::Answer(CallToolResult::error(vec![ContentBlock::text(error.to_string())]))
        })
    }
}

impl Search {
    /// The functions that a query is about, with what a call of them needs.
    fn found(&self, arguments: &Map<String, Value>) -> Result<String, ToolError> {
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

/// The call that `call_tool` asks for.
fn within(mut arguments: Map<String, Value>) -> Result<(String, Map<String, Value>), ToolError> {
    let name = match arguments.remove("name") {
        Some(Value::String(name)) => name,
        Some(_) => return Err(ToolError::invalid_arguments("/name", "expected a string")),
        None => return Err(ToolError::invalid_arguments("/name", "missing: the name of a function")),
    };
    let given = match arguments.remove("arguments") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(given)) => given,
        // Some models write an object as text.
        Some(Value::String(text)) => serde_json::from_str(&text).map_err(|error| {
            ToolError::invalid_arguments("/arguments", format!("not a JSON object: {error}"))
        })?,
        Some(_) => return Err(ToolError::invalid_arguments("/arguments", "expected an object")),
    };
    match arguments.keys().next() {
        None => Ok((name, given)),
        Some(key) => Err(ToolError::invalid_arguments(
            format!("/{key}"),
            format!("unknown argument; those of `{name}` go into `arguments`"),
        )),
    }
}

/// The names of all functions, if they are short enough to be shown.
fn names(document: &OpenTool) -> Option<String> {
    let names: Vec<&str> = document.functions.iter().map(|function| function.name.as_str()).collect();
    let names = names.join(" ");
    (names.len() <= NAMES).then_some(names)
}

fn search_tool(document: &OpenTool) -> Tool {
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
    tool(SEARCH, description, schema, json!({"readOnlyHint": true, "idempotentHint": true}))
}

fn call_tool(document: &OpenTool) -> Tool {
    let mut description = format!("Calls a function. `{SEARCH}` shows the arguments that it takes.");
    if let Some(names) = names(document) {
        description.push_str(" Functions: ");
        description.push_str(&names);
    }
    let schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "The name of the function."},
            "arguments": {"type": "object", "description": "Its arguments.", "additionalProperties": true}
        },
        "required": ["name"],
        "additionalProperties": false
    });
    tool(CALL, description, schema, json!({}))
}

fn tool(name: &'static str, description: String, schema: Value, annotations: Value) -> Tool {
    let schema = match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    };
    let mut tool = Tool::new(name, description, schema);
    tool.annotations = serde_json::from_value(annotations).ok();
    tool
}

fn text(text: String) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}
