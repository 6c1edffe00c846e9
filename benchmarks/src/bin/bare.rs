//! `add` on a bare axum handler: what HTTP and JSON cost without OpenDyn. `benchmarks/mcp/run` compares servers with it.

use axum::Router;
use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    method: &'a str,
    params: Params,
}

#[derive(Deserialize)]
struct Params {
    a: i32,
    b: i32,
}

async fn call(body: Bytes) -> Response {
    match serde_json::from_slice::<Request>(&body) {
        Ok(Request { id, method: "add", params: Params { a, b } }) => {
            let sum = a.wrapping_add(b);
            let text = format!(r#"{{"jsonrpc":"2.0","result":{{"result":{sum}}},"error":null,"id":{id}}}"#);
            ([(header::CONTENT_TYPE, "application/json")], text).into_response()
        }
        _ => StatusCode::BAD_REQUEST.into_response(),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port: u16 = std::env::args().nth(1).ok_or("expected a port")?.parse()?;
    // As many threads as a server of opentool-server has.
    let threads = std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).clamp(1, 4));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    Ok(runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
        let router = Router::new().route("/opentool/call", post(call));
        // Ends by itself, because callgrind then writes what it has counted.
        tokio::select! {
            served = async { axum::serve(listener, router).await } => served,
            stopped = tokio::signal::ctrl_c() => stopped,
        }
    })?)
}
