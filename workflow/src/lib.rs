#![doc = include_str!("../README.md")]
//! # In this crate
//!
//! A document has named steps. Each step calls a function with values or with results of earlier steps
//! (`"#/step2/results/id"`), and names the next step. The first step is `start`; a `next` that names no step ends the
//! workflow. [`Workflow::parse`] checks the document itself, [`Workflow::check`] compares it with a tool, and
//! [`Workflow::run`] does both before the first call, so that a workflow with a mistake in its last step does not
//! start.
//!
//! - A string that begins with `#/` is always a reference: `#/STEP/results/NAME`, a path below that, or
//!   `#/STEP/results` for all results of the step.
//! - `results` lists what the reply must have: its keys, with values of the same types as the defaults there. A
//!   default does not replace a missing value.
//! - `sleep` with `milliseconds` is built in.
//!
//! OpenWorkflow 1.0 has no inputs, and does not say what a workflow returns. Two keys beside `workflow` do; other readers
//! ignore them, but not the references to inputs:
//!
//! - `x-inputs` has what a run is given, by name: a `schema` of OpenTool, a `description`, and a `default` if it may be
//!   absent. Arguments refer to them as `#/x-inputs/NAME`.
//! - `x-outputs` has what a run returns, by name: a `value`, which is a reference or has references in it, a
//!   `description`, and a `schema` where none follows from the reference. Without `x-outputs`, the result is that of the
//!   last step.
//!
//! With them, [`WorkflowTool`] makes a workflow a tool with one function.
//!
//! `read` makes steps of the text, with `inputs` and `outputs`; `order` sorts them, `check` compares them with the tool, and
//! `run` runs them.

#![forbid(unsafe_code)]

mod check;
#[cfg(test)]
mod check_tests;
mod finding;
#[cfg(test)]
mod given_tests;
mod inputs;
mod order;
mod outputs;
mod read;
mod record;
mod reference;
mod run;
#[cfg(test)]
mod run_tests;
mod shape;
mod tool;

use std::time::Duration;

use opendyn_source::json::Node;
use serde_json::{Map, Value};

use finding::Findings;
use inputs::DraftInput;
use opentool::{CallContext, Info, OpenTool, Tool};
use order::Order;
use outputs::DraftOutput;
use read::object;

pub use finding::{Finding, Invalid, Rule};
pub use inputs::Input;
pub use outputs::Output;
pub use record::{Cause, Event, Record, StepError, StepRecord, WorkflowError};
pub use tool::WorkflowTool;

/// The built-in function.
const SLEEP: &str = "sleep";

/// The default maximum number of steps.
const DEFAULT_STEPS: usize = 1000;

/// Steps in a fixed order.
#[derive(Debug)]
pub struct Workflow {
    source: String,
    tree: Node,
    info: Info,
    inputs: Vec<Input>,
    /// `None` if the document does not say what it returns.
    outputs: Option<Vec<Output>>,
    steps: Vec<Step>,
}

/// A step of a [`Workflow`].
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The step's name.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// The function that it calls.
    pub function: String,
    /// The arguments of the function; strings that begin with `#/` are references.
    pub arguments: Map<String, Value>,
    /// The keys that the reply must have, with values of the same types.
    pub results: Map<String, Value>,
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of steps, 1,000 by default. A workflow with more steps does not start.
    pub steps: usize,
    /// The maximum duration of the run, by default unlimited. It is checked before each step and ends a `sleep`, but does
    /// not interrupt a running function; the deadline of [`Workflow::run_for`] does, where the tool can end calls.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: DEFAULT_STEPS, time: None }
    }
}

impl Workflow {
    /// Reads a document and checks what can be checked without a tool.
    ///
    /// # Errors
    ///
    /// [`Invalid`] lists all findings.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        Self::read(text, None)
    }

    /// Reads a document and checks it against the document of a tool, and reports all findings together.
    ///
    /// # Errors
    ///
    /// [`Invalid`] lists all findings.
    pub fn parse_for(text: &str, document: &OpenTool) -> Result<Self, Invalid> {
        Self::read(text, Some(document))
    }

    fn read(text: &str, document: Option<&OpenTool>) -> Result<Self, Invalid> {
        let findings = Findings::new();
        let Some(tree) = read::tree(text, &findings) else { return Err(findings.finish("", text)) };
        let draft = read::draft(&tree, &findings);
        let order = Order::of(&draft, &findings);
        if let Some(document) = document {
            check::check(&draft, &order, document, &findings);
        }
        findings.finish("", text).into_warnings()?;
        let steps = order.chain.iter().filter_map(|index| {
            let step = &draft.steps[*index];
            Some(Step {
                name: step.name.value.to_owned(),
                description: step.description.map(str::to_owned),
                function: step.function?.value.to_owned(),
                arguments: object(step.arguments?.value),
                results: object(step.results?.value),
            })
        });
        let (info, steps) = (draft.info.clone(), steps.collect());
        let inputs = draft.inputs.iter().filter_map(DraftInput::input).collect();
        let outputs = draft.outputs.as_ref().map(|all| all.iter().map(DraftOutput::output).collect());
        Ok(Self { source: text.to_owned(), tree, info, inputs, outputs, steps })
    }

    /// Checks the workflow against the document of a tool.
    ///
    /// # Errors
    ///
    /// [`Invalid`] lists all findings.
    pub fn check(&self, document: &OpenTool) -> Result<(), Invalid> {
        let findings = Findings::new();
        let draft = read::draft(&self.tree, &findings);
        let order = Order::of(&draft, &findings);
        check::check(&draft, &order, document, &findings);
        findings.finish("", &self.source).into_warnings()?;
        Ok(())
    }

    /// The document's title and version.
    #[must_use]
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// What a run is given: `x-inputs`.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Reads the inputs of a run: a JSON object in which no key occurs twice. Those that are absent have their defaults.
    ///
    /// # Errors
    ///
    /// [`ToolError::InvalidArguments`](opentool::ToolError::InvalidArguments) with the first input that is unknown, missing or
    /// of another shape, or with what is wrong with the text.
    pub fn read_inputs(&self, text: &str) -> Result<Map<String, Value>, opentool::ToolError> {
        inputs::complete(&self.inputs, &inputs::object(text)?)
    }

    /// What a run returns: `x-outputs`. `None` is the result of the last step.
    #[must_use]
    pub fn outputs(&self) -> Option<&[Output]> {
        self.outputs.as_deref()
    }

    /// The steps, in the order in which they run.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Runs all steps within [`Limits::default`]. The listener gets an event before every call, after every reply, and at
    /// the end or error.
    ///
    /// # Errors
    ///
    /// [`WorkflowError`] says which step failed and why, and has the record of the steps that ran. If the workflow does not
    /// fit the tool, nothing is called.
    pub fn run(&self, tool: &dyn Tool, listener: impl FnMut(&Event)) -> Result<Record, WorkflowError> {
        self.run_within(Limits::default(), tool, listener)
    }

    /// Runs all steps within these limits.
    ///
    /// # Errors
    ///
    /// The same as for [`Workflow::run`].
    pub fn run_within(
        &self,
        limits: Limits,
        tool: &dyn Tool,
        listener: impl FnMut(&Event),
    ) -> Result<Record, WorkflowError> {
        self.run_for(&CallContext::default(), &Map::new(), limits, tool, listener)
    }

    /// Runs all steps with these inputs, for a caller: all calls are its own, and end with its deadline or when it cancels,
    /// if the tool can end calls. It is told which step runs as progress.
    ///
    /// # Errors
    ///
    /// The same as for [`Workflow::run`], and [`Cause::Inputs`] if the inputs are not those of the document.
    pub fn run_for(
        &self,
        context: &CallContext,
        inputs: &Map<String, Value>,
        limits: Limits,
        tool: &dyn Tool,
        mut listener: impl FnMut(&Event),
    ) -> Result<Record, WorkflowError> {
        let mut run = run::Run::new(&self.info.title, context, tool, limits, &mut listener);
        let steps = self.steps.len();
        if steps > limits.steps {
            return Err(run.refuse(Cause::TooManySteps { steps, limit: limits.steps }));
        }
        let Some(document) = tool.load() else { return Err(run.refuse(Cause::NoDocument)) };
        if let Err(invalid) = self.check(&document) {
            return Err(run.refuse(Cause::Invalid(invalid)));
        }
        match inputs::complete(&self.inputs, inputs) {
            Ok(inputs) => run.given(document, inputs),
            Err(error) => return Err(run.refuse(Cause::Inputs(error))),
        }
        run.steps(&self.steps, self.outputs.as_deref())
    }
}
