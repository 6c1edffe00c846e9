//! Strings as JSON text, in every encoding.

use opendyn_model::plan::{Encoding, TextKind};
use serde_json::Value;

use super::random::Random;

/// Plain and with escapes; of one to four bytes per character; at the ends of what an encoding holds.
const PARTS: [&str; 20] = [
    "a", "Z", "0", " ", "one two", "\"", "\\", "/", "\n", "\t", "\u{1}", "\u{7f}", "é", "ÿ", "\u{80}", "Ω",
    "你好", "🦀", "\u{feff}", "\u{ffff}",
];

/// A string that an argument of this kind takes, in most cases.
pub fn valid(kind: TextKind, random: &mut Random) -> String {
    let units = kind.exactly.map(|count| usize::try_from(count).unwrap_or(usize::MAX).min(64));
    let count = match units {
        Some(units) if random.chance(85) => units,
        Some(units) => random.below(units + 3),
        None if random.chance(4) => 50 + random.below(400),
        None => random.below(6),
    };
    if kind.encoding.is_binary() {
        return binary(kind, count, random);
    }
    let mut text = String::new();
    for _ in 0..count {
        let part = random.pick(&PARTS);
        // What Latin-1 lacks, and NUL where it would end the string, are refused.
        if kind.encoding != Encoding::Latin1 || part.chars().all(|char| char <= 'ÿ') || random.chance(3) {
            text += part;
        }
    }
    if random.chance(if kind.counted { 10 } else { 2 }) {
        text.push('\0');
    }
    if units.is_some() && random.chance(80) {
        text = text.chars().filter(char::is_ascii).chain("xxxxxxxxxxxxxxxx".chars()).take(count).collect();
    }
    quoted(&text, random)
}

/// Text with at most `count` units, for an array in a struct.
pub fn at_most(count: u64, encoding: Encoding, random: &mut Random) -> String {
    let count = random.below(usize::try_from(count).unwrap_or(64).min(64) + 1);
    valid(TextKind { encoding, counted: true, exactly: Some(count as u64), one_of: None }, random)
}

/// A string of one byte, in most cases.
pub fn character(random: &mut Random) -> String {
    let end = if random.chance(95) { 0x80 } else { 0x100 };
    let character = char::from(random.below(end) as u8);
    quoted(&character.to_string(), random)
}

fn binary(kind: TextKind, count: usize, random: &mut Random) -> String {
    // A zero would end bytes without a length.
    let mut byte = || if kind.counted { random.next() as u8 } else { (random.next() as u8).max(1) };
    let bytes: Vec<u8> = (0..count).map(|_| byte()).collect();
    let mut text = if kind.encoding == Encoding::Hex {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    } else {
        base64(&bytes)
    };
    match random.below(40) {
        0 => text = text.to_uppercase(),
        1 => text = text.trim_end_matches('=').to_owned(),
        2 => text.insert(text.len() / 2, *random.pick(&['-', '_', ' ', '=', 'g', 'é'])),
        _ => {}
    }
    quoted(&text, random)
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let word = group.iter().chain([&0, &0]).take(3).fold(0, |word, byte| word << 8 | usize::from(*byte));
        for digit in 0..4 {
            let shown = digit <= group.len();
            text.push(if shown { char::from(DIGITS[word >> (18 - 6 * digit) & 63]) } else { '=' });
        }
    }
    text
}

/// As JSON: with the escapes that are needed, or with more.
fn quoted(text: &str, random: &mut Random) -> String {
    if random.chance(85) {
        return Value::from(text).to_string();
    }
    let escaped: String = text
        .encode_utf16()
        .map(|unit| if random.chance(50) { format!("\\u{unit:04x}") } else { format!("\\u{unit:04X}") })
        .collect();
    format!("\"{escaped}\"")
}
