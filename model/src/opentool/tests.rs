//! The schema of every kind of value, given and returned, in both forms.

use super::json::{Value, json};
use super::schema::{Direction, Form, Schemas, described};
use crate::c_type::CType;
use crate::plan::{
    Body, Content, Default, Element, Encoding, Enumeration, Field, FieldType, HandleType, Kind, Record,
    Scalar, Text, TextKind, Types, Values, Variant, View,
};

fn field(key: &str, of: FieldType) -> Field {
    Field {
        key: key.to_owned(),
        ident: key.to_owned(),
        description: None,
        of,
        required: true,
        may_be_absent: false,
        default: None,
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
        description: None,
        body,
        size: None,
        align: None,
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
        field("next", FieldType::Pointer(CType::Void)),
    ];
    let modes = vec![variant("Read", 1), variant("Write", 2)];
    let units = vec![variant("Kilo", "kg".to_owned()), variant("Gram", "g".to_owned())];
    Types {
        records: vec![
            record("Size", Body::Fields(fields)),
            record("hasher", Body::State { size: 64, align: 8 }),
        ],
        enums: vec![
            enumeration("Mode", Values::Integers { c_type: CType::Int, variants: modes }),
            enumeration("Unit", Values::Strings(units)),
        ],
        handles: vec![HandleType {
            ident: "Shop".to_owned(),
            constant: String::new(),
            name: "shop".to_owned(),
        }],
    }
}

fn scalar(c_type: CType, view: View) -> Scalar {
    Scalar { c_type, view }
}

/// The schemas of a kind: as OpenTool has it, given and returned, then the exact ones.
fn schemas(kind: &Kind) -> [Value; 4] {
    let types = types();
    [
        (Form::OpenTool, Direction::Given),
        (Form::OpenTool, Direction::Returned),
        (Form::Exact, Direction::Given),
        (Form::Exact, Direction::Returned),
    ]
    .map(|(form, direction)| Schemas::new(&types, &[], form, direction).of(kind))
}

/// The text, so that the order of the keys counts as well.
#[track_caller]
fn expect(kind: &Kind, expected: [Value; 4]) {
    assert_eq!(schemas(kind).map(|schema| schema.to_string()), expected.map(|schema| schema.to_string()));
}

/// A kind whose schema is the same in all forms.
#[track_caller]
fn expect_always(kind: &Kind, schema: Value) {
    expect(kind, [schema.clone(), schema.clone(), schema.clone(), schema]);
}

#[test]
fn scalars_have_the_range_of_their_type() {
    let kind = |c_type, view| Kind::Scalar(scalar(c_type, view));
    let exact = json!({"type": "integer", "minimum": 0, "maximum": 255});
    expect(
        &kind(CType::UnsignedChar, View::Plain),
        [
            json!({"type": "integer", "description": "From 0 to 255."}),
            json!({"type": "integer"}),
            exact.clone(),
            exact,
        ],
    );
    let wide = json!({"type": "integer", "format": "uint64"});
    let exact = json!({"type": "integer", "minimum": 0, "maximum": u64::MAX, "format": "uint64"});
    expect(&kind(CType::UnsignedLongLong, View::Plain), [wide.clone(), wide, exact.clone(), exact]);
    // The sign of `char` is the target's.
    let exact = json!({"type": "integer", "minimum": -128, "maximum": 255});
    let any = json!({"type": "integer"});
    expect(&kind(CType::Char, View::Plain), [any.clone(), any, exact.clone(), exact]);
    let (number, float) = (json!({"type": "number"}), json!({"type": "number", "format": "float"}));
    expect(&kind(CType::Float, View::Plain), [number.clone(), number.clone(), float.clone(), float]);
    expect_always(&kind(CType::Double, View::Plain), number);
    expect_always(&kind(CType::Int, View::Truth), json!({"type": "boolean"}));
    let exact = json!({"type": "string", "minLength": 1, "maxLength": 1});
    let text = json!({"type": "string"});
    expect(&kind(CType::Char, View::Character), [text.clone(), text, exact.clone(), exact]);
}

#[test]
fn an_enum_lists_what_may_be_given_and_names_what_comes_back() {
    let names = "1 is Read, 2 is Write.";
    expect(
        &Kind::Scalar(scalar(CType::Int, View::Enum(0))),
        [
            json!({"type": "integer", "enum": [1, 2], "description": names}),
            json!({"type": "integer", "description": names}),
            json!({"type": "integer", "enum": [1, 2], "description": names, "title": "Mode"}),
            json!({"type": "integer", "description": names, "title": "Mode"}),
        ],
    );
    let text = Text { c_type: CType::Char, encoding: Encoding::Utf8, one_of: Some(1) };
    let (listed, any) = (json!({"type": "string", "enum": ["kg", "g"]}), json!({"type": "string"}));
    expect(&Kind::text(text), [listed.clone(), any.clone(), listed, any]);
}

#[test]
fn truth_in_memory_is_a_boolean() {
    expect_always(&Kind::TruthInMemory(CType::Int), json!({"type": "boolean"}));
}

#[test]
fn text_says_how_bytes_are_spelled_and_how_many_there_are() {
    expect_always(&Kind::plain_text(), json!({"type": "string"}));
    expect_always(&Kind::counted(Encoding::Utf16, None), json!({"type": "string"}));
    let kind = |encoding, exactly| Kind::Text(TextKind { encoding, counted: true, exactly, one_of: None });
    let (prose, exact) = (
        json!({"type": "string", "description": "Bytes, in base64."}),
        json!({"type": "string", "contentEncoding": "base64"}),
    );
    expect(&kind(Encoding::Base64, None), [prose.clone(), prose, exact.clone(), exact]);
    let (prose, exact) = (
        json!({"type": "string", "description": "Bytes, in hex digits. Exactly 32 bytes."}),
        json!({"type": "string", "contentEncoding": "base16", "x-length": 32}),
    );
    expect(&kind(Encoding::Hex, Some(32)), [prose.clone(), prose, exact.clone(), exact]);
    let (prose, exact) = (
        json!({"type": "string", "description": "Exactly 4 units."}),
        json!({"type": "string", "x-length": 4}),
    );
    expect(&kind(Encoding::Utf16, Some(4)), [prose.clone(), prose, exact.clone(), exact]);
}

#[test]
fn lists_are_arrays_and_fixed_ones_have_a_length() {
    let items = || Kind::Scalar(scalar(CType::Double, View::Plain));
    let list = json!({"type": "array", "items": {"type": "number"}});
    expect_always(&Kind::list(items(), None), list);
    let prose = json!({"type": "array", "items": {"type": "number"}, "description": "Exactly 3 elements."});
    let exact = json!({"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3});
    expect(&Kind::list(items(), Some(3)), [prose.clone(), prose, exact.clone(), exact]);
}

#[test]
fn a_record_is_an_object_without_the_pointers_that_are_not_followed() {
    let required = ["flags", "label", "name"];
    let given = json!({"type": "object", "properties": {
        "width": {"type": "integer", "description": "How wide. Default: 1. From 0 to 255."},
        "flags": {"type": "array", "items": {"type": "integer", "description": "From 0 to 255."}},
        "label": {"type": "string"},
        "name": {"type": "string"},
    }, "required": required});
    let returned = json!({"type": "object", "properties": {
        "width": {"type": "integer", "description": "How wide. Default: 1."},
        "flags": {"type": "array", "items": {"type": "integer"}},
        "label": {"type": "string"},
        "name": {"type": "string", "x-nullable": true},
    }, "required": required});
    let byte = json!({"type": "integer", "minimum": 0, "maximum": 255});
    let exact = |name: Value| {
        json!({"type": "object", "properties": {
            "width": {"type": "integer", "minimum": 0, "maximum": 255, "description": "How wide. Default: 1."},
            "flags": {"type": "array", "items": byte, "minItems": 2, "maxItems": 2},
            "label": {"type": "string"},
            "name": name,
        }, "required": required, "title": "Size"})
    };
    let (name, may_be_null) = (json!({"type": "string"}), json!({"type": "string", "x-nullable": true}));
    expect(&Kind::Record(0), [given, returned, exact(name), exact(may_be_null)]);
}

#[test]
fn handles_and_states_are_tokens() {
    for (kind, name) in [(Kind::Handle(0), "shop"), (Kind::State(1), "hasher")] {
        let about = format!("A token that stands for a `{name}`.");
        let prose = json!({"type": "string", "description": about, "x-handle": name});
        let exact = json!({"type": "string", "title": name, "format": "token"});
        expect(&kind, [prose.clone(), prose, exact.clone(), exact]);
    }
}

#[test]
fn a_capacity_is_a_count_that_names_its_buffer() {
    let content = Content::Text { c_type: CType::Char, encoding: Encoding::Utf8 };
    let params = [crate::plan::Param {
        key: "out".to_owned(),
        ident: "out".to_owned(),
        description: None,
        argument: None,
        operand: crate::plan::Operand::Buffer,
        role: crate::plan::Role::Out,
        facts: crate::plan::Facts::default(),
    }];
    let types = types();
    let kind = Kind::Capacity { c_type: CType::Int, buffer: 0, content };
    let of = |form| Schemas::new(&types, &params, form, Direction::Given).of(&kind);
    let about = "How many elements `out` has room for.";
    assert_eq!(of(Form::OpenTool), json!({"type": "integer", "description": about}));
    assert_eq!(
        of(Form::Exact),
        json!({"type": "integer", "minimum": 0, "maximum": i32::MAX, "description": about})
    );
}

#[test]
fn a_count_is_an_integer() {
    expect_always(&Kind::Count(CType::Size), json!({"type": "integer"}));
}

#[test]
fn what_only_takes_null_is_an_object() {
    expect_always(&Kind::Callback, json!({"type": "object"}));
    expect_always(&Kind::Opaque, json!({"type": "object"}));
}

#[test]
fn a_description_stands_before_that_of_the_type() {
    let of = |description| described(json!({"type": "string", "description": "Bytes."}), Some(description));
    assert_eq!(of("The key")["description"], "The key. Bytes.");
    assert_eq!(of("The key! ")["description"], "The key! Bytes.");
    assert_eq!(described(json!({"type": "string"}), Some("The key"))["description"], "The key");
}
