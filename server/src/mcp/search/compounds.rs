//! Names that are several words without a mark between them: `errmsg`, `libversion`, `getmessage`.

use std::collections::HashSet;

use super::synonyms;
use super::words::stem;

/// The shortest word within a name, and the most that a name is taken for.
const SHORTEST: usize = 3;
const MOST: usize = 4;
/// Longer parts of names are left as they are.
const LONGEST: usize = 40;

/// The words that a part of a name is made of, if all of it is words: those of `vocabulary`, and general ones. As few as possible.
pub(super) fn split(part: &str, vocabulary: &HashSet<String>) -> Vec<String> {
    if part.len() > LONGEST || !part.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Vec::new();
    }
    // The fewest words up to each place.
    let mut best: Vec<Option<Vec<String>>> = vec![None; part.len() + 1];
    best[0] = Some(Vec::new());
    for end in SHORTEST..=part.len() {
        for begin in 0..=end - SHORTEST {
            let Some(before) = best[begin].as_ref().filter(|words| words.len() < MOST) else { continue };
            let fewer = best[end].as_ref().is_none_or(|words| before.len() + 1 < words.len());
            let word = stem(&part[begin..end]);
            let is_whole = (begin, end) == (0, part.len());
            if fewer && !is_whole && (vocabulary.contains(&word) || synonyms::is_known(&word)) {
                let mut words = before.clone();
                words.push(word);
                best[end] = Some(words);
            }
        }
    }
    best.pop().flatten().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_split_where_all_of_it_is_words() {
        let vocabulary: HashSet<String> = ["planet", "hit"].map(str::to_owned).into();
        let split = |part: &str| split(part, &vocabulary);
        assert_eq!(split("errmsg"), ["err", "msg"]);
        assert_eq!(split("planetname"), ["planet", "nam"]);
        assert_eq!(split("libversion"), ["lib", "version"].map(stem));
        for whole in ["planet", "planetary", "xerrmsg", "hitpl", "", "größe", "err2msg"] {
            assert_eq!(split(whole), [""; 0], "{whole}");
        }
        assert_eq!(split(&"err".repeat(MOST + 1)), [""; 0]);
        assert_eq!(split(&"err".repeat(100_000)), [""; 0]);
    }
}
