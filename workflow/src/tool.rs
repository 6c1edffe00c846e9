//! A workflow as a tool with one function.

use std::sync::Arc;

use opentool::{Annotations, CallContext, Function, Info, OpenTool, Parameter, Tool, ToolError};

use crate::finding::Findings;
use crate::inputs::Input;
use crate::order::Order;
use crate::outputs;
use crate::read;
use crate::record::{Cause, WorkflowError};
use crate::shape::Shapes;
use crate::{Limits, SLEEP, Workflow};

/// A workflow over a tool, as a tool with one function: its parameters are the inputs, its result the outputs.
///
/// A call runs all steps for its caller: handles that a step returns are the caller's, and the deadline of the call is
/// that of the run. The functions of the tool itself are not part of this one, so they can be hidden.
pub struct WorkflowTool<T> {
    workflow: Arc<Workflow>,
    tool: T,
    document: OpenTool,
}

impl<T: Tool> WorkflowTool<T> {
    /// The function `name` that runs the workflow over `tool`.
    ///
    /// # Errors
    ///
    /// [`Cause::NoDocument`], or [`Cause::Invalid`] if the workflow does not fit the tool.
    pub fn new(name: &str, workflow: Arc<Workflow>, tool: T) -> Result<Self, Cause> {
        let document = tool.load().ok_or(Cause::NoDocument)?;
        workflow.check(&document).map_err(Cause::Invalid)?;
        let document = workflow.described(name, &document);
        Ok(Self { workflow, tool, document })
    }
}

impl<T: Tool> Tool for WorkflowTool<T> {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        self.call_for(&CallContext::default(), name, arguments, out)
    }

    fn call_for(
        &self,
        context: &CallContext,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        let known = self.document.functions.iter().map(|function| function.name.as_str());
        if self.document.function(name).is_none() {
            return Err(ToolError::unknown_function(name, known));
        }
        let text = std::str::from_utf8(arguments)
            .map_err(|error| ToolError::invalid_arguments("", format!("not UTF-8: {error}")))?;
        let inputs = self.workflow.read_inputs(text)?;
        let ran = self.workflow.run_for(context, &inputs, Limits::default(), &self.tool, |_| {});
        let record = ran.map_err(WorkflowError::into_tool_error)?;
        let result = serde_json::to_vec(&record.outputs);
        out.extend(result.map_err(|error| ToolError::call_failed(error.to_string()))?);
        Ok(())
    }

    /// If that is so for every function that it calls.
    fn can_cancel(&self, _: &str) -> bool {
        let mut functions = self.workflow.steps().iter().map(|step| step.function.as_str());
        functions.all(|function| function == SLEEP || self.tool.can_cancel(function))
    }

    fn load(&self) -> Option<OpenTool> {
        Some(self.document.clone())
    }
}

impl Workflow {
    /// The document of a tool whose only function, `name`, runs the workflow over a tool that `document` describes. The
    /// workflow must fit it, see [`Workflow::check`].
    ///
    /// A function that only calls functions which change nothing changes nothing.
    #[must_use]
    pub fn described(&self, name: &str, document: &OpenTool) -> OpenTool {
        let findings = Findings::new();
        let draft = read::draft(&self.tree, &findings);
        let order = Order::of(&draft, &findings);
        let shapes = Shapes::of(document, &draft.inputs);
        let returns = outputs::returns(&draft, &order, &shapes, document);
        let parameters: Vec<Parameter> = self.inputs.iter().map(Input::parameter).collect();
        let info = Info { hints: opentool::IndexMap::new(), instructions: None, ..self.info.clone() };
        let description = info.description.clone().unwrap_or_else(|| info.title.clone());
        let annotations = Some(self.annotations(document));
        let function = Function {
            name: name.to_owned(),
            description,
            parameters,
            returns,
            annotations,
            // Also where models search: it stands for the functions that it calls.
            tool: Some(true),
            ..Function::default()
        };
        // Its result can be of a type that the tool's document names.
        let schemas = document.schemas.clone();
        let opentool = "1.0.0".to_owned();
        OpenTool { opentool, info, functions: vec![function], schemas, ..OpenTool::default() }
    }

    /// What all functions together do.
    fn annotations(&self, document: &OpenTool) -> Annotations {
        let called: Vec<Annotations> = self
            .steps
            .iter()
            .filter(|step| step.function != SLEEP)
            .map(|step| {
                document.function(&step.function).and_then(|called| called.annotations).unwrap_or_default()
            })
            .collect();
        let says = |key: fn(&Annotations) -> Option<bool>, value| {
            let all = called.iter().all(|annotations| key(annotations) == Some(value));
            all.then_some(value)
        };
        let destroys = called.iter().any(|annotations| annotations.destructive == Some(true));
        Annotations {
            read_only: says(|called| called.read_only, true),
            destructive: if destroys { Some(true) } else { says(|called| called.destructive, false) },
            // Several calls of which each changes nothing more the second time may together.
            idempotent: None,
        }
    }
}

impl WorkflowError {
    /// The error for whoever called the workflow as a function: it names the step, and wrong arguments of a step are not
    /// arguments of that call.
    #[must_use]
    pub fn into_tool_error(self) -> ToolError {
        let message = self.to_string();
        let step = self.step.unwrap_or_default();
        match self.cause {
            Cause::Inputs(error) => error,
            Cause::Tool(ToolError::CallFailed { code, message, details }) => {
                ToolError::CallFailed { code, message: format!("step `{step}`: {message}"), details }
            }
            Cause::Deadline { limit_ms } => ToolError::TimedOut { limit_ms },
            Cause::Tool(
                error @ (ToolError::TimedOut { .. }
                | ToolError::NeverStarted { .. }
                | ToolError::WorkerDied { .. }
                | ToolError::LibraryMissing { .. }
                | ToolError::Busy { .. }
                | ToolError::Stopping),
            ) => error,
            _ => ToolError::call_failed(message),
        }
    }
}
