//! The library is borrowed from its binding, and what is looked up in it with it.

opendyn::opendyn!("calc.json");

fn later(calc: Calc) {
    let library = calc.library();
    drop(calc);
    let _ = format!("{library:?}");
}

fn main() {}
