//! The replies to MCP clients, for every transport.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod, CompleteRequestParams,
    CompleteResult, ContentBlock, CustomRequest, CustomResult, ErrorCode, Implementation,
    ListPromptsRequestMethod, ListPromptsResult, ListResourceTemplatesRequestMethod,
    ListResourceTemplatesResult, ListResourcesRequestMethod, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value, json};

use super::listing;
use crate::Executor;
use crate::executor::is_same;
use opendyn_source::short::{self, shortened};
use opentool::export::ExportError;
use opentool::{Info, OpenTool, ToolError};

/// Lists the functions of a document and calls them.
#[derive(Clone)]
pub(super) struct Handler {
    executor: Executor,
    listed: Arc<Mutex<Listed>>,
    about: ServerConfig,
    /// Whether the client is told that the functions have changed.
    notifies: bool,
}

/// A document, and its functions as MCP has them.
struct Listed {
    document: Option<Arc<OpenTool>>,
    tools: Arc<[Tool]>,
}

impl Handler {
    pub(super) fn new(executor: &Executor) -> Result<Self, ExportError> {
        let mut about = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        about.server_info = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        let mut tools = Vec::new();
        let document = executor.load();
        if let Some(document) = &document {
            let Info { title, description, version } = &document.info;
            about.server_info = Implementation::new(title, version);
            about.instructions.clone_from(description);
            tools = listing::tools(document)?;
        }
        let listed = Arc::new(Mutex::new(Listed { document, tools: tools.into() }));
        Ok(Self { executor: executor.clone(), listed, about, notifies: false })
    }

    /// Tells the client when the functions have changed, if they can. For a handler of one client.
    pub(super) fn notifying(mut self) -> Self {
        self.notifies = self.executor.can_change();
        if self.notifies {
            self.about.capabilities =
                ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        }
        self
    }

    /// The functions as they are now, and whether they have changed since they were last asked for.
    async fn tools(&self) -> (Arc<[Tool]>, bool) {
        let document = self.executor.document().await;
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if is_same(listed.document.as_ref(), document.as_ref()) {
            return (Arc::clone(&listed.tools), false);
        }
        let tools = document.as_deref().map_or_else(|| Ok(Vec::new()), listing::tools);
        listed.document = document;
        // Functions that MCP cannot list leave the last ones.
        let Ok(tools) = tools else { return (Arc::clone(&listed.tools), false) };
        listed.tools = tools.into();
        (Arc::clone(&listed.tools), true)
    }

    /// Since revision 2026-07-28 clients subscribe to changes, which this server does not offer.
    async fn notify(&self, context: &RequestContext<RoleServer>) {
        let takes = context.protocol_version().is_some_and(|version| version.has_initialize());
        if self.notifies && takes && self.tools().await.1 {
            // The client may be gone; its next request would say so.
            let _ = context.peer.notify_tool_list_changed().await;
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.about.clone()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let Some((tools, next_cursor)) = listing::page(&self.tools().await.0, cursor.as_deref()) else {
            let cursor = shortened(cursor.unwrap_or_default(), short::NAME);
            let message = format!("{cursor:?} is not the cursor of a page");
            return Err(ErrorData::invalid_params(message, None));
        };
        Ok(ListToolsResult { next_cursor, ..ListToolsResult::with_all_items(tools) })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default()).to_string();
        let reply = self.executor.call(&request.name, arguments.into_bytes()).await;
        self.notify(&context).await;
        let result = match reply {
            Ok(reply) => succeeded(reply),
            Err(error @ ToolError::UnknownFunction { .. }) => {
                return Err(ErrorData::invalid_params(error.to_string(), None));
            }
            Err(error) => Err(error),
        };
        // Not a protocol error: the model must see the message to correct its arguments.
        Ok(result.unwrap_or_else(|error| failed(&error)).into())
    }

    // Only tools are supported. Without these methods the reply would be an empty list, which suggests that there
    // could be some.

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourcesRequestMethod>())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourceTemplatesRequestMethod>())
    }

    /// The reply to an unknown method.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, shortened(request.method, short::NAME), None))
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }
}

/// The message, and behind it the outputs that the function filled although it failed.
fn failed(error: &ToolError) -> CallToolResult {
    let message = ContentBlock::text(error.to_string());
    let outputs = match error {
        ToolError::CallFailed { details: Some(details), .. } if !details.outputs.is_empty() => {
            Some(ContentBlock::text(json!({ "outputs": details.outputs }).to_string()))
        }
        _ => None,
    };
    CallToolResult::error(std::iter::once(message).chain(outputs).collect())
}

/// The reply as text, and as a value for clients that read structured content.
fn succeeded(reply: Vec<u8>) -> Result<CallToolResult, ToolError> {
    let structured: Map<String, Value> = serde_json::from_slice(&reply)
        .map_err(|error| ToolError::call_failed(format!("the result is not a JSON object: {error}")))?;
    let text = String::from_utf8(reply)
        .map_err(|error| ToolError::call_failed(format!("the result is not UTF-8: {error}")))?;
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(Value::Object(structured));
    Ok(result)
}
