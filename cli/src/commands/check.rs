//! `opendyn check`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use opendyn_codegen::contract::check_contract;
use opendyn_codegen::{Options, Severity};

use crate::check::{Checked, Sources, Wanted, github, json, text};
use crate::document::Document;
use crate::failure::Outcome;

/// Check a document: by itself, and against the library, headers and debug info
///
/// Without --library, the library is checked that the document names in `x-library`, where it is found.
/// Exit status: 0 no findings that count, 1 there are some, 2 the check could not be done.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The documents
    #[arg(required = true, value_name = "DOC")]
    documents: Vec<PathBuf>,

    /// The library: a path, or a name that the system's loader finds
    #[arg(long, value_name = "LIB")]
    library: Option<PathBuf>,

    /// A C header that declares the functions: a path, or a name as in #include <…>
    #[arg(long = "header", value_name = "HEADER")]
    headers: Vec<PathBuf>,

    /// A folder with headers
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,

    /// A macro for the headers
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,

    /// The file with the library's debug info, where it is not in a usual place
    #[arg(long, value_name = "FILE")]
    debug_info: Option<PathBuf>,

    /// The target that the library is for, such as i686-pc-windows-msvc
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,

    /// How findings are shown
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Findings that count beside errors
    #[arg(long, value_enum)]
    deny: Option<Deny>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// Annotations of GitHub Actions
    Github,
}

#[derive(Clone, Copy, ValueEnum)]
enum Deny {
    Warnings,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let documents: Vec<Document> =
            self.documents.iter().map(|path| Document::read(path)).collect::<Outcome<_>>()?;
        let wanted = Wanted {
            library: self.library.as_deref(),
            headers: &self.headers,
            include: &self.include,
            define: &self.define,
            debug_info: self.debug_info.as_deref(),
            target: self.target.as_deref(),
        };
        let sources = Sources::read(&wanted, &documents)?;
        let checked: Vec<Checked> = documents
            .iter()
            .map(|document| {
                let (evidence, note) = sources.of(document);
                let options = Options::default();
                let report = check_contract(&document.name, &document.source, &options, &evidence);
                Checked { file: document.name.clone(), report, note }
            })
            .collect();
        match self.format {
            Format::Text => text::show(&checked),
            Format::Json => json::show(&checked),
            Format::Github => github::show(&checked),
        }
        let counts = |severity| match severity {
            Severity::Error => true,
            Severity::Warning => self.deny.is_some(),
        };
        let found = checked
            .iter()
            .flat_map(|checked| &checked.report.diagnostics)
            .any(|diagnostic| counts(diagnostic.severity()));
        Ok(if found { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}
