//! The routes of the protocol.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::map_request;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Extension, Router};
use futures_util::{Stream, StreamExt, stream};
use serde_json::{Value, json};

use super::connections::Peer;
use super::envelope::Request as Rpc;
use super::gate::{Origins, gate};
use super::hosts::Hosts;
use super::keys::Keys;
use super::limits::HttpLimits;
use super::listening::Stop;
use super::published::Published;
use super::requests::Requests;
use super::{body, page, reply};
use crate::Guarded;
use crate::executor::Watcher;
use crate::guarded::Arrived;
use crate::policy::{Answer, Identity, Protocol};
use crate::reports::{Reports, watch};
use crate::trace::Parent;
use opendyn_source::short::{self, shortened};
use opentool::{Progress, ToolError};

/// The state that the routes share.
pub(super) struct Service {
    pub guarded: Guarded,
    pub keys: Keys,
    pub origins: Origins,
    pub hosts: Hosts,
    /// The requests that may be in progress.
    pub requests: Arc<Requests>,
    pub limits: HttpLimits,
    /// The reply of `/version`.
    pub version: Bytes,
    /// The reply of `/load`.
    pub published: Published,
    pub body_limit: usize,
    /// Whether there is a page for people.
    pub has_page: bool,
    /// Whether the route `/mcp` is there.
    pub has_mcp: bool,
    /// Whether connections are encrypted.
    pub has_tls: bool,
    /// Whether requests may stop the server at all.
    pub stop_allowed: bool,
    pub stop: Stop,
}

/// The call that a response belongs to, for the log.
#[derive(Clone)]
pub(super) struct Called {
    pub function: String,
    /// 0, or the code of the error.
    pub code: i64,
}

impl Called {
    fn new(function: String, code: i64) -> Self {
        Self { function: shortened(function, short::NAME), code }
    }
}

/// The routes and `others`, behind the gate.
pub(super) fn router(service: Arc<Service>, others: Router) -> Router {
    let patience = service.limits.body;
    let others = others.layer(map_request(move |request: Request| async move {
        let peer = request.extensions().get::<Arc<Peer>>().cloned();
        request.map(|body| body::within(body, patience, peer))
    }));
    let page =
        if service.has_page { Router::new().route(page::DATA, get(page::data)) } else { Router::new() };
    page.route("/opentool/version", get(version))
        .route("/opentool/load", get(load))
        .route("/opentool/call", post(call))
        .route("/opentool/streamCall", post(stream_call))
        .route("/opentool/stop", post(stop))
        .route("/metrics", get(metrics))
        .with_state(Arc::clone(&service))
        .merge(others)
        .fallback(no_such_route)
        .method_not_allowed_fallback(no_such_method)
        .layer(axum::middleware::from_fn_with_state(service, gate))
}

async fn version(State(service): State<Arc<Service>>) -> Response {
    reply::json(StatusCode::OK, service.version.clone())
}

async fn load(State(service): State<Arc<Service>>, Extension(by): Extension<Identity>) -> Response {
    let document = service.guarded.document(&by).await;
    match service.published.text(document.as_ref()) {
        Ok(text) => reply::json(StatusCode::OK, text),
        Err(error) => reply::refusal(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

async fn call(
    State(service): State<Arc<Service>>,
    Extension(by): Extension<Identity>,
    request: Request,
) -> Response {
    let parent = caller_span(request.headers());
    let body = match body::read(request, service.body_limit, service.limits.body).await {
        Ok(body) => body,
        Err(refused) => return reply::refusal(refused.status, &refused.message),
    };
    let Rpc { id, method, params } = match Rpc::read(&body) {
        Ok(request) => request,
        Err(malformed) => return reply::malformed(&malformed),
    };
    let outcome = service.call(&by, parent, None, &method, params).await;
    let code = outcome.as_ref().map_or_else(ToolError::code, |_| 0);
    let mut response = reply::json(StatusCode::OK, reply::reply(&outcome, id));
    response.extensions_mut().insert(Called::new(method, code));
    response
}

/// Replies with how far the call is, and at the end with its result, as the events that clients of streams expect.
async fn stream_call(
    State(service): State<Arc<Service>>,
    Extension(by): Extension<Identity>,
    request: Request,
) -> Response {
    let parent = caller_span(request.headers());
    let body = match body::read(request, service.body_limit, service.limits.body).await {
        Ok(body) => body,
        Err(refused) => return reply::refusal(refused.status, &refused.message),
    };
    let (id, method, params) = match Rpc::read(&body) {
        Ok(request) => (request.id.to_owned(), request.method, request.params.map(str::to_owned)),
        Err(malformed) => return reply::malformed(&malformed),
    };
    let called = Called::new(method.clone(), 0);
    let start = reply::event("start", json!({ "start": method }).to_string().into_bytes());
    let (watcher, reports) = watch();
    let end = async move {
        let params = params.as_deref().map_err(Clone::clone);
        let outcome = service.call(&by, parent, Some(watcher), &method, params).await;
        let name = if outcome.is_ok() { "data" } else { "error" };
        let data = reply::event(name, reply::reply(&outcome, &id));
        let done = reply::event("done", json!({ "done": method }).to_string().into_bytes());
        Bytes::from([data, done].concat())
    };
    let events = stream::once(async { start }).chain(told(reports, end)).map(Ok::<_, Infallible>);
    let mut response = reply::of_type(StatusCode::OK, "text/event-stream", Body::from_stream(events));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response.extensions_mut().insert(called);
    response
}

/// The events of a call: those of `reports`, and then what `end` becomes.
fn told(reports: Reports, end: impl Future<Output = Bytes>) -> impl Stream<Item = Bytes> {
    let event = |progress: Progress| {
        reply::event("progress", Value::Object(progress.to_json()).to_string().into_bytes())
    };
    stream::unfold((reports, Some(Box::pin(end))), move |(mut reports, end)| async move {
        let mut end = end?;
        let last = tokio::select! {
            biased;
            Some(progress) = reports.recv() => return Some((event(progress), (reports, Some(end)))),
            last = &mut end => last,
        };
        // The last report came with the end.
        let mut events: Vec<Bytes> = std::iter::from_fn(|| reports.try_recv().ok()).map(event).collect();
        events.push(last);
        Some((events.concat().into(), (reports, None)))
    })
}

async fn stop(State(service): State<Arc<Service>>, Extension(by): Extension<Identity>) -> Response {
    if !service.stop_allowed {
        let message = "this server cannot be stopped by a request, unless it has API keys";
        return reply::refusal(StatusCode::FORBIDDEN, message);
    }
    if !by.may_stop() {
        let message = format!("the key `{}` has no right to stop this server", by.name());
        return reply::refusal(StatusCode::FORBIDDEN, &message);
    }
    service.stop.stop();
    reply::json(StatusCode::OK, r#"{"status":"stopped"}"#)
}

async fn metrics(State(service): State<Arc<Service>>) -> Response {
    // A tool that is being replaced lets its counters wait.
    let text = tokio::task::spawn_blocking(move || service.guarded.metrics()).await.unwrap_or_default();
    reply::of_type(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", text)
}

async fn no_such_route(request: Request) -> Response {
    let message = format!(
        "there is no route `{}`; the routes are GET /opentool/version, GET /opentool/load, POST /opentool/call, \
         POST /opentool/streamCall, POST /opentool/stop, GET /metrics and, for people, GET /",
        shortened(request.uri().path(), short::NAME)
    );
    reply::refusal(StatusCode::NOT_FOUND, &message)
}

async fn no_such_method(request: Request) -> Response {
    let method = shortened(request.method().as_str(), short::NAME);
    let message = format!("{} does not accept {method}", request.uri().path());
    reply::refusal(StatusCode::METHOD_NOT_ALLOWED, &message)
}

/// The span of the caller.
fn caller_span(headers: &HeaderMap) -> Parent {
    Parent::of(|name| headers.get(name).and_then(|value| value.to_str().ok()))
}

impl Service {
    async fn call(
        &self,
        by: &Identity,
        parent: Parent,
        watcher: Option<Watcher>,
        method: &str,
        params: Result<&str, ToolError>,
    ) -> Result<Vec<u8>, ToolError> {
        match params {
            Ok(params) => {
                let (protocol, answer) = (Protocol::OpenTool, Answer::Unasked);
                let arrived = Arrived { by, protocol, answer, parent, watcher };
                self.guarded.call_arrived(&arrived, method, params.as_bytes().to_vec()).await
            }
            Err(error) => {
                self.guarded.refused(by, Protocol::OpenTool, method, &error);
                Err(error)
            }
        }
    }
}
