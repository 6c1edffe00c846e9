//! The standard streams of a process, read and written without a thread for each message where the system allows it: pipes
//! and sockets, which is what clients start a server with. Everything else is read and written by other threads.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream as StdStream;

use rustix::fs::{FileType, OFlags, fcntl_getfl, fcntl_setfl, fstat};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

pub(super) type Input = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// Standard input and output as streams, as they were taken. Their modes are restored when the guard is dropped.
pub(super) fn open(input: File, output: File) -> io::Result<(Input, Output, Vec<Mode>)> {
    let mut modes = Vec::new();
    let source: Input = match kind(&input)? {
        FileType::Fifo => {
            modes.push(Mode::of(&input)?);
            Box::new(pipe::Receiver::from_file(input)?)
        }
        FileType::Socket => {
            modes.push(Mode::of(&input)?);
            Box::new(socket(input)?)
        }
        _ => Box::new(tokio::fs::File::from(input)),
    };
    let sink: Output = match kind(&output)? {
        // What is written to standard error must not be lost because a pipe is full.
        _ if is_same(&output, io::stderr().as_fd())? => Box::new(tokio::fs::File::from(output)),
        FileType::Fifo => {
            modes.push(Mode::of(&output)?);
            Box::new(pipe::Sender::from_file(output)?)
        }
        FileType::Socket => {
            modes.push(Mode::of(&output)?);
            Box::new(socket(output)?)
        }
        _ => Box::new(tokio::fs::File::from(output)),
    };
    Ok((source, sink, modes))
}

fn kind(file: &File) -> io::Result<FileType> {
    Ok(FileType::from_raw_mode(fstat(file)?.st_mode))
}

/// Whether two descriptors are of one pipe, socket or file.
fn is_same(one: &File, other: BorrowedFd<'_>) -> io::Result<bool> {
    let (one, other) = (fstat(one)?, fstat(other)?);
    Ok((one.st_dev, one.st_ino) == (other.st_dev, other.st_ino))
}

fn socket(file: File) -> io::Result<UnixStream> {
    let stream = StdStream::from(OwnedFd::from(file));
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}

/// The mode of a stream that other processes may have too.
pub(super) struct Mode {
    stream: OwnedFd,
    flags: OFlags,
}

impl Mode {
    fn of(file: &File) -> io::Result<Self> {
        let stream = file.as_fd().try_clone_to_owned()?;
        let flags = fcntl_getfl(&stream)?;
        Ok(Self { stream, flags })
    }
}

impl Drop for Mode {
    fn drop(&mut self) {
        // The stream may be gone, which is nobody's problem then.
        let _ = fcntl_setfl(&self.stream, self.flags);
    }
}
