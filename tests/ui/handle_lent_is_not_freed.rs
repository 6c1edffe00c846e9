//! A handle that C only lends can be used, and cannot be freed.

opendyn::opendyn!("handles.json");

fn calls(banks: &Banks, account: &Account<'_>) {
    let bank = banks.account_bank(account).unwrap();
    banks.bank_size(&bank);
    banks.bank_close(bank);
}

fn moved(banks: &Banks, account: &Account<'_>) {
    let bank = banks.account_bank(account).unwrap();
    banks.bank_close(*bank);
}

fn main() {}
