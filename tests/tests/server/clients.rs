//! The requests of the public SDKs, byte for byte where the SDK determines them: its headers, and the
//! order of the members of the body. The whole reply is compared.

use crate::http::{Connection, start};
use crate::server;

/// A request to call `shape_divide` as an SDK sends it.
struct Sent {
    sdk: &'static str,
    headers: &'static str,
    body: &'static str,
}

const SENT: [Sent; 5] = [
    Sent {
        sdk: "Dart",
        headers: "content-type: application/json\r\naccept: application/json\r\n\
                  authorization: Bearer k3y\r\naccept-encoding: gzip\r\n",
        body: r#"{"jsonrpc":"2.0","method":"shape_divide","params":{"a":17,"b":5},"id":"callId-0"}"#,
    },
    Sent {
        sdk: "TypeScript",
        headers: "Accept: application/json, text/plain, */*\r\nContent-Type: application/json\r\n\
                  Authorization: Bearer k3y\r\n",
        body: r#"{"jsonrpc":"2.0.0","method":"shape_divide","id":"callId-0","params":{"a":17,"b":5}}"#,
    },
    Sent {
        sdk: "Java",
        headers: "Authorization: Bearer k3y\r\nContent-Type: application/json; charset=utf-8\r\n",
        body: r#"{"jsonrpc":"2.0","method":"shape_divide","params":{"a":17,"b":5},"id":"callId-0"}"#,
    },
    Sent {
        sdk: "C#",
        headers: "Accept: application/json\r\nAuthorization: Bearer k3y\r\n\
                  Content-Type: application/json; charset=utf-8\r\n",
        body: r#"{"jsonrpc":"2.0","method":"shape_divide","params":{"a":17,"b":5},"id":"callId-0"}"#,
    },
    Sent {
        sdk: "TypeScript, a function that is not there",
        headers: "Content-Type: application/json\r\nAuthorization: Bearer k3y\r\n",
        body: r#"{"jsonrpc":"2.0.0","method":"shape_divid","id":"callId-0","params":{}}"#,
    },
];

fn sent(connection: &mut Connection, path: &str, sent: &Sent) -> (u16, String) {
    let Sent { sdk, headers, body } = sent;
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost:17001\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    );
    connection.write(request.as_bytes()).expect(sdk);
    let response = connection.read().expect(sdk);
    (response.status, response.text().to_owned())
}

fn replies() -> impl Iterator<Item = (&'static Sent, String)> {
    let divided =
        r#"{"jsonrpc":"2.0","result":{"code":0,"quotient":3,"remainder":2},"error":null,"id":"callId-0"}"#;
    let refused = concat!(
        r#"{"jsonrpc":"2.0","result":{},"error":{"code":405,"message":"#,
        r#""unknown function `shape_divid`; did you mean `shape_divide`?"},"id":"callId-0"}"#
    );
    SENT.iter().map(move |sent| {
        let is_known = sent.body.contains("shape_divide");
        (sent, if is_known { divided } else { refused }.to_owned())
    })
}

#[test]
fn the_client_of_every_sdk_can_call() {
    let running = start(server().key("k3y"));
    let mut connection = running.connect();
    for (request, reply) in replies() {
        assert_eq!(sent(&mut connection, "/opentool/call", request), (200, reply), "{}", request.sdk);
    }
}

#[test]
fn the_client_of_every_sdk_can_call_for_a_stream() {
    let running = start(server().key("k3y"));
    let mut connection = running.connect();
    for (request, reply) in replies() {
        let (name, method) = match request.body.contains("shape_divide") {
            true => ("data", "shape_divide"),
            false => ("error", "shape_divid"),
        };
        let events = format!(
            "event:start\ndata:{{\"start\":\"{method}\"}}\n\nevent:{name}\ndata:{reply}\n\n\
             event:done\ndata:{{\"done\":\"{method}\"}}\n\n"
        );
        assert_eq!(sent(&mut connection, "/opentool/streamCall", request), (200, events), "{}", request.sdk);
    }
}

#[test]
fn other_versions_of_json_rpc_are_refused() {
    let running = start(server().key("k3y"));
    for version in ["1.0", "2", "2.0.1", "2.0.0.0", "2.1", ""] {
        let body = format!(r#"{{"jsonrpc":"{version}","method":"shape_get","id":"1"}}"#);
        let response = running.send(&crate::http::post("/opentool/call", body).key("k3y"));
        assert_eq!(
            (response.status, response.text().to_owned()),
            (
                400,
                r#"{"jsonrpc":"2.0","result":{},"error":{"code":-32600,"message":"/jsonrpc: expected \"2.0\""},"id":"1"}"#.to_owned()
            ),
            "{version}"
        );
    }
}
