//! Pages about functions of many types alike: "`TYPE` is used as a placeholder", and what the page says of `TYPE_new()` is true of
//! each function that its title names.

use super::pages::Page;
use super::synopsis;

/// The words that say which word is a placeholder. One page has them with a word missing.
const SAYS: [&str; 2] = [" is used as a placeholder for any of", " is used a placeholder for any of"];

/// The word that stands for the name of any type, if the page says so.
pub(super) fn word(page: &Page) -> Option<String> {
    let text = page.joined("DESCRIPTION");
    let before = SAYS.iter().find_map(|says| text.split_once(says)).map(|(before, _)| before)?;
    let word = before.rsplit(char::is_whitespace).next()?;
    let is_plain = word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase());
    is_plain.then(|| word.to_owned())
}

/// The function of the synopsis that stands for one of the title: `TYPE_new` for `X509_new`, and what it has for the word. What has a
/// prototype of its own is not meant.
pub(super) fn stands_for<'s>(word: &str, synopsis: &'s str, name: &str) -> Option<(&'s str, String)> {
    let declared = synopsis::functions(synopsis);
    if declared.contains(&name) {
        return None;
    }
    let fits = |function: &&'s str| {
        let (before, after) = function.split_once(word)?;
        let of = name.strip_prefix(before)?.strip_suffix(after)?;
        (!of.is_empty() && !after.contains(word)).then(|| (*function, of.to_owned()))
    };
    // `TYPE_new_ex` before `TYPE_new`.
    declared.iter().filter_map(fits).max_by_key(|(function, _)| function.len())
}

/// A line about the function, with its name, and those of the others of its type.
pub(super) fn line_about(line: &str, word: &str, synopsis: &str, of: &str) -> String {
    let declared = synopsis::functions(synopsis);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut text = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(is_word) {
        let (before, tail) = rest.split_at(start);
        let (token, behind) = tail.split_at(tail.find(|c| !is_word(c)).unwrap_or(tail.len()));
        text.push_str(before);
        match token == word || declared.contains(&token) {
            true => text.push_str(&token.replacen(word, of, 1)),
            false => text.push_str(token),
        }
        rest = behind;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYNOPSIS: &str =
        "TYPE *TYPE_new(void); TYPE *TYPE_new_ex(int); void TYPE_free(TYPE *a); DSA *DSAparams_new(void);";

    #[test]
    fn a_function_has_its_type_for_the_word() {
        let stands = |name| stands_for("TYPE", SYNOPSIS, name);
        assert_eq!(stands("X509_new"), Some(("TYPE_new", "X509".to_owned())));
        assert_eq!(stands("X509_new_ex"), Some(("TYPE_new_ex", "X509".to_owned())));
        assert_eq!(stands("DSAparams_new"), None);
        assert_eq!(stands("X509_dup"), None);
        assert_eq!(stands("_new"), None);
    }

    #[test]
    fn only_the_word_itself_is_replaced() {
        let line = "TYPE_new() makes a TYPE of an ASN1_TYPE, which TYPE_free() releases. ";
        let about = "X509_new() makes a X509 of an ASN1_TYPE, which X509_free() releases. ";
        assert_eq!(line_about(line, "TYPE", SYNOPSIS, "X509"), about);
    }
}
