//! What the documentation says about memory and references that are freed, as GLib words it.

use super::super::evidence::Evidence;
use super::Said;
use super::ownership::gives_up_reference;
use super::sentence::{About, Sentence, has};

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
            let is_new =
                ["creates a new", "returns a new", "a new", "a newly"].iter().any(|words| has(plain, words));
            is_new && ["reference count of 1", "reference count of one"].iter().any(|words| has(plain, words))
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
            OWNED.iter().any(|word| has(plain, word)) || sentence.text.contains("g_free")
        });
        let is_elsewhere = self.sentences.iter().any(|sentence| {
            let plain = sentence.bare();
            let is_about = sentence.about == About::Returns || has(plain, "reference counted");
            is_about && ELSEWHERE.iter().any(|words| has(plain, words))
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
                let frees =
                    ["free", "freed", "released", "unref", "release"].iter().any(|word| has(plain, word));
                let mut named = sentence.text.split_whitespace().map(|word| {
                    word.trim_matches(['.', ',', ';', ')', '(']).to_owned()
                        + if word.contains("()") { "()" } else { "" }
                });
                frees && named.any(|word| is_function(&word) && !is_known(&word))
            });
        is_owned && !is_elsewhere && !is_other
    }
}
