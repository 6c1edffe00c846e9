//! How a process ended. Windows has one number for that: the code of the exception that ended it, or what it said itself.

use std::borrow::Cow;
use std::process::ExitStatus;

use windows_sys::Win32::Foundation::{
    NTSTATUS, STATUS_ACCESS_VIOLATION, STATUS_ASSERTION_FAILURE, STATUS_BAD_STACK, STATUS_BREAKPOINT,
    STATUS_CONTROL_C_EXIT, STATUS_DATATYPE_MISALIGNMENT, STATUS_FLOAT_DIVIDE_BY_ZERO, STATUS_HEAP_CORRUPTION,
    STATUS_ILLEGAL_INSTRUCTION, STATUS_IN_PAGE_ERROR, STATUS_INTEGER_DIVIDE_BY_ZERO, STATUS_INTEGER_OVERFLOW,
    STATUS_INVALID_HANDLE, STATUS_INVALID_UNWIND_TARGET, STATUS_NO_MEMORY, STATUS_NONCONTINUABLE_EXCEPTION,
    STATUS_PRIVILEGED_INSTRUCTION, STATUS_STACK_BUFFER_OVERRUN, STATUS_STACK_OVERFLOW,
};

/// What `throw` of Microsoft's C++ raises.
const CPP_EXCEPTION: u32 = 0xE06D_7363;
/// The exit status of a process that called `abort` of `msvcrt.dll`, or of a debug build.
const ABORT: i32 = 3;

/// The names of codes. The last one is that of every `__fastfail`.
const NAMES: [(NTSTATUS, &str); 20] = [
    (STATUS_ACCESS_VIOLATION, "access violation"),
    (STATUS_ASSERTION_FAILURE, "assertion failure"),
    (STATUS_BAD_STACK, "bad stack"),
    (STATUS_BREAKPOINT, "breakpoint"),
    (STATUS_CONTROL_C_EXIT, "Ctrl-C"),
    (STATUS_DATATYPE_MISALIGNMENT, "misaligned access"),
    (STATUS_FLOAT_DIVIDE_BY_ZERO, "floating-point division by zero"),
    (STATUS_HEAP_CORRUPTION, "heap corruption"),
    (STATUS_ILLEGAL_INSTRUCTION, "illegal instruction"),
    (STATUS_IN_PAGE_ERROR, "in-page error"),
    (STATUS_INTEGER_DIVIDE_BY_ZERO, "division by zero"),
    (STATUS_INTEGER_OVERFLOW, "integer overflow"),
    (STATUS_INVALID_HANDLE, "invalid handle"),
    (STATUS_INVALID_UNWIND_TARGET, "invalid unwind target"),
    (STATUS_NO_MEMORY, "no memory"),
    (STATUS_NONCONTINUABLE_EXCEPTION, "noncontinuable exception"),
    (STATUS_PRIVILEGED_INSTRUCTION, "privileged instruction"),
    (CPP_EXCEPTION.cast_signed(), "C++ exception"),
    (STATUS_STACK_OVERFLOW, "stack overflow"),
    (STATUS_STACK_BUFFER_OVERRUN, "abort or stack buffer overrun"),
];

/// What ended it, if not itself: `access violation (0xc0000005)`.
pub(crate) fn cause(status: ExitStatus) -> Option<Cow<'static, str>> {
    let code = status.code()?;
    name(code).map(|name| format!("{name} (0x{code:08x})").into())
}

/// The same in a word, for counters.
pub(crate) fn word(status: ExitStatus) -> &'static str {
    status.code().and_then(name).unwrap_or("exit")
}

/// What an exit status of a process that ended itself may mean.
pub(crate) fn note(code: i32) -> &'static str {
    if code == ABORT { ", as `abort` does" } else { "" }
}

/// Windows has no such filter.
pub(crate) fn is_ended_by_filter(_: ExitStatus) -> bool {
    false
}

fn name(code: i32) -> Option<&'static str> {
    let known = NAMES.iter().find(|(known, _)| *known == code).map(|(_, name)| *name);
    // Errors of the system begin so; few programs choose such an exit status.
    known.or_else(|| (code.cast_unsigned() >> 28 == 0xC).then_some("exception"))
}

#[cfg(test)]
mod tests {
    use std::os::windows::process::ExitStatusExt;

    use super::*;

    #[test]
    fn exceptions_are_told_from_exit_statuses() {
        let told = |code| {
            let status = ExitStatus::from_raw(code);
            (cause(status).unwrap_or_default().into_owned(), word(status))
        };
        assert_eq!(told(0xC000_0005), ("access violation (0xc0000005)".to_owned(), "access violation"));
        assert_eq!(told(0xE06D_7363), ("C++ exception (0xe06d7363)".to_owned(), "C++ exception"));
        assert_eq!(told(0xC000_1234), ("exception (0xc0001234)".to_owned(), "exception"));
        for by_itself in [0, 1, 3, 255, u32::MAX, u32::MAX - 1] {
            assert_eq!(told(by_itself), (String::new(), "exit"), "{by_itself:#x}");
        }
        assert_eq!((note(3), note(0)), (", as `abort` does", ""));
    }
}
