//! The audit log: one line of JSON for every call, whatever its outcome.

mod time;

pub(crate) use time::rfc3339;

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use opentool::ToolError;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::policy::{Identity, Protocol};
use opendyn_source::short::{self, shortened};

/// Writes who called what with which outcome.
///
/// A line is written when a call has ended: `time`, `key`, `protocol`, `function`, `outcome` (`ok`, `cancelled` if
/// the caller left, or the [name](ToolError::name) of the error), `duration_us`, and `asked` if a person was asked before.
/// Arguments are left out unless asked for, because they may be secrets. Results are never written.
#[derive(Debug)]
pub struct Audit {
    file: Mutex<File>,
    with_arguments: bool,
}

/// A call that has ended.
pub(crate) struct Ended<'a> {
    pub by: &'a Identity,
    pub protocol: Protocol,
    pub function: &'a str,
    pub arguments: Option<&'a [u8]>,
    /// Whether a person was asked before.
    pub asked: bool,
    pub outcome: &'static str,
    pub error: Option<&'a ToolError>,
    pub took: Duration,
}

impl Audit {
    /// Appends to the file at `path`. A new file can be read and written only by its owner.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot open the audit log `{}`: {error}", path.display()))
        })?;
        Ok(Self { file: Mutex::new(file), with_arguments: false })
    }

    /// Also writes the arguments of calls.
    #[must_use]
    pub fn with_arguments(self) -> Self {
        Self { with_arguments: true, ..self }
    }

    /// Whether arguments are written.
    pub(crate) fn takes_arguments(&self) -> bool {
        self.with_arguments
    }

    /// Writes a line. An error of the file does not fail the call, which has been made; it is logged.
    pub(crate) fn write(&self, ended: &Ended<'_>) {
        let mut line = line(SystemTime::now(), ended);
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // One write per line, so that lines of several processes stay whole.
        if let Err(error) = file.write_all(&line) {
            tracing_error(&error);
        }
    }
}

#[cfg(feature = "http")]
fn tracing_error(error: &io::Error) {
    tracing::error!(%error, "the audit log cannot be written");
}

#[cfg(not(feature = "http"))]
fn tracing_error(error: &io::Error) {
    // The reader of standard error may be gone.
    let _ = writeln!(io::stderr(), "the audit log cannot be written: {error}");
}

fn line(now: SystemTime, ended: &Ended<'_>) -> Vec<u8> {
    let Ended { by, protocol, function, arguments, asked, outcome, error, took } = ended;
    let mut members = Map::from_iter([
        ("time".to_owned(), json!(rfc3339(now))),
        ("key".to_owned(), json!(by.name())),
        ("protocol".to_owned(), json!(protocol.name())),
        ("function".to_owned(), json!(shortened(*function, short::NAME))),
        ("outcome".to_owned(), json!(outcome)),
        ("duration_us".to_owned(), json!(u64::try_from(took.as_micros()).unwrap_or(u64::MAX))),
    ]);
    if let Some(session) = by.session() {
        members.insert("session".to_owned(), json!(session));
    }
    if *asked {
        members.insert("asked".to_owned(), json!(true));
    }
    if let Some(error) = error {
        members.insert("error".to_owned(), json!(shortened(error.to_string(), short::MESSAGE)));
    }
    let mut text = Value::Object(members).to_string().into_bytes();
    if let Some(arguments) = arguments {
        text.pop();
        text.extend_from_slice(br#","arguments":"#);
        // Their text as it came, on one line; what is not JSON is a string.
        match serde_json::from_slice::<&RawValue>(arguments) {
            Ok(arguments) => text.extend(arguments.get().bytes().map(|byte| match byte {
                b'\n' | b'\r' => b' ',
                byte => byte,
            })),
            Err(_) => text.extend(json!(String::from_utf8_lossy(arguments)).to_string().into_bytes()),
        }
        text.push(b'}');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(function: &str, arguments: Option<&[u8]>, error: Option<&ToolError>) -> String {
        let by = Identity::new("ci");
        let took = Duration::from_micros(7);
        let protocol = Protocol::McpHttp;
        let now = SystemTime::UNIX_EPOCH;
        let outcome = error.map_or("ok", ToolError::name);
        let asked = matches!(error, Some(ToolError::NotConfirmed { .. }));
        let line = line(now, &Ended { by: &by, protocol, function, arguments, asked, outcome, error, took });
        String::from_utf8(line).expect("text")
    }

    #[test]
    fn a_line_says_who_called_what_with_which_outcome() {
        assert_eq!(
            text("add", None, None),
            r#"{"time":"1970-01-01T00:00:00.000Z","key":"ci","protocol":"mcp-http","function":"add","outcome":"ok","duration_us":7}"#
        );
        let refused = text("add", None, Some(&ToolError::Stopping));
        assert!(refused.contains(r#""outcome":"stopping""#) && refused.contains(r#""error":"the tool"#));
        let declined = ToolError::NotConfirmed { name: "add".to_owned(), reason: "no".to_owned() };
        let declined = text("add", None, Some(&declined));
        assert!(declined.contains(r#""outcome":"not_confirmed","duration_us":7,"asked":true"#), "{declined}");
    }

    #[test]
    fn a_line_says_in_which_session() {
        let (by, took) = (Identity::new("ci").in_session(3), Duration::ZERO);
        let (function, outcome, protocol) = ("add", "ok", Protocol::McpHttp);
        let ended =
            Ended { by: &by, protocol, function, arguments: None, asked: false, outcome, error: None, took };
        let text = String::from_utf8(line(SystemTime::UNIX_EPOCH, &ended)).expect("text");
        assert!(text.contains(r#""key":"ci""#) && text.contains(r#""session":3"#), "{text}");
    }

    #[test]
    fn whatever_a_caller_sends_stays_one_line() {
        for arguments in [&b"{\n \"a\":\r\n1 }"[..], b"{\n", b"\xff\n", b""] {
            let line = text("add\n\"", Some(arguments), None);
            assert!(!line.contains(['\n', '\r']), "{line}");
            serde_json::from_str::<Value>(&line).expect("JSON");
        }
        assert!(text("add", Some(b"{ \"a\":1.0 }"), None).ends_with(r#""arguments":{ "a":1.0 }}"#));
    }
}
