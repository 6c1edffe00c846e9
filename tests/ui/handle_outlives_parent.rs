//! What lives in a handle (`x-parent`) borrows it.

opendyn::opendyn!("handles.json");

fn closed(bank: Bank<'_>) {
    let account = bank.account_open();
    bank.close();
    drop(account);
}

fn dropped(banks: &Banks) {
    let account = match banks.bank_open() {
        Ok(bank) => bank.account_open().ok(),
        Err(_) => None,
    };
    drop(account);
}

fn main() {}
