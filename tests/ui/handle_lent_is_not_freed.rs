//! A handle that C only lends can be used, and cannot be freed.

opendyn::opendyn!("handles.json");

fn calls(account: &Account<'_>) {
    let bank = account.bank().unwrap();
    bank.size();
    bank.close();
}

fn moved(account: &Account<'_>) {
    let bank = account.bank().unwrap();
    (*bank).close();
}

fn main() {}
