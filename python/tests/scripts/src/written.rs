//! Scripts written by tests.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, io, process};

/// A folder for scripts, removed when this is dropped.
pub struct Written {
    path: PathBuf,
}

impl Written {
    /// An empty folder.
    ///
    /// # Errors
    ///
    /// The folder or file cannot be created.
    pub fn new() -> io::Result<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("opentool-python-{}-{count}", process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self { path })
    }

    /// The path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file.
    ///
    /// # Errors
    ///
    /// The folder or file cannot be created.
    pub fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text)?;
        Ok(path)
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        // If it cannot be removed, the system will empty its temporary folder.
        let _ = fs::remove_dir_all(&self.path);
    }
}
