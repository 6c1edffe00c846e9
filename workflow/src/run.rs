//! Runs a workflow that has been checked.

use std::collections::HashMap;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::record::{Cause, Event, Record, StepRecord, WorkflowError};
use crate::reference::{Origin, Reference};
use crate::{Limits, Output, SLEEP, Step};
use opentool::values::is_large_integer;
use opentool::{CallContext, Deadline, OpenTool, Progress, Tool, ToolError, conform};

pub(super) struct Run<'r> {
    tool: &'r dyn Tool,
    document: OpenTool,
    context: &'r CallContext,
    listener: &'r mut dyn FnMut(&Event),
    deadline: Option<Deadline>,
    inputs: Map<String, Value>,
    record: Record,
    /// The index of each step in the record.
    done: HashMap<&'r str, usize>,
}

impl<'r> Run<'r> {
    pub(super) fn new(
        title: &str,
        context: &'r CallContext,
        tool: &'r dyn Tool,
        limits: Limits,
        listener: &'r mut dyn FnMut(&Event),
    ) -> Self {
        let record = Record { title: title.to_owned(), ..Record::default() };
        let own = limits.time.and_then(Deadline::after);
        let deadline = own.into_iter().chain(context.deadline()).min_by_key(|deadline| deadline.until);
        Self {
            tool,
            document: OpenTool::default(),
            context,
            listener,
            deadline,
            inputs: Map::new(),
            record,
            done: HashMap::new(),
        }
    }

    /// The tool's document, and the inputs with their defaults.
    pub(super) fn given(&mut self, document: OpenTool, inputs: Map<String, Value>) {
        (self.document, self.inputs) = (document, inputs);
    }

    /// Ends the run before the first call, or after the last.
    pub(super) fn refuse(self, cause: Cause) -> WorkflowError {
        (self.listener)(&Event::Error { step: None, error: cause.to_error() });
        WorkflowError { step: None, cause, record: Box::new(self.record) }
    }

    pub(super) fn steps(
        mut self,
        steps: &'r [Step],
        outputs: Option<&[Output]>,
    ) -> Result<Record, WorkflowError> {
        for (index, step) in steps.iter().enumerate() {
            self.context.report(Progress {
                done: index as f64,
                total: Some(steps.len() as f64),
                message: Some(step.name.clone()),
            });
            if let Err(cause) = self.step(step) {
                let error = cause.to_error();
                (self.listener)(&Event::Error { step: Some(step.name.clone()), error: error.clone() });
                match self.record.steps.last_mut() {
                    Some(last) if last.step == step.name => last.error = Some(error),
                    // It failed before its arguments were complete.
                    _ => self.record.steps.push(StepRecord {
                        step: step.name.clone(),
                        function: step.function.clone(),
                        error: Some(error),
                        ..StepRecord::default()
                    }),
                }
                return Err(WorkflowError {
                    step: Some(step.name.clone()),
                    cause,
                    record: Box::new(self.record),
                });
            }
        }
        match self.outputs(outputs) {
            Ok(outputs) => self.record.outputs = outputs,
            Err(cause) => return Err(self.refuse(cause)),
        }
        (self.listener)(&Event::End { steps: steps.len() });
        Ok(self.record)
    }

    /// What the workflow returns, now that all steps ran.
    fn outputs(&self, outputs: Option<&[Output]>) -> Result<Map<String, Value>, Cause> {
        let Some(outputs) = outputs else {
            return Ok(self.record.steps.last().and_then(|last| last.results.clone()).unwrap_or_default());
        };
        let mut filled = Map::new();
        for Output { name, value, schema, .. } in outputs {
            let mut value = value.clone();
            self.fill(&mut value)?;
            if let Some(schema) = schema {
                conform::member(name, &value, schema, &OpenTool::default())
                    .map_err(|fault| Cause::Output { fault })?;
            }
            filled.insert(name.clone(), value);
        }
        Ok(filled)
    }

    fn step(&mut self, step: &'r Step) -> Result<(), Cause> {
        self.time_left()?;
        let mut arguments = Value::Object(step.arguments.clone());
        self.fill(&mut arguments)?;
        let Value::Object(arguments) = arguments else { return Ok(()) };
        (self.listener)(&Event::Call {
            step: step.name.clone(),
            function: step.function.clone(),
            arguments: arguments.clone(),
        });
        self.done.insert(&step.name, self.record.steps.len());
        self.record.steps.push(StepRecord {
            step: step.name.clone(),
            function: step.function.clone(),
            arguments: arguments.clone(),
            ..StepRecord::default()
        });
        let results = if step.function == SLEEP {
            self.sleep(&arguments)?;
            Map::new()
        } else {
            self.call(&step.function, &arguments).map_err(|error| {
                // A tool made of this one has no hints for its functions.
                Cause::Tool(error.with_hint(&self.document, &step.function))
            })?
        };
        let expected = expect_members(&step.results, &results, String::new());
        if let Some(last) = self.record.steps.last_mut() {
            last.results = Some(results.clone());
        }
        expected?;
        (self.listener)(&Event::Reply { step: step.name.clone(), results });
        Ok(())
    }

    fn call(&self, function: &str, arguments: &Map<String, Value>) -> Result<Map<String, Value>, ToolError> {
        let arguments = serde_json::to_vec(arguments)
            .map_err(|error| ToolError::invalid_arguments("", error.to_string()))?;
        // The same call, but its progress would be that of one step.
        let context = self.context.clone().reporting_as(&CallContext::default());
        let mut out = Vec::new();
        self.tool.call_for(&context, function, &arguments, &mut out)?;
        serde_json::from_slice(&out)
            .map_err(|error| ToolError::call_failed(format!("the result is not a JSON object: {error}")))
    }

    /// The time until the deadline, if there is one. An error if it is over, or if nobody waits any more.
    fn time_left(&self) -> Result<Option<Duration>, Cause> {
        if self.context.is_cancelled() {
            return Err(cancelled());
        }
        let Some(deadline) = self.deadline else { return Ok(None) };
        match deadline.until.checked_duration_since(Instant::now()) {
            Some(left) if !left.is_zero() => Ok(Some(left)),
            _ => Err(Cause::Deadline { limit_ms: deadline.limit_ms() }),
        }
    }

    /// Replaces every reference by its value.
    fn fill(&self, value: &mut Value) -> Result<(), Cause> {
        match value {
            Value::String(text) => {
                let Some(Ok(reference)) = Reference::parse(text) else { return Ok(()) };
                let values = match &reference.origin {
                    Origin::Inputs => Some(&self.inputs),
                    Origin::Step(step) => {
                        let index = self.done.get(step.as_str());
                        index.and_then(|index| self.record.steps.get(*index)?.results.as_ref())
                    }
                };
                match values.and_then(|values| reference.follow(values)) {
                    Some(found) => *value = found.to_value(),
                    None => return Err(Cause::Reference { reference: text.clone() }),
                }
                Ok(())
            }
            Value::Array(elements) => elements.iter_mut().try_for_each(|element| self.fill(element)),
            Value::Object(members) => members.values_mut().try_for_each(|member| self.fill(member)),
            _ => Ok(()),
        }
    }

    fn sleep(&self, arguments: &Map<String, Value>) -> Result<(), Cause> {
        // A number such as 2.0 is an integer too.
        let given = arguments.get("milliseconds");
        let milliseconds = given.and_then(|given| {
            given
                .as_u64()
                .or_else(|| given.as_f64().filter(|number| *number >= 0.0).map(|number| number as u64))
        });
        let Some(milliseconds) = milliseconds else {
            return Err(Cause::Tool(ToolError::invalid_arguments(
                "/milliseconds",
                "expected an integer of 0 or more",
            )));
        };
        let pause = Duration::from_millis(milliseconds);
        let left = self.time_left()?;
        let (wake, woken) = mpsc::channel();
        let guard = self.context.on_cancel(move || {
            // Nobody sleeps any more.
            let _ = wake.send(());
        });
        let slept = woken.recv_timeout(left.map_or(pause, |left| pause.min(left)));
        drop(guard);
        if slept.is_ok() {
            return Err(cancelled());
        }
        if left.is_some_and(|left| left < pause) { self.time_left().map(drop) } else { Ok(()) }
    }
}

fn cancelled() -> Cause {
    Cause::Tool(ToolError::call_failed("the call was cancelled"))
}

/// Checks that the reply has the keys of `results`, with values of the same types.
fn expect_members(
    expected: &Map<String, Value>,
    reply: &Map<String, Value>,
    pointer: String,
) -> Result<(), Cause> {
    for (key, default) in expected {
        let pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
        match reply.get(key) {
            Some(value) => expect(default, value, pointer)?,
            None => return Err(Cause::Results { pointer, message: "missing".to_owned() }),
        }
    }
    Ok(())
}

fn expect(default: &Value, value: &Value, pointer: String) -> Result<(), Cause> {
    match (default, value) {
        // Null stands for any value.
        (Value::Null, _)
        | (Value::Bool(_), Value::Bool(_))
        | (Value::Number(_), Value::Number(_))
        | (Value::String(_), Value::String(_)) => Ok(()),
        (Value::Number(_), Value::String(text)) if is_large_integer(text) => Ok(()),
        (Value::Object(expected), Value::Object(members)) => expect_members(expected, members, pointer),
        (Value::Array(expected), Value::Array(elements)) => match expected.first() {
            Some(first) => elements
                .iter()
                .enumerate()
                .try_for_each(|(index, element)| expect(first, element, format!("{pointer}/{index}"))),
            None => Ok(()),
        },
        _ => Err(Cause::Results {
            pointer,
            message: format!("expected {}, got {}", noun(default), noun(value)),
        }),
    }
}

fn noun(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
