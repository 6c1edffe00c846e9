//! The sentence that is shown with a question: it proves nothing, and may answer a reader.

use super::super::evidence::Evidence;
use super::{About, POINTER, Said, Sentence};

impl Said {
    /// The first sentence about a parameter: the one that belongs to it, or one that names it.
    pub(in super::super) fn about(&self, parameter: &str) -> Option<Evidence> {
        let own = About::Parameter(parameter.to_owned());
        let names = |sentence: &&Sentence| sentence.plain(&[(parameter, POINTER)]).has(POINTER);
        let of_function = |sentence: &&Sentence| sentence.about == About::Function && names(sentence);
        self.sentences
            .iter()
            .find(|sentence| sentence.about == own)
            .or_else(|| self.sentences.iter().find(of_function))
            .map(Sentence::evidence)
    }

    /// The first sentence about the return value.
    pub(in super::super) fn about_result(&self) -> Option<Evidence> {
        let says = |sentence: &&Sentence| {
            let plain = sentence.bare();
            sentence.about == About::Function && plain.has_any(&["returns", "return", "returned"])
        };
        self.sentences
            .iter()
            .find(|sentence| sentence.about == About::Returns)
            .or_else(|| self.sentences.iter().find(says))
            .map(Sentence::evidence)
    }
}
