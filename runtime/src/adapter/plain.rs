//! A fast path for the plain spelling of a member, which most callers send.
//!
//! Every function here may decline and leave the text to the general reader; otherwise its result is
//! the same.

use std::slice::Iter;

use super::digits;
use super::integer::Integer;
use super::kind::Kind;
use super::nearest::{DOUBLE, Format, SINGLE};

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
        let differing = eight_bytes(rest) ^ key.head as u64;
        // Only the bytes of the key count. A key has at least its quotes and the colon.
        if differing << (64 - 8 * length) != 0 {
            return false;
        }
    } else {
        let same = (sixteen_bytes(rest) ^ key.head).trailing_zeros() as usize / 8;
        if same < length && (same < HEAD || !tail_matches(rest, key.name)) {
            return false;
        }
    }
    // The text has `length` bytes: the last one was compared, and it is not 0.
    let Some(value) = rest.get(length..) else { return false };
    *text = value.iter();
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

/// Whether a minus was skipped.
#[inline(always)]
fn minus(text: &mut Iter<'_, u8>) -> bool {
    let is_there = text.as_slice().first() == Some(&b'-');
    if is_there {
        text.next();
    }
    is_there
}

/// Reads a value with a plain spelling: returns its word and the punctuation after it, and advances
/// the text past the punctuation.
#[inline(always)]
pub(crate) fn plain_value(text: &mut Iter<'_, u8>, kind: Kind) -> Option<(u64, u8)> {
    match kind {
        Kind::Integer(range) => plain_integer(text, range),
        Kind::Double => behind(text, one_float(text.as_slice(), DOUBLE)),
        Kind::Float => behind(text, one_float(text.as_slice(), SINGLE)),
        Kind::Boolean => plain_boolean(text),
        _ => None,
    }
}

/// The punctuation after a value, which is skipped.
#[inline(always)]
fn punctuation(text: &mut Iter<'_, u8>) -> Option<u8> {
    let next = *text.next()?;
    matches!(next, b',' | b'}' | b']').then_some(next)
}

/// Reads an integer of at most 19 digits that is in range: its word and the punctuation after it. It reads digit by
/// digit, because most arguments are short.
#[inline(always)]
fn plain_integer(text: &mut Iter<'_, u8>, range: &Integer) -> Option<(u64, u8)> {
    let negative = minus(text);
    let before = text.len();
    let first = *text.next()?;
    let mut byte = first;
    let mut magnitude = 0_u64;
    loop {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        magnitude = magnitude.wrapping_mul(10).wrapping_add(digit.into());
        byte = *text.next()?;
    }
    let count = before - text.len() - 1;
    if !matches!(byte, b',' | b'}' | b']') || !is_integer(count, first) {
        return None;
    }
    Some((range.word(negative, magnitude)?, byte))
}

/// As [`plain_integer`], eight digits at a time.
#[inline(always)]
pub(super) fn long_integer(text: &mut Iter<'_, u8>, range: &Integer) -> Option<(u64, u8)> {
    let negative = minus(text);
    let mut rest = text.as_slice();
    let first = *rest.first()?;
    let before = rest.len();
    let magnitude = digits::read(&mut rest, 0);
    if !is_integer(before - rest.len(), first) {
        return None;
    }
    *text = rest.iter();
    let next = punctuation(text)?;
    Some((range.word(negative, magnitude)?, next))
}

/// Whether so many digits are an integer that fits 64 bits: 19 digits do, more may have wrapped around.
#[inline(always)]
fn is_integer(count: usize, first: u8) -> bool {
    count.wrapping_sub(1) <= 18 && (first != b'0' || count == 1)
}

/// As [`plain_float`], for a single value: a function of its own, so that integers do not pay for its registers, with the
/// text by value, so that it stays in registers too.
#[inline(never)]
fn one_float<'t>(text: &'t [u8], format: &Format) -> Option<(u64, u8, &'t [u8])> {
    let mut rest = text.iter();
    let (word, next) = plain_float(&mut rest, format)?;
    Some((word, next, rest.as_slice()))
}

/// Advances the text to what is left behind the value.
#[inline(always)]
fn behind<'t>(text: &mut Iter<'t, u8>, read: Option<(u64, u8, &'t [u8])>) -> Option<(u64, u8)> {
    let (word, next, rest) = read?;
    *text = rest.iter();
    Some((word, next))
}

/// Reads a number of at most 19 digits, perhaps with an exponent, where the nearest float is certain: its bits and the
/// punctuation after it.
#[inline(always)]
pub(super) fn plain_float(text: &mut Iter<'_, u8>, format: &Format) -> Option<(u64, u8)> {
    let negative = minus(text);
    let mut rest = text.as_slice();
    let first = *rest.first()?;
    let before = rest.len();
    let mut magnitude = 0;
    // Few digits are before the point, and many behind it.
    while let [digit @ b'0'..=b'9', behind @ ..] = rest {
        magnitude = u64::wrapping_add(u64::wrapping_mul(magnitude, 10), (digit - b'0').into());
        rest = behind;
    }
    let whole = before - rest.len();
    if whole == 0 || (first == b'0' && whole > 1) {
        return None;
    }
    let mut fraction = 0;
    if let [b'.', behind @ ..] = rest {
        rest = behind;
        magnitude = digits::read(&mut rest, magnitude);
        fraction = behind.len() - rest.len();
        if fraction == 0 {
            return None;
        }
    }
    // A zero before the point is no digit of the magnitude.
    if whole + fraction - usize::from(first == b'0') > 19 {
        return None;
    }
    let mut exponent = 0;
    if let [b'e' | b'E', behind @ ..] = rest {
        (exponent, rest) = short_exponent(behind)?;
    }
    *text = rest.iter();
    let next = punctuation(text)?;
    let bits = format.nearest(magnitude, exponent - fraction as i32)?;
    Some((if negative { format.negated(bits) } else { bits }, next))
}

/// An exponent of at most two digits, and what follows it.
#[inline(always)]
fn short_exponent(text: &[u8]) -> Option<(i32, &[u8])> {
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let (exponent, rest) = match text {
        [first @ b'0'..=b'9', second @ b'0'..=b'9', rest @ ..] => {
            (i32::from(first - b'0') * 10 + i32::from(second - b'0'), rest)
        }
        [first @ b'0'..=b'9', rest @ ..] => (i32::from(first - b'0'), rest),
        _ => return None,
    };
    Some((if negative { -exponent } else { exponent }, rest))
}

/// Reads a boolean: its word and the punctuation after it.
#[inline(always)]
pub(super) fn plain_boolean(text: &mut Iter<'_, u8>) -> Option<(u64, u8)> {
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
            plain_float(&mut rest, DOUBLE).map(|(word, next)| (f64::from_bits(word), next, rest.len()))
        };
        for text in [
            "0",
            "-0",
            "1.5",
            "0.1",
            "-123.456",
            "0.00000000000001",
            "3.14159265358979",
            "0.14285714285714285",
            "1e5",
            "-2.5E-07",
            "1e22",
            "1234567890123456789",
            "0.1234567890123456789",
        ] {
            let expected = text.parse::<f64>().expect("a number");
            let (value, next, left) = read(&format!("{text},more")).expect(text);
            assert_eq!((value.to_bits(), next, left), (expected.to_bits(), b',', 4), "{text}");
        }
        for text in [
            "",
            "-",
            ".5,",
            "1.,",
            "01,",
            "1.2.3,",
            "1e,",
            "1e+,",
            "1e123,",
            "1",
            "1 ,",
            "12345678901234567890,",
            "9007199254740993,",
            "x,",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn plain_floats_are_the_nearest() {
        for text in ["0.1", "-0", "1.5e38", "16777217.5", "1e-37"] {
            let (bits, _) = plain_float(&mut format!("{text},").as_bytes().iter(), SINGLE).expect(text);
            let expected = text.parse::<f32>().expect("a number");
            assert_eq!(bits, u64::from(expected.to_bits()), "{text}");
        }
    }

    #[test]
    fn plain_integers_have_at_most_19_digits() {
        let Kind::Integer(range) = Kind::UNSIGNED_LONG_LONG else { unreachable!() };
        let read = |text: &str| {
            let (mut short, mut long) = (text.as_bytes().iter(), text.as_bytes().iter());
            let read = plain_integer(&mut short, range);
            assert_eq!(read, long_integer(&mut long, range), "{text}");
            assert!(read.is_none() || short.len() == long.len(), "{text}");
            read
        };
        for text in ["0", "7", "42", "999", "1000", "12345678", "1234567890123456789"] {
            assert_eq!(
                read(&format!("{text},")),
                Some((text.parse::<u64>().expect("a number"), b',')),
                "{text}"
            );
        }
        for text in ["", "-", "01,", "0123,", "1.0,", "1e3,", "12345678901234567890,", "123", "-1,"] {
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
