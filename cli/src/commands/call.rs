//! `opendyn call`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::document::{Document, is_stdin};
use crate::failure::{Failure, Outcome};
use crate::host::{self, Kind, Launch, Wanted};
use crate::output;

/// Call a function of a library, as a document describes it
#[derive(Args)]
#[command(after_help = "\
The result is one JSON object on stdout. The first call compiles a small program, which is kept.

  opendyn call zlib.json zlibVersion
  opendyn call calc.json --library ./libcalc.so add '{\"a\": 2, \"b\": 3}'

A handle lives as long as the process that gave it: calls that share one are made with --batch.
A line {\"function\": \"add\", \"arguments\": {…}} is answered by {\"result\": {…}} or {\"error\": {…}}.")]
pub(crate) struct Arguments {
    /// The document
    #[arg(value_name = "DOC")]
    document: PathBuf,
    /// The function
    #[arg(required_unless_present_any = ["batch", "list"], conflicts_with_all = ["batch", "list"])]
    function: Option<String>,
    /// Its arguments, a JSON object; `-` reads them from stdin
    #[arg(default_value = "{}", hide_default_value = true)]
    arguments: String,
    /// The library, a path or a name for the system to find; otherwise the document's own
    #[arg(long, value_name = "LIB")]
    library: Option<PathBuf>,
    /// Make the calls that stdin has, one a line
    #[arg(long, conflicts_with = "list")]
    batch: bool,
    /// List the functions and their arguments
    #[arg(long)]
    list: bool,
    /// Write the result in one line on a terminal too
    #[arg(long)]
    compact: bool,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        if is_stdin(&self.document) && (self.batch || self.arguments == "-") {
            return Err(Failure::new("stdin cannot be both the document and what is called"));
        }
        let documents = [Document::read(&self.document)?];
        if self.list {
            return list(&documents[0]);
        }
        let libraries = host::libraries(&documents, self.library.as_slice())?;
        let wanted = Wanted {
            kind: Kind::Call,
            documents: &documents,
            libraries: &libraries,
            prefix: false,
            function: self.function.as_deref(),
        };
        let program = match host::ready(&wanted)? {
            Ok(program) => program,
            Err(status) => return Ok(status),
        };
        let Some(function) = &self.function else { return Launch::new("batch", &wanted).run(&program) };
        let mut launch = Launch::new("call", &wanted);
        if self.compact {
            launch = launch.argument("--compact");
        }
        launch.argument("--").argument(function).argument(&self.arguments).run(&program)
    }
}

/// The functions, each with its arguments, its results, and what it does.
fn list(document: &Document) -> Outcome {
    let Some(functions) = host::listing(document)? else { return Ok(ExitCode::from(1)) };
    output::print(&functions)?;
    Ok(ExitCode::SUCCESS)
}
