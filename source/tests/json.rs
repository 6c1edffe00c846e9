//! The JSON reader accepts what serde_json accepts and reads the same values; the writer writes the same text.

#![expect(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

use opendyn_source::json::{self, Node, Value, parse, write};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value as Theirs;

/// What serde_json would have read, with the last of several equal keys.
fn theirs(node: &Node) -> Result<Theirs, serde_json::Error> {
    Ok(match &node.value {
        Value::Null => Theirs::Null,
        Value::Bool(value) => Theirs::Bool(*value),
        Value::Number(text) => serde_json::from_str(text)?,
        Value::String(text) => Theirs::String(text.clone()),
        Value::Array(elements) => Theirs::Array(elements.iter().map(theirs).collect::<Result<_, _>>()?),
        Value::Object(members) => {
            let members = members.iter().map(|member| Ok((member.key.clone(), theirs(&member.value)?)));
            Theirs::Object(members.collect::<Result<_, _>>()?)
        }
    })
}

/// Every place holds what the tree says.
fn assert_places(source: &str, node: &Node) {
    let text = &source[node.span.start..node.span.end];
    assert_eq!(text, text.trim());
    assert_eq!(
        format!("{:?}", parse(text).expect("a value").value.noun()),
        format!("{:?}", node.value.noun())
    );
    match &node.value {
        Value::Array(elements) => elements.iter().for_each(|element| assert_places(source, element)),
        Value::Object(members) => {
            for json::Member { key, key_span, value } in members {
                let written: String =
                    serde_json::from_str(&source[key_span.start..key_span.end]).expect("a key");
                assert_eq!(written, *key);
                assert_places(source, value);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn assert_same(source: &str) {
    let expected: Result<Theirs, _> = serde_json::from_str(source.strip_prefix('\u{feff}').unwrap_or(source));
    match parse(source) {
        Ok(node) => {
            assert_places(source, &node);
            match (theirs(&node), expected) {
                (Ok(ours), Ok(expected)) => assert_eq!(ours, expected, "{source:?}"),
                // A number as text has no range.
                (Err(ours), Err(expected)) => {
                    assert!(expected.to_string().contains("out of range"), "{source:?}: {ours} {expected}");
                }
                (ours, expected) => panic!("{source:?}: {ours:?}, but {expected:?}"),
            }
        }
        Err(failure) => {
            assert!(expected.is_err(), "{source:?}: {failure:?}, but {expected:?}");
            if let json::Failure::Syntax { at, .. } = failure {
                assert!(source.is_char_boundary(at), "{source:?}: {at}");
            }
        }
    }
}

/// What JSON is made of, and what looks like it.
fn pieces() -> impl Strategy<Value = String> {
    let words = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\ude00", "\\n", "\\/", "u00", "0041",
        "true", "false", "null", "nul", "-", "0", "7", "12", ".", "e", "E+", "e-9", "999", " ", "\n", "\r",
        "\t", "\0", "\u{1f}", "\u{7f}", "\u{feff}", "é", "😀", "'", "/", "a", "\"a\"", "\"b\":", "\u{a0}",
    ];
    prop::sample::select(words.to_vec()).prop_map(str::to_owned)
}

fn values() -> impl Strategy<Value = Theirs> {
    let text = || prop_oneof![vec(pieces(), 0..4).prop_map(|pieces| pieces.concat()), any::<String>()];
    let leaf = prop_oneof![
        Just(Theirs::Null),
        any::<bool>().prop_map(Theirs::from),
        any::<i64>().prop_map(Theirs::from),
        any::<u64>().prop_map(Theirs::from),
        (-1000..1000i32).prop_map(Theirs::from),
        // Fractions with one shortest form; the test of numbers takes all others.
        (-100_000..100_000i32).prop_map(|eighths| Theirs::from(f64::from(eighths) / 8.0)),
        text().prop_map(Theirs::from),
    ];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Theirs::from),
            vec((text(), inner), 0..6).prop_map(|members| Theirs::Object(members.into_iter().collect())),
        ]
    })
}

/// The same value, to be written here.
fn ours(value: &Theirs) -> write::Value {
    match value {
        Theirs::Null => write::Value::Null,
        Theirs::Bool(value) => (*value).into(),
        Theirs::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(integer), ..) => integer.into(),
            (_, Some(integer), _) => integer.into(),
            (.., number) => number.into(),
        },
        Theirs::String(text) => text.into(),
        Theirs::Array(elements) => elements.iter().map(ours).collect(),
        Theirs::Object(members) => {
            let members = members.iter().map(|(key, value)| (key.clone(), ours(value)));
            members.collect::<write::Object>().into()
        }
    }
}

fn cases() -> u32 {
    if std::env::var_os("OPENDYN_TEST_ALL").is_some() { 20_000 } else { 1_000 }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(),
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_read_as_serde_json_reads_it(text in vec(pieces(), 0..12)) {
        assert_same(&text.concat());
    }

    #[test]
    fn a_document_with_a_mistake_is_read_as_serde_json_reads_it(
        value in values(),
        pretty in any::<bool>(),
        edits in vec((any::<prop::sample::Index>(), any::<bool>(), pieces()), 0..3),
    ) {
        let mut text = if pretty { format!("{value:#}") } else { value.to_string() };
        for (place, replaces, piece) in edits {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let at = *place.get(&places);
            let end = if replaces { text[at..].chars().next().map_or(at, |first| at + first.len_utf8()) } else { at };
            text.replace_range(at..end, &piece);
            if text.is_empty() {
                break;
            }
        }
        assert_same(&text);
    }

    #[test]
    fn a_value_is_written_as_serde_json_writes_it(value in values()) {
        let ours = ours(&value);
        prop_assert_eq!(ours.to_string(), value.to_string());
        prop_assert_eq!(format!("{ours:#}"), format!("{value:#}"));
    }

    #[test]
    fn a_number_is_written_in_the_form_that_serde_json_has(bits in any::<u64>(), digits in -9_999_999..9_999_999i64, power in -30..30) {
        let short = digits as f64 * 10f64.powi(power);
        for number in [f64::from_bits(bits), short, short.trunc()] {
            let (ours, theirs) = (write::Value::from(number).to_string(), serde_json::json!(number).to_string());
            // Where two texts of the same length are equally near, either is right.
            prop_assert_eq!(ours.len(), theirs.len(), "{} {}", ours, theirs);
            prop_assert_eq!(ours.parse::<f64>().ok(), theirs.parse::<f64>().ok());
        }
    }
}

#[test]
fn a_key_that_is_set_again_keeps_its_place() {
    let mut object = opendyn_source::object! { "a": 1, "b": [true, false] };
    object.set("a", None::<i32>);
    object.set("c", "\u{2028}\u{7f}");
    assert_eq!(object.to_string(), "{\"a\":null,\"b\":[true,false],\"c\":\"\u{2028}\u{7f}\"}");
    assert_eq!(object.get("c").and_then(write::Value::as_str), Some("\u{2028}\u{7f}"));
}
