//! Sentences that raise a question: they suggest something that they do not prove.

use super::super::evidence::Evidence;
use super::Said;
use super::sentence::{About, Sentence, has};

impl Said {
    /// A sentence that has one of `words` and speaks of one of `objects`, which are in lower case.
    pub(in super::super) fn suggests(&self, words: &[&str], objects: &[String]) -> Option<Evidence> {
        let suggests = |sentence: &&Sentence| {
            let plain = sentence.plain(&[]);
            let is_meant = match &sentence.about {
                About::Parameter(name) if objects.contains(&name.to_lowercase()) => true,
                About::Returns => false,
                // A single letter is a name only in capitals.
                _ => objects.iter().any(|object| match object.len() {
                    1 => sentence.has_capital(object),
                    _ => has(&plain, object),
                }),
            };
            is_meant && words.iter().any(|word| has(&plain, word))
        };
        self.sentences.iter().find(suggests).map(Sentence::evidence)
    }

    /// Whether the first sentence begins with a word of one of `stems`.
    pub(in super::super) fn begins_with(&self, stems: &[&str]) -> bool {
        let first = self.sentences.iter().find(|sentence| sentence.about == About::Function);
        first.is_some_and(|sentence| {
            let plain = sentence.plain(&[]);
            let word = plain.split_whitespace().next().unwrap_or_default();
            stems.iter().any(|stem| word.starts_with(stem))
        })
    }

    /// Whether any sentence has one of `words`.
    pub(in super::super) fn mentions(&self, words: &[&str]) -> bool {
        self.sentences.iter().any(|sentence| {
            let plain = sentence.plain(&[]);
            words.iter().any(|word| has(&plain, word))
        })
    }
}
