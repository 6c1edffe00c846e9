//! Who opens a library vouches for it.

opendyn::opendyn!("calc.json");

fn main() {
    let _ = Calc::open("libcalc.so");
}
