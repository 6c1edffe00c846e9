//! Each `x-handle` is a type of its own.

opendyn::opendyn!("handles.json");

fn calls(banks: &Banks, bank: Bank<'_>, account: Account<'_>) {
    banks.bank_size(&account);
    banks.account_close(bank);
}

fn main() {}
