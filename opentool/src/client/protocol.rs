//! The requests and replies of the protocol.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::error::{ClientError, NoAccess};
use crate::CallDetails;

/// The number of characters of an error page that are shown.
const PAGE: usize = 200;

#[derive(Serialize)]
struct Request<'c> {
    jsonrpc: &'static str,
    method: &'c str,
    params: &'c RawValue,
    id: &'c str,
}

#[derive(Deserialize)]
struct Reply<'b> {
    #[serde(borrow, default)]
    result: Option<&'b RawValue>,
    #[serde(borrow, default)]
    error: Option<&'b RawValue>,
    #[serde(borrow, default)]
    id: Option<&'b RawValue>,
}

/// A call as JSON-RPC. `arguments` is the text of an object, which is sent unchanged.
pub(super) fn request(method: &str, arguments: &str, id: &str) -> Result<Vec<u8>, ClientError> {
    let no_object = |reason: String| ClientError::Call {
        code: Some(400),
        message: format!("the arguments are not a JSON object{reason}"),
        pointer: Some(String::new()),
        function_code: None,
        details: None,
    };
    let params: &RawValue =
        serde_json::from_str(arguments).map_err(|error| no_object(format!(": {error}")))?;
    if !params.get().starts_with('{') {
        return Err(no_object(String::new()));
    }
    serde_json::to_vec(&Request { jsonrpc: "2.0", method, params, id })
        .map_err(|error| no_object(format!(": {error}")))
}

/// The text of the result in the reply to the call `id`.
///
/// The body is read also with an error status, because the SDKs send JSON-RPC errors with status 400.
pub(super) fn result<'b>(status: u16, body: &'b [u8], id: &str) -> Result<&'b str, ClientError> {
    let body = text(status, body)?;
    let reply: Reply<'_> = match object(body) {
        Ok(reply) => reply,
        Err(_) if !is_success(status) => return Err(refused(status, body)),
        Err(reason) => return Err(ClientError::not_open_tool(reason)),
    };
    if let Some(error) = reply.error {
        return Err(call_error(error.get()));
    }
    if !is_success(status) {
        return Err(refused(status, body));
    }
    let Some(result) = reply.result else { return Err(ClientError::ErrorNull { status }) };
    if let Some(other) = reply.id.filter(|answered| !answers(answered, id)) {
        return Err(ClientError::not_open_tool(format_args!("it answers call {other}, not \"{id}\"")));
    }
    if !result.get().starts_with('{') {
        return Err(ClientError::not_open_tool("`result` is not an object"));
    }
    match not_supported(result) {
        Some(error) => Err(error),
        None => Ok(result.get()),
    }
}

/// The error in an `error` event: a JSON-RPC reply, or only the error, as `code`, `message` and `id`.
pub(super) fn error_event(data: &str) -> ClientError {
    match object::<Reply<'_>>(data) {
        Ok(Reply { error: Some(error), .. }) => call_error(error.get()),
        Ok(_) => call_error(data),
        Err(reason) => ClientError::not_open_tool(reason),
    }
}

/// The error in the result that tools of the SDKs return for an unknown function. Other results with a code and a
/// message are not errors, because a function may return those.
fn not_supported(result: &RawValue) -> Option<ClientError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct NotSupported {
        code: i64,
        message: String,
    }
    let NotSupported { code, message } = serde_json::from_str(result.get()).ok()?;
    let is_error = code == 405 && message.starts_with("Function Not Supported");
    is_error.then(|| call_error(result.get()))
}

/// The text of a reply that is not JSON-RPC.
pub(super) fn plain(status: u16, body: &[u8]) -> Result<&str, ClientError> {
    let body = text(status, body)?;
    if is_success(status) { Ok(body) } else { Err(refused(status, body)) }
}

/// A JSON object. serde would accept other values, such as an array.
pub(super) fn object<'b, T: Deserialize<'b>>(text: &'b str) -> Result<T, String> {
    if !text.trim_start().starts_with('{') {
        return Err(format!("not a JSON object but {}", shown(text)));
    }
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// The members of a result.
pub(super) fn members(result: &str) -> Result<Map<String, Value>, ClientError> {
    serde_json::from_str(result).map_err(ClientError::not_open_tool)
}

fn text(status: u16, body: &[u8]) -> Result<&str, ClientError> {
    if status == 401 {
        return Err(ClientError::Unauthorized);
    }
    let text = match std::str::from_utf8(body) {
        Ok(text) => text,
        Err(_) if !is_success(status) => "",
        Err(error) => return Err(ClientError::not_open_tool(error)),
    };
    if is_success(status) && matches!(text.trim(), "" | "null") {
        return Err(ClientError::ResponseNull { status });
    }
    Ok(text)
}

fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

fn refused(status: u16, body: &str) -> ClientError {
    ClientError::NoAccess(NoAccess::Status { status, page: shown(body) })
}

/// The beginning of a page, on one line.
fn shown(page: &str) -> String {
    let words: Vec<&str> = page.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(PAGE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The error of a reply, an object with `code` and `message`; anything else is shown unchanged.
fn call_error(error: &str) -> ClientError {
    let value: Value = serde_json::from_str(error).unwrap_or(Value::Null);
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let message =
        text("message").or_else(|| value.as_str().map(str::to_owned)).unwrap_or_else(|| shown(error));
    ClientError::Call {
        code: value.get("code").and_then(Value::as_i64),
        message,
        pointer: text("pointer"),
        function_code: value.get("functionCode").and_then(Value::as_i64),
        details: CallDetails::from_json(text("codeName"), value.get("outputs")),
    }
}

/// Whether a reply belongs to the call `id`. Some servers reply to a string with a number, and a server that could
/// not read the request does not know its id.
fn answers(answered: &RawValue, id: &str) -> bool {
    let text = answered.get();
    match serde_json::from_str::<String>(text) {
        Ok(answered) => answered == id,
        Err(_) => text == id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_sent_unchanged() {
        let request = request("add", r#"{"a": 1e2, "b":12345678901234567890}"#, "7").expect("an object");
        assert_eq!(
            String::from_utf8(request).expect("UTF-8"),
            r#"{"jsonrpc":"2.0","method":"add","params":{"a": 1e2, "b":12345678901234567890},"id":"7"}"#
        );
    }

    #[test]
    fn arguments_other_than_an_object_are_not_sent() {
        for arguments in ["[1]", "", "{\"a\":", "1", "{} {}"] {
            let error = request("add", arguments, "7").expect_err(arguments);
            assert_eq!(error.code(), Some(400), "{arguments}: {error}");
        }
    }

    #[test]
    fn a_reply_is_read_as_the_servers_write_it() {
        let nested =
            format!(r#"{{"result":{}1{},"id":"7"}}"#, r#"{"a":"#.repeat(100_000), "}".repeat(100_000));
        for (status, body, expected) in [
            (200, r#"{"jsonrpc":"2.0","result":{"sum":3},"id":"7"}"#, r#"{"sum":3}"#),
            (200, r#"{"jsonrpc":"2.0","result":{"sum":3},"error":null,"id":"7"}"#, r#"{"sum":3}"#),
            (200, r#"{"result":{},"id":7}"#, "{}"),
            (200, r#"{"result":{},"id":null}"#, "{}"),
            (200, r#" {"result":{"a":12345678901234567890}}"#, r#"{"a":12345678901234567890}"#),
        ] {
            assert_eq!(result(status, body.as_bytes(), "7").as_deref(), Ok(expected), "{body}");
        }
        assert!(result(200, nested.as_bytes(), "7").is_ok());
    }

    #[test]
    fn every_reply_without_a_result_is_the_right_error() {
        let status =
            |status, page: &str| ClientError::NoAccess(NoAccess::Status { status, page: page.to_owned() });
        for (code, body, expected) in [
            (200, "", ClientError::ResponseNull { status: 200 }),
            (200, "null", ClientError::ResponseNull { status: 200 }),
            (200, r#"{"jsonrpc":"2.0","id":"7"}"#, ClientError::ErrorNull { status: 200 }),
            (200, r#"{"result":null,"error":null}"#, ClientError::ErrorNull { status: 200 }),
            (401, "<html>", ClientError::Unauthorized),
            (401, r#"{"error":{"code":1,"message":"no"}}"#, ClientError::Unauthorized),
            (404, "<h1>Not\n found</h1>", status(404, "<h1>Not found</h1>")),
            (500, "", status(500, "")),
            (302, r#"{"result":{}}"#, status(302, r#"{"result":{}}"#)),
            (200, r#"{"result":{},"error":{"code":500,"message":"no"}}"#, ClientError::call(500, "no")),
            (
                400,
                r#"{"error":{"code":-32700,"message":"no JSON"},"id":null}"#,
                ClientError::call(-32700, "no JSON"),
            ),
            (200, "<html>", ClientError::not_open_tool("not a JSON object but <html>")),
            (200, r#"{"result":[1]}"#, ClientError::not_open_tool("`result` is not an object")),
            (200, r#"{"result":{},"id":"8"}"#, ClientError::not_open_tool(r#"it answers call "8", not "7""#)),
        ] {
            assert_eq!(result(code, body.as_bytes(), "7"), Err(expected), "{body}");
        }
    }

    #[test]
    fn an_error_of_any_shape_is_shown() {
        for (error, expected) in [
            (r#""broken""#, "broken"),
            (r#"{"code":3}"#, r#"{"code":3}"#),
            ("[1]", "[1]"),
            (r#"{"message":"m","pointer":"/a","functionCode":-5}"#, "m"),
        ] {
            let body = format!(r#"{{"error":{error}}}"#);
            assert_eq!(result(200, body.as_bytes(), "7").expect_err(error).message(), expected);
        }
    }

    #[test]
    fn a_long_page_is_cut() {
        let page = shown(&"é ".repeat(1000));
        assert_eq!(page.chars().count(), PAGE + 1);
    }
}
