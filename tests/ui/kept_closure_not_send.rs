//! C calls a closure that it keeps in whichever thread has the binding then, even if its handle was forgotten.

use std::rc::Rc;

opendyn::opendyn!("handles.json");

fn kept(banks: Banks) {
    let rc = Rc::new(());
    {
        let bank = banks.bank_open().unwrap();
        let inside = Rc::clone(&rc);
        bank.watch(move |_| drop(Rc::clone(&inside)));
        std::mem::forget(bank);
    }
    std::thread::spawn(move || drop(banks));
}

fn main() {}
