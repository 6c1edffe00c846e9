//! Calls from a command line: one call, or one per line of standard input.

use std::fmt;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::process::ExitCode;

use opentool::{Tool, ToolError};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::documents::{self, HostedDocument};
use super::pretty::pretty;
use super::request::Request;
use super::{FAILED, HostError, report};

/// Calls `function` and writes its result to standard output.
pub(super) fn one(
    hosted: &[HostedDocument],
    request: &Request,
    function: &str,
    arguments: &str,
    compact: bool,
) -> Result<ExitCode, HostError> {
    let compact = compact || !io::stdout().is_terminal();
    let (mut input, mut output) = streams()?;
    let mut read = String::new();
    let arguments = if arguments == "-" {
        input
            .read_to_string(&mut read)
            .map_err(|error| HostError::new(format!("cannot read the arguments: {error}")))?;
        if read.trim().is_empty() { "{}" } else { &read }
    } else {
        arguments
    };
    let tool = documents::open(hosted, request)?;
    match tool.call_json(function, arguments) {
        Ok(result) => {
            let result = if compact { result } else { pretty(&result) };
            write(&mut output, &result)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let help = takes_token(&tool, function, &error).then_some(
                "a handle lives as long as the process that issued it: make all calls with one `--batch`",
            );
            report(&error.to_string(), help);
            Ok(ExitCode::from(FAILED))
        }
    }
}

/// One line of a batch.
struct Line<'a> {
    function: String,
    arguments: Option<&'a RawValue>,
}

/// Hand-written, so that a program that only calls compiles without serde's derive macro.
impl<'de: 'a, 'a> Deserialize<'de> for Line<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LineVisitor;
        impl<'de> Visitor<'de> for LineVisitor {
            type Value = Line<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Line<'de>, A::Error> {
                let (mut function, mut arguments) = (None, None);
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "function" if function.is_some() => return Err(Error::duplicate_field("function")),
                        "function" => function = Some(map.next_value()?),
                        "arguments" if arguments.is_some() => {
                            return Err(Error::duplicate_field("arguments"));
                        }
                        "arguments" => arguments = Some(map.next_value::<Option<&RawValue>>()?),
                        other => return Err(Error::unknown_field(other, &["function", "arguments"])),
                    }
                }
                let function = function.ok_or_else(|| Error::missing_field("function"))?;
                Ok(Line { function, arguments: arguments.flatten() })
            }
        }
        deserializer.deserialize_map(LineVisitor)
    }
}

/// Makes one call per line of standard input, and writes one line for each. Later calls can use the handles of
/// earlier ones.
pub(super) fn batch(hosted: &[HostedDocument], request: &Request) -> Result<ExitCode, HostError> {
    let (input, mut output) = streams()?;
    let tool = documents::open(hosted, request)?;
    let mut failed = false;
    for line in BufReader::new(input).lines() {
        let line = line.map_err(|error| HostError::new(format!("cannot read the calls: {error}")))?;
        if line.trim().is_empty() {
            continue;
        }
        let reply = match call(&tool, &line) {
            Ok(result) => format!("{{\"result\":{result}}}"),
            Err(error) => {
                failed = true;
                serde_json::json!({"error": error.to_json()}).to_string()
            }
        };
        write(&mut output, &reply)?;
    }
    Ok(if failed { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

fn call(tool: &dyn Tool, line: &str) -> Result<String, ToolError> {
    let call: Line<'_> = serde_json::from_str(line).map_err(|error| {
        let expected = r#"expected {"function": "name", "arguments": {…}}"#;
        ToolError::invalid_arguments("", format!("{error}; {expected}"))
    })?;
    tool.call_json(&call.function, call.arguments.map_or("{}", RawValue::get))
}

/// Whether the call was refused because of an argument that is a token; tokens of other processes are invalid.
fn takes_token(tool: &dyn Tool, function: &str, error: &ToolError) -> bool {
    let ToolError::InvalidArguments(error) = error else { return false };
    let Some(document) = tool.load() else { return false };
    let Some(function) = document.function(function) else { return false };
    function
        .parameters
        .iter()
        .any(|parameter| parameter.schema.handle.is_some() && error.pointer == format!("/{}", parameter.name))
}

/// Not `println!`: standard output has been redirected.
fn write(output: &mut impl Write, line: &str) -> Result<(), HostError> {
    output
        .write_all(line.as_bytes())
        .and_then(|()| output.write_all(b"\n"))
        .and_then(|()| output.flush())
        .map_err(|error| HostError::new(format!("cannot write the result: {error}")))
}

/// The standard streams of the process, which the library cannot use.
#[cfg(unix)]
fn streams() -> Result<(std::fs::File, std::fs::File), HostError> {
    opentool_server::stdio::take()
        .map_err(|error| HostError::new(format!("cannot take the standard streams: {error}")))
}

#[cfg(not(unix))]
fn streams() -> Result<(io::Stdin, io::Stdout), HostError> {
    Ok((io::stdin(), io::stdout()))
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
            ("[]", "invalid type: sequence, expected an object"),
        ] {
            let error = line(text).expect_err("no call");
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
