//! From an OpenDyn document to Rust.
//!
//! # How a document flows
//!
//! | step | where | what it holds |
//! |---|---|---|
//! | document | `document`, of `opendyn-model` | the fields of the specification, read with their places |
//! | plan | `plan`, of `opendyn-model` | names, how every value travels, the steps of a call: decided once |
//! | tokens | `emit` | pure functions of the plan that cannot fail |
//! | file | `format` | the same tokens, formatted, with comments |
//!
//! Reading and lowering report to one collector and continue, so that one run finds everything. With the feature
//! `check`, `opendyn-inspect` compares the document with a library, and reports to the same collector. The macro,
//! [`Builder`] for build scripts and the command line are three thin shells over [`generate`] and one [`Options`].
//!
//! The feature `format`, on by default, formats files; the macro does without it. A build script that wants to compile
//! as little as possible turns it off: `default-features = false`. With the feature `describe`, `describe` returns
//! what a document means as plain data, `reference` writes a page from it, `script` writes Python scripts, and `diff`
//! compares two versions.

#![forbid(unsafe_code)]

mod builder;
#[cfg(feature = "describe")]
pub mod description;
#[cfg(feature = "describe")]
pub mod diff;
mod emit;
mod format;
#[cfg(feature = "describe")]
mod python;
#[cfg(feature = "describe")]
pub mod reference;
#[cfg(feature = "describe")]
pub mod script;
mod tokens;

use opendyn_model::plan::Binding;
use opendyn_model::{Findings, lower, read};

pub use builder::{BuildError, Builder};
pub use format::FormatError;
pub use opendyn_model::{Diagnostic, Diagnostics, Options, Rule, Severity, Strings, Unchecked, json_schema};
/// [`Generated::tokens`] returns its `TokenStream`. This is the version that it uses.
#[cfg(feature = "format")]
#[doc(no_inline)]
pub use proc_macro2;
#[cfg(feature = "describe")]
pub use python::{PythonCall, PythonCode};

/// Bindings, and the warnings for the author of the document.
///
/// ```
/// use opendyn_codegen::{Options, generate};
///
/// let document = r#"{
///     "opendyn": "1.0.0",
///     "info": {"title": "calc", "version": "1.0.0", "callingConvention": "cdecl"},
///     "functions": [{"name": "answer", "description": "Always 42.", "parameters": [],
///         "return": {"name": "result", "schema": {"type": "integer", "cType": {"type": "int", "isPointer": false}}}}]
/// }"#;
/// let generated = generate("calc.json", document, &Options::default())?;
/// assert_eq!(generated.name(), "Calc");
/// assert!(!generated.has_default_library(), "the document names no library");
/// # Ok::<(), opendyn_codegen::Diagnostics>(())
/// ```
#[derive(Debug)]
pub struct Generated {
    /// Findings that did not stop the generator.
    pub warnings: Diagnostics,
    file: String,
    binding: Binding,
}

impl Generated {
    /// The name of the struct.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.binding.ident
    }

    /// Whether the document names a library. If so, the bindings have `open_default`.
    #[must_use]
    pub fn has_default_library(&self) -> bool {
        self.binding.default_library.is_some()
    }

    /// Whether the bindings can be shared between threads without a lock.
    #[must_use]
    pub fn is_thread_safe(&self) -> bool {
        self.binding.thread_safe
    }

    /// The library that the document was checked against.
    #[must_use]
    pub fn library(&self) -> Option<&std::path::Path> {
        self.binding.checked.as_ref().map(|checked| checked.path.as_path())
    }

    /// The bindings as code for a macro, whose `TokenStream` parses it.
    #[must_use]
    pub fn code(&self) -> String {
        emit::emit(&self.binding, false).into_text()
    }

    /// The bindings as tokens of `proc_macro2`.
    #[cfg(feature = "format")]
    #[must_use]
    pub fn tokens(&self) -> proc_macro2::TokenStream {
        // It parses, or else the bindings would not compile.
        self.code().parse().unwrap_or_default()
    }

    /// The bindings as the text of a Rust file.
    ///
    /// With the feature `format`, which is on by default, the file is formatted as by hand. Without it the code is the
    /// same, with the same comments, but in plain lines: `#[doc = "…"]` in place of `///`, and no empty lines. A file in `OUT_DIR` seldom needs more, and the build script compiles without a parser for Rust.
    ///
    /// # Errors
    ///
    /// The tokens are not a Rust file: a defect of the generator, which only formatting finds.
    pub fn to_file(&self) -> Result<String, FormatError> {
        format::format(emit::emit(&self.binding, true), &self.file)
    }
}

/// Generates bindings from the text of a document. `file` is its name in findings.
///
/// ```
/// use opendyn_codegen::{Options, generate};
///
/// let document = r#"{
///     "opendyn": "1.0.0",
///     "info": {"title": "calc", "version": "1.0.0", "callingConvention": "cdecl"},
///     "functions": [{"name": "answer", "description": "Always 42.", "parameters": [],
///         "return": {"name": "result", "schema": {"type": "integer", "cType": {"type": "int", "isPointer": false}}}}]
/// }"#;
/// let generated = generate("calc.json", document, &Options::default())?;
/// assert!(generated.code().contains("fn answer"));
/// # Ok::<(), opendyn_codegen::Diagnostics>(())
/// ```
///
/// # Errors
///
/// The document has errors: all of them are returned, and its warnings too.
pub fn generate(file: &str, source: &str, options: &Options) -> Result<Generated, Diagnostics> {
    let (binding, warnings) = analyse(file, source, options)?;
    Ok(Generated { warnings, file: file.to_owned(), binding })
}

/// The OpenTool document of the bindings, as text: what their `load()` returns. `file` is the name of the document in
/// findings.
///
/// ```
/// use opendyn_codegen::{Options, opentool};
///
/// let document = r#"{
///     "opendyn": "1.0.0",
///     "info": {"title": "calc", "version": "1.0.0", "callingConvention": "cdecl"},
///     "functions": [{"name": "answer", "description": "Always 42.", "parameters": [],
///         "return": {"name": "result", "schema": {"type": "integer", "cType": {"type": "int", "isPointer": false}}}}]
/// }"#;
/// let tool = opentool("calc.json", document, &Options::default())?;
/// assert!(tool.contains("Always 42."));
/// # Ok::<(), opendyn_codegen::Diagnostics>(())
/// ```
///
/// # Errors
///
/// As for [`generate`].
pub fn opentool(file: &str, source: &str, options: &Options) -> Result<String, Diagnostics> {
    analyse(file, source, options).map(|(binding, _)| opendyn_model::opentool::document(&binding))
}

/// What the document means, as plain data. `file` is its name in findings.
///
/// ```
/// use opendyn_codegen::{Options, describe};
///
/// let document = r#"{
///     "opendyn": "1.0.0",
///     "info": {"title": "calc", "version": "1.0.0", "callingConvention": "cdecl"},
///     "functions": [{"name": "answer", "description": "Always 42.", "parameters": [],
///         "return": {"name": "result", "schema": {"type": "integer", "cType": {"type": "int", "isPointer": false}}}}]
/// }"#;
/// let description = describe("calc.json", document, &Options::default())?;
/// assert_eq!(description.functions.len(), 1);
/// # Ok::<(), opendyn_codegen::Diagnostics>(())
/// ```
///
/// # Errors
///
/// As for [`generate`].
#[cfg(feature = "describe")]
pub fn describe(
    file: &str,
    source: &str,
    options: &Options,
) -> Result<description::Description, Diagnostics> {
    analyse(file, source, options).map(|(binding, _)| description::describe(&binding))
}

/// Code that calls every function from Python, through `ctypes`. `library` is the file to load, in place of the one
/// that the document names; `file` is the document's name in findings.
///
/// # Errors
///
/// As for [`generate`].
#[cfg(feature = "describe")]
pub fn python_calls(
    file: &str,
    source: &str,
    options: &Options,
    library: Option<&str>,
) -> Result<Vec<PythonCall>, Diagnostics> {
    let (binding, _) = analyse(file, source, options)?;
    Ok(python::calls(&binding, &lower::library_variable(&binding.ident), library))
}

/// Checks a document without generating anything: every finding, errors and warnings.
///
/// ```
/// use opendyn_codegen::{Options, Rule, check};
///
/// let document = r#"{
///     "opendyn": "1.0.0",
///     "info": {"title": "calc", "version": "1.0.0", "callingConvention": "cdecl"},
///     "functions": [{"name": "answer", "description": "Always 42.", "parameters": [],
///         "return": {"name": "result", "schema": {"type": "integer", "cType": {"type": "int", "isPointer": false}}}}]
/// }"#;
/// assert_eq!(check("calc.json", document, &Options::default()).iter().count(), 0);
///
/// let broken = document.replace("\"int\"", "\"integr\"");
/// let findings = check("calc.json", &broken, &Options::default());
/// assert_eq!(findings.errors().next().map(|finding| finding.rule), Some(Rule::UnknownCType));
/// ```
#[must_use]
pub fn check(file: &str, source: &str, options: &Options) -> Diagnostics {
    match analyse(file, source, options) {
        Ok((_, findings)) | Err(findings) => findings,
    }
}

/// The plan of a document and its warnings; or every finding, if some are errors.
fn analyse(file: &str, source: &str, options: &Options) -> Result<(Binding, Diagnostics), Diagnostics> {
    let findings = Findings::new();
    let binding = read::read(source, &findings).and_then(|document| {
        let lowered = lower::lower(&document, options, &findings);
        let checked =
            options.check_library.as_ref().and_then(|library| check_library(&lowered, library, &findings));
        lowered.binding().map(|binding| Binding { checked, ..binding })
    });
    let is_whole = !findings.has_errors();
    let findings = findings.finish(file, source);
    match binding {
        Some(binding) if is_whole => Ok((binding, findings)),
        _ => Err(findings),
    }
}

#[cfg(feature = "check")]
use opendyn_inspect::contract::check_option as check_library;

#[cfg(not(feature = "check"))]
fn check_library(
    _: &lower::Lowered,
    library: &str,
    findings: &Findings,
) -> Option<opendyn_model::plan::CheckedLibrary> {
    findings.report_option(
        Rule::CheckLibrary,
        format!("the document cannot be checked against {library:?}: the feature `check` is off"),
        "turn on the feature `check` of `opendyn`, or of `opendyn-codegen` in a build script",
    );
    None
}
