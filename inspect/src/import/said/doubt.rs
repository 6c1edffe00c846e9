//! Sentences that raise a question: they suggest something that they do not prove.

use super::super::evidence::Evidence;
use super::plain::Plain;
use super::sentence::{About, Sentence};
use super::{POINTER, Said};

impl Said {
    /// A sentence that has one of `words` and speaks of one of `objects`, which are in lower case.
    pub(in super::super) fn suggests(&self, words: &[&str], objects: &[String]) -> Option<Evidence> {
        let suggests = |sentence: &&Sentence| {
            let plain = sentence.bare();
            let is_meant = match &sentence.about {
                About::Parameter(name) if objects.contains(&name.to_lowercase()) => true,
                About::Returns => false,
                // A single letter is a name only in capitals.
                _ => objects.iter().any(|object| match object.len() {
                    1 => sentence.has_capital(object),
                    _ => plain.has(object),
                }),
            };
            is_meant && plain.has_any(words)
        };
        self.sentences.iter().find(suggests).map(Sentence::evidence)
    }

    /// Whether a parameter is said to be left by C, so that NULL may be what is left in it.
    pub(in super::super) fn is_left_in(&self, parameter: &str) -> bool {
        const LEFT: [&str; 12] = [
            "set to",
            "will be",
            "will refer",
            "will point",
            "will contain",
            "will hold",
            "receives",
            "on error",
            "on success",
            "upon success",
            "if successful",
            "if not null",
        ];
        let about = About::Parameter(parameter.to_owned());
        self.sentences.iter().filter(|sentence| sentence.about == about).any(|sentence| {
            let plain = sentence.bare();
            let is_out = sentence.text.contains("[out]") || sentence.text.contains("(out)");
            is_out || plain.has_any(&LEFT)
        })
    }

    /// Whether a pointer is said to be a place within something that C made: "op must point into an expression that …".
    pub(in super::super) fn is_place(&self, parameter: &str) -> bool {
        const WITHIN: [&str; 5] =
            ["point into", "points into", "pointing into", "pointer into", "pointer within"];
        let about = About::Parameter(parameter.to_owned());
        self.sentences.iter().any(|sentence| {
            let is_meant = sentence.about == about || sentence.has_name(parameter);
            is_meant && sentence.plain(&[(parameter, POINTER)]).has_any(&WITHIN)
        })
    }

    /// Whether bytes are called an array, and not a text.
    pub(in super::super) fn is_called_array(&self, parameter: &str) -> bool {
        const TEXTS: [&str; 6] =
            ["string", "text", "character array", "nul-terminated", "null-terminated", "zero-terminated"];
        let about = About::Parameter(parameter.to_owned());
        let mut own = self.sentences.iter().filter(|sentence| sentence.about == about).map(Sentence::bare);
        own.clone().any(|plain| plain.has("array")) && !own.any(|plain| plain.has_any(&TEXTS))
    }

    /// Whether the first sentence begins with one of `words`, or the second, if the first is a title.
    pub(in super::super) fn begins_with(&self, words: &[&str]) -> bool {
        let mut first = self.sentences.iter().filter(|sentence| sentence.about == About::Function).take(2);
        first.any(|sentence| {
            let plain = sentence.bare();
            let text = plain.trim_start();
            let text = text.strip_prefix("brief ").unwrap_or(text);
            words.iter().any(|word| text.strip_prefix(word).is_some_and(|rest| rest.starts_with(' ')))
        })
    }

    /// Whether any sentence has one of `words` and one of `others`.
    pub(in super::super) fn mentions_both(&self, words: &[&str], others: &[&str]) -> bool {
        self.sentences.iter().any(|sentence| {
            let plain = sentence.bare();
            [words, others].iter().all(|list| plain.has_any(list))
        })
    }

    /// Whether the first sentence begins with a word of one of `stems`.
    pub(in super::super) fn begins_with_stem(&self, stems: &[&str]) -> bool {
        let first = self.sentences.iter().find(|sentence| sentence.about == About::Function);
        first.is_some_and(|sentence| {
            let plain = sentence.bare();
            let word = plain.split_whitespace().find(|word| *word != "brief").unwrap_or_default();
            stems.iter().any(|stem| word.starts_with(stem))
        })
    }

    /// Whether any sentence has one of `words`.
    pub(in super::super) fn mentions(&self, words: &[&str]) -> bool {
        self.sentences.iter().any(|sentence| {
            let plain = sentence.bare();
            plain.has_any(words)
        })
    }
}

/// Whether a sentence does not tell what the function does, but refers to another: "Similar for the header.",
/// "Deprecated.", "See open().", "X.509 certificate functions".
pub(super) fn refers(plain: &Plain) -> bool {
    const FIRST: [&str; 8] = ["similar", "similarly", "same", "like", "see", "sa", "deprecated", "these"];
    const WITHIN: [&str; 9] = [
        "is deprecated",
        "alternative interface",
        "same as",
        "obsolete version of",
        "equivalent to",
        "as above",
        "identical to",
        "following functions",
        "do not use",
    ];
    let words: Vec<&str> = plain.split_whitespace().collect();
    let first = words.first().map(|word| word.trim_start_matches('@'));
    first.is_some_and(|word| FIRST.contains(&word))
        || matches!(words[..], ["use" | "as", other, ..] if other.contains('_'))
        || plain.has_any(&WITHIN)
        || is_title(&words)
}

/// Whether a few words are the title of a section, and not an order: "Replace the access functions".
fn is_title(words: &[&str]) -> bool {
    const VERBS: [&str; 12] = [
        "call",
        "free",
        "get",
        "initialize",
        "install",
        "list",
        "register",
        "replace",
        "return",
        "returns",
        "set",
        "use",
    ];
    words.len() <= 6
        && words.iter().any(|word| ["functions", "routines", "writing"].contains(word))
        && !words.first().is_some_and(|first| VERBS.contains(first))
}
