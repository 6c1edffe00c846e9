//! The replies to MCP clients, for every transport.

use std::sync::{Arc, Mutex, PoisonError};

use axum::http::HeaderMap;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod, CompleteRequestParams,
    CompleteResult, ContentBlock, CustomRequest, CustomResult, ErrorCode, Implementation,
    InitializeRequestParams, InitializeResult, ListPromptsRequestMethod, ListPromptsResult,
    ListResourceTemplatesRequestMethod, ListResourceTemplatesResult, ListResourcesRequestMethod,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, RequestId, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value, json};

use super::confirm::{Asked, Questions};
use super::instructions::instructions;
use super::listing;
use super::running::Running;
use super::search::{self, Offer, Taken};
use super::sessions::Begun;
use crate::Guarded;
use crate::derived::Derived;
use crate::executor::is_same;
use crate::guarded::Arrived;
use crate::policy::{Answer, Identity, Protocol};
use crate::trace::Parent;
use opendyn_source::short::{self, shortened};
use opentool::export::ExportError;
use opentool::{Info, OpenTool, ToolError};

/// Lists the functions of a document and calls them.
#[derive(Clone)]
pub(super) struct Handler {
    guarded: Guarded,
    protocol: Protocol,
    /// The caller, where the request does not say.
    by: Identity,
    offers: Arc<Derived<(), Arc<Offer>>>,
    /// The document that the client knows.
    known: Arc<Mutex<Option<Arc<OpenTool>>>>,
    about: ServerConfig,
    questions: Arc<Questions>,
    /// Over HTTP, what clients can cancel.
    running: Running,
    /// Whether the client is told that the functions have changed.
    notifies: bool,
}

impl Handler {
    pub(super) fn new(guarded: Guarded, protocol: Protocol, by: Identity) -> Result<Self, ExportError> {
        let mut about = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        about.server_info = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        let document = guarded.load(&by);
        if let Some(document) = &document {
            let Info { title, version, .. } = &document.info;
            about.server_info = Implementation::new(title, version);
            // Functions that MCP cannot list are an error now rather than at the first request.
            let offer = Offer::of(document, guarded.lists())?;
            about.instructions = instructions(document, offer.is_searched());
        }
        let known = Arc::new(Mutex::new(guarded.executor().load()));
        let questions = Arc::new(Questions::new());
        Ok(Self {
            guarded,
            protocol,
            by,
            offers: Arc::default(),
            known,
            about,
            questions,
            running: Running::default(),
            notifies: false,
        })
    }

    /// Tells the client when the functions have changed, if they can. For a handler of one client.
    pub(super) fn notifying(mut self) -> Self {
        self.notifies = self.guarded.executor().can_change();
        if self.notifies {
            self.about.capabilities =
                ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        }
        self
    }

    /// Who makes a request: over HTTP, the owner of its key.
    fn caller(&self, context: &RequestContext<RoleServer>) -> Identity {
        let parts = context.extensions.get::<axum::http::request::Parts>();
        parts.and_then(|parts| parts.extensions.get()).unwrap_or(&self.by).clone()
    }

    pub(super) fn guarded(&self) -> &Guarded {
        &self.guarded
    }

    pub(super) fn running(&self) -> &Running {
        &self.running
    }

    /// Calls a function, however the request was read.
    pub(super) async fn call(
        &self,
        by: &Identity,
        id: RequestId,
        function: &str,
        arguments: Vec<u8>,
        answer: Answer,
        parent: Parent,
    ) -> Result<Vec<u8>, ToolError> {
        let arrived = Arrived { by, protocol: self.protocol, answer, parent };
        let call = self.guarded.call_arrived(&arrived, function, arguments);
        let Some(mut begun) = self.running.begin(by, id) else { return call.await };
        tokio::select! {
            reply = call => reply,
            // That the call is dropped ends it, where it can be ended.
            () = begun.cancelled() => Err(was_cancelled()),
        }
    }

    /// What a caller is offered now. `None` if there is no document, or it has changed to one that MCP cannot list.
    async fn offer(&self, by: &Identity) -> Option<Arc<Offer>> {
        let document = self.guarded.document(by).await?;
        let listing = self.guarded.lists();
        self.offers.get(&document, &(), |document| Offer::of(document, listing).map(Arc::new)).ok()
    }

    /// Whether the functions have changed since this was last asked.
    async fn has_changed(&self) -> bool {
        let document = self.guarded.executor().document().await;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = !is_same(known.as_ref(), document.as_ref());
        *known = document;
        changed
    }

    /// Since revision 2026-07-28 clients subscribe to changes, which this server does not offer.
    async fn notify(&self, context: &RequestContext<RoleServer>) {
        let takes = context.protocol_version().is_some_and(|version| version.has_initialize());
        if self.notifies && takes && self.has_changed().await {
            // The client may be gone; its next request would say so.
            let _ = context.peer.notify_tool_list_changed().await;
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.about.clone()
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let result = self.negotiate_initialize(&request)?;
        context.peer.set_peer_info(request);
        let parts = context.extensions.get::<axum::http::request::Parts>();
        if let Some(begun) = parts.and_then(|parts| parts.extensions.get::<Begun>()) {
            begun.note();
        }
        Ok(result)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        if self.notifies {
            self.has_changed().await;
        }
        let offer = self.offer(&self.caller(&context)).await;
        let tools = offer.map(|offer| Arc::clone(&offer.tools)).unwrap_or_default();
        let Some((tools, next_cursor)) = listing::page(&tools, cursor.as_deref()) else {
            let cursor = shortened(cursor.unwrap_or_default(), short::NAME);
            let message = format!("{cursor:?} is not the cursor of a page");
            return Err(ErrorData::invalid_params(message, None));
        };
        Ok(ListToolsResult { next_cursor, ..ListToolsResult::with_all_items(tools) })
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let by = self.caller(&context);
        let mut is_within = false;
        if search::is_of_search(&request.name)
            && let Some(offer) = self.offer(&by).await
        {
            match offer.take(&mut request) {
                Taken::Answer(answer) => return Ok(answer.into()),
                Taken::Within => is_within = true,
                Taken::Call => {}
            }
        }
        let arguments = Value::Object(request.arguments.take().unwrap_or_default()).to_string();
        let answer = match self.questions.ask(&self.guarded, &by, &request, &arguments, &context).await {
            Asked::Answer(answer) => answer,
            Asked::Question(question) => return Ok(question.into()),
        };
        let parts = context.extensions.get::<axum::http::request::Parts>();
        let parent = caller_span(
            |name| context.meta.get(name).and_then(Value::as_str),
            parts.map(|parts| &parts.headers),
        );
        let id = context.id.clone();
        let call = self.call(&by, id, &request.name, arguments.into_bytes(), answer, parent);
        let reply = tokio::select! {
            reply = call => reply,
            // No reply is sent. That the call is dropped ends it, where it can be ended.
            () = context.ct.cancelled() => Err(was_cancelled()),
        };
        self.notify(&context).await;
        match reply {
            // Its schema promises nothing, so the reply is there once. And the model named the function in an argument.
            reply if is_within => {
                Ok(reply.and_then(as_text).unwrap_or_else(|error| failed_within(&error)).into())
            }
            reply => outcome(reply).map(CallToolResponse::from),
        }
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

fn was_cancelled() -> ToolError {
    ToolError::call_failed("it was cancelled")
}

/// The span of the caller: of the request, whose `_meta` has it, or else of the HTTP request that brought it.
pub(super) fn caller_span<'a>(
    meta: impl Fn(&str) -> Option<&'a str>,
    headers: Option<&'a HeaderMap>,
) -> Parent {
    let parent = Parent::of(meta);
    match headers {
        Some(headers) if !parent.is_known() => {
            Parent::of(|name| headers.get(name).and_then(|value| value.to_str().ok()))
        }
        _ => parent,
    }
}

/// What the client gets of a call.
pub(super) fn outcome(reply: Result<Vec<u8>, ToolError>) -> Result<CallToolResult, ErrorData> {
    match reply.and_then(succeeded) {
        Ok(result) => Ok(result),
        Err(error @ ToolError::UnknownFunction { .. }) => {
            Err(ErrorData::invalid_params(error.to_string(), None))
        }
        // Not a protocol error: the model must see the message to correct its arguments.
        Err(error) => Ok(failed(&error)),
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

/// The same for a model that does not know the names of all functions.
fn failed_within(error: &ToolError) -> CallToolResult {
    match error {
        ToolError::UnknownFunction { .. } => {
            let error = error.to_string();
            let stop = if error.ends_with('?') { "" } else { "." };
            let message = format!("{error}{stop} `search_tools` finds functions by what they do.");
            CallToolResult::error(vec![ContentBlock::text(message)])
        }
        _ => failed(error),
    }
}

/// The reply as text, and as a value for clients that read structured content.
fn succeeded(reply: Vec<u8>) -> Result<CallToolResult, ToolError> {
    let structured: Map<String, Value> = serde_json::from_slice(&reply)
        .map_err(|error| ToolError::call_failed(format!("the result is not a JSON object: {error}")))?;
    let mut result = as_text(reply)?;
    result.structured_content = Some(Value::Object(structured));
    Ok(result)
}

fn as_text(reply: Vec<u8>) -> Result<CallToolResult, ToolError> {
    let text = String::from_utf8(reply)
        .map_err(|error| ToolError::call_failed(format!("the result is not UTF-8: {error}")))?;
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
}
