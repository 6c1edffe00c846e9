//! Requests over HTTP: retries and size limits.

use std::sync::atomic::Ordering;
use std::time::Duration;

use ureq::http::Response;
use ureq::{Agent, Body, Error};

use super::Client;
use super::error::{ClientError, NoAccess};

/// The delay before the second attempt; it doubles for each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

impl Client {
    pub(super) fn next_id(&self) -> String {
        (self.calls.fetch_add(1, Ordering::Relaxed) + 1).to_string()
    }

    /// Sends a request that may be sent twice.
    pub(super) fn get(&self, route: &str) -> Result<(u16, Vec<u8>), ClientError> {
        self.retried(true, || self.read(self.send(&self.agent, route, None)?))
    }

    /// Sends a request that must not be sent twice.
    pub(super) fn post(&self, route: &str, body: &[u8]) -> Result<(u16, Vec<u8>), ClientError> {
        self.retried(false, || self.read(self.send(&self.agent, route, Some(body))?))
    }

    /// Retries a request that was not sent and, if it is `repeatable`, one that may have been sent.
    pub(super) fn retried<R>(
        &self,
        repeatable: bool,
        attempt: impl Fn() -> Result<R, ClientError>,
    ) -> Result<R, ClientError> {
        let mut pause = FIRST_PAUSE;
        for _ in 0..self.retries {
            match attempt() {
                Err(ClientError::NoAccess(NoAccess::NotConnected { .. })) => {}
                Err(ClientError::NoAccess(NoAccess::Broken { .. })) if repeatable => {}
                done => return done,
            }
            std::thread::sleep(pause);
            pause = pause.saturating_mul(2);
        }
        attempt()
    }

    /// Sends a POST if there is a body, otherwise a GET.
    pub(super) fn send(
        &self,
        agent: &Agent,
        route: &str,
        body: Option<&[u8]>,
    ) -> Result<Response<Body>, ClientError> {
        let url = format!("{}/{route}", self.base_url);
        let key = self.authorization.iter().map(|key| ("authorization", key));
        let response = match body {
            None => key.fold(agent.get(url), |request, (name, key)| request.header(name, key)).call(),
            Some(body) => key
                .fold(agent.post(url), |request, (name, key)| request.header(name, key))
                .content_type("application/json")
                .send(body),
        };
        response.map_err(|error| self.failure(error))
    }

    /// Reads a reply to its end.
    pub(super) fn read(&self, mut response: Response<Body>) -> Result<(u16, Vec<u8>), ClientError> {
        let status = response.status().as_u16();
        // One byte more than the limit, because the reader also looks for the end of a reply of exactly the limit.
        let limit = self.response_limit.saturating_add(1);
        match response.body_mut().with_config().limit(limit).read_to_vec() {
            Ok(body) => Ok((status, body)),
            Err(error) => Err(self.failure(error)),
        }
    }

    pub(super) fn failure(&self, error: Error) -> ClientError {
        use std::io::ErrorKind;
        ClientError::NoAccess(match error {
            Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {
                NoAccess::NotConnected { reason: error.to_string() }
            }
            Error::Timeout(_) => {
                NoAccess::TimedOut { limit_ms: self.timeout.as_millis().try_into().unwrap_or(u64::MAX) }
            }
            Error::Io(io) if io.kind() == ErrorKind::ConnectionRefused => {
                NoAccess::NotConnected { reason: io.to_string() }
            }
            Error::HostNotFound | Error::ConnectionFailed => {
                NoAccess::NotConnected { reason: error.to_string() }
            }
            Error::Tls(_) | Error::Rustls(_) => NoAccess::Broken { reason: error.to_string() },
            Error::Io(io) => NoAccess::Broken { reason: io.to_string() },
            Error::BodyExceedsLimit(_) => NoAccess::TooLong { limit: self.response_limit },
            other => NoAccess::NotOpenTool { reason: other.to_string() },
        })
    }
}
