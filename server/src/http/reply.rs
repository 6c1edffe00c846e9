//! The replies of the server, as text.
//!
//! Results and ids are copied unchanged. Every reply has both `result` and `error`, as the protocol requires.

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_util::StreamExt;
use serde_json::{Map, Value, json};

use super::envelope::Malformed;
use opentool::ToolError;

/// The JSON-RPC reply to a call, with its id.
pub(super) fn reply(outcome: &Result<Vec<u8>, ToolError>, id: &str) -> Vec<u8> {
    match outcome {
        Ok(result) => {
            let mut text = Vec::with_capacity(result.len() + id.len() + 48);
            text.extend_from_slice(br#"{"jsonrpc":"2.0","result":"#);
            text.extend_from_slice(result);
            text.extend_from_slice(br#","error":null,"id":"#);
            text.extend_from_slice(id.as_bytes());
            text.push(b'}');
            text
        }
        Err(error) => failure(error.to_json(), id),
    }
}

fn failure(error: Map<String, Value>, id: &str) -> Vec<u8> {
    let error = Value::Object(error);
    format!(r#"{{"jsonrpc":"2.0","result":{{}},"error":{error},"id":{id}}}"#).into_bytes()
}

/// An event of `streamCall`. No space follows the colons, because clients compare the text exactly.
pub(super) fn event(name: &str, mut data: Vec<u8>) -> Bytes {
    // A line break would end the data. In JSON it can only occur between tokens.
    data.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    let mut text = format!("event:{name}\ndata:").into_bytes();
    text.append(&mut data);
    text.extend_from_slice(b"\n\n");
    text.into()
}

/// A response with a JSON body.
pub(super) fn json(status: StatusCode, body: impl Into<Body>) -> Response {
    of_type(status, "application/json", body)
}

/// A response with a body of another type.
pub(super) fn of_type(status: StatusCode, content_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

/// The response, which holds `guard` until its body has been sent. A body that is there already needs no guard.
pub(super) fn holding(response: Response, guard: impl Send + 'static) -> Response {
    if response.body().size_hint().exact().is_some() {
        return response;
    }
    response.map(|body| {
        let frames = body.into_data_stream().map(move |frame| {
            let _held = &guard;
            frame
        });
        Body::from_stream(frames)
    })
}

/// The reply to an invalid request.
pub(super) fn malformed(malformed: &Malformed<'_>) -> Response {
    let error = Map::from_iter([
        ("code".to_owned(), json!(malformed.code)),
        ("message".to_owned(), json!(malformed.message)),
    ]);
    json(StatusCode::BAD_REQUEST, failure(error, malformed.id))
}

/// The reply to a request that does not reach the tool. The code is the HTTP status.
pub(super) fn refusal(status: StatusCode, message: &str) -> Response {
    let error =
        Map::from_iter([("code".to_owned(), json!(status.as_u16())), ("message".to_owned(), json!(message))]);
    json(status, failure(error, "null"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_has_both_result_and_error() {
        let text = reply(&Ok(br#"{"result":5}"#.to_vec()), "1e2");
        assert_eq!(text, br#"{"jsonrpc":"2.0","result":{"result":5},"error":null,"id":1e2}"#);
        let text = reply(&Err(ToolError::Stopping), r#""a""#);
        assert_eq!(
            String::from_utf8_lossy(&text),
            r#"{"jsonrpc":"2.0","result":{},"error":{"code":503,"message":"the tool is stopping and accepts no more calls"},"id":"a"}"#
        );
    }

    #[test]
    fn an_event_is_one_line_of_data() {
        assert_eq!(event("data", b"{\n\"a\":\r\n1}".to_vec()), "event:data\ndata:{ \"a\":  1}\n\n");
    }
}
