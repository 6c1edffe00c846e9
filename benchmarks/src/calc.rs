//! The generated binding of `calc.c`.

use opendyn::LoadError;

opendyn::opendyn!("calc.json");

/// The document, for those who read it while they run.
pub const DOCUMENT: &str = include_str!("../calc.json");

/// Where `calc.c` was compiled to.
pub const LIBRARY: &str = env!("CALC_LIBRARY");

/// Opens the library.
///
/// # Errors
///
/// It is not where the build script put it.
pub fn open() -> Result<Calc, LoadError> {
    // SAFETY: calc.json describes calc.c as it is.
    unsafe { Calc::open(LIBRARY) }
}
