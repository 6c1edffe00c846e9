//! Variadic functions, defaults and enums.
//!
//! Every function is called typed and through JSON. Variadic functions are here, defaults and
//! enums have a file each.

#![expect(clippy::expect_used, reason = "test code may panic")]

mod defaults;
mod enums;

use std::ffi::CStr;

use opendyn::CallError;
use opendyn_tests::{Twin, answer, assert_all_tested, assert_refused, described, packed};
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/keys-values/tool.json");
opendyn_tests::twin!(KeysValues = "fixtures/keys-values/tool.json");

fn values() -> Twin<KeysValues> {
    // SAFETY: the document describes keys_values.c correctly.
    unsafe { Twin::open("keys_values", &[]) }.expect("every function is there")
}

/// Asserts the only value in the reply of each call.
fn assert_values<const N: usize>(values: &Twin<KeysValues>, calls: [(&str, Value, Value); N]) {
    for (function, arguments, expected) in calls {
        let reply = answer(values, function, &arguments).expect(function);
        let reply: Vec<&Value> = reply.as_object().expect("an object").values().collect();
        assert_eq!(reply, [&expected], "{function} {arguments}");
    }
}

#[test]
fn every_function_is_tested() {
    #[rustfmt::skip]
    assert_all_tested(&values(), &[
        // here
        "describe_int", "describe_short", "describe_byte", "describe_bool", "describe_unsigned",
        "describe_wide", "describe_double", "describe_float", "describe_text", "describe_color",
        "describe_all", "sum_two", "format_two",
        // defaults
        "describe_default", "defaults", "without_defaults",
        // enums
        "color_value", "color_of", "color_or", "color_or_green", "level_of", "level_back", "wide_of",
        "color_out", "color_next", "color_pointed", "colors_sum", "colors_fill", "unnamed",
        "unit_millimetres", "unit_or_none", "unit_name", "unit_out",
    ]);
}

/// The result of `describe`, for comparison.
fn seen(text: &CStr) -> Result<std::ffi::CString, CallError> {
    Ok(text.to_owned())
}

#[test]
fn variadic_arguments_are_promoted() {
    let values = values();
    assert_eq!(values.describe_int(i32::MIN), seen(c"i-2147483648 "));
    assert_eq!(values.describe_short(-7), seen(c"i-7 "));
    assert_eq!(values.describe_byte(255), seen(c"i255 "));
    assert_eq!(values.describe_bool(true), seen(c"i1 "));
    assert_eq!(values.describe_unsigned(u32::MAX), seen(c"u4294967295 "));
    assert_eq!(values.describe_wide(i64::MIN), seen(c"l-9223372036854775808 "));
    assert_eq!(values.describe_double(-0.5), seen(c"d-0.5 "));
    assert_eq!(values.describe_float(0.25), seen(c"d0.25 "));
    assert_eq!(values.describe_text(c"h\xc3\xa9"), seen(c"sh\xc3\xa9 "));
    assert_eq!(values.describe_color(Color::Blue), seen(c"i-4 "));
    assert_eq!(
        values.describe_all(-1, -2, 0.5, 3, 1.5, c"six", false, i64::MAX),
        seen(c"i-1 i-2 d0.5 u3 d1.5 ssix i0 l9223372036854775807 ")
    );
    assert_eq!(values.sum_two(i32::MAX, -1), 2_147_483_646);
    assert_values(
        &values,
        [
            ("describe_int", json!({"a": i32::MIN}), json!("i-2147483648 ")),
            ("describe_short", json!({"a": -7}), json!("i-7 ")),
            ("describe_byte", json!({"a": 255}), json!("i255 ")),
            ("describe_bool", json!({"a": true}), json!("i1 ")),
            ("describe_bool", json!({"a": false}), json!("i0 ")),
            ("describe_unsigned", json!({"a": u32::MAX}), json!("u4294967295 ")),
            ("describe_wide", json!({"a": "-9223372036854775808"}), json!("l-9223372036854775808 ")),
            ("describe_double", json!({"a": -0.5}), json!("d-0.5 ")),
            ("describe_float", json!({"a": 0.25}), json!("d0.25 ")),
            ("describe_text", json!({"a": "hé"}), json!("shé ")),
            ("describe_color", json!({"a": -4}), json!("i-4 ")),
            (
                "describe_all",
                json!({"a": -1, "b": -2, "c": 0.5, "d": 3, "e": 1.5, "f": "six", "g": false, "h": 7}),
                json!("i-1 i-2 d0.5 u3 d1.5 ssix i0 l7 "),
            ),
            ("sum_two", json!({"a": i32::MAX, "b": -1}), json!(2_147_483_646)),
        ],
    );
}

#[test]
fn variadic_arguments_are_checked_with_their_own_types() {
    assert_refused(
        &values(),
        [
            ("describe_short", json!({"a": 32768}), "/a: 32768 does not fit short (-32768 to 32767)"),
            ("describe_byte", json!({"a": -1}), "/a: -1 does not fit unsigned char (0 to 255)"),
            ("describe_bool", json!({"a": 1}), "/a: 1 is a number; expected true or false"),
            (
                "describe_float",
                json!({"a": 1e39}),
                "/a: 1e+39 does not fit float (-3.4028235e38 to 3.4028235e38)",
            ),
            ("describe_color", json!({"a": 3}), "/a: 3 is not one of 1 (Red), 2 (Green), -4 (Blue)"),
            (
                "describe_text",
                json!({"a": "a\0b"}),
                "/a: the string has a NUL at byte 1, where C would end it; expected a string without NUL",
            ),
            ("sum_two", json!({"a": 1}), "/b: missing; expected an integer (int, -2147483648 to 2147483647)"),
        ],
    );
}

#[test]
fn a_variadic_function_has_outputs_as_any_other() {
    let values = values();
    let outputs = values.format_two(16, -1, 2.5).expect("there is room");
    assert_eq!(outputs, FormatTwoOutputs { length: 6, buffer: c"-1 2.5".to_owned() });
    let outputs = values.format_two(4, -1, 2.5).expect("what fits");
    assert_eq!(outputs, FormatTwoOutputs { length: 6, buffer: c"-1 ".to_owned() });
    let reply = answer(&values, "format_two", &json!({"n": 16, "a": -1, "b": 2.5}));
    assert_eq!(reply, Ok(json!({"length": 6, "buffer": "-1 2.5"})));
    let reply = answer(&values, "format_two", &json!({"n": 0, "a": -1, "b": 2.5}));
    assert_eq!(reply, Ok(json!({"length": 6, "buffer": ""})));
}

#[test]
fn a_parameter_with_a_single_value_is_not_an_argument() {
    assert_refused(
        &values(),
        [
            (
                "describe_int",
                json!({"kinds": "s", "a": 1}),
                "/kinds: unknown argument; this function takes a",
            ),
            (
                "sum_two",
                json!({"count": 3, "a": 1, "b": 2}),
                "/count: unknown argument; this function takes a, b",
            ),
        ],
    );
}

#[test]
fn other_formats_carry_values_as_well() {
    let values = values();
    for (function, arguments, reply) in [
        ("describe_float", json!({"a": 0.25}), json!({"seen": "d0.25 "})),
        ("describe_default", json!({}), json!({"seen": "i5 "})),
        ("format_two", json!({"n": 16, "a": -1, "b": 2.5}), json!({"length": 6, "buffer": "-1 2.5"})),
        ("color_of", json!({"value": 99}), json!({"color": 99})),
        ("color_pointed", json!({"there": false}), json!({"color": null})),
        ("unit_millimetres", json!({"unit": "cm"}), json!({"factor": 10})),
        ("unit_name", json!({"i": 3}), json!({"unit": "furlong"})),
    ] {
        assert_eq!(packed(&values, function, &arguments), Ok(reply), "{function}");
    }
    for (function, arguments, error) in [
        ("color_value", json!({"color": 3}), "/color: 3 is not one of 1 (Red), 2 (Green), -4 (Blue)"),
        ("unit_millimetres", json!({"unit": "km"}), "/unit: \"km\" is not one of \"mm\", \"cm\", \"m\""),
    ] {
        let found = packed(&values, function, &arguments);
        assert_eq!(found, Err(format!("invalid arguments: {error}")), "{function}");
    }
}

#[test]
fn the_document_says_what_may_be_absent_and_which_values_there_are() {
    let document = values().load().expect("a binding describes itself");
    let parameters = |function: &str| described(&document, function)["parameters"].clone();
    let range = json!({"type": "integer", "description": "From -2147483648 to 2147483647."});
    assert_eq!(
        parameters("describe_int"),
        json!([{"name": "a", "schema": range, "required": true}]),
        "what has one value alone is not asked for"
    );
    let defaults = parameters("defaults");
    let defaults = defaults.as_array().expect("a list");
    assert_eq!(defaults.len(), 13);
    assert!(defaults.iter().all(|parameter| parameter["required"] == false));
    let color = &parameters("color_value")[0]["schema"];
    assert_eq!(color["enum"], json!([1, 2, -4]));
    assert_eq!(color["description"], "1 is Red, 2 is Green, -4 is Blue.");
    assert_eq!(parameters("unit_or_none")[0]["schema"]["enum"], json!(["mm", "cm", "m"]));
    assert_eq!(parameters("unnamed")[0]["schema"]["enum"], json!([2, 4, 8]));
}
