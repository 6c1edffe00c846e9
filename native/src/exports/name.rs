//! Names of symbols: the decorations of 32-bit Windows, and which names are near to another.

use crate::interface::Convention;

/// A symbol's name, and what its decoration tells.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decorated<'a> {
    pub name: &'a str,
    pub convention: Option<Convention>,
    pub argument_bytes: Option<u32>,
}

impl<'a> Decorated<'a> {
    /// A name without decoration.
    pub fn plain(name: &'a str) -> Self {
        Self { name, convention: None, argument_bytes: None }
    }

    /// A name of a 32-bit DLL: `name@12` and `_name@12` are stdcall, `@name@8` is fastcall.
    pub fn parse(symbol: &'a str) -> Self {
        let Some((name, bytes)) = symbol.rsplit_once('@') else { return Self::plain(symbol) };
        let is_number = !bytes.is_empty() && bytes.bytes().all(|byte| byte.is_ascii_digit());
        let Some(argument_bytes) = bytes.parse().ok().filter(|_| is_number) else {
            return Self::plain(symbol);
        };
        let (name, convention) = match name.strip_prefix('@') {
            Some(name) => (name, Convention::Other),
            None => (name.strip_prefix('_').unwrap_or(name), Convention::Stdcall),
        };
        if name.is_empty() {
            return Self::plain(symbol);
        }
        Self { name, convention: Some(convention), argument_bytes: Some(argument_bytes) }
    }
}

/// Up to three names that `name` may have been meant to be, the nearest first.
pub(super) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let folded = fold(name);
    // A short name resembles too many others.
    let limit = match folded.len() {
        0..=3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    let mut found: Vec<(usize, &str)> = candidates
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= limit + 4)
        .filter_map(|candidate| {
            let distance = distance(&folded, &fold(candidate));
            (distance <= limit).then_some((distance, candidate))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(3).map(|(_, candidate)| candidate).collect()
}

/// What is the same for a reader: neither case nor underscores count.
fn fold(name: &str) -> Vec<u8> {
    name.bytes().filter(|byte| *byte != b'_').map(|byte| byte.to_ascii_lowercase()).collect()
}

/// How many letters have to be added, dropped, changed or swapped with the next.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1; b.len() + 1];
        for (j, y) in b.iter().enumerate() {
            let changed = last[j] + usize::from(x != y);
            row[j + 1] = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decoration_of_stdcall_tells_the_argument_bytes() {
        for (symbol, name, convention, bytes) in [
            ("sub@16", "sub", Some(Convention::Stdcall), Some(16)),
            ("_sub@16", "sub", Some(Convention::Stdcall), Some(16)),
            ("@sub@8", "sub", Some(Convention::Other), Some(8)),
            ("sub", "sub", None, None),
            ("_sub", "_sub", None, None),
            ("?sub@@YAHH@Z", "?sub@@YAHH@Z", None, None),
            ("sub@", "sub@", None, None),
            ("@12", "@12", None, None),
            ("sub@99999999999", "sub@99999999999", None, None),
        ] {
            let expected = Decorated { name, convention, argument_bytes: bytes };
            assert_eq!(Decorated::parse(symbol), expected, "{symbol}");
        }
    }

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        let names = ["compress", "compress2", "uncompress", "deflate", "inflate", "gzopen64"];
        assert_eq!(nearest("compres", names.into_iter()), ["compress", "compress2"]);
        assert_eq!(nearest("gz_open64", names.into_iter()), ["gzopen64"]);
        assert_eq!(nearest("delfate", names.into_iter())[0], "deflate");
        assert!(nearest("sqlite3_open", names.into_iter()).is_empty());
    }
}
