//! A handle stays in the thread that has it.

opendyn::opendyn!("handles.json");

fn sent(bank: Bank<'static>) {
    std::thread::spawn(move || drop(bank));
}

fn main() {}
