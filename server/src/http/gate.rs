//! The checks of every request: host, origin, key, type and load; and its line in the log.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use super::connections::Peer;
use super::page;
use super::reply::{holding, refusal};
use super::requests::InProgress;
use super::routes::{Called, Service};
use crate::policy::Identity;

/// Passes a request to its route, or refuses it.
pub(super) async fn gate(State(service): State<Arc<Service>>, mut request: Request, next: Next) -> Response {
    let begin = Instant::now();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let origin = request.headers().get(header::ORIGIN).cloned();
    let mut response = match admitted(&service, &request) {
        Err(response) => *response,
        Ok(identity) => {
            let in_progress = within_limits(&service, &request, &identity);
            request.extensions_mut().insert(identity);
            match in_progress {
                Ok(None) => next.run(request).await,
                Ok(Some(in_progress)) => holding(next.run(request).await, in_progress),
                Err(response) => *response,
            }
        }
    };
    if let Some(origin) = origin.filter(|origin| service.origins.allow(origin)) {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        response.headers_mut().append(header::VARY, HeaderValue::from_static("origin"));
    }
    log(&method, uri.path(), &response, begin);
    response
}

/// Counts a request, or refuses it if too many are in progress. Only calls count, so that an operator can look at a server
/// with much to do, and stop it.
fn within_limits(
    service: &Service,
    request: &Request,
    by: &Identity,
) -> Result<Option<InProgress>, Box<Response>> {
    if let Some(peer) = request.extensions().get::<Arc<Peer>>() {
        peer.has_key();
    }
    if !may_change(request.method()) || request.uri().path() == "/opentool/stop" {
        return Ok(None);
    }
    service.requests.begin(by).map(Some).ok_or_else(|| {
        let message = "too many requests are in progress; try again later";
        let mut response = refusal(StatusCode::SERVICE_UNAVAILABLE, message);
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        Box::new(response)
    })
}

fn may_change(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Whether the body claims to be JSON. Pages of any origin can send other types without asking first.
fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(given), None) = (types.next(), types.next()) else { return false };
    let given = given.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
    given.trim().eq_ignore_ascii_case("application/json")
}

/// Who the request is from, or the reply to a request that goes no further.
fn admitted(service: &Service, request: &Request) -> Result<Identity, Box<Response>> {
    if !service.hosts.allow(request) {
        let message =
            "this server does not have the host name of this request; its operator can add one (--host-name)";
        return Err(Box::new(refusal(StatusCode::FORBIDDEN, message)));
    }
    let headers = request.headers();
    let origin = headers.get(header::ORIGIN);
    let own = |origin| service.has_page && page::is_own(origin, headers, service.has_tls);
    let foreign = origin.is_some_and(|origin| !service.origins.allow(origin) && !own(origin));
    // The files of the page hold nothing of this server, and ask for the key.
    if !foreign
        && service.has_page
        && let Some(response) = page::file(request, !service.keys.is_empty())
    {
        return Err(Box::new(response));
    }
    // Browsers send a preflight request without the key.
    if request.method() == Method::OPTIONS
        && origin.is_some()
        && !foreign
        && let Some(response) = preflight(headers)
    {
        return Err(Box::new(response));
    }
    let authorization = headers.get(header::AUTHORIZATION).map(HeaderValue::as_bytes);
    let Some(identity) = service.keys.admit(authorization) else {
        let message = "this server requires an API key: send `Authorization: Bearer KEY`";
        let mut response = refusal(StatusCode::UNAUTHORIZED, message);
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        return Err(Box::new(response));
    };
    // Any web page can make a browser send requests to this machine, but it cannot hide its origin.
    if foreign {
        let message = "this server does not accept requests from web pages of this origin";
        return Err(Box::new(refusal(StatusCode::FORBIDDEN, message)));
    }
    // A page cannot know a key, but it could make a browser send a request without one. Before DELETE, which ends an MCP
    // session, a browser asks.
    let is_asked = request.method() == Method::DELETE;
    if service.keys.is_empty() && may_change(request.method()) && !is_asked && !is_json(headers) {
        let message = "expected `Content-Type: application/json`";
        return Err(Box::new(refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, message)));
    }
    Ok(identity)
}

fn preflight(headers: &HeaderMap) -> Option<Response> {
    let method = headers.get(header::ACCESS_CONTROL_REQUEST_METHOD)?;
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_METHODS, method.clone());
    if let Some(names) = headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    Some(response)
}

/// Logs refusals at a higher level than calls. Arguments and keys are never logged.
fn log(method: &Method, path: &str, response: &Response, begin: Instant) {
    let status = response.status().as_u16();
    let duration_us = begin.elapsed().as_micros();
    match response.extensions().get::<Called>() {
        Some(Called { function, code }) => {
            tracing::debug!(%method, path, status, ?function, code, duration_us, "request");
        }
        None if status < 400 => tracing::debug!(%method, path, status, duration_us, "request"),
        None => tracing::info!(%method, path, status, duration_us, "request refused"),
    }
}

/// The origins of web pages that may call.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins(Vec<String>);

impl Origins {
    pub(super) fn insert(&mut self, origin: String) {
        self.0.push(origin);
    }

    fn allow(&self, origin: &HeaderValue) -> bool {
        self.0.iter().any(|allowed| allowed == "*" || allowed.as_bytes() == origin.as_bytes())
    }
}
