//! The PDB reader panics on some damaged files. Such a panic must neither end the program nor be reported as
//! a panic.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether this thread is inside [`guarded`], where a panic is an expected result.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs the reader; a panic becomes an error.
pub(super) fn guarded<T>(read: impl FnOnce() -> pdb2::Result<T>) -> Result<T, String> {
    silence();
    let outer = GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(outer);
    match result {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_) => Err("its tables are inconsistent".to_owned()),
    }
}

/// Installs a hook in front of the program's own, once. Panics elsewhere still reach that one.
fn silence() {
    static ONCE: Once = Once::new();
    // A thread that is panicking already cannot change the hook.
    if std::thread::panicking() {
        return;
    }
    ONCE.call_once(|| {
        let previous = take_hook();
        set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                previous(panic);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::panic)]
    fn a_panic_of_the_reader_is_an_error_and_no_report() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static REPORTS: AtomicUsize = AtomicUsize::new(0);
        // The hook of the program, which ours calls.
        let previous = take_hook();
        set_hook(Box::new(move |panic| {
            REPORTS.fetch_add(1, Ordering::SeqCst);
            previous(panic);
        }));
        let result: Result<(), String> = guarded(|| panic!("damaged"));
        assert_eq!(result, Err("its tables are inconsistent".to_owned()));
        assert_eq!(REPORTS.load(Ordering::SeqCst), 0);
        assert!(catch_unwind(|| panic!("of the program")).is_err());
        assert_eq!(REPORTS.load(Ordering::SeqCst), 1);
    }
}
