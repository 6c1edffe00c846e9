//! A handle borrows the binding whose library frees it.

opendyn::opendyn!("handles.json");

fn returned(banks: Banks) -> Option<Bank<'static>> {
    banks.bank_open().ok()
}

fn later(banks: Banks) {
    let bank = banks.bank_open();
    drop(banks);
    drop(bank);
}

fn main() {}
