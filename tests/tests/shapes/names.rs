//! Names that are taken, and the options that choose others.
//!
//! Whatever the Rust name of a function is, its symbol and its JSON name are those of the document.

use opendyn::{CallError, LoadError, Tool};
use serde_json::json;

use super::{Twin, answer};

opendyn::opendyn!("fixtures/shapes/names.json");
opendyn_tests::twin!(Names = "fixtures/shapes/names.json");

fn names() -> Twin<Names> {
    // SAFETY: fixtures/shapes/names.json describes c/names.c correctly.
    unsafe { Twin::open("names", &[]) }.expect("every function of the document is there")
}

#[test]
fn functions_with_taken_names_get_others_in_rust() {
    let names = names();
    for (function, answer, number) in [
        ("open", names.open(1), 1),
        ("load", names.load_(1), 2),
        ("call", names.call_(1), 3),
        ("call_json", names.call_json_(1), 4),
        ("call_into", names.call_into_(1), 5),
        ("call_serde", names.call_serde_(1), 6),
        ("library", names.library_(1), 7),
        ("from_library", names.from_library_(1), 8),
        ("type", names.r#type(1), 9),
        ("self", names.self_(1), 10),
        ("new", names.new(1), 11),
        ("Option", names.option(1), 12),
        ("Result", names.result(1), 13),
        ("match", names.r#match(1), 14),
        ("drop", names.drop(1), 15),
        ("async", names.r#async(1), 16),
        ("get-x", names.get_x(1), 17),
    ] {
        assert_eq!(answer, 100 + number, "{function}, typed");
        let reply = super::answer(&names, function, &json!({"x": 2}));
        assert_eq!(reply, Ok(json!({"x": 200 + number})), "{function}");
    }
    let error = names.call_json("open_", r#"{"x":1}"#).expect_err("the name of the document counts");
    assert_eq!(error.to_string(), "unknown function `open_`; did you mean `open`?");
}

#[test]
fn parameters_may_have_any_name() {
    let names = names();
    assert_eq!(names.params(1, 2, 3, 4, 5, 6, 7, 8), 12_345_678);
    let arguments = json!({
        "self": 1, "type": 2, "args": 3, "out": 4, "binding": 5, "runtime": 6, "library": 7, "params": 8,
    });
    assert_eq!(answer(&names, "params", &arguments), Ok(json!({"result": 12_345_678})));
}

#[test]
fn results_may_have_any_name() {
    let names = names();
    let outputs = names.outputs(10);
    let expected = OutputsOutputs {
        r#type: 10,
        self_: 11,
        out: 12,
        args: 13,
        outputs: 14,
        binding: 15,
        runtime: 16,
        library: 17,
    };
    assert_eq!(outputs, expected);
    let reply = names.call_json("outputs", r#"{"x":10}"#);
    let expected =
        r#"{"type":10,"self":11,"out":12,"args":13,"outputs":14,"binding":15,"runtime":16,"library":17}"#;
    assert_eq!(reply.as_deref(), Ok(expected));
}

#[test]
fn strings_and_options_may_have_any_name() {
    let names = names();
    assert_eq!(names.texts(c"a", None, None, None).as_deref(), Ok(c"a NULL -1 -1"));
    let (mut number, mut flag) = (3, true);
    let seen = names.texts(c"a", Some(c"b"), Some(&mut number), Some(&mut flag));
    assert_eq!(seen.as_deref(), Ok(c"a b 3 1"));
    let arguments = json!({"runtime": "a", "out": "b", "args": 3, "binding": true});
    assert_eq!(answer(&names, "texts", &arguments), Ok(json!({"self": "a b 3 1"})));
    assert_eq!(answer(&names, "texts", &json!({"runtime": "a"})), Ok(json!({"self": "a NULL -1 -1"})));
}

#[test]
fn the_binding_keeps_its_own_methods() {
    let names = names();
    // For each of these there is also a function of the same name.
    let document = names.load().expect("a binding describes itself");
    assert!(document.functions.iter().any(|function| function.name == "load"));
    // SAFETY: `params` of c/names.c takes eight ints; here only its address is looked up.
    assert!(unsafe { names.library().get::<*const ()>("params") }.is_ok());
    let arguments = json!({"x": 2});
    let reply = names.call("call", arguments.as_object().expect("an object")).expect("an answer");
    assert_eq!(reply["x"], 203);
    let reply = names.call_serde("call_serde", &arguments, serde_json::value::Serializer);
    assert_eq!(reply, Ok(json!({"x": 206})));
}

mod renamed {
    opendyn::opendyn!(
        "fixtures/shapes/tool.json",
        name = Renamed,
        strip_prefix = "shape_",
        rename = { "shape_get" = current, echo = r#type },
        optional = [shape_set],
    );
    opendyn_tests::twin!(Renamed = "fixtures/shapes/tool.json", |options| {
        options.name = Some("Renamed".to_owned());
        options.strip_prefix = Some("shape_".to_owned());
        let renamed = [("shape_get", "current"), ("echo", "type")];
        options.rename.extend(renamed.map(|(from, to)| (from.to_owned(), to.to_owned())));
        options.optional.insert("shape_set".to_owned());
    });
}

fn renamed(flags: &[&str]) -> Result<Twin<renamed::Renamed>, LoadError> {
    // SAFETY: fixtures/shapes/tool.json describes c/shapes.c correctly.
    unsafe { Twin::open("shapes", flags) }
}

#[test]
fn strip_prefix_and_rename_change_methods_only() {
    let renamed = renamed(&[]).expect("every function is there");
    assert_eq!(renamed.divide(7, 2), renamed::DivideOutputs { code: 0, quotient: 3, remainder: 1 });
    assert_eq!(renamed.set(4), Ok(()));
    assert_eq!(renamed.current(), 4, "`rename` goes before `strip_prefix`");
    assert_eq!(renamed.r#type(c"raw").as_deref(), Ok(c"raw"));
    // The interpreter has no typed calls, so that it has to be told.
    assert_eq!(renamed.interpreted().call_json("shape_set", r#"{"x":4}"#).as_deref(), Ok("{}"));
    assert_eq!(answer(&renamed, "shape_get", &json!({})), Ok(json!({"x": 4})));
    let unknown = answer(&renamed, "current", &json!({})).expect_err("a name of Rust");
    assert!(unknown.contains("unknown function `current`"), "{unknown}");
    assert_eq!(renamed::RenamedCode::SUCCESS.to_string(), "0: success", "the codes are named alike");
}

#[test]
fn a_function_that_the_options_call_optional_may_be_missing() {
    let without = renamed(&["-DWITHOUT_SET"]).expect("it may be missing");
    assert!(!without.has_set());
    assert!(!without.has_extra(), "the document's own option stays");
    assert_eq!(without.set(4), Err(CallError::Missing { symbol: "shape_set" }));
    let error = answer(&without, "shape_set", &json!({"x": 4})).expect_err("it is missing");
    assert_eq!(error, "the call failed: the loaded library has no function `shape_set`");
    assert_eq!(without.current(), 0, "the others work");

    let with = renamed(&["-DWITH_EXTRA"]).expect("every function is there");
    assert!(with.has_set() && with.has_extra());
    assert_eq!(with.set(4), Ok(()));
    assert_eq!(answer(&with, "shape_set", &json!({"x": 5})), Ok(json!({})));
    assert_eq!(with.current(), 5);
}
