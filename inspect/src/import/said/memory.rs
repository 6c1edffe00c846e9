//! What the documentation says about memory and references that are freed, as GLib words it.

use super::super::evidence::Evidence;
use super::Said;
use super::ownership::gives_up_reference;
use super::sentence::{About, Sentence};

impl Said {
    /// Whether the function gives up a reference to one of `objects`.
    pub(in super::super) fn drops_reference(&self, objects: &[String]) -> bool {
        let drops = |sentence: &Sentence| {
            sentence.about == About::Function && gives_up_reference(sentence.bare(), objects)
        };
        self.own().any(drops)
    }

    /// What proves that a function with the name of one that frees does free one of `objects`: "Frees the memory
    /// allocated for @checksum".
    pub(in super::super) fn frees_memory(&self, objects: &[String]) -> Option<Evidence> {
        let frees = |sentence: &&Sentence| {
            let plain = sentence.bare();
            let articles = ["the", "a", "an", "all"];
            let words: Vec<&str> = plain.split_whitespace().filter(|word| !articles.contains(word)).collect();
            let ["free" | "frees", "memory" | "resources", "allocated" | "used", "for" | "by", object, ..] =
                words.as_slice()
            else {
                return false;
            };
            let doubtful = ["not", "without", "only", "but"].iter().any(|word| words.contains(word));
            sentence.about == About::Function && !doubtful && objects.iter().any(|known| known == object)
        };
        self.own().find(frees).map(Sentence::evidence)
    }

    /// What proves that the caller has the only reference to the result.
    pub(in super::super) fn returns_reference(&self) -> Option<Evidence> {
        let says = |sentence: &&Sentence| {
            let plain = sentence.bare();
            let is_new = plain.has_any(&["creates a new", "returns a new", "a new", "a newly"]);
            is_new && plain.has_any(&["reference count of 1", "reference count of one"])
        };
        self.own().find(says).map(Sentence::evidence)
    }

    /// Whether the documentation fits memory that the caller frees with `g_free` or `g_strfreev`. A GIR file says of
    /// every `char*` that the caller owns it, unless it is annotated: also of a place in an argument, and of memory
    /// that something else frees.
    pub(in super::super) fn fits_owned_memory(&self) -> bool {
        const OWNED: [&str; 14] = [
            "new",
            "newly",
            "newly-allocated",
            "newly-created",
            "allocated",
            "allocates",
            "free",
            "freed",
            "copy",
            "copies",
            "duplicate",
            "duplicates",
            "duplicated",
            "release",
        ];
        const ELSEWHERE: [&str; 6] = [
            "pointer to the",
            "pointer within",
            "pointer into",
            "reference counted",
            "reference-counted",
            "nonpageable",
        ];
        let is_owned = self.sentences.iter().any(|sentence| {
            let plain = sentence.bare();
            plain.has_any(&OWNED) || sentence.text.contains("g_free")
        });
        let is_elsewhere = self.sentences.iter().any(|sentence| {
            let plain = sentence.bare();
            let is_about = sentence.about == About::Returns || plain.has("reference counted");
            is_about && plain.has_any(&ELSEWHERE)
        });
        // "freed with [func@password_free]"
        let is_other =
            self.sentences.iter().filter(|sentence| sentence.about == About::Returns).any(|sentence| {
                let is_function =
                    |word: &str| word.ends_with("()") || word.contains("func@") || word.contains("method@");
                let is_known = |word: &str| {
                    ["g_free", "g_strfreev", "GLib.free", "GLib.strfreev"].iter().any(|of| word.contains(of))
                };
                let plain = sentence.bare();
                let frees = plain.has_any(&["free", "freed", "released", "unref", "release"]);
                let mut named = sentence.text.split_whitespace().map(|word| {
                    word.trim_matches(['.', ',', ';', ')', '(']).to_owned()
                        + if word.contains("()") { "()" } else { "" }
                });
                frees && named.any(|word| is_function(&word) && !is_known(&word))
            });
        is_owned && !is_elsewhere && !is_other
    }
}
