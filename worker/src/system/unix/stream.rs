//! The server's end of the socket.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::system::Ready;

/// The server's end. Reading and writing do not block; [`wait`](Self::wait) does.
#[derive(Debug)]
pub(crate) struct Stream(UnixStream);

impl Stream {
    pub(super) fn new(stream: UnixStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Self(stream))
    }

    pub(crate) fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        (&self.0).read(bytes)
    }

    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        (&self.0).write(bytes)
    }

    /// Waits until it is ready, at most so long, and returns whether it is.
    pub(crate) fn wait(&self, ready: Ready, limit: Duration) -> io::Result<bool> {
        let flags = match ready {
            Ready::Read => PollFlags::IN,
            Ready::Write => PollFlags::OUT,
        };
        let limit = Timespec::try_from(limit).ok();
        match poll(&mut [PollFd::new(&self.0, flags)], limit.as_ref()) {
            Ok(count) => Ok(count > 0),
            Err(rustix::io::Errno::INTR) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether nothing has arrived, and it is open.
    pub(crate) fn is_quiet(&self) -> bool {
        matches!(self.wait(Ready::Read, Duration::ZERO), Ok(false))
    }

    /// Ends it for both sides, also for a thread that waits.
    pub(crate) fn shutdown(&self) {
        let _ = self.0.shutdown(Shutdown::Both);
    }
}
