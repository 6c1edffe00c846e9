//! What a client is offered: the functions, or a search for them, and the tools that are ours. A call of one of those is
//! answered, or made the call that it asks for.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, Tool};
use serde_json::{Map, Value};

use super::calling::{self, Asked, CALL};
use super::large::{Large, READ, may_be_large};
use super::listing;
use super::search::{SEARCH, Search, search_tool};
use crate::policy::Listing;
use opentool::export::{ExportError, Signature};
use opentool::{OpenTool, ToolError};

/// What a server offers besides functions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Offering {
    pub listing: Listing,
    /// Whether calls may take so long that clients had better not wait for them.
    pub has_jobs: bool,
    /// Whether results can be too large to be shown.
    pub is_limited: bool,
}

/// What a client is offered.
pub(super) struct Offer {
    /// The list.
    pub(super) tools: Arc<[Tool]>,
    search: Option<Search>,
    calls: bool,
    has_jobs: bool,
    reads: bool,
}

/// What becomes of a call.
pub(super) enum Taken {
    /// It is answered.
    Answer(CallToolResult),
    /// The function that it names is called.
    Call,
    /// The function is called that its arguments name, which the request names now. The reply comes after this time even if
    /// the call has not ended.
    Within { wait: Option<Duration> },
    /// A call that goes on is waited for.
    Wait { job: String, wait: Duration },
    /// A call that goes on is ended.
    Cancel { job: String },
    /// A part of a result is read.
    Read(Map<String, Value>),
}

/// Whether a call may be one of a tool that is ours.
pub(super) fn is_ours(name: &str) -> bool {
    matches!(name, SEARCH | CALL | READ)
}

impl Offer {
    /// What is offered of `document`, whose hidden functions are left out already.
    pub(super) fn of(document: &OpenTool, offering: &Offering) -> Result<Self, ExportError> {
        let Offering { listing, has_jobs, is_limited } = *offering;
        let has = |name: &str| document.functions.iter().any(|function| function.name == name);
        let can_be_large = |document: &OpenTool| {
            document
                .functions
                .iter()
                .any(|function| function.is_offered() && may_be_large(function, document))
        };
        // A function with the name of such a tool would be out of reach.
        let is_taken = has(SEARCH) || has(CALL);
        let reads = is_limited && !has(READ) && can_be_large(document);
        let (mut tools, search) = match !is_taken && listing.searches(document) {
            false => (listing::tools(document, is_limited)?, None),
            true => {
                // All of them, so that a search finds nothing that cannot be described.
                Signature::offered(document)?;
                let is_listed =
                    |name: &str| document.function(name).is_some_and(|function| function.tool == Some(true));
                let mut listed = document.clone();
                listed.functions.retain(|function| is_listed(&function.name));
                let mut tools = listing::tools(&listed, is_limited)?;
                tools.push(search_tool(document));
                let mut rest = document.clone();
                rest.functions.retain(|function| !is_listed(&function.name));
                (tools, Some(Search::of(rest)))
            }
        };
        let calls = search.is_some() || has_jobs && !is_taken;
        if calls {
            let about = search.as_ref().map(|_| Search::about(document)).unwrap_or_default();
            tools.push(calling::tool(&about, has_jobs));
        }
        if reads {
            tools.push(Large::tool());
        }
        Ok(Self { tools: tools.into(), search, calls, has_jobs, reads })
    }

    /// Whether functions are found by a search.
    pub(super) fn is_searched(&self) -> bool {
        self.search.is_some()
    }

    /// What becomes of a call, which may be one of a tool that is ours.
    pub(super) fn take(&self, request: &mut CallToolRequestParams) -> Taken {
        let mut arguments = || request.arguments.take().unwrap_or_default();
        let taken = match (&*request.name, &self.search) {
            (SEARCH, Some(search)) => search.found(&arguments()).map(|found| Taken::Answer(text(found))),
            (CALL, _) if self.calls => calling::asked(arguments(), self.has_jobs).map(|asked| match asked {
                Asked::Call { name, arguments, wait } => {
                    request.name = name.into();
                    request.arguments = Some(arguments);
                    Taken::Within { wait }
                }
                Asked::Wait { job, wait } => Taken::Wait { job, wait },
                Asked::Cancel { job } => Taken::Cancel { job },
            }),
            (READ, _) if self.reads => Ok(Taken::Read(arguments())),
            _ => Ok(Taken::Call),
        };
        taken.unwrap_or_else(|error| Taken::Answer(refused(&error)))
    }
}

/// What is wrong, for the model to read.
pub(super) fn refused(error: &ToolError) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(error.to_string())])
}

pub(super) fn text(text: String) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document(functions: Value) -> OpenTool {
        let document =
            json!({"opentool": "1.0.0", "info": {"title": "t", "version": "1"}, "functions": functions});
        serde_json::from_value(document).expect("a document")
    }

    fn function(name: &str, kind: &str) -> Value {
        json!({"name": name, "description": "d", "parameters": [], "return": {"name": "r", "schema": {"type": kind}}})
    }

    fn names(document: &OpenTool, offering: Offering) -> Vec<String> {
        let offer = Offer::of(document, &offering).expect("it can be listed");
        offer.tools.iter().map(|tool| tool.name.to_string()).collect()
    }

    const ALL: Offering = Offering { listing: Listing::All, has_jobs: true, is_limited: true };

    #[test]
    fn a_list_has_the_tools_that_are_of_use() {
        let text = document(json!([function("f", "string")]));
        assert_eq!(names(&text, ALL), ["f", CALL, READ]);
        assert_eq!(names(&text, Offering { has_jobs: false, ..ALL }), ["f", READ]);
        assert_eq!(names(&text, Offering { is_limited: false, ..ALL }), ["f", CALL]);
        let number = document(json!([function("f", "integer")]));
        assert_eq!(names(&number, ALL), ["f", CALL], "it is never large");
        assert_eq!(names(&text, Offering { listing: Listing::Search, ..ALL }), [SEARCH, CALL, READ]);
    }

    #[test]
    fn a_function_with_the_name_of_a_tool_is_called() {
        let taken = document(json!([function(READ, "string"), function(CALL, "string")]));
        assert_eq!(names(&taken, ALL), [READ, CALL]);
        let offer = Offer::of(&taken, &ALL).expect("it can be listed");
        for name in [READ, CALL] {
            assert!(matches!(offer.take(&mut CallToolRequestParams::new(name)), Taken::Call));
        }
    }

    #[test]
    fn a_result_that_may_be_too_large_is_not_promised() {
        let both = document(json!([function("text", "string"), function("number", "integer")]));
        let required = |is_limited| {
            let offer = Offer::of(&both, &Offering { is_limited, ..ALL }).expect("it can be listed");
            let has = |tool: &Tool| {
                tool.output_schema.as_ref().is_some_and(|schema| schema.contains_key("required"))
            };
            [has(&offer.tools[0]), has(&offer.tools[1])]
        };
        assert_eq!((required(false), required(true)), ([true, true], [false, true]));
    }
}
