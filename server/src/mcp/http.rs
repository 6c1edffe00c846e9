//! MCP for many clients, over HTTP.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::any;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::direct::Direct;
use super::handler::Handler;
use super::sessions::{Sessions, in_session};
use crate::Guarded;
use crate::policy::{Identity, Protocol};
use opentool::export::ExportError;

/// Which clients may send requests, and how large a request may be.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HttpOptions {
    /// The host names, with or without a port, that requests may use; if empty, any. This stops web pages that make their
    /// own host name resolve to this machine.
    pub allowed_hosts: Vec<String>,
    /// The origins of web pages that may send requests, such as `https://app.example.com:443`, or with any port
    /// `http://localhost:*`. Requests without an origin, from other clients than browsers, are accepted.
    pub allowed_origins: Vec<String>,
    /// The maximum size of a request, in bytes.
    pub max_body: usize,
    /// The number of sessions that clients can have open; with 0 there are none. If there are as many, the key with the most
    /// of them loses the one that was idle longest.
    pub max_sessions: usize,
    /// The time without a request after which a session ends.
    pub session_idle: Duration,
    /// Whether a server in front of the route has checked host and origin.
    is_checked: bool,
}

impl HttpOptions {
    /// For the routes of a `Server`, which checks the host and the origin of every request.
    #[cfg(feature = "http")]
    pub(crate) fn behind_server() -> Self {
        Self { allowed_hosts: Vec::new(), allowed_origins: Vec::new(), is_checked: true, ..Self::default() }
    }
}

/// Loopback only, 4 MiB, and 1,000 sessions that end after a day.
impl Default for HttpOptions {
    fn default() -> Self {
        let loopback = ["localhost", "127.0.0.1", "[::1]"];
        Self {
            allowed_hosts: loopback.map(str::to_owned).into(),
            allowed_origins: loopback.map(|host| format!("http://{host}:*")).into(),
            max_body: 4 << 20,
            max_sessions: 1000,
            session_idle: Duration::from_secs(24 * 3600),
            is_checked: false,
        }
    }
}

/// The route `/mcp`, with the "streamable HTTP" transport of the protocol.
///
/// The route itself requires no key; `Server::routes` adds the keys of the server.
///
/// `initialize` begins a session (`Mcp-Session-Id`), whose calls are those of a caller of their own, and can be cancelled by
/// it (`notifications/cancelled`). It is usable only with the key that began it; `DELETE` ends it, and
/// [`Tool::leave`](opentool::Tool::leave) frees what it leaves behind. A request without a session, and one of revision 2026-07-28, which has none, is of the key itself.
///
/// # Errors
///
/// The functions cannot be listed: a name is not allowed by MCP, or a `$ref` is unresolved or cyclic.
pub fn router(executor: impl Into<Guarded>, options: HttpOptions) -> Result<Router, ExportError> {
    let HttpOptions { allowed_hosts, allowed_origins, max_body, max_sessions, session_idle, is_checked } =
        options;
    let guarded = executor.into();
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(allowed_hosts.iter().cloned())
        .with_max_request_body_bytes(max_body);
    let config = match is_checked {
        true => config.disable_allowed_origins(),
        false => config.with_allowed_origins(allowed_origins).enforce_origin_validation(),
    };
    let handler = Handler::new(guarded.clone(), Protocol::McpHttp, Identity::anonymous())?;
    let left = handler.left();
    let direct = Direct { handler: handler.clone(), hosts: allowed_hosts, is_checked, max_body };
    // Those of rmcp keep a task and channels for each client, and a call goes on when its client has left.
    let stateless = Arc::new(NeverSessionManager::default());
    let others = StreamableHttpService::new(move || Ok(handler.clone()), stateless, config);
    let sessions = Sessions::new(guarded, left, max_sessions, session_idle);
    let service = Arc::new(Service { sessions, direct, others });
    Ok(Router::new().route("/mcp", any(serve)).with_state(service))
}

/// What the requests of a route share.
struct Service {
    sessions: Sessions,
    direct: Direct,
    /// What is not only a call.
    others: StreamableHttpService<Handler, NeverSessionManager>,
}

async fn serve(State(service): State<Arc<Service>>, request: Request) -> Response {
    let Service { sessions, direct, others } = &*service;
    let next = async |request| match direct.serve(request).await {
        Ok(response) => response,
        // In a box, because it has the size of everything that a protocol can be asked for.
        Err(request) => Box::pin(others.handle(request)).await.map(Body::new),
    };
    in_session(sessions, request, next).await
}
