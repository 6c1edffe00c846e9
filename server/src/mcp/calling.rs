//! `call_tool`, the tool that calls functions: those that are not listed, and those that take long. Where calls may take
//! long, it can reply before they end, and wait for them again.

use std::time::Duration;

use rmcp::model::Tool;
use serde_json::{Map, Value, json};

use opentool::ToolError;

pub(super) const CALL: &str = "call_tool";
/// The longest time that one request waits.
const LONGEST: f64 = 300.0;
/// How long a request waits for a job if it does not say so.
const WAIT: Duration = Duration::from_secs(20);

/// What `call_tool` is asked to do.
#[derive(Debug, PartialEq)]
pub(super) enum Asked {
    /// To call a function, and to reply after this time even if it has not ended.
    Call { name: String, arguments: Map<String, Value>, wait: Option<Duration> },
    /// To wait for a call.
    Wait { job: String, wait: Duration },
    /// To end a call.
    Cancel { job: String },
}

/// What the arguments of `call_tool` ask for. Jobs are where calls may take long.
pub(super) fn asked(mut arguments: Map<String, Value>, has_jobs: bool) -> Result<Asked, ToolError> {
    let invalid = |at: &str, message: &str| ToolError::invalid_arguments(at, message.to_owned());
    let (wait, job, cancel) = match has_jobs {
        true => (arguments.remove("wait"), arguments.remove("job"), arguments.remove("cancel")),
        false => (None, None, None),
    };
    let wait = match wait.filter(|wait| !wait.is_null()) {
        None => None,
        Some(wait) => Some(
            wait.as_f64()
                .filter(|wait| (0.0..=LONGEST).contains(wait))
                .map(Duration::from_secs_f64)
                .ok_or_else(|| invalid("/wait", &format!("expected 0 to {LONGEST} seconds")))?,
        ),
    };
    let cancel = match cancel {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::Bool(true)) => true,
        Some(_) => return Err(invalid("/cancel", "expected true or false")),
    };
    match job {
        None | Some(Value::Null) => {}
        Some(Value::String(job)) => {
            if let Some(key) = arguments.keys().next() {
                return Err(invalid(
                    &format!("/{key}"),
                    "a job is waited for or cancelled, and takes no arguments",
                ));
            }
            return Ok(if cancel {
                Asked::Cancel { job }
            } else {
                Asked::Wait { job, wait: wait.unwrap_or(WAIT) }
            });
        }
        Some(_) => return Err(invalid("/job", "expected the id of a job")),
    }
    if cancel {
        return Err(invalid("/cancel", "say which `job`"));
    }
    let name = match arguments.remove("name") {
        Some(Value::String(name)) => name,
        Some(_) => return Err(invalid("/name", "expected a string")),
        None => return Err(invalid("/name", "missing: the name of a function")),
    };
    let given = match arguments.remove("arguments") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(given)) => given,
        // Some models write an object as text.
        Some(Value::String(text)) => serde_json::from_str(&text)
            .map_err(|error| invalid("/arguments", &format!("not a JSON object: {error}")))?,
        Some(_) => return Err(invalid("/arguments", "expected an object")),
    };
    match arguments.keys().next() {
        None => Ok(Asked::Call { name, arguments: given, wait }),
        Some(key) => {
            let message = format!("unknown argument; those of `{name}` go into `arguments`");
            Err(invalid(&format!("/{key}"), &message))
        }
    }
}

/// The tool. `about` says where functions are found.
pub(super) fn tool(about: &str, has_jobs: bool) -> Tool {
    let mut description = "Calls a function.".to_owned();
    description.push_str(about);
    let mut properties = json!({
        "name": {"type": "string", "description": "The name of the function."},
        "arguments": {"type": "object", "description": "Its arguments.", "additionalProperties": true}
    });
    let mut schema = json!({"type": "object", "required": ["name"], "additionalProperties": false});
    if has_jobs {
        description
            .push_str(" A call that may take long: give `wait`; then wait for its `job`, or cancel it.");
        properties["wait"] = json!({
            "type": "number", "minimum": 0, "maximum": LONGEST,
            "description": "Seconds after which the reply is a job, if the call has not ended."
        });
        properties["job"] =
            json!({"type": "string", "description": "In place of `name`: the job to wait for."});
        properties["cancel"] = json!({"type": "boolean", "description": "Whether to cancel the job."});
        // Either a name or a job.
        schema["required"] = json!([]);
    }
    schema["properties"] = properties;
    let schema = if let Value::Object(schema) = schema { schema } else { Map::new() };
    let mut tool = Tool::new(CALL, description, schema);
    tool.annotations = serde_json::from_value(json!({})).ok();
    tool
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: Value, has_jobs: bool) -> Result<Asked, String> {
        let Value::Object(arguments) = arguments else { panic!("an object") };
        asked(arguments, has_jobs).map_err(|error| error.to_string())
    }

    #[test]
    fn a_call_waits_and_a_job_is_waited_for_or_cancelled() {
        let call = |wait: Option<u64>| {
            let (name, wait) = ("f".to_owned(), wait.map(Duration::from_millis));
            Ok(Asked::Call { name, arguments: Map::new(), wait })
        };
        assert_eq!(read(json!({"name": "f"}), true), call(None));
        assert_eq!(read(json!({"name": "f", "wait": 0.5, "job": null}), true), call(Some(500)));
        let job = || "a".to_owned();
        assert_eq!(read(json!({"job": "a"}), true), Ok(Asked::Wait { job: job(), wait: WAIT }));
        let waits = Asked::Wait { job: job(), wait: Duration::from_secs(3) };
        assert_eq!(read(json!({"job": "a", "wait": 3}), true), Ok(waits));
        assert_eq!(read(json!({"job": "a", "cancel": true}), true), Ok(Asked::Cancel { job: job() }));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (arguments, said) in [
            (json!({"name": "f", "wait": -1}), "/wait: expected 0 to 300 seconds"),
            (json!({"name": "f", "cancel": true}), "/cancel: say which `job`"),
            (
                json!({"job": "a", "name": "f"}),
                "/name: a job is waited for or cancelled, and takes no arguments",
            ),
            (json!({"job": 1}), "/job: expected the id of a job"),
            (json!({}), "/name: missing: the name of a function"),
        ] {
            assert!(read(arguments.clone(), true).is_err_and(|error| error.contains(said)), "{arguments}");
        }
        assert!(
            read(json!({"name": "f", "wait": 1}), false)
                .is_err_and(|error| error.contains("/wait: unknown argument"))
        );
    }
}
