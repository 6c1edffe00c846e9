//! What a user can ask of the generator, the same for macro, build script and command line.

use std::collections::{BTreeMap, BTreeSet};

/// How bindings are generated. The default suits most documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The name of the struct; from `info.title` unless given.
    pub name: Option<String>,
    /// Names of methods, by the names of functions in the document.
    pub rename: BTreeMap<String, String>,
    /// Functions that the library may lack.
    pub optional: BTreeSet<String>,
    /// Removed from the front of the names of methods.
    pub strip_prefix: Option<String>,
    /// What JSON callers may do with pointers that the document does not describe fully.
    pub unchecked: Unchecked,
    /// The library that the document is checked against, by a path or a name that the system's loader
    /// finds. Needs the feature `check`.
    pub check_library: Option<String>,
}

/// Whether functions with pointers that the document does not describe fully can be called
/// with JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unchecked {
    /// They answer with an error that names the key that is missing.
    #[default]
    Refuse,
    /// They are called: whoever generates the binding vouches for every caller. Arrays are
    /// passed as they come, and strings are written to buffers of 64 KiB.
    Allow,
}
