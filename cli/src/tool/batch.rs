//! `call --batch`: one call per line of standard input.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::ExitCode;

use opentool::{Tool, ToolError};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::streams;
use crate::failure::{Failure, Outcome};

/// One line of a batch.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Line<'a> {
    function: String,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

/// Makes the calls, and writes one line for each. Later calls can use the handles of earlier ones.
pub(crate) fn batch(tool: &dyn Tool, input: impl Read, mut output: impl Write) -> Outcome {
    let mut failed = false;
    for line in BufReader::new(input).lines() {
        let line = line.map_err(|error| Failure::new(format!("cannot read the calls: {error}")))?;
        if line.trim().is_empty() {
            continue;
        }
        let reply = match call(tool, &line) {
            Ok(result) => format!("{{\"result\":{result}}}"),
            Err(error) => {
                failed = true;
                serde_json::json!({"error": error.to_json()}).to_string()
            }
        };
        streams::write(&mut output, &reply)?;
    }
    Ok(if failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn call(tool: &dyn Tool, line: &str) -> Result<String, ToolError> {
    let refused = |error: &dyn std::fmt::Display| {
        let expected = r#"expected {"function": "name", "arguments": {…}}"#;
        ToolError::invalid_arguments("", format!("{error}; {expected}"))
    };
    // A struct would also be read from an array.
    if !line.trim_start().starts_with('{') {
        return Err(refused(&"not an object"));
    }
    let call: Line<'_> = serde_json::from_str(line).map_err(|error| refused(&error))?;
    tool.call_json(&call.function, call.arguments.map_or("{}", RawValue::get))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_batch_is_a_function_and_its_arguments() {
        let line = |text: &'static str| -> Result<(String, Option<&str>), String> {
            let line: Line<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
            Ok((line.function, line.arguments.map(RawValue::get)))
        };
        let add = "add".to_owned();
        assert_eq!(
            line(r#"{"arguments": {"a": 1}, "function": "add"}"#),
            Ok((add.clone(), Some(r#"{"a": 1}"#)))
        );
        assert_eq!(line(r#"{"function": "add", "arguments": null}"#), Ok((add.clone(), None)));
        assert_eq!(line(r#"{"function": "add"}"#), Ok((add, None)));
        for (text, expected) in [
            ("{}", "missing field `function`"),
            (r#"{"name": "add"}"#, "unknown field `name`, expected `function` or `arguments`"),
            (r#"{"function": "a", "function": "b"}"#, "duplicate field `function`"),
        ] {
            let error = line(text).expect_err("no call");
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
