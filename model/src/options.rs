//! Options of the generator, the same for macro, build script and command line.

use std::collections::{BTreeMap, BTreeSet};

/// How bindings are generated. The default suits most documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The name of the struct; by default it follows from `info.title`.
    pub name: Option<String>,
    /// Names of methods, by the names of functions in the document.
    pub rename: BTreeMap<String, String>,
    /// Functions that the library may lack.
    pub optional: BTreeSet<String>,
    /// Removed from the front of the names of methods and types, in place of `x-prefix` of the document.
    pub strip_prefix: Option<String>,
    /// What NUL-terminated UTF-8 strings are in Rust.
    pub strings: Strings,
    /// Whether functions with pointers that the document does not fully describe can be called with JSON.
    pub unchecked: Unchecked,
    /// The library that the document is checked against: a path, or a name that the loader of the system finds.
    /// Needs the feature `check`.
    pub check_library: Option<String>,
}

/// What NUL-terminated UTF-8 strings are in Rust.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strings {
    /// `&CStr` and `CString`: nothing is copied on the way to C.
    #[default]
    CStr,
    /// `&str` and `String`. An argument with a NUL in it and a result that is not UTF-8 are errors.
    Str,
}

/// Whether functions with pointers that the document does not fully describe can be called with JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unchecked {
    /// A call is an error that names the missing key.
    #[default]
    Refuse,
    /// They can be called. The user who generates the binding is responsible for every caller. Arrays are passed
    /// without checks, and strings are written to buffers of 64 KiB.
    Allow,
}
