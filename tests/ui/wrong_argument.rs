//! The types of a call are those of the document.

opendyn::opendyn!("calc.json");

fn calls(calc: &Calc) {
    calc.add(1, "2");
    calc.add(1);
    calc.greet("Ada");
    let _: u64 = calc.add(1, 2);
    calc.ad(1, 2);
}

fn main() {}
