//! Serves one connection: its requests, one after another, and the limits of its client.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::HttpBody;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::connections::{Admitted, Peer, Watched};
use super::limits::HttpLimits;
use super::listening::Stop;
use super::reply;

/// What all connections of a server share.
#[derive(Clone, Debug)]
pub(super) struct Serving {
    pub router: Router,
    pub limits: HttpLimits,
    pub stop: Stop,
    #[cfg(feature = "tls")]
    pub tls: Option<super::tls::Tls>,
}

impl Serving {
    /// Whether connections are encrypted.
    pub(super) fn is_secret(&self) -> bool {
        #[cfg(feature = "tls")]
        return self.tls.is_some();
        #[cfg(not(feature = "tls"))]
        false
    }

    /// Serves a connection until its client leaves, takes too long, or another connection needs its place.
    pub(super) async fn connection(self, stream: TcpStream, admitted: Admitted) {
        // Otherwise a small reply would wait for the acknowledgement of the previous one.
        let _ = stream.set_nodelay(true);
        #[cfg(feature = "tls")]
        if let Some(tls) = &self.tls {
            let handshake = tokio::time::timeout(self.limits.header, tls.accept(stream));
            let stream = tokio::select! {
                shaken = handshake => shaken,
                () = admitted.peer.closed() => return,
            };
            let Ok(Ok(stream)) = stream else { return };
            return self.requests(stream, &admitted.peer).await;
        }
        self.requests(stream, &admitted.peer).await;
    }

    async fn requests(&self, stream: impl AsyncRead + AsyncWrite + Unpin, peer: &Arc<Peer>) {
        let stream = TokioIo::new(Watched::new(stream, Arc::clone(peer)));
        // Times are kept below: the timer of hyper is the same for an idle connection and half a request.
        let builder = http1::Builder::new();
        let connection = builder.serve_connection(stream, self.service(peer));
        tokio::pin!(connection);
        let asked = self.stop.asked();
        tokio::pin!(asked);
        let (mut is_stopping, look) = (false, self.limits.look());
        loop {
            tokio::select! {
                // An error is that of the client: it left, or sent something that is not HTTP.
                _ = connection.as_mut() => return,
                () = peer.closed() => return,
                () = &mut asked, if !is_stopping => {
                    is_stopping = true;
                    connection.as_mut().graceful_shutdown();
                }
                () = tokio::time::sleep(look) => {
                    if peer.patience(&self.limits).is_some_and(|end| end <= Instant::now()) {
                        return;
                    }
                }
            }
        }
    }

    /// The routes, for requests of `peer`.
    fn service(
        &self,
        peer: &Arc<Peer>,
    ) -> impl Service<axum::http::Request<Incoming>, Response = Response, Error = Infallible, Future: Send> + use<>
    {
        let (routes, peer) = (TowerToHyperService::new(self.router.clone()), Arc::clone(peer));
        service_fn(move |mut request: axum::http::Request<Incoming>| {
            let answering = Peer::answer(&peer, request.body().is_end_stream());
            request.extensions_mut().insert(Arc::clone(&peer));
            let response = routes.call(request);
            async move { Ok(reply::holding(response.await?, answering)) }
        })
    }
}
