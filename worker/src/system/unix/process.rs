//! The process of a worker, seen from the server. Workers are started by one thread that never ends, because on Linux a
//! worker is killed when the thread that started it ends.

use std::io::{self, PipeWriter};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group, waitid, waitpid,
};

use super::Stream;
use crate::system::Launch;

/// The process of a worker, which leads a group.
#[derive(Debug)]
pub(crate) struct Process(Child);

impl Process {
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Whether it has ended. It is not waited for: its number stays its own.
    pub(crate) fn has_ended(&self) -> bool {
        let Some(id) = self.pid() else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(id), options), Ok(None) | Err(rustix::io::Errno::INTR))
    }

    /// Kills it, with every process of its group.
    pub(crate) fn kill(&self) {
        if let Some(id) = self.pid() {
            // Processes that the library made are in the group, also when the worker has ended before them. The number is
            // still the worker's, because it has not been waited for.
            let _ = kill_process_group(id, Signal::KILL);
            let _ = kill_process(id, Signal::KILL);
        }
    }

    /// How it ended. It must have.
    pub(crate) fn status(&mut self) -> Option<ExitStatus> {
        self.0.wait().ok()
    }

    /// It does not end although it was killed: the system is busy with it. Nobody should wait for that.
    pub(crate) fn abandon(&self) {
        if let Some(id) = self.pid() {
            let _ = std::thread::Builder::new().spawn(move || waitpid(Some(id), WaitOptions::empty()));
        }
    }

    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.0.id()).ok().and_then(Pid::from_raw)
    }
}

/// Starts it. Its standard input is the other end of the stream, and its standard output that of the pipe, until it has
/// moved them away; what it prints before is lost. It is in a process group of its own, which is killed with it.
pub(crate) fn spawn(launch: &Launch<'_>) -> io::Result<(Process, Stream, PipeWriter)> {
    let (ours, theirs) = UnixStream::pair()?;
    let (reader, pipe) = io::pipe()?;
    let mut command = Command::new(launch.executable);
    command
        .args(launch.arguments)
        .env(launch.variable.0, launch.variable.1)
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::from(reader))
        .stderr(Stdio::inherit())
        .process_group(0);
    for variable in launch.hidden {
        command.env_remove(variable);
    }
    let child = on_spawner(move || command.spawn())?;
    Ok((Process(child), Stream::new(ours)?, pipe))
}

type Job = Box<dyn FnOnce() + Send>;

/// Runs `work` on the thread that starts workers.
fn on_spawner<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    static SPAWNER: OnceLock<Mutex<mpsc::Sender<Job>>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (sender, jobs) = mpsc::channel::<Job>();
        // If the system has no thread, the sender has no receiver, and no worker starts.
        let _ = std::thread::Builder::new().name("workers".to_owned()).spawn(move || {
            jobs.into_iter().for_each(|job| job());
        });
        Mutex::new(sender)
    });
    let ended = || io::Error::other("the thread that starts workers ended");
    let (sender, result) = mpsc::sync_channel(1);
    let job: Job = Box::new(move || drop(sender.send(work())));
    spawner.lock().unwrap_or_else(PoisonError::into_inner).send(job).map_err(|_| ended())?;
    result.recv().map_err(|_| ended())?
}
