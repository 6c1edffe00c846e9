//! Each `x-handle` is a type of its own, with methods of its own.

opendyn::opendyn!("handles.json");

fn calls(bank: Bank<'_>, account: Account<'_>) {
    account.size();
    bank.bank();
}

fn main() {}
