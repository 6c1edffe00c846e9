//! The one folder in which calls may have files. It is empty when an input begins.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Files {
    folder: PathBuf,
    are_used: bool,
}

impl Files {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("opendyn-fuzz-handles-{}-{count}", std::process::id());
        // SQLite waits for the disk after every change, which takes longer than all else.
        let memory = Path::new("/dev/shm");
        let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        Self { folder: parent.join(name), are_used: false }
    }

    /// The path of a file, whose folder exists.
    pub fn path(&mut self, name: &str) -> String {
        if !self.are_used {
            std::fs::create_dir_all(&self.folder).expect("the temporary folder is writable");
            self.are_used = true;
        }
        self.folder.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        if self.are_used {
            // What stays is in the temporary folder.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}
