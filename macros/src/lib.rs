//! `opendyn!("tool.json")`, a thin shell over `opendyn-codegen`. Use it through `opendyn`.

#![forbid(unsafe_code)]

mod code;
mod cursor;
mod errors;
mod expansion;
mod input;
mod literal;
mod locate;

#[cfg(not(test))]
use proc_macro as compiler;
// The same types, which also work outside of a compiler.
#[cfg(test)]
use proc_macro2 as compiler;

/// Turns an OpenDyn document into a struct with one typed method per function.
///
/// `opendyn::opendyn!("calc.json");` in a module declares the struct `Calc` there.
///
/// The path is relative to the crate's `Cargo.toml`, or else to the file of the macro call.
/// Errors of the document are compile errors, each with file, line and column. The options:
///
/// | option | meaning | default |
/// |---|---|---|
/// | `name = Calc` | the name of the struct | from `info.title` |
/// | `rename = { "get-x" = get_x }` | names of methods | from the names of the functions |
/// | `optional = [fancy, "get-x"]` | functions that the library may lack | none |
/// | `strip_prefix = "calc_"` | removed from the names of methods and types | `x-prefix` of the document |
/// | `strings = str` | UTF-8 strings are `&str` and `String`; a NUL in an argument and a result that is not UTF-8 are errors | `cstr` |
/// | `unchecked = allow` | JSON may call functions with pointers that the document does not describe fully | `refuse` |
/// | `check = "libz.so.1"` | the document is compared with this library: its exports, and its debug info where it has some; with the feature `check` | not compared |
/// | `warnings = show` | warnings of the document are compiler warnings | `hide` |
/// | `debug = true` | the bindings are written to a file, and compiler errors point into that file; the environment variable `OPENDYN_DEBUG=1` does the same | `false` |
///
/// The library of `check` is a name that the system's loader finds, or a path relative to the crate's
/// `Cargo.toml`. A mismatch is a compile error, like every error of the document. The crate is
/// compiled again when the library changes; for that the compiler reads the whole file.
#[proc_macro]
#[cfg_attr(not(test), allow(clippy::useless_conversion, reason = "tests have other types"))]
pub fn opendyn(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let expanded = input::Input::parse(input.into()).and_then(|input| expansion::expand(&input));
    expanded.unwrap_or_else(|errors| errors.to_tokens()).into()
}
