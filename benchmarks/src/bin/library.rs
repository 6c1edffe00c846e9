//! Writes a library of any number of functions to a folder: the document, the C source, and a call of the function in
//! the middle. `benchmarks/first-call` compiles and calls it.

use std::path::Path;
use std::process::ExitCode;

use opendyn_benchmarks::{Error, scale};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Error> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(folder), Some(functions), None) = (arguments.next(), arguments.next(), arguments.next()) else {
        return Err("usage: library FOLDER FUNCTIONS".into());
    };
    let functions = functions.to_str().ok_or("a number of functions")?.parse()?;
    let library = scale::Library::new(functions);
    // The first signature is that of two integers, which every way to call can express in a line.
    let call = library
        .calls
        .iter()
        .skip(functions / 2)
        .find(|call| call.arguments.contains("offset"))
        .or(library.calls.first())
        .ok_or("a library has at least one function")?;
    let folder = Path::new(&folder);
    std::fs::write(folder.join("scale.json"), &library.document)?;
    std::fs::write(folder.join("scale.c"), &library.source)?;
    std::fs::write(folder.join("function"), &call.function)?;
    std::fs::write(folder.join("arguments"), &call.arguments)?;
    Ok(())
}
