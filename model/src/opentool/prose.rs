//! Descriptions as a JSON caller needs them, derived from those of the document. Rust's docs and the reference page,
//! which shows C, keep the whole text.
//!
//! Only whole sentences are left out, and only those that are about nothing but what JSON does not have: an argument
//! that JSON callers do not give, memory that they do not free, an argument that they cannot give as NULL. So are
//! examples in C that are announced as such. What else such a sentence may say is never left out: in doubt it stays. The one rewrite takes "a pointer to" off the beginning
//! of the description of a value.

use crate::plan::{Function, Kind};

/// What the sentences of a function's descriptions can be about.
pub(super) struct Prose<'f> {
    /// The C parameters that JSON has neither as an argument nor as a result.
    hidden: Vec<&'f str>,
    /// The arguments and results of JSON.
    visible: Vec<&'f str>,
    /// The arguments that are never null.
    required: Vec<&'f str>,
    /// Whether something that the caller frees is among the arguments or the results.
    has_handles: bool,
}

impl<'f> Prose<'f> {
    pub(super) fn of(function: &'f Function) -> Self {
        let given = || super::offered(function);
        let got = || function.outcomes.iter();
        let visible: Vec<&str> = given()
            .map(|offer| offer.param.key.as_str())
            .chain(got().map(|outcome| outcome.key.as_str()))
            .collect();
        let hidden = function.params.iter().map(|param| param.key.as_str());
        let required = given().filter(|offer| !offer.argument.may_be_left_out());
        Self {
            hidden: hidden.filter(|key| !visible.contains(key)).collect(),
            required: required.map(|offer| offer.param.key.as_str()).collect(),
            has_handles: given().any(|offer| is_handle(offer.kind)) || got().any(|of| is_handle(&of.kind)),
            visible,
        }
    }

    /// The description of the function. Its first sentence, which says what it does, always stays.
    pub(super) fn function(&self, text: &str) -> String {
        self.kept(text, 1)
    }

    /// The description of an argument or a result; `None` if nothing is left.
    ///
    /// A pointer to a text may be one into it: "a pointer to the found character" is the rest of the text.
    pub(super) fn value(&self, text: &str, kind: &Kind) -> Option<String> {
        let text = self.kept(text, 0);
        let text = if is_one(kind) { without_pointer(&text) } else { text };
        (!text.is_empty()).then_some(text)
    }

    /// The text without the sentences that are left out; the first `always` stay.
    fn kept(&self, text: &str, always: usize) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut number = 0;
        let mut is_whole = true;
        let mut is_example = false;
        for line in text.lines() {
            // An example in C, and the line that announces it. Other code may say what the function does.
            let last = lines.iter().rposition(|line| !line.is_empty());
            let announced = last.filter(|at| *at > 0 && is_announcement(&lines[*at]));
            if let Some(at) = announced.filter(|_| line == "```c") {
                lines.truncate(at);
                is_example = true;
                is_whole = false;
                continue;
            }
            if is_example {
                is_example = line != "```";
                continue;
            }
            let sentences = sentences(line);
            let is_code = line.starts_with("    ");
            let mut kept = String::new();
            for (index, sentence) in sentences.iter().enumerate() {
                let next = sentences.get(index + 1).copied().unwrap_or_default();
                let leave_out =
                    number >= always && !is_code && !refers_back(next) && self.is_left_out(sentence);
                number += 1;
                is_whole &= !leave_out;
                if !leave_out {
                    kept.push_str(sentence);
                }
            }
            if !kept.is_empty() || line.is_empty() {
                lines.push(kept.trim_end().to_owned());
            }
        }
        if is_whole {
            return text.to_owned();
        }
        // Of some paragraphs nothing is left.
        lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
        lines.join("\n").trim().to_owned()
    }

    fn is_left_out(&self, sentence: &str) -> bool {
        let words = words(sentence.trim_start_matches(['-', '*', ' ']));
        self.is_of_hidden(&words) || self.is_of_memory(&words) || self.is_of_null(&words)
    }

    /// "sourceLen is the byte length of the source buffer": the subject is what JSON does not have. It says something
    /// about an argument if it names one, except that the one is the length of the other.
    fn is_of_hidden(&self, words: &[&str]) -> bool {
        let words = without_occasion(words);
        let Some((name, rest)) = self.subject(words) else { return false };
        let is_length = matches!(
            rest,
            [
                "is" | "gives" | "specifies" | "contains" | "holds",
                "the",
                "length" | "size" | "number",
                "of" | "in",
                ..
            ] | ["is" | "gives" | "specifies" | "contains" | "holds", "the", _, "length" | "size", "of", ..]
        );
        let is_plain =
            !rest.iter().any(|word| matches!(*word, "which" | "that" | "must" | "if" | "and" | "but"));
        // What a length must be is what the data must be.
        let demands = rest.iter().any(|word| {
            matches!(
                bare(word),
                "must" | "should" | "may" | "can" | "cannot" | "shall" | "least" | "most" | "not" | "if"
            ) || word.contains(['<', '>', '='])
        });
        let names_other = rest.iter().any(|word| *word != name && self.visible.contains(&bare(word)));
        is_length && is_plain || !names_other && !demands
    }

    /// The hidden parameter that is the whole subject, and what follows it, beginning with a verb.
    fn subject<'w>(&self, words: &'w [&'w str]) -> Option<(&'w str, &'w [&'w str])> {
        const VERBS: [&str; 12] = [
            "is",
            "are",
            "gives",
            "specifies",
            "contains",
            "points",
            "holds",
            "counts",
            "indicates",
            "tells",
            "stores",
            "receives",
        ];
        let (word, rest, is_told) = match words {
            ["The" | "the", "parameter" | "argument", name, rest @ ..]
            | ["The" | "the", name, "parameter" | "argument", rest @ ..]
            | ["Parameter" | "Argument", name, rest @ ..] => (*name, rest, true),
            ["The" | "the", name, rest @ ..] | [name, rest @ ..] => (*name, rest, is_quoted(name)),
            [] => return None,
        };
        let name = bare(word);
        let is_hidden = self.hidden.contains(&name) && (is_told || is_identifier(name));
        // `name: text` is an item of a list.
        let is_item = word.ends_with(':') && !rest.is_empty();
        let is_verb = rest.first().is_some_and(|word| VERBS.contains(word));
        (is_hidden && (is_item || is_verb)).then_some((name, rest))
    }

    /// "The returned string must be freed with g_free()": of what is copied, JSON has nothing to free. A handle is
    /// freed by its callers. The sentence says nothing else: its only verb is the one that frees.
    fn is_of_memory(&self, words: &[&str]) -> bool {
        let rest = match words {
            ["The" | "the", "caller" | "user" | "application", rest @ ..]
            | ["You" | "Caller" | "Callers" | "It", rest @ ..]
            | ["The" | "the", "returned" | "resulting", _, rest @ ..]
            | ["The" | "the", "result", rest @ ..] => rest,
            [first @ ("Must" | "Should" | "Free"), ..] if !first.is_empty() => words,
            _ => return false,
        };
        let tail = match rest {
            ["must" | "should" | "Must" | "Should", "be", freed, tail @ ..] if is_freed(freed) => tail,
            ["needs" | "has", "to", "be", freed, tail @ ..] if is_freed(freed) => tail,
            ["must" | "should" | "Must", "free" | "free()" | "deallocate", tail @ ..] => tail,
            ["is", "responsible", "for", "freeing", tail @ ..] | ["Free", tail @ ..] => tail,
            ["is", "owned", "by", _, "and", tail @ ..] | ["belongs", "to", _, "and", tail @ ..] => match tail
            {
                ["must" | "should", "not", "be", "modified", "or", freed] if is_freed(freed) => &[],
                ["must" | "should", "not", "be", freed] if is_freed(freed) => &[],
                _ => return false,
            },
            _ => return false,
        };
        const MORE: [&str; 10] =
            ["and", "or", "but", "if", "unless", "because", "so", "which", "that", "not"];
        let says_more = tail.iter().any(|word| MORE.contains(word) || word.ends_with([',', ';', ':']));
        !says_more && !self.has_handles && !self.names_visible(tail)
    }

    /// "If buf is NULL, it returns …": an argument that is never null.
    fn is_of_null(&self, words: &[&str]) -> bool {
        let ["If" | "When", name, "is" | "==" | "=", null, rest @ ..] = words else { return false };
        let is_null = matches!(null.trim_end_matches(','), "NULL" | "Z_NULL" | "nullptr" | "`NULL`");
        let says_more = null.trim_end_matches(',') == *null
            || rest.iter().any(|word| {
                matches!(*word, "otherwise" | "Otherwise" | "else" | "or") || word.ends_with(';')
            });
        is_null && !says_more && self.required.contains(&bare(name))
    }

    fn names_visible(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.visible.contains(&bare(word)) && is_identifier(bare(word)))
    }
}

/// "Usage example:"
fn is_announcement(line: &str) -> bool {
    let line = line.trim().to_lowercase();
    ["usage example", "example", "for example", "usage"]
        .iter()
        .any(|word| line.trim_end_matches(['s', ':']) == *word)
        && line.ends_with(':')
}

/// Whether a sentence needs the one before it: "It must be positive."
fn refers_back(sentence: &str) -> bool {
    const WORDS: [&str; 21] = [
        "It",
        "it",
        "Its",
        "This",
        "this",
        "That",
        "They",
        "These",
        "Those",
        "Otherwise",
        "Then",
        "However",
        "Thus",
        "Therefore",
        "Hence",
        "Both",
        "Such",
        "In",
        "Also",
        "So",
        "See",
    ];
    words(sentence).first().is_some_and(|word| WORDS.contains(&bare(word)))
}

/// "Upon entry, destLen is …"
fn without_occasion<'w>(words: &'w [&'w str]) -> &'w [&'w str] {
    match words {
        ["Upon" | "On" | "upon" | "on", "entry," | "exit," | "input," | "output," | "return,", rest @ ..] => {
            rest
        }
        _ => words,
    }
}

/// "A pointer to the buffer" is the buffer.
fn without_pointer(text: &str) -> String {
    let rest = ["A pointer to ", "a pointer to ", "Pointer to ", "pointer to "]
        .iter()
        .find_map(|start| text.strip_prefix(start))
        .filter(|rest| ["a ", "an ", "the "].iter().any(|article| rest.starts_with(article)));
    let Some(rest) = rest else { return text.to_owned() };
    let is_lower = text.starts_with(|c: char| c.is_lowercase());
    let mut characters = rest.chars();
    match characters.next() {
        Some(first) if !is_lower => first.to_uppercase().chain(characters).collect(),
        _ => rest.to_owned(),
    }
}

fn is_handle(kind: &Kind) -> bool {
    match kind {
        Kind::Handle(_) | Kind::State(_) => true,
        Kind::List(of) | Kind::Nullable(of) | Kind::Fixed(of, _) => is_handle(of),
        _ => false,
    }
}

/// Whether it is one value: a handle, a struct, a number.
fn is_one(kind: &Kind) -> bool {
    match kind {
        Kind::Handle(_) | Kind::State(_) | Kind::Record(_) | Kind::Scalar(_) => true,
        Kind::Nullable(of) => is_one(of),
        _ => false,
    }
}

fn words(sentence: &str) -> Vec<&str> {
    sentence.split_whitespace().collect()
}

/// The word without quotes and punctuation.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_'))
}

fn is_freed(word: &str) -> bool {
    matches!(word.trim_end_matches('.'), "freed" | "free'd" | "free()ed" | "free()-ed" | "deallocated")
}

fn is_quoted(word: &str) -> bool {
    ['`', '\'', '"', '*']
        .iter()
        .any(|sign| word.starts_with(*sign) && word.trim_end_matches(['.', ',', ':']).ends_with(*sign))
}

/// Whether a bare word can only be a name: `sourceLen`, `user_data`, `len`. Words such as `data` may be English.
fn is_identifier(word: &str) -> bool {
    let inner_capital = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    inner_capital
        || word.contains('_')
        || matches!(word, "len" | "buflen" | "nbytes" | "nmemb" | "argc" | "argv")
}

/// The sentences of a line, each with the space behind it.
fn sentences(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    let mut from = 0;
    while let Some(at) = line.get(from..).and_then(|rest| rest.find(['.', '!', '?'])).map(|at| from + at) {
        let after = line.get(at + 1..).unwrap_or_default();
        let rest = after.trim_start_matches([' ', '\t']);
        let abbreviated = ["e.g", "i.e", "etc", "vs", "cf", "approx", "resp"]
            .iter()
            .any(|word| line.get(begin..at).is_some_and(|text| text.to_lowercase().ends_with(word)));
        from = at + 1;
        if rest.len() < after.len() && !rest.is_empty() && !abbreviated {
            let end = line.len() - rest.len();
            found.extend(line.get(begin..end));
            (begin, from) = (end, end);
        }
    }
    found.extend(line.get(begin..).filter(|rest| !rest.is_empty()));
    found
}

#[cfg(test)]
mod tests;
