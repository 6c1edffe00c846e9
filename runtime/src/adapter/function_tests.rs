//! A hand-written binding, called in every format.

use super::*;
use crate::handles::HandleType;
use serde_json::json;

/// A hand-written binding in the form of a generated one.
struct Calc;

static ADD: Function<Calc> = Function::new(
    "add",
    r#"{"name":"add","description":"Sum.","parameters":[]}"#,
    &[Field::required("a", Kind::INT), Field::required("b", Kind::INT)],
    |_, args, out| out.put("result", args.get::<i32>(0).wrapping_add(args.get(1))),
);
static HALF: Function<Calc> = Function::new(
    "half",
    r#"{"name":"half","description":"Half.","parameters":[]}"#,
    &[Field::optional("of", Kind::Double)],
    |_, args, out| out.put("half", args.get::<Option<f64>>(0).map_or(f64::NAN, |of| of / 2.0)),
);
static RAW: Function<Calc> = Function::unanswered("raw", "no `x-length`", &["How long?"]);
// SAFETY: no thunk puts a handle.
static FUNCTIONS: Functions<Calc> =
    unsafe { Functions::new(r#"{"title":"calc","version":"1"}"#, &[&ADD, &HALF, &RAW]) };

fn text(name: &str, arguments: &str) -> Result<String, String> {
    let mut out = b"kept ".to_vec();
    let result = FUNCTIONS.call_into(&Calc, name, arguments.as_bytes(), &mut out);
    let out = String::from_utf8(out).expect("text");
    match result {
        Ok(()) => Ok(out),
        Err(error) => {
            assert_eq!(out, "kept ", "an error leaves the buffer alone");
            Err(error.to_string())
        }
    }
}

#[test]
fn text_to_text() {
    assert_eq!(text("add", r#"{"a":2,"b":3}"#).as_deref(), Ok(r#"kept {"result":5}"#));
    assert_eq!(text("add", r#" { "b" : 3 , "\u0061" : 2.0 } "#).as_deref(), Ok(r#"kept {"result":5}"#));
    assert_eq!(text("half", r#"{"of":1}"#).as_deref(), Ok(r#"kept {"half":0.5}"#));
}

#[test]
fn an_error_leaves_the_buffer_alone() {
    assert!(text("half", "{}").is_err_and(|error| error.contains("`half` is NaN")));
    assert!(text("add", r#"{"a":2}"#).is_err_and(|error| error.contains("/b: missing")));
    assert!(text("raw", "{}").is_err_and(|error| error == "`raw` cannot be called with JSON: no `x-length`"));
    assert!(text("subtract", "{}").is_err_and(|error| error == "unknown function `subtract`"));
}

#[test]
fn the_document_says_why_a_function_cannot_be_called() {
    let document = FUNCTIONS.load().expect("a document");
    assert_eq!(document.functions.len(), 2);
    let refused = Refused {
        name: "raw".to_owned(),
        reason: "no `x-length`".to_owned(),
        questions: vec!["How long?".to_owned()],
    };
    assert_eq!(document.refused, [refused]);
}

#[test]
fn maps_and_message_pack_give_the_same() {
    let arguments = json!({"b": 3, "a": 2.0});
    let map = FUNCTIONS.call(&Calc, "add", arguments.as_object().expect("an object")).expect("5");
    assert_eq!(Value::Object(map), json!({"result": 5}));

    let packed = rmp_serde::to_vec(&arguments).expect("packed");
    let mut reply = Vec::new();
    FUNCTIONS
        .call_serde(
            &Calc,
            "add",
            &mut rmp_serde::Deserializer::new(&packed[..]),
            &mut rmp_serde::Serializer::new(&mut reply),
        )
        .expect("5");
    let reply: Value = rmp_serde::from_slice(&reply).expect("unpacked");
    assert_eq!(reply, json!({"result": 5}));
}

#[test]
fn every_format_names_the_place() {
    let arguments = json!({"a": 2, "b": 3_000_000_000_u64});
    let expected = "invalid arguments: /b: 3000000000 does not fit int (-2147483648 to 2147483647)";
    let error =
        FUNCTIONS.call(&Calc, "add", arguments.as_object().expect("an object")).expect_err("too large");
    assert_eq!(error.to_string(), expected);
    assert_eq!(text("add", &arguments.to_string()), Err(expected.to_owned()));
    let packed = rmp_serde::to_vec(&arguments).expect("packed");
    let error = FUNCTIONS
        .call_serde(
            &Calc,
            "add",
            &mut rmp_serde::Deserializer::new(&packed[..]),
            serde_json::value::Serializer,
        )
        .expect_err("too large");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn the_document_is_assembled() {
    let document = FUNCTIONS.load().expect("a document");
    assert_eq!(document.info.title, "calc");
    assert_eq!(
        document.functions.iter().map(|function| &*function.name).collect::<Vec<_>>(),
        ["add", "half"],
        "what cannot be called is not offered"
    );
}

/// A binding with handles.
#[derive(Default)]
struct Files {
    handles: Handles,
}

static FILE: HandleType = HandleType::new("file");
static OPEN: Function<Files> =
    Function::new("open", "{}", &[Field::optional("notify", Kind::Callback)], |files, _, out| {
        let Some(_entered) = out.enter(&files.handles) else { return };
        out.put_borrowed("file", std::ptr::without_provenance_mut(8), &FILE, &[], &[]);
    });
static ADDRESS: Function<Files> =
    Function::new("address", "{}", &[Field::required("file", Kind::Handle(&FILE))], |files, args, out| {
        let Some(_entered) = out.enter(&files.handles) else { return };
        if let Some(Some(pointer)) = out.handle("file", args.get(0), &FILE) {
            out.put("is", pointer.addr().get());
        }
    });
// SAFETY: nothing frees the handles, and nothing follows their pointers.
static FILES: Functions<Files> = unsafe { Functions::new("{}", &[&OPEN, &ADDRESS]) };

#[test]
fn a_token_of_one_call_is_an_argument_of_the_next_in_every_format() {
    let files = Files::default();
    let opened = FILES.call_json(&files, "open", r#"{"notify":null}"#).expect("a token");
    let is = FILES.call_json(&files, "address", &opened);
    assert_eq!(is.as_deref(), Ok(r#"{"is":8}"#));

    let opened = FILES.call(&files, "open", &Map::new()).expect("a token");
    let is = FILES.call(&files, "address", &opened).expect("the pointer");
    assert_eq!(Value::Object(is), json!({"is": 8}));

    for (arguments, expected) in [
        (json!({"file": 8}), "8 is a number; expected the token of a file: a string"),
        (json!({"file": "8"}), "\"8\" is not a handle that this tool gave out"),
    ] {
        let error = FILES.call_json(&files, "address", &arguments.to_string());
        assert_eq!(error.expect_err("no token").to_string(), format!("invalid arguments: /file: {expected}"));
    }
}

#[test]
fn the_tokens_of_a_session_are_its_own() {
    let files = Files::default();
    let own = FILES.call_json(&files, "open", "{}").expect("a token");
    let client = Handles::new();
    let mut out = Vec::new();
    let error =
        FILES.call_with(&files, &client, "address", own.as_bytes(), &mut out).expect_err("not its own");
    assert!(error.to_string().ends_with("belongs to another session"), "{error}");
    FILES.call_with(&files, &client, "open", b"{}", &mut out).expect("a token");
    let mut is = Vec::new();
    FILES.call_with(&files, &client, "address", &out, &mut is).expect("the pointer");
    assert_eq!(is, br#"{"is":8}"#);
}

#[test]
fn a_callback_cannot_come_as_json() {
    let error = FILES.call_json(&Files::default(), "open", r#"{"notify":"f"}"#).expect_err("a callback");
    let expected =
        "invalid arguments: /notify: \"f\" is a string; expected null: a callback cannot come as JSON";
    assert_eq!(error.to_string(), expected);
}
