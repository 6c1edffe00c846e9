//! The schema of every kind of value, given and returned, in both forms.

use opendyn_source::object;

use super::schema::{Direction, Form, Schemas, described};
use crate::c_type::CType;
use crate::plan::{
    Body, Content, Default, Element, Encoding, Enumeration, Facts, Field, FieldType, HandleType, Kind,
    Operand, Param, Record, Role, Scalar, Text, Types, Values, Variant, View,
};
use crate::span::Span;

fn field(key: &str, of: FieldType) -> Field {
    Field {
        key: key.to_owned(),
        ident: key.to_owned(),
        description: None,
        of,
        required: true,
        hidden: false,
        may_be_absent: false,
        default: None,
        limits: crate::plan::Limits::default(),
        place: Span::default(),
    }
}

fn variant<T>(name: &str, value: T) -> Variant<T> {
    Variant { ident: name.to_owned(), name: name.to_owned(), value }
}

fn enumeration(name: &str, of: Values) -> Enumeration {
    Enumeration {
        ident: name.to_owned(),
        constant: String::new(),
        name: name.to_owned(),
        description: None,
        of,
        is_shown: true,
    }
}

fn record(name: &str, body: Body) -> Record {
    Record {
        ident: name.to_owned(),
        constant: String::new(),
        name: name.to_owned(),
        is_named: true,
        complex: None,
        memory: None,
        behind: false,
        overlap: None,
        description: None,
        body,
        size: None,
        align: None,
        place: Span::default(),
    }
}

/// Record 0 is a struct, record 1 a state; enum 0 has integers, enum 1 strings.
fn types() -> Types {
    let byte = scalar(CType::UnsignedChar, View::Plain);
    let fields = vec![
        Field {
            description: Some("How wide".to_owned()),
            required: false,
            default: Some(Default::Integer(1)),
            ..field("width", FieldType::Scalar(byte))
        },
        field("flags", FieldType::Array { element: Element::Scalar(byte), count: 2 }),
        field("label", FieldType::Text { c_type: CType::Char, count: 16, encoding: Encoding::Utf8 }),
        field("name", FieldType::Str(CType::Char)),
        field("next", FieldType::Pointer { to: CType::Void, stars: 1 }),
    ];
    let modes = vec![variant("Read", 1), variant("Write", 2)];
    let units = vec![variant("Kilo", "kg".to_owned()), variant("Gram", "g".to_owned())];
    Types {
        records: vec![
            record("Size", Body::Fields(fields)),
            record("hasher", Body::State { size: 64, align: 8, members: None }),
        ],
        enums: vec![
            enumeration("Mode", Values::Integers { c_type: CType::Int, variants: modes }),
            enumeration("Unit", Values::Strings(units)),
        ],
        handles: vec![HandleType {
            ident: "Shop".to_owned(),
            constant: String::new(),
            name: "shop".to_owned(),
            members: None,
            retain: None,
        }],
        frees: Vec::new(),
        allocators: Vec::new(),
        symbols: Vec::new(),
    }
}

fn scalar(c_type: CType, view: View) -> Scalar {
    Scalar { c_type, view }
}

/// The texts of the schemas of a kind: as OpenTool has it, given and returned, then the exact ones.
fn schemas(kind: &Kind) -> [String; 4] {
    let types = types();
    [
        (Form::OpenTool, Direction::Given),
        (Form::OpenTool, Direction::Returned),
        (Form::Exact, Direction::Given),
        (Form::Exact, Direction::Returned),
    ]
    .map(|(form, direction)| Schemas::new(&types, &[], form, direction).of(kind).to_string())
}

/// A kind whose schema is the same in all forms.
#[track_caller]
fn expect_always(kind: &Kind, schema: &str) {
    assert_eq!(schemas(kind), [schema; 4]);
}

/// A kind whose schema is the same for both directions.
#[track_caller]
fn expect(kind: &Kind, opentool: &str, exact: &str) {
    assert_eq!(schemas(kind), [opentool, opentool, exact, exact]);
}

#[test]
fn scalars_have_the_range_of_their_type() {
    let kind = |c_type, view| Kind::Scalar(scalar(c_type, view));
    let exact = r#"{"type":"integer","minimum":0,"maximum":255}"#;
    assert_eq!(
        schemas(&kind(CType::UnsignedChar, View::Plain)),
        [r#"{"type":"integer","description":"From 0 to 255."}"#, r#"{"type":"integer"}"#, exact, exact],
    );
    expect(
        &kind(CType::UnsignedLongLong, View::Plain),
        r#"{"type":"integer","format":"uint64"}"#,
        r#"{"type":"integer","minimum":0,"maximum":18446744073709551615,"format":"uint64"}"#,
    );
    // The sign of `char` is the target's.
    expect(
        &kind(CType::Char, View::Plain),
        r#"{"type":"integer"}"#,
        r#"{"type":"integer","minimum":-128,"maximum":255}"#,
    );
    expect(&kind(CType::Float, View::Plain), r#"{"type":"number"}"#, r#"{"type":"number","format":"float"}"#);
    expect_always(&kind(CType::Double, View::Plain), r#"{"type":"number"}"#);
    expect_always(&kind(CType::Int, View::Truth), r#"{"type":"boolean"}"#);
    expect(
        &kind(CType::Char, View::Character),
        r#"{"type":"string"}"#,
        r#"{"type":"string","minLength":1,"maxLength":1}"#,
    );
}

#[test]
fn an_enum_lists_what_may_be_given_and_names_what_comes_back() {
    assert_eq!(
        schemas(&Kind::Scalar(scalar(CType::Int, View::Enum(0)))),
        [
            r#"{"type":"integer","enum":[1,2],"description":"1 is Read, 2 is Write."}"#,
            r#"{"type":"integer","description":"1 is Read, 2 is Write."}"#,
            r#"{"type":"integer","enum":[1,2],"description":"1 is Read, 2 is Write.","title":"Mode"}"#,
            r#"{"type":"integer","description":"1 is Read, 2 is Write.","title":"Mode"}"#,
        ],
    );
    let text = Text { c_type: CType::Char, encoding: Encoding::Utf8, one_of: Some(1) };
    let (listed, any) = (r#"{"type":"string","enum":["kg","g"]}"#, r#"{"type":"string"}"#);
    assert_eq!(schemas(&Kind::text(text)), [listed, any, listed, any]);
}

#[test]
fn truth_in_memory_is_a_boolean() {
    expect_always(&Kind::TruthInMemory(CType::Int), r#"{"type":"boolean"}"#);
}

#[test]
fn text_says_how_bytes_are_spelled_and_how_many_there_are() {
    expect_always(&Kind::plain_text(), r#"{"type":"string"}"#);
    expect_always(&Kind::counted(Encoding::Utf16, None), r#"{"type":"string"}"#);
    expect(
        &Kind::counted(Encoding::Base64, None),
        r#"{"type":"string","description":"Bytes, in base64.","x-encoding":"base64"}"#,
        r#"{"type":"string","contentEncoding":"base64"}"#,
    );
    expect(
        &Kind::counted(Encoding::Hex, Some(32)),
        r#"{"type":"string","description":"Bytes, in hex digits. Exactly 32 bytes.","x-encoding":"hex"}"#,
        r#"{"type":"string","contentEncoding":"base16","x-length":32}"#,
    );
    expect(
        &Kind::counted(Encoding::Utf16, Some(4)),
        r#"{"type":"string","description":"Exactly 4 units."}"#,
        r#"{"type":"string","x-length":4}"#,
    );
}

#[test]
fn lists_are_arrays_and_fixed_ones_have_a_length() {
    let items = || Kind::Scalar(scalar(CType::Double, View::Plain));
    expect_always(&Kind::list(items(), None), r#"{"type":"array","items":{"type":"number"}}"#);
    expect(
        &Kind::list(items(), Some(3)),
        r#"{"type":"array","items":{"type":"number"},"description":"Exactly 3 elements."}"#,
        r#"{"type":"array","items":{"type":"number"},"minItems":3,"maxItems":3}"#,
    );
}

#[test]
fn a_record_is_an_object_without_the_pointers_that_are_not_followed() {
    let object = |width: &str, flags: &str, name: &str, title: &str| {
        format!(
            r#"{{"type":"object","properties":{{"width":{width},"flags":{flags},"label":{{"type":"string"}},"name":{name}}},"required":["flags","label","name"]{title}}}"#
        )
    };
    let (name, may_be_null) = (r#"{"type":"string"}"#, r#"{"type":"string","x-nullable":true}"#);
    let exact = |name| {
        object(
            r#"{"type":"integer","minimum":0,"maximum":255,"description":"How wide. Default: 1."}"#,
            r#"{"type":"array","items":{"type":"integer","minimum":0,"maximum":255},"minItems":2,"maxItems":2}"#,
            name,
            r#","title":"Size""#,
        )
    };
    let given = object(
        r#"{"type":"integer","description":"How wide. Default: 1. From 0 to 255."}"#,
        r#"{"type":"array","items":{"type":"integer","description":"From 0 to 255."}}"#,
        name,
        "",
    );
    let returned = object(
        r#"{"type":"integer","description":"How wide. Default: 1."}"#,
        r#"{"type":"array","items":{"type":"integer"}}"#,
        may_be_null,
        "",
    );
    assert_eq!(schemas(&Kind::Record(0)), [given, returned, exact(name), exact(may_be_null)]);
}

#[test]
fn handles_and_states_are_tokens() {
    expect(
        &Kind::Handle(0),
        r#"{"type":"string","description":"A token that stands for a `shop`.","x-handle":"shop"}"#,
        r#"{"type":"string","title":"shop","format":"token"}"#,
    );
    expect(
        &Kind::State(1),
        r#"{"type":"string","description":"A token that stands for a `hasher`.","x-handle":"hasher"}"#,
        r#"{"type":"string","title":"hasher","format":"token"}"#,
    );
}

#[test]
fn a_capacity_is_a_count_that_names_its_buffer() {
    let content = Content::Text { c_type: CType::Char, encoding: Encoding::Utf8 };
    let params = [Param {
        key: "out".to_owned(),
        ident: "out".to_owned(),
        description: None,
        argument: None,
        operand: Operand::Buffer,
        role: Role::Out,
        facts: Facts::default(),
        limits: crate::plan::Limits::default(),
    }];
    let types = types();
    let kind = Kind::Capacity { c_type: CType::Int, buffer: 0, content };
    let of = |form| Schemas::new(&types, &params, form, Direction::Given).of(&kind).to_string();
    assert_eq!(
        of(Form::OpenTool),
        r#"{"type":"integer","description":"How many elements `out` has room for."}"#
    );
    assert_eq!(
        of(Form::Exact),
        r#"{"type":"integer","minimum":0,"maximum":2147483647,"description":"How many elements `out` has room for."}"#
    );
}

#[test]
fn a_count_is_an_integer() {
    expect_always(&Kind::Count(CType::Size), r#"{"type":"integer"}"#);
}

#[test]
fn what_only_takes_null_is_an_object() {
    expect_always(&Kind::Callback, r#"{"type":"object"}"#);
    expect_always(&Kind::Opaque, r#"{"type":"object"}"#);
}

#[test]
fn a_description_stands_before_that_of_the_type() {
    let of = |description| described(object! { "description": "Bytes." }, Some(description)).to_string();
    assert_eq!(of("The key"), r#"{"description":"The key. Bytes."}"#);
    assert_eq!(of("The key! "), r#"{"description":"The key! Bytes."}"#);
    assert_eq!(described(object! {}, Some("The key")).to_string(), r#"{"description":"The key"}"#);
}
