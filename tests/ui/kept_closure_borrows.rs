//! A closure that C may call until a handle is freed borrows nothing, and may run twice at once.

opendyn::opendyn!("handles.json");

fn borrows(banks: &Banks, bank: &Bank<'_>) {
    let sizes = vec![1, 2];
    banks.bank_watch(bank, |size| println!("{size} {}", sizes.len()));
}

fn changes(banks: &Banks, bank: &Bank<'_>) {
    let mut sizes = Vec::new();
    banks.bank_watch(bank, move |size| sizes.push(size));
}

fn main() {}
