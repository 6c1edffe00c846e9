//! The benchmarks compare the same work: every way to call gives the same answers and refuses the same
//! arguments, and the generated libraries are valid.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use opendyn::Tool;
use opendyn_benchmarks::by_hand::{ByHand, Quotient};
use opendyn_benchmarks::calc;
use opendyn_benchmarks::shapes::{self, ByHand as ByHandShapes, Shape};
use opendyn_benchmarks::{Error, scale};
use opendyn_codegen::Options;

/// Tests that call the library take turns: it is not thread-safe.
static TURN: Mutex<()> = Mutex::new(());

#[test]
fn every_shape_has_the_answer_of_hand_written_code() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let shapes = shapes::open().expect("the library is there");
    let by_hand = ByHandShapes::new(shapes.library()).expect("the functions are there");
    let all: [fn(usize) -> Shape; 11] = [
        Shape::text,
        Shape::escaped,
        Shape::text_returned,
        Shape::escaped_returned,
        Shape::short_doubles,
        Shape::doubles,
        Shape::integers,
        Shape::doubles_returned,
        Shape::structs,
        Shape::bytes,
        Shape::bytes_returned,
    ];
    for (index, shape) in all.into_iter().enumerate() {
        for size in [0, 1, 16, 17, 64, 1000] {
            let shape = shape(size);
            let [ours, theirs] = [shape.call(&shapes), shape.derived(&by_hand)].map(|reply| {
                serde_json::from_str::<serde_json::Value>(&reply.expect("a reply")).expect("JSON")
            });
            // serde_json may miss the nearest double by one in the last place.
            let near = |name: &str| match (ours[name].as_f64(), theirs[name].as_f64()) {
                (Some(ours), Some(theirs)) => (ours - theirs).abs() <= theirs.abs() * 1e-12,
                _ => false,
            };
            assert!(ours == theirs || near("sum"), "shape {index} of {size}: {ours} instead of {theirs}");
        }
    }
}

type Call<'c> = Box<dyn Fn(&str, &str) -> Result<String, Error> + 'c>;

#[test]
fn every_way_gives_the_same_answer() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let calc = calc::open().expect("the library is there");
    let by_hand = ByHand::new(calc.library()).expect("the functions are there");
    let interpreted = calc::interpreted().expect("the library is there");
    let mut ways: Vec<Call<'_>> = vec![
        Box::new(|name, arguments| Ok(calc.call_json(name, arguments)?)),
        Box::new(|name, arguments| Ok(interpreted.call_json(name, arguments)?)),
        Box::new(|name, arguments| by_hand.derived(name, arguments)),
        Box::new(|name, arguments| by_hand.through_value(name, arguments)),
    ];
    #[cfg(feature = "peers")]
    {
        use opendyn_benchmarks::peers::{Interpreter, OnJiter, OnTables};
        // SAFETY: calc.json describes calc.c correctly.
        let interpreter =
            || unsafe { Interpreter::new(calc::DOCUMENT, calc::LIBRARY) }.expect("our document");
        let [value, streaming] = [interpreter(), interpreter()];
        let on_tables = OnTables::new(interpreter(), "add").expect("add is there");
        let on_jiter = OnJiter::new(&calc);
        ways.push(Box::new(move |name, arguments| value.call(name, arguments)));
        ways.push(Box::new(move |name, arguments| streaming.call_streaming(name, arguments)));
        ways.push(Box::new(move |name, arguments| on_tables.call(name, arguments)));
        ways.push(Box::new(move |name, arguments| on_jiter.call(name, arguments)));
    }
    for (index, call) in ways.iter_mut().enumerate() {
        for arguments in [r#"{"a":2,"b":3}"#, r#"{"b":3,"a":2}"#, r#"{"a": 2, "b": 3}"#] {
            assert_eq!(call("add", arguments).expect("5"), r#"{"result":5}"#, "way {index}, {arguments}");
        }
        for refused in [
            r#"{"a":2}"#,
            r#"{"a":2,"b":3,"c":4}"#,
            r#"{"a":2,"b":"3"}"#,
            r#"{"a":2,"b":3000000000}"#,
            r#"{"a":2,"b":3"#,
            r#"{"a":2,"b":3}}"#,
        ] {
            assert!(call("add", refused).is_err(), "way {index}, {refused}");
        }
        assert!(call("ad", "{}").is_err(), "way {index}");
    }
}

#[test]
fn typed_calls_agree_with_those_by_hand() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let calc = calc::open().expect("the library is there");
    let by_hand = ByHand::new(calc.library()).expect("the functions are there");
    assert_eq!(calc.add(2, 3), by_hand.add(2, 3));
    let divided = calc.divmod(17, 5);
    let Quotient { quotient, remainder } = by_hand.divmod(17, 5);
    assert_eq!((divided.quotient, divided.remainder), (3, 2));
    assert_eq!((quotient, remainder), (3, 2));
}

#[test]
fn ten_thousand_functions_have_ten_thousand_names() {
    let library = scale::Library::new(10_000);
    let names: BTreeSet<&str> = library.calls.iter().map(|call| call.function.as_str()).collect();
    assert_eq!(names.len(), 10_000);
}

#[test]
fn a_document_of_any_size_has_no_findings() {
    let library = scale::Library::new(100);
    let findings = opendyn_codegen::check("scale.json", &library.document, &Options::default());
    assert!(findings.is_empty(), "{findings}");
}
