//! Why tools cannot be joined.

use std::fmt;

use opendyn_source::below_each_other;

/// Why tools cannot be joined: all problems, not only the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidToolSet {
    /// Never empty.
    pub problems: Vec<ToolSetProblem>,
}

/// One reason why tools cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolSetProblem {
    /// Several functions would have the same name.
    Collision {
        /// The name.
        function: String,
        /// The members that have such a function, in the order in which they were added.
        members: Vec<String>,
    },
    /// Two members have the same name.
    DuplicateMember {
        /// The name.
        member: String,
    },
    /// With its prefix, the name of a function is not valid.
    BadName {
        /// The name.
        name: String,
        /// The member that has the function.
        member: String,
    },
    /// A member has no document.
    NoDocument {
        /// The member's name.
        member: String,
    },
    /// The document of a member cannot be joined with others.
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
                "`{name}` of `{member}` is not a valid name for a function: 1 to {} letters, digits, `-` and `_`",
                crate::Function::MAX_NAME
            ),
            Self::NoDocument { member } => {
                write!(f, "`{member}` has no document that describes its functions")
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
