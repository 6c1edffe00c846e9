//! A span of OpenTelemetry for every call, as a child of the caller's span. Without the feature `otel` it is nothing, and
//! costs nothing.
//!
//! The caller's span is in `traceparent` and `tracestate`: headers of OpenTool over HTTP, and in MCP members of `_meta`, or
//! else headers.

use crate::policy::{Identity, Protocol};
use opentool::ToolError;

#[cfg(feature = "otel")]
pub(crate) use recorded::{Parent, Span};
#[cfg(not(feature = "otel"))]
pub(crate) use unrecorded::{Parent, Span};

/// What a span says of its call.
#[cfg_attr(not(feature = "otel"), expect(dead_code, reason = "nothing is recorded"))]
pub(crate) struct Traced<'a> {
    pub by: &'a Identity,
    pub protocol: Protocol,
    pub function: &'a str,
}

#[cfg(feature = "otel")]
mod recorded {
    use opentelemetry::propagation::{Extractor, TextMapPropagator};
    use opentelemetry::trace::{Span as _, SpanKind, Status, Tracer};
    use opentelemetry::{Context, KeyValue, global};
    use opentelemetry_sdk::propagation::TraceContextPropagator;

    use super::{ToolError, Traced};
    use opendyn_source::short::{self, shortened};

    /// The span of the caller, if it has one.
    #[derive(Clone, Default)]
    pub(crate) struct Parent(Context);

    impl Parent {
        /// From `traceparent` and `tracestate`, which `get` finds.
        pub(crate) fn of<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Self {
            let found = Found { traceparent: get("traceparent"), tracestate: get("tracestate") };
            Self(TraceContextPropagator::new().extract_with_context(&Context::new(), &found))
        }

        /// Whether there is one.
        #[cfg(feature = "mcp")]
        pub(crate) fn is_known(&self) -> bool {
            use opentelemetry::trace::TraceContextExt;
            self.0.span().span_context().is_valid()
        }
    }

    struct Found<'a> {
        traceparent: Option<&'a str>,
        tracestate: Option<&'a str>,
    }

    impl Extractor for Found<'_> {
        fn get(&self, key: &str) -> Option<&str> {
            match key {
                "traceparent" => self.traceparent,
                "tracestate" => self.tracestate,
                _ => None,
            }
        }

        fn keys(&self) -> Vec<&str> {
            vec!["traceparent", "tracestate"]
        }
    }

    /// The span of a call.
    pub(crate) struct Span(global::BoxedSpan);

    impl Span {
        pub(crate) fn begin(parent: &Parent, Traced { by, protocol, function }: &Traced<'_>) -> Self {
            let tracer = global::tracer(env!("CARGO_PKG_NAME"));
            // A caller may have made the name up.
            let function = shortened(*function, short::NAME);
            let attributes = [
                KeyValue::new("opentool.function", function.clone()),
                KeyValue::new("opentool.protocol", protocol.name()),
                KeyValue::new("opentool.key", by.name().to_owned()),
            ];
            let span = tracer.span_builder(function).with_kind(SpanKind::Server).with_attributes(attributes);
            Self(tracer.build_with_context(span, &parent.0))
        }

        pub(crate) fn end(&mut self, outcome: &'static str, error: Option<&ToolError>) {
            self.0.set_attribute(KeyValue::new("opentool.outcome", outcome));
            if let Some(error) = error {
                self.0.set_status(Status::error(shortened(error.to_string(), short::MESSAGE)));
            }
            self.0.end();
        }
    }
}

#[cfg(not(feature = "otel"))]
mod unrecorded {
    use super::{ToolError, Traced};

    #[derive(Clone, Default)]
    pub(crate) struct Parent(());

    impl Parent {
        #[cfg(any(feature = "http", feature = "mcp"))]
        pub(crate) fn of<'a>(_: impl Fn(&str) -> Option<&'a str>) -> Self {
            Self(())
        }

        #[cfg(feature = "mcp")]
        pub(crate) fn is_known(&self) -> bool {
            false
        }
    }

    pub(crate) struct Span;

    impl Span {
        pub(crate) fn begin(_: &Parent, _: &Traced<'_>) -> Self {
            Self
        }

        pub(crate) fn end(&mut self, _: &'static str, _: Option<&ToolError>) {}
    }
}
