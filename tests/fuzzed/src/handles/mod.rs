//! Calls with real handles, one after the other, on the shipped documents of SQLite and zlib and the libraries of the
//! system. The input chooses the functions, the arguments and the handles: those that earlier calls returned, also to
//! another session, and those that were freed.
//!
//! What must hold: nothing crashes; a handle that was freed or belongs to another session is refused; a result has what
//! the document says; C never writes past a buffer; and when its sessions end, SQLite holds no memory.

mod choices;
mod driver;
mod files;
mod library;
mod sql;
mod values;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use choices::Choices;
use driver::Driver;
use library::Library;

/// How many calls one input can make.
const MOST_CALLS: u64 = 120;

/// What the calls of an input came to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// All calls.
    pub calls: u64,
    /// Those with a result.
    pub succeeded: u64,
    /// Those that a handle which was freed, or is another session's, had to stop.
    pub refused: u64,
    /// The functions that succeeded.
    pub functions: BTreeSet<String>,
}

/// Makes the calls that the bytes choose. Prints after 1, 2, 4, 8, … inputs how many calls succeeded.
pub fn run(bytes: &[u8]) {
    thread_local!(static TOTAL: Cell<(u64, u64, u64, u64)> = const { Cell::new((0, 0, 0, 0)) });
    let tally = tally(bytes);
    let (inputs, calls, succeeded, refused) = TOTAL.get();
    let (inputs, calls) = (inputs + 1, calls + tally.calls);
    let (succeeded, refused) = (succeeded + tally.succeeded, refused + tally.refused);
    TOTAL.set((inputs, calls, succeeded, refused));
    if inputs.is_power_of_two() && inputs >= 256 {
        let share = 100 * succeeded / calls.max(1);
        eprintln!(
            "handles: {inputs} inputs, {calls} calls: {share} % succeeded, {refused} with a handle that must be refused"
        );
    }
}

/// Makes the calls that the bytes choose.
#[must_use]
pub fn tally(bytes: &[u8]) -> Tally {
    // What SQLite holds is counted for the whole process, and tests run in several threads.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut choices = Choices::new(bytes);
    let library = if choices.byte().is_multiple_of(4) { zlib() } else { sqlite() };
    let before = memory_used(library);
    let mut driver = Driver::new(library);
    while !choices.are_used_up() && driver.tally().calls < MOST_CALLS {
        driver.step(&mut choices);
    }
    let tally = driver.end();
    assert_eq!(memory_used(library), before, "bytes that SQLite holds");
    tally
}

/// The names of all functions of both libraries that JSON can call.
#[must_use]
pub fn functions() -> BTreeSet<String> {
    [sqlite(), zlib()].iter().flat_map(|library| &library.functions).map(|it| it.name.clone()).collect()
}

fn memory_used(library: &Library) -> Option<String> {
    let function = library.functions.iter().find(|function| function.name == "sqlite3_memory_used")?;
    Some(opendyn::Tool::call_json(&library.opened, &function.name, "{}").expect("it cannot fail"))
}

fn sqlite() -> &'static Library {
    thread_local!(static LIBRARY: &'static Library =
        Box::leak(Box::new(Library::open("sqlite.json", include_str!("../../../../examples/sqlite/sqlite.json")))));
    LIBRARY.with(|library| *library)
}

fn zlib() -> &'static Library {
    thread_local!(static LIBRARY: &'static Library =
        Box::leak(Box::new(Library::open("zlib.json", include_str!("../../../../examples/zlib/zlib.json")))));
    LIBRARY.with(|library| *library)
}
