//! `opendyn check`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use opendyn_codegen::Options;
use opendyn_inspect::contract::{SourceOptions, Sources, check_contract};

use crate::check::{CheckedDocument, Found, Results, check_scripts, evidence, github, json, text};
use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::script::is_script;
use crate::tool::is_workflow;
use crate::trial;

/// Check documents, on their own and against libraries, and Python scripts
#[derive(Args)]
#[command(after_help = "\
Without --library, the library that the document names in `x-library` is checked, if it is
found. Exit status: 0 no errors, 1 errors (or warnings with --deny), 2 the check failed to run.
The arguments of --try may use an earlier result: \"$1.handle\".

Examples:
  opendyn check zlib.json --library libz.so.1 --header zlib.h
  opendyn check *.json --deny warnings --format github    for CI
  opendyn check zlib.json --try compress '{\"source\": \"aGk=\"}'")]
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

    /// Call it in a process of its own, its memory between guard pages
    #[arg(long = "try", num_args = 2, value_names = ["FUNCTION", "ARGUMENTS"])]
    calls: Vec<String>,

    /// The same for every `readOnly` function, with made-up arguments
    #[arg(long)]
    try_all: bool,

    /// The time limit of one process; 10 if not given
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, hide_default_value = true, value_parser = seconds)]
    timeout: f64,

    /// The process that makes the calls
    #[arg(long, hide = true)]
    tried: bool,
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
        if self.tried {
            return trial::run_child();
        }
        let wanted = trial::Wanted {
            calls: self
                .calls
                .as_chunks::<2>()
                .0
                .iter()
                .map(|[function, arguments]| (function.clone(), arguments.clone()))
                .collect(),
            all: self.try_all,
            library: self.library.clone(),
            limit: Duration::from_secs_f64(self.timeout),
        };
        let (scripts, documents): (Vec<&Path>, Vec<&Path>) =
            self.files.iter().map(PathBuf::as_path).partition(|file| is_script(file));
        let documents: Vec<Document> = documents.into_iter().map(Document::read).collect::<Outcome<_>>()?;
        if let Some(flow) = documents.iter().find(|document| is_workflow(&document.source)) {
            let failure = Failure::new(format!("`{}` is a workflow", flow.name));
            return Err(failure
                .help(format!("`opendyn run {} DOC… --check` checks it with what it calls", flow.name)));
        }
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
        let mut results = Results::new(checked, scripts);
        let has_errors = results.findings.iter().any(Found::is_error);
        if !wanted.is_empty() && has_errors {
            results.not_tried.push("nothing is tried with a document that has errors".to_owned());
        } else if !wanted.is_empty() {
            let [document] = documents.as_slice() else {
                return Err(Failure::new("calls are tried with one document"));
            };
            (results.tried, results.not_tried) = trial::run(document, &wanted)?;
        }
        match self.format {
            Format::Text => text::show(&results),
            Format::Json => json::show(&results),
            Format::Github => github::show(&results),
        }
        let counts = results.findings.iter().any(|found| found.is_error() || self.deny.is_some())
            || results.tried.iter().any(|tried| !tried.seen.is_empty());
        Ok(if counts { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// A time limit.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.1..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0.1 to 86400".to_owned()),
    }
}
