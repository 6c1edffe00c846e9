//! Nor can such a binding be a static.

use std::sync::OnceLock;

opendyn::opendyn!("calc.json");

static CALC: OnceLock<Calc> = OnceLock::new();

fn main() {}
