//! The tokens of two tools that hold the same handles.
//!
//! A token is `name:table.slot.generation.tag`. Tables are numbered per process and tags are secret, so the tools name
//! one handle differently. Here are the pairs of tokens that were seen in replies, process-wide: a token of one twin that
//! is passed to another must be foreign to both of its tools.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};

/// From the part after the name of a compiled token to that of the interpreted one. The tag depends on the name, so no
/// two tokens share this part.
fn pairs() -> MutexGuard<'static, BTreeMap<String, String>> {
    static PAIRS: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    PAIRS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where the tokens in `text` are: `table.slot.generation.tag`, after a colon.
fn places(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(colon) = text[at..].iter().position(|byte| *byte == b':') {
        at += colon + 1;
        if let Some(length) = length(&text[at..]) {
            found.push(at..at + length);
            at += length;
        }
    }
    found
}

/// The length of the numbers and the tag that `text` begins with.
fn length(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    for _ in 0..3 {
        let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        at += digits;
        if digits == 0 || text.get(at) != Some(&b'.') {
            return None;
        }
        at += 1;
    }
    let tag = text.get(at..at + 16)?;
    tag.iter().all(u8::is_ascii_hexdigit).then_some(at + 16)
}

fn replaced(text: &[u8], by: impl Fn(&str) -> String) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for place in places(text) {
        out.extend_from_slice(&text[at..place.start]);
        out.extend_from_slice(by(&String::from_utf8_lossy(&text[place.clone()])).as_bytes());
        at = place.end;
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// The same text with the tokens of the interpreted tool in place of those of the compiled one.
pub(super) fn translated(text: &[u8]) -> Vec<u8> {
    let pairs = pairs();
    replaced(text, |token| pairs.get(token).map_or(token, String::as_str).to_owned())
}

/// As [`translated`], in every string of `arguments`.
pub(super) fn translated_map(arguments: &Map<String, Value>) -> Map<String, Value> {
    arguments.iter().map(|(key, value)| (key.clone(), translated_value(value))).collect()
}

/// As [`translated`], in every string of `value`.
pub(super) fn translated_value(value: &Value) -> Value {
    match value {
        Value::String(text) => {
            Value::String(String::from_utf8_lossy(&translated(text.as_bytes())).into_owned())
        }
        Value::Array(values) => Value::Array(values.iter().map(translated_value).collect()),
        Value::Object(map) => Value::Object(translated_map(map)),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// The text with `slot.generation` in place of every token: what both tools must agree on.
pub(super) fn normalised(text: &[u8]) -> Vec<u8> {
    replaced(text, |token| {
        let parts: Vec<&str> = token.split('.').collect();
        format!("{}.{}", parts[1], parts[2])
    })
}

/// As [`normalised`], for a message: a token may be cut short by an ellipsis, and where text is not JSON, the one character that
/// is quoted may be of a token.
pub(super) fn normalised_message(text: &str) -> String {
    let mut text = String::from_utf8_lossy(&normalised(text.as_bytes())).into_owned();
    for digit in "0123456789abcdef".chars() {
        text = text.replace(&format!("found '{digit}'"), "found a digit");
    }
    let mut parts = text.split('…');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let token = out.trim_end_matches(|char: char| char.is_ascii_hexdigit() || char == '.').len();
        if out[..token].ends_with(':') {
            out.truncate(token);
        }
        out = out + "…" + part;
    }
    out
}

/// Notes which tokens of two equal replies belong together. `false`: one of them has another partner already.
pub(super) fn paired(compiled: &[u8], interpreted: &[u8]) -> bool {
    let tokens = |text: &[u8]| -> Vec<String> {
        let of = |place: Range<usize>| String::from_utf8_lossy(&text[place]).into_owned();
        places(text).into_iter().map(of).collect()
    };
    let (compiled, interpreted) = (tokens(compiled), tokens(interpreted));
    let mut pairs = pairs();
    compiled.len() == interpreted.len()
        && compiled.into_iter().zip(interpreted).all(|(compiled, interpreted)| {
            *pairs.entry(compiled).or_insert(interpreted.clone()) == interpreted
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_found_in_any_text() {
        let text =
            br#"{"a":"bank:1.0.20.0123456789abcdef","b":"x:1.2.3.tag","c":":7.8.9.0000000000000000!"}"#;
        let found: Vec<&[u8]> = places(text).into_iter().map(|place| &text[place]).collect();
        assert_eq!(found, [&b"1.0.20.0123456789abcdef"[..], b"7.8.9.0000000000000000"]);
        let normal = normalised(text);
        assert_eq!(normal, br#"{"a":"bank:0.20","b":"x:1.2.3.tag","c":":8.9!"}"#);
    }

    #[test]
    fn a_token_that_is_cut_short_is_recognised() {
        let message = normalised_message("[\"bank:1148.24.37.… is an array, \"x… is a string");
        assert_eq!(message, "[\"bank:… is an array, \"x… is a string");
    }

    #[test]
    fn a_token_has_one_partner() {
        assert!(paired(b"t:91.0.1.00000000000000aa", b"t:92.0.1.00000000000000bb"));
        assert!(paired(b"t:91.0.1.00000000000000aa", b"t:92.0.1.00000000000000bb"));
        assert!(!paired(b"t:91.0.1.00000000000000aa", b"t:93.0.1.00000000000000cc"));
        assert!(!paired(b"", b"t:92.0.1.00000000000000bb"));
        assert_eq!(translated(b"\"t:91.0.1.00000000000000aa\""), b"\"t:92.0.1.00000000000000bb\"");
        assert_eq!(translated(b"t:94.0.1.00000000000000dd"), b"t:94.0.1.00000000000000dd", "unknown");
    }
}
