//! The JSON-RPC request around a call.
//!
//! Only its four members are parsed. `params` and `id` stay text: the tool parses `params` itself, and the reply
//! repeats `id` unchanged.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::error::Category;
use serde_json::value::RawValue;

use opentool::ToolError;

/// The code of JSON-RPC for invalid JSON.
pub(super) const PARSE_ERROR: i64 = -32700;
/// The code of JSON-RPC for an invalid request.
pub(super) const INVALID_REQUEST: i64 = -32600;

/// The versions of JSON-RPC that clients send, as JSON. The TypeScript SDK sends the second, and reports a refusal
/// as a missing server.
const VERSIONS: [&str; 2] = [r#""2.0""#, r#""2.0.0""#];

/// A request, as parts of its text.
#[derive(Debug, PartialEq)]
pub(super) struct Request<'a> {
    /// A string, a number, or `null`.
    pub id: &'a str,
    pub method: String,
    /// A JSON object, or the error for the caller.
    pub params: Result<&'a str, ToolError>,
}

/// Why a body is not a request.
#[derive(Debug, PartialEq)]
pub(super) struct Malformed<'a> {
    pub code: i64,
    pub message: String,
    /// The id, if it could be read.
    pub id: &'a str,
}

#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

impl<'a> Request<'a> {
    /// Reads a body. `params` is not parsed, so deep nesting needs no stack.
    pub(super) fn read(body: &'a [u8]) -> Result<Self, Malformed<'a>> {
        match body.trim_ascii_start().first() {
            Some(b'{') => {}
            None => {
                return Err(Malformed::new(PARSE_ERROR, "the body is empty; expected a JSON-RPC request"));
            }
            Some(first) => {
                serde_json::from_slice::<IgnoredAny>(body).map_err(|error| Malformed::json(&error))?;
                let message = match first {
                    b'[' => "batches are not supported: expected one request, an object",
                    _ => "expected a JSON-RPC request, an object",
                };
                return Err(Malformed::new(INVALID_REQUEST, message));
            }
        }
        let members: Members = serde_json::from_slice(body).map_err(|error| Malformed::json(&error))?;
        let id = members.id.map_or("null", RawValue::get);
        if !matches!(id.as_bytes().first(), Some(b'"' | b'-' | b'0'..=b'9')) && id != "null" {
            return Err(Malformed::new(INVALID_REQUEST, "/id: expected a string, a number or null"));
        }
        let invalid = |message| Malformed { id, ..Malformed::new(INVALID_REQUEST, message) };
        if !members.jsonrpc.is_some_and(|version| VERSIONS.contains(&version.get())) {
            return Err(invalid(r#"/jsonrpc: expected "2.0""#));
        }
        let method = members.method.and_then(|method| serde_json::from_str(method.get()).ok());
        let method = method.ok_or_else(|| invalid("/method: expected the name of a function, a string"))?;
        let params = members.params.map_or("{}", RawValue::get);
        let params = match params.as_bytes().first() {
            Some(b'{') => Ok(params),
            Some(b'[') => Err(ToolError::invalid_arguments(
                "",
                "expected an object with arguments by name, got an array",
            )),
            _ => return Err(invalid("/params: expected an object with arguments by name")),
        };
        Ok(Self { id, method, params })
    }
}

impl Malformed<'_> {
    fn new(code: i64, message: &str) -> Self {
        Self { code, message: message.to_owned(), id: "null" }
    }

    /// JSON of the wrong shape is an invalid request.
    fn json(error: &serde_json::Error) -> Self {
        match error.classify() {
            Category::Data => Self::new(INVALID_REQUEST, &format!("not a JSON-RPC request: {error}")),
            _ => Self::new(PARSE_ERROR, &format!("the body is not JSON: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(body: &str) -> (i64, String, &str) {
        let malformed = Request::read(body.as_bytes()).expect_err(body);
        (malformed.code, malformed.message, malformed.id)
    }

    #[test]
    fn ids_are_not_changed() {
        for id in [r#""a\u0062""#, "1", "-0", "1.50e3", "123456789012345678901234567890", "null"] {
            let body = format!(r#" {{"id" : {id} ,"jsonrpc":"2.0","method":"f"}}"#);
            assert_eq!(Request::read(body.as_bytes()).map(|request| request.id), Ok(id));
        }
        let request = Request::read(br#"{"jsonrpc":"2.0","method":"f"}"#).expect("a request");
        assert_eq!(request.id, "null");
    }

    #[test]
    fn absent_params_are_an_empty_object() {
        for body in [r#"{"jsonrpc":"2.0","method":"f"}"#, r#"{"jsonrpc":"2.0","method":"f","params":null}"#] {
            assert_eq!(Request::read(body.as_bytes()).expect("a request").params, Ok("{}"));
        }
    }

    #[test]
    fn params_are_not_reformatted() {
        let body =
            br#"{"jsonrpc":"2.0","method":"\u0066","params":{ "a" : 1.0e1 , "a":[]},"id":1,"more":{}}"#;
        let request = Request::read(body).expect("a request");
        assert_eq!((request.params, request.method.as_str()), (Ok(r#"{ "a" : 1.0e1 , "a":[]}"#), "f"));
    }

    #[test]
    fn an_array_of_params_is_an_error_of_the_call() {
        let request =
            Request::read(br#"{"jsonrpc":"2.0","method":"f","params":[1],"id":1}"#).expect("a request");
        let error = request.params.expect_err("an array");
        assert_eq!(
            error.to_string(),
            "invalid arguments: expected an object with arguments by name, got an array"
        );
    }

    #[test]
    fn invalid_json_is_a_parse_error_with_its_place() {
        for (body, place) in [
            ("", "empty"),
            ("nonsense", "line 1 column 2"),
            ("{\n\"a\":}", "line 2 column 5"),
            (r#"{"jsonrpc":"2.0""#, "line 1 column 16"),
            (r#"{} x"#, "line 1 column 4"),
            ("[[[[", "line 1 column 4"),
            ("{\"a\":01}", "line 1 column 7"),
        ] {
            let (code, message, id) = refused(body);
            assert_eq!((code, id), (PARSE_ERROR, "null"), "{body}");
            assert!(message.contains(place), "{body}: {message}");
        }
        let malformed = Request::read(b"{\"jsonrpc\":\"\xff\"}").expect_err("not UTF-8");
        assert_eq!(malformed.code, PARSE_ERROR);
    }

    #[test]
    fn an_invalid_request_is_reported_with_its_place() {
        for (body, place, id) in [
            ("1", "expected a JSON-RPC request, an object", "null"),
            ("[]", "batches are not supported", "null"),
            ("{}", "/jsonrpc", "null"),
            (r#"{"jsonrpc":"1.0","method":"f","id":"x"}"#, "/jsonrpc", r#""x""#),
            (r#"{"jsonrpc":"2.0","id":7}"#, "/method", "7"),
            (r#"{"jsonrpc":"2.0","method":1,"id":7}"#, "/method", "7"),
            (r#"{"jsonrpc":"2.0","method":"f","params":"x","id":7}"#, "/params", "7"),
            (r#"{"jsonrpc":"2.0","method":"f","id":{}}"#, "/id", "null"),
            (r#"{"jsonrpc":"2.0","method":"f","id":true}"#, "/id", "null"),
            (r#"{"id":1,"id":2}"#, "duplicate field `id`", "null"),
        ] {
            let (code, message, echoed) = refused(body);
            assert_eq!((code, echoed), (INVALID_REQUEST, id), "{body}");
            assert!(message.contains(place), "{body}: {message}");
        }
    }

    #[test]
    fn deep_nesting_does_not_overflow_the_stack() {
        let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
        let body =
            format!(r#"{{"jsonrpc":"2.0","method":"f","params":{{"a":{open}{close}}},"id":{open}{close}}}"#);
        assert_eq!(refused(&body).0, INVALID_REQUEST);
        assert_eq!(refused(&open).0, PARSE_ERROR);
        assert_eq!(refused(&format!("{open}{close}")).0, INVALID_REQUEST);
    }
}
