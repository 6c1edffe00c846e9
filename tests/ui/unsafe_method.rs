//! A method whose pointers the document does not describe fully is `unsafe`.

opendyn::opendyn!("calc.json");

fn calls(calc: &Calc) {
    calc.total(&mut [1, 2, 3], 3);
}

fn main() {}
