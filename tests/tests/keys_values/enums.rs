//! Enums, of integers and of strings: Rust has their names, JSON their values.

use opendyn::CallError;
use opendyn_tests::{answer, assert_refused};
use serde_json::{Value, json};

use super::{Color, Level, Unit, Wide, assert_values, values};

#[test]
fn names_stand_for_values() {
    let values = values();
    for (color, value) in [(Color::Red, 1), (Color::Green, 2), (Color::Blue, -4), (Color::Unknown(99), 99)] {
        let unlisted = Err(CallError::Unlisted { value: "color" });
        assert_eq!(values.color_value(color), if value == 99 { unlisted } else { Ok(value) });
        assert_eq!(values.color_of(value), color);
        assert_eq!(values.color_out(value), color);
        assert_eq!((Color::from(value), i32::from(color)), (color, value));
    }
    for (level, value) in [(Level::Low, 0), (Level::High, 255)] {
        assert_eq!((values.level_of(level), values.level_back(value)), (Ok(level), level));
    }
    assert_eq!(values.level_back(7), Level::Unknown(7));
    for (wide, value) in [(Wide::Zero, 0), (Wide::Beyond, 9_007_199_254_740_993)] {
        assert_eq!((values.wide_of(wide), i64::from(wide)), (Ok(wide), value));
    }
    assert_eq!(values.unnamed(4), Ok(4));
}

#[test]
fn rust_cannot_give_what_is_not_listed_either() {
    let values = values();
    let unlisted = |value| CallError::Unlisted { value };
    assert_eq!(values.level_of(Level::Unknown(7)), Err(unlisted("level")));
    assert_eq!(values.wide_of(Wide::Unknown(1)), Err(unlisted("value")));
    assert_eq!(values.unnamed(5), Err(unlisted("value")));
    assert_eq!(values.color_or(Some(Color::Unknown(3))), Err(unlisted("color")));
    assert_eq!(values.colors_sum(&[1, 3]), Err(unlisted("colors")));
    assert_eq!(values.unit_or_none(Some(&Unit::Unknown(c"furlong".to_owned()))), Err(unlisted("unit")));
    assert_eq!(unlisted("unit").to_string(), "`unit` is not one of the values that the document lists");
}

#[test]
fn json_takes_the_integers_and_gives_them() {
    let values = values();
    for value in [1, 2, -4] {
        assert_values(
            &values,
            [
                ("color_value", json!({"color": value}), json!(value)),
                ("color_of", json!({"value": value}), json!(value)),
                ("color_out", json!({"value": value}), json!(value)),
            ],
        );
    }
    assert_values(
        &values,
        [
            ("level_of", json!({"level": 255}), json!(255)),
            ("level_back", json!({"level": 0}), json!(0)),
            ("wide_of", json!({"value": 0}), json!(0)),
            ("wide_of", json!({"value": "9007199254740993"}), json!("9007199254740993")),
            ("wide_of", json!({"value": 9_007_199_254_740_993_i64}), json!("9007199254740993")),
            ("unnamed", json!({"value": 8}), json!(8)),
        ],
    );
}

#[test]
fn json_is_refused_other_integers() {
    let colors = "one of 1 (Red), 2 (Green), -4 (Blue)";
    let levels = "one of 0 (Low), 255 (High)";
    assert_refused(
        &values(),
        [
            ("color_value", json!({"color": 3}), &format!("/color: 3 is not {colors}")),
            ("color_value", json!({"color": 4}), &format!("/color: 4 is not {colors}")),
            (
                "color_value",
                json!({"color": "Red"}),
                &format!("/color: \"Red\" is a string; expected {colors}"),
            ),
            ("color_value", json!({"color": null}), &format!("/color: null is null; expected {colors}")),
            ("color_value", json!({}), &format!("/color: missing; expected {colors}")),
            ("color_or", json!({"color": 0}), &format!("/color: 0 is not {colors}")),
            ("color_next", json!({"color": 99}), &format!("/color: 99 is not {colors}")),
            ("level_of", json!({"level": 256}), &format!("/level: 256 is not {levels}")),
            ("level_of", json!({"level": -1}), &format!("/level: -1 is not {levels}")),
            ("unnamed", json!({"value": 3}), "/value: 3 is not one of 2, 4, 8"),
            (
                "wide_of",
                json!({"value": 9_007_199_254_740_992_i64}),
                "/value: 9007199254740992 is not one of 0 (Zero), 9007199254740993 (Beyond)",
            ),
        ],
    );
}

#[test]
fn json_gets_what_c_returns_next_to_them() {
    assert_values(
        &values(),
        [
            ("color_of", json!({"value": 99}), json!(99)),
            ("color_out", json!({"value": 99}), json!(99)),
            ("level_back", json!({"level": 7}), json!(7)),
            ("color_next", json!({"color": -4}), json!(99)),
        ],
    );
}

#[test]
fn an_absent_enum_is_its_default_or_zero() {
    let values = values();
    assert_eq!((values.color_or(None), values.color_or(Some(Color::Blue))), (Ok(1000), Ok(-4)));
    assert_eq!((values.color_or_green(None), values.color_or_green(Some(Color::Red))), (Ok(2), Ok(1)));
    assert_values(
        &values,
        [
            ("color_or", json!({}), json!(1000)),
            ("color_or", json!({"color": -4}), json!(-4)),
            ("color_or_green", json!({}), json!(2)),
            ("color_or_green", json!({"color": null}), json!(2)),
            ("color_or_green", json!({"color": 1}), json!(1)),
        ],
    );
}

#[test]
fn an_enum_is_changed_in_place() {
    let values = values();
    let mut color = Color::Red.into();
    assert_eq!(values.color_next(&mut color), Ok(()));
    assert_eq!(Color::from(color), Color::Green);
    assert_eq!(values.color_next(&mut color), Ok(()));
    assert_eq!(values.color_next(&mut color), Ok(()));
    assert_eq!(Color::from(color), Color::Unknown(99));
    assert_values(
        &values,
        [("color_next", json!({"color": 1}), json!(2)), ("color_next", json!({"color": 2}), json!(-4))],
    );
}

#[test]
fn a_pointer_to_an_enum_is_followed() {
    let values = values();
    assert_eq!((values.color_pointed(true), values.color_pointed(false)), (Some(Color::Blue), None));
    assert_values(
        &values,
        [
            ("color_pointed", json!({"there": true}), json!(-4)),
            ("color_pointed", json!({"there": false}), Value::Null),
        ],
    );
}

#[test]
fn arrays_of_enums_are_arrays_of_integers() {
    let values = values();
    assert_eq!(values.colors_sum(&[Color::Red.into(), Color::Blue.into()]), Ok(-3));
    let filled: Vec<Color> =
        values.colors_fill(4).expect("so much memory").into_iter().map(Color::from).collect();
    assert_eq!(filled, [Color::Red, Color::Green, Color::Blue, Color::Unknown(99)]);
    assert_values(
        &values,
        [
            ("colors_sum", json!({"colors": [1, -4]}), json!(-3)),
            ("colors_sum", json!({"colors": []}), json!(0)),
            ("colors_fill", json!({"n": 4}), json!([1, 2, -4, 99])),
        ],
    );
}

#[test]
fn an_array_of_enums_takes_no_other_integers() {
    let message = "/colors/1: 3 is not one of 1 (Red), 2 (Green), -4 (Blue)";
    assert_refused(&values(), [("colors_sum", json!({"colors": [1, 3]}), message)]);
}

#[test]
fn strings_have_names_as_well() {
    let values = values();
    let furlong = || Unit::Unknown(c"furlong".to_owned());
    let units = [(Unit::Mm, 1), (Unit::Cm, 10), (Unit::M, 1000), (furlong(), 0)];
    for (i, (unit, factor)) in (0..).zip(units) {
        let expected = if factor == 0 { Err(CallError::Unlisted { value: "unit" }) } else { Ok(factor) };
        assert_eq!(values.unit_millimetres(&unit), expected);
        assert_eq!(values.unit_or_none(Some(&unit)), expected);
        assert_eq!(values.unit_name(i), Some(unit.clone()));
        assert_eq!(values.unit_out(i), Ok(unit));
    }
    assert_eq!(values.unit_or_none(None), Ok(-1));
    assert_eq!(values.unit_name(4), None);
    assert_eq!(values.unit_out(4), Err(CallError::Null { value: "unit" }));
    assert_values(
        &values,
        [
            ("unit_millimetres", json!({"unit": "cm"}), json!(10)),
            ("unit_or_none", json!({"unit": "m"}), json!(1000)),
            ("unit_or_none", json!({}), json!(-1)),
            ("unit_or_none", json!({"unit": null}), json!(-1)),
            ("unit_name", json!({"i": 0}), json!("mm")),
            ("unit_name", json!({"i": 3}), json!("furlong")),
            ("unit_name", json!({"i": 4}), Value::Null),
            ("unit_out", json!({"i": 2}), json!("m")),
            ("unit_out", json!({"i": 3}), json!("furlong")),
        ],
    );
    let error = answer(&values, "unit_out", &json!({"i": 4}));
    assert_eq!(error, Err("the call failed: `unit` is a NULL pointer".to_owned()));
}

#[test]
fn json_is_refused_other_strings() {
    let units = "one of \"mm\", \"cm\", \"m\"";
    let values = values();
    for function in ["unit_millimetres", "unit_or_none"] {
        assert_refused(
            &values,
            [
                (function, json!({"unit": "furlong"}), &format!("/unit: \"furlong\" is not {units}")),
                (function, json!({"unit": ""}), &format!("/unit: \"\" is not {units}")),
                (function, json!({"unit": "MM"}), &format!("/unit: \"MM\" is not {units}")),
                (function, json!({"unit": 1}), &format!("/unit: 1 is a number; expected {units}")),
            ],
        );
    }
}
