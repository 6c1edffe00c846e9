//! `minimum`, `maximum` and `x-maxLength`: checked before C is called, typed and through JSON.

use opendyn::{CallError, Limit};
use opendyn_tests::{assert_answers, assert_refused, described};
use serde_json::json;

use super::{Inner, Label, Share, odd};

/// The text of an error, which must be about a limit.
fn limit<T: std::fmt::Debug>(refused: Result<T, CallError>) -> String {
    let error = refused.expect_err("it is beyond the limit");
    assert!(matches!(error, CallError::Limit(_)), "{error}");
    error.to_string()
}

fn share() -> Share {
    Share { percent: 50, ratio: 0.25, inner: Inner { trio: [1, 2, 3], ..Inner::default() } }
}

#[test]
fn limits_are_inclusive() {
    let odd = odd();
    assert_eq!((odd.set_percent(0), odd.set_percent(100)), (Ok(0), Ok(100)));
    assert_eq!(odd.set_below_zero(i32::MIN), Ok(i32::MIN));
    assert_eq!(odd.set_large(u64::MAX), Ok(u64::MAX));
    assert_eq!((odd.set_ratio(-1.0), odd.set_ratio(0.5)), (Ok(-1.0), Ok(0.5)));
    assert_eq!(odd.set_narrow(0.5), Ok(0.5));
    assert_eq!((odd.set_level(None), odd.set_level(Some(5))), (Ok(3), Ok(5)));
    assert_eq!(odd.text_length(c"12345678"), Ok(8));
    assert_eq!(odd.share_sum(&share()), Ok(56.25));
    assert_answers(
        &odd,
        [
            ("set_percent", json!({"percent": 100}), json!({"percent": 100})),
            ("set_below_zero", json!({"n": -1}), json!({"n": -1})),
            ("set_large", json!({"n": "18446744073709551615"}), json!({"n": "18446744073709551615"})),
            ("set_ratio", json!({"ratio": 0.5}), json!({"ratio": 0.5})),
            ("set_narrow", json!({"ratio": 0.5}), json!({"ratio": 0.5})),
            ("set_level", json!({}), json!({"level": 3})),
            ("step_up", json!({"n": 9}), json!({"n": 10})),
            ("sum_small", json!({"xs": [-5, 5, 1, 0]}), json!({"sum": 1})),
            ("sum_few", json!({"xs": [1, 2, 3]}), json!({"sum": 6})),
            ("fill_few", json!({"n": 3}), json!({"xs": [0, 1, 2]})),
            ("text_length", json!({"text": "12345678"}), json!({"length": 8})),
            ("bytes_sum", json!({"bytes": "AQIDBA=="}), json!({"sum": 10})),
            ("names_length", json!({"names": ["ab", "c"]}), json!({"total": 3})),
            ("share_or_none", json!({}), json!({"sum": -1.0})),
        ],
    );
}

#[test]
fn a_scalar_beyond_its_limits_is_refused() {
    let odd = odd();
    assert_eq!(limit(odd.set_percent(101)), "`percent`: 101 is above the maximum 100");
    assert_eq!(limit(odd.set_percent(-1)), "`percent`: -1 is below the minimum 0");
    assert_eq!(limit(odd.set_below_zero(0)), "`n`: 0 is above the maximum -1");
    assert_eq!(limit(odd.set_large(4)), "`n`: 4 is below the minimum 5");
    assert_eq!(limit(odd.set_ratio(0.75)), "`ratio`: 0.75 is above the maximum 0.5");
    assert_eq!(limit(odd.set_ratio(f64::NAN)), "`ratio`: NaN is below the minimum -1");
    assert_eq!(limit(odd.set_narrow(0.25)), "`ratio`: 0.25 is below the minimum 0.5");
    assert_eq!(limit(odd.set_level(Some(6))), "`level`: 6 is above the maximum 5");
    let mut n = 10;
    assert_eq!(limit(odd.step_up(&mut n)), "`n`: 10 is above the maximum 9");
    assert_eq!(n, 10, "C was not called");
    assert_eq!(limit(odd.fill_few(4)), "`n`: 4 is above the maximum 3");
    match odd.set_percent(101) {
        Err(CallError::Limit(beyond)) => {
            assert_eq!((beyond.value(), beyond.given()), ("percent", "101"));
            assert_eq!(beyond.limit(), &Limit::Maximum("100".to_owned()));
        }
        other => panic!("{other:?}"),
    }
    assert_refused(
        &odd,
        [
            ("set_percent", json!({"percent": 101}), "/percent: 101 is above the maximum 100"),
            ("set_percent", json!({"percent": -1}), "/percent: -1 is below the minimum 0"),
            (
                "set_percent",
                json!({"percent": 3_000_000_000_u64}),
                "/percent: 3000000000 does not fit int (-2147483648 to 2147483647)",
            ),
            ("set_below_zero", json!({"n": 0}), "/n: 0 is above the maximum -1"),
            ("set_large", json!({"n": 4}), "/n: 4 is below the minimum 5"),
            ("set_ratio", json!({"ratio": 0.75}), "/ratio: 0.75 is above the maximum 0.5"),
            ("set_narrow", json!({"ratio": 0.25}), "/ratio: 0.25 is below the minimum 0.5"),
            ("set_level", json!({"level": 6}), "/level: 6 is above the maximum 5"),
            ("step_up", json!({"n": 10}), "/n: 10 is above the maximum 9"),
            ("fill_few", json!({"n": 4}), "/n: 4 is above the maximum 3"),
            ("fill_few", json!({"n": 0}), "/n: 0 is below the minimum 1"),
        ],
    );
}

#[test]
fn lengths_have_limits() {
    let odd = odd();
    assert_eq!(limit(odd.sum_small(&[0; 5])), "`xs`: 5 elements are more than 4");
    assert_eq!(limit(odd.sum_few(&[0; 4])), "`n`: 4 is above the maximum 3");
    assert_eq!(limit(odd.text_length(c"123456789")), "`text`: 9 bytes are more than 8");
    assert_eq!(limit(odd.bytes_sum(&[0; 5])), "`bytes`: 5 bytes are more than 4");
    assert_eq!(limit(odd.names_length(&[c""; 3])), "`names`: 3 elements are more than 2");
    assert_refused(
        &odd,
        [
            ("sum_small", json!({"xs": [0, 0, 0, 0, 0]}), "/xs: 5 elements are more than 4"),
            ("sum_few", json!({"xs": [0, 0, 0, 0]}), "/n: 4 is above the maximum 3"),
            ("text_length", json!({"text": "ääääx"}), "/text: 9 bytes are more than 8"),
            ("bytes_sum", json!({"bytes": "AAAAAAA="}), "/bytes: 5 bytes are more than 4"),
            ("names_length", json!({"names": ["", "", ""]}), "/names: 3 elements are more than 2"),
        ],
    );
}

#[test]
fn elements_and_members_have_limits() {
    let odd = odd();
    assert_eq!(limit(odd.sum_small(&[1, 6])), "`xs/1`: 6 is above the maximum 5");
    let percent = Share { percent: 101, ..share() };
    assert_eq!(limit(odd.share_sum(&percent)), "`share/percent`: 101 is above the maximum 100");
    assert_eq!(limit(odd.share_sum_value(percent)), "`share/percent`: 101 is above the maximum 100");
    assert_eq!(limit(odd.share_or_none(Some(&percent))), "`share/percent`: 101 is above the maximum 100");
    assert_eq!(odd.share_or_none(None), Ok(-1.0));
    let trio = Share { inner: Inner { trio: [0, 0, -6], ..Inner::default() }, ..share() };
    assert_eq!(
        limit(odd.share_sum_all(&[share(), trio])),
        "`shares/1/inner/trio/2`: -6 is below the minimum -5"
    );
    let inner = json!({"trio": [0, 0, 0], "tag": "ab"});
    assert_answers(
        &odd,
        [("share_sum", json!({"share": {"percent": 1, "inner": inner}}), json!({"sum": 98.5}))],
    );
    assert_refused(
        &odd,
        [
            ("sum_small", json!({"xs": [1, 6]}), "/xs/1: 6 is above the maximum 5"),
            (
                "share_sum",
                json!({"share": {"percent": 101, "inner": inner}}),
                "/share/percent: 101 is above the maximum 100",
            ),
            (
                "share_sum_value",
                json!({"share": {"percent": 1, "ratio": 1.5, "inner": inner}}),
                "/share/ratio: 1.5 is above the maximum 1",
            ),
            (
                "share_sum_all",
                json!({"shares": [{"percent": 1, "inner": {"trio": [0, 0, -6], "tag": ""}}]}),
                "/shares/0/inner/trio/2: -6 is below the minimum -5",
            ),
            (
                "share_sum",
                json!({"share": {"percent": 1, "inner": {"trio": [0, 0, 0], "tag": "abc"}}}),
                "/share/inner/tag: 3 bytes are more than 2",
            ),
        ],
    );
}

#[test]
fn structs_with_text_have_limits_too() {
    let odd = odd();
    let label = |percent| Label { percent, ..Label::default() };
    assert_eq!(odd.label_percent(&label(7)), Ok(7));
    assert_eq!(limit(odd.label_percent(&label(101))), "`label/percent`: 101 is above the maximum 100");
    assert_eq!(odd.label_sum(&[label(7), label(8)]), Ok(15));
    assert_eq!(limit(odd.label_sum(&[label(7), label(-1)])), "`labels/1/percent`: -1 is below the minimum 0");
    assert_answers(
        &odd,
        [("label_percent", json!({"label": {"text": "x", "percent": 7}}), json!({"percent": 7}))],
    );
    assert_refused(
        &odd,
        [(
            "label_sum",
            json!({"labels": [{"percent": 101}]}),
            "/labels/0/percent: 101 is above the maximum 100",
        )],
    );
}

#[test]
fn models_see_limits_as_numbers() {
    let document = odd().load().expect("a binding describes itself");
    let schema = |function: &str| described(&document, function)["parameters"][0]["schema"].clone();
    assert_eq!(schema("set_percent"), json!({"type": "integer", "minimum": 0, "maximum": 100}));
    assert_eq!(
        schema("set_below_zero"),
        json!({"type": "integer", "minimum": -2147483648_i64, "maximum": -1})
    );
    assert_eq!(schema("set_large")["minimum"], 5);
    assert_eq!(schema("set_ratio"), json!({"type": "number", "minimum": -1.0, "maximum": 0.5}));
    assert_eq!(schema("text_length"), json!({"type": "string", "maxLength": 8}));
    assert_eq!(schema("bytes_sum")["maxLength"], 8, "in base64");
    assert_eq!(schema("names_length"), json!({"type": "array", "items": {"type": "string"}, "maxItems": 2}));
    assert_eq!(
        schema("sum_small"),
        json!({"type": "array", "items": {"type": "integer", "minimum": -5, "maximum": 5}, "maxItems": 4})
    );
    let percent = schema("share_sum")["properties"]["percent"].clone();
    assert_eq!(percent, json!({"type": "integer", "minimum": 0, "maximum": 100}));
    let returned = described(&document, "set_percent")["return"]["schema"].clone();
    assert_eq!(returned, json!({"type": "integer"}), "C promises nothing");
}
