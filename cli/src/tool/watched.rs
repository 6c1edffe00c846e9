//! Files that can change while they are served.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::document::bytes;

/// Some systems store file times in seconds, so a file modified this recently may change again without a new time. Its
/// contents are compared until it is older.
const YOUNG: Duration = Duration::from_secs(2);

/// The contents of some files; `None` for one that cannot be read.
pub(super) type Contents = Vec<Option<Vec<u8>>>;

/// The files of one document or script, as they were last seen.
pub(super) struct Watched {
    paths: Vec<PathBuf>,
    stamps: Vec<Option<Stamp>>,
    contents: Contents,
}

/// What a file shows of itself without being read.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: SystemTime,
    length: u64,
    /// The device and the number of the file: an editor may put another file in its place.
    identity: (u64, u64),
    is_settled: bool,
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let modified = metadata.modified().ok()?;
        let is_settled = SystemTime::now().duration_since(modified).is_ok_and(|age| age > YOUNG);
        Some(Self { modified, length: metadata.len(), identity: identity(&metadata), is_settled })
    }
}

#[cfg(unix)]
fn identity(metadata: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(_: &fs::Metadata) -> (u64, u64) {
    (0, 0)
}

/// The contents of the files now.
pub(super) fn contents(paths: &[PathBuf]) -> Contents {
    paths.iter().map(|path| fs::File::open(path).and_then(bytes).ok()).collect()
}

impl Watched {
    /// Files that are not read yet: the first look finds a change.
    pub(super) fn new(paths: Vec<PathBuf>) -> Self {
        Self { stamps: Vec::new(), contents: Vec::new(), paths }
    }

    /// Looks at the files, and returns whether their contents have changed since the last look.
    pub(super) fn changed(&mut self) -> bool {
        // Taken before the files are read: a change in between has another stamp at the next look.
        let stamps: Vec<Option<Stamp>> = self.paths.iter().map(|path| Stamp::of(path)).collect();
        let is_settled = self.stamps.iter().flatten().all(|stamp| stamp.is_settled);
        if is_settled && stamps == self.stamps {
            return false;
        }
        let contents = contents(&self.paths);
        self.stamps = stamps;
        let changed = contents != self.contents;
        self.contents = contents;
        changed
    }

    pub(super) fn contents(&self) -> &Contents {
        &self.contents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_modified(path: &Path, time: SystemTime) {
        let file = fs::File::options().append(true).open(path).expect("it is ours");
        file.set_modified(time).expect("it is ours");
    }

    #[test]
    fn a_change_is_seen_once_whatever_the_time_of_the_file() {
        let path = std::env::temp_dir().join(format!("opendyn-watched-{}", std::process::id()));
        let hour_ago = SystemTime::now() - Duration::from_secs(3600);
        fs::write(&path, "one").expect("it can be written");
        set_modified(&path, hour_ago);
        let mut watched = Watched::new(vec![path.clone()]);
        assert!(watched.changed() && !watched.changed());

        // Another length, at the same time.
        fs::write(&path, "three").expect("it can be written");
        set_modified(&path, hour_ago);
        assert!(watched.changed() && !watched.changed());

        // The same length and the same recent time, which may be too coarse to tell.
        let now = SystemTime::now();
        fs::write(&path, "seven").expect("it can be written");
        set_modified(&path, now);
        assert!(watched.changed() && !watched.changed());
        fs::write(&path, "eight").expect("it can be written");
        set_modified(&path, now);
        assert!(watched.changed() && !watched.changed());

        // Another time alone is not a change.
        set_modified(&path, hour_ago);
        assert!(!watched.changed());

        fs::remove_file(&path).expect("it is ours");
        assert!(watched.changed() && !watched.changed());
        assert_eq!(watched.contents(), &vec![None]);
    }
}
