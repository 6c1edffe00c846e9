//! `opendyn doctor zlib.json`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::doctor::{Finding, State, of_document, of_machine};
use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::script::is_script;
use crate::tool;

/// Say what this machine and documents lack, and the command that installs it
#[derive(Args)]
#[command(after_help = "\
Nothing is loaded or called. `failed` is what the documents and scripts need, and exit status 1;
`lacking` is what they can do without.

Examples:
  opendyn doctor                      compiler, headers, make, Rust, Python, sandbox
  opendyn doctor zlib.json cpu.py     also the library of the document, and Python for the script
  opendyn doctor calc.json --library ./libcalc.so --format json")]
pub(crate) struct Arguments {
    /// Documents, and Python scripts (.py)
    #[arg(value_name = "DOC|SCRIPT")]
    files: Vec<PathBuf>,
    /// The library of the first document, then of the second, …
    #[arg(long = "library", value_name = "LIB")]
    libraries: Vec<PathBuf>,
    /// text, or json for programs
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_default_value = true)]
    #[arg(hide_possible_values = true)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let (scripts, documents): (Vec<_>, Vec<_>) = self.files.iter().partition(|file| is_script(file));
        if let Some(missing) = scripts.iter().find(|script| !script.is_file()) {
            return Err(Failure::new(format!("the script `{}` does not exist", missing.display())));
        }
        let libraries = tool::libraries(documents.len(), &self.libraries)?;
        let mut found = of_machine(!scripts.is_empty());
        for (path, library) in documents.iter().zip(libraries) {
            found.extend(of_document(&Document::read(path)?, library.as_deref()));
        }
        let has_failed = found.iter().any(|finding| finding.state == State::Failed);
        match self.format {
            Format::Text => {
                let lines: Vec<String> = found.iter().map(|finding| format!("{finding}\n")).collect();
                output::print(&lines.concat())?;
            }
            Format::Json => {
                let findings: Vec<Value> = found.iter().map(Finding::object).collect();
                output::print(&format!("{:#}\n", json!({ "ok": !has_failed, "findings": findings })))?;
            }
        }
        Ok(if has_failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}
