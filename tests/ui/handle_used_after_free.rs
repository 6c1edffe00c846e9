//! A function that frees a handle takes it.

opendyn::opendyn!("handles.json");

fn calls(bank: Bank<'_>) {
    bank.close();
    bank.size();
}

fn twice(bank: Bank<'_>) {
    bank.close();
    bank.close();
}

fn borrowed(bank: &Bank<'_>) {
    (*bank).close();
}

fn main() {}
