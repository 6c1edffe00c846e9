//! The OpenTool server, over real connections: its routes, its refusals, and its behaviour under load.
//! The tool is a native library that is not thread-safe.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod clients;
mod http;
mod load;
mod refusals;
mod routes;

use opendyn::server::Server;

opendyn::opendyn!("fixtures/shapes/tool.json");

/// A server of the library, one call at a time.
fn server() -> Server {
    let library = opendyn_tests::shared_library("shapes", &[]);
    // SAFETY: fixtures/shapes/tool.json describes c/shapes.c correctly.
    let shapes =
        unsafe { Shapes::open(library.path()) }.expect("every function that is not optional is there");
    Server::serial(shapes)
}
