//! One Python process and the connection to it: lines, deadlines, and the end of the process. The contents of the lines
//! are in `protocol`.
//!
//! The calling thread waits for both the reply and the output, so everything printed before a reply is logged before
//! the call returns, under the name of the right script.

use std::io::{self, PipeReader, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::ending::how;
use super::log::{Lines, Target, to_stderr};
use super::pool::Settings;
use super::protocol::{self, Loaded, Nonces};
use opentool::CallContext;

/// Reads the program and its settings from the connection, which keeps the command line short.
const BEGIN: &str = "import json\nSETTINGS = json.loads(open(0, 'rb', closefd=False).readline())\n\
                     exec(compile(SETTINGS.pop('program'), '<worker>', 'exec'))";
const PROGRAM: &str = concat!(
    include_str!("results.py"),
    include_str!("modules.py"),
    include_str!("surroundings.py"),
    include_str!("worker.py"),
);

/// The time limit of the start, which takes a fraction of a second unless the machine is very busy.
const START: Duration = Duration::from_secs(30);
/// How long a process may take to end after it has closed the connection.
const LAST: Duration = Duration::from_millis(1000);
/// How often a silent process is checked: a child of it may keep the connection open, and its call may be cancelled.
const LOOK: Duration = Duration::from_millis(200);
/// The capacity of a pipe: output printed before a reply is within that many bytes.
const PIPE: usize = 64 << 10;
/// The maximum size of a reply without its result.
const AROUND: usize = 64 << 10;

/// Why there is no reply. The process has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    TimedOut,
    /// Nobody waits for the result any more.
    Cancelled,
    Ended(String),
}

pub(super) struct Process {
    child: Child,
    connection: UnixStream,
    /// The pipe with the output; `None` after it is closed.
    pipe: Option<PipeReader>,
    received: Vec<u8>,
    /// How much of `received` has been searched for a line end.
    searched: usize,
    longest: usize,
    /// Why the process has ended.
    ended: Option<Lost>,
    /// Whether it must not be used for another call.
    is_retired: bool,
    /// The call that runs, which can be cancelled.
    pub(super) context: Option<CallContext>,
    pub(super) lines: Lines,
    pub(super) nonces: Nonces,
    /// The scripts that it has loaded.
    pub(super) loaded: Loaded,
}

impl Process {
    pub(super) fn start(settings: &Settings) -> Result<Self, Lost> {
        let failed = |error: io::Error| Lost::Ended(format!("Python did not start: {error}"));
        let (ours, theirs) = UnixStream::pair().map_err(failed)?;
        let (pipe, printed) = io::pipe().map_err(failed)?;
        ours.set_nonblocking(true).map_err(failed)?;
        rustix::io::ioctl_fionbio(&pipe, true).map_err(|error| failed(error.into()))?;
        let mut command = match &settings.confined {
            Some(confined) => confined.command(&settings.interpreter, BEGIN),
            None => settings.interpreter.command(BEGIN),
        };
        command
            .envs(settings.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(printed.try_clone().map_err(failed)?))
            .stderr(Stdio::from(printed))
            .process_group(0);
        if let Some(folder) = &settings.current_folder {
            command.current_dir(folder);
        }
        let child = command.spawn().map_err(failed)?;
        // Dropping the command closes our copies of the child's ends.
        drop(command);
        let mut process = Self {
            child,
            connection: ours,
            pipe: Some(pipe),
            received: Vec::new(),
            searched: 0,
            longest: settings.output_limit.saturating_add(AROUND),
            ended: None,
            is_retired: false,
            context: None,
            lines: Lines::new(),
            nonces: Nonces::new(),
            loaded: Loaded::default(),
        };
        if settings.confined.is_some() {
            // Nobody else says why a sandbox could not be entered.
            process.lines.begin(Target { script: "Python".into(), sink: to_stderr(), limit: PIPE });
        }
        let id = process.nonces.next();
        let until = Instant::now() + START;
        process.send(&protocol::settings(PROGRAM, &id, settings), until)?;
        let line = process.receive(until)?;
        match protocol::is_ready(&line, &id) {
            true => Ok(process),
            false => Err(process.end(Lost::Ended("Python did not start the worker".to_owned()))),
        }
    }

    /// Why the process has ended, if it has.
    pub(super) fn ended(&self) -> Option<&Lost> {
        self.ended.as_ref()
    }

    /// Retires the process after its running calls.
    pub(super) fn retire(&mut self) {
        self.is_retired = true;
    }

    pub(super) fn can_go_on(&self) -> bool {
        self.ended.is_none() && !self.is_retired
    }

    /// Whether a call can be sent: the process runs and has sent nothing unexpected.
    pub(super) fn is_idle(&mut self) -> bool {
        let quiet = self.received.is_empty()
            && self.wait(PollFlags::IN, Duration::ZERO).is_ok_and(|ready| ready.is_empty());
        self.ended.is_none() && quiet && !self.has_exited()
    }

    pub(super) fn send(&mut self, mut line: &[u8], until: Instant) -> Result<(), Lost> {
        while !line.is_empty() {
            match self.connection.write(line) {
                Ok(count) => line = &line[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.attend(PollFlags::OUT, until)?;
                }
                Err(_) => return Err(self.gone()),
            }
        }
        Ok(())
    }

    /// Waits for the next line. Output printed before it has been logged.
    pub(super) fn receive(&mut self, until: Instant) -> Result<Vec<u8>, Lost> {
        loop {
            if let Some(newline) = self.received[self.searched..].iter().position(|byte| *byte == b'\n') {
                let rest = self.received.split_off(self.searched + newline + 1);
                let line = std::mem::replace(&mut self.received, rest);
                self.searched = 0;
                self.print();
                return Ok(line);
            }
            self.searched = self.received.len();
            if self.received.len() > self.longest {
                return Err(self.misused());
            }
            self.attend(PollFlags::IN, until)?;
            let mut part = [0; 32 << 10];
            match self.connection.read(&mut part) {
                Ok(0) => return Err(self.gone()),
                Ok(count) => self.received.extend_from_slice(&part[..count]),
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
                Err(_) => return Err(self.gone()),
            }
        }
    }

    /// Ends the process after something other than `worker.py` wrote to the connection.
    pub(super) fn misused(&mut self) -> Lost {
        self.end(Lost::Ended("the script wrote to the descriptor of its worker".to_owned()))
    }

    /// Waits until the connection is ready, and logs output meanwhile.
    fn attend(&mut self, wanted: PollFlags, until: Instant) -> Result<(), Lost> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.end(Lost::TimedOut));
            }
            if self.context.as_ref().is_some_and(CallContext::is_cancelled) {
                return Err(self.end(Lost::Cancelled));
            }
            match self.wait(wanted, left.min(LOOK)) {
                Ok(ready) if !ready.is_empty() => return Ok(()),
                Ok(_) => {}
                Err(error) => return Err(self.end(Lost::Ended(error.to_string()))),
            }
            if self.has_exited() {
                return Err(self.gone());
            }
        }
    }

    /// Polls the connection and the pipe once, and logs the contents of the pipe.
    fn wait(&mut self, wanted: PollFlags, time: Duration) -> io::Result<PollFlags> {
        let time = Timespec::try_from(time).unwrap_or_default();
        let connection = PollFd::from_borrowed_fd(self.connection.as_fd(), wanted);
        let polled = match &self.pipe {
            Some(pipe) => {
                let mut both = [connection, PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)];
                poll(&mut both, Some(&time)).map(|_| (both[0].revents(), both[1].revents()))
            }
            None => {
                let mut one = [connection];
                poll(&mut one, Some(&time)).map(|_| (one[0].revents(), PollFlags::empty()))
            }
        };
        let (ready, printed) = match polled {
            Ok(both) => both,
            Err(rustix::io::Errno::INTR) => return Ok(PollFlags::empty()),
            Err(error) => return Err(error.into()),
        };
        if !printed.is_empty() && ready.is_empty() {
            self.print();
        }
        Ok(ready)
    }

    /// Logs the contents of the pipe, up to a limit, because a child may print without end.
    fn print(&mut self) {
        let mut left = PIPE;
        let mut part = [0; 16 << 10];
        while left > 0
            && let Some(pipe) = &mut self.pipe
        {
            match pipe.read(&mut part) {
                Ok(0) => self.pipe = None,
                Ok(count) => {
                    self.lines.feed(&part[..count]);
                    left = left.saturating_sub(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.pipe = None,
            }
        }
    }

    /// Whether the process has exited. It is not reaped yet, so its id cannot be reused.
    fn has_exited(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.group().is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), look), Ok(None)))
    }

    /// The process id, which is also the id of its process group.
    fn group(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }

    /// The reason why the connection is closed or the process has exited.
    fn gone(&mut self) -> Lost {
        let until = Instant::now() + LAST;
        while !self.has_exited() {
            if Instant::now() >= until {
                return self.end(Lost::Ended("it closed the descriptor of its worker".to_owned()));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.end_with(None)
    }

    fn end(&mut self, why: Lost) -> Lost {
        self.end_with(Some(why))
    }

    /// Kills the process and its children, and keeps the given reason; without one, the exit status.
    fn end_with(&mut self, why: Option<Lost>) -> Lost {
        if let Some(ended) = &self.ended {
            return ended.clone();
        }
        if let Some(group) = self.group() {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let status = self.child.wait();
        self.print();
        self.lines.finish();
        let why = why.unwrap_or_else(|| Lost::Ended(status.map_or_else(|error| error.to_string(), how)));
        self.ended.insert(why).clone()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(Lost::Ended("it is no longer needed".to_owned()));
    }
}
