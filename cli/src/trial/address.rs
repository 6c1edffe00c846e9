//! What an access that the system refused was about, in words.

use super::judge::{History, Judgement, Phase, function};
use super::protocol::{Call, Code, Lent, What};
use super::watch::Fault;

/// Memory that a call was lent.
pub(super) struct Borrowed<'w> {
    pub(super) call: usize,
    pub(super) lent: &'w Lent,
    /// Whether nothing can access it any more, because the call has ended.
    pub(super) has_ended: bool,
}

/// Addresses below this one come from a NULL pointer.
const FIRST_PAGES: u64 = 1 << 16;

pub(super) fn judge(fault: Fault, history: &History<'_>, calls: &[Call], aborted: bool) -> Judgement {
    let at = place(fault.instruction, history.code);
    let found = history.lent.iter().rev().find(|one| (one.lent.from..one.lent.to).contains(&fault.address));
    let Some(borrowed) = found else {
        let subject = history.phase.subject(calls);
        let message = format!("{subject} {}{at}", elsewhere(fault));
        return Judgement { message, call: history.phase.call(), param: None, is_abort: false };
    };
    let in_libc = history.code.iter().any(|code| {
        (code.from..code.to).contains(&fault.instruction)
            && ["libc.so", "libc-", "ld-musl"].iter().any(|start| code.file.starts_with(start))
    });
    let what = if borrowed.has_ended {
        ended(fault, borrowed, history.phase, calls)
    } else {
        let subject = history.phase.subject(calls);
        format!("{subject} {}", lent(fault, borrowed.lent, in_libc, aborted))
    };
    Judgement {
        message: format!("{what}{at}"),
        call: Some(borrowed.call),
        param: Some(borrowed.lent.name.clone()),
        is_abort: false,
    }
}

/// What C did with memory that it is lent.
fn lent(fault: Fault, lent: &Lent, in_libc: bool, aborted: bool) -> String {
    let (name, end) = (&lent.name, lent.start + lent.bytes);
    let verb = verb(fault);
    if fault.address >= end {
        let beyond = match fault.address - end {
            0 => String::new(),
            beyond => format!(", {} behind it", bytes(beyond)),
        };
        let says = if lent.says.is_empty() {
            String::new()
        } else {
            format!(": the document says that {}", lent.says)
        };
        return format!("{verb} past {}{beyond}{says}", extent(lent));
    }
    if fault.address >= lent.start {
        // Memory that can be written is only refused when the call has ended.
        return match lent.what {
            What::Text => {
                format!("wrote to `{name}`, which the document says is a string that C only reads")
            }
            _ => format!("wrote to `{name}`, which the document says is only read: it has no `x-inout`"),
        };
    }
    let before = lent.start - fault.address;
    // The C library reads the size of a block in front of it.
    let as_free = in_libc && before <= 16 && fault.is_write != Some(true);
    if as_free && aborted {
        return format!("freed `{name}`, memory that it was lent: the document does not say that C owns it");
    }
    let perhaps = if as_free { ", as `free` does" } else { "" };
    format!("{verb} {} before the start of `{name}`{perhaps}", bytes(before))
}

/// What C did with memory that it was lent by a call that has ended.
fn ended(fault: Fault, borrowed: &Borrowed<'_>, phase: Phase, calls: &[Call]) -> String {
    let (name, verb) = (&borrowed.lent.name, verb(fault));
    let lender = function(calls, borrowed.call);
    let then = match phase {
        Phase::Call(index) if index == borrowed.call => format!("the next call of `{lender}` {verb} it"),
        Phase::Call(index) | Phase::Between(index) if index != borrowed.call => {
            format!("`{}` {verb} it", function(calls, index))
        }
        Phase::Closing => format!("the library {verb} it while handles were freed and it was closed"),
        Phase::Ending => format!("the library {verb} it at the end of the process"),
        Phase::Call(_) | Phase::Between(_) | Phase::Opening => format!("the library {verb} it"),
    };
    format!(
        "`{lender}` kept the pointer `{name}` after the call, and {then}: the document does not say so with `x-keeps`"
    )
}

/// What C did with memory that it was not lent.
fn elsewhere(fault: Fault) -> String {
    let verb = verb(fault);
    match fault.address as u64 {
        address if address < FIRST_PAGES => format!("{verb} through a NULL pointer (address {address:#x})"),
        address if address >> 16 == 0xA5A5_A5A5_A5A5 => {
            "used a pointer that it found in memory that was freed".to_owned()
        }
        address if address >> 16 == 0x5A5A_5A5A_5A5A => {
            "used a pointer that it found in memory that was allocated and never written".to_owned()
        }
        address => format!("{verb} at address {address:#x}, which is not memory that it was lent"),
    }
}

fn verb(fault: Fault) -> &'static str {
    match fault.is_write {
        Some(true) => "wrote",
        Some(false) => "read",
        None => "read or wrote",
    }
}

/// The end of a piece of memory.
fn extent(lent: &Lent) -> String {
    let (name, size) = (&lent.name, bytes(lent.bytes));
    match lent.what {
        What::Capacity => format!("the capacity of `{name}` ({size})"),
        What::Length => format!("the length of `{name}` ({size})"),
        What::Text => format!("the end of the string `{name}` ({size} with its NUL)"),
        What::Scalar => format!("the end of `{name}` ({size})"),
        What::Struct => format!("the end of the struct `{name}` ({size})"),
        What::State => format!("the end of the state `{name}` ({size})"),
    }
}

pub(super) fn bytes(count: usize) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

/// ` (at libz.so.1+0x2c4f)`, if it is known.
fn place(instruction: usize, code: &[Code]) -> String {
    let found = code.iter().find(|code| (code.from..code.to).contains(&instruction));
    found.map_or_else(String::new, |code| {
        format!(" (at {}+{:#x})", code.file, instruction - code.from + code.offset)
    })
}
