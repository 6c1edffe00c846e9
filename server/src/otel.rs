//! Sends the spans of calls to a collector, with OTLP over HTTP.

use std::io;
use std::time::Duration;

use opentelemetry::global;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig};
use opentelemetry_sdk::trace::SdkTracerProvider;

/// Sends what is recorded until it is dropped, which sends the rest.
#[derive(Debug)]
#[must_use = "the spans are sent as long as it lives"]
pub struct Traces(SdkTracerProvider);

/// Sends a span for every call to the collector that the environment names, with the variables of OpenTelemetry:
/// `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, or `OTEL_TRACES_EXPORTER=otlp` for a collector on
/// this machine. `None` if there is none of them, or `OTEL_SDK_DISABLED=true`, or `OTEL_TRACES_EXPORTER=none`.
///
/// A program that has a tracer provider of its own needs not call this: the spans go to the global provider.
///
/// # Errors
///
/// A variable cannot be used.
pub fn traces_from_environment() -> io::Result<Option<Traces>> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let is = |name: &str, value: &str| variable(name).is_some_and(|found| found.eq_ignore_ascii_case(value));
    let named = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
    let wanted = named.iter().any(|name| variable(name).is_some()) || is("OTEL_TRACES_EXPORTER", "otlp");
    if !wanted || is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none") {
        return Ok(None);
    }
    let timeout = variable("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT").or(variable("OTEL_EXPORTER_OTLP_TIMEOUT"));
    let timeout = timeout
        .and_then(|timeout| timeout.parse().ok())
        .map_or(Duration::from_secs(10), Duration::from_millis);
    let agent =
        ureq::Agent::config_builder().timeout_global(Some(timeout)).http_status_as_error(false).build();
    let exporter = SpanExporter::builder().with_http().with_http_client(Client(agent.into())).build();
    let exporter = exporter.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).build();
    global::set_tracer_provider(provider.clone());
    Ok(Some(Traces(provider)))
}

impl Drop for Traces {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown() {
            tracing::warn!(%error, "the last spans may not have arrived");
        }
    }
}

/// The client of the exporter, which calls it on a thread of its own and waits.
#[derive(Debug)]
struct Client(ureq::Agent);

#[async_trait::async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (head, body) = request.into_parts();
        let reply = self.0.run(Request::from_parts(head, body.to_vec()))?;
        let (head, mut body) = reply.into_parts();
        Ok(Response::from_parts(head, Bytes::from(body.read_to_vec()?)))
    }
}
