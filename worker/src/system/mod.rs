//! What differs by system: how a worker is started, killed and told from others, what the bytes travel through, and how a
//! crash is reported. Everything else in this crate is the same on all of them.
//!
//! | | Unix | Windows |
//! |---|---|---|
//! | [`Stream`], [`End`] | a socket | two named pipes that nobody else can open |
//! | the worker's own descriptors | under high numbers | handles that it alone inherits, by their numbers |
//! | processes that the library starts | in the process group | in the job object |
//! | a server that is gone | the system kills the worker, or it sees its socket close | the job object kills it |
//! | limit of memory | the worker sets it | the job object has it |
//! | a crash | a signal, and its handler | an exit code, and the filter of unhandled exceptions |

use std::ffi::OsString;
use std::path::Path;

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;

/// What is started as a worker.
pub(crate) struct Launch<'p> {
    pub(crate) executable: &'p Path,
    pub(crate) arguments: &'p [OsString],
    /// The environment variable that makes it a worker, and its value.
    pub(crate) variable: (&'static str, &'p str),
    /// The environment variables that it must not see.
    pub(crate) hidden: &'p [OsString],
    /// The limit of its memory, for systems where the worker cannot set it.
    #[cfg_attr(unix, expect(dead_code, reason = "the worker sets it"))]
    pub(crate) memory: Option<u64>,
}

/// What is waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ready {
    Read,
    Write,
}
