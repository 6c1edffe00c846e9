//! The compiled binding and the interpreter of a document are equal: random calls of every function of the fixtures
//! have the same reply or the same error, byte for byte.
//!
//! Arguments are made from the plan of the document (`values`, `strings`), then spoilt (`arguments`); tokens are of
//! handles in all their states (`pool`). `limits` has what is not called, and why. `mutants` proves that a difference
//! would be seen, `read_for` that a document that was read in part is equal to the whole.
//!
//! `OPENDYN_SEED` is another seed than that of CI. A failure prints the seed and the call.

#![expect(clippy::expect_used, clippy::panic, reason = "test code may panic")]

mod arguments;
mod limits;
mod mutants;
mod pool;
mod random;
mod read_for;
mod run;
mod strings;
mod subject;
mod subjects;
mod values;

use std::collections::BTreeSet;
use std::sync::Once;

use opendyn::Handles;
use opendyn_model::plan::Json;

use limits::EXACT;
use run::{Tally, run};
use subject::Subject;
use subjects::SUBJECTS;

/// CI makes all calls. Under AddressSanitizer each takes several times as long.
const CALLS: usize = if cfg!(opendyn_exact_buffers) {
    20_000
} else if cfg!(quick) {
    10_000
} else {
    200_000
};

fn seed() -> u64 {
    let seed = std::env::var("OPENDYN_SEED").ok();
    seed.map_or(0x0dd5_eed5, |seed| seed.parse().expect("OPENDYN_SEED is a number"))
}

/// Tables are numbered from 1000 on: tokens of both tools have the same length then, so that errors name the same
/// column.
fn number_tables_from_1000() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| (0..1000).for_each(|_| drop(Handles::new())));
}

/// Asserts that C was called for every function that JSON can call.
fn assert_reached(subject: &Subject, reached: &BTreeSet<String>) {
    let plan = subject.plan();
    let callable = plan.functions.iter().filter(|function| matches!(function.json, Json::Callable(_)));
    let names = callable.map(|function| function.name.as_str()).filter(|name| !EXACT.contains(name));
    let never: Vec<&str> = names.filter(|name| !reached.contains(*name)).collect();
    assert!(never.is_empty(), "{}: never called: {never:?}", subject.document);
}

#[test]
fn random_calls_have_equal_answers() {
    number_tables_from_1000();
    let mut total = Tally::default();
    let each = CALLS.div_ceil(SUBJECTS.len());
    for subject in SUBJECTS {
        let mut reached = BTreeSet::new();
        let tally = run(subject, &subject.source(), each, seed(), &mut reached).unwrap_or_else(|found| {
            let (seed, document, after) = (seed(), subject.document, found.after);
            panic!("OPENDYN_SEED={seed}, {document}, call {after}:\n{}", found.difference)
        });
        println!("{} {tally:?}", subject.document);
        assert_eq!(tally.calls, each);
        assert!(tally.succeeded * 10 > each, "{}: too few calls succeeded: {tally:?}", subject.document);
        total += tally;
        if each > 10_000 {
            assert_reached(subject, &reached);
        }
    }
    println!("{total:?}");
    assert!(total.calls >= CALLS, "{total:?}");
    assert_eq!(total.calls, total.succeeded + total.refused + total.failed, "{total:?}");
    for (what, count, percent) in [
        ("succeeded", total.succeeded, 20),
        ("refused", total.refused, 20),
        ("failed", total.failed, 2),
        ("maps", total.maps, 5),
        ("packed", total.packed, 5),
        ("sessions", total.sessions, 2),
    ] {
        assert!(count * 100 > total.calls * percent, "{what}: {total:?}");
    }
}
