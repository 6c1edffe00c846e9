//! Random texts, most of them valid: both readers must agree on the verdict and the memory.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use serde_json::Value;

use super::{by_reader, by_serde_json};

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => any::<i8>().prop_map(|n| n.to_string()),
        2 => any::<i32>().prop_map(|n| n.to_string()),
        1 => any::<i16>().prop_map(|n| format!("{n}.5")),
        1 => (any::<i8>(), 0..3_u8).prop_map(|(n, e)| format!("{n}e{e}")),
    ]
}

fn string() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-f0-9]{0,8}".prop_map(|text| format!("\"{text}\"")),
        1 => "[A-Za-z0-9+/]{4}([A-Za-z0-9+/]{3}=)?".prop_map(|text| format!("\"{text}\"")),
        1 => "[à-ÿ]{0,3}".prop_map(|text| format!("\"{text}\"")),
        2 => any::<String>().prop_map(|text| serde_json::to_string(&text).expect("text")),
        1 => Just("\"pear\"".to_owned()),
        1 => "\"[a-z\\\\u0-9\"/]{0,8}\"",
    ]
}

/// An object of the `members`: most valid, some duplicate, some unknown.
fn object(members: impl Strategy<Value = (&'static str, String)>) -> impl Strategy<Value = String> {
    let member = (members, 0..30_u8, prop::sample::select(vec!["", " ", "\n"])).prop_map(
        |((key, value), change, space)| match change {
            0 => format!("\"{key}x\":{value}"),
            1 => format!("\"{key}\":null"),
            2 => format!("\"{key}\":\"{key}\""),
            3 => format!("\"\\u00{:02x}{}\":{value}", key.as_bytes()[0], &key[1..]),
            _ => format!("{space}\"{key}\"{space}:{space}{value}{space}"),
        },
    );
    prop::collection::vec(member, 0..4).prop_map(|members| members.join(","))
}

fn array(element: impl Strategy<Value = String>, least: usize, most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(element, least..=most).prop_map(|elements| format!("[{}]", elements.join(", ")))
}

fn inner() -> impl Strategy<Value = String> {
    let pair = array(number(), 2, 2);
    (any::<u8>(), prop::option::of(pair), 0..20_u8).prop_map(|(small, pair, change)| match (change, pair) {
        (0, _) => "{}".to_owned(),
        (_, None) => format!("{{\"small\":{small}}}"),
        (_, Some(pair)) => format!("{{ \"pair\":{pair},\"small\": {small} }}"),
    })
}

fn any_point() -> impl Strategy<Value = String> {
    let members = prop_oneof![
        number().prop_map(|value| ("y", value)),
        inner().prop_map(|value| ("inner", value)),
        string().prop_map(|value| ("tag", value)),
        string().prop_map(|value| ("key", value)),
        string().prop_map(|value| ("wide", value)),
        string().prop_map(|value| ("name", value)),
        string().prop_map(|value| ("latin", value)),
        (-1..2_i8).prop_map(|value| ("level", value.to_string())),
        any::<bool>().prop_map(|value| ("on", value.to_string())),
        Just(("opaque", "null".to_owned())),
        array(inner(), 2, 2).prop_map(|value| ("many", value)),
    ];
    (any::<i16>(), object(members)).prop_map(|(x, members)| {
        let comma = if members.is_empty() { "" } else { "," };
        format!("{{\"x\":{x}{comma}{members}}}")
    })
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let members = prop_oneof![
        3 => any_point().prop_map(|value| ("p", value)),
        3 => array(any_point(), 0, 3).prop_map(|value| ("ps", value)),
        2 => array(string(), 0, 4).prop_map(|value| ("names", value)),
        1 => string().prop_map(|value| ("latin", value)),
        1 => string().prop_map(|value| ("bytes", value)),
        1 => "\"[0-9a-fA-F]{8}\"".prop_map(|value| ("four", value)),
        1 => string().prop_map(|value| ("wide", value)),
        1 => string().prop_map(|value| ("units", value)),
        1 => string().prop_map(|value| ("text", value)),
        1 => (-1..3_i8).prop_map(|value| ("level", value.to_string())),
        1 => array(number(), 3, 3).prop_map(|value| ("three", value)),
        1 => string().prop_map(|value| ("fruit", value)),
    ];
    // Sometimes a byte is changed, removed or duplicated.
    (object(members), 0..12_u8, any::<prop::sample::Index>(), any::<u8>()).prop_map(
        |(members, change, place, byte)| {
            let mut text = format!("{{{members}}}").into_bytes();
            let at = place.index(text.len());
            match change {
                1 => text[at] = byte,
                2 => drop(text.remove(at)),
                3 => text.insert(at, b"{}[],:\"\\0 -"[usize::from(byte) % 11]),
                _ => {}
            }
            text
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: crate::adapter::reader::tests::cases(),
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(2),
        ..ProptestConfig::default()
    })]

    #[test]
    fn both_readers_agree(text in text()) {
        let shown = String::from_utf8_lossy(&text);
        let is_json = serde_json::from_slice::<Value>(&text).is_ok();
        match (by_reader(&text), by_serde_json(&text)) {
            (Ok(ours), Ok(theirs)) => {
                prop_assert!(is_json, "{shown}");
                prop_assert_eq!(ours, theirs, "{}", shown);
            }
            (Err(_), Err(_)) => {}
            (ours, theirs) => prop_assert!(false, "{shown}\n  ours:   {ours:?}\n  theirs: {theirs:?}"),
        }
    }
}

#[test]
fn the_property_sees_both_verdicts() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let accepted = (0..1000)
        .filter(|_| by_reader(&text().new_tree(&mut runner).expect("a text").current()).is_ok())
        .count();
    assert!((150..850).contains(&accepted), "{accepted} of 1000 accepted");
}
