//! Integers and floating-point numbers at the ends of their ranges, and one beyond.
//!
//! One table has the ten integer types. Its values are `i128`, which also holds values out of range; C
//! gets the type itself.

use std::ffi::{c_char, c_int, c_long, c_longlong, c_short, c_uchar, c_uint, c_ulong, c_ulonglong, c_ushort};

use serde_json::{Value, json};

use super::{Types, assert_refused, assert_value, every_way, types};

/// An integer type, and its typed calls.
struct Integer {
    c_type: &'static str,
    low: i128,
    high: i128,
    /// The results of the typed calls for a value.
    typed: fn(&Types, i128) -> Vec<Answer>,
}

/// The call, its result, and the expected result.
type Answer = (&'static str, i128, i128);

macro_rules! integers {
    ($($type:ident $c_type:literal $value:ident $in:ident $out:ident $return:ident;)*) => {
        [$(Integer {
            c_type: $c_type,
            low: $type::MIN as i128,
            high: $type::MAX as i128,
            typed: |types, wide| {
                let x = $type::try_from(wide).expect("in range");
                let mut lent = x;
                let read = types.$in(&mut lent);
                vec![
                    (stringify!($value), types.$value(x) as i128, wide),
                    (stringify!($in), read as i128, wide),
                    (concat!(stringify!($in), " writes back"), lent as i128, !x as i128),
                    (stringify!($out), types.$out(x) as i128, wide),
                    (stringify!($return), types.$return(x).expect("not NULL") as i128, wide),
                ]
            },
        }),*]
    };
}

const INTEGERS: [Integer; 10] = integers! {
    c_char "char" value_char in_char out_char return_char;
    c_uchar "unsigned char" value_unsigned_char in_unsigned_char out_unsigned_char return_unsigned_char;
    c_short "short" value_short in_short out_short return_short;
    c_ushort "unsigned short" value_unsigned_short in_unsigned_short out_unsigned_short return_unsigned_short;
    c_int "int" value_int in_int out_int return_int;
    c_uint "unsigned int" value_unsigned_int in_unsigned_int out_unsigned_int return_unsigned_int;
    c_long "long" value_long in_long out_long return_long;
    c_ulong "unsigned long" value_unsigned_long in_unsigned_long out_unsigned_long return_unsigned_long;
    c_longlong "long long" value_long_long in_long_long out_long_long return_long_long;
    c_ulonglong "unsigned long long" value_unsigned_long_long in_unsigned_long_long
        out_unsigned_long_long return_unsigned_long_long;
};

/// The largest integer that every JSON reader represents exactly.
const EXACT: i128 = 1 << 53;

impl Integer {
    /// Both ends and their neighbours, and the values around zero and 2^53 that are in range.
    fn values(&self) -> impl Iterator<Item = i128> {
        let (low, high) = (self.low, self.high);
        [low, low + 1, high - 1, high, 0, 1, -1, EXACT, EXACT + 1, -EXACT, -EXACT - 1]
            .into_iter()
            .filter(move |value| (low..=high).contains(value))
    }

    /// The four functions, each with the key of its argument.
    fn functions(&self) -> [(String, &'static str); 4] {
        let suffix = self.c_type.replace(' ', "_");
        [("value", "x"), ("in", "p"), ("out", "x"), ("return", "x")]
            .map(|(place, key)| (format!("{place}_{suffix}"), key))
    }
}

/// The number as JSON; `None` if no number of serde_json can represent it.
fn number(value: i128) -> Option<Value> {
    i64::try_from(value).map(Value::from).or_else(|_| u64::try_from(value).map(Value::from)).ok()
}

#[test]
fn the_lowest_and_highest_value_survive_typed_calls() {
    let types = types();
    for integer in INTEGERS {
        for value in integer.values() {
            for (call, answer, expected) in (integer.typed)(&types, value) {
                assert_eq!(answer, expected, "{call} of {value}");
            }
        }
    }
}

#[test]
fn the_lowest_and_highest_value_survive_every_format() {
    let types = types();
    for integer in INTEGERS {
        for value in integer.values() {
            let plain = number(value).expect("every C integer is one of serde's");
            let text = if value.abs() > EXACT { json!(value.to_string()) } else { plain.clone() };
            for (function, key) in integer.functions() {
                let mut arguments = vec![json!({ key: plain })];
                if value.abs() > EXACT {
                    arguments.push(json!({ key: text }));
                }
                for arguments in arguments {
                    for (way, reply) in every_way(&types, &function, &arguments) {
                        // MessagePack has 64-bit integers, so they are not rounded.
                        let expected = if way.ends_with("MessagePack") { &plain } else { &text };
                        let expected = Ok(json!({"value": expected}));
                        assert_eq!(reply, expected, "{function} {arguments} through {way}");
                    }
                }
            }
        }
    }
}

#[test]
fn one_beyond_either_end_is_refused_with_place_and_range() {
    let types = types();
    for integer in INTEGERS {
        let Integer { c_type, low, high, .. } = integer;
        for (function, key) in integer.functions() {
            for beyond in [low - 1, high + 1] {
                let expected =
                    format!("invalid arguments: /{key}: {beyond} does not fit {c_type} ({low} to {high})");
                let text = format!(r#"{{"{key}":{beyond}}}"#);
                let error = types.call_json(&function, &text).expect_err(&function);
                assert_eq!(error.to_string(), expected, "{function} {text}");
                // Beyond 64 bits, the values of serde_json are rounded.
                if let Some(number) = number(beyond) {
                    assert_refused(&types, &function, &json!({ key: number }), &expected);
                }
            }
        }
    }
}

#[test]
fn only_what_is_beyond_two_to_the_53_travels_as_a_string() {
    let types = types();
    for (function, text) in [
        ("value_int", "3"),
        ("value_int", "9007199254740993"),
        ("value_long_long", "3"),
        ("value_long_long", "9007199254740992"),
        ("value_long_long", "+9007199254740993"),
        ("value_long_long", "09007199254740993"),
        ("value_unsigned_long_long", " 9007199254740993"),
        ("value_unsigned_long_long", "9007199254740993.0"),
    ] {
        assert_refused(&types, function, &json!({"x": text}), "/x: ");
        assert_refused(&types, function, &json!({"x": text}), "is a string; expected an integer");
    }
    let beyond = json!({"x": "9223372036854775808"});
    assert_refused(&types, "value_long_long", &beyond, "/x: 9223372036854775808 does not fit long long");
}

#[test]
fn integers_are_whole_however_they_are_written() {
    let types = types();
    for (text, value) in
        [("3.0", 3), ("-0", 0), ("1e3", 1000), ("-12.50e1", -125), ("2147483647.0", c_int::MAX)]
    {
        let reply = types.call_json("value_int", &format!(r#"{{"x":{text}}}"#));
        assert_eq!(reply, Ok(format!(r#"{{"value":{value}}}"#)), "{text}");
    }
    for other in [json!(2.5), json!("3"), json!(true), json!(null), json!([1]), json!({})] {
        assert_refused(&types, "value_int", &json!({"x": other}), "/x: ");
        assert_refused(&types, "value_int", &json!({"x": other}), "expected an integer (int, ");
    }
}

macro_rules! floats {
    ($test:ident $type:ident $suffix:literal: $value:ident $in:ident $out:ident $return:ident) => {
        #[test]
        fn $test() {
            let types = types();
            let subnormal = $type::from_bits(1);
            let values = [$type::MIN, $type::MAX, $type::MIN_POSITIVE, subnormal, -subnormal, 0.0, -0.0, 0.1, -1.5];
            for x in values {
                // As bits: -0.0 equals 0.0, but must stay -0.0.
                let mut lent = x;
                assert_eq!(types.$value(x).to_bits(), x.to_bits(), "{} {x:e}", stringify!($value));
                assert_eq!(types.$in(&mut lent).to_bits(), x.to_bits(), "{} {x:e}", stringify!($in));
                assert_eq!(lent.to_bits(), (-x).to_bits(), "{} writes back {x:e}", stringify!($in));
                assert_eq!(types.$out(x).to_bits(), x.to_bits(), "{} {x:e}", stringify!($out));
                let returned = types.$return(x).expect("not NULL");
                assert_eq!(returned.to_bits(), x.to_bits(), "{} {x:e}", stringify!($return));
                for (place, key) in [("value", "x"), ("in", "p"), ("out", "x"), ("return", "x")] {
                    let function = format!("{place}_{}", $suffix);
                    for (way, reply) in every_way(&types, &function, &json!({ key: f64::from(x) })) {
                        let reply = reply.expect("finite")["value"].as_f64().expect("a number") as $type;
                        assert_eq!(reply.to_bits(), x.to_bits(), "{function} {x:e} through {way}");
                    }
                }
            }
        }
    };
}

floats! { float_keeps_every_bit f32 "float": value_float in_float out_float return_float }
floats! { double_keeps_every_bit f64 "double": value_double in_double out_double return_double }

#[test]
fn nan_and_infinity_survive_typed_calls() {
    let types = types();
    assert!(types.value_float(f32::NAN).is_nan() && types.value_double(f64::NAN).is_nan());
    for infinity in [f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(types.value_float(infinity), infinity, "value_float");
        let wide = f64::from(infinity);
        assert_eq!(types.value_double(wide), wide, "value_double");
    }
}

#[test]
fn numbers_beyond_float_and_double_are_refused_with_the_range() {
    let types = types();
    for (function, text, range) in [
        ("value_float", "1e39", "does not fit float (-3.4028235e38 to 3.4028235e38)"),
        ("value_float", "-3.5e38", "does not fit float (-3.4028235e38 to 3.4028235e38)"),
        ("value_double", "1e309", "does not fit double (-1.7976931348623157e308 to 1.7976931348623157e308)"),
    ] {
        let error = types.call_json(function, &format!(r#"{{"x":{text}}}"#)).expect_err(text);
        assert_eq!(error.to_string(), format!("invalid arguments: /x: {text} {range}"), "{function}");
    }
    assert_refused(&types, "value_float", &json!({"x": 1e39}), "/x: ");
    assert_refused(&types, "value_float", &json!({"x": 1e39}), "does not fit float (");
    assert_value(&types, "value_double", &json!({"x": 3}), &json!(3.0));
}
