//! The strings that represent handles in JSON.
//!
//! `sqlite3:1.0.7.5d0c…`: the type, the table, the slot, the generation, and a tag that only this
//! process can compute, or a process and those that it follows. The tag distinguishes a freed token from an invented one.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use super::past;

/// The parts of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Token<'t> {
    /// The name of the handle's type.
    pub name: &'t str,
    /// The number of the table.
    pub table: u64,
    /// The slot in the table.
    pub slot: usize,
    /// Which of the handles that have used the slot.
    pub generation: u64,
}

impl<'t> Token<'t> {
    /// Parses `text`, if this process issued it.
    pub fn parse(text: &'t str) -> Option<Self> {
        let (name, rest) = text.rsplit_once(':')?;
        let mut parts = rest.split('.');
        let table = number(parts.next()?)?;
        let slot = usize::try_from(number(parts.next()?)?).ok()?;
        let generation = number(parts.next()?)?;
        let tag = tag(parts.next()?)?;
        let token = Self { name, table, slot, generation };
        (parts.next().is_none() && tag == token.tag()).then_some(token)
    }

    fn tag(&self) -> u64 {
        static KEY: OnceLock<RandomState> = OnceLock::new();
        past::signature(self).unwrap_or_else(|| KEY.get_or_init(RandomState::new).hash_one(self))
    }
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, table, slot, generation } = self;
        write!(f, "{name}:{table}.{slot}.{generation}.{:016x}", self.tag())
    }
}

/// A number as `Display` writes it: no sign, no leading zeros. A handle has exactly one token.
fn number(digits: &str) -> Option<u64> {
    let canonical = digits == "0" || digits.starts_with(|first: char| matches!(first, '1'..='9'));
    if canonical { digits.parse().ok() } else { None }
}

fn tag(digits: &str) -> Option<u64> {
    let canonical =
        digits.len() == 16 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    if canonical { u64::from_str_radix(digits, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TOKEN: Token<'_> = Token { name: "sqlite3", table: 1, slot: 0, generation: 20 };

    #[test]
    fn a_token_is_read_as_it_was_written() {
        let text = TOKEN.to_string();
        assert!(text.starts_with("sqlite3:1.0.20."), "{text}");
        assert_eq!(Token::parse(&text), Some(TOKEN));
    }

    #[test]
    fn a_token_has_one_spelling() {
        let text = TOKEN.to_string();
        let tag = &text["sqlite3:1.0.20.".len()..];
        for other in [
            format!("sqlite3:01.0.20.{tag}"),
            format!("sqlite3:1.00.20.{tag}"),
            format!("sqlite3:1.0.+20.{tag}"),
            format!("sqlite3:1.0.20.{tag}."),
            format!("sqlite3:1.0.20.0{tag}"),
            format!("sqlite3:1..20.{tag}"),
            format!("sqlite3:1.0.20.{}", tag.to_uppercase() + "A"),
            format!(" {text}"),
            format!("{text}\n"),
            format!("x:{text}"),
            format!("sqlite3_stmt:1.0.20.{tag}"),
            String::new(),
            ":".to_owned(),
            "sqlite3:1.0.20.".to_owned(),
            format!("sqlite3:99999999999999999999.0.20.{tag}"),
        ] {
            assert_eq!(Token::parse(&other), None, "{other}");
        }
    }

    #[test]
    fn every_digit_counts() {
        let text = TOKEN.to_string();
        for (at, digit) in text.char_indices().skip("sqlite3:".len()).filter(|(_, digit)| *digit != '.') {
            for other in "0123456789abcdef".chars().filter(|other| *other != digit) {
                let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
                assert_eq!(Token::parse(&changed), None, "{changed}");
            }
        }
    }

    proptest! {
        #[test]
        fn random_strings_are_not_tokens(text in any::<String>()) {
            prop_assert_eq!(Token::parse(&text), None);
        }

        #[test]
        fn a_string_in_the_form_of_a_token_is_not_one(text in "[a-z0-9_]{0,8}:[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9a-f]{16}") {
            prop_assert_eq!(Token::parse(&text), None);
        }

        #[test]
        fn a_changed_token_is_not_one(
            name in "\\PC{0,12}", table: u64, slot: usize, generation: u64,
            at: prop::sample::Index, other: char, change in 0..3,
        ) {
            let text = Token { name: &name, table, slot, generation }.to_string();
            prop_assert_eq!(Token::parse(&text), Some(Token { name: &name, table, slot, generation }));
            let mut changed: Vec<char> = text.chars().collect();
            let at = at.index(changed.len());
            match change {
                0 => changed[at] = other,
                1 => changed.insert(at, other),
                _ => { changed.remove(at); }
            }
            let changed = String::from_iter(changed);
            prop_assume!(changed != text);
            prop_assert_eq!(Token::parse(&changed), None);
        }
    }
}
