//! A function that frees a handle takes it.

opendyn::opendyn!("handles.json");

fn calls(banks: &Banks, bank: Bank<'_>) {
    banks.bank_close(bank);
    banks.bank_size(&bank);
}

fn twice(banks: &Banks, bank: Bank<'_>) {
    banks.bank_close(bank);
    banks.bank_close(bank);
}

fn borrowed(banks: &Banks, bank: &Bank<'_>) {
    banks.bank_close(*bank);
}

fn main() {}
