//! Every error of the document is shown at once, each with its place.

opendyn::opendyn!("broken.json");

fn main() {}
