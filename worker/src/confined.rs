//! The sandbox of a worker: as data on the way to it, entered there before the tool is opened, and named here when a call
//! fails that it may have kept from something.

use opentool::ToolError;
use opentool_sandbox::{Limits, Sandbox, SandboxError};
use serde_json::Value;

use crate::ended::{Ended, Why};
use crate::worker::CallError;
use crate::{os_string, system};

/// A sandbox as JSON, `null` without one.
pub(crate) fn to_json(sandbox: Option<&Sandbox>) -> Value {
    let Some(sandbox) = sandbox else { return Value::Null };
    sandbox.to_arguments().iter().map(|argument| os_string::to_json(argument)).collect()
}

/// Reads what [`to_json`] wrote; `None` if it is something else.
pub(crate) fn read(value: &Value) -> Option<Option<Sandbox>> {
    if value.is_null() {
        return Some(None);
    }
    let arguments = value.as_array()?.iter().map(os_string::from_json).collect::<Option<Vec<_>>>()?;
    Sandbox::from_arguments(&mut arguments.into_iter()).ok().map(Some)
}

/// Enters the sandbox, with this limit of memory. The process must have one thread.
pub(crate) fn enter(sandbox: Sandbox, memory: Option<u64>) -> Result<(), ToolError> {
    let limits = Limits { memory, ..sandbox.limits };
    let entered = Sandbox { limits, ..sandbox }.present().enter();
    let refused = |error: SandboxError| ToolError::call_failed(format!("the sandbox: {error}"));
    entered.map(drop).map_err(refused)
}

/// The error for the caller. If the sandbox keeps a file of the call from it, or it was refused something, the text names the
/// flag that allows it.
pub(crate) fn explained(sandbox: Option<&Sandbox>, error: CallError, arguments: &[u8]) -> ToolError {
    let Some(sandbox) = sandbox else { return error.into_error() };
    if is_ended_by_filter(&error) {
        let reason = format!("{error}: the sandbox ends a process for a system call of another architecture");
        return ToolError::WorkerDied { reason };
    }
    match error.into_error() {
        ToolError::CallFailed { code, message, details } => {
            ToolError::CallFailed { code, message: sandbox.explained(message, arguments), details }
        }
        ToolError::WorkerDied { reason } => {
            ToolError::WorkerDied { reason: sandbox.explained(reason, arguments) }
        }
        error => error,
    }
}

/// Whether the filter of system calls ended the worker, with `SIGSYS`.
fn is_ended_by_filter(error: &CallError) -> bool {
    let CallError::Ended(Ended { why: Why::Died { status, .. }, .. }) = error else { return false };
    system::is_ended_by_filter(*status)
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    use std::os::unix::process::ExitStatusExt;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_sandbox_is_read_as_it_was_written() {
        let odd = OsString::from_vec(b"/a\xff b".to_vec());
        let sandbox = Sandbox { read: vec![odd.into()], system: true, ..Sandbox::default() };
        assert_eq!(read(&to_json(Some(&sandbox))), Some(Some(sandbox)));
        assert_eq!(read(&to_json(None)), Some(None));
        for other in [json!([]), json!(3), json!([[300]]), json!([b"--read"])] {
            assert_eq!(read(&other), None, "{other}");
        }
    }

    #[test]
    fn a_failure_names_the_flag_for_a_file_among_its_arguments() {
        let sandbox = Sandbox::default();
        let failed = |message: &str, arguments: &str| {
            let error = CallError::Tool(ToolError::call_failed_with(14, message));
            explained(Some(&sandbox), error, arguments.as_bytes()).to_string()
        };
        let said = failed("cannot open", r#"{"of":[{"path":"/etc/passwd"}]}"#);
        assert_eq!(
            said,
            "the call failed with code 14: cannot open; sandbox: `/etc/passwd` cannot be read or written here: \
             --allow-read /etc/passwd or --allow-write /etc allows it"
        );
        assert_eq!(
            failed("syntax error", r#"{"sql":"select"}"#),
            "the call failed with code 14: syntax error"
        );
        let error = ToolError::invalid_arguments("/path", "too long: /etc/passwd");
        assert_eq!(explained(Some(&sandbox), CallError::Tool(error.clone()), b"{}"), error);
        let error = ToolError::call_failed("no /etc/passwd");
        assert_eq!(explained(None, CallError::Tool(error.clone()), b"{}"), error, "without a sandbox");
    }

    #[test]
    fn the_end_by_the_filter_is_said() {
        let status = std::process::ExitStatus::from_raw(libc::SIGSYS);
        let why = Why::Died { status, address: None };
        let error = CallError::Ended(Ended { function: "old".to_owned(), why });
        let said = explained(Some(&Sandbox::default()), error, b"{}").to_string();
        assert!(said.contains("SIGSYS in `old`: the sandbox ends a process"), "{said}");
    }
}
