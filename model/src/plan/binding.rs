//! One binding: a struct, its methods and its tables.

use crate::plan::{Allocator, Enumeration, Free, Function, Got, HandleType, Record};
use crate::span::Spanned;

/// One binding.
#[derive(Debug)]
pub struct Binding {
    /// The struct.
    pub ident: String,
    /// The function that loads the library at a path: `open`, unless a method has this name.
    pub open: &'static str,
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
    /// How models use the functions together.
    pub instructions: Option<String>,
    /// What a caller can do after a failure, by its code.
    pub hints: Vec<(i64, String)>,
    /// The calling convention of every function.
    pub convention: Convention,
    /// Whether calls may run concurrently.
    pub thread_safe: bool,
    /// Whether even calls with the same handle may.
    pub shares_handles: bool,
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
    /// How the library begins and ends, if it must.
    pub init: Option<Init>,
    /// The library that the document was checked against.
    pub checked: Option<CheckedLibrary>,
}

/// How a library begins before all other calls, and ends after them. Neither function is for callers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Init {
    /// The index of the function that begins it. A caller gives it no arguments: its parameters are constants.
    pub function: usize,
    /// Those of its parameters that are constants for this reason.
    pub args: Vec<i128>,
    /// The index of the function that ends it, which takes no arguments.
    pub end: Option<usize>,
}

impl Init {
    /// Whether the function at `index` begins or ends the library.
    #[must_use]
    pub fn names(&self, index: usize) -> bool {
        self.function == index || self.end == Some(index)
    }
}

impl Binding {
    /// The names in the table of symbols: of the functions, and of what frees besides them.
    pub fn symbols(&self) -> impl Iterator<Item = &str> {
        let functions = self.functions.iter().map(|function| function.symbol.as_str());
        functions.chain(self.types.symbols.iter().map(|symbol| symbol.name.value.as_str()))
    }

    /// Whether some function gives a handle of this type to own that lives in another handle.
    #[must_use]
    pub fn handle_lives_in_another(&self, of: usize) -> bool {
        self.gives(|got| match got {
            Got::Handle { handle, free: Some(_), parents, .. }
            | Got::Handles { handle, free: Some(_), parents, .. } => *handle == of && !parents.is_empty(),
            _ => false,
        })
    }

    /// Whether some function begins a state of this record that lives in a handle or in another state.
    #[must_use]
    pub fn state_lives_in_another(&self, of: usize) -> bool {
        self.gives(
            |got| matches!(got, Got::State { record, parents, .. } if *record == of && !parents.is_empty()),
        )
    }

    fn gives(&self, is_it: impl Fn(&Got) -> bool) -> bool {
        self.functions.iter().flat_map(|function| &function.outcomes).any(|outcome| is_it(&outcome.got))
    }
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
    /// The ways to free a value.
    pub frees: Vec<Free>,
    /// What allocates memory that C frees.
    pub allocators: Vec<Allocator>,
    /// The symbols that free or allocate and are not functions of the document. They follow the functions in the table of
    /// symbols.
    pub symbols: Vec<LinkedSymbol>,
}

/// A symbol that frees or allocates and is not a function of the document.
#[derive(Debug)]
pub struct LinkedSymbol {
    /// Its name in the library, or in one that the library links.
    pub name: Spanned<String>,
    /// The variant of the enum of symbols.
    pub variant: String,
    /// Whether it is a variable that holds the function.
    pub is_variable: bool,
    /// The key that names it: `x-free` or `x-takes`.
    pub key: &'static str,
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
