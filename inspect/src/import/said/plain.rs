//! The words of a sentence in lower case, with an index: most phrases are not in a sentence, and the index says so
//! without a search.

use std::ops::Deref;

/// Words without punctuation, between single spaces.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    text: String,
    index: Index,
}

/// The words that a text may have: each is one of these bits, which others may share.
#[derive(Clone, Copy, Debug, Default)]
struct Index([u64; 4]);

impl Plain {
    pub(super) fn new() -> Self {
        Self { text: " ".to_owned(), index: Index::default() }
    }

    /// Adds a word, which ends the text.
    pub(super) fn push(&mut self, word: &str) {
        self.text.push_str(word);
        self.text.push(' ');
        self.index.add(word);
    }

    /// Whether it has these words in a row.
    pub(super) fn has(&self, words: &str) -> bool {
        self.has_row(&[words])
    }

    /// Whether it has one of these.
    pub(super) fn has_any(&self, list: &[&str]) -> bool {
        list.iter().any(|words| self.has(words))
    }

    /// Whether it has the words of all `parts` in a row.
    pub(super) fn has_row(&self, parts: &[&str]) -> bool {
        self.may_have_all(parts)
            && self.text.match_indices(' ').any(|(at, _)| {
                let behind = parts.iter().try_fold(&self.text[at..], |rest, part| {
                    rest.strip_prefix(' ')?.strip_prefix(part).filter(|rest| rest.starts_with(' '))
                });
                behind.is_some()
            })
    }

    /// Whether it may have the word, in upper or lower case: `false` is certain.
    pub(super) fn may_have(&self, word: &str) -> bool {
        // The lower case of other letters may be longer.
        self.index.has(word) || !word.is_ascii()
    }

    fn may_have_all(&self, parts: &[&str]) -> bool {
        parts.iter().all(|part| part.split(' ').all(|word| self.index.has(word)))
    }

    /// It has this word too, though its text does not show it.
    pub(super) fn mark(&mut self, word: &str) {
        self.index.add(word);
    }
}

impl FromIterator<String> for Plain {
    fn from_iter<I: IntoIterator<Item = String>>(words: I) -> Self {
        words.into_iter().fold(Self::new(), |mut plain, word| {
            plain.push(&word);
            plain
        })
    }
}

impl<'w> FromIterator<&'w str> for Plain {
    fn from_iter<I: IntoIterator<Item = &'w str>>(words: I) -> Self {
        words.into_iter().fold(Self::new(), |mut plain, word| {
            plain.push(word);
            plain
        })
    }
}

impl Deref for Plain {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl Index {
    fn add(&mut self, word: &str) {
        let bit = Self::bit(word);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn has(&self, word: &str) -> bool {
        let bit = Self::bit(word);
        self.0[bit / 64] & (1 << (bit % 64)) != 0
    }

    /// A number below 256, the same in upper and lower case: the length and three letters tell most words apart.
    fn bit(word: &str) -> usize {
        let word = word.as_bytes();
        let (Some(first), Some(last)) = (word.first(), word.last()) else { return 0 };
        let letter = |byte: u8| u32::from(byte.to_ascii_lowercase());
        let mixed = letter(*first)
            .wrapping_mul(0x9e37_79b1)
            .wrapping_add(letter(word[word.len() / 2]).wrapping_mul(0x85eb_ca6b))
            .wrapping_add(letter(*last).wrapping_mul(0xc2b2_ae35))
            .wrapping_add((word.len() as u32).wrapping_mul(0x27d4_eb2f));
        (mixed >> 24) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_a_row_and_whole() {
        let plain: Plain = ["the", "size", "of", "*buffer", "is", "null"].into_iter().collect();
        assert_eq!(&*plain, " the size of *buffer is null ");
        assert!(plain.has("size of") && plain.has("the") && plain.has("is null"));
        assert!(plain.has_row(&["size of", "*buffer", "is null"]));
        assert!(!plain.has("siz") && !plain.has("ize of") && !plain.has("buffer") && !plain.has("size is"));
        assert!(!plain.has_row(&["size", "*buffer"]) && !plain.has("") && !Plain::new().has(""));
        assert!(plain.has_any(&["none", "of"]) && !plain.has_any(&["none", "f"]));
    }

    #[test]
    fn a_word_that_is_there_is_never_ruled_out() {
        let words = ["a", "é", "straße", "x1", "a-word-of-many-parts"];
        let plain: Plain = words.into_iter().collect();
        assert!(words.iter().all(|word| plain.may_have(word) && plain.has(word)));
        assert!(plain.may_have("X1") && plain.may_have("STRASSE"));
    }
}
