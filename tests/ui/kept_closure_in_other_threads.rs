//! Where the library is thread-safe, every thread can lead C to a closure that a handle keeps.

use std::rc::Rc;

opendyn::opendyn!("shared_handles.json");

fn calls(banks: &Banks, bank: &Bank<'_>) {
    let rc = Rc::new(());
    bank.watch(move || drop(Rc::clone(&rc)));
    std::thread::scope(|scope| {
        scope.spawn(|| banks.tell_all());
    });
}

fn main() {}
