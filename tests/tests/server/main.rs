//! The OpenTool server, over real connections: its routes, what it refuses and how, and what it does
//! under load. The tool is a native library that is not thread-safe.

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]

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
    // SAFETY: fixtures/shapes/tool.json describes c/shapes.c.
    let shapes =
        unsafe { Shapes::open(library.path()) }.expect("every function that is not optional is there");
    Server::serial(shapes)
}
