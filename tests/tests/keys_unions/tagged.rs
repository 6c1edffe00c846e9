//! Unions of which a tag in the same struct says the member.

use std::ffi::CString;

use opendyn::opentool::export::{lint_strict, openai_responses};
use opendyn::{CBool, CallError};
use opendyn_tests::{answer, assert_answers, assert_refused, described, packed};
use serde_json::{Value, json};

use super::{Box_, Point, Reading, ReadingValue, Variant, VariantValue, unions};

/// The members of `text` in C.
fn text(text: &[u8]) -> [std::ffi::c_char; 12] {
    let mut units = [0; 12];
    for (unit, byte) in units.iter_mut().zip(text) {
        *unit = *byte as std::ffi::c_char;
    }
    units
}

/// Every member with its tag: in Rust, in JSON, and what C makes of it.
fn all() -> Vec<(i32, VariantValue, Value, f64)> {
    vec![
        (0, VariantValue::Empty, json!(null), 0.0),
        (1, VariantValue::I(-42), json!({"i": -42}), 1000.0 - 42.0),
        (2, VariantValue::D(2.5), json!({"d": 2.5}), 2002.5),
        (3, VariantValue::Text(text(b"in place")), json!({"text": "in place"}), 3008.0),
        (4, VariantValue::Point(Point { x: 1.5, y: -2.0 }), json!({"point": {"x": 1.5, "y": -2.0}}), 4001.0),
        (5, VariantValue::Name(Some(CString::from(c"one"))), json!({"name": "one"}), 5003.0),
        (6, VariantValue::Flag(CBool::from(true)), json!({"flag": true}), 6100.0),
        (
            -1,
            VariantValue::Bytes([1, 2, 3, 255]),
            json!({"bytes": [1, 2, 3, 255]}),
            -1000.0 + 1.0 + 256.0 * 255.0,
        ),
    ]
}

fn variant(value: VariantValue) -> Variant {
    Variant { value, after: 7 }
}

#[test]
fn a_struct_with_a_union_is_as_large_and_aligned_as_in_c() {
    let unions = unions();
    // The document lists 16 bytes at most, aligned to 8, or to 4 on 32-bit x86.
    let (whole, align, union) =
        (unions.variant_size() % 100, unions.variant_size() / 100 % 100, unions.variant_size() / 10_000);
    let expected = if align == 8 { (32, 16) } else { (20, 12) };
    assert_eq!((whole, union), expected);
    assert_eq!(answer(&unions, "variant_size", &json!({})), Ok(json!({"size": unions.variant_size()})));
}

#[test]
fn every_member_comes_out_of_c() {
    let unions = unions();
    for (kind, value, json, _) in all() {
        let made = unions.variant_make(kind);
        match (&made.value, &value) {
            // C may leave any bytes behind the NUL.
            (VariantValue::Text(units), VariantValue::Text(expected)) => {
                assert_eq!(units[..9], expected[..9])
            }
            // C leaves a byte of 2.
            (VariantValue::Flag(flag), VariantValue::Flag(_)) => assert!(flag.get()),
            (made, expected) => assert_eq!(made, expected),
        }
        assert_eq!(made.after, 7);
        let shared = unions.variant_shared(kind).expect("not NULL");
        assert_eq!(std::mem::discriminant(&shared.value), std::mem::discriminant(&value));
        let whole = json!({"value": json, "after": 7});
        assert_answers(
            &unions,
            [
                ("variant_make", json!({"kind": kind}), json!({"variant": whole})),
                ("variant_shared", json!({"kind": kind}), json!({"variant": whole})),
            ],
        );
    }
    assert_eq!(unions.variant_shared(99), None);
    assert_answers(&unions, [("variant_shared", json!({"kind": 99}), json!({"variant": null}))]);
}

#[test]
fn every_member_goes_to_c_with_zeros_behind_it() {
    let unions = unions();
    for (kind, value, json, sum) in all() {
        let variant = variant(value);
        let sum = sum + 0.25 * 7.0;
        assert_eq!(unions.variant_sum(&variant), Ok(sum), "{kind}");
        assert_eq!(unions.variant_rest(&variant), Ok(0), "{kind}");
        assert_eq!(unions.variants_sum(&[variant.clone(), variant]), Ok(2.0 * sum));
        let given = json!({"value": json, "after": 7});
        assert_answers(
            &unions,
            [
                ("variant_sum", json!({"variant": given}), json!({"sum": sum})),
                ("variant_rest", json!({"variant": given}), json!({"rest": 0})),
                ("variants_sum", json!({"variants": [given, given]}), json!({"sum": 2.0 * sum})),
            ],
        );
        assert_eq!(packed(&unions, "variant_sum", &json!({"variant": given})), Ok(json!({"sum": sum})));
    }
    // Absent is as null: no member is used.
    assert_answers(&unions, [("variant_sum", json!({"variant": {"after": 0}}), json!({"sum": 0.0}))]);
    assert_eq!(unions.variant_sum(&variant(VariantValue::Name(None))), Ok(5000.75), "NULL is a name in Rust");
}

#[test]
fn a_tag_that_is_not_listed_is_unknown_and_cannot_be_passed() {
    let unions = unions();
    let made = unions.variant_make(77);
    assert_eq!(made, variant(VariantValue::Unknown(77)));
    assert_eq!(unions.variant_sum(&made), Err(CallError::Unlisted { value: "value" }));
    let unknown = json!({"value": {"unknown": 77}, "after": 7});
    assert_answers(&unions, [("variant_make", json!({"kind": 77}), json!({"variant": unknown}))]);
    assert_refused(
        &unions,
        [(
            "variant_sum",
            json!({"variant": unknown}),
            "/variant/value/unknown: unknown member; expected an object (Variant_value: i, d, text, point, name, flag, bytes)",
        )],
    );
}

#[test]
fn an_object_has_exactly_one_member() {
    let unions = unions();
    let with = |value: Value| json!({"variant": {"value": value, "after": 1}});
    let expected = "expected an object with one member (Variant_value: i or d or text or point or name or flag or bytes)";
    let refused = |value: Value, message: &str| {
        let error = answer(&unions, "variant_sum", &with(value.clone())).expect_err("refused");
        assert!(error.contains(message), "{error}");
        // The value of another format is not quoted.
        let place = message.split_inclusive(": ").next().unwrap_or_default();
        let error = packed(&unions, "variant_sum", &with(value)).expect_err("refused");
        assert!(error.contains(place), "{error}");
    };
    refused(json!({}), &format!("/variant/value: no member; {expected}"));
    refused(json!({"i": 1, "d": 2}), &format!("/variant/value: more than one member; {expected}"));
    refused(json!({"x": 1}), "/variant/value/x: unknown member; expected an object (Variant_value: i, d,");
    refused(json!({"i": 1.5}), "/variant/value/i: 1.5 is not an integer");
    refused(json!({"i": null}), "/variant/value/i: null is null");
    refused(json!({"name": null}), "/variant/value/name: null is null");
    refused(json!({"point": {"x": 1}}), "/variant/value/point/y: missing");
    refused(json!(3), "/variant/value: ");
    refused(json!([1]), "/variant/value: ");
    assert_refused(
        &unions,
        [
            (
                "variant_sum",
                json!({"variant": {"kind": 1, "value": {"i": 1}, "after": 1}}),
                "/variant/kind: unknown member; expected an object (Variant: value, after)",
            ),
            (
                "reading_sum",
                json!({"reading": {}}),
                "/reading/value: missing; expected an object with one member (Reading_value: celsius or raw)",
            ),
            (
                "reading_sum",
                json!({"reading": {"value": null}}),
                "/reading/value: null is null; expected an object with one member (Reading_value: celsius or raw)",
            ),
        ],
    );
}

#[test]
fn c_changes_the_member_that_is_used() {
    let unions = unions();
    let mut turned = variant(VariantValue::I(-3));
    unions.variant_turn(&mut turned).expect("a listed tag");
    assert_eq!(turned, Variant { value: VariantValue::D(-1.5), after: 8 });
    unions.variant_turn(&mut turned).expect("a listed tag");
    assert_eq!(turned, Variant { value: VariantValue::Text(text(b"a number")), after: 9 });
    unions.variant_turn(&mut turned).expect("a listed tag");
    assert_eq!(turned, Variant { value: VariantValue::Empty, after: 10 });
    let turn = |value: Value| json!({"variant": {"value": value, "after": 0}});
    let turned = |value: Value| json!({"variant": {"value": value, "after": 1}});
    assert_answers(
        &unions,
        [
            ("variant_turn", turn(json!({"i": 5})), turned(json!({"d": 2.5}))),
            ("variant_turn", turn(json!({"d": 5})), turned(json!({"text": "a number"}))),
            ("variant_turn", turn(json!({"name": "gone"})), turned(json!(null))),
        ],
    );
}

#[test]
fn arrays_and_callbacks_have_them_too() {
    let unions = unions();
    let made = unions.variants_make(1, 2).expect("room");
    assert_eq!(made, [variant(VariantValue::I(-42)), variant(VariantValue::D(2.5))]);
    let json = json!([{"value": {"i": -42}, "after": 7}, {"value": {"d": 2.5}, "after": 7}]);
    assert_answers(&unions, [("variants_make", json!({"first": 1, "n": 2}), json!({"variants": json}))]);
    let mut seen = Vec::new();
    unions.variants_each(7, |variant| seen.push(variant.value.clone())).expect("it is called");
    assert_eq!(seen.len(), 9);
    assert_eq!(seen[0], VariantValue::Bytes([1, 2, 3, 255]));
    assert_eq!(
        (&seen[1], &seen[2], &seen[8]),
        (&VariantValue::Empty, &VariantValue::I(-42), &VariantValue::Unknown(7))
    );
    let reply = answer(&unions, "variants_each", &json!({"last": 0, "each": true})).expect("collected");
    assert_eq!(reply["each"][0]["variant"], json!({"value": {"bytes": [1, 2, 3, 255]}, "after": 7}));
    assert_eq!(reply["each"][1]["variant"], json!({"value": null, "after": 7}));
}

#[test]
fn a_tag_may_be_narrow_and_behind_the_union() {
    let unions = unions();
    let celsius = Reading { value: ReadingValue::Celsius(36.5) };
    let raw = Reading { value: ReadingValue::Raw([1, 2, 3]) };
    assert_eq!((unions.reading_sum(&celsius), unions.reading_sum(&raw)), (Ok(36.5), Ok(100_004.0)));
    let full = unions.box_make().expect("a box");
    assert_eq!(full.readings, [celsius.clone(), raw.clone()]);
    assert_eq!(full.variant.as_deref(), Some(&variant(VariantValue::Name(Some(CString::from(c"one"))))));
    assert_eq!(unions.box_sum(&full), Ok(36.5 + 2.0 * 100_004.0 + 5003.0 + 1.75));
    let bare = Box_ { readings: [raw, celsius], variant: None };
    assert_eq!(unions.box_sum(&bare), Ok(100_004.0 + 73.0));
    let json = json!({"readings": [{"value": {"celsius": 36.5}}, {"value": {"raw": [1, 2, 3]}}], "variant": {"value": {"name": "one"}, "after": 7}});
    assert_answers(
        &unions,
        [
            ("reading_sum", json!({"reading": {"value": {"raw": [1, 2, 3]}}}), json!({"sum": 100_004.0})),
            ("box_make", json!({}), json!({"box": json})),
            ("box_sum", json!({"box": json}), json!({"sum": 36.5 + 200_008.0 + 5004.75})),
        ],
    );
}

#[test]
fn models_see_one_shape_for_each_member() {
    let unions = unions();
    let document = unions.load().expect("a binding describes itself");
    let given = described(&document, "reading_sum")["parameters"][0]["schema"]["properties"]["value"].clone();
    let raw = json!({"type": "array", "items": {"type": "integer", "description": "From -2147483648 to 2147483647."}});
    assert_eq!(
        given,
        json!({"type": "object", "anyOf": [
            {"type": "object", "properties": {"celsius": {"type": "number"}}, "required": ["celsius"]},
            {"type": "object", "properties": {"raw": raw}, "required": ["raw"]},
        ]})
    );
    let schema = &described(&document, "variant_sum")["parameters"][0]["schema"];
    assert_eq!(
        (&schema["required"], &schema["properties"]["value"]["x-nullable"]),
        (&json!(["after"]), &json!(true))
    );
    let gotten = described(&document, "variant_make")["return"]["schema"].to_string();
    assert!(gotten.contains("unknown") && gotten.contains("A whole number."), "{gotten}");
    let tools = openai_responses(&document, true).expect("strict mode has `anyOf`");
    assert_eq!(lint_strict(&tools), []);
}
