//! One binding: a struct, its methods and its tables.

use crate::plan::{Enumeration, Function, HandleType, Record};

/// One binding.
#[derive(Debug)]
pub struct Binding {
    /// The struct.
    pub ident: String,
    /// The type of its codes.
    pub code_ident: String,
    /// The module that holds everything.
    pub module: String,
    /// `info.title`
    pub title: String,
    /// `info.description`
    pub description: Option<String>,
    /// `info.version`
    pub version: String,
    /// The calling convention of every function.
    pub convention: Convention,
    /// Whether calls may run concurrently.
    pub thread_safe: bool,
    /// The library that the document names.
    pub default_library: Option<DefaultLibrary>,
    /// The functions, in the order of the document.
    pub functions: Vec<Function>,
    /// The codes, sorted.
    pub codes: Vec<Code>,
    /// The structs, enums and handles.
    pub types: Types,
    /// The names of the statics besides those of the functions.
    pub tables: Tables,
    /// Whether a JSON caller passes or gets tokens.
    pub uses_handles: bool,
    /// The library that the document was checked against.
    pub checked: Option<CheckedLibrary>,
}

/// The library that the document was checked against.
#[derive(Debug)]
pub struct CheckedLibrary {
    /// Its file name, as given.
    pub library: String,
    /// The identifier of its build, if it has one.
    pub build: Option<String>,
    /// The size of its file.
    pub size: u64,
    /// Its file, which is checked again when it changes.
    pub path: std::path::PathBuf,
}

/// The types that the schemas of the document describe. The plan refers to them by index.
#[derive(Debug, Default)]
pub struct Types {
    /// The structs and states.
    pub records: Vec<Record>,
    /// The enums.
    pub enums: Vec<Enumeration>,
    /// The types of handles.
    pub handles: Vec<HandleType>,
}

/// The names of the statics besides those of the functions. No function has one of them.
#[derive(Debug)]
pub struct Tables {
    /// All functions.
    pub functions: String,
    /// The names of their symbols.
    pub symbols: String,
    /// The functions that the library may lack.
    pub optional: String,
    /// The codes, if the document has any.
    pub codes: String,
    /// The library that the document was checked against, if it was.
    pub checked: String,
    /// The enum of the positions in the table of symbols.
    pub positions: String,
}

/// The library that the document names.
#[derive(Debug)]
pub struct DefaultLibrary {
    /// The environment variable that overrides it.
    pub variable: String,
    /// The file on Linux.
    pub linux: Option<String>,
    /// The file on macOS.
    pub macos: Option<String>,
    /// The file on Windows.
    pub windows: Option<String>,
}

/// A calling convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// The default of C.
    Cdecl,
    /// That of the 32-bit Windows API.
    Stdcall,
}

impl Convention {
    /// The name in the document.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cdecl => "cdecl",
            Self::Stdcall => "stdcall",
        }
    }

    /// The keyword before the name of a function in C.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Cdecl => "",
            Self::Stdcall => "__stdcall ",
        }
    }
}

/// A code that a function can return.
#[derive(Debug)]
pub struct Code {
    /// The constant in Rust.
    pub ident: String,
    /// The code.
    pub value: i64,
    /// What it means; empty if the document has only its name.
    pub text: String,
    /// The name in the document.
    pub name: Option<String>,
}

impl Code {
    /// Whether the document has a text for it.
    #[must_use]
    pub fn has_text(&self) -> bool {
        self.name.is_none() || !self.text.is_empty()
    }
}
