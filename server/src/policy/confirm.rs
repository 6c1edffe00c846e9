//! Which calls a person must confirm, as data. [`Guarded`](crate::Guarded) asks it, and a protocol that can ask a person
//! brings the answer.

use std::str::FromStr;

use opentool::{Function, ToolError};

use super::{Protocol, glob};

/// Which calls a person confirms: those of functions that the document marks `destructive`, and those named here.
///
/// ```
/// use opentool_server::{Asking, Confirm};
///
/// let confirm = Confirm { asking: Asking::Require, also: vec!["*_exec".to_owned()] };
/// assert_eq!(confirm.asking.name(), "require");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confirm {
    /// Whether callers are asked.
    pub asking: Asking,
    /// Globs of further names, with `*` and `?`.
    pub also: Vec<String>,
}

/// Whether a person is asked before a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Asking {
    /// No.
    Off,
    /// If the client can ask a person; other clients call without.
    #[default]
    Ask,
    /// Yes; a client that cannot ask a person is refused.
    Require,
}

impl Asking {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Off, Self::Ask, Self::Require];

    /// The name on a command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Ask => "ask",
            Self::Require => "require",
        }
    }
}

impl FromStr for Asking {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|asking| asking.name() == text);
        known.ok_or_else(|| "expected off, ask or require".to_owned())
    }
}

/// Why a call needs a confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The document says so.
    Destructive,
    /// The operator says so.
    Named,
}

/// What came of the question.
pub(crate) enum Answer {
    /// Nobody was asked.
    Unasked,
    /// A person agreed.
    #[cfg(feature = "mcp")]
    Yes,
    /// Nobody agreed, and why.
    #[cfg(feature = "mcp")]
    No(String),
}

impl Confirm {
    /// Why a call of `function` needs a confirmation, if it does.
    pub(crate) fn reason(&self, function: &Function) -> Option<Reason> {
        let is_destructive = function.annotations.is_some_and(|said| said.destructive == Some(true));
        match self.asking {
            Asking::Off => None,
            Asking::Ask | Asking::Require if is_destructive => Some(Reason::Destructive),
            Asking::Ask | Asking::Require => {
                let named = self.also.iter().any(|pattern| glob::matches(pattern, &function.name));
                named.then_some(Reason::Named)
            }
        }
    }

    /// The error of a call that needs a confirmation, where nobody can be asked.
    pub(crate) fn cannot_ask(name: &str, protocol: Protocol) -> ToolError {
        let who = match protocol {
            Protocol::OpenTool => "OpenTool over HTTP has no way to ask one",
            Protocol::McpHttp | Protocol::McpStdio => "this client does not say that it can ask one",
        };
        let reason = format!("this server has `--confirm require`: a person must confirm it, and {who}");
        ToolError::NotConfirmed { name: name.to_owned(), reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use opentool::Annotations;

    #[test]
    fn destructive_functions_and_named_ones_are_confirmed() {
        let function = |name: &str, destructive| Function {
            name: name.to_owned(),
            annotations: Some(Annotations { destructive, ..Annotations::default() }),
            ..Function::default()
        };
        let also = vec!["db_*".to_owned()];
        for (asking, reasons) in [
            (Asking::Off, [None; 4]),
            (Asking::Ask, [Some(Reason::Destructive), None, None, Some(Reason::Named)]),
            (Asking::Require, [Some(Reason::Destructive), None, None, Some(Reason::Named)]),
        ] {
            let confirm = Confirm { asking, also: also.clone() };
            let functions = [
                function("wipe", Some(true)),
                function("get", Some(false)),
                function("unsaid", None),
                function("db_vacuum", None),
            ];
            assert_eq!(functions.each_ref().map(|function| confirm.reason(function)), reasons, "{asking:?}");
        }
    }

    #[test]
    fn a_name_is_read_as_it_is_written() {
        for asking in Asking::ALL {
            assert_eq!(asking.name().parse(), Ok(asking));
        }
        assert_eq!("always".parse::<Asking>(), Err("expected off, ask or require".to_owned()));
    }
}
