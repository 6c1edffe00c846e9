//! Words that ask for the same thing in the language of libraries.

use super::words::words;

/// Each line has words of one meaning. They are few and general: what is special to a library is in its descriptions.
const GROUPS: [&str; 30] = [
    "begin start initialize init initialise launch",
    "create make new build construct allocate open",
    "end finish close free finalize destroy release delete terminate shutdown",
    "delete remove drop erase clear unlink",
    "stop cancel abort interrupt kill",
    "read load fetch receive input",
    "write store save put output emit",
    "change modify update set adjust",
    "copy duplicate clone backup",
    "join combine merge concatenate append",
    "move seek jump position offset",
    "number count many quantity",
    "size length large big long bytes",
    "maximum limit most bound upper",
    "minimum least lower",
    "compress deflate pack zip shrink smaller",
    "decompress uncompress inflate unpack unzip extract expand",
    "error failure fail problem fault wrong",
    "message text string meaning describe explain",
    "text string str characters",
    "bytes blob binary buffer data",
    "checksum hash digest crc",
    "option flag setting parameter configuration config",
    "find search look locate match",
    "compare equal order same",
    "list enumerate iterate each all",
    "check verify validate test whether",
    "wait sleep pause delay timeout",
    "query sql statement select",
    "convert transform translate encode",
];

/// The other words of the groups of a word.
pub(super) fn of(word: &str) -> Vec<String> {
    let mut others = Vec::new();
    for group in GROUPS {
        let group = words(group);
        if group.iter().any(|of| of == word) {
            others.extend(group.into_iter().filter(|other| other != word));
        }
    }
    others.sort_unstable();
    others.dedup();
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_others_of_its_groups() {
        let of = |word: &str| of(&words(word)[0]);
        assert!(of("unzipping").contains(&"inflat".to_owned()));
        assert!(of("seek").contains(&"mov".to_owned()));
        assert!(!of("seek").contains(&"seek".to_owned()));
        assert_eq!(of("planet"), [""; 0]);
    }

    #[test]
    fn a_group_has_no_word_twice() {
        for group in GROUPS {
            let mut stems = words(group);
            let count = stems.len();
            stems.sort_unstable();
            stems.dedup();
            assert_eq!(stems.len(), count, "{group}");
        }
    }
}
