//! With `"x-threadSafe": true` a handle can go to another thread, but only `"handles"` lets two threads use one.

opendyn::opendyn!("shared_handles.json");

fn sent(bank: Bank<'_>) {
    std::thread::scope(|scope| {
        scope.spawn(move || drop(bank));
    });
}

fn shared(bank: &Bank<'_>) {
    std::thread::scope(|scope| {
        scope.spawn(|| bank.watch(|| ()));
    });
}

fn main() {}
