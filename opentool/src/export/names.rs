//! The names that each format allows.

use std::collections::HashSet;

use super::escaped;
use super::refusal::{Refusal, Rule};
use super::signature::Signature;

/// The rules of a format for names.
pub(super) struct Names {
    /// The name of the format.
    whose: &'static str,
    /// The maximum length of a name.
    longest: usize,
    /// The allowed characters besides letters and digits.
    beside: &'static str,
    /// Whether a name must begin with a letter or `_`.
    begins: bool,
    /// Whether the keys of arguments are restricted too, to 1 to 64 letters, digits, `_`, `.` and `-`.
    keys: bool,
}

pub(super) const OPENAI: Names =
    Names { whose: "OpenAI", longest: 64, beside: "_-", begins: false, keys: false };
pub(super) const ANTHROPIC: Names =
    Names { whose: "Anthropic", longest: 64, beside: "_-", begins: false, keys: true };
pub(super) const GEMINI: Names =
    Names { whose: "Gemini", longest: 64, beside: "_-.:", begins: true, keys: false };
pub(super) const MCP: Names = Names { whose: "MCP", longest: 128, beside: "_-.", begins: false, keys: false };
pub(super) const ANY: Names =
    Names { whose: "", longest: usize::MAX, beside: "", begins: false, keys: false };

impl Names {
    /// All names that the format refuses.
    pub(super) fn check(&self, signatures: &[Signature]) -> Vec<Refusal> {
        let mut seen = HashSet::new();
        let mut refusals = Vec::new();
        for signature in signatures {
            let mut refuse = |rule, pointer, message| {
                refusals.push(Refusal { function: signature.name.clone(), rule, pointer, message });
            };
            if !seen.insert(signature.name.as_str()) {
                refuse(Rule::DuplicateName, String::new(), "two functions have this name".to_owned());
            }
            if !self.allows(&signature.name) {
                refuse(Rule::Name, String::new(), self.demand());
            }
            let arguments = signature.input.get("properties").and_then(|properties| properties.as_object());
            for key in arguments.into_iter().flatten().map(|(key, _)| key).filter(|_| self.keys) {
                if !is_made_of(key, 64, "_.-") {
                    let message = format!(
                        "{} allows argument names of 1 to 64 letters, digits and _.-, not {key:?}",
                        self.whose
                    );
                    refuse(Rule::PropertyName, format!("/properties/{}", escaped(key)), message);
                }
            }
        }
        refusals
    }

    pub(super) fn allows(&self, name: &str) -> bool {
        let begins = |first: char| first.is_ascii_alphabetic() || first == '_';
        self.longest == usize::MAX
            || is_made_of(name, self.longest, self.beside) && (!self.begins || name.starts_with(begins))
    }

    fn demand(&self) -> String {
        let Self { whose, longest, beside, begins, .. } = self;
        let begins = if *begins { ", beginning with a letter or _" } else { "" };
        format!("{whose} allows names of 1 to {longest} letters, digits and {beside}{begins}")
    }
}

fn is_made_of(name: &str, longest: usize, beside: &str) -> bool {
    (1..=longest).contains(&name.len())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || beside.contains(character))
}
