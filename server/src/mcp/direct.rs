//! Calls of tools over HTTP from text to text.
//!
//! `rmcp` makes values of a request and of a result, and a task with channels for each request: six times the instructions
//! of the same call on `/opentool/call`. A request that is a call and nothing else needs none of that. It gets the reply that
//! it would get from `rmcp`; every other request, and one that may get another reply, goes on to `rmcp` as it came.

use std::string::FromUtf8Error;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::{self, HeaderName};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::Response;
use futures_util::{StreamExt, stream};
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ClientCapabilities, ProtocolVersion};

use super::confirm::shows_forms;
use super::envelope::{self, Call, Meta};
use super::handler::{Handler, caller_span, outcome, was_cancelled};
use super::large::has_links;
use super::offer::is_ours;
use super::plain::is_plain_object;
use super::sessions::VERSION;
use crate::policy::{Answer, Identity};
use opentool::ToolError;

const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// The calls of a route.
pub(super) struct Direct {
    pub handler: Handler,
    /// The host names that requests may use; if empty, any.
    pub hosts: Vec<String>,
    /// Whether the origin of a request has been checked.
    pub is_checked: bool,
    /// The maximum size of a request, in bytes.
    pub max_body: usize,
}

impl Direct {
    /// The reply to a call, or the request that another must reply to.
    pub(super) async fn serve(&self, request: Request) -> Result<Response, Request> {
        if !self.is_admitted(&request) {
            return Err(request);
        }
        let (head, body) = request.into_parts();
        let body = match whole(body, self.max_body).await {
            Ok(body) => body,
            Err(body) => return Err(Request::from_parts(head, body)),
        };
        let by = head.extensions.get().cloned().unwrap_or_else(Identity::anonymous);
        match self.call(&head.headers, &by, &body).await {
            Some((call, is_newest)) => Ok(self.reply(&head.headers, &by, &call, is_newest).await),
            None => {
                if let Some(id) = envelope::cancelled(&body) {
                    self.handler.running.cancel(&by, id);
                }
                // Also that: `rmcp` accepts every notification.
                Err(Request::from_parts(head, Body::from(body)))
            }
        }
    }

    /// Whether a request with this head would be read by `rmcp` too.
    fn is_admitted(&self, request: &Request) -> bool {
        let headers = request.headers();
        let is_of = |name, has: fn(&str) -> bool| sole(headers, name).is_some_and(has);
        request.method() == Method::POST
            && (self.is_checked || !headers.contains_key(header::ORIGIN))
            && self.is_host_allowed(headers)
            && is_of(&header::ACCEPT, |accept| {
                accept.contains("application/json") && accept.contains("text/event-stream")
            })
            && is_of(&header::CONTENT_TYPE, |given| given.starts_with("application/json"))
    }

    /// Whether the host name is allowed as it is written.
    fn is_host_allowed(&self, headers: &HeaderMap) -> bool {
        let Some(host) = sole(headers, &header::HOST) else { return false };
        let Ok(host) = host.parse::<Authority>() else { return false };
        let is_name = |name: &String| !name.is_empty() && (name == host.host() || name == host.as_str());
        self.hosts.is_empty() || self.hosts.iter().any(is_name)
    }

    /// The call that a request is, and whether it is of the newest revision; `None` if it is not only a call, or if a person
    /// may have to confirm it.
    async fn call<'a>(&self, headers: &HeaderMap, by: &Identity, body: &'a [u8]) -> Option<(Call<'a>, bool)> {
        // What a tool that is ours answers is made of values.
        let call = Call::read(body).filter(|call| !is_ours(call.name))?;
        let is_newest = is_newest(headers, &call)?;
        // The call of a client that knows tasks may become one.
        let asks = is_newest && self.asks(by, &call).await?;
        (!asks).then_some((call, is_newest))
    }

    async fn reply(&self, headers: &HeaderMap, by: &Identity, call: &Call<'_>, is_newest: bool) -> Response {
        let parent = caller_span(|name| call.meta.text(name), Some(headers));
        let arguments = call.arguments.as_bytes().to_vec();
        let reply = self.handler.call(by, call.name, arguments, Answer::Unasked, parent, None);
        let reply = self.handler.unless_cancelled(by, call.request_id(), reply).await;
        let reply = reply.unwrap_or_else(|| Err(was_cancelled()));
        match self.written(by, call, reply, (headers, is_newest)) {
            Ok(text) => {
                let mut response = Response::new(Body::from(text));
                let json = HeaderValue::from_static("application/json");
                response.headers_mut().insert(header::CONTENT_TYPE, json);
                response
            }
            Err(error) => {
                let mut response = Response::new(Body::from(error.to_string()));
                *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                response
            }
        }
    }

    /// The reply to a call. A result that is not plain, or too large, is written as `rmcp` writes it.
    fn written(
        &self,
        by: &Identity,
        call: &Call<'_>,
        mut reply: Result<Vec<u8>, ToolError>,
        (headers, is_newest): (&HeaderMap, bool),
    ) -> Result<String, serde_json::Error> {
        let Call { id, name, .. } = call;
        let version = sole(headers, &VERSION).and_then(known);
        let large = &self.handler.large;
        if let Some(instead) = large.instead(&by.caller(), name, &mut reply, has_links(version)) {
            return replied(Ok(instead), id, is_newest);
        }
        let reply = match reply.map(String::from_utf8) {
            Ok(Ok(result)) if is_plain_object(&result) => return succeeded(&result, id, is_newest),
            Ok(result) => Ok(result.map_or_else(FromUtf8Error::into_bytes, String::into_bytes)),
            Err(error) => Err(error),
        };
        replied(outcome(reply), id, is_newest)
    }

    /// Whether a person is asked before the call, or the client asks for it later; `None` if it is not known what the client
    /// can.
    async fn asks(&self, by: &Identity, call: &Call<'_>) -> Option<bool> {
        let can: ClientCapabilities = serde_json::from_str(call.meta.capabilities?.get()).ok()?;
        let shows_forms = can.elicitation.as_ref().is_some_and(shows_forms);
        Some(
            can.supports_tasks()
                || shows_forms && self.handler.guarded().to_confirm(by, call.name).await.is_some(),
        )
    }
}

/// Whether a call is of revision 2026-07-28, or else of one with a handshake; `None` if its headers say something else.
fn is_newest(headers: &HeaderMap, call: &Call<'_>) -> Option<bool> {
    let Meta { version, capabilities, .. } = call.meta;
    let given = match headers.contains_key(VERSION) {
        true => sole(headers, &VERSION)?,
        false => ProtocolVersion::V_2025_03_26.as_str(),
    };
    let known = known(given)?;
    if known.has_initialize() {
        // Members of a revision without a handshake mean that the request is of both.
        return (version.is_none() && capabilities.is_none()).then_some(false);
    }
    let is_named = sole(headers, &METHOD) == Some("tools/call")
        && sole(headers, &NAME).is_some_and(|name| name == call.name && !name.starts_with("=?"));
    (*known == ProtocolVersion::V_2026_07_28 && version == Some(given) && is_named).then_some(true)
}

/// The text of a header that is there once.
fn sole<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    value.to_str().ok()
}

/// A body of at most `limit` bytes. A longer one, and one that breaks, is a body that another can read from its begin.
async fn whole(body: Body, limit: usize) -> Result<Bytes, Body> {
    let mut frames = body.into_data_stream();
    let (mut first, mut all) = (Bytes::new(), Vec::new());
    while let Some(frame) = frames.next().await {
        let is_whole = match &frame {
            Ok(frame) => frame.len() <= limit.saturating_sub(first.len().max(all.len())),
            Err(_) => false,
        };
        match frame {
            // Usually there is only one frame, which need not be copied.
            Ok(frame) if is_whole && first.is_empty() => first = frame,
            Ok(frame) if is_whole => {
                if all.is_empty() {
                    all.extend_from_slice(&first);
                }
                all.extend_from_slice(&frame);
            }
            last => {
                let read = if all.is_empty() { first } else { all.into() };
                return Err(Body::from_stream(stream::iter([Ok(read), last]).chain(frames)));
            }
        }
    }
    Ok(if all.is_empty() { first } else { all.into() })
}

fn known(version: &str) -> Option<&'static ProtocolVersion> {
    ProtocolVersion::KNOWN_VERSIONS.iter().find(|known| known.as_str() == version)
}

fn replied(
    reply: Result<CallToolResult, ErrorData>,
    id: &str,
    is_newest: bool,
) -> Result<String, serde_json::Error> {
    let (name, value) = match reply {
        Ok(mut result) => {
            result.result_type.take_if(|_| !is_newest);
            ("result", serde_json::to_string(&result)?)
        }
        Err(error) => ("error", serde_json::to_string(&error)?),
    };
    Ok(format!(r#"{{"jsonrpc":"2.0","id":{id},"{name}":{value}}}"#))
}

/// The reply to a call that succeeded: its result as text, and as a value for clients that read structured content.
fn succeeded(result: &str, id: &str, is_newest: bool) -> Result<String, serde_json::Error> {
    let text = serde_json::to_string(result)?;
    // Only the newest revision has it.
    let kind = if is_newest { r#""resultType":"complete","# } else { "" };
    Ok(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{{kind}"content":[{{"type":"text","text":{text}}}],"structuredContent":{result},"isError":false}}}}"#
    ))
}
