//! `opendyn call`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use opentool::{OpenTool, Tool};

use crate::document::{Document, is_stdin};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::script::{Script, is_script};
use crate::tool::{self, Source, Surroundings, Tools, Wanted, streams};

/// Call a function of a library that a document describes, or a Python script
#[derive(Args)]
#[command(after_help = "\
The result is one JSON object on stdout. Nothing is compiled.

  opendyn call zlib.json zlibVersion
  opendyn call calc.json --library ./libcalc.so add '{\"a\": 2, \"b\": 3}'
  opendyn call cpu.py '{\"cluster\": \"north\"}'    a script has one function

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
        if self.batch {
            return self.run_batch();
        }
        let Some(function) = self.function.as_deref().filter(|_| !self.list) else {
            return self.run_list();
        };
        if is_stdin(&self.document) && self.arguments == "-" {
            return Err(both());
        }
        let document = Document::read(&self.document)?;
        let compact = self.compact || !streams::is_terminal();
        let (input, output) = streams::take()?;
        let arguments = streams::arguments(&self.arguments, input)?;
        // The library is opened only for a call that can be made.
        let read = tool::checked(&document, function, &arguments)?;
        let library = self.library.as_deref().map_or(Ok(None), tool::located)?;
        let opened = tool::open(&document.name, read, library.as_deref())?;
        tool::call(&opened, function, &arguments, compact, output)
    }

    fn run_list(&self) -> Outcome {
        if !self.list {
            return Err(Failure::new("no function was named")
                .help(format!("`opendyn call {} --list` lists them", self.document.display())));
        }
        let read = tool::read(&Document::read(&self.document)?)?;
        list(read.load())
    }

    fn run_batch(self) -> Outcome {
        if is_stdin(&self.document) {
            return Err(both());
        }
        let library = self.library.as_deref().map_or(Ok(None), tool::located)?;
        let source = Source::document(&self.document, library)?;
        let (input, output) = streams::take()?;
        tool::batch(&open(source, Surroundings::default())?, input, output)
    }

    fn run_script(self) -> Outcome {
        if self.library.is_some() {
            return Err(Failure::new("a script has no library")
                .help("`opendyn serve` serves scripts together with documents, which they can then call"));
        }
        let script = Script::find(&self.document)?;
        let tool = script.tool.clone();
        let surroundings = Surroundings::new(self.modules, self.environment)?;
        if self.list {
            return list(open(Source::Script(script), surroundings)?.load());
        }
        let compact = self.compact || !streams::is_terminal();
        let (input, output) = streams::take()?;
        if self.batch {
            return tool::batch(&open(Source::Script(script), surroundings)?, input, output);
        }
        // A function name never looks like JSON.
        let is_arguments = |text: &str| text == "-" || text.trim_start().starts_with(['{', '[']);
        let (function, arguments) = match self.function.as_deref() {
            Some(arguments) if is_arguments(arguments) && self.arguments == "{}" => (None, arguments),
            function => (function, self.arguments.as_str()),
        };
        let arguments = streams::arguments(arguments, input)?;
        let opened = open(Source::Script(script), surroundings)?;
        tool::call(&opened, function.unwrap_or(&tool), &arguments, compact, output)
    }
}

/// One document or script. Handles live for the whole batch, so changes of the file are ignored.
fn open(source: Source, surroundings: Surroundings) -> Outcome<Tools> {
    Tools::open(Wanted { sources: vec![source], surroundings, prefix: false, watch: false, workers: None })
}

/// The functions, each with its arguments, results and description.
fn list(described: Option<OpenTool>) -> Outcome {
    output::print(&tool::listing(&described.unwrap_or_default()))?;
    Ok(ExitCode::SUCCESS)
}

fn both() -> Failure {
    Failure::new("stdin cannot be both the document and the calls")
}
