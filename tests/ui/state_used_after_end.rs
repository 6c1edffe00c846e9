//! A function that ends a state takes it.

opendyn::opendyn!("handles.json");

fn calls(banks: &Banks) -> i32 {
    let mut sum = banks.sum_begin();
    banks.sum_add(&mut sum, 1);
    let total = banks.sum_end(sum);
    banks.sum_add(&mut sum, 1);
    total
}

fn main() {}
