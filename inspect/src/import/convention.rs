//! How the functions of a library fail, where the documentation of several says the same: one question for the
//! whole document.

use super::evidence::Evidence;
use super::function::Entry;
use super::question::Question;
use crate::Type;

/// One function is no convention.
const FEWEST: usize = 3;

/// How many functions a question names.
const NAMED: usize = 5;

/// A way to fail that a sentence can state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Failure {
    Negative,
    MinusOne,
    Nonzero,
}

impl Failure {
    /// What the words about a return value say.
    pub(super) fn of(plain: &str) -> Option<Self> {
        const SUCCESS: [&str; 8] = [
            " 0 on success ",
            " zero on success ",
            " 0 if successful ",
            " zero if successful ",
            " 0 upon success ",
            " zero upon success ",
            " 0 for success ",
            " 0 if ok ",
        ];
        if !SUCCESS.iter().any(|words| plain.contains(words)) {
            return None;
        }
        let has = |words: &str| plain.contains(&format!(" {words} "));
        if has("negative") || plain.contains("< 0") {
            Some(Self::Negative)
        } else if has("-1") {
            Some(Self::MinusOne)
        } else if ["non-zero", "nonzero", "error code", "other value", "an error"]
            .iter()
            .any(|words| has(words))
        {
            Some(Self::Nonzero)
        } else {
            None
        }
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Negative => ("0 on success and a negative number on failure", "\"negative\""),
            Self::MinusOne => ("0 on success and -1 on failure", "{ \"value\": -1 }"),
            Self::Nonzero => ("0 on success and another number on failure", "\"nonzero\""),
        }
    }
}

/// The question about the most frequent convention, if there is one.
pub(super) fn question(entries: &[Entry<'_>], types: &crate::Types) -> Option<Question> {
    let stated: Vec<(Failure, Evidence, &str)> = entries
        .iter()
        .filter(|entry| matches!(types.resolve(entry.signature.returns), Type::Integer(_)))
        .filter_map(|entry| {
            let (failure, evidence) = entry.said.fails()?;
            Some((failure, evidence, entry.name.as_str()))
        })
        .collect();
    let of = |failure: Failure| stated.iter().filter(move |(stated, ..)| *stated == failure);
    let most = [Failure::Negative, Failure::MinusOne, Failure::Nonzero]
        .into_iter()
        .max_by_key(|failure| of(*failure).count())?;
    let count = of(most).count();
    let (_, evidence, first) = of(most).next().filter(|_| count >= FEWEST)?;
    let (words, when) = most.words();
    let names: Vec<String> = of(most).take(NAMED).map(|(.., name)| format!("`{name}`")).collect();
    let more = if count > NAMED { ", …" } else { "" };
    Some(Question::open(format!(
        "Do functions of this library return {words}? The documentation of {count} says so ({}{more}; of `{first}`, \
         {evidence}). Then write beside `functions` \"x-errors\": {{ \"failure\": {{ \"when\": {when} }} }}, and \
         \"x-error\": \"failure\" on each function for which it holds.",
        names.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::Failure;

    #[test]
    fn a_convention_names_success_and_failure() {
        assert_eq!(Failure::of(" 0 on success negative on error "), Some(Failure::Negative));
        assert_eq!(Failure::of(" 0 on success or -1 on error "), Some(Failure::MinusOne));
        assert_eq!(Failure::of(" 0 on success or an error code "), Some(Failure::Nonzero));
        assert_eq!(Failure::of(" negative on error "), None);
        assert_eq!(Failure::of(" 0 on success "), None);
    }
}
