//! `opendyn call`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::document::{Document, is_stdin};
use crate::failure::{Failure, Outcome};
use crate::host::{self, HostRole, Launch, Wanted};
use crate::output;
use crate::script::{Script, is_script};

/// Call a function of a library that a document describes, or a Python script
#[derive(Args)]
#[command(after_help = "\
The result is one JSON object on stdout. The first call compiles a small program, which is cached.

  opendyn call zlib.json zlibVersion
  opendyn call calc.json --library ./libcalc.so add '{\"a\": 2, \"b\": 3}'
  opendyn call cpu.py '{\"cluster\": \"north\"}'    a script has one function; nothing is compiled

A handle lives as long as the process that returned it: use --batch for calls that share one.
A line {\"function\": \"add\", \"arguments\": {…}} is answered with {\"result\": {…}} or {\"error\": {…}}.")]
pub(crate) struct Arguments {
    /// The document, or a Python script (.py)
    #[arg(value_name = "DOC|SCRIPT")]
    document: PathBuf,
    /// The function; may be omitted for a script, which has only one
    #[arg(conflicts_with_all = ["batch", "list"])]
    function: Option<String>,
    /// Its arguments, a JSON object; `-` reads them from stdin
    #[arg(default_value = "{}", hide_default_value = true)]
    arguments: String,
    /// A folder where a script finds modules, searched first; may be repeated
    #[arg(long = "modules", value_name = "DIR")]
    modules: Vec<PathBuf>,
    /// An environment variable for a script to see; may be repeated
    #[arg(long = "env", value_name = "NAME")]
    environment: Vec<String>,
    /// The library, a path or a name for the system to find; otherwise the document's own
    #[arg(long, value_name = "LIB")]
    library: Option<PathBuf>,
    /// Make the calls on stdin, one per line
    #[arg(long, conflicts_with = "list")]
    batch: bool,
    /// List the functions and their arguments
    #[arg(long)]
    list: bool,
    /// Write the result on one line, even on a terminal
    #[arg(long)]
    compact: bool,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        if is_script(&self.document) {
            return self.run_script();
        }
        if self.function.is_none() && !self.batch && !self.list {
            return Err(Failure::new("no function was named")
                .help(format!("`opendyn call {} --list` lists them", self.document.display())));
        }
        if is_stdin(&self.document) && (self.batch || self.arguments == "-") {
            return Err(Failure::new("stdin cannot be both the document and the calls"));
        }
        let documents = [Document::read(&self.document)?];
        if self.list {
            return list(&documents[0]);
        }
        let libraries = host::libraries(&documents, self.library.as_slice())?;
        let wanted = Wanted {
            role: HostRole::Call,
            documents: &documents,
            libraries: &libraries,
            scripts: &[],
            modules: &[],
            environment: &[],
            prefix: false,
            function: self.function.as_deref(),
        };
        let program = match host::ready(&wanted)? {
            Ok(program) => program,
            Err(status) => return Ok(status),
        };
        self.launch(&wanted, self.function.as_deref(), &self.arguments)?.run(&program)
    }

    /// A script needs no host: this process runs it.
    fn run_script(self) -> Outcome {
        if self.library.is_some() {
            return Err(Failure::new("a script has no library")
                .help("`opendyn serve` serves scripts together with documents, which they can then call"));
        }
        let scripts = [Script::find(&self.document)?];
        if self.list {
            return finish(host::listing_of_script(&scripts[0])?);
        }
        // A function name never looks like JSON.
        let is_arguments = |text: &str| text == "-" || text.trim_start().starts_with(['{', '[']);
        let (function, arguments) = match self.function.as_deref() {
            Some(arguments) if is_arguments(arguments) && self.arguments == "{}" => (None, arguments),
            function => (function, self.arguments.as_str()),
        };
        let wanted = Wanted {
            role: HostRole::Call,
            documents: &[],
            libraries: &[],
            scripts: &scripts,
            modules: &self.modules,
            environment: &self.environment,
            prefix: false,
            function: None,
        };
        let function = (!self.batch).then(|| function.unwrap_or(&scripts[0].tool));
        Ok(self.launch(&wanted, function, arguments)?.run_here())
    }

    /// One call, or those of a batch.
    fn launch(&self, wanted: &Wanted<'_>, function: Option<&str>, arguments: &str) -> Outcome<Launch> {
        let Some(function) = function else { return Launch::new("batch", wanted) };
        let mut launch = Launch::new("call", wanted)?;
        if self.compact {
            launch = launch.argument("--compact");
        }
        Ok(launch.argument("--").argument(function).argument(arguments))
    }
}

/// The functions, each with its arguments, results and description.
fn list(document: &Document) -> Outcome {
    finish(host::listing(document)?)
}

/// If there is no list, all findings are already shown.
fn finish(listing: Option<String>) -> Outcome {
    let Some(functions) = listing else { return Ok(ExitCode::from(1)) };
    output::print(&functions)?;
    Ok(ExitCode::SUCCESS)
}
