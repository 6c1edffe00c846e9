//! What lives in a handle (`x-parent`) borrows it.

opendyn::opendyn!("handles.json");

fn closed(banks: &Banks, bank: Bank<'_>) {
    let account = banks.account_open(&bank);
    banks.bank_close(bank);
    drop(account);
}

fn dropped(banks: &Banks) {
    let account = match banks.bank_open() {
        Ok(bank) => banks.account_open(&bank).ok(),
        Err(_) => None,
    };
    drop(account);
}

fn main() {}
