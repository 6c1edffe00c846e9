//! What the page needs and `/opentool/load` does not say, as JSON.
//!
//! | key | value |
//! |---|---|
//! | `caller` | the name of the key, for people |
//! | `mcp` | the route of MCP, or null |
//! | `refused` | the functions that cannot be called: `name`, `reason`, `questions`, and `by`: `document` or `server` |

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde_json::{Value, json};

use crate::guarded::Unavailable;
use crate::http::reply;
use crate::http::routes::Service;
use crate::policy::Identity;

/// Replies with the data for this caller.
pub(in crate::http) async fn data(
    State(service): State<Arc<Service>>,
    Extension(by): Extension<Identity>,
) -> Response {
    let refused: Vec<Value> = service.guarded.unavailable(&by).await.into_iter().map(written).collect();
    let mcp = service.has_mcp.then_some("/mcp");
    let data = json!({"caller": by.name(), "mcp": mcp, "refused": refused});
    let mut response = reply::json(StatusCode::OK, data.to_string());
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn written(one: Unavailable) -> Value {
    let by = if one.by_server { "server" } else { "document" };
    json!({"name": one.name, "reason": one.reason, "questions": one.questions, "by": by})
}
