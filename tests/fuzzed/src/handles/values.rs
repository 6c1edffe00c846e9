//! Arguments of the declared types. What a parameter is for is told by its name: otherwise hardly a call would reach
//! much of the libraries.
//!
//! Some values are left out, because a call could take very long with them, which a deadline ends and no check can:
//! a long wait, a negative length for `crc32_combine` and `adler32_combine`, a jump far behind the end of a gzip file
//! that is written, a connection with a shared cache.

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::choices::Choices;
use super::files::Files;
use super::sql;

const SIZES: [i64; 12] = [0, 1, 2, 16, 100, 1000, 4096, 5000, -1, 1 << 20, i32::MAX as i64, i64::MAX];

const NUMBERS: [i64; 12] =
    [0, 1, 2, 3, -1, 7, 100, i32::MIN as i64, i32::MAX as i64, u32::MAX as i64, i64::MAX, i64::MIN];

/// Flags of `sqlite3_open_v2` and `sqlite3_prepare_v3`; none shares a cache.
const FLAGS: [i64; 9] = [6, 1, 2, 6 | 64, 6 | 128, 6 | 32_768, 6 | 65_536, 0, 4];

pub fn integer(name: &str, choices: &mut Choices<'_>) -> Value {
    let small = |choices: &mut Choices<'_>, most: usize| choices.below(most) as i64;
    Value::from(match name {
        "milliseconds" => small(choices, 3),
        "len2" => small(choices, 70_000),
        "length" => small(choices, 4096),
        "offset" => small(choices, 300) - 4,
        "size" => small(choices, 65_536),
        "flags" => *choices.one_of(&FLAGS),
        "count" | "len" | "destLen" | "avail_out" => size(choices),
        "level" => small(choices, 12) - 1,
        "windowBits" => *choices.one_of(&[15, -15, 31, 47, 9, 8, -8, 0, 100, -1]),
        "memLevel" => *choices.one_of(&[8, 9, 1, 0, 10]),
        "stream_size" => *choices.one_of(&[112, 112, 112, 88, 0]),
        "bits" => small(choices, 20) - 2,
        "index" | "column" | "counter" if !choices.rarely(8) => small(choices, 6),
        "row" if !choices.rarely(8) => 1 + small(choices, 3),
        "pages" if !choices.rarely(4) => small(choices, 3) - 1,
        _ => *choices.one_of(&NUMBERS),
    })
}

/// Mostly what a caller would take.
fn size(choices: &mut Choices<'_>) -> i64 {
    match choices.below(4) {
        0 => choices.below(8) as i64,
        3 => *choices.one_of(&SIZES),
        _ => choices.below(600) as i64,
    }
}

pub fn number(choices: &mut Choices<'_>) -> Value {
    json!(*choices.one_of(&[0.0, 1.5, -1.0, 1e300, -1e-320, 0.1]))
}

/// `seen` are texts of earlier results: what was compressed can be decompressed.
pub fn text(name: &str, choices: &mut Choices<'_>, seen: &[String], files: &mut Files) -> Value {
    let fixed = |choices: &mut Choices<'_>, all: &[&str]| (*choices.one_of(all)).to_owned();
    Value::from(match name {
        "sql" => sql::script(choices),
        "filename" if choices.rarely(4) => files.path(choices.one_of::<&str>(&["a.db", "b.db", "none/c.db"])),
        "filename" => fixed(choices, &[":memory:", ":memory:", ""]),
        "path" => files.path(choices.one_of::<&str>(&["a.gz", "b.gz", "a.db", "none/c.gz"])),
        "mode" => fixed(choices, &["wb", "rb", "ab", "wb9", "rb", "wbT", "w1f", "r", "x", ""]),
        "vfs" => fixed(choices, &["unix", "unix-none", "memdb", "none"]),
        "schema" | "destinationSchema" | "sourceSchema" => {
            fixed(choices, &["main", "main", "main", "main", "temp", "aux", "none"])
        }
        "table" => fixed(choices, &["t", "t", "t", "t", "t", "u", "sqlite_schema", "none"]),
        "column" => fixed(choices, &["c", "c", "c", "b", "a", "none"]),
        "name" => fixed(choices, &["c", ":a", "@b", "$c", "?1", "nocase"]),
        _ => match choices.below(5) {
            0 | 1 if !seen.is_empty() => choices.one_of(seen).clone(),
            0..=2 => BASE64.encode(choices.bytes(64)),
            // Nothing, one byte, what `inflateSync` looks for, a row's worth of bytes.
            3 => fixed(choices, &["", "AA==", "AAD//w==", "AQIDBA=="]),
            _ => sql::text(choices),
        },
    })
}

/// What fits no parameter, or not this one.
pub fn misfit(choices: &mut Choices<'_>) -> Value {
    choices
        .one_of(&[
            Value::Null,
            json!(true),
            json!(1.5),
            json!("\0"),
            json!([1]),
            json!({"a": 1}),
            json!(1e300),
        ])
        .clone()
}
