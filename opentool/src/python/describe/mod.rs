//! What a script is for, and what it takes.

use serde::Deserialize;

/// What a script tells of its public function.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Entry {
    /// The name that it is called by.
    pub(super) name: String,
}
