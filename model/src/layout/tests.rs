use proptest::prelude::*;
use serde_json::json;

use super::*;

fn laid_out(source: &str) -> String {
    of_text(source).expect("a layout")
}

#[test]
fn keys_are_ordered_as_in_the_table() {
    let source = r#"{"functions":[{"return":null,"parameters":[],"x-symbol":"g","description":"F.","name":"f"}],
        "info":{"version":"1","callingConvention":"cdecl","title":"t"},"opendyn":"1.0.0"}"#;
    let expected = r#"{
  "opendyn": "1.0.0",
  "info": {
    "title": "t",
    "version": "1",
    "callingConvention": "cdecl"
  },
  "functions": [
    {
      "name": "f",
      "description": "F.",
      "x-symbol": "g",
      "parameters": [],
      "return": null
    }
  ]
}
"#;
    assert_eq!(laid_out(source), expected);
}

#[test]
fn keys_of_the_document_s_own_keep_their_order() {
    let source = r#"{"code":{"2":"b","1":"a"},"schemas":{"Z":{"properties":{"y":{},"x":{}}},"A":{}}}"#;
    let text = laid_out(source);
    for [first, second] in [["\"2\"", "\"1\""], ["\"Z\"", "\"A\""], ["\"y\"", "\"x\""]] {
        assert!(text.find(first) < text.find(second), "{text}");
    }
}

#[test]
fn an_unknown_key_stays_behind_the_one_that_it_followed() {
    let source = r#"{"x-first":1,"info":{"version":"1","x-of-version":2,"title":"t","x-of-title":3}}"#;
    let text = laid_out(source);
    let keys = ["x-first", "info", "title", "x-of-title", "version", "x-of-version"];
    let places: Vec<_> = keys.iter().map(|key| text.find(&format!("\"{key}\""))).collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{text}");
}

#[test]
fn numbers_and_strings_stay_as_they_are_written() {
    let source = r#"{"x-a": [1.50, 1e400, -0, 123456789012345678901234567890], "x-\u00e9\/": "\u4e2d\/é"}"#;
    let text = laid_out(source);
    for part in ["[1.50, 1e400, -0, 123456789012345678901234567890]", r#""x-\u00e9\/": "\u4e2d\/é""#] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_line_has_at_most_a_hundred_columns_where_it_can() {
    let of = |width: usize| {
        let text = laid_out(&format!(r#"{{"x-key": {{"a": "{}"}}}}"#, "x".repeat(width)));
        text.lines().map(str::len).max()
    };
    // `  "x-key": { "a": "…" }` has 22 columns beside the text.
    assert_eq!(of(100 - 22 - 1), Some(99));
    assert_eq!(of(100 - 22), Some(100 - 22 + 11));
}

#[test]
fn wide_characters_take_two_columns() {
    let text = laid_out(&format!(r#"{{"x-key": {{"a": "{}"}}}}"#, "中".repeat(45)));
    assert_eq!(text.lines().count(), 5, "{text}");
}

#[test]
fn many_scalars_fill_lines() {
    let numbers: Vec<u32> = (1000..1100).collect();
    let text = of_value(&json!({ "x-numbers": numbers }));
    assert_eq!(text.lines().count(), 11, "{text}");
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), json!({ "x-numbers": numbers }));
}

#[test]
fn a_key_that_stands_twice_is_an_error_even_where_no_rule_looks() {
    let source = r#"{"x-other": {"a": 1, "b": 2, "\u0061": 3}}"#;
    let Err(LayoutError::DuplicateKey { key, span }) = of_text(source) else { panic!("an error") };
    assert_eq!((key.as_str(), &source[span.start..span.end]), ("a", r#""\u0061""#));
}

#[test]
fn what_is_not_json_has_no_layout() {
    for source in ["", "{", "[1,]", "{\"a\":1}x", &"[".repeat(1000)] {
        assert!(matches!(of_text(source), Err(LayoutError::NotJson)), "{source}");
    }
}

#[test]
fn a_value_is_laid_out_as_its_text_is() {
    let source = include_str!("../../../tests/fixtures/keys-callbacks/tool.json");
    let value: Value = serde_json::from_str(source).expect("JSON");
    assert_eq!(of_value(&value), laid_out(source));
}

/// Any JSON, with keys of the table at any place.
fn any_json() -> impl Strategy<Value = Value> {
    let known: Vec<&str> =
        Place::ALL.iter().flat_map(|place| place.keys().iter().map(|key| key.name)).collect();
    let key = prop_oneof![proptest::sample::select(known).prop_map(str::to_owned), ".{0,6}",];
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<i32>().prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
        ".{0,40}".prop_map(Value::from),
    ];
    scalar.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::vec((key.clone(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn nothing_is_lost_and_a_second_time_changes_nothing(value in any_json()) {
        let once = of_value(&value);
        prop_assert_eq!(laid_out(&once), once.as_str());
        prop_assert_eq!(serde_json::from_str::<Value>(&once).expect("JSON"), value);
    }

    #[test]
    fn a_text_that_is_damaged_is_no_panic(at in 0usize..2000, byte in any::<char>()) {
        let mut source = include_str!("../../../tests/fixtures/keys-values/tool.json").to_owned();
        let at = (0..=at.min(source.len())).rfind(|at| source.is_char_boundary(*at)).unwrap_or(0);
        source.insert(at, byte);
        let _ = of_text(&source);
        let _ = of_text(&source[..at]);
    }
}
