//! A function that ends a state takes it.

opendyn::opendyn!("handles.json");

fn calls(banks: &Banks) -> i32 {
    let sum = banks.sum_begin();
    sum.add(1);
    let total = sum.end();
    sum.add(1);
    total
}

fn main() {}
