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
//! `read` makes steps of the text, `order` sorts them, `check` compares them with the tool, and `run` runs them.

#![forbid(unsafe_code)]

mod check;
#[cfg(test)]
mod check_tests;
mod finding;
mod order;
mod read;
mod record;
mod reference;
mod run;
#[cfg(test)]
mod run_tests;
mod shape;

use std::time::Duration;

use opendyn_source::json::Node;
use serde_json::{Map, Value};

use finding::Findings;
use opentool::{Info, OpenTool, Tool};
use order::Order;
use read::object;

pub use finding::{Finding, Invalid, Rule};
pub use record::{Cause, Event, Record, StepError, StepRecord, WorkflowError};

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
    /// not interrupt a running function.
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
        Ok(Self { source: text.to_owned(), tree, info, steps })
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
        mut listener: impl FnMut(&Event),
    ) -> Result<Record, WorkflowError> {
        let run = run::Run::new(&self.info.title, tool, limits, &mut listener);
        let steps = self.steps.len();
        if steps > limits.steps {
            return Err(run.refuse(Cause::TooManySteps { steps, limit: limits.steps }));
        }
        let Some(document) = tool.load() else { return Err(run.refuse(Cause::NoDocument)) };
        if let Err(invalid) = self.check(&document) {
            return Err(run.refuse(Cause::Invalid(invalid)));
        }
        run.steps(&self.steps)
    }
}
