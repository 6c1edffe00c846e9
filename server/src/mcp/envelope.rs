//! The JSON-RPC request around a call of a tool, as parts of its text.
//!
//! Only what is a call and nothing else is read. Of everything else `rmcp` knows what to do, or what to say.

use std::borrow::Cow;

use rmcp::model::RequestId;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::plain::is_plain_object;

/// A call.
#[derive(Debug)]
pub(super) struct Call<'a> {
    /// A string or an integer, as the reply repeats it.
    pub id: &'a str,
    pub name: &'a str,
    /// A JSON object.
    pub arguments: &'a str,
    pub meta: Meta<'a>,
}

/// What the server reads of `_meta`. Other keys are for others.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Meta<'a> {
    /// Of revision 2026-07-28, as the next one.
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    pub version: Option<&'a str>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub capabilities: Option<&'a RawValue>,
    #[serde(borrow)]
    traceparent: Option<Cow<'a, str>>,
    #[serde(borrow)]
    tracestate: Option<Cow<'a, str>>,
    #[serde(rename = "progressToken")]
    progress: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message<'a> {
    jsonrpc: &'a str,
    #[serde(borrow)]
    id: &'a RawValue,
    method: &'a str,
    #[serde(borrow)]
    params: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params<'a> {
    name: &'a str,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

impl<'a> Call<'a> {
    /// The call in a body; `None` if it is not certain that `rmcp` would find the same one.
    pub(super) fn read(body: &'a [u8]) -> Option<Self> {
        let body = std::str::from_utf8(body).ok()?.trim_ascii();
        let message: Message = read(body)?;
        let params: Params = read(message.params.get())?;
        let arguments = params.arguments.map_or("{}", RawValue::get);
        let is_call = message.jsonrpc == "2.0" && message.method == "tools/call";
        if !is_call || !is_repeated(message.id.get()) || !is_plain_object(arguments) {
            return None;
        }
        let meta = match params.meta.map(RawValue::get) {
            Some(meta) if is_plain_object(meta) => read(meta)?,
            Some(_) => return None,
            None => Meta::default(),
        };
        // Whoever asks for progress may get messages before the reply.
        let is_alone = meta.progress.is_none();
        is_alone.then_some(Self { id: message.id.get(), name: params.name, arguments, meta })
    }
}

impl Call<'_> {
    /// The id as a value.
    pub(super) fn request_id(&self) -> RequestId {
        let text = || RequestId::String(self.id.trim_matches('"').into());
        self.id.parse().map_or_else(|_| text(), RequestId::Number)
    }
}

/// The id of the request that a client no longer wants, if a body says that.
pub(super) fn cancelled(body: &[u8]) -> Option<RequestId> {
    #[derive(Deserialize)]
    struct Notification<'a> {
        method: &'a str,
        params: Params,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Params {
        request_id: RequestId,
    }
    let body = std::str::from_utf8(body).ok()?.trim_ascii();
    let Notification { method, params } = read(body)?;
    (method == "notifications/cancelled").then_some(params.request_id)
}

impl Meta<'_> {
    /// A member that is a text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match name {
            "traceparent" => self.traceparent.as_deref(),
            "tracestate" => self.tracestate.as_deref(),
            _ => None,
        }
    }
}

/// Reads an object. For a struct, serde would also take an array.
fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    text.starts_with('{').then(|| serde_json::from_str(text).ok()).flatten()
}

/// Whether a reply repeats an id letter by letter.
fn is_repeated(id: &str) -> bool {
    match id.as_bytes() {
        [b'"', ..] => !id.contains('\\'),
        _ => id != "-0" && id.parse::<i64>().is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Option<Call<'_>> {
        Call::read(body.as_bytes())
    }

    #[test]
    fn a_call_is_parts_of_its_text() {
        let body = r#" {"params" : { "arguments":{ "a" : 1e1 },"name":"f","_meta":null},"id": -7 ,"method":"tools/call","jsonrpc":"2.0"} "#;
        let call = read(body).expect("a call");
        assert_eq!((call.id, call.name, call.arguments), ("-7", "f", r#"{ "a" : 1e1 }"#));
        assert!(call.meta.version.is_none() && call.meta.capabilities.is_none());
        for arguments in ["", r#","arguments":null"#] {
            let body = format!(
                r#"{{"jsonrpc":"2.0","id":"é","method":"tools/call","params":{{"name":"f"{arguments}}}}}"#
            );
            let call = read(&body).expect("a call");
            assert_eq!((call.id, call.arguments), (r#""é""#, "{}"));
        }
    }

    #[test]
    fn meta_has_the_revision_and_the_span_of_the_caller() {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","_meta":{
            "io.modelcontextprotocol/protocolVersion":"2026-07-28","traceparent":"00-\u0061","other":{"a":1},
            "io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}"#;
        let meta = read(body).expect("a call").meta;
        assert_eq!(meta.version, Some("2026-07-28"));
        assert_eq!(meta.capabilities.map(RawValue::get), Some(r#"{"elicitation":{}}"#));
        assert_eq!([meta.text("traceparent"), meta.text("tracestate")], [Some("00-a"), None]);
    }

    #[test]
    fn what_is_not_only_a_call_is_not_read() {
        for body in [
            "",
            "[]",
            "nonsense",
            r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f"}}]"#,
            r#"["2.0",1,"tools/call",{"name":"f"}]"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["f"]}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f"}} {}"#,
            r#"{"jsonrpc":"2.0.0","id":1,"method":"tools/call","params":{"name":"f"}}"#,
            r#"{"id":1,"method":"tools/call","params":{"name":"f"}}"#,
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"f"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"id":1,"method":"tools/call","params":{"name":"f"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f"},"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":[]}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{"a":1,"a":1}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{"a":1e999}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","requestState":"x"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","task":{}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","_meta":{"progressToken":1}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","_meta":[]}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","_meta":{"traceparent":1}}}"#,
        ] {
            assert!(read(body).is_none(), "{body}");
        }
        for id in ["null", "true", "1.0", "-0", "9223372036854775808", r#""\u0061""#, "[]"] {
            let body =
                format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"f"}}}}"#);
            assert!(read(&body).is_none(), "{body}");
        }
        assert!(
            Call::read(b"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"tools/call\",\"params\":{\"name\":\"f\"}}")
                .is_none()
        );
    }

    #[test]
    fn the_id_of_a_call_is_that_of_the_notification_that_cancels_it() {
        for id in ["1", "-7", r#""1""#, r#""é""#] {
            let call =
                format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"f"}}}}"#);
            let notice = format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"reason":"r","requestId":{id}}}}}"#
            );
            let id = read(&call).expect("a call").request_id();
            assert_eq!(cancelled(notice.as_bytes()), Some(id), "{notice}");
        }
        for other in [
            r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":{"requestId":1}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[1]}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
            "",
        ] {
            assert_eq!(cancelled(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn deep_nesting_does_not_overflow_the_stack() {
        let (open, close) = ("[".repeat(200_000), "]".repeat(200_000));
        for body in [
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"f","arguments":{{"a":{open}{close}}}}}}}"#
            ),
            format!(
                r#"{{"jsonrpc":"2.0","id":{open}{close},"method":"tools/call","params":{{"name":"f"}}}}"#
            ),
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{open}{close}}}"#),
        ] {
            assert!(read(&body).is_none());
        }
    }
}
