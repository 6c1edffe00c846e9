//! Chooses the functions to import.

use crate::{Exports, Function};

/// All conditions must hold. Functions of included headers are already left out when headers are read.
#[derive(Default)]
pub(super) struct Selection<'i> {
    /// What the library exports.
    pub(super) exports: Option<&'i Exports>,
    /// Patterns of names; if empty, all names.
    pub(super) only: &'i [String],
}

impl Selection<'_> {
    pub(super) fn has(&self, function: &Function) -> bool {
        let symbol = function.symbol.as_deref().unwrap_or(&function.name);
        self.exports.is_none_or(|exports| exports.has(symbol))
            && (self.only.is_empty() || self.only.iter().any(|pattern| matches(pattern, &function.name)))
    }
}

/// `*` matches any characters, `?` matches one.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(letter) if *letter == b'?' || *letter == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    p = at + 1;
                    n = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).is_none_or(|rest| rest.iter().all(|letter| *letter == b'*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name, expected) in [
            ("gz*", "gzopen", true),
            ("gz*", "agzopen", false),
            ("*_free", "curl_free", true),
            ("*_free", "curl_free_all", false),
            ("sqlite3_?pen*", "sqlite3_open_v2", true),
            ("crc32", "crc32", true),
            ("crc32", "crc32_z", false),
            ("a*b*c", "a-b-b-c", true),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
