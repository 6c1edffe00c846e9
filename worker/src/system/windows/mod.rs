//! Windows: two named pipes, handles that the worker alone inherits, exit codes, and a job object.
//!
//! The declarations are those of `windows-sys`. Handles are owned as the standard library owns them.

mod exceptions;
pub(crate) mod fault;
mod handles;
mod job;
mod launch;
mod pipe;
mod process;
mod stream;

use std::ffi::{OsStr, OsString};
use std::os::windows::ffi::{OsStrExt, OsStringExt};

pub(crate) use exceptions::{cause, is_ended_by_filter, note, word};
pub(crate) use handles::{End, end, is_sound, take};
pub(crate) use process::{Process, spawn};
pub(crate) use stream::Stream;

/// What a text of the system consists of.
pub(crate) type Unit = u16;

pub(crate) fn units(text: &OsStr) -> Vec<Unit> {
    text.encode_wide().collect()
}

pub(crate) fn from_units(units: Vec<Unit>) -> OsString {
    OsString::from_wide(&units)
}

/// The job object limits the memory already.
pub(crate) fn limit(_: Option<u64>) {}
