//! One end of a pipe that reads or writes while this process does something else. What is on the way is in a buffer of its own,
//! so that a caller who does not wait any longer leaves nothing behind that the system still writes to.

use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind};
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use windows_sys::Win32::Foundation::{ERROR_IO_INCOMPLETE, ERROR_IO_PENDING, HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, PIPE_ACCESS_INBOUND, PIPE_ACCESS_OUTBOUND, ReadFile,
    WriteFile,
};
use windows_sys::Win32::System::IO::{CancelIoEx, GetOverlappedResult, OVERLAPPED};
use windows_sys::Win32::System::Pipes::{CreateNamedPipeW, PIPE_REJECT_REMOTE_CLIENTS, PIPE_TYPE_BYTE};
use windows_sys::Win32::System::Threading::CreateEventW;

use super::launch;

/// How many bytes are on the way at a time.
pub(super) const ROOM: usize = 64 << 10;

/// Which way the bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
}

/// One end of a pipe.
#[derive(Debug)]
pub(super) struct Pipe {
    direction: Direction,
    handle: OwnedHandle,
    /// Set by the system when what is on the way has arrived.
    event: OwnedHandle,
    overlapped: Box<Overlapped>,
    pub(super) buffer: Box<[u8]>,
    /// Whether the system has the buffer.
    is_pending: bool,
}

/// What the system keeps of what is on the way.
#[derive(Default)]
#[repr(transparent)]
struct Overlapped(OVERLAPPED);

// SAFETY: its pointers are the event, which every thread may use, and what the system keeps in it.
unsafe impl Send for Overlapped {}

impl std::fmt::Debug for Overlapped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OVERLAPPED")
    }
}

impl Pipe {
    /// A pipe, and its other end. It has a name that nobody can guess, and room for one other end, which is taken here: nobody
    /// else can open it.
    pub(super) fn pair(direction: Direction) -> io::Result<(Self, File)> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let random = RandomState::new().hash_one(COUNT.fetch_add(1, Ordering::Relaxed));
        let name = format!(r"\\.\pipe\opentool-worker.{}.{random:016x}", std::process::id());
        let access = match direction {
            Direction::In => PIPE_ACCESS_INBOUND,
            Direction::Out => PIPE_ACCESS_OUTBOUND,
        };
        let room = ROOM as u32;
        // SAFETY: the name ends with a zero; the default attributes are not inherited.
        let handle = unsafe {
            CreateNamedPipeW(
                launch::text(name.as_ref())?.as_ptr(),
                access | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS,
                1,
                room,
                room,
                0,
                ptr::null(),
            )
        };
        if handle == INVALID_HANDLE_VALUE {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the system has just made it for this call.
        let handle = unsafe { OwnedHandle::from_raw_handle(handle) };
        let is_in = direction == Direction::In;
        let other = OpenOptions::new().read(!is_in).write(is_in).open(name)?;
        let pipe = Self {
            direction,
            handle,
            event: event()?,
            overlapped: Box::default(),
            buffer: vec![0; ROOM].into(),
            is_pending: false,
        };
        Ok((pipe, other))
    }

    /// The event that is set when what is on the way has arrived; `None` if nothing is.
    pub(super) fn event(&self) -> Option<HANDLE> {
        self.is_pending.then(|| self.event.as_raw_handle())
    }

    /// Starts to read into the buffer, or to write its first `length` bytes.
    pub(super) fn begin(&mut self, length: usize) -> io::Result<()> {
        debug_assert!(!self.is_pending, "the system has the buffer");
        self.overlapped.0 = OVERLAPPED { hEvent: self.event.as_raw_handle(), ..OVERLAPPED::default() };
        let length = length.min(self.buffer.len()) as u32;
        let (handle, overlapped) = (self.handle.as_raw_handle(), &raw mut self.overlapped.0);
        // SAFETY: the buffer has so many bytes. It and the struct have addresses of their own and live until the system has
        // finished: nothing touches them while `is_pending`, and `drop` waits.
        let done = unsafe {
            match self.direction {
                Direction::In => {
                    ReadFile(handle, self.buffer.as_mut_ptr(), length, ptr::null_mut(), overlapped)
                }
                Direction::Out => {
                    WriteFile(handle, self.buffer.as_ptr(), length, ptr::null_mut(), overlapped)
                }
            }
        };
        let error = io::Error::last_os_error();
        if done == 0 && error.raw_os_error() != Some(ERROR_IO_PENDING.cast_signed()) {
            return Err(error);
        }
        self.is_pending = true;
        Ok(())
    }

    /// How many bytes have arrived; `None` if nothing was on the way.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::WouldBlock`] if they are still on the way; or the other end is gone.
    pub(super) fn finish(&mut self) -> io::Result<Option<usize>> {
        if !self.is_pending {
            return Ok(None);
        }
        match self.result(false) {
            Err(error) if error.raw_os_error() == Some(ERROR_IO_INCOMPLETE.cast_signed()) => {
                Err(ErrorKind::WouldBlock.into())
            }
            result => {
                self.is_pending = false;
                result.map(|count| Some(count as usize))
            }
        }
    }

    fn result(&self, wait: bool) -> io::Result<u32> {
        let mut count = 0;
        // SAFETY: the handle and the struct are those that were begun with.
        let done = unsafe {
            GetOverlappedResult(
                self.handle.as_raw_handle(),
                &raw const self.overlapped.0,
                &raw mut count,
                wait.into(),
            )
        };
        if done == 0 { Err(io::Error::last_os_error()) } else { Ok(count) }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        if self.is_pending {
            // SAFETY: the handle and the struct are those that were begun with.
            unsafe { CancelIoEx(self.handle.as_raw_handle(), &raw const self.overlapped.0) };
            // The system may still have the buffer until then.
            let _ = self.result(true);
        }
    }
}

/// An event that stays set until something new is begun.
pub(super) fn event() -> io::Result<OwnedHandle> {
    // SAFETY: without a name and without attributes.
    let event = unsafe { CreateEventW(ptr::null(), 1, 0, ptr::null()) };
    if event.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system has just made it for this call.
    Ok(unsafe { OwnedHandle::from_raw_handle(event) })
}
