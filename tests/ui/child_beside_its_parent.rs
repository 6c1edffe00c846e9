//! A handle that lives in another is not sent away from it: calls with both would be calls with the same object.

opendyn::opendyn!("tied_handles.json");

fn main() {
    // SAFETY: never executed.
    let banks = unsafe { Banks::open("libbanks.so") }.unwrap();
    let bank = banks.bank_open().unwrap();
    let account = bank.account_open().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || drop(account));
        let _another = bank.account_open();
    });
}
