//! Errors of a tool as data, so that the caller gets the error that the tool returned in the worker.

use opentool::{ArgumentError, ToolError};
use serde_json::{Map, Value, json};

/// The error as JSON: the name of its variant, and its fields.
pub(crate) fn write(error: &ToolError) -> Vec<u8> {
    let fields = match error {
        ToolError::UnknownFunction { name, suggestion } => json!({"name": name, "suggestion": suggestion}),
        ToolError::NotCallable { name, reason } => json!({"name": name, "reason": reason}),
        ToolError::Forbidden { name, reason } => json!({"name": name, "reason": reason}),
        ToolError::NotConfirmed { name, reason } => json!({"name": name, "reason": reason}),
        ToolError::InvalidArguments(ArgumentError { pointer, message }) => {
            json!({"pointer": pointer, "message": message})
        }
        ToolError::CallFailed { code, message, details } => {
            let details = details.as_deref();
            json!({
                "code": code,
                "message": message,
                "codeName": details.and_then(|details| details.code_name.as_ref()),
                "outputs": details.map(|details| &details.outputs),
            })
        }
        ToolError::LibraryMissing { message } => json!({"message": message}),
        ToolError::TimedOut { limit_ms } => json!({"limitMs": limit_ms}),
        ToolError::NeverStarted { limit_ms, behind } => json!({"limitMs": limit_ms, "behind": behind}),
        ToolError::WorkerDied { reason } => json!({"reason": reason}),
        ToolError::Busy { waiting } => json!({"waiting": waiting}),
        ToolError::Stopping => json!({}),
        // A variant that this crate does not know.
        other => return write(&ToolError::call_failed(other.to_string())),
    };
    json!([error.name(), fields]).to_string().into_bytes()
}

/// Reads what [`write`] wrote; `None` if it is something else.
pub(crate) fn read(bytes: &[u8]) -> Option<ToolError> {
    let (name, fields): (String, Map<String, Value>) = serde_json::from_slice(bytes).ok()?;
    let maybe = |key: &str| fields.get(key).and_then(Value::as_str).map(str::to_owned);
    let number = |key: &str| fields.get(key).and_then(Value::as_u64);
    Some(match name.as_str() {
        "unknown_function" => {
            ToolError::UnknownFunction { name: maybe("name")?, suggestion: maybe("suggestion") }
        }
        "not_callable" => ToolError::NotCallable { name: maybe("name")?, reason: maybe("reason")? },
        "forbidden" => ToolError::Forbidden { name: maybe("name")?, reason: maybe("reason")? },
        "not_confirmed" => ToolError::NotConfirmed { name: maybe("name")?, reason: maybe("reason")? },
        "invalid_arguments" => ToolError::InvalidArguments(ArgumentError {
            pointer: maybe("pointer")?,
            message: maybe("message")?,
        }),
        "call_failed" => {
            let code = fields.get("code").and_then(Value::as_i64);
            let outputs = fields.get("outputs").and_then(Value::as_object).cloned().unwrap_or_default();
            ToolError::CallFailed { code, message: maybe("message")?, details: None }
                .with_details(maybe("codeName"), outputs)
        }
        "library_missing" => ToolError::LibraryMissing { message: maybe("message")? },
        "timed_out" => ToolError::TimedOut { limit_ms: number("limitMs")? },
        "never_started" => ToolError::NeverStarted { limit_ms: number("limitMs")?, behind: maybe("behind")? },
        "worker_died" => ToolError::WorkerDied { reason: maybe("reason")? },
        "busy" => ToolError::Busy { waiting: usize::try_from(number("waiting")?).ok()? },
        "stopping" => ToolError::Stopping,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_is_read_as_it_was_written() {
        let outputs = Map::from_iter([("row".to_owned(), json!(3))]);
        let all = [
            ToolError::unknown_function("ad", ["add"]),
            ToolError::unknown_function("zz", []),
            ToolError::NotCallable { name: "f".to_owned(), reason: "x-length".to_owned() },
            ToolError::Forbidden { name: "f".to_owned(), reason: "a rule".to_owned() },
            ToolError::NotConfirmed { name: "f".to_owned(), reason: "the user declined".to_owned() },
            ToolError::invalid_arguments("/xs/3", "300 does not fit"),
            ToolError::call_failed("no"),
            ToolError::call_failed_with(-5, "locked").with_details(Some("BUSY".to_owned()), outputs),
            ToolError::LibraryMissing { message: "libz.so".to_owned() },
            ToolError::TimedOut { limit_ms: 20 },
            ToolError::NeverStarted { limit_ms: 20, behind: "step".to_owned() },
            ToolError::WorkerDied { reason: "SIGSEGV".to_owned() },
            ToolError::Busy { waiting: 7 },
            ToolError::Stopping,
        ];
        let mut names: Vec<&str> = all.iter().map(ToolError::name).collect();
        names.dedup();
        assert_eq!(names, ToolError::NAMES, "an error is missing here");
        for error in all {
            assert_eq!(read(&write(&error)), Some(error));
        }
    }

    #[test]
    fn other_bytes_are_no_error() {
        for bytes in [&b""[..], b"[]", b"[\"timed_out\",{}]", b"[\"no_such\",{}]", b"\xff", b"{\"a\":1}"] {
            assert_eq!(read(bytes), None, "{}", bytes.escape_ascii());
        }
    }
}
