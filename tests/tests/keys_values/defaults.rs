//! The values that C gets for absent arguments.

use std::ffi::c_char;

use opendyn_tests::described;
use serde_json::{Value, json};

use super::{Color, Unit, assert_values, seen, values};

#[test]
fn a_default_through_the_dots_counts_as_well() {
    let values = values();
    assert_eq!(values.describe_default(None), seen(c"i5 "));
    assert_eq!(values.describe_default(Some(0)), seen(c"i0 "));
    assert_values(
        &values,
        [
            ("describe_default", json!({}), json!("i5 ")),
            ("describe_default", json!({"a": null}), json!("i5 ")),
            ("describe_default", json!({"a": 0}), json!("i0 ")),
        ],
    );
}

#[test]
fn absent_is_the_default() {
    let values = values();
    let expected = c"1 120 200 -3 -4 4000000000 -9007199254740993 7 0.5 -1e+300 a \"text\" -4 cm";
    let none = values.defaults(None, None, None, None, None, None, None, None, None, None, None, None, None);
    assert_eq!(none, seen(expected));
    let expected = expected.to_str().expect("ASCII");
    assert_values(&values, [("defaults", json!({}), json!(expected))]);
    for member in ["flag", "c", "byte", "s", "i", "u", "ll", "size", "f", "d", "text", "color", "unit"] {
        assert_values(&values, [("defaults", json!({member: null}), json!(expected))]);
    }
}

#[test]
fn given_is_not_the_default() {
    let values = values();
    let expected = c"0 121 0 0 0 0 0 0 0 0  1 m";
    let given = values.defaults(
        Some(false),
        Some(c_char::from_ne_bytes(*b"y")),
        Some(0),
        Some(0),
        Some(0),
        Some(0),
        Some(0),
        Some(0),
        Some(0.0),
        Some(0.0),
        Some(c""),
        Some(Color::Red),
        Some(&Unit::M),
    );
    assert_eq!(given, seen(expected));
    let arguments = json!({
        "flag": false, "c": "y", "byte": 0, "s": 0, "i": 0, "u": 0, "ll": 0, "size": 0, "f": 0, "d": 0,
        "text": "", "color": 1, "unit": "m",
    });
    assert_values(&values, [("defaults", arguments, json!(expected.to_str().expect("ASCII")))]);
    let one = "1 120 200 -3 8 4000000000 -9007199254740993 7 0.5 -1e+300 a \"text\" -4 cm";
    assert_values(&values, [("defaults", json!({"i": 8}), json!(one))]);
}

#[test]
fn absent_without_a_default_is_zero_or_null() {
    let values = values();
    let expected = c"0 0 0 0 0 0 0 0 0 0 NULL 0 NULL";
    let none =
        values.without_defaults(None, None, None, None, None, None, None, None, None, None, None, None, None);
    assert_eq!(none, seen(expected));
    let some = values.without_defaults(
        Some(true),
        Some(1),
        Some(2),
        Some(3),
        Some(4),
        Some(5),
        Some(6),
        Some(7),
        Some(8.5),
        Some(9.5),
        Some(c"ten"),
        Some(11),
        Some(&Unit::Mm),
    );
    assert_eq!(some, seen(c"1 1 2 3 4 5 6 7 8.5 9.5 ten 11 mm"));
    assert_values(
        &values,
        [
            ("without_defaults", json!({}), json!(expected.to_str().expect("ASCII"))),
            ("without_defaults", json!({"c": 1, "unit": "mm"}), json!("0 1 0 0 0 0 0 0 0 0 NULL 0 mm")),
        ],
    );
}

/// The description of each parameter of `defaults` in the document.
fn told_of_defaults() -> Vec<(String, String)> {
    let document = values().load().expect("a binding describes itself");
    let parameters = described(&document, "defaults")["parameters"].clone();
    let text = |parameter: &Value, key: &str| parameter[key].as_str().expect("a string").to_owned();
    let parameters = parameters.as_array().expect("a list").iter();
    parameters.map(|parameter| (text(parameter, "name"), text(parameter, "description"))).collect()
}

#[test]
fn the_document_has_the_defaults() {
    let told = told_of_defaults();
    for (name, expected) in [
        ("flag", "Default: true."),
        ("byte", "Default: 200."),
        ("s", "Default: -3."),
        ("u", "Default: 4000000000."),
        ("ll", "Default: -9007199254740993."),
        ("size", "Default: 7."),
        ("f", "Default: 0.5."),
        ("text", r#"Default: "a \"text\""."#),
        ("color", "Some colors. Default: -4."),
        ("unit", r#"A unit of length. Default: "cm"."#),
    ] {
        assert!(told.contains(&(name.to_owned(), expected.to_owned())), "{name}: {told:?}");
    }
}

#[test]
fn defaults_are_described_as_they_are_given() {
    let told = told_of_defaults();
    let of = |name: &str| told.iter().find(|(key, _)| key == name).map(|(_, text)| text.as_str());
    assert_eq!(of("c"), Some(r#"Default: "x"."#), "a character, not its number");
    assert!(of("d").is_some_and(|text| text.len() < 30), "no three hundred digits: {:?}", of("d"));
}
