//! The folder of hosts.
//!
//! `hosts/KEY/` is the crate of a host and, once compiled, its program; `target/` is cargo's folder, shared
//! by all hosts, so that dependencies are compiled once. A program is installed atomically.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::failure::{Failure, Outcome};

/// Names the folder.
const VARIABLE: &str = "OPENDYN_CACHE";
/// Marks the folder as a cache, for backup programs.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";

/// The folder of hosts.
pub(crate) struct Cache {
    folder: PathBuf,
}

/// What is stored about a host beside its program.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct About {
    /// The documents, as named by the user when it was compiled.
    pub(crate) documents: Vec<String>,
    /// What it can do.
    pub(crate) role: String,
    /// Whether it runs scripts.
    #[serde(default)]
    pub(crate) scripts: bool,
    /// The version of the command that made it.
    pub(crate) version: String,
}

/// A host in the cache.
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) about: About,
    pub(crate) size: u64,
    pub(crate) compiled: SystemTime,
}

impl Cache {
    /// The folder that the environment names, or the usual one of this system.
    pub(crate) fn find() -> Outcome<Self> {
        let variable =
            |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = variable(VARIABLE).or_else(|| {
            let home = || variable("HOME");
            if cfg!(windows) {
                return variable("LOCALAPPDATA").map(|folder| folder.join("opendyn").join("cache"));
            }
            if cfg!(target_os = "macos") {
                return home().map(|home| home.join("Library/Caches/opendyn"));
            }
            // The specification of these variables says to ignore relative paths.
            let xdg = variable("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
            xdg.or_else(|| home().map(|home| home.join(".cache"))).map(|folder| folder.join("opendyn"))
        });
        let folder = folder.ok_or_else(|| {
            Failure::new("there is no folder for compiled programs: HOME is not set")
                .help(format!("name one with {VARIABLE}"))
        })?;
        let folder = std::path::absolute(&folder)
            .map_err(|error| Failure::new(format!("the cache folder `{}`: {error}", folder.display())))?;
        Ok(Self { folder })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// Cargo's folder.
    pub(super) fn target(&self) -> PathBuf {
        self.folder.join("target")
    }

    fn hosts(&self) -> PathBuf {
        self.folder.join("hosts")
    }

    /// The crate of a host.
    pub(super) fn host(&self, key: &str) -> PathBuf {
        self.hosts().join(key)
    }

    /// The program of a host; it exists once compiled.
    pub(super) fn program(&self, key: &str) -> PathBuf {
        self.host(key).join(format!("host{}", std::env::consts::EXE_SUFFIX))
    }

    /// Makes the folder of a host.
    pub(super) fn create(&self, key: &str) -> Outcome<PathBuf> {
        let folder = self.host(key);
        fs::create_dir_all(folder.join("src")).map_err(|error| self.failed(&error))?;
        Ok(folder)
    }

    /// Prevents others from compiling, until dropped or the process ends.
    pub(super) fn lock(&self) -> Outcome<File> {
        let lock = || -> io::Result<File> {
            fs::create_dir_all(&self.folder)?;
            let tag = self.folder.join("CACHEDIR.TAG");
            if !tag.exists() {
                fs::write(tag, TAG)?;
            }
            let file = File::options().create(true).append(true).open(self.folder.join("lock"))?;
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(fs::TryLockError::WouldBlock) => {}
                Err(fs::TryLockError::Error(error)) => return Err(error),
            }
            anstream::eprintln!("opendyn: waiting for another process that is compiling");
            file.lock()?;
            Ok(file)
        };
        lock().map_err(|error| self.failed(&error))
    }

    /// Moves a compiled program to its place, atomically.
    pub(super) fn install(&self, key: &str, compiled: &Path) -> Outcome<PathBuf> {
        let program = self.program(key);
        fs::rename(compiled, &program).map_err(|error| self.failed(&error))?;
        Ok(program)
    }

    /// The hosts in the cache, newest first.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let folders = fs::read_dir(self.hosts()).into_iter().flatten().flatten();
        let mut entries: Vec<Entry> = folders
            .filter_map(|folder| {
                let key = folder.file_name().into_string().ok()?;
                let about = serde_json::from_slice(&fs::read(folder.path().join("host.json")).ok()?).ok()?;
                let program = self.program(&key).metadata().ok()?;
                Some(Entry { key, about, size: program.len(), compiled: program.modified().ok()? })
            })
            .collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.compiled));
        entries
    }

    /// The total size of all files in bytes.
    pub(crate) fn size(&self) -> u64 {
        size(&self.folder)
    }

    /// Removes all hosts and cargo's files. The lock file stays: other processes may wait for it.
    pub(crate) fn clean(&self) -> Outcome<()> {
        if !self.folder.exists() {
            return Ok(());
        }
        let _lock = self.lock()?;
        for folder in [self.hosts(), self.target()] {
            match fs::remove_dir_all(&folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(self.failed(&error)),
                _ => {}
            }
        }
        Ok(())
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::new(format!("the cache in `{}`: {error}", self.folder.display()))
            .help(format!("{VARIABLE} can name another folder"))
    }
}

/// A file with several hard links counts once for each, as with `ls`.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => size(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}
