//! A handle that C lends stays in its thread: the next call lends the same one again.

opendyn::opendyn!("tied_handles.json");

fn main() {
    // SAFETY: never executed.
    let banks = unsafe { Banks::open("libbanks.so") }.unwrap();
    let bank = banks.bank_open().unwrap();
    let (partner, same) = (bank.partner().unwrap(), bank.partner().unwrap());
    std::thread::scope(|scope| {
        scope.spawn(move || partner.account_open().is_ok());
        let _ = same.account_open();
    });
}
