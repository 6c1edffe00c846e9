//! Many requests: random ones, parallel ones, and requests while the server stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use opendyn::opentool::MapTool;
use opendyn::server::{Executor, Limits, Server};
use serde_json::json;
use serde_json::value::RawValue;

use crate::http::{Connection, PATIENCE, call, post, rpc, start};
use crate::server;

/// A generator of pseudo-random numbers that are the same in every run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    /// Bytes, pieces of JSON, or a request with a few wrong bytes.
    fn body(&mut self) -> Vec<u8> {
        const PIECES: [&str; 20] = [
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            "\"jsonrpc\":\"2.0\"",
            "\"method\":\"echo\"",
            "\"params\":{\"text\":\"x\"}",
            "\"id\":1",
            "\"",
            "\\u0000",
            "\\ud800",
            "null",
            "true",
            "-0",
            "1e999",
            "\u{feff}",
            "é",
            " ",
        ];
        match self.below(4) {
            0 => (0..self.below(200)).map(|_| self.below(256) as u8).collect(),
            1 => (0..self.below(30)).flat_map(|_| PIECES[self.below(PIECES.len())].bytes()).collect(),
            _ => {
                let function = ["echo", "shape_divide", "see_values", "twelve", "shape_name"][self.below(5)];
                let params =
                    [r#"{"text":"é\ud83d\ude00"}"#, r#"{"a":17,"b":5}"#, r#"{"number":3}"#][self.below(3)];
                let mut body = rpc(function, params, "\"id\"").into_bytes();
                for _ in 0..self.below(4) {
                    let place = self.below(body.len());
                    match self.below(4) {
                        0 => body[place] = self.below(256) as u8,
                        1 => body.insert(place, b"{}[]\",:\\0-e"[self.below(11)]),
                        2 => drop(body.remove(place)),
                        _ => body.truncate(place.max(1)),
                    }
                }
                body
            }
        }
    }
}

#[test]
fn no_body_ends_the_server_or_makes_it_hang() {
    let running = start(server());
    let begin = Instant::now();
    let (mut answered, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        let clients: Vec<_> = (1..=4_u64)
            .map(|seed| {
                let running = &running;
                scope.spawn(move || {
                    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                    let mut connection = running.connect();
                    let mut statuses = [0, 0];
                    for _ in 0..2500 {
                        let body = random.body();
                        let response = connection.send(&post("/opentool/call", &body));
                        let response =
                            response.unwrap_or_else(|error| panic!("{}: {error}", body.escape_ascii()));
                        let reply: Result<&RawValue, _> = serde_json::from_slice(&response.body);
                        let reply =
                            reply.unwrap_or_else(|error| panic!("{}: {error}", body.escape_ascii())).get();
                        assert!(reply.starts_with(r#"{"jsonrpc":"2.0","result":{"#), "{reply}");
                        match response.status {
                            200 => statuses[0] += 1,
                            400 => statuses[1] += 1,
                            other => panic!("{}: {other}", body.escape_ascii()),
                        }
                    }
                    statuses
                })
            })
            .collect();
        for client in clients {
            let statuses = client.join().expect("no panic");
            answered += statuses[0];
            refused += statuses[1];
        }
    });
    assert_eq!(answered + refused, 10_000);
    assert!(answered > 500 && refused > 500, "both kinds: {answered} and {refused}");
    assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
    assert_eq!(running.send(&call("shape_get", "{}", "1")).status, 200);
}

#[test]
fn sixty_four_clients_of_a_serial_tool_each_get_their_own_replies() {
    let running = start(server());
    std::thread::scope(|scope| {
        for client in 0..64 {
            let running = &running;
            scope.spawn(move || {
                let mut connection = running.connect();
                for number in 1..=50 {
                    let (dividend, divisor) = (client * 1000 + number, number);
                    let id = format!("\"{client}/{number}\"");
                    let params = format!(r#"{{"a":{dividend},"b":{divisor}}}"#);
                    let reply =
                        connection.send(&call("shape_divide", &params, &id)).expect("a response").json();
                    assert_eq!(reply["id"], format!("{client}/{number}"));
                    let (quotient, remainder) = (dividend / divisor, dividend % divisor);
                    assert_eq!(
                        reply["result"],
                        json!({"code": 0, "quotient": quotient, "remainder": remainder})
                    );
                }
            });
        }
    });
}

#[test]
fn stopping_under_load_loses_no_call_that_was_begun() {
    let begun = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&begun);
    let tool = MapTool::new(move |_, arguments| {
        counter.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(1));
        Ok(arguments.clone())
    });
    let running = start(Server::serial(tool).key("k"));
    let answered = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for client in 0..32 {
            let (running, answered) = (&running, &answered);
            scope.spawn(move || {
                let Ok(mut connection) = Connection::open(running.address) else { return };
                // Until the server closes the connection.
                while let Ok(response) =
                    connection.send(&call("echo", r#"{"a":1}"#, &client.to_string()).key("k"))
                {
                    assert_eq!(response.json()["result"], json!({"a": 1}), "{response:?}");
                    assert_eq!(response.json()["id"], client);
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        while begun.load(Ordering::SeqCst) < 100 {
            std::thread::yield_now();
        }
        assert_eq!(running.send(&post("/opentool/stop", "").key("k")).status, 200);
    });
    running.ended();
    assert!(answered.load(Ordering::SeqCst) >= 100);
    assert_eq!(answered.load(Ordering::SeqCst), begun.load(Ordering::SeqCst));
}

#[test]
fn a_full_queue_and_a_missed_deadline_are_errors_of_the_call() {
    let slow = MapTool::new(|_, arguments| {
        std::thread::sleep(Duration::from_millis(300));
        Ok(arguments.clone())
    });
    let limits = Limits { deadline: Some(Duration::from_millis(100)), queue: 1, ..Limits::default() };
    let running = start(Server::new(Executor::serial(slow).with_limits(limits)));
    let mut codes = Vec::new();
    std::thread::scope(|scope| {
        let clients: Vec<_> =
            (0..8).map(|_| scope.spawn(|| running.send(&call("slow", "{}", "1")).error())).collect();
        codes.extend(clients.into_iter().map(|client| client.join().expect("no panic")));
    });
    assert!(codes.contains(&(200, 504, "the call did not end within 100 ms".to_owned())), "{codes:?}");
    // How many wait depends on whether the first has started.
    let busy = codes.iter().find(|(status, code, _)| (*status, *code) == (200, 429));
    assert!(
        busy.is_some_and(|(_, _, message)| message.starts_with("busy: calls already waiting: ")),
        "{codes:?}"
    );
}
