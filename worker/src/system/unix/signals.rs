//! How a process ended: by a signal, or with an exit status.

use std::borrow::Cow;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// What ended it, if not itself: `SIGSEGV`.
pub(crate) fn cause(status: ExitStatus) -> Option<Cow<'static, str>> {
    let signal = status.signal()?;
    Some(name(signal).map_or_else(|| format!("signal {signal}").into(), Cow::Borrowed))
}

/// The same in a word, for counters.
pub(crate) fn word(status: ExitStatus) -> &'static str {
    status.signal().map_or("exit", |signal| name(signal).unwrap_or("signal"))
}

/// What an exit status of a process that ended itself may mean: nothing that is known.
pub(crate) fn note(_: i32) -> &'static str {
    ""
}

/// Whether the filter of system calls ended the worker, with `SIGSYS`.
pub(crate) fn is_ended_by_filter(status: ExitStatus) -> bool {
    status.signal() == Some(libc::SIGSYS)
}

fn name(signal: i32) -> Option<&'static str> {
    let names = [
        (libc::SIGABRT, "SIGABRT"),
        (libc::SIGALRM, "SIGALRM"),
        (libc::SIGBUS, "SIGBUS"),
        (libc::SIGFPE, "SIGFPE"),
        (libc::SIGHUP, "SIGHUP"),
        (libc::SIGILL, "SIGILL"),
        (libc::SIGINT, "SIGINT"),
        (libc::SIGKILL, "SIGKILL"),
        (libc::SIGPIPE, "SIGPIPE"),
        (libc::SIGQUIT, "SIGQUIT"),
        (libc::SIGSEGV, "SIGSEGV"),
        (libc::SIGSYS, "SIGSYS"),
        (libc::SIGTERM, "SIGTERM"),
        (libc::SIGTRAP, "SIGTRAP"),
        (libc::SIGUSR1, "SIGUSR1"),
        (libc::SIGUSR2, "SIGUSR2"),
        (libc::SIGXCPU, "SIGXCPU"),
        (libc::SIGXFSZ, "SIGXFSZ"),
    ];
    names.iter().find(|(known, _)| *known == signal).map(|(_, name)| *name)
}
