//! The descriptors of a worker: its own two, under high numbers, and standard error. A library finds nothing else.

use std::fs::File;
use std::io::{self, PipeReader};
use std::net::Shutdown;
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The lowest number of the descriptors of a worker. Libraries that use low numbers without asking do not meet them.
const HIGH: RawFd = 200;

/// The worker's end of the stream.
pub(crate) type End = UnixStream;

/// Takes the stream on standard input, and the pipe on standard output. Standard input is at its end from now on, standard
/// output is standard error, and every other descriptor is closed. The process ends with its server.
pub(crate) fn take() -> io::Result<(End, PipeReader)> {
    let stream = rustix::io::fcntl_dupfd_cloexec(io::stdin().as_fd(), HIGH)?;
    let pipe = rustix::io::fcntl_dupfd_cloexec(io::stdout().as_fd(), HIGH)?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    close_others([stream.as_raw_fd(), pipe.as_raw_fd()]);
    let stream = UnixStream::from(stream);
    end_with_server(&stream);
    Ok((stream, pipe.into()))
}

/// Closes what the process inherited although it should not have.
fn close_others(own: [RawFd; 2]) {
    let Ok(listed) = std::fs::read_dir("/dev/fd") else { return };
    let open: Vec<RawFd> =
        listed.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for descriptor in open.into_iter().filter(|number| *number > 2 && !own.contains(number)) {
        // SAFETY: a worker calls this before it opens anything, so that no value of the process owns the descriptor. That
        // of the list itself is closed already, which the system answers with an error.
        unsafe { libc::close(descriptor) };
    }
}

/// Whether the stream is what it was before a call: it waits, and has nothing to read before the reply is sent. What the
/// library did to it is then an error of the call, and not of the next one.
pub(crate) fn is_sound(stream: &End) -> bool {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let mut readable = [PollFd::new(stream, PollFlags::IN)];
    stream.set_nonblocking(false).is_ok() && matches!(poll(&mut readable, Some(&now)), Ok(0))
}

/// Ends the stream for both sides.
pub(crate) fn end(stream: &End) {
    let _ = stream.shutdown(Shutdown::Both);
}

/// No process that the server has started outlives it. The system sees to that: a thread that polls would keep a
/// descriptor open that the library has closed.
#[cfg(target_os = "linux")]
fn end_with_server(_: &UnixStream) {
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
}

/// Ends the process when the other side is gone, also in the middle of a call.
#[cfg(not(target_os = "linux"))]
fn end_with_server(stream: &UnixStream) {
    let Ok(stream) = stream.try_clone() else { return };
    // The stack is small because the memory of a worker is limited.
    let _ = std::thread::Builder::new().stack_size(64 << 10).spawn(move || {
        loop {
            let mut closed = [PollFd::new(&stream, PollFlags::empty())];
            match poll(&mut closed, None) {
                Err(rustix::io::Errno::INTR) => {}
                Ok(_) if !closed[0].revents().intersects(PollFlags::HUP) => {
                    // The library has closed the descriptor, which is the other side's affair.
                    return;
                }
                // SAFETY: it ends the process at once, without handlers that the library may have set.
                _ => unsafe { libc::_exit(0) },
            }
        }
    });
}
