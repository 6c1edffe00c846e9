//! From an OpenDyn document to Rust.
//!
//! # How a document flows
//!
//! | step | module | what it holds |
//! |---|---|---|
//! | document | `document`, of `opendyn-model` | the fields of the specification, read with their places |
//! | meaning | `ir`, of `opendyn-model` | names, and how every value travels: decided once |
//! | tokens | `emit` | pure functions of the IR that cannot fail |
//! | file | `format` | the same tokens, formatted, with comments |
//!
//! Reading and lowering report to one collector and go on, so that one run finds everything. With
//! the feature `check`, `opendyn-inspect` compares the document with a library, and reports there too.
//! The macro, [`Builder`] for build scripts and the command line are three thin shells over
//! [`generate`] and one [`Options`].
//!
//! [`describe`] returns what a document means as plain data. With the feature `describe`, `reference` writes a page
//! from it, `script` Python scripts, and `diff` compares two of them.

#![forbid(unsafe_code)]

mod builder;
pub mod description;
#[cfg(feature = "describe")]
pub mod diff;
mod emit;
mod format;
#[cfg(feature = "describe")]
pub mod reference;
#[cfg(feature = "describe")]
pub mod script;

use opendyn_model::{Findings, ir, lower, read};
use proc_macro2::TokenStream;

pub use builder::{BuildError, Builder};
pub use emit::python::{PythonCall, PythonCode};
pub use opendyn_model::{
    Diagnostic, Diagnostics, Options, Rule, Severity, Unchecked, json_schema, keys, rust_name,
};

/// Bindings, and what the document's author may want to mend nevertheless.
#[derive(Debug)]
pub struct Generated {
    /// The name of the struct.
    pub name: String,
    /// Whether the document names a library, so that the bindings have `open_default`.
    pub has_default_library: bool,
    /// Whether the bindings can be shared between threads as they are.
    pub thread_safe: bool,
    /// Findings that did not stop the generator.
    pub warnings: Diagnostics,
    /// The library that the document was checked against.
    pub library: Option<std::path::PathBuf>,
    file: String,
    /// The bindings with the reasons of their `unsafe` blocks, which only a file can show.
    reasoned: TokenStream,
}

impl Generated {
    /// The bindings as tokens, for a macro.
    #[must_use]
    pub fn tokens(&self) -> TokenStream {
        emit::without_reasons(self.reasoned.clone())
    }

    /// The bindings as the text of a Rust file, formatted and commented.
    ///
    /// # Errors
    ///
    /// The tokens are not a Rust file: a defect of the generator.
    pub fn to_file(&self) -> Result<String, syn::Error> {
        format::format(self.reasoned.clone(), &self.file)
    }
}

/// Generates bindings from the text of a document. `file` is its name in findings.
///
/// # Errors
///
/// The document has errors: all of them are returned, and its warnings too.
pub fn generate(file: &str, source: &str, options: &Options) -> Result<Generated, Diagnostics> {
    match analyse(file, source, options) {
        (Some(binding), warnings) => Ok(Generated {
            reasoned: emit::emit(&binding),
            has_default_library: binding.default_library.is_some(),
            thread_safe: binding.thread_safe,
            library: binding.checked.map(|checked| checked.path),
            name: binding.ident,
            warnings,
            file: file.to_owned(),
        }),
        (None, diagnostics) => Err(diagnostics),
    }
}

/// The OpenTool document of the bindings, as text: what `load()` of them returns. `file` is the name of the
/// document in findings.
///
/// # Errors
///
/// As for [`generate`].
pub fn opentool(file: &str, source: &str, options: &Options) -> Result<String, Diagnostics> {
    match analyse(file, source, options) {
        (Some(binding), _) => Ok(emit::opentool(&binding)),
        (None, diagnostics) => Err(diagnostics),
    }
}

/// What the document means, as plain data. `file` is its name in findings.
///
/// # Errors
///
/// As for [`generate`].
pub fn describe(
    file: &str,
    source: &str,
    options: &Options,
) -> Result<description::Description, Diagnostics> {
    match analyse(file, source, options) {
        (Some(binding), _) => Ok(description::describe(&binding)),
        (None, diagnostics) => Err(diagnostics),
    }
}

/// What calls every function from Python, through `ctypes`. `library` is the file to load, in place of the one that
/// the document names; `file` is the document's name in findings.
///
/// # Errors
///
/// As for [`generate`].
pub fn python_calls(
    file: &str,
    source: &str,
    options: &Options,
    library: Option<&str>,
) -> Result<Vec<PythonCall>, Diagnostics> {
    match analyse(file, source, options) {
        (Some(binding), _) => {
            Ok(emit::python::calls(&binding, &lower::library_variable(&binding.ident), library))
        }
        (None, diagnostics) => Err(diagnostics),
    }
}

/// Looks at a document without generating anything: every finding, errors and warnings.
#[must_use]
pub fn check(file: &str, source: &str, options: &Options) -> Diagnostics {
    analyse(file, source, options).1
}

/// What a document comes to, if it has no errors; and every finding.
fn analyse(file: &str, source: &str, options: &Options) -> (Option<ir::Binding>, Diagnostics) {
    let findings = Findings::new();
    let binding = read::read(source, &findings).and_then(|document| {
        let mut binding = lower::lower(&document, options, &findings);
        if let Some(library) = &options.check_library {
            let checked = check_library(&document, library, options, &findings);
            if let Some(binding) = &mut binding {
                binding.checked = checked;
            }
        }
        binding
    });
    let binding = binding.filter(|_| !findings.has_errors());
    (binding, findings.finish(file, source))
}

#[cfg(feature = "check")]
use opendyn_inspect::contract::check_option as check_library;

#[cfg(not(feature = "check"))]
fn check_library(
    _: &opendyn_model::document::Document,
    library: &str,
    _: &Options,
    findings: &Findings,
) -> Option<ir::Checked> {
    findings.report_option(
        Rule::CheckLibrary,
        format!("the document cannot be checked against {library:?}: the feature `check` is off"),
        "turn on the feature `check` of `opendyn`, or of `opendyn-codegen` in a build script",
    );
    None
}
