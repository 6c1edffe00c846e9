//! The server's end of the two pipes.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use windows_sys::Win32::Foundation::{WAIT_FAILED, WAIT_TIMEOUT};
use windows_sys::Win32::System::Threading::{SetEvent, WaitForMultipleObjects};

use super::pipe::{Direction, Pipe, ROOM, event};
use crate::system::Ready;

/// The server's end. Reading and writing do not block; [`wait`](Self::wait) does.
#[derive(Debug)]
pub(crate) struct Stream {
    requests: Mutex<Pipe>,
    replies: Mutex<Replies>,
    /// Set when the stream is shut down.
    end: OwnedHandle,
    is_shut: AtomicBool,
}

#[derive(Debug)]
struct Replies {
    pipe: Pipe,
    /// What has arrived in its buffer and was not taken.
    arrived: Range<usize>,
}

/// Ignores poisoning: nothing panics while it holds the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stream {
    /// The stream, and the worker's ends for requests and replies.
    pub(super) fn pair() -> io::Result<(Self, File, File)> {
        let (requests, read) = Pipe::pair(Direction::Out)?;
        let (replies, written) = Pipe::pair(Direction::In)?;
        let stream = Self {
            requests: Mutex::new(requests),
            replies: Mutex::new(Replies { pipe: replies, arrived: 0..0 }),
            end: event()?,
            is_shut: AtomicBool::new(false),
        };
        Ok((stream, read, written))
    }

    /// Takes what has arrived. Nothing is the end.
    pub(crate) fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.is_shut.load(Ordering::SeqCst) {
            return Ok(0);
        }
        let Replies { pipe, arrived } = &mut *lock(&self.replies);
        if Range::is_empty(arrived) {
            if pipe.event().is_none() {
                pipe.begin(ROOM)?;
            }
            *arrived = 0..pipe.finish()?.unwrap_or(0);
        }
        // A library can write nothing at all, which is not the end.
        if Range::is_empty(arrived) {
            return Err(ErrorKind::WouldBlock.into());
        }
        let count = arrived.len().min(bytes.len());
        bytes[..count].copy_from_slice(&pipe.buffer[arrived.start..arrived.start + count]);
        arrived.start += count;
        Ok(count)
    }

    /// Sends some of the bytes on their way.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_shut.load(Ordering::SeqCst) {
            return Err(ErrorKind::BrokenPipe.into());
        }
        let mut pipe = lock(&self.requests);
        pipe.finish()?;
        let count = bytes.len().min(ROOM);
        pipe.buffer[..count].copy_from_slice(&bytes[..count]);
        pipe.begin(count)?;
        Ok(count)
    }

    /// Waits until it is ready, at most so long, and returns whether it is.
    pub(crate) fn wait(&self, ready: Ready, limit: Duration) -> io::Result<bool> {
        let arrival = match ready {
            Ready::Read => lock(&self.replies).pipe.event(),
            Ready::Write => lock(&self.requests).event(),
        };
        let Some(arrival) = arrival else { return Ok(true) };
        let events = [arrival, self.end.as_raw_handle()];
        let limit = u32::try_from(limit.as_micros().div_ceil(1000)).unwrap_or(u32::MAX - 1);
        // SAFETY: both events are open as long as the stream is.
        match unsafe { WaitForMultipleObjects(2, events.as_ptr(), 0, limit) } {
            WAIT_TIMEOUT => Ok(false),
            WAIT_FAILED => Err(io::Error::last_os_error()),
            _ => Ok(true),
        }
    }

    /// Whether nothing has arrived, and it is open, as far as a read that was begun can tell.
    pub(crate) fn is_quiet(&self) -> bool {
        let (is_empty, is_read) = {
            let replies = lock(&self.replies);
            (Range::is_empty(&replies.arrived), replies.pipe.event().is_some())
        };
        is_empty && (!is_read || matches!(self.wait(Ready::Read, Duration::ZERO), Ok(false)))
    }

    /// Ends it for this side, also for a thread that waits. The worker is killed, or ends when the stream is dropped.
    pub(crate) fn shutdown(&self) {
        self.is_shut.store(true, Ordering::SeqCst);
        // SAFETY: the event is open.
        unsafe { SetEvent(self.end.as_raw_handle()) };
    }
}
