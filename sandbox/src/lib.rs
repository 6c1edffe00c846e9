//! Restricts the process that calls native code: which files it reads and writes, whether it has a network, which system calls
//! it can make, and how much it can take.
//!
//! A [`Sandbox`] is plain data. The process that will load the library, or become the program, calls [`Sandbox::enter`] once, before
//! anything else and before it has a second thread; there is no way back. Linux has all parts (Landlock, seccomp, resource limits),
//! other Unix systems have the limits, and [`Entered`] says which parts are in force.
//!
//! ```no_run
//! use opentool_sandbox::{Allowed, Sandbox};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let allowed = Allowed { read: vec!["/srv/data".into()], ..Allowed::default() };
//!     let entered = Sandbox::for_library("/opt/calc/libcalc.so".as_ref(), &allowed).enter()?;
//!     for part in &entered.lacking {
//!         eprintln!("sandbox: {part}");
//!     }
//!     // Load the library now.
//!     Ok(())
//! }
//! ```

mod arguments;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")
))]
mod calls;
#[cfg(all(
    target_os = "linux",
    not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))
))]
#[path = "no_calls.rs"]
mod calls;
mod entered;
mod error;
mod explain;
mod failure;
#[cfg(target_os = "linux")]
mod files;
mod limits;
mod loader;
mod needs;
#[cfg(unix)]
mod program;
mod system;

use std::path::{Path, PathBuf};

pub use entered::{Entered, Lacking, Part};
pub use error::SandboxError;
pub use explain::Explanation;
#[cfg(unix)]
pub use program::become_program;
pub use system::{NETWORK_FILES, SYSTEM_DEVICES, SYSTEM_FILES};

/// What a process may do. The default value allows nothing, and has no limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// Folders, with all that is in them, and files that can be read. Each must exist.
    pub read: Vec<PathBuf>,
    /// Folders, with all that is in them, and files that can be read, written, created and removed. Each must exist.
    pub write: Vec<PathBuf>,
    /// Programs that the process can become or start. If empty, it can start none.
    pub execute: Vec<PathBuf>,
    /// Whether the system's libraries and data can be read: [`SYSTEM_FILES`] and [`SYSTEM_DEVICES`].
    pub system: bool,
    /// Whether IP sockets can be opened, and [`NETWORK_FILES`] be read. UNIX sockets can be opened in neither case, because daemons
    /// that act for their clients listen on them.
    pub network: bool,
    /// Whether it can start further processes. Threads are always allowed.
    pub fork: bool,
    /// What it can take.
    pub limits: Limits,
}

/// What a process can take. `None` leaves a limit as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Address space, in bytes (`RLIMIT_AS`). An allocation beyond it fails; so does a mapping of a file.
    pub memory: Option<u64>,
    /// Processes and threads of the whole user account (`RLIMIT_NPROC`). Linux does not enforce it for root.
    pub processes: Option<u64>,
    /// Open files (`RLIMIT_NOFILE`): the first file descriptor that can no longer be opened.
    pub open_files: Option<u64>,
    /// Processor time, in seconds (`RLIMIT_CPU`). The process is killed when it is used up.
    pub cpu_seconds: Option<u64>,
    /// The size to which a file can be written, in bytes (`RLIMIT_FSIZE`). Standard error counts if it is a file.
    pub file_size: Option<u64>,
}

/// What the operator of a server allows a library or script beyond the default: the flags of the command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// `--allow-read`
    pub read: Vec<PathBuf>,
    /// `--allow-write`
    pub write: Vec<PathBuf>,
    /// `--allow-net`
    pub network: bool,
    /// The limit of the address space in bytes; [`Allowed::MEMORY`] if `None`.
    pub memory: Option<u64>,
}

impl Allowed {
    /// The default limit of the address space: 4 GiB.
    pub const MEMORY: u64 = 4 << 30;
    /// The limit of open files.
    pub const OPEN_FILES: u64 = 1024;
}

impl Sandbox {
    /// For a served library: it reads itself, the shared libraries beside it and in `LD_LIBRARY_PATH`, and the system's libraries and
    /// data. It writes nothing, starts nothing and has no network, except for what is allowed.
    ///
    /// The rest of its folder is not readable, because a library often lies in a project with keys, or in a home folder.
    /// `library` can be a name without a folder, which the system's loader searches.
    #[must_use]
    pub fn for_library(library: &Path, allowed: &Allowed) -> Self {
        Self::allowing(allowed).with_library(library)
    }

    /// For a served library that can be at several places: paths, or names that the system's loader searches. A folder in which the
    /// library could be, but is not, is not read.
    #[must_use]
    pub fn for_libraries(places: &[PathBuf], allowed: &Allowed) -> Self {
        let there = places.iter().filter(|place| place.exists() || place.components().count() == 1);
        there.fold(Self::allowing(allowed), |sandbox, place| sandbox.with_library(place))
    }

    /// With a further library, such as one that is loaded if the first is not there.
    #[must_use]
    pub fn with_library(mut self, library: &Path) -> Self {
        self.read.extend(needs::of_library(library));
        self
    }

    /// For a program that the process becomes after it has entered, such as Python: it reads `folders` too, and those of
    /// `LD_LIBRARY_PATH`, and executes `program` and the loader that the program names. It can start neither other programs nor
    /// processes.
    ///
    /// That loader can be asked to run any program that the process can read, which stays in the same sandbox.
    #[must_use]
    pub fn for_program(program: &Path, folders: &[PathBuf], allowed: &Allowed) -> Self {
        let mut sandbox = Self::allowing(allowed);
        sandbox.read.extend_from_slice(folders);
        sandbox.read.extend(needs::library_path());
        sandbox.execute.push(program.to_owned());
        sandbox.execute.extend(loader::loader_of(program));
        sandbox
    }

    /// What every library and program may do, and what is allowed besides: without a library or a program.
    #[must_use]
    pub fn allowing(allowed: &Allowed) -> Self {
        Self {
            read: allowed.read.clone(),
            write: allowed.write.clone(),
            system: true,
            network: allowed.network,
            limits: Limits {
                memory: Some(allowed.memory.unwrap_or(Allowed::MEMORY)),
                open_files: Some(Allowed::OPEN_FILES),
                ..Limits::default()
            },
            ..Self::default()
        }
    }

    /// Without the files and folders that are gone, which [`enter`](Self::enter) would refuse: a server may start a process long
    /// after it was told what to allow.
    #[must_use]
    pub fn present(mut self) -> Self {
        for paths in [&mut self.read, &mut self.write, &mut self.execute] {
            paths.retain(|path| path.exists());
        }
        self
    }

    /// What [`enter`](Self::enter) would put in force, and what this kernel lacks: a server can say so before it starts a process.
    /// A thread of this process enters, without the limits, and ends.
    ///
    /// # Errors
    ///
    /// As for [`enter`](Self::enter), except that this process may have other threads; or a thread cannot be started.
    pub fn probe(&self) -> Result<Entered, SandboxError> {
        let sandbox = self.clone();
        let thread = std::thread::Builder::new().name("sandbox".to_owned()).spawn(move || {
            let mut entered = Entered::default();
            limits::report(&mut entered);
            sandbox.enter_thread(&mut entered).map(|()| entered)
        });
        let ended = || std::io::Error::other("the thread ended");
        thread.map_err(SandboxError::Probe)?.join().map_err(|_| SandboxError::Probe(ended()))?
    }

    /// Restricts this process, and all that it starts, for good.
    ///
    /// A part that this kernel or system does not have is left out, and is named in [`Entered::lacking`].
    ///
    /// # Errors
    ///
    /// If the process has other threads, a file or folder of the lists cannot be opened, or a part that the kernel has cannot be
    /// put in force. The process may be restricted in part then, and should end.
    pub fn enter(self) -> Result<Entered, SandboxError> {
        let mut entered = Entered::default();
        #[cfg(target_os = "linux")]
        needs::one_thread()?;
        limits::enter(&self.limits)?;
        limits::report(&mut entered);
        self.enter_thread(&mut entered)?;
        Ok(entered)
    }

    #[cfg(target_os = "linux")]
    fn enter_thread(&self, entered: &mut Entered) -> Result<(), SandboxError> {
        files::enter(self, entered)?;
        calls::enter(self, entered)
    }

    #[cfg(not(target_os = "linux"))]
    fn enter_thread(&self, entered: &mut Entered) -> Result<(), SandboxError> {
        for part in [Part::Files, Part::Network, Part::Calls, Part::Signals] {
            entered.lacks(part, "this system has no Landlock and no seccomp");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_is_left_out() {
        let sandbox = Sandbox {
            read: vec!["/".into(), "/no/such".into()],
            write: vec!["/no/such".into()],
            ..Sandbox::default()
        };
        assert_eq!(sandbox.present(), Sandbox { read: vec!["/".into()], ..Sandbox::default() });
    }

    #[test]
    fn the_folder_of_a_place_without_the_library_is_not_read() {
        let folder = std::env::temp_dir().join(format!("opentool-sandbox-places-{}", std::process::id()));
        let (neighbour, gone) = (folder.join("libneighbour.so"), folder.join("libgone.so"));
        let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&neighbour, ""));
        let reads = |place: &Path| {
            let sandbox =
                Sandbox::for_libraries(&[place.to_owned(), "libgone.so".into()], &Allowed::default());
            sandbox.read.contains(&neighbour)
        };
        let (with_the_library, without) = (reads(&neighbour), reads(&gone));
        assert!(written.and_then(|()| std::fs::remove_dir_all(&folder)).is_ok());
        assert!(with_the_library && !without);
    }

    #[cfg(unix)]
    #[test]
    fn a_probe_restricts_nothing() {
        let nothing = Sandbox::default();
        let entered = nothing.probe().expect("this system has what it has");
        assert!(!entered.in_force.is_empty() || !entered.lacking.is_empty());
        assert!(std::fs::read_dir("/").is_ok(), "this process is as free as before");
        assert!(std::thread::spawn(|| std::fs::read_dir("/").is_ok()).join().is_ok_and(|read| read));
        let missing = Sandbox { read: vec!["/no/such".into()], ..Sandbox::default() };
        assert_eq!(missing.probe().is_err(), cfg!(target_os = "linux"));
    }
}
