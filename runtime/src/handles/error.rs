//! Why a token is refused.

use std::fmt;

use opentool::ToolError;

/// Why a token is not valid for the handle that is needed. Nothing was called.
///
/// `Display` is a sentence for the caller, a person or a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandleError {
    /// No table of this process issued it.
    MadeUp {
        /// The beginning of the token.
        token: String,
    },
    /// Its handle was freed, or the handle that it lived in was.
    Freed {
        /// The token.
        token: String,
    },
    /// It was valid until a function was called.
    Ended {
        /// The token.
        token: String,
        /// The function.
        function: String,
    },
    /// It is a handle of another type.
    OtherType {
        /// The token.
        token: String,
        /// Its type.
        found: &'static str,
        /// The type that is needed.
        needed: &'static str,
    },
    /// It was issued by another table.
    OtherSession {
        /// The token.
        token: String,
    },
    /// The process that had it has ended.
    Lost {
        /// The token.
        token: String,
        /// Why the process ended.
        reason: String,
    },
    /// It cannot be freed, because other handles live in it.
    HasChildren {
        /// The token.
        token: String,
        /// How many live in it.
        count: usize,
        /// The tokens of the first ones.
        children: Vec<String>,
    },
    /// It cannot be freed, because it is borrowed.
    NotOwned {
        /// The token.
        token: String,
    },
    /// It cannot be freed or given away, because C has taken it: it is freed with another handle.
    BelongsTo {
        /// The token.
        token: String,
        /// The token of the handle that it is freed with.
        owner: String,
        /// The function that took it.
        function: String,
    },
    /// C has taken it for good.
    Passed {
        /// The token.
        token: String,
        /// The function that took it.
        function: String,
    },
    /// C had taken it, and it was freed with another handle.
    FreedWith {
        /// The token.
        token: String,
        /// The token of the handle that it was freed with.
        owner: String,
        /// The function that took it.
        function: String,
    },
    /// It cannot be given to C in this call, because another argument lives in it, or would then live in itself.
    Within {
        /// The token.
        token: String,
        /// The token of the other argument.
        other: String,
    },
    /// The call frees it, takes it or ends what was borrowed from it, and another argument would end with that.
    EndsWith {
        /// The token.
        token: String,
        /// The token of the other argument.
        other: String,
    },
    /// It is twice among the handles that C takes.
    Twice {
        /// The token.
        token: String,
    },
    /// The table was used with another binding.
    OtherBinding,
}

/// How many characters of an unknown token an error repeats. It can have any length.
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
            Self::Ended { token, function } => {
                write!(f, "{token:?} is gone: it was valid until `{function}` was called")
            }
            Self::OtherType { token, found, needed } => {
                write!(f, "{token:?} is a handle of type `{found}`; one of type `{needed}` is needed")
            }
            Self::OtherSession { token } => write!(f, "{token:?} belongs to another session"),
            Self::Lost { token, reason } => write!(f, "{token:?} was lost: its worker ended ({reason})"),
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
                write!(f, "{token:?} is borrowed: its owner frees it")
            }
            Self::BelongsTo { token, owner, function } => {
                write!(
                    f,
                    "{token:?} belongs to {owner:?} since `{function}` was called, and is freed with it"
                )
            }
            Self::Passed { token, function } => {
                write!(f, "{token:?} is gone: its ownership was passed to C by `{function}`")
            }
            Self::FreedWith { token, owner, function } => {
                write!(
                    f,
                    "{token:?} was freed with {owner:?}, to which it belonged since `{function}` was called"
                )
            }
            Self::Within { token, other } => {
                write!(f, "{token:?} cannot be passed to C here: {other:?} depends on it, or it on {other:?}")
            }
            Self::EndsWith { token, other } => {
                write!(f, "{other:?}, another argument, depends on {token:?} and would end with this call")
            }
            Self::Twice { token } => write!(f, "{token:?} is given twice, but C can take it only once"),
            Self::OtherBinding => f.write_str("the handles belong to another binding"),
        }
    }
}

impl std::error::Error for HandleError {}

/// An error of the arguments as a whole. Code that knows the argument uses
/// [`ToolError::invalid_arguments`].
impl From<HandleError> for ToolError {
    fn from(error: HandleError) -> Self {
        Self::invalid_arguments("", error.to_string())
    }
}
