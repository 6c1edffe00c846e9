//! A closure that C may call until a handle is freed borrows nothing, and may run twice at once.

opendyn::opendyn!("handles.json");

fn borrows(bank: &Bank<'_>) {
    let sizes = vec![1, 2];
    bank.watch(|size| println!("{size} {}", sizes.len()));
}

fn changes(bank: &Bank<'_>) {
    let mut sizes = Vec::new();
    bank.watch(move |size| sizes.push(size));
}

fn main() {}
