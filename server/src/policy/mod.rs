//! What the operator of a server allows, as data: which functions, and to which caller.
//!
//! [`Guarded`](crate::Guarded) asks it, once for every protocol. The rules of the server and those of the caller's key
//! must both allow a function.

mod confirm;
mod glob;
mod identity;
mod listing;

use opentool::{Annotations, Function, OpenTool, ToolError};

pub(crate) use confirm::Answer;
#[cfg(feature = "mcp")]
pub(crate) use confirm::Reason;
pub use confirm::{Asking, Confirm};
pub use identity::{Identity, Protocol};
pub use listing::Listing;

/// Which functions are allowed, by name and by `x-annotations`. By default all are.
///
/// ```
/// use opentool_server::Rules;
///
/// let rules = Rules { allow: vec!["sqlite3_*".to_owned()], deny: vec!["*_exec".to_owned()], ..Rules::default() };
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Globs of names, with `*` and `?`. If there are any, a function must match one.
    pub allow: Vec<String>,
    /// Globs of names. A function that matches one is refused, even if it is allowed by name.
    pub deny: Vec<String>,
    /// Whether only functions are allowed that the document marks `readOnly` and not `destructive`.
    pub read_only: bool,
}

/// Whose rules refuse a call, for the message.
#[derive(Clone, Copy)]
pub(crate) enum Owner<'a> {
    Server,
    Key(&'a str),
}

impl Rules {
    /// Whether every function is allowed.
    #[must_use]
    pub fn allow_all(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a function is allowed, without the reason.
    #[must_use]
    pub fn allows(&self, function: &Function) -> bool {
        self.refusal(&function.name, Some(function)).is_none()
    }

    /// The rule that refuses a function. `function` is what the document says about it.
    fn refusal(&self, name: &str, function: Option<&Function>) -> Option<Rule<'_>> {
        if let Some(pattern) = self.deny.iter().find(|pattern| glob::matches(pattern, name)) {
            return Some(Rule::Deny(pattern));
        }
        if !self.allow.is_empty() && !self.allow.iter().any(|pattern| glob::matches(pattern, name)) {
            return Some(Rule::Allow(&self.allow));
        }
        let said = function.and_then(|function| function.annotations);
        (self.read_only && !changes_nothing(said)).then_some(Rule::ReadOnly)
    }

    /// Checks a call.
    pub(crate) fn check(
        &self,
        name: &str,
        document: Option<&OpenTool>,
        owner: Owner<'_>,
    ) -> Result<(), ToolError> {
        let function = document.and_then(|document| document.function(name));
        let Some(rule) = self.refusal(name, function) else { return Ok(()) };
        // A name that nothing has would be refused for a property that it cannot have.
        if let (Rule::ReadOnly, Some(document), None) = (&rule, document, function) {
            let known = document.functions.iter().filter(|function| self.allows(function));
            return Err(ToolError::unknown_function(name, known.map(|function| function.name.as_str())));
        }
        Err(ToolError::Forbidden { name: name.to_owned(), reason: rule.reason(owner) })
    }
}

/// A rule that refuses a function.
enum Rule<'a> {
    Deny(&'a str),
    Allow(&'a [String]),
    ReadOnly,
}

impl Rule<'_> {
    fn reason(&self, owner: Owner<'_>) -> String {
        let owner = match owner {
            Owner::Server => "this server".to_owned(),
            Owner::Key(name) => format!("the key `{name}`"),
        };
        match self {
            Self::Deny(pattern) => format!("{owner} has `--deny '{pattern}'`"),
            Self::Allow(patterns) => {
                let patterns: Vec<String> =
                    patterns.iter().map(|pattern| format!("--allow '{pattern}'")).collect();
                format!("{owner} has only `{}`", patterns.join(" "))
            }
            Self::ReadOnly => format!(
                "{owner} has `--read-only`, and the document does not say `readOnly` in its `x-annotations`"
            ),
        }
    }
}

/// Whether the document says that a function changes nothing. What it does not say is not assumed.
fn changes_nothing(said: Option<Annotations>) -> bool {
    let said = said.unwrap_or_default();
    said.read_only == Some(true) && said.destructive != Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> OpenTool {
        let function = |name: &str, read_only, destructive| Function {
            name: name.to_owned(),
            annotations: Some(Annotations { read_only, destructive, idempotent: None }),
            ..Function::default()
        };
        let functions = vec![
            function("get", Some(true), None),
            function("get_and_wipe", Some(true), Some(true)),
            function("set", Some(false), None),
            function("unsaid", None, None),
            Function { name: "bare".to_owned(), ..Function::default() },
        ];
        OpenTool { functions, ..OpenTool::default() }
    }

    fn allowed(rules: &Rules) -> Vec<String> {
        let document = document();
        let names = document.functions.iter().map(|function| function.name.as_str());
        let allowed = names.filter(|name| rules.check(name, Some(&document), Owner::Server).is_ok());
        allowed.map(str::to_owned).collect()
    }

    fn globs(patterns: &[&str]) -> Vec<String> {
        patterns.iter().map(|pattern| (*pattern).to_owned()).collect()
    }

    #[test]
    fn without_rules_everything_is_allowed() {
        assert_eq!(allowed(&Rules::default()).len(), 5);
        assert!(Rules::default().allow_all());
        assert_eq!(Rules::default().check("unknown", None, Owner::Server), Ok(()));
    }

    #[test]
    fn deny_wins_over_allow() {
        let rules = Rules { allow: globs(&["get*", "set"]), deny: globs(&["*_wipe"]), read_only: false };
        assert_eq!(allowed(&rules), ["get", "set"]);
        assert_eq!(allowed(&Rules { deny: globs(&["*"]), ..Rules::default() }), [""; 0]);
    }

    #[test]
    fn read_only_needs_the_word_of_the_document() {
        let rules = Rules { read_only: true, ..Rules::default() };
        assert_eq!(allowed(&rules), ["get"]);
        // Without a document nothing is known to be read-only.
        let error = rules.check("get", None, Owner::Server).expect_err("nothing is said");
        assert_eq!(error.name(), "forbidden");
        let error = rules.check("gett", Some(&document()), Owner::Server).expect_err("unknown");
        assert_eq!(error.to_string(), "unknown function `gett`; did you mean `get`?");
    }

    #[test]
    fn the_message_names_the_flag_and_whose_it_is() {
        let rules = Rules { allow: globs(&["g*", "x"]), deny: globs(&["get"]), read_only: true };
        let said =
            |name: &str, owner| rules.check(name, Some(&document()), owner).expect_err("refused").to_string();
        assert_eq!(said("get", Owner::Server), "`get` is not allowed: this server has `--deny 'get'`");
        assert_eq!(
            said("set", Owner::Key("ci")),
            "`set` is not allowed: the key `ci` has only `--allow 'g*' --allow 'x'`"
        );
        assert_eq!(
            said("get_and_wipe", Owner::Server),
            "`get_and_wipe` is not allowed: this server has `--read-only`, and the document does not say \
             `readOnly` in its `x-annotations`"
        );
    }
}
