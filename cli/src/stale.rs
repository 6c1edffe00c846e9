//! Shows how a file differs from the expected text, in a few lines.

/// The number of lines shown of each side.
const SHOWN: usize = 6;

/// The part from the first to the last line that differs, cut short: lines of the file are marked `-` and
/// expected lines `+`. Empty if only line ends differ.
pub(crate) fn difference(present: &str, expected: &str) -> String {
    let old: Vec<&str> = present.lines().collect();
    let new: Vec<&str> = expected.lines().collect();
    let same =
        |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(old, new)| old == new).count();
    let before = same(&mut old.iter().zip(&new));
    let behind = same(&mut old[before..].iter().rev().zip(new[before..].iter().rev()));
    let [old, new] = [&old[before..old.len() - behind], &new[before..new.len() - behind]];
    if old.is_empty() && new.is_empty() {
        return String::new();
    }
    let mut text = format!("@@ line {} @@\n", before + 1);
    for (mark, lines) in [('-', old), ('+', new)] {
        for line in lines.iter().take(SHOWN) {
            text += &format!("{mark} {line}\n");
        }
        if lines.len() > SHOWN {
            text += &format!("{mark} … {} more\n", lines.len() - SHOWN);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_shown() {
        assert_eq!(difference("a\nb\nc\n", "a\nB\nc\n"), "@@ line 2 @@\n- b\n+ B\n");
        assert_eq!(difference("a\nc\n", "a\nb\nc\n"), "@@ line 2 @@\n+ b\n");
        assert_eq!(difference("a\na\n", "a\n"), "@@ line 2 @@\n- a\n");
        assert_eq!(difference("a\r\nb\r\n", "a\nb\n"), "");
        assert_eq!(difference("", ""), "");
    }

    #[test]
    fn much_is_cut_short() {
        let long: String = (0..20).map(|number| format!("{number}\n")).collect();
        let shown = difference("", &long);
        assert_eq!(shown.lines().count(), 1 + SHOWN + 1);
        assert!(shown.ends_with("+ … 14 more\n"), "{shown}");
    }
}
