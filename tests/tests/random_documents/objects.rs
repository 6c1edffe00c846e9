//! Random handles, structs and callbacks.

use serde_json::{Map, Value, json};

use crate::choices::{Choices, function, input, output, returned, scalar, some_return, with};
use crate::keys::Group;

fn pointer() -> Value {
    scalar("object", "void", true)
}

fn handle(name: &str) -> Value {
    let mut schema = pointer();
    schema["cType"]["x-handle"] = json!(name);
    schema
}

/// Functions that open, use and close a handle and its child.
pub(crate) fn handles(choices: &mut Choices, group: &mut Group) {
    let [parent, child] =
        choices.of(&[["database", "statement"], ["String", "Handle"], ["Box", "option"], ["type", "u9"]]);
    opened(choices, group, parent, None);
    let [inside] = choices.values();
    opened(choices, group, child, Some((parent, inside)));
    let [used, text, visit, arg] = choices.values();
    let required = choices.one_in(2);
    let mut parameters = vec![
        with(input(used, handle(parent)), json!({"required": required})),
        with(input(text, scalar("string", "char", true)), json!({"required": choices.one_in(2)})),
    ];
    if required && choices.one_in(2) {
        let mut callback =
            json!({"parameters": [{"name": arg, "schema": pointer()}], "userData": arg, "until": used});
        if choices.one_in(2) {
            callback["return"] = json!({"schema": choices.scalar()});
        }
        let mut schema = pointer();
        schema["cType"]["x-callback"] = callback;
        parameters.push(with(input(visit, schema), json!({"required": choices.one_in(2)})));
        parameters.push(with(input(arg, pointer()), json!({"required": false})));
    }
    let name = choices.function();
    let result = some_return(choices);
    group.functions.push(function(choices, &name, parameters, result));
}

/// A function that returns a handle, and the one that frees it.
fn opened(choices: &mut Choices, group: &mut Group, name: &str, parent: Option<(&str, &'static str)>) {
    let (open, close) = (choices.function(), choices.function());
    let mut keys = json!({});
    if choices.one_in(2) {
        keys["x-nullable"] = json!(true);
    }
    if !choices.one_in(4) {
        keys["x-free"] = json!(close);
    }
    let mut parameters = Vec::new();
    if let Some((of, inside)) = parent {
        keys["x-parent"] = json!(inside);
        parameters.push(input(inside, handle(of)));
    }
    let [out] = choices.values();
    let result = if choices.one_in(2) && parent.is_none_or(|(_, inside)| inside != out) {
        let mut schema = handle(name);
        schema["cType"]["x-pointerDepth"] = json!(2);
        parameters.push(with(output(out, schema), keys));
        some_return(choices)
    } else {
        returned(choices, handle(name), keys)
    };
    let opens = function(choices, &open, parameters, result);
    group.functions.push(opens);
    let [closed] = choices.values();
    let result = some_return(choices);
    let closes = function(choices, &close, vec![input(closed, handle(name))], result);
    group.functions.push(closes);
}

fn reference(name: &str, is_pointer: bool) -> Value {
    json!({"$ref": format!("#/schemas/{name}"), "cType": {"type": "void", "isPointer": is_pointer}})
}

/// A member of a struct; `inner` is a struct that it can hold.
fn member(choices: &mut Choices, inner: Option<&str>) -> Value {
    match (choices.of(&[0, 0, 1, 2, 3, 4, 5]), inner) {
        (1, _) => {
            let c_type = choices.of(&["int", "double", "bool"]);
            with(scalar("array", c_type, false), json!({"x-length": {"const": 3}}))
        }
        (2, _) => {
            with(scalar("string", "char", false), json!({"x-length": {"const": 8}, "x-encoding": "latin-1"}))
        }
        (3, _) => scalar("string", "char", true),
        (4, _) => with(scalar("integer", "int", false), json!({"default": 7})),
        (5, Some(inner)) => reference(inner, false),
        _ => choices.scalar(),
    }
}

/// Structs in every direction, alone and in arrays, and a state that only C accesses.
pub(crate) fn structs(choices: &mut Choices, group: &mut Group) {
    let [inner, outer, state] =
        choices.of(&[["Point", "Rect", "State"], ["Vec", "match", "str"], ["Default", "Copy", "a-b"]]);
    for (name, holds) in [(inner, None), (outer, Some(inner))] {
        let names: [&str; 3] = choices.values();
        let properties: Map<String, Value> =
            names.iter().map(|key| ((*key).to_owned(), member(choices, holds))).collect();
        let mut schema = with(pointer(), json!({"properties": properties}));
        if choices.one_in(3) {
            schema["required"] = json!([names[0]]);
        }
        group.schemas.insert(name.to_owned(), schema);
    }
    let which = choices.of(&[inner, outer]);
    let [one, other, many, n, memory] = choices.values();
    let array = with(scalar("array", "void", true), json!({"items": reference(which, false)}));
    let mut parameters = vec![
        match choices.of(&[0, 1, 2, 3]) {
            0 => input(one, reference(which, false)),
            1 => with(input(one, reference(which, true)), json!({"required": choices.one_in(2)})),
            2 => output(one, reference(which, true)),
            _ => with(input(one, reference(which, true)), json!({"x-inout": true})),
        },
        with(input(many, array), json!({"isIn": choices.one_in(2), "x-length": n})),
        input(n, choices.count(false)),
    ];
    if choices.one_in(2) {
        group.schemas.insert(state.to_owned(), with(pointer(), json!({"x-size": 48, "x-align": 8})));
        parameters.push(with(input(memory, reference(state, true)), json!({"isIn": choices.one_in(2)})));
    }
    let result = match choices.of(&[0, 1, 2, 3]) {
        0 => returned(choices, reference(which, false), json!({})),
        1 => returned(choices, reference(which, true), json!({"x-nullable": true})),
        2 => {
            let mut schema = reference(which, true);
            schema["cType"]["x-pointerDepth"] = json!(2);
            parameters.push(output(other, schema));
            Value::Null
        }
        _ => some_return(choices),
    };
    let name = choices.function();
    group.functions.push(function(choices, &name, parameters, result));
}

/// The arguments of a callback apart from its user data, with their lengths.
fn arguments(choices: &mut Choices, [value, length]: [&str; 2]) -> Vec<Value> {
    let named = |schema: Value, keys: Value| with(json!({"name": value, "schema": schema}), keys);
    let counted = || json!({"x-length": length});
    let mut strings = scalar("array", "char", true);
    strings["cType"]["x-pointerDepth"] = json!(2);
    let count = json!({"name": length, "schema": choices.count(false)});
    let point = with(pointer(), json!({"properties": {"x": scalar("integer", "int", false)}}));
    match choices.of(&[0, 1, 2, 3, 4, 5, 6]) {
        0 => vec![named(choices.scalar(), json!({}))],
        1 => vec![named(scalar("string", "char", true), json!({}))],
        2 => vec![named(scalar("string", "char", true), json!({"x-nullable": true}))],
        3 => vec![named(scalar("array", "double", true), counted()), count],
        4 => vec![count, named(strings, counted())],
        5 => vec![named(point, json!({"x-nullable": choices.one_in(2)}))],
        _ => vec![named(pointer(), json!({}))],
    }
}

/// Callbacks during a call, with and without user data.
pub(crate) fn callbacks(choices: &mut Choices, group: &mut Group) {
    let [visit, arg, n, value, length] = choices.values();
    let user_data = choices.one_in(2);
    let mut parameters = arguments(choices, [value, length]);
    if user_data {
        let at = if choices.one_in(2) { 0 } else { parameters.len() };
        parameters.insert(at, json!({"name": arg, "schema": pointer()}));
    }
    let mut callback = json!({"parameters": parameters});
    if user_data {
        callback["userData"] = json!(arg);
    }
    if choices.one_in(2) {
        callback["return"] = json!({"schema": scalar("integer", "int", false)});
        callback["onPanic"] = json!(choices.of(&[0, -1]));
    }
    let mut schema = pointer();
    schema["cType"]["x-callback"] = callback;
    let mut parameters =
        vec![input(n, choices.scalar()), with(input(visit, schema), json!({"required": choices.one_in(2)}))];
    if user_data {
        parameters.push(with(input(arg, pointer()), json!({"required": false})));
    }
    let name = choices.function();
    let result = some_return(choices);
    group.functions.push(function(choices, &name, parameters, result));
}
