//! The OpenTool server: the routes of the protocol over HTTP, in front of an [`Executor`].
//!
//! [`Server`] has the settings, [`Listening`] is a server with its port. A connection is one of `connections`, and
//! `serving` serves its requests. A request passes `gate` (host, origin, key, load, log), `routes`, `body` (size limit), `envelope` (JSON-RPC), the executor and `reply`.

mod body;
mod connections;
mod envelope;
mod gate;
mod hosts;
mod keys;
mod limits;
mod listening;
mod page;
mod published;
mod reply;
mod requests;
mod routes;
mod serving;
#[cfg(feature = "tls")]
mod tls;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::net::TcpListener;

pub use limits::HttpLimits;
pub use listening::{Listening, Stop};

use crate::{Executor, Guarded};
use gate::Origins;
use hosts::Hosts;
use keys::Keys;
use opentool::Tool;
use published::Published;
use requests::Requests;
use routes::Service;
use serving::Serving;

/// The default port of OpenTool servers.
pub const DEFAULT_PORT: u16 = 17001;

/// The default maximum size of a request body, in bytes.
pub const DEFAULT_BODY_LIMIT: usize = 1 << 20;

/// A server without keys would listen on an address that other machines can reach. It is inside the error of
/// [`Server::bind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenToAll {
    /// The address.
    pub address: SocketAddr,
}

impl std::fmt::Display for OpenToAll {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "without an API key, everyone who can reach {} could call", self.address)
    }
}

impl std::error::Error for OpenToAll {}

/// The settings of a server.
///
/// By default it listens on the loopback address and requires no key.
///
/// | route | reply |
/// |---|---|
/// | `GET /opentool/version` | `{"version": …}` |
/// | `GET /opentool/load` | the OpenTool document, or `{}` |
/// | `POST /opentool/call` | the JSON-RPC reply to a JSON-RPC request |
/// | `POST /opentool/streamCall` | the same as events: `start`, `data` or `error`, `done` |
/// | `POST /opentool/stop` | `{"status":"stopped"}`; the server stops |
/// | `GET /metrics` | counts and durations of calls, for Prometheus |
/// | `GET /` | a page for people, which tries the functions in a browser |
/// | `GET /page/data` | what the page needs beyond the document |
///
/// An error of the tool has HTTP status 200 and `error` set, as OpenTool clients expect. An invalid JSON-RPC request
/// is 400, a missing or wrong key 401, a web page of a foreign origin or an unknown host name 403, a body beyond the
/// limit 413, a body that is not JSON on a server without keys 415, too many requests 503.
///
/// ```no_run
/// use opentool::MapTool;
/// use opentool_server::Server;
///
/// let echo = MapTool::new(|_, arguments| Ok(arguments.clone()));
/// Server::serial(echo).key("secret").run(|address| println!("listening on {address}"))?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Server {
    guarded: Guarded,
    host: String,
    port: u16,
    version: String,
    keys: Keys,
    empty_key: bool,
    key_file: Option<PathBuf>,
    origins: Origins,
    hosts: Hosts,
    needs_no_key: bool,
    limits: HttpLimits,
    #[cfg(feature = "tls")]
    certificate: Option<tls::Certificate>,
    body_limit: usize,
    stop_allowed: Option<bool>,
    grace: Duration,
    has_page: bool,
    has_mcp: bool,
    others: axum::Router,
}

impl Server {
    /// Serves the tool of an [`Executor`], or of one behind rules ([`Guarded`]). The server stops it when it ends.
    #[must_use]
    pub fn new(executor: impl Into<Guarded>) -> Self {
        Self {
            guarded: executor.into(),
            host: "127.0.0.1".to_owned(),
            port: DEFAULT_PORT,
            version: "1.0.0".to_owned(),
            keys: Keys::default(),
            empty_key: false,
            key_file: None,
            origins: Origins::default(),
            hosts: Hosts::default(),
            needs_no_key: false,
            limits: HttpLimits::default(),
            #[cfg(feature = "tls")]
            certificate: None,
            body_limit: DEFAULT_BODY_LIMIT,
            stop_allowed: None,
            grace: Duration::from_secs(5),
            has_page: true,
            has_mcp: false,
            others: axum::Router::new(),
        }
    }

    /// Serves `tool`, one call at a time.
    #[must_use]
    pub fn serial(tool: impl Tool + Send + 'static) -> Self {
        Self::new(Executor::serial(tool))
    }

    /// Sets the name or address to listen on. If it is not a loopback address, other machines can reach the server, and
    /// it should have keys.
    #[must_use]
    pub fn host(self, host: impl Into<String>) -> Self {
        Self { host: host.into(), ..self }
    }

    /// Sets the port to listen on; 0 chooses a free one.
    #[must_use]
    pub fn port(self, port: u16) -> Self {
        Self { port, ..self }
    }

    /// Sets the version that `/version` reports, such as `1.0.0`.
    #[must_use]
    pub fn version(self, version: impl Into<String>) -> Self {
        Self { version: version.into(), ..self }
    }

    /// Adds a key. Every request must then have one of the keys.
    #[must_use]
    pub fn key(mut self, key: impl AsRef<str>) -> Self {
        self.empty_key |= key.as_ref().trim().is_empty();
        self.keys.insert(key.as_ref().trim());
        self
    }

    /// Adds the keys of a [`KeyFile`](crate::KeyFile), with their rights. Every request must then have one of the keys, even
    /// if the file has none. If the file changes, it is read again within a second.
    #[must_use]
    pub fn key_file(self, path: impl Into<PathBuf>) -> Self {
        Self { key_file: Some(path.into()), ..self }
    }

    /// Adds an origin of web pages that may call, such as `https://example.com`; `*` allows all. By default requests from
    /// web pages are refused.
    #[must_use]
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.insert(origin.into());
        self
    }

    /// Adds a host name that requests may use, such as `tools.example.com`. By default they may use any address,
    /// `localhost`, and the name that the server listens on: so a web page cannot reach the server under its own name.
    #[must_use]
    pub fn host_name(mut self, name: impl AsRef<str>) -> Self {
        self.hosts.insert(name.as_ref());
        self
    }

    /// Listens on an address that is not a loopback address even without a key. By default [`Server::bind`] refuses that.
    #[must_use]
    pub fn allow_no_key(self, allowed: bool) -> Self {
        Self { needs_no_key: allowed, ..self }
    }

    /// Sets the limits of connections and requests.
    #[must_use]
    pub fn http_limits(self, limits: HttpLimits) -> Self {
        Self { limits, ..self }
    }

    /// Serves HTTPS, with the certificate chain and its private key in PEM files. They are read when the server starts.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn tls(self, chain: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        let certificate = tls::Certificate { chain: chain.into(), key: key.into() };
        Self { certificate: Some(certificate), ..self }
    }

    /// Sets the maximum size of a request body, in bytes.
    #[must_use]
    pub fn body_limit(self, body_limit: usize) -> Self {
        Self { body_limit, ..self }
    }

    /// Sets whether `/stop` stops the server. By default it does only if there are keys.
    #[must_use]
    pub fn allow_stop(self, allowed: bool) -> Self {
        Self { stop_allowed: Some(allowed), ..self }
    }

    /// Sets how long the server waits for requests when it is stopped, before it cancels their calls: 5 seconds by default.
    /// It then ends at most [`Executor::ENDING`] later.
    #[must_use]
    pub fn grace(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }

    /// Sets whether there is a page for people at `/`, with its files in `/page/`; there is one by default. Its files need no
    /// key; what it shows does. Without it, routes of others can have these paths.
    #[must_use]
    pub fn page(self, has_page: bool) -> Self {
        Self { has_page, ..self }
    }

    /// Adds further routes, which require the same keys. With [`Server::run`] their handlers can run in a runtime of one thread,
    /// which also makes calls: they must not block, and cannot use `tokio::task::block_in_place`.
    #[must_use]
    pub fn routes(self, others: axum::Router) -> Self {
        Self { others: self.others.merge(others), ..self }
    }

    /// Adds the route `/mcp`, which the page names.
    #[cfg(feature = "mcp")]
    pub(crate) fn with_mcp(self, router: axum::Router) -> Self {
        Self { has_mcp: true, ..self.routes(router) }
    }

    /// Binds the port.
    ///
    /// # Errors
    ///
    /// A key is empty, the key file cannot be used, the host is unknown, the port is taken, the certificate
    /// cannot be used, or the address is [`OpenToAll`].
    pub async fn bind(mut self) -> io::Result<Listening> {
        if self.empty_key {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "an API key is empty"));
        }
        if let Some(path) = self.key_file.take() {
            self.keys.read(path).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        }
        let place = (self.host.as_str(), self.port);
        let listener = TcpListener::bind(place).await.map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("cannot listen on {} port {}: {error}", self.host, self.port),
            )
        })?;
        let address = listener.local_addr()?;
        if self.keys.is_empty() && !self.needs_no_key && !address.ip().to_canonical().is_loopback() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, OpenToAll { address }));
        }
        #[cfg(feature = "tls")]
        let tls = self.certificate.as_ref().map(tls::Tls::read).transpose()?;
        #[cfg(feature = "tls")]
        let has_tls = tls.is_some();
        #[cfg(not(feature = "tls"))]
        let has_tls = false;
        self.hosts.insert(&self.host);
        let limits = self.limits.within_descriptors();
        let stop = Stop::new();
        let published = Published::default();
        // A document that cannot be written is an error now rather than at the first request.
        published.text(self.guarded.executor().document().await.as_ref())?;
        let service = Service {
            guarded: self.guarded.clone(),
            version: json!({ "version": self.version }).to_string().into(),
            published,
            body_limit: self.body_limit,
            has_page: self.has_page,
            has_mcp: self.has_mcp,
            has_tls,
            stop_allowed: self.stop_allowed.unwrap_or(!self.keys.is_empty()),
            stop: stop.clone(),
            keys: self.keys,
            origins: self.origins,
            hosts: self.hosts,
            requests: Requests::new(limits.requests),
            limits,
        };
        let router = routes::router(Arc::new(service), self.others);
        let serving = Serving {
            router,
            limits,
            stop,
            #[cfg(feature = "tls")]
            tls,
        };
        let executor = self.guarded.executor().clone();
        Ok(Listening { listener, serving, executor, at_home: false, grace: self.grace })
    }

    /// Serves until `/stop`, Ctrl-C or SIGTERM, in its own runtime, and passes the address to `ready`. The first connections are
    /// served by the thread that makes calls, so that a lone client's call needs no other. A second Ctrl-C or
    /// SIGTERM ends it without waiting for requests and calls.
    ///
    /// # Errors
    ///
    /// The same as for [`Server::bind`], or the listener fails.
    pub fn run(self, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
        // With more threads than the tool keeps busy, threads would only wake each other.
        let threads = std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).clamp(1, 4));
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
        let result = runtime.block_on(async {
            let mut listening = self.bind().await?;
            listening.at_home = true;
            ready(listening.address()?);
            let stop = listening.stop_handle();
            tokio::select! {
                result = listening.run() => result,
                () = async {
                    listening::signal().await;
                    stop.stop();
                    listening::signal().await;
                } => Ok(()),
            }
        });
        // A hanging connection must not keep the process alive.
        runtime.shutdown_background();
        result
    }
}
