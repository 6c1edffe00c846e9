//! Instructions per call, counted by callgrind through gungraun.
//!
//! Only the call is counted: libraries are opened and everything is called once before, so that the
//! index exists and the allocator is warm, and results are dropped afterwards. `gate` runs this and
//! compares the counts.

#![expect(clippy::expect_used, reason = "a benchmark that cannot start has no result")]
#![allow(missing_docs, unused_qualifications, reason = "the macros of gungraun expand to such code")]

use std::ffi::c_int;
use std::hint::black_box;

use gungraun::prelude::*;
use gungraun::{Callgrind, EventKind};
use opendyn::Tool;
use opendyn_benchmarks::by_hand::{ByHand, Quotient};
use opendyn_benchmarks::calc::{self, Calc, DivmodOutputs};
use opendyn_benchmarks::peers::{Interpreter, OnJiter, OnTables};
use opendyn_benchmarks::{Error, bounds};
use opendyn_interpreter::Interpreted;
use serde_json::{Map, Value};

const ARGUMENTS: &str = r#"{"a":2,"b":3}"#;
const REORDERED: &str = r#"{"b":3,"a":2}"#;
const SPACED: &str = r#"{"a": 2, "b": 3}"#;
const DIVMOD: &str = r#"{"dividend":17,"divisor":5}"#;
const GREET: &str = r#"{"name":"Grace Hopper"}"#;
const SCALE: &str = r#"{"x":1.5,"factor":0.25}"#;
const RESULT: &str = r#"{"result":5}"#;

/// Calls once, and checks the answer.
fn warm<E: std::fmt::Debug>(call: impl Fn(&str, &str) -> Result<String, E>) {
    for arguments in [ARGUMENTS, REORDERED, SPACED] {
        assert_eq!(call("add", arguments).expect("add"), RESULT);
    }
}

fn calc() -> &'static Calc {
    let calc = Box::leak(Box::new(calc::open().expect("the library is there")));
    warm(|name, arguments| calc.call_json(name, arguments));
    calc
}

fn by_hand() -> &'static ByHand {
    let by_hand = ByHand::new(calc().library()).expect("the functions are there");
    warm(|name, arguments| by_hand.derived(name, arguments));
    warm(|name, arguments| by_hand.through_value(name, arguments));
    Box::leak(Box::new(by_hand))
}

fn new_interpreter() -> Interpreter {
    // SAFETY: calc.json describes calc.c correctly.
    unsafe { Interpreter::new(calc::DOCUMENT, calc::LIBRARY) }.expect("the document is one of ours")
}

fn interpreter() -> &'static Interpreter {
    let interpreter = new_interpreter();
    warm(|name, arguments| interpreter.call(name, arguments));
    warm(|name, arguments| interpreter.call_streaming(name, arguments));
    Box::leak(Box::new(interpreter))
}

fn on_tables() -> &'static OnTables {
    let on_tables = OnTables::new(new_interpreter(), "add").expect("add is there");
    warm(|name, arguments| on_tables.call(name, arguments));
    Box::leak(Box::new(on_tables))
}

fn on_jiter() -> &'static OnJiter<'static> {
    let on_jiter = OnJiter::new(calc());
    warm(|name, arguments| on_jiter.call(name, arguments));
    Box::leak(Box::new(on_jiter))
}

fn interpreted() -> &'static Interpreted {
    let interpreted = calc::interpreted().expect("the library is there");
    warm(|name, arguments| interpreted.call_json(name, arguments));
    for (name, arguments) in [("divmod", DIVMOD), ("greet", GREET), ("scale", SCALE)] {
        interpreted.call_json(name, arguments).expect(name);
    }
    Box::leak(Box::new(interpreted))
}

fn map() -> (&'static Calc, Map<String, Value>) {
    let calc = calc();
    let map = serde_json::from_str(ARGUMENTS).expect("an object");
    calc.call("add", &map).expect("add");
    (calc, map)
}

#[library_benchmark]
#[bench::run(by_hand())]
fn by_hand_add(by_hand: &'static ByHand) -> c_int {
    black_box(by_hand).add(black_box(2), black_box(3))
}

#[library_benchmark]
#[bench::run(calc())]
fn typed_add(calc: &'static Calc) -> c_int {
    black_box(calc).add(black_box(2), black_box(3))
}

#[library_benchmark]
#[bench::run(by_hand())]
fn by_hand_divmod(by_hand: &'static ByHand) -> Quotient {
    black_box(by_hand).divmod(black_box(17), black_box(5))
}

#[library_benchmark]
#[bench::run(calc())]
fn typed_divmod(calc: &'static Calc) -> DivmodOutputs {
    black_box(calc).divmod(black_box(17), black_box(5))
}

#[library_benchmark(
    config = LibraryBenchmarkConfig::default()
        .tool(Callgrind::default().hard_limits([(EventKind::Ir, bounds::JSON_ADD)]))
)]
#[bench::run(calc())]
fn json_add(calc: &'static Calc) -> Result<String, opendyn::ToolError> {
    black_box(calc).call_json(black_box("add"), black_box(ARGUMENTS))
}

#[library_benchmark]
#[bench::run(calc())]
fn json_add_reordered(calc: &'static Calc) -> Result<String, opendyn::ToolError> {
    black_box(calc).call_json(black_box("add"), black_box(REORDERED))
}

#[library_benchmark]
#[bench::run(calc())]
fn json_add_spaced(calc: &'static Calc) -> Result<String, opendyn::ToolError> {
    black_box(calc).call_json(black_box("add"), black_box(SPACED))
}

#[library_benchmark]
#[bench::run(calc(), Vec::with_capacity(256))]
fn json_add_into_buffer(
    calc: &'static Calc,
    mut buffer: Vec<u8>,
) -> (Vec<u8>, Result<(), opendyn::ToolError>) {
    let result =
        black_box(calc).call_into(black_box("add"), black_box(ARGUMENTS.as_bytes()), black_box(&mut buffer));
    (buffer, result)
}

#[library_benchmark]
#[bench::run(calc())]
fn json_divmod(calc: &'static Calc) -> Result<String, opendyn::ToolError> {
    black_box(calc).call_json(black_box("divmod"), black_box(DIVMOD))
}

#[library_benchmark]
#[bench::run(calc())]
fn json_greet(calc: &'static Calc) -> Result<String, opendyn::ToolError> {
    black_box(calc).call_json(black_box("greet"), black_box(GREET))
}

#[library_benchmark]
#[bench::run(calc())]
fn json_scale(calc: &'static Calc) -> Result<String, opendyn::ToolError> {
    black_box(calc).call_json(black_box("scale"), black_box(SCALE))
}

#[library_benchmark]
#[bench::run(interpreted())]
fn interpreted_add(interpreted: &'static Interpreted) -> Result<String, opendyn::ToolError> {
    black_box(interpreted).call_json(black_box("add"), black_box(ARGUMENTS))
}

#[library_benchmark]
#[bench::run(interpreted())]
fn interpreted_divmod(interpreted: &'static Interpreted) -> Result<String, opendyn::ToolError> {
    black_box(interpreted).call_json(black_box("divmod"), black_box(DIVMOD))
}

#[library_benchmark]
#[bench::run(interpreted())]
fn interpreted_greet(interpreted: &'static Interpreted) -> Result<String, opendyn::ToolError> {
    black_box(interpreted).call_json(black_box("greet"), black_box(GREET))
}

#[library_benchmark]
#[bench::run(interpreted())]
fn interpreted_scale(interpreted: &'static Interpreted) -> Result<String, opendyn::ToolError> {
    black_box(interpreted).call_json(black_box("scale"), black_box(SCALE))
}

#[library_benchmark]
#[bench::run(map())]
fn map_add(
    (calc, map): (&'static Calc, Map<String, Value>),
) -> (Result<Map<String, Value>, opendyn::ToolError>, Map<String, Value>) {
    (black_box(calc).call(black_box("add"), black_box(&map)), map)
}

#[library_benchmark]
#[bench::run(calc())]
fn serde_json_on_our_tables(calc: &'static Calc) -> (Vec<u8>, Result<(), opendyn::ToolError>) {
    let mut out = Vec::with_capacity(64);
    let mut deserializer = serde_json::Deserializer::from_str(black_box(ARGUMENTS));
    let mut serializer = serde_json::Serializer::new(&mut out);
    let result = black_box(calc).call_serde(black_box("add"), &mut deserializer, &mut serializer);
    (out, result)
}

#[library_benchmark]
#[bench::run(on_jiter())]
fn jiter_on_a_table(on_jiter: &'static OnJiter<'static>) -> Result<String, Error> {
    black_box(on_jiter).call(black_box("add"), black_box(ARGUMENTS))
}

#[library_benchmark]
#[bench::run(by_hand())]
fn derive_by_hand(by_hand: &'static ByHand) -> Result<String, Error> {
    black_box(by_hand).derived(black_box("add"), black_box(ARGUMENTS))
}

#[library_benchmark]
#[bench::run(by_hand())]
fn value_by_hand(by_hand: &'static ByHand) -> Result<String, Error> {
    black_box(by_hand).through_value(black_box("add"), black_box(ARGUMENTS))
}

#[library_benchmark]
#[bench::run(on_tables())]
fn libffi_on_our_tables(on_tables: &'static OnTables) -> Result<String, Error> {
    black_box(on_tables).call(black_box("add"), black_box(ARGUMENTS))
}

#[library_benchmark]
#[bench::run(interpreter())]
fn libffi_streaming(interpreter: &'static Interpreter) -> Result<String, Error> {
    black_box(interpreter).call_streaming(black_box("add"), black_box(ARGUMENTS))
}

#[library_benchmark]
#[bench::run(interpreter())]
fn libffi_value(interpreter: &'static Interpreter) -> Result<String, Error> {
    black_box(interpreter).call(black_box("add"), black_box(ARGUMENTS))
}

library_benchmark_group!(
    name = calls,
    benchmarks = [
        by_hand_add,
        typed_add,
        by_hand_divmod,
        typed_divmod,
        json_add,
        json_add_reordered,
        json_add_spaced,
        json_add_into_buffer,
        json_divmod,
        json_greet,
        json_scale,
        interpreted_add,
        interpreted_divmod,
        interpreted_greet,
        interpreted_scale,
        map_add,
        serde_json_on_our_tables,
        jiter_on_a_table,
        derive_by_hand,
        value_by_hand,
        libffi_on_our_tables,
        libffi_streaming,
        libffi_value
    ]
);

// Only instructions are compared, so caches are not simulated.
main!(
    config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"])),
    library_benchmark_groups = calls
);
