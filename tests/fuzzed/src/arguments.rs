//! Arguments as the interpreter reads them, against serde_json's view of the same text: a call that succeeds has the result
//! which serde_json's value gives, and a plain value that fits the C type is accepted. The first byte chooses the function.

use std::fmt;
use std::sync::OnceLock;

use opendyn_interpreter::{Document, Interpreted, Options};
use opentool::Tool;
use serde_json::de::Deserializer;
use serde_json::{Value, json};

const FUNCTIONS: [&str; 7] =
    ["same_int", "same_long_long", "same_byte", "same_double", "same_bool", "length", "sum"];

/// Gives the bytes to the reader.
pub fn run(bytes: &[u8]) {
    let Some((choice, text)) = bytes.split_first() else { return };
    let function = FUNCTIONS[usize::from(*choice) % FUNCTIONS.len()];
    let mut reply = Vec::new();
    let called = probe().call_into(function, text, &mut reply);
    let seen = std::str::from_utf8(text).ok().and_then(|text| serde_json::from_str::<Value>(text).ok());
    match called {
        Ok(()) => {
            let seen = seen.expect("what is accepted is JSON");
            let reply: Value = serde_json::from_slice(&reply).expect("a reply is JSON");
            let x = &seen["x"];
            let expected = result(function, x);
            assert!(same(&reply["r"], &expected), "{function} {x}: {reply}, not {expected}");
        }
        Err(error) => {
            drop(error.to_string());
            let seen =
                seen.filter(|seen| seen.as_object().is_some_and(|it| it.len() == 1 && has_one_key(text)));
            if let Some(x) = seen.as_ref().and_then(|seen| seen.get("x")) {
                assert!(!is_plain(function, x), "{function} {x}: {error}");
            }
        }
    }
}

fn probe() -> &'static Interpreted {
    struct Shared(Interpreted);
    // SAFETY: libFuzzer calls the target in one thread.
    unsafe impl Send for Shared {}
    // SAFETY: as above.
    unsafe impl Sync for Shared {}
    static PROBE: OnceLock<Shared> = OnceLock::new();
    let open = || {
        let document = Document::read("probe.json", include_str!("../probe.json"), &Options::default())
            .unwrap_or_else(|found| panic!("{found}"));
        // SAFETY: the document describes this library, which `build.rs` compiles.
        Shared(
            unsafe { Interpreted::open(document, concat!(env!("OUT_DIR"), "/libprobe.so")) }
                .expect("it loads"),
        )
    };
    &PROBE.get_or_init(open).0
}

/// What C returns for this value.
fn result(function: &str, x: &Value) -> Value {
    match (function, x) {
        ("length", Value::String(text)) => json!(text.len()),
        ("sum", Value::Array(items)) => json!(items.iter().filter_map(integer).sum::<i64>()),
        ("same_double" | "same_bool", x) => x.clone(),
        (_, x) => integer(x).map_or(Value::Null, Value::from),
    }
}

/// An integer, also as a decimal string, or as JSON Schema has it: `22.0` is one.
fn integer(value: &Value) -> Option<i64> {
    let whole = |x: f64| (x.fract() == 0.0 && x.abs() < 9.3e18).then_some(x as i64);
    value.as_i64().or_else(|| value.as_str()?.parse().ok()).or_else(|| whole(value.as_f64()?))
}

fn same(reply: &Value, expected: &Value) -> bool {
    match (reply.as_f64(), expected.as_f64()) {
        // -0 is 0, and an integer may come back as a float.
        (Some(reply), Some(expected)) if reply.is_finite() => reply == expected,
        _ => integer(reply).is_some_and(|it| integer(expected) == Some(it)) || reply == expected,
    }
}

/// Whether a value is of the C type without any reading between the lines.
fn is_plain(function: &str, x: &Value) -> bool {
    let fits = |x: &Value| x.as_i64().is_some_and(|x| i32::try_from(x).is_ok());
    match function {
        "same_int" => fits(x),
        "same_long_long" => x.is_i64(),
        "same_byte" => x.as_i64().is_some_and(|x| u8::try_from(x).is_ok()),
        "same_double" => x.is_f64(),
        "same_bool" => x.is_boolean(),
        "length" => x.as_str().is_some_and(|x| !x.contains('\0')),
        _ => x.as_array().is_some_and(|items| items.iter().all(fits)),
    }
}

/// serde_json keeps the last of two equal keys; a call refuses both.
fn has_one_key(text: &[u8]) -> bool {
    struct Count;
    impl<'de> serde::de::Visitor<'de> for Count {
        type Value = usize;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<usize, A::Error> {
            let mut count = 0;
            while map.next_entry::<String, serde::de::IgnoredAny>()?.is_some() {
                count += 1;
            }
            Ok(count)
        }
    }
    serde::Deserializer::deserialize_map(&mut Deserializer::from_slice(text), Count)
        .is_ok_and(|count| count == 1)
}
