//! Unix: a socket and a pipe, signals, and a process group.

mod descriptors;
pub(crate) mod fault;
mod process;
mod signals;
mod stream;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use rustix::process::{Resource, Rlimit, setrlimit};

pub(crate) use descriptors::{End, end, is_sound, take};
pub(crate) use process::{Process, spawn};
pub(crate) use signals::{cause, is_ended_by_filter, note, word};
pub(crate) use stream::Stream;

/// What a text of the system consists of.
pub(crate) type Unit = u8;

pub(crate) fn units(text: &OsStr) -> Vec<Unit> {
    text.as_bytes().to_vec()
}

pub(crate) fn from_units(units: Vec<Unit>) -> OsString {
    OsString::from_vec(units)
}

/// Restricts the worker, which calls it. No core is written, which could fill a disk with what clients sent.
pub(crate) fn limit(memory: Option<u64>) {
    let at_most = |limit| Rlimit { current: Some(limit), maximum: Some(limit) };
    let _ = setrlimit(Resource::Core, at_most(0));
    if let Some(memory) = memory {
        let _ = setrlimit(Resource::As, at_most(memory));
    }
}
