//! Why a token is refused.

use std::fmt;

use opentool::ToolError;

/// Why a token does not stand for the handle that is needed. Nothing was called.
///
/// `Display` is a sentence for whoever made the call, a person or a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandleError {
    /// No table of this process gave it out.
    MadeUp {
        /// The beginning of what was given.
        token: String,
    },
    /// It was a handle, which has been freed, or has gone with the handle that it lived in.
    Freed {
        /// The token.
        token: String,
    },
    /// It is a handle of another type.
    OtherType {
        /// The token.
        token: String,
        /// The type that it is of.
        found: &'static str,
        /// The type that is needed.
        needed: &'static str,
    },
    /// It is from another table.
    OtherSession {
        /// The token.
        token: String,
    },
    /// It cannot be freed, because others live in it.
    HasChildren {
        /// The token.
        token: String,
        /// How many live in it.
        count: usize,
        /// The tokens of the first of them.
        children: Vec<String>,
    },
    /// It cannot be freed, because somebody else owns it.
    NotOwned {
        /// The token.
        token: String,
    },
    /// The table was used with another binding.
    OtherBinding,
}

/// The longest part of a token that is repeated, in characters. What was made up can be of any length.
const SHOWN: usize = 80;

impl HandleError {
    pub(super) fn made_up(text: &str) -> Self {
        let mut token: String = text.chars().take(SHOWN).collect();
        if token.len() < text.len() {
            token.push('…');
        }
        Self::MadeUp { token }
    }
}

impl fmt::Display for HandleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MadeUp { token } => write!(f, "{token:?} is not a handle that this tool gave out"),
            Self::Freed { token } => write!(f, "{token:?} was freed"),
            Self::OtherType { token, found, needed } => {
                write!(f, "{token:?} is a handle of type `{found}`; one of type `{needed}` is needed")
            }
            Self::OtherSession { token } => write!(f, "{token:?} belongs to another session"),
            Self::HasChildren { token, count, children } => {
                let (noun, those) =
                    if *count == 1 { ("handle that lives", "that") } else { ("handles that live", "those") };
                write!(f, "{token:?} still has {count} {noun} in it ({}", children.join(", "))?;
                if children.len() < *count {
                    f.write_str(", …")?;
                }
                write!(f, "): free {those} first")
            }
            Self::NotOwned { token } => {
                write!(f, "{token:?} is only lent, and freed by whatever owns it")
            }
            Self::OtherBinding => f.write_str("the handles belong to another binding"),
        }
    }
}

impl std::error::Error for HandleError {}

/// About the arguments as a whole; whoever knows which argument it is says so with
/// [`ToolError::invalid_arguments`].
impl From<HandleError> for ToolError {
    fn from(error: HandleError) -> Self {
        Self::invalid_arguments("", error.to_string())
    }
}
