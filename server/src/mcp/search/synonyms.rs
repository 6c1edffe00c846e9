//! Words that ask for the same thing in the language of libraries: `synonyms.txt` has words of one meaning in each line,
//! `abbreviations.txt` a word and how names of functions shorten it. They are general: what is special to a library is in its
//! descriptions.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::words;

const SYNONYMS: &str = include_str!("synonyms.txt");
const ABBREVIATIONS: &str = include_str!("abbreviations.txt");

/// How much a synonym of a word counts, and an abbreviation of it.
const SYNONYM: f64 = 0.5;
const ABBREVIATION: f64 = 0.8;

/// The others of each word, with how much they count.
static OTHERS: LazyLock<HashMap<String, Vec<(String, f64)>>> = LazyLock::new(|| {
    let mut others: HashMap<String, HashMap<String, f64>> = HashMap::new();
    for (table, share) in [(SYNONYMS, SYNONYM), (ABBREVIATIONS, ABBREVIATION)] {
        for line in table.lines() {
            let line = words(line);
            for word in &line {
                let of = others.entry(word.clone()).or_default();
                for other in line.iter().filter(|other| *other != word) {
                    let best = of.entry(other.clone()).or_default();
                    *best = best.max(share);
                }
            }
        }
    }
    others.into_iter().map(|(word, others)| (word, others.into_iter().collect())).collect()
});

/// The words that mean about the same as a word, each with how much it counts.
pub(super) fn of(word: &str) -> &'static [(String, f64)] {
    OTHERS.get(word).map_or(&[], Vec::as_slice)
}

/// Whether it is one of these words.
pub(super) fn is_known(word: &str) -> bool {
    OTHERS.contains_key(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn others(word: &str) -> Vec<String> {
        of(&words(word)[0]).iter().map(|(other, _)| other.clone()).collect()
    }

    #[test]
    fn a_word_has_the_others_of_its_lines() {
        assert!(others("unzipping").contains(&"inflat".to_owned()));
        assert!(others("seek").contains(&"mov".to_owned()));
        assert!(!others("seek").contains(&"seek".to_owned()));
        assert!(others("database").contains(&"db".to_owned()));
        assert_eq!(others("planet"), [""; 0]);
        assert!(is_known("db") && !is_known("planet"));
    }

    #[test]
    fn a_line_has_at_least_two_words_and_none_twice() {
        for line in SYNONYMS.lines().chain(ABBREVIATIONS.lines()) {
            let mut stems = words(line);
            let count = stems.len();
            stems.sort_unstable();
            stems.dedup();
            assert_eq!(stems.len(), count, "{line}");
            assert!(count >= 2, "{line}");
            assert_eq!(count, line.split(' ').count(), "each is one word that tells something: {line}");
        }
    }
}
