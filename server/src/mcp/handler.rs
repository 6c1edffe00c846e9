//! The replies to MCP clients, for every transport.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::HeaderMap;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, CompleteRequestMethod,
    CompleteRequestParams, CompleteResult, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    GetTaskParams, GetTaskResult, Implementation, InitializeRequestParams, InitializeResult,
    ListPromptsRequestMethod, ListPromptsResult, ListResourceTemplatesRequestMethod,
    ListResourceTemplatesResult, ListResourcesRequestMethod, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestMethod, ReadResourceRequestParams, ReadResourceResponse,
    RequestId, ResourcesCapability, ServerCapabilities, ServerConfig, ToolsCapability, UpdateTaskParams,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value, json};

use super::confirm::Questions;
use super::instructions::instructions;
use super::jobs::Jobs;
use super::large::Large;
use super::listing;
use super::offer::{Offer, Offering};
use super::results::Results;
use super::running::Running;
use super::sessions::Begun;
use crate::Guarded;
use crate::derived::Derived;
use crate::executor::{Watcher, is_same};
use crate::guarded::Arrived;
use crate::policy::{Answer, Identity, Protocol};
use crate::trace::Parent;
use opendyn_source::short::{self, shortened};
use opentool::export::ExportError;
use opentool::{Caller, Info, OpenTool, ToolError};

/// Lists the functions of a document and calls them.
#[derive(Clone)]
pub(super) struct Handler {
    pub(super) guarded: Guarded,
    protocol: Protocol,
    /// The caller, where the request does not say.
    by: Identity,
    offers: Arc<Derived<(), Arc<Offer>>>,
    /// The document that the client knows.
    known: Arc<Mutex<Option<Arc<OpenTool>>>>,
    about: ServerConfig,
    pub(super) questions: Arc<Questions>,
    pub(super) jobs: Arc<Jobs>,
    pub(super) large: Large,
    /// Over HTTP, what clients can cancel.
    pub(super) running: Running,
    /// Whether the client is told that the functions have changed.
    notifies: bool,
}

impl Handler {
    pub(super) fn new(guarded: Guarded, protocol: Protocol, by: Identity) -> Result<Self, ExportError> {
        let large = Large::new(guarded.large_result());
        let mut capabilities = ServerCapabilities::builder().enable_tools().enable_tasks().build();
        capabilities.resources = large.is_limited().then(ResourcesCapability::default);
        let mut about = ServerConfig::new(capabilities);
        about.server_info = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        let document = guarded.load(&by);
        if let Some(document) = &document {
            let Info { title, version, .. } = &document.info;
            about.server_info = Implementation::new(title, version);
            // Functions that MCP cannot list are an error now rather than at the first request.
            let offer = Offer::of(document, &offering(&guarded))?;
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
            jobs: Arc::default(),
            large,
            running: Running::default(),
            notifies: false,
        })
    }

    /// Tells the client when the functions have changed, if they can. For a handler of one client.
    pub(super) fn notifying(mut self) -> Self {
        self.notifies = self.guarded.executor().can_change();
        if self.notifies {
            let mut tools = ToolsCapability::default();
            tools.list_changed = Some(true);
            self.about.capabilities.tools = Some(tools);
        }
        self
    }

    /// Who makes a request: over HTTP, the owner of its key.
    pub(super) fn caller(&self, context: &RequestContext<RoleServer>) -> Identity {
        let parts = context.extensions.get::<axum::http::request::Parts>();
        parts.and_then(|parts| parts.extensions.get()).unwrap_or(&self.by).clone()
    }

    pub(super) fn guarded(&self) -> &Guarded {
        &self.guarded
    }

    /// What a caller leaves behind.
    pub(super) fn left(&self) -> Left {
        Left { jobs: Arc::clone(&self.jobs), results: Arc::clone(self.large.results()) }
    }

    /// Calls a function, however the request was read.
    pub(super) async fn call(
        &self,
        by: &Identity,
        function: &str,
        arguments: Vec<u8>,
        answer: Answer,
        parent: Parent,
        watcher: Option<Watcher>,
    ) -> Result<Vec<u8>, ToolError> {
        let arrived = Arrived { by, protocol: self.protocol, answer, parent, watcher };
        self.guarded.call_arrived(&arrived, function, arguments).await
    }

    /// What `work` results in; `None` if the client cancels the request before, in a request of its own.
    pub(super) async fn unless_cancelled<T>(
        &self,
        by: &Identity,
        request: RequestId,
        work: impl Future<Output = T>,
    ) -> Option<T> {
        let Some(mut begun) = self.running.begin(by, request) else { return Some(work.await) };
        tokio::select! {
            result = work => Some(result),
            // That the work is dropped ends the call, where it can be ended.
            () = begun.cancelled() => None,
        }
    }

    /// What a caller is offered now. `None` if there is no document, or it has changed to one that MCP cannot list.
    pub(super) async fn offer(&self, by: &Identity) -> Option<Arc<Offer>> {
        let document = self.guarded.document(by).await?;
        let offering = offering(&self.guarded);
        self.offers.get(&document, &(), |document| Offer::of(document, &offering).map(Arc::new)).ok()
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
    pub(super) async fn notify(&self, context: &RequestContext<RoleServer>) {
        let takes = context.protocol_version().is_some_and(|version| version.has_initialize());
        if self.notifies && takes && self.has_changed().await {
            // The client may be gone; its next request would say so.
            let _ = context.peer.notify_tool_list_changed().await;
        }
    }
}

/// What a server offers besides functions. A client had better not wait for calls that may take more than a minute.
fn offering(guarded: &Guarded) -> Offering {
    let limit = guarded.executor().limits().deadline;
    Offering {
        listing: guarded.lists(),
        has_jobs: limit.is_none_or(|limit| limit > Duration::from_secs(60)),
        is_limited: guarded.large_result().is_some(),
    }
}

/// What callers leave behind besides handles.
#[derive(Default)]
pub(super) struct Left {
    jobs: Arc<Jobs>,
    results: Arc<Results>,
}

impl Left {
    /// It has left.
    pub(super) fn by(&self, caller: &Caller) {
        self.jobs.leave(caller);
        self.results.leave(caller);
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
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // In a box, because it has the size of everything that a call can become.
        Box::pin(self.called(request, &context)).await
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        self.task_now(&request, &context)
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.task_updated(&request, &context)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.task_cancelled(&request, &context)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        if !self.large.is_limited() {
            return Err(ErrorData::method_not_found::<ListResourcesRequestMethod>());
        }
        // Whoever made a call knows its name; others who share a key, or have none, do not see it.
        Ok(ListResourcesResult::with_all_items(Vec::new()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        if !self.large.is_limited() {
            return Err(ErrorData::method_not_found::<ListResourceTemplatesRequestMethod>());
        }
        Ok(ListResourceTemplatesResult::with_all_items(vec![Large::template()]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if !self.large.is_limited() {
            return Err(ErrorData::method_not_found::<ReadResourceRequestMethod>());
        }
        self.large.resource(&self.caller(&context).caller(), &request.uri).map(ReadResourceResponse::from)
    }

    // Without these methods the reply would be an empty list, which suggests that there could be some.

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
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

pub(super) fn was_cancelled() -> ToolError {
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
pub(super) fn failed(error: &ToolError) -> CallToolResult {
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
pub(super) fn failed_within(error: &ToolError) -> CallToolResult {
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

pub(super) fn as_text(reply: Vec<u8>) -> Result<CallToolResult, ToolError> {
    let text = String::from_utf8(reply)
        .map_err(|error| ToolError::call_failed(format!("the result is not UTF-8: {error}")))?;
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
}
