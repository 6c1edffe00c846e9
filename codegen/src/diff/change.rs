//! One change, and how changes are collected.

use std::fmt;

/// Whose use of the library a change may break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    /// The call into the library: symbols, and how C passes values
    C,
    /// Rust code that calls the methods
    Rust,
    /// Calls with JSON: agents, servers, scripts
    Json,
}

impl Audience {
    /// Everyone.
    pub const ALL: [Self; 3] = [Self::C, Self::Rust, Self::Json];
}

impl fmt::Display for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::C => "C",
            Self::Rust => "Rust",
            Self::Json => "JSON",
        })
    }
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What changed: `document`, or for example ``function `add` ``.
    pub of: String,
    /// How it changed.
    pub message: String,
    /// Whom it breaks.
    pub breaks: Vec<Audience>,
    /// Whether only a text for people changed.
    pub text: bool,
}

/// Changes, as they are found.
#[derive(Default)]
pub(super) struct Changes(Vec<Change>);

impl Changes {
    /// Collects the changes of one thing.
    pub(super) fn of(&mut self, of: impl Into<String>) -> Of<'_> {
        Of { of: of.into(), changes: self }
    }

    pub(super) fn finish(self) -> Vec<Change> {
        self.0
    }
}

/// The changes of one thing.
pub(super) struct Of<'c> {
    of: String,
    changes: &'c mut Changes,
}

impl Of<'_> {
    pub(super) fn push(&mut self, message: impl Into<String>, breaks: &[Audience]) {
        let (of, message) = (self.of.clone(), message.into());
        self.changes.0.push(Change { of, message, breaks: breaks.to_vec(), text: false });
    }

    /// A text for people. The message does not quote it.
    pub(super) fn text<T: PartialEq>(&mut self, what: &str, old: &T, new: &T) {
        if old != new {
            let (of, message) = (self.of.clone(), format!("the {what} changed"));
            self.changes.0.push(Change { of, message, breaks: Vec::new(), text: true });
        }
    }
}

/// A name in a message.
pub(super) fn quoted(name: &str) -> String {
    format!("`{name}`")
}
