//! Calls that reply with a stream of events.

use std::time::Duration;

use opentool::client::{ClientError, NoAccess, StreamEvent};

use crate::server::{Act, Server, events, json, reply};
use crate::{add, builder, client, no_access};

/// A short description of each event.
fn names(server: &Server) -> Vec<String> {
    let stream = client(server).stream_call(&add()).expect("a stream");
    let name = |event: Result<StreamEvent, ClientError>| match event {
        Ok(StreamEvent::Start { function }) => format!("start {function}"),
        Ok(StreamEvent::Data(data)) => serde_json::Value::Object(data.result).to_string(),
        Ok(StreamEvent::Done { function }) => format!("done {function}"),
        Ok(other) => format!("{other:?}"),
        Err(error) => error.to_string(),
    };
    stream.map(name).collect()
}

#[test]
fn events_are_read_as_the_sdks_write_them() {
    let compact = "event:start\ndata:{\"start\":\"add\"}\n\n\
                   event:data\ndata:{\"jsonrpc\":\"2.0\",\"result\":{\"n\":1},\"id\":\"callId-0\"}\n\n\
                   event:data\ndata:{\"jsonrpc\":\"2.0\",\"result\":{\"n\":2},\"error\":null,\"id\":\"callId-0\"}\n\n\
                   event:done\ndata:{\"done\":\"add\"}\n\n";
    let spaced = compact.replace("event:", "event: ").replace("data:", "data: ");
    let windows = spaced.replace('\n', "\r\n");
    let chatty = format!(": hello\nretry: 10\n\nevent:ping\ndata:1\n\n{compact}event:data\ndata:late\n\n");
    for body in [compact, &spaced, &windows, &chatty] {
        let server = Server::new(vec![events(body)]);
        assert_eq!(names(&server), ["start add", r#"{"n":1}"#, r#"{"n":2}"#, "done add"], "{body}");
        assert_eq!(server.seen()[0].line, "POST /opentool/streamCall HTTP/1.1");
    }
}

#[test]
fn an_error_of_the_tool_does_not_end_the_stream() {
    let body = "event:error\ndata:{\"result\":{},\"error\":{\"code\":500,\"message\":\"oh\"},\"id\":\"callId-0\"}\n\n\
                event:done\ndata:{\"done\":\"add\"}\n\n";
    let server = Server::new(vec![events(body)]);
    assert_eq!(names(&server), ["the server answered with error 500: oh", "done add"]);
}

/// As the Dart SDK does: many events, then the exception of the tool as a flat object, and no `done`.
#[test]
fn an_error_without_done_is_the_end_of_a_stream() {
    let data = "event:start\ndata:{\"start\":\"add\"}\n\n".to_owned()
        + &(1..=3)
            .map(|n| {
                format!("event:data\ndata:{{\"jsonrpc\":\"2.0\",\"result\":{{\"n\":{n}}},\"id\":\"callId-0\"}}\n\n")
            })
            .collect::<String>();
    let said = "the server answered with error 500: oh";
    for error in [
        r#"{"code":500,"message":"oh","id":"callId-0"}"#,
        r#"{"jsonrpc":"2.0","result":{},"error":{"code":500,"message":"oh"},"id":"callId-0"}"#,
    ] {
        let server = Server::new(vec![events(&format!("{data}event:error\ndata:{error}\n\n"))]);
        assert_eq!(names(&server), ["start add", r#"{"n":1}"#, r#"{"n":2}"#, r#"{"n":3}"#, said], "{error}");
    }
}

#[test]
fn a_stream_that_is_cut_ends_in_an_error() {
    for body in
        ["event:start\ndata:{\"start\":\"add\"}\n\n", "event:start\ndata:{\"start\":\"add\"}\n\nevent:da"]
    {
        let server = Server::new(vec![events(body)]);
        let all: Vec<_> = client(&server).stream_call(&add()).expect("a stream").collect();
        let [Ok(StreamEvent::Start { .. }), Err(error)] = &all[..] else { panic!("{all:?}") };
        assert!(matches!(no_access(error.clone()), NoAccess::Broken { .. }), "{error:?}");
    }
}

#[test]
fn data_on_several_lines_is_one_event() {
    let server = Server::new(vec![events("data: {\"result\":\ndata: {\"n\":1}}\n\nevent:done\ndata:{}\n\n")]);
    assert_eq!(names(&server), [r#"{"n":1}"#, "done "]);
}

#[test]
fn a_server_without_streams_answers_at_once() {
    let server = Server::new(vec![json("{\"result\":{\n\"n\":1},\"id\":\"callId-0\"}")]);
    assert_eq!(names(&server), [r#"{"n":1}"#, "done "]);
    let server = Server::new(vec![reply("401 Unauthorized", "text/plain", "")]);
    let error = client(&server).stream_call(&add()).expect_err("no key");
    assert_eq!(error, ClientError::Unauthorized);
}

#[test]
fn an_event_has_a_limit_and_a_stream_has_none() {
    // Comments keep a connection alive and are not events.
    let data = ": still there\n\n: still there\n\nevent:data\ndata:{\"result\":{\"n\":1}}\n\n".repeat(100);
    let server = Server::new(vec![events(&format!("{data}event:data\ndata:{}\n\n", "x".repeat(100)))]);
    let client = builder(&server).response_limit(60).build().expect("a client");
    let mut all: Vec<_> = client.stream_call(&add()).expect("a stream").collect();
    let last = all.pop().expect("an end").expect_err("too long");
    assert_eq!(no_access(last), NoAccess::TooLong { limit: 60 });
    assert_eq!(all.iter().filter(|event| event.is_ok()).count(), 100);
}

#[test]
fn a_stream_may_last_but_not_be_silent() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".to_vec();
    let data = b"event:data\ndata:{\"result\":{}}\n\n".to_vec();
    let mut pieces = vec![head];
    pieces.extend(std::iter::repeat_n(data, 5));
    let server = Server::new(vec![Act::Pieces(Duration::from_millis(150), pieces)]);
    let client = builder(&server).timeout(Duration::from_millis(500)).build().expect("a client");
    let all: Vec<_> = client.stream_call(&add()).expect("a stream").collect();
    assert_eq!(all.iter().filter(|event| event.is_ok()).count(), 5, "{all:?}");

    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".to_vec();
    let server = Server::new(vec![Act::Pieces(Duration::from_secs(2), vec![head, Vec::new()])]);
    let client = builder(&server).timeout(Duration::from_millis(100)).build().expect("a client");
    let mut all = client.stream_call(&add()).expect("a stream");
    let error = all.next().expect("an event").expect_err("it is silent");
    assert_eq!(no_access(error), NoAccess::TimedOut { limit_ms: 100 });
    assert!(all.next().is_none());
}
