//! OpenWorkflow: functions called in a fixed order, from a document that is written once.
//!
//! A document names steps. Each calls a function, with values or with what earlier steps returned
//! (`"#/step2/results/id"`), and names the next; the first is `start`, and a `next` that no step
//! has ends it. [`Workflow::parse`] finds what the document says about itself,
//! [`Workflow::check`] what does not fit a tool, and [`Workflow::run`] checks before the first
//! call, so that a workflow with a mistake in its last step does not begin.
//!
//! - A text that begins with `#/` is always a reference: `#/STEP/results/NAME`, a place below
//!   that, or `#/STEP/results` for all that the step returned.
//! - `results` is what the reply must have: its keys, with values of the types of the defaults
//!   that stand there. A default does not stand in for what is missing.
//! - `sleep` with `milliseconds` is built in.
//!
//! How it goes: `read` makes steps of the text, `order` puts them in order, `check` holds them
//! against the tool, `run` runs them.
//!
//! ```
//! use opentool_workflow::Workflow;
//! use opentool::{Map, MapTool, OpenTool, Value};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let document: OpenTool = serde_json::from_str(r#"{
//! #   "opentool": "1.0.0", "info": {"title": "calc", "version": "1.0.0"},
//! #   "functions": [{"name": "double", "description": "Twice as much.",
//! #     "parameters": [{"name": "n", "schema": {"type": "integer"}, "required": true}],
//! #     "return": {"name": "twice", "schema": {"type": "integer"}}}]}"#)?;
//! let calc = MapTool::new(|_, arguments| {
//!     let n = arguments["n"].as_i64().unwrap_or_default();
//!     Ok(Map::from_iter([("twice".to_owned(), Value::from(2 * n))]))
//! })
//! .described_by(document);
//! let workflow = Workflow::parse(
//!     r##"{
//!       "openworkflow": "1.0.0",
//!       "info": {"title": "Four times", "version": "1.0.0"},
//!       "workflow": {
//!         "start": {"function": "double", "arguments": {"n": 5}, "results": {"twice": 0}, "next": "again"},
//!         "again": {"function": "double", "arguments": {"n": "#/start/results/twice"}, "results": {}, "next": "null"}
//!       }
//!     }"##,
//! )?;
//! let record = workflow.run(&calc, |event| println!("{event:?}"))?;
//! assert_eq!(record.steps[1].results.as_ref().map(|results| &results["twice"]), Some(&Value::from(20)));
//! # Ok(())
//! # }
//! ```

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

/// The function that every workflow has, whatever the tool.
const SLEEP: &str = "sleep";

/// How many steps run unless said otherwise.
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
    /// What the function is called with; texts that begin with `#/` are references.
    pub arguments: Map<String, Value>,
    /// What the reply must have: values of the types of these.
    pub results: Map<String, Value>,
}

/// How long a workflow may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many steps may run; 1,000 unless set. A workflow with more does not begin.
    pub steps: usize,
    /// How long all of them may take; no limit unless set. It is looked at before each step, and
    /// ends a `sleep`; a function that was called is waited for.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: DEFAULT_STEPS, time: None }
    }
}

impl Workflow {
    /// Reads a document, and checks what can be checked without a tool.
    ///
    /// # Errors
    ///
    /// [`Invalid`] lists everything that is wrong.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        Self::read(text, None)
    }

    /// Reads a document, and checks it against a tool's: everything that is wrong with either at
    /// once.
    ///
    /// # Errors
    ///
    /// [`Invalid`] lists everything that is wrong.
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

    /// Checks that a tool with that document can run it.
    ///
    /// # Errors
    ///
    /// [`Invalid`] lists everything that is wrong.
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

    /// Runs all steps, within [`Limits::default`]. The listener is told of every call before it is
    /// made, of every reply, and of the end or the error.
    ///
    /// # Errors
    ///
    /// [`WorkflowError`] says which step failed and why, and what was done until then. If the workflow
    /// does not fit the tool, nothing was.
    pub fn run(&self, tool: &dyn Tool, listener: impl FnMut(&Event)) -> Result<Record, WorkflowError> {
        self.run_within(Limits::default(), tool, listener)
    }

    /// Runs all steps, within these limits.
    ///
    /// # Errors
    ///
    /// As for [`Workflow::run`].
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
