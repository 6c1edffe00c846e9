//! Many clients, over HTTP.

use std::sync::Arc;

use axum::Router;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::handler::Handler;
use crate::Executor;
use opentool::export::ExportError;

/// Who may ask, and for how much.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HttpOptions {
    /// The names, with or without a port, that a client may have reached us by; any if there are
    /// none. A page that made a name of its own lead to this computer is not among them.
    pub allowed_hosts: Vec<String>,
    /// The pages that may ask from a browser, such as `https://app.example.com:443`, or with any
    /// port `http://localhost:*`. Clients that are no browsers do not say, and may ask.
    pub allowed_origins: Vec<String>,
    /// How many bytes a request may have.
    pub max_body: usize,
}

/// Loopback alone, and 4 MiB.
impl Default for HttpOptions {
    fn default() -> Self {
        let loopback = ["localhost", "127.0.0.1", "[::1]"];
        Self {
            allowed_hosts: loopback.map(str::to_owned).into(),
            allowed_origins: loopback.map(|host| format!("http://{host}:*")).into(),
            max_body: 4 << 20,
        }
    }
}

/// The route `/mcp`, by the protocol's "streamable HTTP".
///
/// Who may call is not asked: `Server::routes` puts it under the keys of the server. There are no
/// sessions, as in revision 2026-07-28, so all clients share the tool, and its handles.
///
/// # Errors
///
/// The document cannot be listed: a name that the protocol refuses, or a `$ref` that leads nowhere.
pub fn router(executor: &Executor, options: HttpOptions) -> Result<Router, ExportError> {
    let HttpOptions { allowed_hosts, allowed_origins, max_body } = options;
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(allowed_hosts)
        .with_allowed_origins(allowed_origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(max_body);
    let handler = Handler::new(executor)?;
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(handler.clone()), sessions, config);
    Ok(Router::new().route_service("/mcp", service))
}
