//! Objects that do not match the struct: each is refused with the JSON pointer of the fault.

use opendyn::ToolError;
use opendyn_tests::{answer, assert_refused};
use serde_json::{Value, json};

use super::structs;

/// The arguments of `named_check` with one member changed.
fn named_but(member: &str, value: Value) -> Value {
    let mut named = json!({
        "value": 2.5, "small": -7, "flag": true, "bytes": "0080ff", "label": "sixteen letters!",
        "counts": [0, 10, 20, 30], "corners": [{"x": 1, "y": 1}, {"x": 3, "y": 4}],
        "big": "9007199254740993", "ratio": 0.1,
    });
    named[member] = value;
    json!({"named": named})
}

#[test]
fn a_missing_member_is_named() {
    let number = "missing; expected a number (double)";
    assert_refused(
        &structs(),
        [
            ("point_length", json!({"point": {"x": 1}}), &format!("/point/y: {number}")),
            ("point_length", json!({"point": {}}), &format!("/point/x: {number}")),
            ("point_length", json!({}), "/point: missing; expected an object (Point: x, y)"),
            (
                "rect_area",
                json!({"rect": {"min": {"x": 1, "y": 1}}}),
                "/rect/max: missing; expected an object (Point: x, y)",
            ),
            (
                "rect_area",
                json!({"rect": {"min": {"y": 1}, "max": {"x": 1, "y": 1}}}),
                &format!("/rect/min/x: {number}"),
            ),
            ("rect_area_value", json!({"rect": {"min": {"x": 1}}}), &format!("/rect/min/y: {number}")),
            (
                "points_sum",
                json!({"points": [{"x": 1, "y": 1}, {"x": 1}]}),
                &format!("/points/1/y: {number}"),
            ),
            (
                "settings_digest",
                json!({"settings": {"level": 1}}),
                "/settings/retries: missing; expected an integer (int, -2147483648 to 2147483647)",
            ),
        ],
    );
}

#[test]
fn an_unknown_member_is_named() {
    let point = "unknown member; expected an object (Point: x, y)";
    assert_refused(
        &structs(),
        [
            ("point_length", json!({"point": {"x": 1, "y": 1, "z": 1}}), &format!("/point/z: {point}")),
            ("point_length", json!({"point": {"a/b~c": 1}}), &format!("/point/a~1b~0c: {point}")),
            ("rect_area", json!({"rect": {"min": {"X": 1}}}), &format!("/rect/min/X: {point}")),
            (
                "rect_area",
                json!({"rect": {"x": 1}}),
                "/rect/x: unknown member; expected an object (Rect: min, max)",
            ),
            ("points_sum", json!({"points": [{"z": 1}]}), &format!("/points/0/z: {point}")),
        ],
    );
}

#[test]
fn a_member_given_twice_is_named() {
    let structs = structs();
    for (function, arguments, pointer) in [
        ("point_length", r#"{"point":{"x":1,"y":1,"x":2}}"#, "/point/x"),
        ("point_length", r#"{"point":{"x":1,"\u0078":2}}"#, "/point/x"),
        ("rect_area", r#"{"rect":{"min":{"x":1,"x":2},"max":{"x":1,"y":1}}}"#, "/rect/min/x"),
        ("points_sum", r#"{"points":[{"x":1,"y":1},{"y":1,"y":1}]}"#, "/points/1/y"),
        ("settings_digest", r#"{"settings":{"retries":1,"level":null,"level":1}}"#, "/settings/level"),
    ] {
        let expected = ToolError::invalid_arguments(pointer, "given twice");
        assert_eq!(structs.call_json(function, arguments), Err(expected), "{function} {arguments}");
    }
}

#[test]
fn a_member_of_another_type_is_named() {
    let number = "expected a number (double)";
    let structs = structs();
    assert_refused(
        &structs,
        [
            (
                "point_length",
                json!({"point": {"x": "1", "y": 1}}),
                &format!("/point/x: \"1\" is a string; {number}"),
            ),
            (
                "point_length",
                json!({"point": {"x": null, "y": 1}}),
                &format!("/point/x: null is null; {number}"),
            ),
            (
                "rect_area",
                json!({"rect": {"min": {"x": true}}}),
                &format!("/rect/min/x: true is a boolean; {number}"),
            ),
            (
                "rect_area",
                json!({"rect": {"min": 1}}),
                "/rect/min: 1 is a number; expected an object (Point: x, y)",
            ),
            ("point_length", json!({"point": 1}), "/point: 1 is a number; expected an object (Point: x, y)"),
            (
                "pair_swap",
                json!({"pair": {"a": 1.5, "b": 1}}),
                "/pair/a: 1.5 is not an integer; expected an integer (int, -2147483648 to 2147483647)",
            ),
        ],
    );
    // Text and map quote an array differently, so only the place is compared.
    for (function, arguments, pointer) in [
        ("point_length", json!({"point": [1, 2]}), "/point"),
        ("points_sum", json!({"points": {"x": 1, "y": 1}}), "/points"),
        ("points_sum", json!({"points": [[1, 2]]}), "/points/0"),
        ("rect_area", json!({"rect": {"min": {"x": {}}}}), "/rect/min/x"),
    ] {
        let error = answer(&structs, function, &arguments).expect_err(function);
        assert!(error.starts_with(&format!("invalid arguments: {pointer}: ")), "{function}: {error}");
    }
}

#[test]
fn members_of_every_kind_have_faults_of_their_own() {
    let structs = structs();
    let text = "expected a string for 16 bytes";
    let bytes = "expected a string of hex digits for 3 bytes";
    for (member, value, expected) in [
        ("tag", json!("mm"), "/tag: \"mm\" is 2 bytes long; expected a string of one byte (char)"),
        ("small", json!(32768), "/small: 32768 does not fit short (-32768 to 32767)"),
        ("flag", json!(1), "/flag: 1 is a number; expected true or false"),
        ("color", json!(3), "/color: 3 is not one of 1 (Red), 2 (Green), -4 (Blue)"),
        ("color", json!("Red"), "/color: \"Red\" is a string; expected one of 1 (Red), 2 (Green), -4 (Blue)"),
        ("bytes", json!("0080"), &format!("/bytes: \"0080\" is 2 bytes long; {bytes}")),
        ("bytes", json!("0080ff00"), &format!("/bytes: \"0080ff00\" is 4 bytes long; {bytes}")),
        ("bytes", json!("0080fg"), "/bytes: byte 5 is not hex: 'g'; give plain text as {\"text\": …}"),
        (
            "label",
            json!("seventeen letters"),
            &format!("/label: \"seventeen letters\" is 17 bytes long; {text}"),
        ),
        ("label", json!("ééééééééé"), &format!("/label: \"ééééééééé\" is 18 bytes long; {text}")),
        (
            "label",
            json!("a\0b"),
            &format!("/label: the string has a NUL at byte 1, where C would end it; {text}"),
        ),
        (
            "counts",
            json!([1, 2, 3]),
            "/counts: 3 elements are too few; expected an array of exactly 4 elements, each an integer \
             (int, -2147483648 to 2147483647)",
        ),
        (
            "counts",
            json!([1, 2, 3, 4, 5]),
            "/counts/4: one element too many; expected an array of exactly 4 elements, each an integer \
             (int, -2147483648 to 2147483647)",
        ),
        ("corners", json!([{"x": 1, "y": 1}, {"x": 1}]), "/corners/1/y: missing; expected a number (double)"),
        (
            "name",
            json!("a\0b"),
            "/name: the string has a NUL at byte 1, where C would end it; expected a string without NUL",
        ),
        ("extra", json!(1), "/extra: 1 is a number; expected a string without NUL"),
        ("ratio", json!(1e300), "/ratio: 1e+300 does not fit float (-3.4028235e38 to 3.4028235e38)"),
    ] {
        for function in ["named_check", "named_change", "named_check_value"] {
            let error = answer(&structs, function, &named_but(member, value.clone())).expect_err(function);
            assert_eq!(error, format!("invalid arguments: /named{expected}"), "{function}");
        }
    }
}

#[test]
fn a_number_that_json_cannot_hold_is_an_error_that_says_where() {
    let structs = structs();
    let arguments = json!({"point": {"x": 0, "y": 1e300}, "by": 1e300});
    let error = answer(&structs, "point_scale", &arguments).expect_err("infinity");
    assert!(error.starts_with("the call failed: ") && error.contains("infinity"), "{error}");
    assert!(error.contains("point") && error.contains('y'), "{error}");
}
