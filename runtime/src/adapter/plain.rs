//! The plainest spelling of a member, which most callers send: read in the fewest steps.
//!
//! Everything here may say "not plain" and leave the text to the longer way; what it does say
//! is what the longer way would.

use std::slice::Iter;

use super::kind::Integer;

/// A key, ready to be matched: its first eight bytes as they stand in the text, with the quotes
/// and the colon.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    head: u64,
    mask: u64,
}

impl Key {
    /// `name` needs no escape in JSON (the generator sees to that), so equal text is an equal key.
    pub(crate) const fn new(name: &'static str) -> Self {
        let bytes = name.as_bytes();
        let (mut head, mut mask) = ([0; 8], [0; 8]);
        let mut at = 0;
        while at < 8 && at < bytes.len() + 3 {
            head[at] = if at == 0 || at == bytes.len() + 1 {
                b'"'
            } else if at == bytes.len() + 2 {
                b':'
            } else {
                bytes[at - 1]
            };
            mask[at] = 0xff;
            at += 1;
        }
        Self { name, head: u64::from_le_bytes(head), mask: u64::from_le_bytes(mask) }
    }
}

/// Passes over `key`, with its colon, if the text goes on with it. A space before the key and one
/// before the value are as common as none.
#[inline(always)]
pub(crate) fn plain_key(text: &mut Iter<'_, u8>, key: &Key) -> bool {
    pass_space(text);
    let rest = text.as_slice();
    if eight_bytes(rest) & key.mask != key.head {
        return false;
    }
    let length = key.name.len() + 3;
    if length > 8 && !rest.get(8..length).is_some_and(|tail| tail_matches(tail, key.name)) {
        return false;
    }
    // There are so many bytes: the last of them was compared, and it is not 0.
    *text = rest.get(length..).unwrap_or_default().iter();
    pass_space(text);
    true
}

#[inline(always)]
fn pass_space(text: &mut Iter<'_, u8>) {
    if text.as_slice().first() == Some(&b' ') {
        text.next();
    }
}

/// What a key has behind its first eight bytes.
#[inline(never)]
fn tail_matches(text: &[u8], name: &str) -> bool {
    // A quote and seven characters of the name are in front; of six, also the quote behind them.
    let (name, rest) = match name.as_bytes().get(7..) {
        Some(name) => (name, &b"\":"[..]),
        None => (&b""[..], &b":"[..]),
    };
    text.strip_suffix(rest) == Some(name)
}

/// The first eight bytes, with zeros behind the end. Fewer than four are no key, and read as none.
#[inline(always)]
fn eight_bytes(text: &[u8]) -> u64 {
    if let Some(bytes) = text.first_chunk() {
        return u64::from_le_bytes(*bytes);
    }
    match (text.first_chunk(), text.last_chunk()) {
        // The two halves overlap, and agree where they do.
        (Some(first), Some(last)) => {
            let shift = 8 * (text.len() as u32 - 4);
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << shift
        }
        _ => 0,
    }
}

/// The word of the integer with which the text goes on, and the punctuation behind it, if it is a
/// run of at most 19 digits and in range. The text is then behind the punctuation.
#[inline(always)]
pub(crate) fn plain_integer(text: &mut Iter<'_, u8>, range: &Integer) -> Option<(u64, u8)> {
    let mut byte = *text.next()?;
    let negative = byte == b'-';
    if negative {
        byte = *text.next()?;
    }
    let first = byte;
    let before = text.len();
    let mut magnitude = 0_u64;
    loop {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        magnitude = magnitude.wrapping_mul(10).wrapping_add(digit.into());
        byte = *text.next()?;
    }
    let digits = before - text.len();
    // 19 digits stay below 2^64; more may have wrapped around.
    if !matches!(byte, b',' | b'}' | b']') || digits.wrapping_sub(1) > 18 || (digits > 1 && first == b'0') {
        return None;
    }
    Some((range.word(negative, magnitude)?, byte))
}

/// The number that `text` has at `at`, if it is an integer of at most 15 digits over a power of
/// ten: both are exact as doubles, so their quotient is the nearest double.
#[inline(always)]
pub(crate) fn plain_double(text: &[u8], mut at: usize) -> Option<(u64, usize)> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let negative = *text.get(at)? == b'-';
    at += usize::from(negative);
    let start = at;
    let mut magnitude = 0_u64;
    let mut point = None;
    let next = loop {
        let byte = *text.get(at)?;
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            if byte == b'.' && point.is_none() {
                point = Some(at);
                at += 1;
                continue;
            }
            break byte;
        }
        magnitude = magnitude.wrapping_mul(10).wrapping_add(digit.into());
        at += 1;
    };
    let whole = point.unwrap_or(at) - start;
    let fraction = point.map_or(0, |point| at - point - 1);
    if !matches!(next, b',' | b'}' | b']')
        || whole == 0
        || (point.is_some() && fraction == 0)
        || whole + fraction > 15
        || (whole > 1 && text[start] == b'0')
    {
        return None;
    }
    let value = magnitude as f64 / POWERS[fraction];
    Some((if negative { -value } else { value }.to_bits(), at))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the value begins.
    fn value_at(text: &[u8], key: &Key) -> Option<usize> {
        let mut rest = text[1..].iter();
        plain_key(&mut rest, key).then(|| text.len() - rest.len())
    }

    #[test]
    fn a_key_is_matched_whole() {
        for name in [
            "a",
            "ab",
            "abcd",
            "abcde",
            "abcdef",
            "abcdefg",
            "abcdefgh",
            "a_long_name_of_an_argument",
            "宽度",
        ] {
            let key = Key::new(name);
            for end in ["1}", "1,\"x\":2}", "123456789}"] {
                let text = format!("{{\"{name}\":{end}");
                assert_eq!(value_at(text.as_bytes(), &key), Some(name.len() + 4), "{text}");
                let spaced = format!("{{ \"{name}\": {end}");
                assert_eq!(value_at(spaced.as_bytes(), &key), Some(name.len() + 6), "{spaced}");
                // Every byte of the key counts.
                for at in 1..name.len() + 4 {
                    let mut other = text.clone().into_bytes();
                    other[at] = other[at].wrapping_add(1);
                    assert_eq!(value_at(&other, &key), None, "{text} changed at {at}");
                }
            }
            let text = format!("{{\"{name}\":");
            for cut in 1..name.len() + 4 {
                assert_eq!(value_at(&text.as_bytes()[..cut], &key), None, "{text} cut at {cut}");
            }
            assert_eq!(value_at(text.as_bytes(), &key), Some(text.len()), "{text}");
        }
    }

    #[test]
    fn plain_doubles_are_the_nearest() {
        for text in
            ["0", "-0", "1.5", "0.1", "-123.456", "999999999999999", "0.000000000000001", "3.141592653589793"]
        {
            let expected = text.parse::<f64>().expect("a number").to_bits();
            if let Some((word, end)) = plain_double(format!("{text},").as_bytes(), 0) {
                assert_eq!((word, end), (expected, text.len()), "{text}");
            } else {
                assert!(text.len() > 16, "{text} is plain");
            }
        }
        for text in ["", "-", ".5,", "1.,", "01,", "1.2.3,", "1e5,", "1", "1 ,", "1234567890123456,"] {
            assert_eq!(plain_double(text.as_bytes(), 0), None, "{text}");
        }
    }
}
