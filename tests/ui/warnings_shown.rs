//! With `warnings = show` the warnings of the document are warnings of the compiler.

#![deny(deprecated)]

opendyn::opendyn!("warned.json", warnings = show);

fn main() {}
