//! A fast path for the plain spelling of a member, which most callers send.
//!
//! Every function here may decline and leave the text to the general reader; otherwise its result is
//! the same.

use std::slice::Iter;

use super::integer::Integer;
use super::kind::Kind;

/// A key, prepared for matching: its first sixteen bytes as in the text, with the quotes and the
/// colon, padded with zeros.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    head: u128,
}

/// How many bytes of a key are in its head.
const HEAD: usize = 16;

impl Key {
    /// `name` needs no escape in JSON (the generator ensures that), so equal text is an equal key.
    pub(crate) const fn new(name: &'static str) -> Self {
        let bytes = name.as_bytes();
        let mut head = [0; HEAD];
        let mut at = 0;
        while at < HEAD && at < bytes.len() + 3 {
            head[at] = if at == 0 || at == bytes.len() + 1 {
                b'"'
            } else if at == bytes.len() + 2 {
                b':'
            } else {
                bytes[at - 1]
            };
            at += 1;
        }
        Self { name, head: u128::from_le_bytes(head) }
    }
}

/// Skips `key` and its colon, if the text continues with them. One space is accepted before the key
/// and before the value, because it is common.
#[inline(always)]
pub(crate) fn plain_key(text: &mut Iter<'_, u8>, key: &Key) -> bool {
    pass_space(text);
    let rest = text.as_slice();
    let length = key.name.len() + 3;
    if length <= 8 {
        let differing = (eight_bytes(rest) ^ key.head as u64).trailing_zeros() as usize;
        if differing < 8 * length {
            return false;
        }
    } else {
        let same = (sixteen_bytes(rest) ^ key.head).trailing_zeros() as usize / 8;
        if same < length && (same < HEAD || !tail_matches(rest, key.name)) {
            return false;
        }
    }
    // The text has `length` bytes: the last one was compared, and it is not 0.
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

/// Whether the rest of the key follows its head in the text.
#[inline(never)]
fn tail_matches(text: &[u8], name: &str) -> bool {
    let quoted = [name.as_bytes(), b"\":"].into_iter().flatten();
    // The opening quote is part of the head.
    let tail = quoted.skip(HEAD - 1);
    let length = name.len() + 3;
    text.get(HEAD..length).is_some_and(|text| text.iter().eq(tail))
}

/// The first sixteen bytes, padded with zeros.
#[inline(always)]
fn sixteen_bytes(text: &[u8]) -> u128 {
    if let Some(bytes) = text.first_chunk() {
        return u128::from_le_bytes(*bytes);
    }
    match (text.first_chunk(), text.last_chunk()) {
        // The two halves agree where they overlap.
        (Some(first), Some(last)) => {
            let shift = 8 * (text.len() - 8);
            u128::from(u64::from_le_bytes(*first)) | u128::from(u64::from_le_bytes(*last)) << shift
        }
        _ => eight_bytes(text).into(),
    }
}

/// The first eight bytes, padded with zeros. Fewer than four cannot be a key, and read as zeros.
#[inline(always)]
fn eight_bytes(text: &[u8]) -> u64 {
    if let Some(bytes) = text.first_chunk() {
        return u64::from_le_bytes(*bytes);
    }
    match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => {
            let shift = 8 * (text.len() - 4);
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << shift
        }
        _ => 0,
    }
}

/// Whether there is a minus, and the byte after it.
#[inline(always)]
fn sign(text: &mut Iter<'_, u8>) -> Option<(bool, u8)> {
    match *text.next()? {
        b'-' => Some((true, *text.next()?)),
        byte => Some((false, byte)),
    }
}

/// Reads a value with a plain spelling: returns its word and the punctuation after it, and advances
/// the text past the punctuation.
#[inline(always)]
pub(crate) fn plain_value(text: &mut Iter<'_, u8>, kind: Kind) -> Option<(u64, u8)> {
    match kind {
        Kind::Integer(range) => plain_integer(text, range),
        Kind::Double => plain_double(text),
        Kind::Boolean => plain_boolean(text),
        _ => None,
    }
}

/// Reads an integer of at most 19 digits that is in range: its word and the punctuation after it.
#[inline(always)]
fn plain_integer(text: &mut Iter<'_, u8>, range: &Integer) -> Option<(u64, u8)> {
    let (negative, first) = sign(text)?;
    let mut byte = first;
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
    // 19 digits fit 64 bits; more may have wrapped around.
    if !matches!(byte, b',' | b'}' | b']') || digits.wrapping_sub(1) > 18 || (digits > 1 && first == b'0') {
        return None;
    }
    Some((range.word(negative, magnitude)?, byte))
}

/// Reads a number that is an integer of at most 15 digits over a power of ten: its bits and the
/// punctuation after it. Both are exact as doubles, so their quotient is the nearest double.
#[inline(always)]
fn plain_double(text: &mut Iter<'_, u8>) -> Option<(u64, u8)> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (negative, first) = sign(text)?;
    let mut byte = first;
    let before = text.len();
    let mut magnitude = 0_u64;
    let mut point = None;
    loop {
        let digit = byte.wrapping_sub(b'0');
        if digit <= 9 {
            magnitude = magnitude.wrapping_mul(10).wrapping_add(digit.into());
        } else if byte == b'.' && point.is_none() {
            point = Some(text.len());
        } else {
            break;
        }
        byte = *text.next()?;
    }
    let end = text.len();
    let whole = before - point.unwrap_or(end);
    let fraction = point.map_or(0, |point| point - end - 1);
    if !matches!(byte, b',' | b'}' | b']')
        || whole == 0
        || (point.is_some() && fraction == 0)
        || whole + fraction > 15
        || (whole > 1 && first == b'0')
    {
        return None;
    }
    let value = magnitude as f64 / POWERS[fraction];
    Some((if negative { -value } else { value }.to_bits(), byte))
}

/// Reads a boolean: its word and the punctuation after it.
#[inline(always)]
fn plain_boolean(text: &mut Iter<'_, u8>) -> Option<(u64, u8)> {
    let (word, rest) = match text.as_slice() {
        [b't', b'r', b'u', b'e', rest @ ..] => (1, rest),
        [b'f', b'a', b'l', b's', b'e', rest @ ..] => (0, rest),
        _ => return None,
    };
    let (next @ (b',' | b'}' | b']'), rest) = rest.split_first()? else { return None };
    *text = rest.iter();
    Some((word, *next))
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
                // Every byte of the key is compared.
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
        let read = |text: &str| {
            let mut rest = text.as_bytes().iter();
            plain_double(&mut rest).map(|(word, next)| (f64::from_bits(word), next, rest.len()))
        };
        for text in
            ["0", "-0", "1.5", "0.1", "-123.456", "999999999999999", "0.00000000000001", "3.14159265358979"]
        {
            let expected = text.parse::<f64>().expect("a number");
            let (value, next, left) = read(&format!("{text},more")).expect(text);
            assert_eq!((value.to_bits(), next, left), (expected.to_bits(), b',', 4), "{text}");
        }
        for text in ["", "-", ".5,", "1.,", "01,", "1.2.3,", "1e5,", "1", "1 ,", "1234567890123456,", "x,"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn plain_booleans_end_with_punctuation() {
        let read = |text: &str| plain_boolean(&mut text.as_bytes().iter());
        assert_eq!((read("true,"), read("false}")), (Some((1, b',')), Some((0, b'}'))));
        for text in ["", "t,", "true", "truex", "false ,", "null,"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
