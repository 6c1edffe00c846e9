//! The reader compared with serde_json: both must agree on the verdict and the values. Then a table
//! of refused texts and their messages.

use std::ffi::CStr;

use opentool::ToolError;
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::read;
use crate::adapter::arena::Arena;
use crate::adapter::slots::{Args, Slot};
use crate::adapter::{Field, Kind, MAX_ARGUMENTS, from_serde};

static FIELDS: [Field; 9] = [
    Field::required("a", Kind::INT),
    Field::required("bc", Kind::UNSIGNED_LONG_LONG),
    Field::optional("low", Kind::LONG_LONG),
    Field::optional("flag", Kind::Boolean),
    Field::optional("f", Kind::Float),
    Field::optional("d", Kind::Double),
    Field::optional("s", Kind::Str),
    Field::optional("c", Kind::Character),
    Field::optional("xs", Kind::List(&Kind::UNSIGNED_CHAR)),
];

/// The arguments as a call would see them.
#[derive(Debug, PartialEq)]
struct Seen {
    a: i32,
    bc: u64,
    low: Option<i64>,
    flag: Option<bool>,
    f: Option<f32>,
    d: Option<f64>,
    s: Option<Vec<u8>>,
    c: Option<u8>,
    xs: Option<Vec<u8>>,
}

fn seen(slots: &[Slot], arena: &mut Arena) -> Seen {
    let args = Args::new(slots, arena);
    Seen {
        a: args.get(0),
        bc: args.get(1),
        low: args.get(2),
        flag: args.get(3),
        f: args.get(4),
        d: args.get(5),
        s: args.get::<Option<&CStr>>(6).map(|string| string.to_bytes().to_vec()),
        c: args.get(7),
        // SAFETY: the field is a list of `unsigned char`, taken once.
        xs: unsafe { args.lend::<Option<&mut [u8]>>(8) }.map(|list| list.to_vec()),
    }
}

fn by_reader(text: &[u8]) -> Result<Seen, String> {
    let mut slots = [Slot::UNSEEN; FIELDS.len()];
    let mut arena = Arena::new();
    read(&FIELDS, text, &mut slots, &mut arena).map_err(|fault| ToolError::from(fault).to_string())?;
    Ok(seen(&slots, &mut arena))
}

fn by_serde_json(text: &[u8]) -> Result<Seen, String> {
    let mut slots = [Slot::UNSEEN; FIELDS.len()];
    let mut arena = Arena::new();
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    from_serde::read(&FIELDS, &mut deserializer, &mut slots, &mut arena)
        .map_err(|fault| ToolError::from(fault).to_string())?;
    deserializer.end().map_err(|error| error.to_string())?;
    Ok(seen(&slots, &mut arena))
}

/// serde_json rounds floats to within one unit in the last place; the reader rounds correctly.
fn nearly_equal(ours: &Seen, theirs: &Seen) -> bool {
    let close = |a: f64, b: f64| a == b || ((a - b) / a).abs() < 1e-15;
    let close_32 = |a: f32, b: f32| a == b || ((a - b) / a).abs() < 1e-6;
    let floats = match (ours.d, theirs.d, ours.f, theirs.f) {
        (Some(a), Some(b), Some(c), Some(d)) => close(a, b) && close_32(c, d),
        (Some(a), Some(b), None, None) => close(a, b),
        (None, None, Some(c), Some(d)) => close_32(c, d),
        (None, None, None, None) => true,
        _ => false,
    };
    floats
        && (ours.a, ours.bc, ours.low, ours.flag, ours.c)
            == (theirs.a, theirs.bc, theirs.low, theirs.flag, theirs.c)
        && (&ours.s, &ours.xs) == (&theirs.s, &theirs.xs)
}

fn space() -> impl Strategy<Value = &'static str> {
    prop_oneof![6 => Just(""), 2 => Just(" "), 1 => Just("\n\t"), 1 => Just("\r\n  ")]
}

fn key() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec!["a", "bc", "low", "flag", "f", "d", "s", "c", "xs"]);
    prop_oneof![
        20 => known.prop_map(str::to_owned),
        1 => Just("\\u0061".to_owned()),
        1 => Just("b\\u0063".to_owned()),
        1 => Just("unknown".to_owned()),
        1 => Just("\\q".to_owned()),
    ]
}

fn value() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        4 => any::<i32>().prop_map(|n| n.to_string()),
        2 => any::<u64>().prop_map(|n| n.to_string()),
        2 => any::<i64>().prop_map(|n| n.to_string()),
        2 => any::<i64>().prop_map(|n| format!("\"{n}\"")),
        2 => any::<u8>().prop_map(|n| n.to_string()),
        // Few digits and small exponents, so that a double represents integers exactly: the reader
        // uses the digits, serde_json the double.
        1 => any::<f32>().prop_map(|n| format!("{n:e}")),
        1 => any::<f32>().prop_map(|n| format!("{n}")),
        1 => (any::<i16>(), 0..6_i8).prop_map(|(n, e)| format!("{n}.0E+{e}")),
        1 => "-?[0-9]{1,25}",
        1 => "-?[0-9]{0,2}\\.?[0-9]{0,3}[eE]?[+-]?[0-9]{0,2}",
        2 => prop::sample::select(vec!["true", "false", "null", "nul", "truex", "-0", "-", "00", "1.", "{}", "{\"a\":1}"])
            .prop_map(str::to_owned),
        2 => any::<String>().prop_map(|s| serde_json::to_string(&s).expect("text")),
        1 => "\"[a-z\\\\u0-9\"/]{0,8}\"",
        1 => "\"(\\\\u[dD][89abAB][0-9a-f]{2}){1,2}\"",
    ];
    prop_oneof![
        8 => scalar.clone(),
        2 => prop::collection::vec(prop_oneof![6 => any::<u8>().prop_map(|n| n.to_string()), 1 => scalar], 0..5)
            .prop_map(|elements| format!("[{}]", elements.join(","))),
    ]
}

/// A key with a value that is valid most of the time.
fn fitting() -> impl Strategy<Value = (String, String)> {
    let number =
        prop_oneof![any::<i16>().prop_map(|n| n.to_string()), any::<f32>().prop_map(|n| format!("{n:e}"))];
    let string = any::<String>().prop_map(|s| serde_json::to_string(&s).expect("text"));
    let wide =
        prop_oneof![any::<i64>().prop_map(|n| n.to_string()), any::<i64>().prop_map(|n| format!("\"{n}\""))];
    let bytes = prop::collection::vec(any::<u8>(), 0..5).prop_map(|bytes| format!("{bytes:?}"));
    prop_oneof![
        wide.prop_map(|value| ("low", value)),
        any::<bool>().prop_map(|value| ("flag", value.to_string())),
        number.clone().prop_map(|value| ("f", value)),
        number.prop_map(|value| ("d", value)),
        string.prop_map(|value| ("s", value)),
        "[ -!#-\\[]".prop_map(|value| ("c", format!("\"{value}\""))),
        bytes.prop_map(|value| ("xs", value)),
        prop::sample::select(vec!["low", "s", "xs", "d"]).prop_map(|key| (key, "null".to_owned())),
    ]
    .prop_map(|(key, value)| (key.to_owned(), value))
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let pair = prop_oneof![4 => fitting(), 1 => (key(), value())];
    let member = (space(), pair, space(), space(), space())
        .prop_map(|(a, (key, value), b, c, d)| format!("{a}\"{key}\"{b}:{c}{value}{d}"));
    let required = any::<(i32, u32)>().prop_map(|(a, b)| format!("\"a\":{a},\"bc\": {b}"));
    let object = (0..8_u8, required, prop::collection::vec(member, 0..4), space()).prop_map(
        |(omit, required, mut members, end)| {
            if omit != 0 {
                members.insert(members.len() / 2, required);
            }
            format!("{end}{{{}}}{end}", members.join(","))
        },
    );
    // Sometimes a byte is changed, removed or duplicated.
    (object, 0..12_u8, any::<prop::sample::Index>(), any::<u8>()).prop_map(|(object, change, place, byte)| {
        let mut text = object.into_bytes();
        let at = place.index(text.len());
        match change {
            1 => text[at] = byte,
            2 => drop(text.remove(at)),
            3 if byte % 2 == 0 => text.insert(at, b"{}[],:\"\\0 -"[usize::from(byte) % 11]),
            _ => {}
        }
        text
    })
}

/// How many random texts a property is tested with: more in CI, where it may take longer.
pub(in crate::adapter) fn cases() -> u32 {
    if std::env::var_os("OPENDYN_TEST_ALL").is_some() { 20_000 } else { 2_000 }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(),
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_verdict_and_the_values_are_those_of_serde_json(text in text()) {
        let shown = String::from_utf8_lossy(&text);
        match (by_reader(&text), by_serde_json(&text)) {
            (Ok(ours), Ok(theirs)) => {
                prop_assert!(nearly_equal(&ours, &theirs), "{shown}\n  ours:   {ours:?}\n  theirs: {theirs:?}");
            }
            (Err(_), Err(_)) => {}
            // A float of this size may be rounded; the digits are exact.
            (Ok(_), Err(theirs)) if theirs.contains("beyond ±2^53") => {}
            (ours, theirs) => prop_assert!(false, "{shown}\n  ours:   {ours:?}\n  theirs: {theirs:?}"),
        }
    }

    #[test]
    fn no_bytes_make_it_panic(text in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = by_reader(&text);
        let _ = by_reader(&[b"{\"a\":1,\"s\":\"", &text[..], b"\"}"].concat());
    }
}

#[test]
fn the_property_sees_both_verdicts() {
    // Otherwise the property would prove nothing: many of the texts must be accepted.
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let accepted = (0..1000)
        .filter(|_| by_reader(&text().new_tree(&mut runner).expect("a text").current()).is_ok())
        .count();
    assert!((100..900).contains(&accepted), "{accepted} of 1000 accepted");
}

/// The refusal of `text`, without its "invalid arguments: ".
fn refused(text: &str) -> String {
    let message = by_reader(text.as_bytes()).expect_err(text);
    message.strip_prefix("invalid arguments: ").expect("a refusal").to_owned()
}

#[test]
fn every_refusal_names_the_place_and_what_was_allowed() {
    for (text, expected) in [
        ("", "not JSON: line 1 column 1: expected an object of arguments, found the end"),
        ("[1]", "[1] is an array; expected an object of arguments"),
        ("null", "null is null; expected an object of arguments"),
        (r#"{"a":1,"bc":2}x"#, "not JSON: line 1 column 15: expected nothing more, found 'x'"),
        (r#"{"a":1,}"#, "not JSON: line 1 column 8: expected a key in double quotes, found '}'"),
        (r#"{"a":1"#, "not JSON: line 1 column 7: expected `,` or `}`, found the end"),
        (r#"{"a" 1}"#, "not JSON: line 1 column 6: expected `:`, found '1'"),
        (r#"{"a":01,"bc":2}"#, "not JSON: line 1 column 7: expected `,` or `}`, found '1'"),
        (r#"{"a":1,"bc":-1}"#, "/bc: -1 does not fit unsigned long long (0 to 18446744073709551615)"),
        (r#"{"a":1e10,"bc":2}"#, "/a: 1e10 does not fit int (-2147483648 to 2147483647)"),
        (
            r#"{"a":true,"bc":2}"#,
            "/a: true is a boolean; expected an integer (int, -2147483648 to 2147483647)",
        ),
        (r#"{"a":null,"bc":2}"#, "/a: null is null; expected an integer (int, -2147483648 to 2147483647)"),
        (r#"{"a":1,"bc":2,"flag":1}"#, "/flag: 1 is a number; expected true or false"),
        (r#"{"a":1,"bc":2,"f":1e39}"#, "/f: 1e39 does not fit float (-3.4028235e38 to 3.4028235e38)"),
        (r#"{"a":1,"bc":2,"d":{}}"#, "/d: {} is an object; expected a number (double)"),
        (r#"{"a":1,"bc":2,"c":"ab"}"#, "/c: \"ab\" is 2 bytes long; expected a string of one byte (char)"),
        (
            r#"{"a":1,"bc":2,"s":"x\u0000y"}"#,
            "/s: the string has a NUL at byte 1, where C would end it; expected a string without NUL",
        ),
        (r#"{"a":1,"bc":2,"xs":[1,2,3,300]}"#, "/xs/3: 300 does not fit unsigned char (0 to 255)"),
        (
            r#"{"a":1,"bc":2,"xs":[1,[2]]}"#,
            "/xs/1: [2] is an array; expected an integer (unsigned char, 0 to 255)",
        ),
        (
            r#"{"a":1,"bc":2,"z~/":3}"#,
            "/z~0~1: unknown argument; this function takes a, bc, low, flag, f, d, s, c, xs",
        ),
    ] {
        assert_eq!(refused(text), expected, "{text}");
    }
}

#[test]
fn deep_nesting_ends_early() {
    let text = format!(r#"{{"a":{}"#, "[".repeat(100_000));
    assert_eq!(refused(&text), "/a: nested deeper than 128 levels");
}

#[test]
fn long_arguments_are_refused_unread() {
    let text = " ".repeat(MAX_ARGUMENTS + 1);
    assert_eq!(refused(&text), "the arguments are 67108865 bytes long; the limit is 67108864");
}

#[test]
fn text_that_is_not_utf_8_is_refused() {
    let error = by_reader(b"{\"a\":1,\"bc\":2,\"s\":\"\xff\"}").expect_err("not UTF-8");
    assert!(error.contains("expected UTF-8"), "{error}");
}
