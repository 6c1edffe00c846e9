//! Structs and callbacks, and what cannot be compared.

use super::{LINUX, Library, against_header, codes, document, parameter, schema};
use crate::Type;

/// A struct of two doubles, with further keys.
fn point(is_pointer: bool, keys: &str, properties: &str) -> String {
    format!(
        r#"{{ "type": "object"{keys}, "cType": {{ "type": "void", "isPointer": {is_pointer} }}, "properties": {{ {properties} }} }}"#
    )
}

fn property(name: &str, c_type: &str) -> String {
    format!("\"{name}\": {}", schema(c_type))
}

/// The findings for a pointer to a struct that is `{ double x; int n; }` in C.
fn record(keys: &str, properties: &[(&str, &str)]) -> Vec<String> {
    let mut library = Library::new(LINUX);
    let (double, int, void) = (library.of("double"), library.of("int"), library.of("void"));
    let record = library.record(16, &[("x", double, 0), ("n", int, 8)]);
    let pointer = library.types.add(Type::Pointer { to: record, constant: false });
    let signature = library.signature(&[pointer], void);
    let properties: Vec<String> = properties.iter().map(|(name, of)| property(name, of)).collect();
    let document = document(&[&point(true, keys, &properties.join(", "))], None, "");
    let report = against_header(&document, &library.with(Ok(signature)));
    report.diagnostics.iter().map(|found| format!("{}: {}", found.rule.code(), found.message)).collect()
}

#[test]
fn structs_are_compared_member_by_member() {
    let none: [String; 0] = [];
    assert_eq!(record("", &[("x", "double"), ("n", "int")]), none);
    assert_eq!(record(r#", "x-size": 16, "x-align": 8"#, &[("x", "double"), ("n", "int")]), none);
    // Padding may be named, and members may have other names than in C.
    assert_eq!(record("", &[("first", "double"), ("count", "int"), ("padding", "int")]), none);
    for (keys, properties, expected) in [
        (
            "",
            vec![("x", "float"), ("n", "int")],
            "member `x` of struct: the document says float, the header says double: 4 bytes against 8",
        ),
        (
            "",
            vec![("n", "int"), ("x", "double")],
            "member `n` of struct: the document has it at byte 0, the header says that struct point has it at 8",
        ),
        (
            "",
            vec![("x", "double")],
            "struct: its members in the document take 8 bytes, the header says that struct point has 16",
        ),
        (
            "",
            vec![("x", "double"), ("n", "int"), ("m", "double")],
            "struct: its members in the document take 24 bytes, the header says that struct point has 16",
        ),
        (
            "",
            vec![("x", "double"), ("n", "unsigned int")],
            "member `n` of struct: the document says unsigned int, the header says int: unsigned against signed",
        ),
        (
            "",
            vec![("x", "double"), ("n", "int *")],
            "member `n` of struct: the document says int *, the header says int: a pointer against a value",
        ),
        (
            "",
            vec![("x", "double"), ("count", "double")],
            "member `count` of struct: the document has double at byte 8, the header says that struct point has int `n` at 8",
        ),
        (
            r#", "x-size": 24"#,
            vec![("x", "double"), ("n", "int")],
            "the size: the document says 24 bytes, the header says that struct point has 16",
        ),
        (
            r#", "x-align": 16"#,
            vec![("x", "double"), ("n", "int")],
            "the alignment: the document says 16, the header says that struct point is aligned to 8",
        ),
    ] {
        assert_eq!(record(keys, &properties), [format!("E043: {expected}")]);
    }
}

#[test]
fn the_beginning_of_a_struct_that_c_gives_may_be_described_alone() {
    let mut library = Library::new(LINUX);
    let (double, int) = (library.of("double"), library.of("int"));
    let record = library.record(16, &[("x", double, 0), ("n", int, 8)]);
    let pointer = library.types.add(Type::Pointer { to: record, constant: true });
    let signature = library.signature(&[], pointer);
    let interface = library.with(Ok(signature));
    let begins = document(&[], Some(&point(true, "", &property("x", "double"))), "");
    assert_eq!(codes(&against_header(&begins, &interface)), [""; 0]);
    let by_value = document(&[], Some(&point(false, "", &property("x", "double"))), "");
    assert_eq!(codes(&against_header(&by_value, &interface)), ["E042"]);
}

#[test]
fn a_state_has_room_for_the_struct_of_c() {
    let state = |size: u64, align: u64| {
        let keys = format!(r#", "x-size": {size}, "x-align": {align}"#);
        let schema =
            format!(r#"{{ "type": "object"{keys}, "cType": {{ "type": "void", "isPointer": true }} }}"#);
        parameter(&schema, |types| {
            let double = types.of("double");
            let record = types.record(16, &[("x", double, 0), ("y", double, 8)]);
            types.types.add(Type::Pointer { to: record, constant: false })
        })
    };
    assert_eq!(state(16, 8), [""; 0]);
    assert_eq!(state(64, 16), [""; 0]);
    assert_eq!(state(8, 8), ["E043"]);
    assert_eq!(state(16, 4), ["E043"]);
}

#[test]
fn callbacks_have_the_signature_that_c_calls() {
    let callback = |parameters: &[&str], returns: Option<&str>| {
        let named: Vec<String> = parameters
            .iter()
            .enumerate()
            .map(|(index, of)| format!(r#"{{ "name": "c{index}", "schema": {} }}"#, schema(of)))
            .collect();
        let returns = returns.map_or("null".to_owned(), |of| format!(r#"{{ "schema": {} }}"#, schema(of)));
        let named = named.join(", ");
        format!(
            r#"{{ "type": "object", "cType": {{ "type": "void", "isPointer": true, "x-callback": {{ "parameters": [{named}], "return": {returns} }} }} }}"#
        )
    };
    let in_c = |library: &mut Library| {
        let (int, text) = (library.of("int"), library.of("const char *"));
        let signature = library.signature(&[int, text], int);
        library.callback(signature)
    };
    assert_eq!(parameter(&callback(&["int", "char *"], Some("int")), in_c), [""; 0]);
    assert_eq!(parameter(&callback(&["int", "void *"], Some("int")), in_c), [""; 0]);
    for wrong in [
        callback(&["int"], Some("int")),
        callback(&["long", "char *"], Some("int")),
        callback(&["int", "char *"], Some("long")),
        callback(&["int", "char *"], None),
        callback(&["int *", "char *"], Some("int")),
    ] {
        assert_eq!(parameter(&wrong, in_c), ["E044"], "{wrong}");
    }
    let fits = callback(&["int", "char *"], Some("int"));
    assert_eq!(parameter(&fits, |types| types.of("void *")), [""; 0]);
    assert_eq!(parameter(&fits, |types| types.of("char *")), ["E041"]);
    assert_eq!(parameter("char *", in_c), ["E041"]);
}

#[test]
fn what_cannot_be_compared_is_told_with_the_reason() {
    let mut library = Library::new(LINUX);
    let (vector, void) = (library.of("vector"), library.of("void"));
    let signature = library.signature(&[vector], void);
    let report = against_header(&document(&["int"], None, ""), &library.with(Ok(signature)));
    assert_eq!(codes(&report), [""; 0]);
    assert_eq!(
        report.tiers[1].to_string(),
        "header (t.h): 1 of 1 function checked; checked in part: f (`vector` is a type that cannot be compared)"
    );
    let library = Library::new(LINUX);
    let report =
        against_header(&document(&[], None, ""), &library.with(Err("it is written in assembler".to_owned())));
    assert_eq!(
        report.tiers[1].to_string(),
        "header (t.h): 0 of 1 function checked; not checked: f (it is written in assembler)"
    );
    assert_eq!(report.tiers[0].to_string(), "exports: not checked: none");
}

#[test]
fn a_source_that_goes_in_circles_ends() {
    let mut library = Library::new(LINUX);
    let void = library.of("void");
    let id = library.types.add(Type::Void);
    let pointer = library.types.add(Type::Pointer { to: id, constant: false });
    library.types.set(id, Type::Array { of: id, length: Some(2) });
    let signature = library.signature(&[pointer, pointer], void);
    let record = point(true, "", &property("x", "double"));
    let report = against_header(&document(&["int *", &record], None, ""), &library.with(Ok(signature)));
    assert!(report.tiers[1].result.is_ok());
}

/// The findings for a pointer to `union value { int i; double d; }`, or to a struct of both; `keys` and `properties` are
/// the document's.
fn union(is_union: bool, keys: &str, properties: &[(&str, &str)]) -> Vec<String> {
    let mut library = Library::new(LINUX);
    let (double, int, void) = (library.of("double"), library.of("int"), library.of("void"));
    let of = if is_union {
        library.union(8, &[("i", int), ("d", double)])
    } else {
        library.record(16, &[("i", int, 0), ("d", double, 8)])
    };
    let pointer = library.types.add(Type::Pointer { to: of, constant: false });
    let signature = library.signature(&[pointer], void);
    let properties: Vec<String> = properties.iter().map(|(name, of)| property(name, of)).collect();
    let document = document(&[&point(true, keys, &properties.join(", "))], None, "");
    let report = against_header(&document, &library.with(Ok(signature)));
    report.diagnostics.iter().map(|found| format!("{}: {}", found.rule.code(), found.message)).collect()
}

#[test]
fn unions_are_compared_member_by_member() {
    let none: [String; 0] = [];
    let by_i = r#", "x-union": "i""#;
    assert_eq!(union(true, by_i, &[("i", "int"), ("d", "double")]), none);
    // The order is that of the document, and members may be left out where others are as large.
    assert_eq!(union(true, r#", "x-union": "d", "x-size": 8"#, &[("d", "double")]), none);
    assert_eq!(
        union(true, by_i, &[("i", "int")]),
        ["E043: union: its members in the document take 4 bytes, the header says that union value has 8"]
    );
    assert_eq!(
        union(true, by_i, &[("i", "short"), ("d", "double")]),
        ["E043: member `i` of union: the document says short, the header says int: 2 bytes against 4"]
    );
    assert_eq!(
        union(true, r#", "x-union": "i", "x-size": 16"#, &[("i", "int"), ("d", "double")]),
        ["E043: the size: the document says 16 bytes, the header says that union value has 8"]
    );
    assert_eq!(
        union(false, by_i, &[("i", "int"), ("d", "double")]),
        [
            "E041: parameter 1 of f: the document says union f_p0_i *, the header says struct point *: a union (`x-union`) against a struct"
        ]
    );
}
