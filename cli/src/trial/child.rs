//! The process that makes the calls. Standard output carries the reports; what C prints goes to standard error.

use std::fs::File;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::Mutex;

use opendyn_interpreter::command::{self, Guarding, Observer, Place};
use opentool::{Tool, ToolError};
use serde_json::Value;

use super::protocol::{Call, Code, Event, Left, Lent, Script, What, reference};
use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::tool::{self, streams};

/// The largest buffer whose contents are reported, in bytes.
const LARGEST: usize = 1 << 20;

/// Reads the script on standard input, and carries it out.
pub(crate) fn run() -> Outcome {
    let (mut input, output) = streams::take()?;
    let lost = |error: std::io::Error| Failure::new(format!("the process that tries calls: {error}"));
    let mut text = String::new();
    input.read_to_string(&mut text).map_err(lost)?;
    let script: Script =
        serde_json::from_str(&text).map_err(|error| Failure::new(format!("not a script: {error}")))?;
    command::report_faults(output.try_clone().map_err(lost)?.into()).map_err(lost)?;
    let report = Report(Mutex::new(output.try_clone().map_err(lost)?));
    if let Err(failure) = carry_out(&script, &report, output) {
        report.event(&Event::Refused { message: failure.to_string() });
    }
    Ok(ExitCode::SUCCESS)
}

fn carry_out(script: &Script, report: &Report, output: File) -> Outcome<()> {
    let document = Document { name: script.name.clone(), source: script.source.clone() };
    let read = tool::read(&document)?;
    let guarding = Guarding {
        place: if script.at_start { Place::AtStart } else { Place::AtEnd },
        fill: script.fill,
        observer: Box::new(Report(Mutex::new(output))),
    };
    let opened = tool::open_guarded(&script.name, read, script.library.as_deref(), guarding)?;
    report.event(&Event::Open { code: code() });
    for _ in 0..script.rounds {
        let mut results = Vec::new();
        for (index, call) in script.calls.iter().enumerate() {
            report.event(&Event::Begin { call: index });
            let result = arguments(call, &results)
                .and_then(|arguments| opened.call_json(&call.function, &arguments.to_string()));
            match result {
                Ok(result) => {
                    report.event(&Event::End { failed: None });
                    results.push(serde_json::from_str(&result).unwrap_or_default());
                }
                Err(
                    error @ (ToolError::InvalidArguments(_)
                    | ToolError::NotCallable { .. }
                    | ToolError::UnknownFunction { .. }),
                ) => {
                    report.event(&Event::NotCalled { call: index, message: error.to_string() });
                    return Ok(());
                }
                Err(error) => {
                    report.event(&Event::End { failed: Some(error.to_string()) });
                    results.push(Value::Null);
                }
            }
        }
    }
    report.event(&Event::Closing);
    drop(opened);
    report.event(&Event::Done);
    Ok(())
}

/// The arguments, with the results that they refer to.
fn arguments(call: &Call, results: &[Value]) -> Result<Value, ToolError> {
    let mut arguments = call.arguments.clone();
    fill_in(&mut arguments, results).map_err(|message| ToolError::invalid_arguments("", message))?;
    Ok(arguments)
}

fn fill_in(value: &mut Value, results: &[Value]) -> Result<(), String> {
    match value {
        Value::String(text) => {
            let Some((call, name)) = reference(text) else { return Ok(()) };
            let result = results.get(call - 1).and_then(|result| result.get(name)).cloned();
            *value = result.ok_or_else(|| format!("call {call} has no result `{name}`"))?;
            Ok(())
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| fill_in(item, results)),
        Value::Object(members) => members.values_mut().try_for_each(|member| fill_in(member, results)),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

/// Where code is, so that the instruction of a fault has a name; only Linux tells.
fn code() -> Vec<Code> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    maps.lines().filter_map(code_of).collect()
}

/// `FROM-TO r-xp OFFSET DEVICE INODE FILE`
fn code_of(line: &str) -> Option<Code> {
    let mut fields = line.split_whitespace();
    let (from, to) = fields.next()?.split_once('-')?;
    let number = |text: &str| usize::from_str_radix(text, 16).ok();
    let is_code = fields.next()?.contains('x');
    let offset = number(fields.next()?)?;
    let file = fields.nth(2)?.rsplit('/').next()?.to_owned();
    is_code.then_some(Code { from: number(from)?, to: number(to)?, offset, file })
}

/// Writes events, each at once: the process may end at any time.
struct Report(Mutex<File>);

impl Report {
    fn event(&self, event: &Event) {
        let Ok(mut line) = serde_json::to_string(event) else { return };
        line.push('\n');
        let mut file = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if file.write_all(line.as_bytes()).is_err() {
            // Nobody watches any more.
            std::process::exit(2);
        }
    }
}

impl Observer for Report {
    fn lent(&self, lent: &[command::Lent]) {
        let lent = lent.iter().map(|one| Lent {
            name: one.name.clone(),
            what: what(one.what),
            start: one.start,
            bytes: one.bytes,
            from: one.around.start,
            to: one.around.end,
            is_written: one.is_written,
            stays: one.stays,
            says: one.says.clone(),
        });
        self.event(&Event::Lent(lent.collect()));
    }

    fn left(&self, left: &[command::Left]) {
        let left = left.iter().map(|one| Left {
            name: one.name.clone(),
            bytes: (one.bytes.len() <= LARGEST).then(|| one.bytes.clone()),
            unit: one.unit,
            ends_at_nul: one.ends_at_nul,
            written: one.written,
        });
        self.event(&Event::Left(left.collect()));
    }
}

fn what(what: command::What) -> What {
    match what {
        command::What::Capacity => What::Capacity,
        command::What::Length => What::Length,
        command::What::Text => What::Text,
        command::What::Scalar => What::Scalar,
        command::What::Struct => What::Struct,
        command::What::State => What::State,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn results_take_the_place_of_references() {
        let call = Call { function: "f".to_owned(), arguments: json!({"a": "$1.shelf", "b": ["x"]}) };
        let filled = arguments(&call, &[json!({"shelf": "t1"})]).expect("a result");
        assert_eq!(filled, json!({"a": "t1", "b": ["x"]}));
        let error = arguments(&call, &[]).expect_err("no result").to_string();
        assert_eq!(error, "invalid arguments: call 1 has no result `shelf`");
    }

    #[test]
    fn code_is_found_in_the_maps_of_linux() {
        let line = "7f1-7f2 r-xp 00001000 08:01 42      /usr/lib/libz.so.1";
        let code = code_of(line).expect("code");
        assert_eq!(
            (code.from, code.to, code.offset, code.file.as_str()),
            (0x7f1, 0x7f2, 0x1000, "libz.so.1")
        );
        assert!(code_of("7f1-7f2 rw-p 00001000 08:01 42 /usr/lib/libz.so.1").is_none());
        assert!(code_of("7f1-7f2 r-xp 00000000 00:00 0").is_none());
    }
}
