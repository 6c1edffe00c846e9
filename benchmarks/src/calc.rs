//! The generated binding of `calc.c`.

use opendyn::LoadError;
use opendyn_interpreter::{Document, Interpreted, Options};

use crate::Error;

opendyn::opendyn!("calc.json");

/// The document, for peers that read it at run time.
pub const DOCUMENT: &str = include_str!("../calc.json");

/// The path of the compiled `calc.c`.
pub const LIBRARY: &str = env!("CALC_LIBRARY");

/// Opens the library, also if it is bound already: all ways to call it are compared in one process.
///
/// # Errors
///
/// The library is not where the build script put it.
pub fn open() -> Result<Calc, LoadError> {
    let path = || std::path::PathBuf::from(LIBRARY);
    // SAFETY: calc.json describes calc.c correctly. Benchmarks have one thread, and tests take turns.
    unsafe {
        let library = opendyn::libloading::Library::new(LIBRARY);
        Calc::from_library(library.map_err(|source| LoadError::Open { path: path(), source })?)
    }
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
