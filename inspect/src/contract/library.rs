//! The library that a document is checked against: how it is found and read, and what the bindings remember
//! of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use opendyn_model::diagnostic::Findings;
use opendyn_model::lower::Lowered;
use opendyn_model::plan::CheckedLibrary;
use opendyn_model::rule::Rule;

use super::{Evidence, compare};
use crate::{Exports, Interface, LibraryError, debug, locate};

/// A library, and what it says about itself.
#[derive(Debug)]
pub struct NativeLibrary {
    /// Its file.
    pub path: PathBuf,
    /// What it exports.
    pub exports: Exports,
    /// What its debug info says; or why there is none.
    pub debug_info: Result<Interface, String>,
}

/// What to read from a library.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeOptions<'o> {
    /// The file with its debug info, if it is not in a usual place.
    pub debug_info: Option<&'o Path>,
    /// The architecture to read from a library for several.
    pub target: Option<&'o str>,
}

impl NativeLibrary {
    /// Reads the library with this path or bare name, such as `libz.so.1`. From its debug info, only
    /// `symbols` are read.
    ///
    /// # Errors
    ///
    /// The library is not found, or the file is not a library.
    pub fn read(
        name: impl AsRef<Path>,
        symbols: &BTreeSet<String>,
        options: NativeOptions<'_>,
    ) -> Result<Self, LibraryError> {
        let path = locate(name)?;
        let exports = Exports::read_for(&path, options.target)?;
        let wanted = |name: &str| symbols.contains(name);
        let debug_options = debug::Options {
            file: options.debug_info,
            wanted: Some(&wanted),
            triple: options.target,
            ..debug::Options::default()
        };
        let debug_info = debug::read(&path, &debug_options).map_err(|error| error.to_string());
        Ok(Self { path, exports, debug_info })
    }

    /// The evidence that this library provides, without a header.
    #[must_use]
    pub fn evidence(&self) -> Evidence<'_> {
        let path = self.path.display().to_string();
        Evidence {
            exports: Ok((path.clone(), &self.exports)),
            header: Err("no header was given".to_owned()),
            debug_info: self.debug_info.as_ref().map(|interface| (path, interface)).map_err(Clone::clone),
        }
    }
}

/// The names that the functions of a document have in the library, with and without the decorations of 32-bit
/// Windows. Empty if the document cannot be read.
#[must_use]
pub fn symbols(source: &str) -> BTreeSet<String> {
    let document = opendyn_model::read::read(source, &Findings::new());
    let functions = document.iter().flat_map(|document| &document.functions);
    let functions = functions.filter(|function| function.member.is_none());
    let named = functions.filter_map(|function| function.symbol.as_ref().or(function.name.as_ref()));
    with_undecorated(named.map(|symbol| symbol.value.as_str()))
}

fn with_undecorated<'s>(symbols: impl Iterator<Item = &'s str>) -> BTreeSet<String> {
    symbols
        .flat_map(|symbol| [Some(symbol), super::comparison::undecorated(symbol)])
        .flatten()
        .map(str::to_owned)
        .collect()
}

/// The library that the document names for a system: `linux`, `macos` or `windows`.
#[must_use]
pub fn default_library(source: &str, system: &str) -> Option<String> {
    let info = opendyn_model::read::read(source, &Findings::new())?.info?;
    let fits = |(of, _): &&(Option<&str>, _)| of.is_none_or(|of| of == system);
    info.libraries.iter().find(fits).map(|(_, name)| name.value.clone())
}

/// Checks a document against the library that an option names, and adds to its findings.
pub fn check_option(document: &Lowered, name: &str, findings: &Findings) -> Option<CheckedLibrary> {
    let symbols = with_undecorated(document.functions.iter().map(|function| function.symbol.value.as_str()));
    let library = match NativeLibrary::read(name, &symbols, NativeOptions::default()) {
        Ok(library) => library,
        Err(error) => {
            findings.report_option(
                Rule::CheckLibrary,
                format!("the document cannot be checked: {error}"),
                "give the path of the library, or a name that the system's loader finds",
            );
            return None;
        }
    };
    compare(document, &library.evidence(), findings);
    let size = std::fs::metadata(&library.path).map(|metadata| metadata.len()).unwrap_or_default();
    let file_name = Path::new(name).file_name().map_or_else(|| name.into(), |name| name.to_string_lossy());
    Some(CheckedLibrary {
        library: file_name.into_owned(),
        build: library.exports.build_id.as_deref().map(hex),
        size,
        path: library.path,
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
