//! Arrays, records and text in all forms, read from text and through serde: both must agree on the
//! verdict and the memory. The memory is compared by writing it out again.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::offset_of;
use std::sync::LazyLock;

use opentool::ToolError;
use serde_json::{Value, json};

use crate::Utf16CStr;
use crate::adapter::arena::Arena;
use crate::adapter::described::{Described, Struct};
use crate::adapter::kind::{Choice, Kind};
use crate::adapter::output::Output;
use crate::adapter::put::Encoded;
use crate::adapter::record::{Member, Record};
use crate::adapter::slots::{Args, Slot};
use crate::adapter::text::Text;
use crate::adapter::{Field, MAX_ARGUMENTS, from_serde, reader};
use crate::encoding::Encoding;
use crate::plain::Plain;

#[derive(Clone, Copy)]
#[repr(C)]
struct Inner {
    small: u8,
    pair: [i16; 2],
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Point {
    x: c_int,
    y: f64,
    inner: Inner,
    tag: [u8; 4],
    key: [u8; 2],
    wide: [u16; 3],
    name: *const c_char,
    latin: *const u8,
    level: i16,
    on: c_int,
    opaque: *mut c_void,
    many: [Inner; 2],
}

// SAFETY: its members are integers, floats and pointers.
unsafe impl Plain for Point {}
// SAFETY: the table below has the offset of every member, and the arena has valid strings.
unsafe impl Described for Point {
    const KIND: Kind = Kind::Record(&POINT);
}

static INNER: Record = Record {
    name: "inner",
    size: size_of::<Inner>(),
    align: align_of::<Inner>(),
    members: &[
        Member::required("small", Kind::UINT8_T, offset_of!(Inner, small)),
        Member::optional("pair", Kind::Fixed(&(Kind::INT16_T, 2)), offset_of!(Inner, pair)),
    ],
};

static POINT: Record = Record {
    name: "point",
    size: size_of::<Point>(),
    align: align_of::<Point>(),
    members: &[
        Member::required("x", Kind::INT, offset_of!(Point, x)),
        Member::or("y", Kind::Double, offset_of!(Point, y), 1.5_f64.to_bits()),
        Member::optional("inner", Kind::Record(&INNER), offset_of!(Point, inner)),
        Member::or_text("tag", Kind::Text(&TAG), offset_of!(Point, tag), "none"),
        Member::optional("key", Kind::Text(&KEY), offset_of!(Point, key)),
        Member::optional("wide", Kind::Text(&WIDE), offset_of!(Point, wide)),
        Member::optional("name", Kind::Str, offset_of!(Point, name)),
        Member::or_text("latin", Kind::Text(&LATIN), offset_of!(Point, latin), "é"),
        Member::optional("level", Kind::Choice(&LEVEL), offset_of!(Point, level)),
        Member::optional("on", Kind::Truth(&Kind::INT), offset_of!(Point, on)),
        Member::optional("opaque", Kind::Opaque, offset_of!(Point, opaque)),
        Member::optional("many", Kind::Fixed(&(Kind::Record(&INNER), 2)), offset_of!(Point, many)),
    ],
};

static LEVEL: Choice = Choice { integer: Kind::SHORT, values: &[(-1, "low"), (0, ""), (1, "high")] };
const PLAIN: Text = Text::terminated(Encoding::Utf8);
static TAG: Text = Text { exactly: Some(4), ..PLAIN };
static KEY: Text = Text { encoding: Encoding::Hex, exactly: Some(2), ..PLAIN };
static WIDE: Text = Text { encoding: Encoding::Utf16, exactly: Some(3), ..PLAIN };
static LATIN: Text = Text { encoding: Encoding::Latin1, ..PLAIN };

static FIELDS: [Field; 12] = [
    Field::optional("p", Kind::Record(&POINT)),
    Field::optional("ps", Kind::List(&Kind::Record(&POINT))),
    Field::optional("names", Kind::List(&Kind::Str)),
    Field::optional("latin", Kind::Text(&LATIN)),
    Field::optional("bytes", Kind::Text(&Text { encoding: Encoding::Base64, counted: true, ..PLAIN })),
    Field::optional(
        "four",
        Kind::Text(&Text { encoding: Encoding::Hex, counted: true, exactly: Some(4), ..PLAIN }),
    ),
    Field::optional("wide", Kind::Text(&Text { encoding: Encoding::Utf16, ..PLAIN })),
    Field::optional("units", Kind::Text(&Text { encoding: Encoding::Utf16, counted: true, ..PLAIN })),
    Field::optional("text", Kind::Text(&Text { counted: true, ..PLAIN })),
    Field::optional("level", Kind::Choice(&LEVEL)),
    Field::optional("three", Kind::Fixed(&(Kind::INT16_T, 3))),
    Field::optional("fruit", Kind::Text(&Text { one_of: &["apple", "pear"], ..PLAIN })),
];

/// The arguments as a call would see them, written out again.
fn seen(slots: &[Slot], arena: &mut Arena) -> Result<String, String> {
    let args = Args::new(slots, arena);
    let mut reply = Vec::new();
    let mut out = Output::json(&mut reply, None);
    // SAFETY: the fields have the layouts of these types, and each is taken once.
    unsafe {
        out.put("p", args.lend::<Option<&mut Point>>(0).map(|point| Struct(*point)));
        out.put("ps", args.lend::<Option<&mut [Point]>>(1).map(|points| points.to_vec()));
        out.put("three", args.lend::<Option<&mut [i16; 3]>>(10).copied());
    }
    let names = args.get::<Option<Vec<&CStr>>>(2);
    out.put("names", names.map(|names| names.into_iter().map(CStr::to_owned).collect::<Vec<CString>>()));
    out.put("latin", args.get::<Option<&CStr>>(3).map(|text| Encoded(text, Encoding::Latin1)));
    out.put("bytes", args.get::<Option<&[u8]>>(4).map(|bytes| Encoded(bytes, Encoding::Base64)));
    out.put("four", args.get::<Option<&[u8; 4]>>(5).map(|bytes| Encoded(&bytes[..], Encoding::Hex)));
    out.put("wide", args.get::<Option<&Utf16CStr>>(6).map(|text| Encoded(text.to_owned(), Encoding::Utf16)));
    out.put("units", args.get::<Option<&[u16]>>(7).map(|units| Encoded(units.to_vec(), Encoding::Utf16)));
    out.put("text", args.get::<Option<&str>>(8).map(|text| Encoded(text.as_bytes(), Encoding::Utf8)));
    out.put("level", args.get::<Option<i16>>(9));
    out.put("fruit", args.get::<Option<&CStr>>(11));
    out.finish().map_err(|error| error.to_string())?;
    Ok(String::from_utf8(reply).expect("JSON is text"))
}

fn by_reader(text: &[u8]) -> Result<String, String> {
    let mut slots = [Slot::UNSEEN; FIELDS.len()];
    let mut arena = Arena::new();
    reader::read(&FIELDS, text, &mut slots, &mut arena)
        .map_err(|fault| ToolError::from(fault).to_string())?;
    seen(&slots, &mut arena)
}

fn by_serde<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, String> {
    let mut slots = [Slot::UNSEEN; FIELDS.len()];
    let mut arena = Arena::new();
    from_serde::read(&FIELDS, deserializer, &mut slots, &mut arena)
        .map_err(|fault| ToolError::from(fault).to_string())?;
    seen(&slots, &mut arena)
}

fn by_serde_json(text: &[u8]) -> Result<String, String> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let seen = by_serde(&mut deserializer)?;
    deserializer.end().map_err(|error| error.to_string())?;
    Ok(seen)
}

/// The result of every way to read `arguments`, which must be the same.
fn read(arguments: &Value) -> Result<Value, String> {
    let text = arguments.to_string();
    let seen = by_reader(text.as_bytes());
    assert_eq!(by_serde(arguments), seen, "a value of {text}");
    assert_eq!(by_serde_json(text.as_bytes()), seen, "serde on {text}");
    let packed = rmp_serde::to_vec(arguments).expect("packed");
    assert_eq!(by_serde(&mut rmp_serde::Deserializer::new(&packed[..])), seen, "MessagePack of {text}");
    let mut seen: Value = serde_json::from_str(&seen?).expect("JSON");
    seen.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
    Ok(seen)
}

fn point(x: i32) -> Value {
    json!({
        "x": x, "y": -0.25, "inner": {"small": 200, "pair": [-1, 2]}, "tag": "abcd", "key": "00ff",
        "wide": "Ωx", "name": "π".repeat(x as usize % 7), "latin": "ÿ", "level": -1, "on": true,
        "many": [{"small": 1, "pair": [3, 4]}, {"small": 2, "pair": [5, 6]}],
    })
}

#[test]
fn c_sees_the_arguments() {
    let points: Vec<Value> = (0..50).map(point).collect();
    let arguments = json!({
        "p": point(7), "ps": points, "names": ["", "a", "βγ", "x".repeat(500)], "latin": "é", "bytes": "AAEC/w==",
        "four": "00000001", "wide": "🦀", "units": "a\0b", "text": "a\0é", "level": 1, "three": [1, -2, 3],
        "fruit": "pear",
    });
    let seen = read(&arguments).expect("all of it fits");
    assert_eq!(seen, arguments);
    for key in ["names", "ps"] {
        assert_eq!(read(&json!({key: []})).expect("none"), json!({key: []}));
    }
}

#[test]
fn absent_and_null_members_are_their_default_or_zero() {
    let expected = json!({"p": {
        "x": 1, "y": 1.5, "inner": {"small": 0, "pair": [0, 0]}, "tag": "none", "key": "0000", "wide": "",
        "name": null, "latin": "é", "level": 0, "on": false,
        "many": [{"small": 0, "pair": [0, 0]}, {"small": 0, "pair": [0, 0]}],
    }});
    assert_eq!(read(&json!({"p": {"x": 1}})).as_ref(), Ok(&expected));
    let nulls = json!({"x": 1, "y": null, "inner": null, "tag": null, "key": null, "wide": null, "name": null,
        "latin": null, "level": null, "on": null, "opaque": null, "many": null});
    assert_eq!(read(&json!({"p": nulls, "ps": null, "three": null})).as_ref(), Ok(&expected));
}

#[test]
fn a_required_pointer_is_given_as_null() {
    static STRICT: Record = Record {
        name: "strict",
        size: size_of::<usize>(),
        align: align_of::<usize>(),
        members: &[Member::required("pointer", Kind::Opaque, 0)],
    };
    static FIELDS: [Field; 1] = [Field::required("s", Kind::Record(&STRICT))];
    for (text, fits) in [(r#"{"s":{"pointer":null}}"#, true), (r#"{"s":{}}"#, false)] {
        let by_reader = reader::read(&FIELDS, text.as_bytes(), &mut [Slot::UNSEEN], &mut Arena::new());
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let by_serde = from_serde::read(&FIELDS, &mut deserializer, &mut [Slot::UNSEEN], &mut Arena::new());
        assert_eq!((by_reader.is_ok(), by_serde.is_ok()), (fits, fits), "{text}");
    }
}

#[test]
fn members_come_in_any_order_and_spelling() {
    let text = r#" { "p" : { "tag":"\u0061b" , "\u0078":2e0 , "y" : 1 } } "#.as_bytes();
    let seen: Value = serde_json::from_str(&by_reader(text).expect("it fits")).expect("JSON");
    assert_eq!((&seen["p"]["tag"], &seen["p"]["x"], &seen["p"]["y"]), (&json!("ab"), &json!(2), &json!(1.0)));
}

#[test]
fn bytes_are_given_as_text_or_in_hex_too() {
    for (own, others) in [
        (json!("aMOp"), [json!({"text": "hé"}), json!({"hex": "68C3a9"}), json!({"base64": "aMOp"})]),
        (json!(""), [json!({"text": ""}), json!({"hex": ""}), json!({"base64": ""})]),
        (json!("AGI="), [json!({"text": "\0b"}), json!({"hex": "0062"}), json!({"base64": "AGI="})]),
    ] {
        let expected = read(&json!({"bytes": own})).expect("base64");
        assert_eq!(expected["bytes"], own);
        for other in others {
            assert_eq!(read(&json!({"bytes": other})).as_ref(), Ok(&expected), "{other}");
        }
    }
    // A member that is nested is quoted only where it is text.
    for object in
        [r#"{}"#, r#"{"words":"a"}"#, r#"{"hex":"00","text":"a"}"#, r#"{"text":5}"#, r#"{"text":null}"#]
    {
        let arguments = format!(r#"{{"bytes":{object}}}"#);
        let expected =
            format!("invalid arguments: /bytes: {object} is an object; expected a string of base64");
        assert_eq!(by_reader(arguments.as_bytes()), Err(expected));
        assert!(by_serde_json(arguments.as_bytes()).is_err(), "{object}");
    }
    let in_place = |key: Value| read(&json!({"p": {"x": 1, "key": key}}));
    let expected = in_place(json!("6869"));
    assert!(expected.is_ok());
    assert_eq!(in_place(json!({"text": "hi"})), expected);
    assert_eq!(in_place(json!({"base64": "aGk="})), expected);
}

#[test]
fn every_format_refuses_at_the_same_place_with_the_same_words() {
    for (arguments, expected) in [
        (json!({"p": {}}), "/p/x: missing; expected an integer (int, -2147483648 to 2147483647)"),
        (
            json!({"ps": [{"x": 1}, {"x": "1"}]}),
            "/ps/1/x: \"1\" is a string; expected an integer (int, -2147483648 to 2147483647)",
        ),
        (
            json!({"p": {"x": 1, "z": 1}}),
            "/p/z: unknown member; expected an object (point: x, y, inner, tag, key, wide, name, latin, level, on, opaque, many)",
        ),
        (
            json!({"p": {"x": null}}),
            "/p/x: null is null; expected an integer (int, -2147483648 to 2147483647)",
        ),
        (
            json!({"p": {"x": 1, "inner": {"pair": [1, 2]}}}),
            "/p/inner/small: missing; expected an integer (uint8_t, 0 to 255)",
        ),
        (
            json!({"p": {"x": 1, "inner": {"small": 256}}}),
            "/p/inner/small: 256 does not fit uint8_t (0 to 255)",
        ),
        (
            json!({"p": {"x": 1, "many": [{"small": 1}, {"small": -1}]}}),
            "/p/many/1/small: -1 does not fit uint8_t (0 to 255)",
        ),
        (
            json!({"p": {"x": 1, "tag": "abcde"}}),
            "/p/tag: \"abcde\" is 5 bytes long; expected a string for 4 bytes",
        ),
        (
            json!({"p": {"x": 1, "tag": "a\0b"}}),
            "/p/tag: the string has a NUL at byte 1, where C would end it; expected a string for 4 bytes",
        ),
        (
            json!({"p": {"x": 1, "key": "00"}}),
            "/p/key: \"00\" is 1 bytes long; expected a string of hex digits for 2 bytes",
        ),
        (
            json!({"p": {"x": 1, "wide": "🦀🦀"}}),
            "/p/wide: \"🦀🦀\" is 4 units long; expected a string for 3 units",
        ),
        (
            json!({"p": {"x": 1, "name": "a\0"}}),
            "/p/name: the string has a NUL at byte 1, where C would end it; expected a string without NUL",
        ),
        (
            json!({"p": {"x": 1, "opaque": "0x10"}}),
            "/p/opaque: \"0x10\" is a string; expected null: the document does not say what the pointer points to",
        ),
        (
            json!({"p": {"x": 1, "opaque": 16}}),
            "/p/opaque: 16 is a number; expected null: the document does not say what the pointer points to",
        ),
        (json!({"p": {"x": 1, "level": 7}}), "/p/level: 7 is not one of -1 (low), 0, 1 (high)"),
        (json!({"p": {"x": 1, "on": 1}}), "/p/on: 1 is a number; expected true or false"),
        (
            json!({"p": 1}),
            "/p: 1 is a number; expected an object (point: x, y, inner, tag, key, wide, name, latin, level, on, opaque, many)",
        ),
        (json!({"names": ["a", null]}), "/names/1: null is null; expected a string without NUL"),
        (json!({"names": ["a", 1]}), "/names/1: 1 is a number; expected a string without NUL"),
        (
            json!({"three": [1, 2]}),
            "/three: 2 elements are too few; expected an array of exactly 3 elements, each an integer (int16_t, -32768 to 32767)",
        ),
        (
            json!({"three": [1, 2, 3, 4]}),
            "/three/3: one element too many; expected an array of exactly 3 elements, each an integer (int16_t, -32768 to 32767)",
        ),
        (
            json!({"three": [1, 2, true]}),
            "/three/2: true is a boolean; expected an integer (int16_t, -32768 to 32767)",
        ),
        (json!({"latin": "aΩ"}), "/latin: character 1 'Ω' does not exist in latin-1"),
        (
            json!({"latin": 1}),
            "/latin: 1 is a number; expected a string of characters up to U+00FF without NUL",
        ),
        (json!({"bytes": "AA!="}), "/bytes: byte 2 is not base64: '!'"),
        (json!({"bytes": {"hex": "0g"}}), "/bytes: byte 1 is not hex: 'g'"),
        (
            json!({"four": {"text": "abc"}}),
            "/four: \"616263\" is 3 bytes long; expected a string of hex digits for 4 bytes",
        ),
        (
            json!({"four": "0011"}),
            "/four: \"0011\" is 2 bytes long; expected a string of hex digits for 4 bytes",
        ),
        (
            json!({"wide": "a\0b"}),
            "/wide: the string has a NUL at unit 1, where C would end it; expected a string without NUL",
        ),
        (json!({"level": 2}), "/level: 2 is not one of -1 (low), 0, 1 (high)"),
        (json!({"level": 99999}), "/level: 99999 is not one of -1 (low), 0, 1 (high)"),
        (json!({"fruit": "fig"}), "/fruit: \"fig\" is not one of \"apple\", \"pear\""),
    ] {
        assert_eq!(read(&arguments), Err(format!("invalid arguments: {expected}")), "{arguments}");
    }
}

#[test]
fn a_member_given_twice_is_refused() {
    let text = br#"{"p":{"x":1,"y":null,"x":2}}"#;
    for refused in [by_reader(text), by_serde_json(text)] {
        assert_eq!(refused, Err("invalid arguments: /p/x: given twice".to_owned()));
    }
}

#[test]
fn small_text_does_not_take_much_memory() {
    // Each is a few bytes of text, and more than a hundred bytes in C.
    let count = MAX_ARGUMENTS / size_of::<Point>() + 1;
    let text = format!(r#"{{"ps":[{}]}}"#, vec![r#"{"x":1}"#; count].join(","));
    let expected = "invalid arguments: ";
    for refused in [by_reader(text.as_bytes()), by_serde_json(text.as_bytes())] {
        let error = refused.expect_err("too much");
        assert!(
            error.starts_with(expected) && error.ends_with("take more than 67108864 bytes in memory"),
            "{error}"
        );
    }
    let text =
        format!(r#"{{"names":[{}]}}"#, vec![r#""""#; MAX_ARGUMENTS / (8 + size_of::<usize>()) + 1].join(","));
    for refused in [by_reader(text.as_bytes()), by_serde_json(text.as_bytes())] {
        assert!(refused.is_err_and(|error| error.contains("bytes in memory")));
    }
}

#[test]
fn the_nesting_of_kinds_is_limited() {
    fn nested(levels: usize) -> Kind {
        (0..levels).fold(Kind::UINT8_T, |kind, _| Kind::Fixed(Box::leak(Box::new((kind, 1)))))
    }
    // In a static, so that no memory is leaked.
    static KINDS: LazyLock<[(usize, Kind, bool); 2]> =
        LazyLock::new(|| [(127, nested(127), true), (128, nested(128), false)]);
    for (levels, kind, fits) in *KINDS {
        let fields = [Field::required("a", kind)];
        let value = format!("{}7{}", "[".repeat(levels), "]".repeat(levels));
        let text = format!("{{\"a\":{value}}}");
        let mut slots = [Slot::UNSEEN];
        let read = reader::read(&fields, text.as_bytes(), &mut slots, &mut Arena::new());
        assert_eq!(read.is_ok(), fits, "{levels} levels of text");

        // `Value` has no depth limit, so the adapter has to stop.
        let value = (0..levels).fold(json!(7), |value, _| json!([value]));
        let mut slots = [Slot::UNSEEN];
        let read = from_serde::read(&fields, json!({"a": value}), &mut slots, &mut Arena::new());
        assert_eq!(read.is_ok(), fits, "{levels} levels of serde");
    }
}

#[path = "composite_properties.rs"]
mod properties;
