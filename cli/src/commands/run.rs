//! `opendyn run`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use opentool_server::serve::isolation::{self, seconds};

use super::confinement::Confinement;
use super::served::{path_or_empty, sources};
use crate::document::{Document, is_stdin};
use crate::failure::{Failure, Outcome};
use crate::script;
use crate::tool::{self, Asked, Shown, Surroundings, Wanted, Workers, streams};

/// Run a workflow: functions of documents and Python scripts, one after the other
#[derive(Args)]
#[command(after_help = "\
The result is one JSON object on stdout; calls and replies are shown on stderr. Nothing is loaded
before the workflow and its inputs are checked.

  opendyn run roundtrip.json zlib.json --input '{\"data\": \"aGVsbG8=\"}'
  opendyn run report.json zlib.json query.py --check")]
pub(crate) struct Arguments {
    /// The workflow, an OpenWorkflow document
    workflow: PathBuf,
    /// Documents, Python scripts (.py) and workflows, whose functions it calls
    #[arg(value_name = "DOC|SCRIPT")]
    files: Vec<PathBuf>,
    /// The inputs, a JSON object; `-` reads them from stdin
    #[arg(long, value_name = "JSON", default_value = "{}", hide_default_value = true)]
    input: String,
    /// Only check the workflow, and show its inputs and outputs
    #[arg(long, conflicts_with_all = ["input", "log", "quiet", "deadline"])]
    check: bool,
    /// The time for all steps together
    #[arg(long, value_name = "SECONDS", default_value_t = isolation::DEADLINE, value_parser = seconds)]
    deadline: f64,
    /// Do not show calls and replies
    #[arg(short, long)]
    quiet: bool,
    /// Write every call and reply to this file, a line of JSON each
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write the result on one line, even on a terminal
    #[arg(long)]
    compact: bool,
    /// The library of the first document, then of the second, …; '' for the document's own
    #[arg(long = "library", value_name = "LIB", value_parser = path_or_empty())]
    libraries: Vec<PathBuf>,
    /// Prefix every function with the title of its document: zlib_crc32
    #[arg(long)]
    prefix: bool,
    /// A folder where scripts find modules, searched first; may be repeated
    #[arg(long = "modules", value_name = "DIR")]
    modules: Vec<PathBuf>,
    /// An environment variable for scripts to see; may be repeated
    #[arg(long = "env", value_name = "NAME")]
    environment: Vec<String>,
    #[command(flatten)]
    confinement: Confinement,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let files = self.files.iter().chain([&self.workflow]).filter(|file| is_stdin(file)).count();
        if files + usize::from(self.input == "-") > 1 {
            return Err(Failure::new("stdin can be only one of the documents, or the inputs"));
        }
        let workflow = Document::read(&self.workflow)?;
        if !tool::is_workflow(&workflow.source)
            && serde_json::from_str::<serde_json::Value>(&workflow.source).is_ok()
        {
            return Err(Failure::fault(format!(
                "`{}` is not a workflow: it has no `openworkflow`",
                workflow.name
            ))
            .help("the workflow comes first, then the documents and scripts whose functions it calls"));
        }
        let deadline = Duration::from_secs_f64(self.deadline);
        let allowed = self.confinement.allowed()?;
        let workers = Workers {
            pool: 1,
            sessions: 1,
            // Handles live as long as the run.
            idle: deadline.saturating_add(Duration::from_secs_f64(isolation::IDLE)),
            handles: isolation::HANDLES,
            memory: isolation::MEMORY << 20,
            allowed: allowed.clone(),
        };
        let wanted = Wanted {
            sources: sources(&self.files, &self.libraries)?,
            surroundings: Surroundings::new(self.modules, self.environment)?.within(allowed),
            prefix: self.prefix,
            watch: false,
            workers: Some(workers),
        };
        let compact = self.compact || !streams::is_terminal();
        // Before the libraries are opened: they may print.
        let (input, output) = streams::take()?;
        if self.check {
            // A workflow from stdin has no name.
            let name = script::named(&self.workflow).unwrap_or_else(|_| "workflow".to_owned());
            return tool::check_workflow(wanted, &workflow, &name, output);
        }
        let inputs = streams::arguments(&self.input, input)?;
        let shown = Shown { quiet: self.quiet, log: self.log };
        tool::run(wanted, Asked { workflow, inputs, deadline, shown, compact }, output)
    }
}
