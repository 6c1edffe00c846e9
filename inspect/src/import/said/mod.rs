//! What the documentation of a function says in words that leave one reading, sentence by sentence.
//!
//! A sentence proves something only if it names the parameters or functions that it is about. The patterns are
//! few and literal: a sentence that none of them fits proves nothing, and the fact stays a question.

mod about;
mod doubt;
mod ends;
mod length;
mod memory;
mod null;
mod ownership;
mod plain;
mod sentence;
#[cfg(test)]
mod tests;

use super::convention::Failure;
use super::evidence::Evidence;
use crate::{Direction, Function};
pub(super) use length::Unit;
use length::{bare, length};
use plain::Plain;
use sentence::{About, Sentence};

/// The sentences of a function's documentation.
pub(super) struct Said {
    sentences: Vec<Sentence>,
    /// The name of the function in C.
    name: String,
    /// The names of its parameters.
    parameters: Vec<String>,
    /// Whether the comment describes several functions.
    is_shared: bool,
    /// Whether the comment describes this function, alone or among others.
    is_about_function: bool,
}

/// Stands for the parameter in question, and for the one that may count it, in a sentence.
const POINTER: &str = "@p";
const COUNT: &str = "@n";

impl Said {
    pub(super) fn of(function: &Function) -> Self {
        Self {
            sentences: sentence::read(function),
            name: function.name.clone(),
            parameters: function
                .signature
                .iter()
                .flat_map(|of| &of.parameters)
                .filter_map(|of| of.name.clone())
                .collect(),
            is_shared: function.comment.as_ref().is_some_and(|comment| comment.shared_by > 1),
            is_about_function: function
                .comment
                .as_ref()
                .is_some_and(|comment| !super::comment::description(comment, &function.name).is_empty()),
        }
    }

    /// Whether a comment describes the function.
    pub(super) fn is_documented(&self) -> bool {
        self.is_about_function
    }

    /// What proves that `count` is the length of `pointer`, and what it counts.
    pub(super) fn length(&self, pointer: &str, count: &str) -> Option<(Unit, Evidence)> {
        self.own().find_map(|sentence| {
            // `buf[0..len-1]`
            let is_range = || {
                sentence.text.contains("[0..") && sentence.text.contains(&format!("{pointer}[0..{count}-1]"))
            };
            let is_named = sentence.has_name(pointer);
            if !is_named && !is_range() {
                return None;
            }
            let own = matches!(&sentence.about, About::Parameter(name) if name == count);
            let plain = sentence.plain(&[(pointer, POINTER), (count, COUNT)]);
            let doubtful = [
                "at most",
                "up to",
                "maximum",
                "-1",
                "negative",
                "nul",
                "null-terminated",
                "zero-terminated",
                "terminator",
                "0-terminator",
                "null-terminator",
                "terminating",
                "bits",
                "words",
                "frames",
                "samples",
                "pixels",
            ];
            if plain.has_any(&doubtful) {
                return None;
            }
            if is_range() {
                return Some((Unit::Elements, sentence.evidence()));
            }
            let unit = length(&bare(&plain), own)?;
            Some((unit, sentence.evidence()))
        })
    }

    /// Whether the documentation of `count`, which may come directly after `text`, speaks of the length of that text;
    /// with what proves that it is its number of bytes: "The length of @text, or -1 if it ends at a NUL".
    pub(super) fn counts_text(&self, text: &str, count: &str, is_next: bool) -> Option<Option<Evidence>> {
        const SPEAKS: [&str; 6] =
            ["length", "bytes", "characters", "chars", "nul-terminated", "null-terminated"];
        let about = About::Parameter(count.to_owned());
        let sentence = self.sentences.iter().find(|sentence| {
            let plain = sentence.plain(&[(text, POINTER)]);
            let is_meant = is_next || plain.has(POINTER);
            sentence.about == about && is_meant && plain.has_any(&SPEAKS)
        })?;
        let plain = sentence.plain(&[(text, POINTER)]);
        let is_whole = plain.has_any(&["-1", "nul-terminated", "null-terminated", "in bytes"]);
        let is_doubtful = plain.has_any(&["characters", "chars", "maximum", "most", "up to", "offset"]);
        let is_named = ["length of", "length in bytes of"]
            .iter()
            .any(|words| plain.has_row(&[words, POINTER]) || plain.has_row(&[words, "the", POINTER]));
        Some((is_whole && is_named && !is_doubtful).then(|| sentence.evidence()))
    }

    /// What proves the direction of a parameter.
    pub(super) fn direction(
        &self,
        parameter: &str,
        known: Option<Direction>,
    ) -> Option<(Direction, Evidence)> {
        let about = About::Parameter(parameter.to_owned());
        if let Some(direction) = known {
            let sentence = self.sentences.iter().find(|sentence| sentence.about == about)?;
            return Some((direction, sentence.evidence()));
        }
        let marked = self.sentences.iter().filter(|sentence| sentence.about == about).find_map(|sentence| {
            let direction = match sentence.text.split([':', ' ']).next()? {
                "OUT" => Direction::Out,
                "IN" => Direction::In,
                "IN/OUT" | "INOUT" => Direction::InOut,
                _ => return None,
            };
            Some((direction, sentence.evidence()))
        });
        if marked.is_some() {
            return marked;
        }
        // `@param out Pointer where to store the result`
        const STORED: [&str; 10] = [
            "location to store",
            "location to return",
            "return location for",
            "return location to",
            "where to store",
            "in which to store",
            "will be stored",
            "that will receive",
            "that receives",
            "written here",
        ];
        let stored = self.own().filter(|sentence| sentence.about == about).find(|sentence| {
            let plain = sentence.bare();
            plain.has_any(&STORED)
        });
        // What has to be initialized is read as well.
        let is_begun = |sentence: &Sentence| {
            let plain = sentence.bare();
            sentence.about == about && plain.has_any(&["initialized", "initialised", "setup", "valid"])
        };
        let stored = stored.filter(|_| !self.sentences.iter().any(is_begun));
        if let Some(sentence) = stored {
            return Some((Direction::Out, sentence.evidence()));
        }
        let at = |times: &[&str]| {
            self.own().find(|sentence| {
                let plain = sentence.plain(&[(parameter, POINTER)]);
                times.iter().any(|time| plain.has_row(&[time, POINTER, "is"]))
            })
        };
        at(&["upon entry", "on entry", "on input"])?;
        let exit = at(&["upon exit", "on exit", "on output", "upon return", "on return"])?;
        Some((Direction::InOut, exit.evidence()))
    }

    /// What proves that a function fills a buffer: "compresses … into …".
    pub(super) fn fills(&self, buffer: &str) -> Option<Evidence> {
        const VERBS: [&str; 12] = [
            "compresses",
            "compress",
            "decompresses",
            "decompress",
            "copies",
            "copy",
            "reads",
            "read",
            "decodes",
            "encodes",
            "writes",
            "write",
        ];
        let fills = |sentence: &&Sentence| {
            if !sentence.has_name(buffer) {
                return false;
            }
            let plain = sentence.plain(&[(buffer, POINTER)]);
            let silent = ["already", "allocated"];
            let bare: Plain = bare(&plain).split_whitespace().filter(|word| !silent.contains(word)).collect();
            bare.has_row(&["into", POINTER])
                && plain.split_whitespace().take(2).any(|verb| VERBS.contains(&verb))
        };
        self.own().find(fills).map(Sentence::evidence)
    }

    /// Whether the documentation says that a parameter is a number: "`destLen` is the total size of the buffer".
    pub(super) fn is_number(&self, parameter: &str) -> bool {
        self.own().filter(|sentence| sentence.has_name(parameter)).any(|sentence| {
            let bare = bare(&sentence.plain(&[(parameter, POINTER)]));
            ["size", "length", "number", "count", "actual size", "actual length"]
                .iter()
                .any(|noun| bare.has_row(&[POINTER, "is", noun]))
        })
    }

    /// Whether the documentation suggests that a parameter has several elements.
    pub(super) fn suggests_several(&self, parameter: &str) -> bool {
        const SEVERAL: [&str; 11] = [
            "array", "arrays", "list", "buffer", "elements", "entries", "vector", "table", "values", "items",
            "sequence",
        ];
        self.sentences.iter().any(|sentence| {
            let plain = sentence.plain(&[(parameter, POINTER)]);
            let is_meant = sentence.about == About::Parameter(parameter.to_owned()) || plain.has(POINTER);
            is_meant && plain.has_any(&SEVERAL)
        })
    }

    /// Whether an integer is documented, as something other than a count.
    pub(super) fn is_no_count(&self, parameter: &str) -> bool {
        const COUNTS: [&str; 20] = [
            "length",
            "len",
            "lengths",
            "size",
            "sizes",
            "sized",
            "bytes",
            "byte",
            "count",
            "counts",
            "number",
            "many",
            "characters",
            "chars",
            "elements",
            "entries",
            "items",
            "-1",
            "capacity",
            "long",
        ];
        // "length length of the buffer to read": the name is the word.
        if COUNTS.contains(&parameter.to_lowercase().as_str()) {
            return false;
        }
        let about = About::Parameter(parameter.to_owned());
        let own: Vec<&Sentence> = self.own().filter(|sentence| sentence.about == about).collect();
        let is_count = |sentence: &Sentence| {
            let plain = sentence.plain(&[(parameter, COUNT)]);
            plain.has_any(&COUNTS) || plain.contains("terminated")
        };
        let is_described =
            own.iter().any(|sentence| sentence.plain(&[(parameter, COUNT)]).split_whitespace().count() > 2);
        is_described
            && !self.sentences.iter().any(|sentence| {
                let is_meant = sentence.about == about || sentence.plain(&[(parameter, COUNT)]).has(COUNT);
                is_meant && is_count(sentence)
            })
    }

    /// What proves that a parameter is a text that ends at a NUL.
    pub(super) fn is_text(&self, parameter: &str) -> Option<Evidence> {
        const ENDS: [&str; 8] = [
            "nul-terminated",
            "null-terminated",
            "zero-terminated",
            "0-terminated",
            "nul terminated",
            "null terminated",
            "zero terminated",
            "terminated by a nul",
        ];
        let about = About::Parameter(parameter.to_owned());
        let says = |sentence: &&Sentence| {
            let plain = sentence.plain(&[(parameter, POINTER)]);
            let doubtful = ["not", "or", "unless", "if", "need", "optionally", "array", "list"];
            sentence.about == about && plain.has_any(&ENDS) && !plain.has_any(&doubtful)
        };
        self.own().find(says).map(Sentence::evidence)
    }

    /// How the function fails, if its documentation says when it succeeds, too.
    pub(super) fn fails(&self) -> Option<(Failure, Evidence)> {
        let returned = self.own().filter(|sentence| sentence.about == About::Returns);
        returned.into_iter().find_map(|sentence| Some((Failure::of(sentence.bare())?, sentence.evidence())))
    }

    /// Whether the documentation calls the result new or floating, so that its owner is not clear.
    pub(super) fn returns_new(&self) -> bool {
        self.sentences.iter().any(|sentence| {
            let plain = sentence.bare();
            sentence.about != About::Function && plain.has_any(&["floating", "new", "newly"])
                || plain.has("floating")
        })
    }

    /// What proves that the result is a floating reference, which nobody owns yet.
    pub(super) fn returns_floating(&self) -> Option<Evidence> {
        let floats = |sentence: &&Sentence| {
            let plain = sentence.bare();
            sentence.about == About::Returns && plain.has("floating") && !plain.has("not")
        };
        self.own().find(floats).map(Sentence::evidence)
    }

    /// What proves that the function returns false when it fails.
    pub(super) fn fails_with_false(&self) -> Option<Evidence> {
        let says = |sentence: &&Sentence| {
            let plain = sentence.bare();
            let failed = [
                "false on error",
                "false on failure",
                "false if an error",
                "false if error",
                "false in case of error",
                "false if there was an error",
                "false if it failed",
                "false with error set",
                "false if the",
                "false on errors",
            ];
            sentence.about == About::Returns
                && plain.has_any(&[
                    "true on success",
                    "true if successful",
                    "true if the operation was successful",
                    "true if it was successful",
                    "true upon success",
                ])
                && (plain.has_any(&failed) || plain.has("false otherwise") || !plain.has("false"))
        };
        self.own().find(says).map(Sentence::evidence)
    }

    /// The sentences that are about this function alone.
    fn own(&self) -> impl Iterator<Item = &Sentence> {
        self.sentences.iter().filter(|_| !self.is_shared)
    }
}
