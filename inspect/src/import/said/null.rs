//! What the documentation says about NULL.

use super::super::evidence::Evidence;
use super::plain::Plain;
use super::sentence::{About, Sentence};
use super::{POINTER, Said};

impl Said {
    /// What proves that a parameter may be NULL.
    pub(in super::super) fn may_be_null(&self, parameter: &str) -> Option<Evidence> {
        const REFUSED: [&str; 19] = [
            "most",
            "some",
            "must",
            "undefined",
            "crash",
            "crashes",
            "segfault",
            "assert",
            "abort",
            "illegal",
            "cannot",
            "not",
            "never",
            "shall",
            "behaviour",
            "behavior",
            "invalid",
            "non-null",
            "unless",
        ];
        // "May be NULL if n is 0" permits it in that case only.
        const CONDITIONS: [&str; 7] = ["if", "when", "only", "iff", "provided", "as", "while"];
        let permits = |sentence: &&Sentence| {
            let own = matches!(&sentence.about, About::Parameter(name) if name == parameter);
            if !own && !sentence.has_name(parameter) {
                return false;
            }
            let plain = sentence.plain(&[(parameter, POINTER)]);
            let is_conditional = ["may be null", "can be null", "may also be null", "can also be null"]
                .iter()
                .any(|words| CONDITIONS.iter().any(|condition| plain.has_row(&[words, condition])));
            // "-1 if it is NULL" is about an error, "the members of it can be NULL" about something else.
            if is_conditional
                || sentence.about == About::Returns
                || is_about_other(&plain)
                || self.is_other_name(&plain, parameter)
            {
                return false;
            }
            let named = [
                "may be null",
                "can be null",
                "may also be null",
                "can also be null",
                "may be passed as null",
                "can be passed as null",
                "is optional",
                "is an optional",
            ];
            let in_own = [
                "may be null",
                "can be null",
                "or null",
                "null is allowed",
                "nullable",
                "allow-none",
                "can pass null",
                "may pass null",
                "if this is null",
                "if set to null",
                "null to",
                "null for",
            ];
            // "Q or R may be NULL"
            let joined = plain.split(" @p or ").nth(1).and_then(|rest| rest.split_once(' '));
            let is_joined = joined.is_some_and(|(_, rest)| {
                named.iter().any(|words| rest.strip_prefix(words).is_some_and(|rest| rest.starts_with(' ')))
            });
            // "@param w the width of the window, may be NULL" is about `w`.
            let of_other = !own && matches!(sentence.about, About::Parameter(_));
            // "Encoding is that of the protocol or NULL."
            let is_alternative = !of_other && plain.starts_with(" @p is ") && plain.has("or null");
            let is_said = is_alternative
                || !of_other && is_joined
                || !of_other && named.iter().any(|words| plain.has_row(&[POINTER, words]))
                || plain.has("if @p is null")
                || plain.has("if @p is a null pointer")
                || is_condition(&plain)
                || plain.has("pass null for @p")
                || own && (plain.has_any(&in_own) || is_default(&plain));
            // What is done if it is not NULL is not done if it is. `p != NULL` alone is an assertion.
            let if_given = plain.has("if @p is not null")
                || ["if", "when"]
                    .iter()
                    .any(|word| sentence.text.contains(&format!("{word} {parameter} != NULL")));
            const GIVEN: [&str; 4] =
                ["if non-null", "if not null", "if this pointer is non-null", "if this is not null"];
            let if_given = if_given || own && plain.has_any(&GIVEN);
            if if_given {
                return !plain.has("must");
            }
            is_said && !plain.has_any(&REFUSED) && !is_error(&plain)
        };
        self.own().find(permits).map(Sentence::evidence)
    }

    /// Whether a sentence writes the name of another parameter in two words: "the old password" of `oldpassword`.
    fn is_other_name(&self, plain: &Plain, parameter: &str) -> bool {
        let words: Vec<&str> = plain.split_whitespace().collect();
        let is_other = |before: &str| {
            let is_joined = |name: &str| {
                let name = name.to_lowercase().replace('_', "");
                name == format!("{}{}", before, parameter.to_lowercase()).replace('_', "")
            };
            self.parameters.iter().any(|name| is_joined(name))
        };
        words.windows(2).any(|pair| pair[1] == POINTER && is_other(pair[0]))
    }

    /// What proves that each of two pointers may be NULL: "If either pointer is NULL …".
    pub(in super::super) fn either_may_be_null(&self) -> Option<Evidence> {
        const EITHER: [&str; 4] = [
            "if either pointer is null",
            "if either is null",
            "either pointer may be null",
            "either pointer can be null",
        ];
        const REFUSED: [&str; 4] = ["undefined", "crash", "not", "invalid"];
        let says = |sentence: &&Sentence| {
            let plain = sentence.bare();
            plain.has_any(&EITHER) && !plain.has_any(&REFUSED)
        };
        self.own().find(says).map(Sentence::evidence)
    }

    /// What proves that the only pointer that a function takes may be NULL: "If NULL is passed, returns that of the current one."
    pub(in super::super) fn only_may_be_null(&self) -> Option<Evidence> {
        const PASSED: [&str; 4] =
            [" if null is passed ", " if passed null ", " when null is passed ", " if null is given "];
        const REFUSED: [&str; 8] =
            ["undefined", "crash", "not", "never", "invalid", "illegal", "ignored", "nothing"];
        let says = |sentence: &&Sentence| {
            let plain = sentence.bare();
            let is_said = PASSED.iter().any(|words| plain.starts_with(words));
            let fails =
                |word: &str| ["error", "errno", "einval", "fail"].iter().any(|stem| word.contains(stem));
            sentence.about == About::Function
                && is_said
                && !plain.has_any(&REFUSED)
                && !plain.has_any(&["-1", "0", "null pointer"])
                && !plain.split_whitespace().any(fails)
        };
        self.own().find(says).map(Sentence::evidence)
    }

    /// What proves that the function may return NULL.
    pub(in super::super) fn returns_null(&self) -> Option<Evidence> {
        let says = |sentence: &&Sentence| {
            let plain = sentence.bare();
            let denied = [
                "non-null",
                "never",
                "not null",
                "not be null",
                "null terminated",
                "null character",
                "null byte",
            ];
            sentence.about == About::Returns && nulls(plain) > 0 && !plain.has_any(&denied)
        };
        self.own().find(says).map(Sentence::evidence)
    }
}

/// Whether a sentence says what is done without the argument: "If NULL, we use the default device."
fn is_default(plain: &Plain) -> bool {
    plain.starts_with(" if null ") && !plain.has_any(&["return", "returns", "-1"])
}

/// Whether a sentence begins with the condition that the argument is NULL, and names what it is: "If the context ctx is NULL, …".
fn is_condition(plain: &Plain) -> bool {
    let before = plain.split(" @p is null ").next().filter(|before| before.len() < plain.len());
    before.is_some_and(|before| before.starts_with(" if the ") && before.split_whitespace().count() <= 5)
}

/// Whether a sentence says that the function fails without the argument: "Sets errno if p is NULL."
fn is_error(plain: &Plain) -> bool {
    let fails = |word: &str| ["error", "errno", "einval", "fail"].iter().any(|stem| word.contains(stem));
    let is_meant = plain.has_row(&[POINTER, "is null"]) || plain.starts_with(" if null ");
    is_meant
        && (plain.split_whitespace().any(fails)
            || plain.has_any(&["-1", "incorrect"])
            || plain.has("if @p is null and"))
}

/// Whether a sentence speaks of NULL behind the parameter, in the call of a callback, or in a result.
fn is_about_other(plain: &Plain) -> bool {
    const WITHIN: [&str; 6] = ["of", "in", "behind", "within", "inside", "to"];
    let is_within =
        WITHIN.iter().any(|word| ["may", "can"].iter().any(|verb| plain.has_row(&[word, POINTER, verb])));
    const CALLED: [&str; 6] = [
        "in the callback",
        "to the callback",
        "in callbacks",
        "in case of error",
        "is called as",
        "is called with",
    ];
    // "The result may be NULL, in that case err is set."
    const ITSELF: [&str; 10] = [
        POINTER,
        "argument",
        "buffer",
        "callback",
        "function",
        "handler",
        "parameter",
        "pointer",
        "string",
        "value",
    ];
    let words: Vec<&str> = plain.split_whitespace().take(5).collect();
    let is_another =
        matches!(words[..], ["the", what, "may" | "can", "be", "null"] if !ITSELF.contains(&what));
    is_within || is_another || plain.has_any(&CALLED)
}

/// How often a sentence speaks of NULL, other than of an argument: "an empty string if p is NULL".
fn nulls(plain: &str) -> usize {
    // `\p name` is a name.
    let words: Vec<&str> = plain.split_whitespace().filter(|word| !matches!(*word, "p" | "c")).collect();
    let of_argument = words
        .windows(4)
        .filter(|words| matches!(words, ["if" | "when" | "unless", _, "is" | "was", "null"]))
        .count();
    words.iter().filter(|word| **word == "null").count() - of_argument
}
