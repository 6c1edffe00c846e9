//! `opendyn check`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use opendyn_codegen::Options;
use opendyn_inspect::contract::{SourceOptions, Sources, check_contract};

use crate::check::{CheckedDocument, Results, check_scripts, evidence, github, json, text};
use crate::document::Document;
use crate::failure::Outcome;
use crate::script::is_script;

/// Check documents, on their own and against libraries, and Python scripts
#[derive(Args)]
#[command(after_help = "\
Without --library, the library that the document names in `x-library` is checked, if it is
found. Exit status: 0 no errors, 1 errors (or warnings with --deny), 2 the check failed to run.

Examples:
  opendyn check zlib.json --library libz.so.1 --header zlib.h
  opendyn check *.json --deny warnings --format github    for CI")]
pub(crate) struct Arguments {
    /// Documents, and Python scripts (.py), which must follow the rules of dynamic tools
    #[arg(required = true, value_name = "DOC|SCRIPT")]
    files: Vec<PathBuf>,

    /// The library: a path, or a name that the system's loader finds
    #[arg(long, value_name = "LIB")]
    library: Option<PathBuf>,

    /// A C header that declares the functions: a path, or a name as in #include <…>
    #[arg(long = "header", value_name = "HEADER")]
    headers: Vec<PathBuf>,

    /// A folder to search for headers
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,

    /// A macro to define for the headers
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,

    /// The file with the library's debug info, if not in a usual place
    #[arg(long, value_name = "FILE")]
    debug_info: Option<PathBuf>,

    /// The target of the library, such as i686-pc-windows-msvc
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,

    /// How findings are shown: text, json, or github for annotations
    #[arg(long, value_enum, default_value_t = Format::Text)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    format: Format,

    /// Findings that fail the check in addition to errors: warnings
    #[arg(long, value_enum, hide_possible_values = true)]
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
        let (scripts, documents): (Vec<&Path>, Vec<&Path>) =
            self.files.iter().map(PathBuf::as_path).partition(|file| is_script(file));
        let documents: Vec<Document> = documents.into_iter().map(Document::read).collect::<Outcome<_>>()?;
        let scripts = check_scripts(&scripts)?;
        let options = SourceOptions {
            library: self.library,
            headers: self.headers,
            include: self.include,
            define: self.define,
            debug_info: self.debug_info,
            target: self.target,
        };
        let texts: Vec<&str> = documents.iter().map(|document| document.source.as_str()).collect();
        let sources = Sources::read(&options, &texts)?;
        let checked: Vec<CheckedDocument> = documents
            .iter()
            .map(|document| {
                let (evidence, note) = evidence(&sources, &document.source);
                let options = Options::default();
                let report = check_contract(&document.name, &document.source, &options, &evidence);
                CheckedDocument { file: document.name.clone(), report, note }
            })
            .collect();
        let results = Results::new(checked, scripts);
        match self.format {
            Format::Text => text::show(&results),
            Format::Json => json::show(&results),
            Format::Github => github::show(&results),
        }
        let counts = results.findings.iter().any(|found| found.is_error() || self.deny.is_some());
        Ok(if counts { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}
