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
//! Reading and lowering report to one collector and continue, so that one run finds everything. With the feature `check`,
//! `contract` compares the document with a library, and reports there too. The macro, [`Builder`] for build
//! scripts and the command line are three thin shells over [`generate`] and one [`Options`].
//!
//! The feature `format`, on by default, formats files and describes methods; the macro does without it. A build script
//! that wants to compile as little as possible turns it off: `default-features = false`.

#![forbid(unsafe_code)]

mod builder;
#[cfg(feature = "check")]
pub mod contract;
#[cfg(feature = "format")]
pub mod description;
#[cfg_attr(
    not(feature = "format"),
    allow(dead_code, unused_imports, reason = "some of it serves `description` alone")
)]
mod emit;
mod format;

use opendyn_model::{Findings, ir, lower, read};
use proc_macro2::TokenStream;

pub use builder::{BuildError, Builder};
pub use emit::python::{PythonCall, PythonCode};
pub use format::FormatError;
pub use opendyn_model::{
    Diagnostic, Diagnostics, Options, Rule, Severity, Unchecked, json_schema, keys, rust_name,
};

/// Bindings, and the warnings for the author of the document.
#[derive(Debug)]
pub struct Generated {
    /// The name of the struct.
    pub name: String,
    /// Whether the document names a library. If so, the bindings have `open_default`.
    pub has_default_library: bool,
    /// Whether the bindings can be shared between threads without a lock.
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

    /// The bindings as the text of a Rust file.
    ///
    /// With the feature `format`, which is on by default, the file is formatted as by hand. Without it the code is the
    /// same, with the same comments, but in plain lines: `Option < u8 >`, `#[doc = "…"]` in place of `///`, and no
    /// empty lines. A file in `OUT_DIR` seldom needs more, and the build script compiles without a parser for Rust.
    ///
    /// # Errors
    ///
    /// The tokens are not a Rust file: a defect of the generator, which only formatting finds.
    pub fn to_file(&self) -> Result<String, FormatError> {
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

/// What the document means, as plain data, with methods as Rust spells them: with the feature `format`. `file` is its
/// name in findings.
///
/// # Errors
///
/// As for [`generate`].
#[cfg(feature = "format")]
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
use contract::check_option as check_library;

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
