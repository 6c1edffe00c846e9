//! Options name functions that the document has.

opendyn::opendyn!("calc.json", rename = { "ad" = sum }, optional = [subtract]);

fn main() {}
