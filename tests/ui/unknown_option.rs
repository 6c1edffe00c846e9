//! An option that does not exist is named, with those that do.

opendyn::opendyn!("calc.json", nmae = Calc);

fn main() {}
