//! Why tools cannot be joined.

use std::fmt;

use opendyn_source::below_each_other;

/// Why tools cannot be joined: everything that is in the way, not just the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidToolSet {
    /// Never empty.
    pub problems: Vec<ToolSetProblem>,
}

/// One thing that is in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolSetProblem {
    /// Two functions would have one name.
    Collision {
        /// The name.
        function: String,
        /// Those who have such a function, in the order in which they were added.
        members: Vec<String>,
    },
    /// Two members have one name.
    DuplicateMember {
        /// The name.
        member: String,
    },
    /// A function's name, with the prefix, is not one that a function may have.
    BadName {
        /// The name.
        name: String,
        /// Whose function it is.
        member: String,
    },
    /// A member does not say which functions it has.
    NoDocument {
        /// The member's name.
        member: String,
    },
    /// A member's document cannot be made part of another.
    Unreadable {
        /// The member's name.
        member: String,
        /// What is wrong with it.
        message: String,
    },
}

impl fmt::Display for ToolSetProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Collision { function, members } => {
                let members: Vec<String> = members.iter().map(|member| format!("`{member}`")).collect();
                let members = members.join(" and ");
                write!(f, "`{function}` is a function of {members}; add all but one with a prefix")
            }
            Self::DuplicateMember { member } => write!(f, "two members are called `{member}`"),
            Self::BadName { name, member } => write!(
                f,
                "`{name}` of `{member}` is no name for a function: 1 to {} letters, digits, `-` and `_`",
                crate::Function::MAX_NAME
            ),
            Self::NoDocument { member } => {
                write!(f, "`{member}` has no document that says which functions it has")
            }
            Self::Unreadable { member, message } => write!(f, "the document of `{member}`: {message}"),
        }
    }
}

impl fmt::Display for InvalidToolSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        below_each_other(&self.problems, f)
    }
}

impl std::error::Error for InvalidToolSet {}
