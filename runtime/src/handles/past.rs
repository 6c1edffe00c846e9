//! The processes that a caller had before this one. A token of theirs is known for what it is, and why its handle is
//! gone.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

/// The number of tables that a process can have.
const TABLES: u64 = 1 << 32;

static PAST: OnceLock<Past> = OnceLock::new();

struct Past {
    secret: [u64; 2],
    count: u64,
    lost: Vec<(u64, String)>,
}

/// This process is the one after `count` others. All of them sign their tokens with `secret`; `lost` has the numbers of the
/// last of them and why they ended. It counts only before the first handle.
pub fn resume(secret: [u64; 2], count: u64, lost: Vec<(u64, String)>) {
    let _ = PAST.set(Past { secret, count, lost });
}

/// The signature of a token, if this process was told what to sign with.
pub(super) fn signature(token: impl Hash) -> Option<u64> {
    let past = PAST.get()?;
    let mut hasher = DefaultHasher::new();
    (past.secret, token, past.secret).hash(&mut hasher);
    Some(hasher.finish())
}

/// What the numbers of the tables of this process are counted from.
pub(super) fn first_table() -> u64 {
    PAST.get().map_or(0, |past| past.count.wrapping_mul(TABLES))
}

/// Why the process with this table ended, if it is one of the past.
pub(super) fn lost(table: u64) -> Option<String> {
    let past = PAST.get()?;
    let process = table / TABLES;
    if process >= past.count {
        return None;
    }
    let known = past.lost.iter().find(|(number, _)| *number == process);
    Some(known.map_or_else(|| "it ended long ago".to_owned(), |(_, why)| why.clone()))
}
