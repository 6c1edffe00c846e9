//! An option is given once.

opendyn::opendyn!("calc.json", name = Calc, debug = false, name = Other);

fn main() {}
