//! MCP for many clients, over HTTP.

use std::sync::Arc;

use axum::Router;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::handler::Handler;
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

/// Loopback only, and 4 MiB.
impl Default for HttpOptions {
    fn default() -> Self {
        let loopback = ["localhost", "127.0.0.1", "[::1]"];
        Self {
            allowed_hosts: loopback.map(str::to_owned).into(),
            allowed_origins: loopback.map(|host| format!("http://{host}:*")).into(),
            max_body: 4 << 20,
            is_checked: false,
        }
    }
}

/// The route `/mcp`, with the "streamable HTTP" transport of the protocol.
///
/// The route itself requires no key; `Server::routes` adds the keys of the server. There are no sessions, as in
/// revision 2026-07-28, so handles belong to the key of a client, if the tool keeps them apart.
///
/// # Errors
///
/// The functions cannot be listed: a name is not allowed by MCP, or a `$ref` is unresolved or cyclic.
pub fn router(executor: impl Into<Guarded>, options: HttpOptions) -> Result<Router, ExportError> {
    let HttpOptions { allowed_hosts, allowed_origins, max_body, is_checked } = options;
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(allowed_hosts)
        .with_max_request_body_bytes(max_body);
    let config = match is_checked {
        true => config.disable_allowed_origins(),
        false => config.with_allowed_origins(allowed_origins).enforce_origin_validation(),
    };
    let handler = Handler::new(executor.into(), Protocol::McpHttp, Identity::anonymous())?;
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(handler.clone()), sessions, config);
    Ok(Router::new().route_service("/mcp", service))
}
