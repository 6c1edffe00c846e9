use crate::Options;
use serde_json::{Value, json};

use super::change::Audience::{C, Json, Rust};
use super::*;

/// A document with one of everything.
const DOCUMENT: &str = r##"{
  "opendyn": "1.0.0",
  "info": { "title": "shops", "version": "1.0.0", "callingConvention": "cdecl", "x-library": "libshop.so", "x-threadSafe": true },
  "functions": [
    { "name": "add", "description": "Adds.", "parameters": [
        { "name": "a", "schema": { "type": "integer", "cType": { "type": "int", "isPointer": false } }, "isIn": true, "required": true },
        { "name": "b", "schema": { "type": "integer", "default": 1, "cType": { "type": "int", "isPointer": false } }, "isIn": true, "required": false }
      ],
      "return": { "name": "sum", "schema": { "type": "integer", "cType": { "type": "int", "isPointer": false } } } },
    { "name": "open", "description": "Opens.", "parameters": [
        { "name": "mode", "schema": { "$ref": "#/schemas/Mode" }, "isIn": true, "required": true },
        { "name": "shop", "x-free": "close", "schema": { "type": "object", "cType": { "type": "void", "isPointer": true, "x-pointerDepth": 2, "x-handle": "shop" } }, "isIn": false, "required": true }
      ],
      "return": { "name": "code", "x-code": true, "x-success": ["0", "1"], "schema": { "type": "integer", "cType": { "type": "int", "isPointer": false } } } },
    { "name": "close", "description": "Closes.", "parameters": [
        { "name": "shop", "schema": { "type": "object", "cType": { "type": "void", "isPointer": true, "x-handle": "shop" } }, "isIn": true, "required": true }
      ] },
    { "name": "area", "description": "The area.", "x-optional": true, "parameters": [
        { "name": "size", "schema": { "$ref": "#/schemas/Size" }, "isIn": true, "required": true },
        { "name": "xs", "x-length": "n", "schema": { "type": "array", "cType": { "type": "int", "isPointer": true } }, "isIn": true, "required": true },
        { "name": "n", "schema": { "type": "integer", "cType": { "type": "int", "isPointer": false } }, "isIn": true, "required": true },
        { "name": "name", "schema": { "type": "string", "cType": { "type": "char", "isPointer": true } }, "isIn": true, "required": true }
      ],
      "return": { "name": "text", "x-nullable": true, "schema": { "type": "string", "cType": { "type": "char", "isPointer": true } } } }
  ],
  "schemas": {
    "Mode": { "type": "integer", "enum": [1, 2], "x-enumNames": ["Read", "Write"], "cType": { "type": "int", "isPointer": false } },
    "Size": { "type": "object", "x-size": 8, "x-align": 4, "cType": { "type": "void", "isPointer": true }, "properties": {
      "w": { "type": "integer", "cType": { "type": "int", "isPointer": false } },
      "h": { "type": "integer", "cType": { "type": "int", "isPointer": false } } } }
  },
  "code": { "0": "ok", "1": "full" }
}"##;

fn described(document: &Value) -> Description {
    let source = document.to_string();
    crate::describe("tool.json", &source, &Options::default()).unwrap_or_else(|found| panic!("{found}"))
}

fn document() -> Value {
    serde_json::from_str(DOCUMENT).expect("JSON")
}

/// Sets the value at `pointer`; null removes it.
fn set(document: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    match document.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer} leads nowhere")) {
        Value::Object(members) if value.is_null() => drop(members.shift_remove(key)),
        Value::Object(members) => drop(members.insert(key.to_owned(), value)),
        Value::Array(elements) if key == "-" => elements.push(value),
        Value::Array(elements) if value.is_null() => drop(elements.remove(key.parse().expect("a number"))),
        Value::Array(elements) => elements[key.parse::<usize>().expect("a number")] = value,
        other => panic!("{pointer} leads to {other}"),
    }
}

fn integer(c_type: &str) -> Value {
    json!({ "type": "integer", "cType": { "type": c_type, "isPointer": false } })
}

/// The changes for an edit of the document, and for its reverse.
fn changed(edits: &[(&str, Value)]) -> [Vec<Change>; 2] {
    let mut edited = document();
    for (pointer, value) in edits {
        set(&mut edited, pointer, value.clone());
    }
    let (old, new) = (described(&document()), described(&edited));
    [compare(&old, &new), compare(&new, &old)]
}

fn broken(changes: &[Change]) -> Vec<Audience> {
    let mut broken: Vec<Audience> = changes.iter().flat_map(|change| change.breaks.clone()).collect();
    broken.sort();
    broken.dedup();
    broken
}

#[test]
fn the_same_document_has_no_changes_however_it_is_written() {
    let mut inlined = document();
    let mode = inlined["schemas"]["Mode"].clone();
    set(&mut inlined, "/functions/0/parameters/0/schema", json!({ "$ref": "#/schemas/Number" }));
    set(&mut inlined, "/schemas/Number", integer("int"));
    set(&mut inlined, "/schemas/Unused", mode);
    set(&mut inlined, "/functions/2/return", Value::Null);
    set(&mut inlined, "/x-other", json!(1));
    assert_eq!(compare(&described(&document()), &described(&inlined)), []);
}

#[test]
fn each_change_breaks_whom_it_breaks() {
    let function = json!({ "name": "more", "description": "More.", "parameters": [] });
    let parameter = json!({ "name": "c", "schema": integer("int"), "isIn": true, "required": true });
    let [a, b] = ["/functions/0/parameters/0", "/functions/0/parameters/1"];
    let at = |parameter: &str, key: &str| format!("{parameter}{key}");
    let swapped =
        json!([document()["functions"][0]["parameters"][1], document()["functions"][0]["parameters"][0]]);
    type Case = (&'static str, Vec<(String, Value)>, &'static [Audience], &'static [Audience]);
    let one = |pointer: &str, value: Value| vec![(pointer.to_owned(), value)];
    let cases: Vec<Case> = vec![
        ("a function is added", one("/functions/-", function), &[], &[C, Rust, Json]),
        ("the symbol", one("/functions/0/x-symbol", json!("add2")), &[C], &[C]),
        (
            "a parameter is added",
            one("/functions/0/parameters/-", parameter),
            &[C, Rust, Json],
            &[C, Rust, Json],
        ),
        ("a parameter is renamed", one(&at(a, "/name"), json!("first")), &[Json], &[Json]),
        ("the order", one("/functions/0/parameters", swapped), &[C, Rust], &[C, Rust]),
        ("a wider C type", one(&at(a, "/schema"), integer("long long")), &[C, Rust], &[C, Rust, Json]),
        ("another sign", one(&at(a, "/schema"), integer("unsigned int")), &[C, Rust, Json], &[C, Rust, Json]),
        ("another spelling", one(&at(a, "/schema/cType/x-cType"), json!("int32_t")), &[Rust], &[Rust]),
        ("required", one(&at(b, "/required"), json!(true)), &[Rust, Json], &[Rust]),
        ("a default", one(&at(b, "/schema/default"), json!(2)), &[Rust, Json], &[Rust, Json]),
        ("no default", one(&at(b, "/schema/default"), Value::Null), &[Rust, Json], &[Rust, Json]),
        (
            "the return type",
            one("/functions/0/return/schema", integer("short")),
            &[C, Rust],
            &[C, Rust, Json],
        ),
        ("the name of a result", one("/functions/0/return/name", json!("total")), &[Json], &[Json]),
        ("no return value", one("/functions/0/return", Value::Null), &[C, Rust, Json], &[C, Rust]),
        ("a success code", one("/functions/1/return/x-success", json!(["0"])), &[Rust, Json], &[Rust, Json]),
        (
            "no codes",
            vec![
                ("/functions/1/return/x-code".to_owned(), Value::Null),
                ("/functions/1/return/x-success".to_owned(), Value::Null),
            ],
            &[Rust, Json],
            &[Rust, Json],
        ),
        ("nullable", one("/functions/3/return/x-nullable", Value::Null), &[Rust, Json], &[Rust, Json]),
        ("optional", one("/functions/3/x-optional", Value::Null), &[C], &[]),
        (
            "a length",
            one("/functions/3/parameters/1/x-length", json!({ "const": 3 })),
            &[Rust, Json],
            &[Rust, Json],
        ),
        ("a text is a buffer", one("/functions/3/parameters/3/isIn", json!(false)), &[Rust, Json], &[Rust]),
        (
            "a member",
            one("/schemas/Size/properties/w/cType/type", json!("short")),
            &[C, Rust, Json],
            &[C, Rust],
        ),
        (
            "a member is gone",
            one("/schemas/Size/properties/h", Value::Null),
            &[C, Rust, Json],
            &[C, Rust, Json],
        ),
        ("a size", one("/schemas/Size/x-size", json!(16)), &[C], &[C]),
        ("no size", one("/schemas/Size/x-size", Value::Null), &[], &[]),
        ("a value of an enum", one("/schemas/Mode/enum", json!([1, 3])), &[C, Rust, Json], &[C, Rust, Json]),
        ("the title", one("/info/title", json!("store")), &[Rust], &[Rust]),
        ("the convention", one("/info/callingConvention", json!("stdcall")), &[C], &[C]),
        ("thread safety", one("/info/x-threadSafe", Value::Null), &[Rust], &[]),
        ("the library", one("/info/x-library", json!("libshop.so.2")), &[], &[]),
        ("no library", one("/info/x-library", Value::Null), &[Rust], &[]),
        ("a code", one("/code/2", json!("empty")), &[], &[Rust]),
        ("the text of a code", one("/code/1", json!("crowded")), &[Rust], &[Rust]),
        ("a description", one("/functions/0/description", json!("Sums.")), &[], &[]),
        ("a hint", one("/functions/0/x-annotations", json!({ "readOnly": true })), &[], &[]),
    ];
    let mut wrong = String::new();
    for (what, edits, forwards, backwards) in cases {
        let edits: Vec<(&str, Value)> =
            edits.iter().map(|(pointer, value)| (pointer.as_str(), value.clone())).collect();
        let [there, back] = changed(&edits);
        assert!(!there.is_empty() && !back.is_empty(), "{what} is not seen");
        for (way, changes, expected) in [("there", there, forwards), ("back", back, backwards)] {
            if broken(&changes) != expected {
                let found: Vec<String> = changes
                    .iter()
                    .map(|change| format!("\n  {}: {} {:?}", change.of, change.message, change.breaks))
                    .collect();
                wrong += &format!("\n{what}, {way}: expected {expected:?}{}", found.concat());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn two_more_values_are_more_for_json_and_another_enum_for_rust() {
    let [there, back] = changed(&[
        ("/schemas/Mode/enum", json!([1, 2, 3])),
        ("/schemas/Mode/x-enumNames", json!(["Read", "Write", "Both"])),
    ]);
    assert_eq!((broken(&there), broken(&back)), (vec![Rust], vec![Rust, Json]), "{there:#?}");
}

#[test]
fn two_parameters_of_one_type_that_change_places_break_rust_too() {
    let mut old = document();
    set(&mut old, "/functions/0/parameters/1/required", json!(true));
    set(&mut old, "/functions/0/parameters/1/schema", integer("int"));
    let mut new = old.clone();
    let parameters = new["functions"][0]["parameters"].as_array_mut().expect("parameters");
    parameters.reverse();
    assert_eq!(broken(&compare(&described(&old), &described(&new))), [C, Rust]);
}

#[test]
fn texts_are_texts() {
    let [there, _] = changed(&[("/info/version", json!("2")), ("/functions/0/description", json!("Sums."))]);
    assert_eq!(there.len(), 2);
    assert!(there.iter().all(|change| change.text), "{there:#?}");
}

#[test]
fn a_struct_of_another_name_and_the_same_layout_does_not_break_c() {
    let size = document()["schemas"]["Size"].clone();
    let [there, _] = changed(&[
        ("/schemas/Extent", size),
        ("/schemas/Size", Value::Null),
        ("/functions/3/parameters/0/schema", json!({ "$ref": "#/schemas/Extent" })),
    ]);
    assert_eq!(broken(&there), [Rust], "{there:#?}");
}

#[test]
fn a_function_that_begins_the_library_is_no_method() {
    let mut old = document();
    let number = json!({ "name": "count", "schema": integer("int") });
    let begin = json!({ "name": "begin", "description": "Begins.", "parameters": [], "return": number });
    let end = json!({ "name": "end", "description": "Ends.", "parameters": [] });
    set(&mut old, "/functions/-", begin);
    set(&mut old, "/functions/-", end);
    let mut new = old.clone();
    set(&mut new, "/info/x-init", json!({ "call": "begin", "end": "end" }));
    let (old, new) = (described(&old), described(&new));
    let changes = compare(&old, &new);
    assert_eq!(broken(&changes), [Rust, Json]);
    let text = |change: &Change| format!("{}: {}", change.of, change.message);
    let texts: Vec<String> = changes.iter().map(text).collect();
    assert_eq!(
        texts[0],
        "document: the library is initialized with `begin()`, and ended with `end()`; before: nothing"
    );
    assert!(texts.iter().any(|text| text.contains("is no longer a method")), "{texts:?}");
    assert_eq!(broken(&compare(&new, &old)), []);

    let page = crate::reference::page(&new);
    assert!(page.contains("| Initialization | `begin()` when it is loaded; ended with `end()` |"), "{page}");
    assert!(page.contains("Callers cannot call it"), "{page}");
}
