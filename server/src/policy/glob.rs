//! Names with `*` for any text and `?` for one character.

/// Whether `pattern` matches the whole of `name`. The time is at most the product of both lengths, whatever the
/// pattern.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut read) = (0, 0);
    // Behind the last `*`, and how much of the name it has taken.
    let mut star: Option<(usize, usize)> = None;
    while read < name.len() {
        match pattern.get(at) {
            Some('*') => {
                at += 1;
                star = Some((at, read));
            }
            Some(&expected) if expected == '?' || expected == name[read] => {
                at += 1;
                read += 1;
            }
            _ => {
                let Some((behind, taken)) = star else { return false };
                at = behind;
                read = taken + 1;
                star = Some((behind, read));
            }
        }
    }
    pattern[at..].iter().all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_whole_names() {
        for (pattern, name, expected) in [
            ("add", "add", true),
            ("add", "adds", false),
            ("add", "Add", false),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("sqlite3_*", "sqlite3_open", true),
            ("sqlite3_*", "xsqlite3_open", false),
            ("*_get_*", "a_get_b", true),
            ("*_get_*", "a_get", false),
            ("*b*c", "abcbc", true),
            ("*b*c", "abcb", false),
            ("g?t", "get", true),
            ("g?t", "gt", false),
            ("é?", "éü", true),
            ("a**", "a", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn no_pattern_takes_long() {
        let begin = std::time::Instant::now();
        assert!(!matches(&format!("{}c", "a*".repeat(2000)), &"a".repeat(4000)));
        assert!(begin.elapsed().as_secs() < 5, "{:?}", begin.elapsed());
    }
}
