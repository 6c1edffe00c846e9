//! `run`: a workflow, checked together with its inputs before a library is opened.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use opentool::{CallContext, Caller, Deadline, OpenTool, Tool, ToolError};
use opentool_workflow::{Cause, Limits, Workflow, WorkflowError};

use super::tools::{Ready, Wanted};
use super::trace::Shown;
use super::{flows, listing, pretty::pretty, streams};
use crate::document::Document;
use crate::failure::{Failure, Outcome};

/// A run that is asked for.
pub(crate) struct Asked {
    pub(crate) workflow: Document,
    /// One JSON object.
    pub(crate) inputs: String,
    /// The time for all steps.
    pub(crate) deadline: Duration,
    pub(crate) shown: Shown,
    /// Whether the result is one line.
    pub(crate) compact: bool,
}

/// Checks a workflow against the tools, of which none is opened, and shows what it is given and returns as function `name`.
pub(crate) fn check(wanted: Wanted, document: &Document, name: &str, mut output: impl Write) -> Outcome {
    let (ready, workflow) = ready(wanted, document)?;
    let tools = ready.document().cloned().unwrap_or_default();
    let steps = workflow.steps().len();
    let noun = if steps == 1 { "step" } else { "steps" };
    let text = format!(
        "{}: {steps} {noun}, no errors\n{}",
        document.name,
        listing(&workflow.described(name, &tools))
    );
    streams::write(&mut output, text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// Runs a workflow and writes its result. Handles live until the end of the run.
pub(crate) fn run(wanted: Wanted, asked: Asked, mut output: impl Write) -> Outcome {
    let Asked { workflow: document, inputs, deadline, shown, compact } = asked;
    let (ready, workflow) = ready(wanted, &document)?;
    let inputs = workflow.read_inputs(&inputs).map_err(|error| refused(&error, &workflow, &document))?;
    if !shown.quiet {
        ready.sandbox().say()?;
    }
    let mut trace = shown.begin()?;
    let tools = ready.open()?;
    let caller = Caller::new("run");
    let context = CallContext::new(caller.clone(), Deadline::after(deadline));
    let all = tools.everything();
    let ran = workflow.run_for(&context, &inputs, Limits::default(), &*all, |event| trace.show(event));
    all.leave(&caller);
    let record = ran.map_err(|error| failed(&error))?;
    let result = serde_json::to_string(&record.outputs).map_err(|error| Failure::new(error.to_string()))?;
    streams::write(&mut output, &if compact { result } else { pretty(&result) })?;
    trace.end()?;
    Ok(ExitCode::SUCCESS)
}

/// The tools as they will be, and the workflow, which fits them. Findings are shown.
fn ready(wanted: Wanted, document: &Document) -> Outcome<(Ready, Workflow)> {
    let ready = Ready::read(wanted)?;
    let nothing = OpenTool::default();
    let workflow = flows::fitting(document, ready.document().unwrap_or(&nothing))?;
    Ok((ready, workflow))
}

/// Inputs that are not those of the workflow.
fn refused(error: &ToolError, workflow: &Workflow, document: &Document) -> Failure {
    let ToolError::InvalidArguments(error) = error else { return Failure::fault(error.to_string()) };
    let failure = Failure::fault(format!("the inputs of `{}`: {error}", document.name));
    if workflow.inputs().is_empty() {
        return failure.help("a workflow names its inputs in `x-inputs`; this one has none");
    }
    failure.help("`--check` shows the inputs; `--input` gives them as a JSON object")
}

/// Why a run ended, with the step and its function, and what to do.
fn failed(error: &WorkflowError) -> Failure {
    let WorkflowError { step, cause, record } = error;
    let message = match (step, record.steps.last()) {
        (Some(step), Some(last)) => format!("step `{step}`, `{}`: {cause}", last.function),
        (Some(step), None) => format!("step `{step}`: {cause}"),
        (None, _) => cause.to_string(),
    };
    let help = match cause {
        Cause::Tool(ToolError::InvalidArguments(_)) => {
            "change `arguments` of this step, or the step whose result they use"
        }
        Cause::Tool(ToolError::TimedOut { .. } | ToolError::NeverStarted { .. }) | Cause::Deadline { .. } => {
            "`--deadline` gives all steps together more time"
        }
        Cause::Tool(ToolError::WorkerDied { .. }) => {
            "`opendyn check DOC --try FUNCTION ARGUMENTS` watches this call; arguments are shown above, and whole with `--log`"
        }
        Cause::Results { .. } => "change `results` of this step, or the arguments that led to this reply",
        Cause::Reference { .. } => {
            "`results` of the earlier step can require the value, so that the workflow stops there"
        }
        Cause::Output { .. } => "change `x-outputs`",
        _ => return Failure::fault(message),
    };
    Failure::fault(message).help(help)
}
