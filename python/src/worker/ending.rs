//! Describes how a process ended.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::Signal;

/// The exit status of `worker.py` if the connection fails.
const LOST: i32 = 82;

/// How a process ended.
pub(super) fn how(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(LOST), _) => "the script closed or damaged the descriptor of its worker".to_owned(),
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => match name(signal) {
            Some(name) => format!("signal {signal} ({name})"),
            None => format!("signal {signal}"),
        },
        (None, None) => status.to_string(),
    }
}

/// The signals that usually end scripts.
fn name(signal: i32) -> Option<&'static str> {
    let named = [
        (Signal::ABORT, "SIGABRT"),
        (Signal::ALARM, "SIGALRM"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::HUP, "SIGHUP"),
        (Signal::ILL, "SIGILL"),
        (Signal::INT, "SIGINT"),
        (Signal::KILL, "SIGKILL"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::QUIT, "SIGQUIT"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::TERM, "SIGTERM"),
        (Signal::XCPU, "SIGXCPU"),
    ];
    named.iter().find(|(known, _)| known.as_raw() == signal).map(|(_, name)| *name)
}
