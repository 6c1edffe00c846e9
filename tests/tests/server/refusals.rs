//! Refused requests: the status, the code, and a message that names the place.

use crate::http::{call, get, post, start};
use crate::server;

#[test]
fn an_error_of_the_tool_is_http_200_with_its_code_and_place() {
    let running = start(server());
    for (method, params, code, message) in [
        ("shape_divide", r#"{"a":"17","b":5}"#, 400, r#"/a: "17" is a string; expected an integer"#),
        ("shape_divide", r#"{"a":17}"#, 400, "/b: "),
        ("shape_divide", r#"{"a":17,"b":5,"c":1}"#, 400, "/c: unknown argument"),
        ("shape_divide", r#"{"a":3000000000,"b":5}"#, 400, "/a: 3000000000 does not fit int"),
        ("shape_divide", "[17,5]", 400, "expected an object with arguments by name, got an array"),
        ("shape_divid", "{}", 405, "unknown function `shape_divid`; did you mean `shape_divide`?"),
        ("null_text", "{}", 500, "NULL"),
    ] {
        let response = running.send(&call(method, params, "7"));
        let error = response.error();
        assert_eq!((error.0, error.1), (200, code), "{method} {params}");
        assert!(error.2.contains(message), "{method} {params}: {}", error.2);
        assert_eq!(response.json()["id"], 7);
    }
}

#[test]
fn names_of_a_megabyte_are_refused_at_once_in_a_short_message() {
    let running = start(server());
    let long = "x".repeat(900_000);
    for (method, params, code) in [
        (&*long, "{}".to_owned(), 405),
        ("shape_divide", format!(r#"{{"a":17,"b":5,"{long}":1}}"#), 400),
        ("shape_divide", format!(r#"{{"a":"{long}","b":5}}"#), 400),
    ] {
        let begin = std::time::Instant::now();
        let response = running.send(&call(method, &params, "7"));
        assert_eq!(response.error().1, code);
        assert!(response.text().len() < 6000, "{:.200}", response.text());
        assert!(begin.elapsed().as_secs() < 5, "{:?}", begin.elapsed());
    }
}

#[test]
fn an_invalid_request_is_http_400_with_a_code_of_json_rpc() {
    let running = start(server());
    for path in ["/opentool/call", "/opentool/streamCall"] {
        for (body, code, message) in [
            ("", -32700, "empty"),
            ("nonsense", -32700, "line 1 column 2"),
            ("{\"jsonrpc\":\"2.0\",\n\"method\":}", -32700, "line 2 column 10"),
            ("7", -32600, "an object"),
            (r#"[{"jsonrpc":"2.0","method":"shape_get","id":1}]"#, -32600, "batches are not supported"),
            (r#"{"method":"shape_get","id":1}"#, -32600, "/jsonrpc"),
            (r#"{"jsonrpc":"2.0","id":1}"#, -32600, "/method"),
            (r#"{"jsonrpc":"2.0","method":"shape_get","params":7,"id":1}"#, -32600, "/params"),
            (r#"{"jsonrpc":"2.0","method":"shape_get","id":[]}"#, -32600, "/id"),
        ] {
            let error = running.send(&post(path, body)).error();
            assert_eq!((error.0, error.1), (400, code), "{body}");
            assert!(error.2.contains(message), "{body}: {}", error.2);
        }
        let error = running.send(&post(path, b"{\"jsonrpc\":\"\xff\"}")).error();
        assert_eq!((error.0, error.1), (400, -32700), "not UTF-8");
    }
}

#[test]
fn nesting_a_hundred_thousand_deep_is_refused_wherever_it_stands() {
    let running = start(server());
    let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
    let deep = format!("{open}{close}");
    let objects = format!("{}1{}", r#"{"a":"#.repeat(100_000), "}".repeat(100_000));
    for (params, place) in [
        (format!(r#"{{"text":{deep}}}"#), "/text"),
        (format!(r#"{{"unknown":{deep}}}"#), "/unknown"),
        (objects, "/a"),
    ] {
        let error = running.send(&call("echo", &params, "1")).error();
        assert_eq!((error.0, error.1), (200, 400));
        assert!(error.2.contains(place), "{}", &error.2[..error.2.len().min(200)]);
    }
    for (body, code) in [
        (deep.clone(), -32600),
        (open, -32700),
        (format!(r#"{{"jsonrpc":"2.0","method":"echo","id":{deep}}}"#), -32600),
        (format!(r#"{{"jsonrpc":"2.0","method":{deep},"id":1}}"#), -32600),
    ] {
        let error = running.send(&post("/opentool/call", body)).error();
        assert_eq!((error.0, error.1), (400, code));
    }
    let ignored = format!(r#"{{"jsonrpc":"2.0","method":"shape_get","more":{deep},"id":1}}"#);
    assert_eq!(running.send(&post("/opentool/call", ignored)).status, 200);
}

#[test]
fn every_route_needs_one_of_the_keys() {
    let running = start(server().key("first").key("second"));
    let routes = [
        get("/opentool/version"),
        get("/opentool/load"),
        call("shape_get", "{}", "1"),
        post("/opentool/streamCall", ""),
        post("/opentool/stop", ""),
        get("/metrics"),
        get("/page/data"),
        get("/elsewhere"),
    ];
    for request in &routes {
        for wrong in [request.clone(), request.clone().key("third"), request.clone().key("")] {
            let response = running.send(&wrong);
            let error = response.error();
            assert_eq!((error.0, error.1), (401, 401), "{wrong:?}");
            assert!(error.2.contains("Authorization: Bearer KEY"), "{}", error.2);
            assert_eq!(response.header("www-authenticate"), Some("Bearer"));
        }
    }
    for key in ["first", "second"] {
        assert_eq!(running.send(&get("/opentool/version").key(key)).status, 200);
        assert_eq!(running.send(&call("shape_get", "{}", "1").key(key)).status, 200);
    }
}

#[test]
fn an_empty_key_is_refused_when_the_server_starts() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let error = runtime.block_on(server().port(0).key(" ").bind()).expect_err("an empty key");
    assert_eq!(error.to_string(), "an API key is empty");
}

#[test]
fn a_body_beyond_the_limit_is_413() {
    let running = start(server().body_limit(1000));
    let exact = format!("{:1000}", r#"{"jsonrpc":"2.0","method":"shape_get","id":1}"#);
    assert_eq!(running.send(&post("/opentool/call", &exact)).status, 200);
    let refused = (413, 413, "the body is longer than 1000 bytes".to_owned());
    for path in ["/opentool/call", "/opentool/streamCall"] {
        assert_eq!(running.send(&post(path, exact.clone() + " ")).error(), refused);
        assert_eq!(running.send(&post(path, "x".repeat(4 << 20))).error(), refused);
    }
    // Without a length that could be checked first.
    let mut connection = running.connect();
    let head = "POST /opentool/call HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    let chunks = format!("258\r\n{0}\r\n258\r\n{0}\r\n0\r\n\r\n", "x".repeat(600));
    connection.write(format!("{head}{chunks}").as_bytes()).expect("it is read");
    assert_eq!(connection.read().expect("a response").error(), refused);
    // A client that sends `Expect` gets the answer before it sends the body.
    let mut connection = running.connect();
    let head = "POST /opentool/call HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n";
    connection.write(head.as_bytes()).expect("it is read");
    assert_eq!(connection.read().expect("a response").error(), refused);
}

#[test]
fn the_limit_is_a_mebibyte_unless_the_server_says_otherwise() {
    let running = start(server());
    let request = r#"{"jsonrpc":"2.0","method":"shape_get","id":1}"#;
    let padding = " ".repeat((1 << 20) - request.len());
    assert_eq!(running.send(&post("/opentool/call", format!("{request}{padding}"))).status, 200);
    assert_eq!(running.send(&post("/opentool/call", format!("{request}{padding} "))).status, 413);
}

#[test]
fn unknown_routes_and_methods_have_json_bodies() {
    let running = start(server());
    let error = running.send(&get("/opentool")).error();
    assert_eq!((error.0, error.1), (404, 404));
    assert!(error.2.contains("POST /opentool/call"), "{}", error.2);
    let error = running.send(&get("/opentool/call")).error();
    assert_eq!(error, (405, 405, "/opentool/call does not accept GET".to_owned()));
    let error = running.send(&post("/opentool/load", "")).error();
    assert_eq!((error.0, error.1), (405, 405));
}

#[test]
fn without_keys_stop_is_forbidden_unless_allowed() {
    let error = start(server()).send(&post("/opentool/stop", "")).error();
    assert_eq!((error.0, error.1), (403, 403));
    assert_eq!(start(server().allow_stop(true)).send(&post("/opentool/stop", "")).status, 200);
    assert_eq!(
        start(server().key("k").allow_stop(false)).send(&post("/opentool/stop", "").key("k")).status,
        403
    );
}

#[test]
fn web_pages_are_refused_unless_their_origin_is_allowed() {
    let origin = "https://example.com";
    let closed = start(server());
    let response = closed.send(&call("shape_get", "{}", "1").header("Origin", origin));
    assert_eq!((response.error().0, response.header("access-control-allow-origin")), (403, None));
    let preflight = get("/opentool/call").method("OPTIONS").header("Access-Control-Request-Method", "POST");
    assert_eq!(closed.send(&preflight.clone().header("Origin", origin)).status, 403);

    let open = start(server().key("k").allow_origin(origin));
    let response = open.send(&call("shape_get", "{}", "1").key("k").header("Origin", origin));
    assert_eq!((response.status, response.header("access-control-allow-origin")), (200, Some(origin)));
    let asked = preflight.clone().header("Access-Control-Request-Headers", "authorization,content-type");
    let response = open.send(&asked.header("Origin", origin));
    assert_eq!((response.status, response.header("access-control-allow-origin")), (204, Some(origin)));
    assert_eq!(response.header("access-control-allow-headers"), Some("authorization,content-type"));
    // The key is still required, and another origin is still refused.
    assert_eq!(open.send(&call("shape_get", "{}", "1").header("Origin", origin)).status, 401);
    let other = "https://example.com.evil.example";
    assert_eq!(open.send(&call("shape_get", "{}", "1").key("k").header("Origin", other)).status, 403);
    assert_eq!(open.send(&preflight.header("Origin", other)).status, 401);
}
