//! Runs of text without escapes: where they end, how they become JSON, and how JSON with escapes becomes text.
//!
//! Most text has no quote, backslash or control character. It is looked at in chunks that the compiler turns into vector
//! instructions, and copied whole.

/// How much of a long text is looked at at once.
const CHUNK: usize = 32;

/// The bytes of `text` before the first quote, backslash or control character, and whether all of them are ASCII.
#[inline]
pub(super) fn plain(text: &[u8]) -> (usize, bool) {
    let mut rest = text;
    let mut is_ascii = true;
    while let Some((chunk, behind)) = rest.split_first_chunk::<CHUNK>() {
        // Without an early end, so that all bytes are compared at once.
        if chunk.iter().fold(false, |found, &byte| found | is_special(byte)) {
            break;
        }
        is_ascii &= chunk.is_ascii();
        rest = behind;
    }
    let mut high = 0;
    while let Some((chunk, behind)) = rest.split_first_chunk::<8>() {
        let word = u64::from_le_bytes(*chunk);
        let special = specials(word);
        if special != 0 {
            let count = special.trailing_zeros() as usize / 8;
            // Only the bytes before it count.
            high |= word & !(u64::MAX << (8 * count));
            return (text.len() - rest.len() + count, is_ascii && high & HIGHS == 0);
        }
        high |= word;
        rest = behind;
    }
    while let [byte, behind @ ..] = rest {
        if is_special(*byte) {
            break;
        }
        high |= u64::from(*byte);
        rest = behind;
    }
    (text.len() - rest.len(), is_ascii && high & HIGHS == 0)
}

const ONES: u64 = u64::MAX / 255;
const HIGHS: u64 = ONES * 0x80;

#[inline(always)]
fn is_special(byte: u8) -> bool {
    (byte == b'"') | (byte == b'\\') | (byte < b' ')
}

/// The high bits of the bytes that are special. Beyond the first such byte, others may have theirs as well.
#[inline(always)]
fn specials(word: u64) -> u64 {
    // A byte below `than` borrows from above; so does the byte after it, which does not matter.
    let below = |word: u64, than: u64| word.wrapping_sub(ONES * than) & !word;
    let quote = below(word ^ (ONES * u64::from(b'"')), 1);
    let backslash = below(word ^ (ONES * u64::from(b'\\')), 1);
    (below(word, 0x20) | quote | backslash) & HIGHS
}

/// Writes `text` as a JSON string.
pub(super) fn quote(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    out.reserve(rest.len() + 2);
    out.push(b'"');
    loop {
        let (length, _) = plain(rest);
        let (run, behind) = rest.split_at(length);
        out.extend_from_slice(run);
        let Some((&special, behind)) = behind.split_first() else { break };
        match special {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', special]),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            _ => {
                let digit = |half: u8| b"0123456789abcdef"[usize::from(half & 15)];
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(special >> 4), digit(special)]);
            }
        }
        rest = behind;
    }
    out.push(b'"');
}

/// Decodes the contents of a JSON string, whose bytes `plain` ends before, into `to`, which is at least as long. Returns
/// the length of the text; nothing if it is not a valid string.
pub(super) fn unescape(mut text: &[u8], to: &mut [u8]) -> Option<usize> {
    let mut length = 0;
    let mut is_ascii = true;
    loop {
        let (run, run_is_ascii) = plain(text);
        to.get_mut(length..length + run)?.copy_from_slice(&text[..run]);
        length += run;
        is_ascii &= run_is_ascii;
        let behind = match text.get(run..)? {
            [] => break,
            [b'\\', b'u', behind @ ..] => {
                let (character, behind) = unicode(behind)?;
                length += character.encode_utf8(to.get_mut(length..length + character.len_utf8())?).len();
                behind
            }
            [b'\\', escape, behind @ ..] => {
                *to.get_mut(length)? = match escape {
                    b'"' | b'\\' | b'/' => *escape,
                    b'b' => 0x08,
                    b'f' => 0x0c,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    _ => return None,
                };
                length += 1;
                behind
            }
            _ => return None,
        };
        text = behind;
    }
    // An escape is a whole character, so it completes none that bytes began.
    if !is_ascii {
        str::from_utf8(&to[..length]).ok()?;
    }
    Some(length)
}

/// The character of the digits behind `\u`, with those of the second surrogate if it has two, and what follows.
fn unicode(text: &[u8]) -> Option<(char, &[u8])> {
    let (first, behind) = unit(text)?;
    if let Some(character) = char::from_u32(first) {
        return Some((character, behind));
    }
    let [b'\\', b'u', behind @ ..] = behind else { return None };
    let (second, behind) = unit(behind)?;
    if !(0xd800..0xdc00).contains(&first) || !(0xdc00..0xe000).contains(&second) {
        return None;
    }
    Some((char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))?, behind))
}

fn unit(text: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, behind) = text.split_first_chunk::<4>()?;
    let mut unit = 0;
    for &digit in digits {
        unit = unit * 16 + char::from(digit).to_digit(16)?;
    }
    Some((unit, behind))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_run_ends_at_the_first_special_byte() {
        for length in 0..100 {
            for special in [b'"', b'\\', 0, b'\n', 0x1f] {
                for high in [None, Some(0), Some(length / 2)] {
                    let mut text = vec![b' '; length];
                    if let Some(place) = high.and_then(|high| text.get_mut(high)) {
                        *place = 0xff;
                    }
                    let is_high = text.contains(&0xff);
                    text.extend([special, 0x80, special]);
                    text.extend([b'x'; 40]);
                    assert_eq!(plain(&text), (length, !is_high), "{special} at {length}");
                }
            }
            assert_eq!(plain(&vec![0x7f; length]).0, length);
        }
    }

    #[test]
    fn every_byte_is_special_or_not_in_every_place() {
        for byte in 0..=u8::MAX {
            for at in 0..8 {
                let mut word = *b"abcdefgh";
                word[at] = byte;
                let first = specials(u64::from_le_bytes(word)).trailing_zeros() as usize / 8;
                assert_eq!(first, if is_special(byte) { at } else { 8 }, "{byte} at {at}");
            }
        }
    }

    proptest! {
        #[test]
        fn strings_are_written_as_serde_json_writes_them(text in "\\PC*|[\\x00-\\x7f]{0,80}") {
            let mut out = Vec::new();
            quote(&mut out, &text);
            prop_assert_eq!(&out, &serde_json::to_vec(&text).expect("a string"));
            let mut decoded = vec![0; out.len()];
            let length = unescape(&out[1..out.len() - 1], &mut decoded);
            prop_assert_eq!(length.map(|length| &decoded[..length]), Some(text.as_bytes()));
        }

        #[test]
        fn escapes_are_read_as_serde_json_reads_them(text in r#"([a-z]{0,40}|é|\\["\\/bfnrtux]|\\u[dD][89acAC][0-9a-f]{2}|\\u00[0-9A-F]{2}|\\u12)*"#) {
            let mut decoded = vec![0; text.len()];
            let ours = unescape(text.as_bytes(), &mut decoded).map(|length| &decoded[..length]);
            let theirs = serde_json::from_str::<String>(&format!("\"{text}\"")).ok();
            prop_assert_eq!(ours, theirs.as_ref().map(String::as_bytes));
        }

        #[test]
        fn bytes_that_are_no_text_are_refused(bytes: Vec<u8>) {
            let text = [b"\"", &*bytes, b"\""].concat();
            let mut decoded = vec![0; bytes.len()];
            let ours = unescape(&bytes, &mut decoded).map(|length| &decoded[..length]);
            let theirs = serde_json::from_slice::<String>(&text).ok();
            prop_assert_eq!(ours, theirs.as_ref().map(String::as_bytes));
        }
    }
}
