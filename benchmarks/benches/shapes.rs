//! Instructions per call of every shape: through the binding, and through serde_json into the same types.
//!
//! `gate` runs this and compares the counts. As in `instructions`, only the call is counted.

#![expect(clippy::expect_used, reason = "a benchmark that cannot start has no result")]
#![allow(missing_docs, unused_qualifications, reason = "the macros of gungraun expand to such code")]

use std::hint::black_box;

use gungraun::Callgrind;
use gungraun::prelude::*;
use opendyn_benchmarks::Error;
use opendyn_benchmarks::shapes::{self, ByHand, Shape, Shapes};

/// A call through the binding, after one to warm up.
fn ours(shape: Shape) -> (&'static Shapes, Shape) {
    let shapes = Box::leak(Box::new(shapes::open().expect("the library is there")));
    shape.call(shapes).expect("a result");
    (shapes, shape)
}

/// A call through hand-written code, after one to warm up.
fn theirs(shape: Shape) -> (&'static ByHand, Shape) {
    let shapes = Box::leak(Box::new(shapes::open().expect("the library is there")));
    let by_hand = Box::leak(Box::new(ByHand::new(shapes.library()).expect("the functions are there")));
    shape.derived(by_hand).expect("a result");
    (by_hand, shape)
}

#[library_benchmark]
#[bench::text_16(ours(Shape::text(16)))]
#[bench::text_64(ours(Shape::text(64)))]
#[bench::text_64k(ours(Shape::text(65_536)))]
#[bench::escaped_1k(ours(Shape::escaped(1024)))]
#[bench::text_returned_64(ours(Shape::text_returned(64)))]
#[bench::text_returned_64k(ours(Shape::text_returned(65_536)))]
#[bench::escaped_returned_1k(ours(Shape::escaped_returned(1024)))]
#[bench::short_doubles_16(ours(Shape::short_doubles(16)))]
#[bench::doubles_16(ours(Shape::doubles(16)))]
#[bench::doubles_10k(ours(Shape::doubles(10_000)))]
#[bench::integers_10k(ours(Shape::integers(10_000)))]
#[bench::doubles_returned_10k(ours(Shape::doubles_returned(10_000)))]
#[bench::structs_1k(ours(Shape::structs(1000)))]
#[bench::bytes_12k(ours(Shape::bytes(12_000)))]
#[bench::bytes_returned_12k(ours(Shape::bytes_returned(12_000)))]
fn json((shapes, shape): (&'static Shapes, Shape)) -> (Result<String, Error>, Shape) {
    (black_box(&shape).call(black_box(shapes)), shape)
}

#[library_benchmark]
#[bench::text_16(theirs(Shape::text(16)))]
#[bench::text_64(theirs(Shape::text(64)))]
#[bench::text_64k(theirs(Shape::text(65_536)))]
#[bench::escaped_1k(theirs(Shape::escaped(1024)))]
#[bench::text_returned_64(theirs(Shape::text_returned(64)))]
#[bench::text_returned_64k(theirs(Shape::text_returned(65_536)))]
#[bench::escaped_returned_1k(theirs(Shape::escaped_returned(1024)))]
#[bench::short_doubles_16(theirs(Shape::short_doubles(16)))]
#[bench::doubles_16(theirs(Shape::doubles(16)))]
#[bench::doubles_10k(theirs(Shape::doubles(10_000)))]
#[bench::integers_10k(theirs(Shape::integers(10_000)))]
#[bench::doubles_returned_10k(theirs(Shape::doubles_returned(10_000)))]
#[bench::structs_1k(theirs(Shape::structs(1000)))]
#[bench::bytes_12k(theirs(Shape::bytes(12_000)))]
#[bench::bytes_returned_12k(theirs(Shape::bytes_returned(12_000)))]
fn derived((by_hand, shape): (&'static ByHand, Shape)) -> (Result<String, Error>, Shape) {
    (black_box(&shape).derived(black_box(by_hand)), shape)
}

library_benchmark_group!(name = calls, benchmarks = [json, derived]);

// Only instructions are compared, so caches are not simulated.
main!(
    config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"])),
    library_benchmark_groups = calls
);
