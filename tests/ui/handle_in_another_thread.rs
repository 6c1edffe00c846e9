//! A handle stays in the thread that has it.

opendyn::opendyn!("handles.json");

fn sent(bank: Bank<'static>) {
    std::thread::spawn(move || drop(bank));
}

fn shared(bank: &Bank<'_>) {
    std::thread::scope(|scope| {
        scope.spawn(|| bank.as_ptr().is_null());
    });
}

fn main() {}
