//! `opendyn fmt calc.json`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use opendyn_codegen::{Options, Rule};
use opendyn_model::layout::{self, LayoutError};
use opendyn_source::span::Lines;

use crate::document::{Document, is_stdin};
use crate::failure::Outcome;
use crate::{findings, output};

/// Format documents in the canonical layout
#[derive(Args)]
#[command(after_help = "\
Keys are ordered as in the specification, and lines have at most 100 columns if possible.
Numbers and strings stay as written; unknown keys stay after the key that they followed.

Examples:
  opendyn fmt calc.json            rewrites the file
  opendyn fmt --check *.json       for CI: exit status 1 if one of them would change
  opendyn fmt - < in.json          writes to stdout")]
pub(crate) struct Arguments {
    /// The documents, which are rewritten; - is stdin, written to stdout
    #[arg(value_name = "DOC", required = true)]
    documents: Vec<PathBuf>,
    /// Only print which documents would change, and fail if there are any
    #[arg(long)]
    check: bool,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let mut is_fine = true;
        for path in &self.documents {
            let document = Document::read(path)?;
            match layout::of_text(&document.source) {
                Ok(text) if self.check => {
                    if text != document.source {
                        output::print(&format!("{}\n", document.name))?;
                        is_fine = false;
                    }
                }
                Ok(text) => finish(path, &document, &text)?,
                Err(fault) => {
                    show(&document, &fault);
                    is_fine = false;
                }
            }
        }
        Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

fn finish(path: &Path, document: &Document, text: &str) -> Outcome<()> {
    if is_stdin(path) {
        return output::print(text);
    }
    if output::write(path, text)? {
        anstream::eprintln!("formatted {}", document.name);
    }
    Ok(())
}

/// Shows an error in the same form as other commands. The rules do not find a duplicate key in an object that
/// no rule reads.
fn show(document: &Document, fault: &LayoutError) {
    let found = opendyn_codegen::check(&document.name, &document.source, &Options::default());
    let is_fault = |rule: Rule| matches!(rule, Rule::NotJson | Rule::TooDeep | Rule::DuplicateKey);
    let mut is_shown = false;
    for finding in found.iter().filter(|finding| is_fault(finding.rule)) {
        anstream::eprintln!("{}\n", findings::painted(finding));
        is_shown = true;
    }
    if let LayoutError::DuplicateKey { span, .. } = fault
        && !is_shown
    {
        let (line, column) = Lines::new(&document.source).locate(span.start);
        let (name, code) = (&document.name, Rule::DuplicateKey.code());
        anstream::eprintln!("{name}:{line}:{column}: error[{code}]: {fault}");
        anstream::eprintln!("  help: remove one of the two\n");
    }
}
