//! The handles of a worker: it inherits its own three, by their numbers, and standard error. Standard input is at its end, and
//! standard output is standard error: the C runtime of the library finds nothing else.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, PipeReader, Read, Write};
use std::os::windows::io::{AsHandle, AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle};
use std::ptr;

use windows_sys::Win32::Foundation::{
    DUPLICATE_SAME_ACCESS, DuplicateHandle, HANDLE, HANDLE_FLAG_INHERIT, SetHandleInformation,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

/// The environment variable with the numbers of the handles.
pub(super) const VARIABLE: &str = "OPENTOOL_WORKER_HANDLES";

/// The worker's end of the stream. Two pipes, because the system lets only one thread at a time use such a handle: a thread
/// that crashes would wait until the one that reads has something to read.
#[derive(Debug)]
pub(crate) struct End {
    requests: File,
    replies: File,
}

impl End {
    pub(super) fn replies(&self) -> BorrowedHandle<'_> {
        self.replies.as_handle()
    }
}

impl Read for &End {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        (&self.requests).read(bytes)
    }
}

impl Write for &End {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&self.replies).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether the stream is what it was before a call. A pipe has no setting that a library could change for the next call.
pub(crate) fn is_sound(_: &End) -> bool {
    true
}

/// Ends the stream. The server sees the end of the process, which comes soon after.
pub(crate) fn end(_: &End) {}

/// What the variable says for these handles, which the worker inherits.
pub(super) fn numbers(handles: [&OwnedHandle; 3]) -> OsString {
    handles.map(|handle| handle.as_raw_handle().addr().to_string()).join(",").into()
}

/// Takes the handles that this process has inherited. What it starts does not inherit them.
pub(crate) fn take() -> io::Result<(End, PipeReader)> {
    let broken = || io::Error::other("the handles of the worker are not there");
    let numbers = std::env::var(VARIABLE).map_err(|_| broken())?;
    let mut numbers = numbers.split(',').map(|number| number.parse::<usize>().map_err(|_| broken()));
    let mut next = || own(numbers.next().ok_or_else(broken)??);
    let (requests, replies, cancels) = (next()?, next()?, next()?);
    Ok((End { requests: requests.into(), replies: replies.into() }, cancels.into()))
}

/// The handle with this number.
fn own(number: usize) -> io::Result<OwnedHandle> {
    let handle: HANDLE = ptr::with_exposed_provenance_mut(number);
    // SAFETY: the system says if it is not a handle.
    if unsafe { SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0) } == 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it is a handle, and the server made it for this process, which calls this before it opens anything: no other value
    // owns it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// The same thing under a handle that a process can inherit.
pub(super) fn inheritable(handle: BorrowedHandle<'_>) -> io::Result<OwnedHandle> {
    let mut copy: HANDLE = ptr::null_mut();
    // SAFETY: the handle is open, and this process is both the source and the target.
    let done = unsafe {
        let own = GetCurrentProcess();
        DuplicateHandle(own, handle.as_raw_handle(), own, &raw mut copy, 0, 1, DUPLICATE_SAME_ACCESS)
    };
    if done == 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system has just made it for this call.
    Ok(unsafe { OwnedHandle::from_raw_handle(copy) })
}
