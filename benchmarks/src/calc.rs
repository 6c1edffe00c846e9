//! The generated binding of `calc.c`.

use opendyn::LoadError;
use opendyn_interpreter::{Document, Interpreted, Options};

use crate::Error;

opendyn::opendyn!("calc.json");

/// The document, for peers that read it at run time.
pub const DOCUMENT: &str = include_str!("../calc.json");

/// The path of the compiled `calc.c`.
pub const LIBRARY: &str = env!("CALC_LIBRARY");

/// Opens the library.
///
/// # Errors
///
/// The library is not where the build script put it.
pub fn open() -> Result<Calc, LoadError> {
    // SAFETY: calc.json describes calc.c correctly.
    unsafe { Calc::open(LIBRARY) }
}

/// Opens the library through the interpreter.
///
/// # Errors
///
/// The library is not where the build script put it.
pub fn interpreted() -> Result<Interpreted, Error> {
    let document = Document::read("calc.json", DOCUMENT, &Options::default())?;
    // SAFETY: calc.json describes calc.c correctly.
    Ok(unsafe { Interpreted::open(document, LIBRARY)? })
}
