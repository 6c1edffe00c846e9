//! Members of every kind, in place and by pointer, and members with defaults.

use opendyn::CBool;
use std::ffi::c_char;

use opendyn_tests::{answer, assert_answers};
use serde_json::{Value, json};

use super::{Color, Mixed, Named, Settings, structs};

/// One bit per member; there are 13.
const ALL: i32 = 0x1fff;

/// The result of mixed_make, as JSON.
fn made() -> Value {
    json!({
        "tag": "m",
        "value": 2.5,
        "small": -7,
        "flag": true,
        "color": 2,
        "bytes": "0080ff",
        "label": "sixteen letters!",
        "counts": [0, 10, 20, 30],
        "corners": [{"x": 1.0, "y": 1.0}, {"x": 3.0, "y": 4.0}],
        "name": "a mixed one",
        "extra": null,
        "big": "9007199254740993",
        "ratio": 0.1,
    })
}

/// The same with one member changed.
fn made_but(member: &str, value: Value) -> Value {
    let mut made = made();
    made[member] = value;
    made
}

/// The same without one member.
fn made_without(member: &str) -> Value {
    let mut made = made();
    made.as_object_mut().expect("an object").remove(member);
    made
}

fn chars(text: &[u8; 16]) -> [c_char; 16] {
    text.map(|byte| c_char::from_ne_bytes([byte]))
}

#[test]
fn every_member_lies_where_c_has_it() {
    let structs = structs();
    let mut mixed: Mixed = structs.mixed_make();
    assert_eq!((mixed.tag, mixed.value, mixed.small), (c_char::from_ne_bytes(*b"m"), 2.5, -7));
    assert_eq!((mixed.flag, Color::from(mixed.color)), (CBool::from(true), Color::Green));
    assert_eq!((mixed.bytes, mixed.label), ([0, 0x80, 0xff], chars(b"sixteen letters!")));
    assert_eq!((mixed.counts, mixed.corners.map(|corner| corner.y)), ([0, 10, 20, 30], [1.0, 4.0]));
    assert_eq!(mixed.name.as_deref(), Some(c"a mixed one"));
    assert_eq!((mixed.big, mixed.ratio), (9_007_199_254_740_993, 0.1));

    mixed.flag = true.into();
    assert_eq!(structs.mixed_check(&mixed), Ok(ALL));
    assert_eq!(structs.mixed_check_value(mixed.clone()), Ok(ALL));
    structs.mixed_change(&mut mixed).expect("its name is text");
    assert_eq!((mixed.small, Color::from(mixed.color)), (-6, Color::Unknown(99)));
    assert_eq!(mixed.label[..6], chars(b"short\0\0\0\0\0\0\0\0\0\0\0")[..6]);
    assert_eq!(mixed.name, None);
}

#[test]
fn a_struct_whose_pointers_are_texts_is_the_same_in_c() {
    let structs = structs();
    let mut named: Named = structs.named_make();
    named.flag = true.into();
    assert_eq!(structs.named_check(&named), Ok(ALL));
    assert_eq!(structs.named_check_value(named.clone()), Ok(ALL));
    named.name = Some(c"a mixed one".to_owned());
    assert_eq!(structs.named_check(&named), Ok(ALL), "a text of the caller");
    structs.named_change(&mut named).expect("its name is text");
    assert_eq!(named.name, None);
}

#[test]
fn json_has_every_member() {
    let structs = structs();
    assert_answers(
        &structs,
        [
            ("named_make", json!({}), json!({"named": made()})),
            ("named_check", json!({"named": made()}), json!({"bits": ALL})),
            ("named_check_value", json!({"named": made()}), json!({"bits": ALL})),
        ],
    );
    let mut changed = made();
    changed["color"] = json!(99);
    changed["small"] = json!(-6);
    changed["label"] = json!("short");
    changed["name"] = Value::Null;
    assert_answers(&structs, [("named_change", json!({"named": made()}), json!({"named": changed}))]);
    let mixed = answer(&structs, "mixed_make", &json!({})).expect("no arguments")["mixed"].clone();
    for (member, value) in made_without("extra").as_object().expect("an object") {
        assert_eq!(&mixed[member], value, "{member}");
    }
}

#[test]
fn json_does_not_see_pointers_other_than_strings() {
    assert_answers(&structs(), [("mixed_make", json!({}), json!({"mixed": made_without("extra")}))]);
}

#[test]
fn json_gives_null_for_pointers_that_may_be_absent() {
    let structs = structs();
    let mut changed = made_without("extra");
    changed["color"] = json!(99);
    changed["small"] = json!(-6);
    changed["label"] = json!("short");
    changed["name"] = Value::Null;
    assert_answers(
        &structs,
        [
            ("mixed_check", json!({"mixed": made()}), json!({"bits": ALL})),
            ("mixed_check", json!({"mixed": made_without("extra")}), json!({"bits": ALL})),
            ("mixed_check_value", json!({"mixed": made()}), json!({"bits": ALL})),
            ("mixed_change", json!({"mixed": made()}), json!({"mixed": changed})),
        ],
    );
    let error = answer(&structs, "mixed_check", &json!({"mixed": made_but("extra", json!("x"))}));
    assert!(error.is_err_and(|error| error.starts_with("invalid arguments: /mixed/extra: ")));
}

#[test]
fn each_member_reaches_its_own_place() {
    let structs = structs();
    for (bit, member, value) in [
        (0, "tag", json!("n")),
        (1, "value", json!(2)),
        (2, "small", json!(7)),
        (3, "flag", json!(false)),
        (4, "color", json!(-4)),
        (5, "bytes", json!("0080FE")),
        (6, "label", json!("sixteen letters?")),
        (7, "counts", json!([0, 10, 20, 31])),
        (8, "corners", json!([{"x": 1, "y": 1}, {"x": 3, "y": 5}])),
        (9, "name", json!("another")),
        (10, "extra", json!("something")),
        (11, "big", json!("9007199254740995")),
        (12, "ratio", json!(0.2)),
    ] {
        let arguments = json!({"named": made_but(member, value)});
        for function in ["named_check", "named_check_value"] {
            let reply = answer(&structs, function, &arguments);
            assert_eq!(reply, Ok(json!({"bits": ALL & !(1 << bit)})), "{function}: {member}");
        }
    }
}

#[test]
fn a_text_in_place_may_be_shorter_than_its_place() {
    let structs = structs();
    let without_label = json!({"bits": ALL & !(1 << 6)});
    for label in ["", "short", "exactly sixteen!", "ééééééé"] {
        let arguments = json!({"named": made_but("label", json!(label))});
        assert_eq!(answer(&structs, "named_check", &arguments), Ok(without_label.clone()), "{label}");
    }
    let arguments = json!({"named": made_but("label", json!("ab"))});
    let reply = answer(&structs, "named_change", &arguments).expect("it is changed");
    assert_eq!(reply["named"]["label"], "short", "the rest is zeros");
}

#[test]
fn a_text_in_place_that_is_not_utf_8_is_an_error_that_names_it() {
    let structs = structs();
    let named = structs.named_latin();
    assert_eq!(named.label[..6], chars(b"Gr\xfc\xdfe\0\0\0\0\0\0\0\0\0\0\0")[..6]);
    let error = answer(&structs, "named_latin", &json!({})).expect_err("Latin-1");
    assert!(error.starts_with("the call failed: ") && error.contains("label"), "{error}");
    assert!(error.ends_with("is not UTF-8: byte 0xfc at index 2"), "{error}");
}

#[test]
fn an_absent_member_is_its_default_or_zero() {
    let structs = structs();
    for member in ["tag", "color", "name", "extra"] {
        for arguments in [made_without(member), made_but(member, Value::Null)] {
            let reply = answer(&structs, "named_check", &json!({"named": arguments}));
            assert_eq!(reply, Ok(json!({"bits": ALL})), "{member}: {arguments}");
        }
    }
    assert_answers(
        &structs,
        [
            ("settings_digest", json!({"settings": {"retries": 3}}), json!({"digest": 6513})),
            ("settings_digest", json!({"settings": {"retries": 3, "level": null}}), json!({"digest": 6513})),
            ("settings_digest", json!({"settings": {"retries": 0, "fast": false}}), json!({"digest": 6500})),
            (
                "settings_digest",
                json!({"settings": {"level": 1, "ratio": 0.25, "fast": true, "retries": 4}}),
                json!({"digest": 1214}),
            ),
        ],
    );
}

#[test]
fn a_truth_value_in_a_struct_is_a_byte_in_rust() {
    let structs = structs();
    let settings = Settings { level: 1, ratio: 0.25, fast: true.into(), retries: 4 };
    assert_eq!(structs.settings_digest(&settings), 1214);
    assert_eq!(structs.settings_digest(&Settings { fast: false.into(), ..settings }), 1204);
}
