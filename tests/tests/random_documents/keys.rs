//! Random documents with extension keys: groups of related functions, each with a random combination of
//! the keys that it can have.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::choices::{Choices, function, input, output, returned, scalar, some_return, with};
use crate::objects;

/// The functions and schemas of a document.
#[derive(Default)]
pub(crate) struct Group {
    pub(crate) functions: Vec<Value>,
    pub(crate) schemas: Map<String, Value>,
}

pub(crate) fn document() -> impl Strategy<Value = String> {
    any::<u64>().prop_map(|seed| {
        let mut choices = Choices::new(seed);
        let mut group = Group::default();
        for _ in 0..3 {
            let add = choices.of(&[
                arrays,
                buffers,
                given,
                values,
                objects::handles,
                objects::structs,
                objects::callbacks,
            ]);
            add(&mut choices, &mut group);
            // The others are called by this one.
            if let (Some(last), true) = (group.functions.last_mut(), choices.one_in(4)) {
                last["x-optional"] = json!(true);
            }
        }
        json!({
            "opendyn": "1.0.0",
            "info": {"title": choices.of(&["calc", "Option", "a b-c", "Vec"]), "version": "1",
                     "callingConvention": "cdecl", "x-threadSafe": choices.one_in(2)},
            "functions": group.functions,
            "schemas": group.schemas,
            "code": {"0": "ok", "1": "not ok", "2": "not ok"},
        })
        .to_string()
    })
}

/// The schema of an array or of a string with a length.
fn elements(choices: &mut Choices) -> Value {
    if choices.one_in(2) {
        let c_type =
            choices.of(&["int", "unsigned char", "char", "double", "bool", "short", "unsigned long"]);
        return scalar("array", c_type, true);
    }
    let (c_type, encoding) = choices.of(&[
        ("char", "utf-8"),
        ("char", "utf-8-lossy"),
        ("unsigned char", "latin-1"),
        ("unsigned short", "utf-16"),
        ("unsigned char", "base64"),
        ("char", "hex"),
        ("void", "base64"),
    ]);
    with(scalar("string", c_type, true), json!({"x-encoding": encoding}))
}

/// A function that returns a length, called with a parameter of the same C type.
fn bound(choices: &mut Choices, group: &mut Group) -> (String, Value) {
    let name = choices.function();
    let [n] = choices.values();
    let schema = choices.count(false);
    let bound = choices.count(false);
    let bound = returned(choices, bound, json!({}));
    let told = function(choices, &name, vec![input(n, schema.clone())], bound);
    group.functions.push(told);
    (name, schema)
}

/// `x-length` in one of its forms, and the parameters that it names.
fn length(choices: &mut Choices, group: &mut Group, [n, m]: [&str; 2], is_in: bool) -> (Value, Vec<Value>) {
    match choices.of(&[0, 1, 2, 3, 4, 5]) {
        0 => (json!(n), vec![input(n, choices.count(false))]),
        1 => (json!(n), vec![with(input(n, choices.count(true)), json!({"isIn": is_in}))]),
        2 => (json!({"const": choices.of(&[4, 1, 32])}), vec![]),
        3 => (json!({"const": 4, "parameter": n}), vec![input(n, choices.count(false))]),
        4 => {
            let (call, schema) = bound(choices, group);
            (json!({"call": call, "args": [m]}), vec![input(m, schema)])
        }
        _ => {
            let (call, schema) = bound(choices, group);
            let told = input(n, choices.count(false));
            (json!({"call": call, "args": [m], "parameter": n}), vec![told, input(m, schema)])
        }
    }
}

/// Arrays, bytes and strings that C reads, or reads and writes.
fn arrays(choices: &mut Choices, group: &mut Group) {
    let [data, more, n, m] = choices.values();
    let (length, mut parameters) = length(choices, group, [n, m], true);
    let binary = scalar("array", "int", true);
    let keys = match choices.of(&[0, 1, 2]) {
        0 => json!({"x-length": length}),
        1 => json!({"x-length": length, "required": false}),
        _ => json!({"x-length": length, "x-inout": true}),
    };
    let schema = if keys.get("x-inout").is_some() { binary.clone() } else { elements(choices) };
    parameters.insert(0, with(input(data, schema), keys));
    if choices.one_in(3) {
        parameters.push(with(input(more, binary), json!({"x-length": length})));
    }
    let strings = scalar("array", "char", true);
    if choices.one_in(4) {
        let mut strings = with(input(more, strings), json!({"x-length": {"const": 3}}));
        strings["schema"]["cType"]["x-pointerDepth"] = json!(2);
        parameters.retain(|parameter| parameter["name"] != more);
        parameters.push(strings);
    }
    let name = choices.function();
    let result = some_return(choices);
    group.functions.push(function(choices, &name, parameters, result));
}

/// Buffers that C fills.
fn buffers(choices: &mut Choices, group: &mut Group) {
    let [data, written, n, m] = choices.values();
    let (length, mut parameters) = length(choices, group, [n, m], true);
    let mut buffer = with(output(data, elements(choices)), json!({"x-length": length}));
    let mut result = some_return(choices);
    match choices.of(&[0, 1, 2]) {
        0 => {}
        1 => {
            buffer["x-written"] = json!(written);
            parameters.push(output(written, choices.count(true)));
        }
        _ => {
            buffer["x-written"] = json!("return");
            let count = choices.count(false);
            result = returned(choices, count, json!({}));
        }
    }
    parameters.insert(0, buffer);
    let name = choices.function();
    group.functions.push(function(choices, &name, parameters, result));
}

/// Pointers from C: returned, or through a pointer to a pointer.
fn given(choices: &mut Choices, group: &mut Group) {
    let [data, n, m, pointer] = choices.values();
    let free = choices.function();
    let frees = function(choices, &free, vec![input(pointer, scalar("object", "void", true))], Value::Null);
    group.functions.push(frees);
    let (mut schema, mut keys, mut parameters) = match choices.of(&[0, 1, 2]) {
        0 => {
            let text = choices.of(&["utf-8", "latin-1", "hex"]);
            (with(scalar("string", "char", true), json!({"x-encoding": text})), json!({}), vec![])
        }
        1 => (scalar("number", "double", true), json!({}), vec![]),
        _ => {
            let (length, parameters) = length(choices, group, [n, m], false);
            (elements(choices), json!({"x-length": length}), parameters)
        }
    };
    if choices.one_in(2) {
        keys["x-free"] = json!(free);
    }
    if choices.one_in(2) {
        keys["x-nullable"] = json!(true);
    }
    let name = choices.function();
    let result = if choices.one_in(2) {
        schema["cType"]["x-pointerDepth"] = json!(2);
        // A number through two pointers is not described: a string is used instead.
        if schema["type"] == "number" {
            schema = with(scalar("string", "char", true), json!({}));
            schema["cType"]["x-pointerDepth"] = json!(2);
        }
        parameters.push(with(output(data, schema), keys));
        some_return(choices)
    } else {
        returned(choices, schema, keys)
    };
    group.functions.push(function(choices, &name, parameters, result));
}

/// Enums, defaults, scalars that are read and written, arguments through `...`.
fn values(choices: &mut Choices, group: &mut Group) {
    let [color, unit, width, flag, inout] = choices.values();
    let named = choices.of(&["Color", "color", "type", "Result", "Self2"]);
    let mut of_integers = with(scalar("integer", "int", false), json!({"enum": [1, 2, -4]}));
    if choices.one_in(2) {
        of_integers["x-enumNames"] =
            json!(choices.of(&[["red", "GREEN", "dark blue"], ["type", "None", "Ok"]]));
    }
    if choices.one_in(3) {
        of_integers["enum"] = json!([5]);
        of_integers.as_object_mut().and_then(|schema| schema.shift_remove("x-enumNames"));
    }
    group.schemas.insert(named.to_owned(), of_integers);
    let reference = json!({"$ref": format!("#/schemas/{named}")});
    let of_strings = with(scalar("string", "char", true), json!({"enum": ["mm", "c m", "type"]}));
    let number = with(scalar("integer", "int", false), json!({"default": choices.of(&[3, -3])}));
    let truth = with(scalar("boolean", "bool", false), json!({"default": choices.one_in(2)}));
    let text = with(scalar("string", "char", true), json!({"default": choices.of(&["", "wide", "\"{}\\"])}));
    let parameters = vec![
        with(input(color, reference.clone()), json!({"required": choices.one_in(2)})),
        with(input(unit, of_strings), json!({"required": choices.one_in(2)})),
        with(input(width, choices.of(&[number, text])), json!({"required": false})),
        with(input(flag, truth), json!({"required": false})),
        with(input(inout, choices.count(true)), json!({"x-inout": true})),
    ];
    let result = match choices.of(&[0, 1]) {
        0 => returned(choices, reference, json!({})),
        _ => some_return(choices),
    };
    let name = choices.function();
    group.functions.push(function(choices, &name, parameters, result));

    let [format, first, second] = choices.values();
    let through = |choices: &mut Choices| {
        choices.of(&[
            scalar("integer", "short", false),
            scalar("number", "float", false),
            scalar("string", "char", true),
            scalar("integer", "unsigned long", false),
        ])
    };
    let parameters = vec![
        input(format, scalar("string", "char", true)),
        input(first, through(choices)),
        input(second, through(choices)),
    ];
    let name = choices.function();
    let result = some_return(choices);
    let variadic = function(choices, &name, parameters, result);
    group.functions.push(with(variadic, json!({"x-variadic": choices.of(&[1, 2, 3])})));
}
