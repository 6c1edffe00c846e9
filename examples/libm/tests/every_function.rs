//! Calls every function of `libm.json` with JSON as an agent would, knowing only the OpenTool
//! document.

#![expect(clippy::expect_used, clippy::panic, reason = "test code may panic")]

use opendyn::opentool::{Function, SchemaType};
use opendyn::{OpenTool, Tool};
use serde_json::{Map, Value, json};

opendyn::opendyn!("../libm.json");

const DOCUMENT: &str = include_str!("../libm.json");

/// Arguments that are in the domain of every function, except those whose domain begins at 1 or that
/// take digits.
const FIRST: f64 = 0.625;
const SECOND: f64 = 2.25;
const THIRD: f64 = -0.5;
const WHOLE: i32 = 3;

fn libm() -> Libm {
    // SAFETY: libm.json describes the C math library correctly.
    unsafe { Libm::open_default() }.expect("every system has it")
}

fn first_of(function: &str) -> f64 {
    if function.starts_with("acosh") { 1.625 } else { FIRST }
}

/// One value per parameter, chosen by its type.
fn arguments(function: &Function) -> Map<String, Value> {
    let mut numbers = [first_of(&function.name), SECOND, THIRD].into_iter();
    let values = function.parameters.iter().map(|parameter| {
        let value = match parameter.schema.kind {
            SchemaType::Integer => json!(WHOLE),
            SchemaType::String => json!("7"),
            _ => json!(numbers.next().expect("no function takes more than three")),
        };
        (parameter.name.clone(), value)
    });
    values.collect()
}

/// The result of `function` from Rust's standard library, in double precision.
fn expected(function: &str) -> Option<f64> {
    let (x, y, z) = (first_of(function), SECOND, THIRD);
    Some(match function {
        "acos" => x.acos(),
        "asin" => x.asin(),
        "atan" => x.atan(),
        "atan2" => x.atan2(y),
        "cos" => x.cos(),
        "sin" => x.sin(),
        "tan" => x.tan(),
        "acosh" => x.acosh(),
        "asinh" => x.asinh(),
        "atanh" => x.atanh(),
        "cosh" => x.cosh(),
        "sinh" => x.sinh(),
        "tanh" => x.tanh(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "exp10" => 10_f64.powf(x),
        "expm1" => x.exp_m1(),
        "log" => x.ln(),
        "log10" => x.log10(),
        "log1p" => x.ln_1p(),
        "log2" => x.log2(),
        "ilogb" | "llogb" | "logb" => x.log2().floor(),
        "ldexp" | "scalbn" | "scalbln" => x * 2_f64.powi(WHOLE),
        "modf" => x.fract(),
        "cbrt" => x.cbrt(),
        "fabs" => x.abs(),
        "hypot" => x.hypot(y),
        "pow" => x.powf(y),
        "sqrt" => x.sqrt(),
        "ceil" => x.ceil(),
        "floor" => x.floor(),
        "nearbyint" | "rint" | "lrint" | "llrint" | "roundeven" => x.round_ties_even(),
        "round" | "lround" | "llround" => x.round(),
        "trunc" => x.trunc(),
        "fmod" => x % y,
        "remainder" | "drem" | "remquo" => x - y * (x / y).round_ties_even(),
        "copysign" => x.copysign(y),
        "nextup" => x.next_up(),
        "nextdown" => x.next_down(),
        "nextafter" => x.next_up(),
        "significand" => x / 2_f64.powf(x.log2().floor()),
        "fdim" => (x - y).max(0.0),
        "fmax" => x.max(y),
        "fmin" => x.min(y),
        "fma" => x.mul_add(y, z),
        _ => return None,
    })
}

/// The reply to one call with [`arguments`].
fn reply(libm: &Libm, function: &Function) -> Map<String, Value> {
    let arguments = arguments(function);
    Tool::call(libm, &function.name, &arguments)
        .unwrap_or_else(|error| panic!("{} {}: {error}", function.name, Value::Object(arguments)))
}

/// The name of the function in double precision.
fn double_of(document: &OpenTool, name: &str) -> String {
    let shorter = if name == "lgammaf_r" { "lgamma_r" } else { name.strip_suffix('f').unwrap_or(name) };
    let known = document.functions.iter().any(|function| function.name == shorter);
    if known { shorter } else { name }.to_owned()
}

#[test]
fn the_document_has_143_functions_and_this_system_all_of_them() {
    let libm = libm();
    let document = libm.load().expect("a document");
    assert_eq!(document.functions.len(), 143);
    let described: Value = serde_json::from_str(DOCUMENT).expect("JSON");
    assert_eq!(described["functions"].as_array().map(Vec::len), Some(143));
}

#[test]
fn every_function_answers_a_json_call_made_from_its_description() {
    let libm = libm();
    let document = libm.load().expect("a document");
    let mut answered = 0;
    for function in document.functions.iter().filter(|function| !function.name.starts_with("nan")) {
        let reply = reply(&libm, function);
        assert!(!reply.is_empty(), "{}", function.name);
        assert!(reply.values().all(Value::is_number), "{}: {reply:?}", function.name);
        answered += 1;
    }
    assert_eq!(answered, 141);
}

#[test]
fn nan_is_returned_by_c_and_refused_by_json() {
    let libm = libm();
    for function in ["nan", "nanf"] {
        let error = libm.call_json(function, r#"{"payload":"7"}"#).expect_err("JSON has no NaN");
        assert_eq!(error.to_string(), "the call failed: `result` is NaN, which JSON cannot hold");
    }
    assert!(libm.nan(c"7").is_nan() && libm.nanf(c"7").is_nan());
}

#[test]
fn results_are_those_of_the_standard_library() {
    let libm = libm();
    let document = libm.load().expect("a document");
    let mut compared = 0;
    for function in &document.functions {
        let double = double_of(&document, &function.name);
        let Some(expected) = expected(&double) else { continue };
        let reply = reply(&libm, function);
        // The return value comes before the outputs.
        let result = reply.values().next().and_then(Value::as_f64).expect("a number");
        // Rust may use another build of the same library, or its own.
        let tolerance = if double == function.name { 1e-14 } else { 1e-6 };
        let difference = (result - expected).abs();
        assert!(
            difference <= tolerance * expected.abs().max(1.0),
            "{}: {result}, not {expected}",
            function.name
        );
        compared += 1;
    }
    assert_eq!(compared, 2 * 57);
}

#[test]
fn outputs_through_pointers_come_back_by_name() {
    let libm = libm();
    for (function, arguments, expected) in [
        ("frexp", json!({"x": 40}), json!({"fraction": 0.625, "exponent": 6})),
        ("frexpf", json!({"x": -0.75}), json!({"fraction": -0.75, "exponent": 0})),
        ("modf", json!({"x": -2.75}), json!({"fraction": -0.75, "whole": -2.0})),
        ("modff", json!({"x": 2.5}), json!({"fraction": 0.5, "whole": 2.0})),
        ("remquo", json!({"x": 20, "y": 3}), json!({"remainder": -1.0, "quotient": 7})),
        ("remquof", json!({"x": 9, "y": -4}), json!({"remainder": 1.0, "quotient": -2})),
        ("sincos", json!({"x": 0}), json!({"sine": 0.0, "cosine": 1.0})),
        ("lgamma_r", json!({"x": 1}), json!({"result": 0.0, "sign": 1})),
    ] {
        let reply = libm.call_json(function, &arguments.to_string()).expect(function);
        assert_eq!(serde_json::from_str::<Value>(&reply).expect("JSON"), expected, "{function}");
    }
    let minus = libm.lgamma_r(-0.5).expect("glibc has it");
    assert_eq!(minus.sign, -1);
}
