//! Calls from a command line: one, or a line each.

use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::process::ExitCode;

use opentool::{Tool, ToolError};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::members::{self, Member};
use super::pretty::pretty;
use super::request::Request;
use super::{FAILED, Failure, report};

/// Calls `function`, and writes its result to standard output.
pub(super) fn one(
    members: &[Member],
    request: &Request,
    function: &str,
    arguments: &str,
    compact: bool,
) -> Result<ExitCode, Failure> {
    let compact = compact || !io::stdout().is_terminal();
    let (mut input, mut output) = streams()?;
    let mut read = String::new();
    let arguments = if arguments == "-" {
        input
            .read_to_string(&mut read)
            .map_err(|error| Failure::new(format!("cannot read the arguments: {error}")))?;
        if read.trim().is_empty() { "{}" } else { &read }
    } else {
        arguments
    };
    let tool = members::open(members, request)?;
    match tool.call_json(function, arguments) {
        Ok(result) => {
            let result = if compact { result } else { pretty(&result) };
            write(&mut output, &result)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let help = takes_token(&tool, function, &error).then_some(
                "a handle lives as long as the process that gave it: make all calls with one `--batch`",
            );
            report(&error.to_string(), help);
            Ok(ExitCode::from(FAILED))
        }
    }
}

/// One call of a batch, as its line says it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    function: String,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

/// Makes the call of every line of standard input, and writes a line for each. The handles that one gives
/// are there for the next.
pub(super) fn batch(members: &[Member], request: &Request) -> Result<ExitCode, Failure> {
    let (input, mut output) = streams()?;
    let tool = members::open(members, request)?;
    let mut failed = false;
    for line in BufReader::new(input).lines() {
        let line = line.map_err(|error| Failure::new(format!("cannot read the calls: {error}")))?;
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

/// Whether the call was refused, and `function` takes a token, which no other process can have given.
fn takes_token(tool: &dyn Tool, function: &str, error: &ToolError) -> bool {
    let ToolError::InvalidArguments(error) = error else { return false };
    let Some(document) = tool.load() else { return false };
    let Some(function) = document.function(function) else { return false };
    function
        .parameters
        .iter()
        .any(|parameter| parameter.schema.handle.is_some() && error.pointer == format!("/{}", parameter.name))
}

/// Not `println!`: standard output is no longer the one that was given.
fn write(output: &mut impl Write, line: &str) -> Result<(), Failure> {
    output
        .write_all(line.as_bytes())
        .and_then(|()| output.write_all(b"\n"))
        .and_then(|()| output.flush())
        .map_err(|error| Failure::new(format!("cannot write the result: {error}")))
}

/// The streams that the user gave, which the library does not get to see.
#[cfg(unix)]
fn streams() -> Result<(std::fs::File, std::fs::File), Failure> {
    opentool_server::stdio::take()
        .map_err(|error| Failure::new(format!("cannot have the standard streams: {error}")))
}

#[cfg(not(unix))]
fn streams() -> Result<(io::Stdin, io::Stdout), Failure> {
    Ok((io::stdin(), io::stdout()))
}
