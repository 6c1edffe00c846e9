//! Replies are valid against their schemas, which MCP clients check.

use opendyn::{OpenTool, Tool};
use opendyn_tests::shared_library;
use opentool::export::Signature;
use serde_json::{Value, json};

opendyn::opendyn!("fixtures/extensions/tool.json", unchecked = allow);
opendyn::opendyn!("fixtures/keys-owned/tool.json");
opendyn::opendyn!("fixtures/keys-replies/tool.json");
opendyn::opendyn!("fixtures/keys-values/tool.json");

/// Calls the function and checks the reply against its schema, which is the same after the document has
/// been serialized.
fn call(tool: &impl Tool, name: &str, arguments: &Value) -> Value {
    let document = tool.load().expect("a binding describes itself");
    let sent = OpenTool::parse(&serde_json::to_string(&document).expect("JSON")).expect("a valid document");
    let output = |document: &OpenTool| {
        let function = document.function(name).expect(name);
        Value::Object(Signature::of(document, function).expect("a signature").output)
    };
    let schema = output(&document);
    assert_eq!(output(&sent), schema, "{name}");
    let arguments = arguments.as_object().expect("arguments");
    let reply = Value::Object(tool.call(name, arguments).expect("the call succeeds"));
    if let Err(error) = jsonschema::draft202012::new(&schema).expect("a schema").validate(&reply) {
        panic!("{name}: {reply} is not of {schema}: {error}");
    }
    reply
}

#[test]
fn integers_beyond_2_to_the_53_are_strings_in_the_schema_too() {
    // SAFETY: the document describes extensions.c correctly.
    let tool = unsafe { Extensions::open(shared_library("extensions", &[])) }.expect("it loads");
    for value in [json!(7), json!(i64::MIN.to_string())] {
        assert_eq!(call(&tool, "echo_int64_t", &json!({"value": value}))["value_back"], value);
    }
    for value in [json!(0), json!((u64::MAX - 1).to_string())] {
        assert_eq!(call(&tool, "echo_uint64_t", &json!({"value": value}))["value_back"], value);
    }
}

#[test]
fn null_is_in_the_schema_too() {
    // SAFETY: the document describes keys_owned.c correctly.
    let tool = unsafe { KeysOwned::open(shared_library("keys_owned", &[])) }.expect("it loads");
    assert_eq!(call(&tool, "owned_text_nullable", &json!({"text": ""})), json!({"copy": null}));
    assert_eq!(call(&tool, "owned_text_nullable", &json!({"text": "a"})), json!({"copy": "a"}));
}

#[test]
fn values_that_an_enum_does_not_name_are_in_the_schema_too() {
    // SAFETY: the document describes keys_values.c correctly.
    let tool = unsafe { KeysValues::open(shared_library("keys_values", &[])) }.expect("it loads");
    assert_eq!(call(&tool, "color_of", &json!({"value": 99})), json!({"color": 99}));
    assert_eq!(call(&tool, "color_pointed", &json!({"there": false})), json!({"color": null}));
    // The argument is one of the listed values nevertheless.
    let document = tool.load().expect("a binding describes itself");
    let function = document.function("color_value").expect("it is there");
    assert_eq!(function.parameters[0].schema.values, Some(vec![json!(1), json!(2), json!(-4)]));
}

#[test]
fn one_struct_and_several_results_differ_whatever_they_are_called() {
    // SAFETY: the document describes keys_replies.c correctly.
    let tool = unsafe { KeysReplies::open(shared_library("keys_replies", &[])) }.expect("it loads");
    let lent = json!({"word": "lent", "len": 4});
    assert_eq!(call(&tool, "word_results", &json!({})), json!({"results": lent}));
    assert_eq!(call(&tool, "word_static", &json!({})), json!({"word": lent}));
    let first = json!({"whole": "two", "first": {"word": "two", "len": 3}});
    assert_eq!(call(&tool, "word_first", &json!({"text": "two words"})), first);
}
