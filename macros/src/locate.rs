//! Finds the document, and the library that it is checked against.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::compiler::Span;
use crate::cursor::Text;
use crate::errors::Errors;

/// The document that `path` names: relative to the crate, or else to the file of the call.
pub(crate) fn document(path: &Text) -> Result<(PathBuf, String), Errors> {
    let given = &path.value;
    let beside = folder_of(path.span);
    let bases = [std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from), beside];
    let mut tried: Vec<String> = Vec::new();
    for base in bases.into_iter().flatten() {
        let candidate = base.join(given);
        // Absolute, because `include_bytes!` resolves a relative path against the file of the call.
        let candidate = std::path::absolute(&candidate).unwrap_or(candidate);
        match std::fs::read_to_string(&candidate) {
            Ok(source) => return Ok((candidate, source)),
            Err(error) => {
                let attempt = format!("{}: {error}", candidate.display());
                if !tried.contains(&attempt) {
                    tried.push(attempt);
                }
            }
        }
    }
    Err(Errors::new(
        path.span,
        format_args!("cannot read the document {given:?}; tried\n  {}", tried.join("\n  ")),
    ))
}

/// The folder of the file with the macro call.
#[cfg(not(test))]
fn folder_of(span: Span) -> Option<PathBuf> {
    Some(span.local_file()?.parent()?.to_owned())
}

/// Tests are no macro calls.
#[cfg(test)]
fn folder_of(_: Span) -> Option<PathBuf> {
    None
}

/// The library that `check` names: a path is relative to the crate, a bare name is found by the system's loader.
pub(crate) fn library(given: String) -> String {
    let path = Path::new(&given);
    match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(base) if path.components().count() > 1 => {
            Path::new(&base).join(path).to_string_lossy().into_owned()
        }
        _ => given,
    }
}

/// The file to which `debug` writes the bindings of the struct `name`, next to the compiler's other output.
/// `of` distinguishes calls whose structs have the same name.
pub(crate) fn debug_file(name: &str, of: impl Hash) -> Option<PathBuf> {
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let directory = std::env::var_os("OUT_DIR").map(PathBuf::from).or_else(|| {
        // A crate without a build script has no OUT_DIR; the compiler's output folder is used instead.
        let mut arguments = std::env::args().skip_while(|argument| argument != "--out-dir");
        arguments.nth(1).map(|directory| Path::new(&directory).join("opendyn"))
    })?;
    std::fs::create_dir_all(&directory).ok()?;
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    let file = format!("{package}-{name}-{:08x}.rs", hasher.finish() as u32);
    std::path::absolute(directory.join(file)).ok()
}
