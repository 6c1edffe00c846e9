//! Runs a workflow that has been checked.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::record::{Cause, Event, Record, StepRecord, WorkflowError};
use crate::reference::Reference;
use crate::{Limits, SLEEP, Step};
use opentool::values::is_large_integer;
use opentool::{Tool, ToolError};

pub(super) struct Run<'r> {
    tool: &'r dyn Tool,
    listener: &'r mut dyn FnMut(&Event),
    limits: Limits,
    begin: Instant,
    record: Record,
    /// The index of each step in the record.
    done: HashMap<&'r str, usize>,
}

impl<'r> Run<'r> {
    pub(super) fn new(
        title: &str,
        tool: &'r dyn Tool,
        limits: Limits,
        listener: &'r mut dyn FnMut(&Event),
    ) -> Self {
        let record = Record { title: title.to_owned(), steps: Vec::new() };
        Self { tool, listener, limits, begin: Instant::now(), record, done: HashMap::new() }
    }

    /// Ends the run before the first call.
    pub(super) fn refuse(self, cause: Cause) -> WorkflowError {
        (self.listener)(&Event::Error { step: None, error: cause.to_error() });
        WorkflowError { step: None, cause, record: Box::new(self.record) }
    }

    pub(super) fn steps(mut self, steps: &'r [Step]) -> Result<Record, WorkflowError> {
        for step in steps {
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
        (self.listener)(&Event::End { steps: steps.len() });
        Ok(self.record)
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
            self.tool.call(&step.function, &arguments).map_err(Cause::Tool)?
        };
        let expected = expect_members(&step.results, &results, String::new());
        if let Some(last) = self.record.steps.last_mut() {
            last.results = Some(results.clone());
        }
        expected?;
        (self.listener)(&Event::Reply { step: step.name.clone(), results });
        Ok(())
    }

    /// The time until the deadline, if there is one.
    fn time_left(&self) -> Result<Option<Duration>, Cause> {
        let Some(limit) = self.limits.time else { return Ok(None) };
        match limit.checked_sub(self.begin.elapsed()) {
            Some(left) if !left.is_zero() => Ok(Some(left)),
            _ => Err(Cause::Deadline { limit_ms: limit.as_millis().try_into().unwrap_or(u64::MAX) }),
        }
    }

    /// Replaces every reference by its value.
    fn fill(&self, value: &mut Value) -> Result<(), Cause> {
        match value {
            Value::String(text) => {
                let Some(Ok(reference)) = Reference::parse(text) else { return Ok(()) };
                let results = self.done.get(reference.step.as_str());
                let results = results.and_then(|index| self.record.steps.get(*index)?.results.as_ref());
                match results.and_then(|results| reference.follow(results)) {
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
        std::thread::sleep(left.map_or(pause, |left| pause.min(left)));
        if left.is_some_and(|left| left < pause) { self.time_left().map(drop) } else { Ok(()) }
    }
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
