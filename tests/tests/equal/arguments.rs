//! The arguments of a call: valid, nearly valid, and hostile.

use opendyn_model::plan::Function;
use serde_json::Value;

use super::random::Random;
use super::values::Maker;

/// JSON values that most arguments refuse.
const OTHERS: [&str; 22] = [
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1.5",
    "1e400",
    "-1e400",
    "\"\"",
    "\"x\"",
    "\"12\"",
    "\"1e3\"",
    "[]",
    "[null]",
    "[[]]",
    "[1,\"2\"]",
    "{}",
    "{\"x\":1}",
    "\"a\\u0000b\"",
    "18446744073709551616",
    "\"-9223372036854775809\"",
    "\"\\ud83e\\udd80\"",
];

/// What is put into, or in place of, a part of the text.
const RAW: [&[u8]; 22] = [
    b"\"",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\\",
    b"\\u",
    b"\\ud800",
    b"\\x",
    b"nul",
    b"NaN",
    b"01",
    b"1.",
    b".5",
    b"+1",
    b"\xff",
    b"\xc3",
    b"\0",
    b"/*c*/",
    b"\xef\xbb\xbf",
];

/// Arguments as text.
pub fn arguments(function: &Function, maker: &Maker<'_>, random: &mut Random) -> Vec<u8> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for (param, argument) in function.inputs() {
        let Some(kind) = &argument.kind else { continue };
        if !(argument.is_optional() && random.chance(40)) {
            let null = argument.is_optional() && random.chance(10);
            let value = if null { "null".to_owned() } else { maker.value(kind, random) };
            fields.push((param.key.clone(), value));
        }
    }
    if random.chance(20) {
        let count = fields.len().max(1);
        fields.rotate_left(random.below(count) % count);
    }
    match random.below(100) {
        0..60 => {}
        60..90 => nearly(&mut fields, random),
        _ => return hostile(written(&fields, random), random),
    }
    written(&fields, random)
}

/// One thing is wrong.
fn nearly(fields: &mut Vec<(String, String)>, random: &mut Random) {
    let other = (*random.pick(&OTHERS)).to_owned();
    if fields.is_empty() {
        return fields.push(("x".to_owned(), other));
    }
    let at = random.below(fields.len());
    match random.below(10) {
        0 => _ = fields.remove(at),
        1 => fields.insert(at, (format!("{}_", fields[at].0), other)),
        2 => fields.push((String::new(), other)),
        3 => fields.push(fields[at].clone()),
        4 => fields[at].0 = fields[at].0.to_uppercase() + "x",
        // An element of an array, or a member of a struct.
        5 | 6 => {
            let value = &fields[at].1;
            let places: Vec<usize> =
                value.match_indices([',', '[', ':']).map(|(place, _)| place + 1).collect();
            let changed = match places.as_slice() {
                [] => other,
                places => {
                    let start = *random.pick(places);
                    let length = value[start..].find([',', ']', '}']).unwrap_or(0);
                    format!("{}{other}{}", &value[..start], &value[start + length..])
                }
            };
            fields[at].1 = changed;
        }
        _ => fields[at].1 = other,
    }
}

/// The object, with spaces where they may be.
fn written(fields: &[(String, String)], random: &mut Random) -> Vec<u8> {
    let space = if random.chance(15) { *random.pick(&[" ", "\n", "\t\r\n "]) } else { "" };
    let members: Vec<String> = fields
        .iter()
        .map(|(key, value)| format!("{space}{}{space}:{space}{value}{space}", Value::from(key.as_str())))
        .collect();
    format!("{space}{{{}}}{space}", members.join(",")).into_bytes()
}

/// Text that is not JSON, not an object, or too deep.
fn hostile(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let at = random.below(text.len() + 1);
    match random.below(10) {
        0 => text.truncate(at),
        1..5 => _ = text.splice(at..at, random.pick(&RAW).iter().copied()),
        5 if at < text.len() => text[at] ^= 1 << random.below(8),
        6 => text.extend(*random.pick(&RAW)),
        7 => {
            let depth = 100 + random.below(60);
            text = format!("{{\"x\":{}{}}}", "[".repeat(depth), "]".repeat(depth)).into_bytes();
        }
        8 => text = random.pick(&[&b"[]"[..], b"null", b"1", b"\"{}\"", b"", b" "]).to_vec(),
        _ => text = [&text[..], &text[..]].concat(),
    }
    text
}
