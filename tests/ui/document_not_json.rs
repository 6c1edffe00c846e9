//! A document that is not JSON is shown where it stops being that.

opendyn::opendyn!("../invalid/not-json.json");

fn main() {}
