//! Every input that is kept in `fuzz/seeds` is given to its target: the seeds, and what fuzzing found.

#![expect(clippy::expect_used, reason = "test code may panic")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use opendyn_fuzzed::{arguments, document, handles, header, http, object, workflow};

type Target = fn(&[u8]);

const TARGETS: [(&str, Target); 7] = [
    ("arguments", arguments::run),
    ("document", document::run),
    ("handles", handles::run),
    ("header", header::run),
    ("http", http::run),
    ("object", object::run),
    ("workflow", workflow::run),
];

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The inputs that are kept for a target, by name.
fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir(fuzz().join("seeds").join(target)).expect("every target has seeds");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("it can be read");
        (path, bytes)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn every_kept_input_passes() {
    for (name, target) in TARGETS {
        let seeds = seeds(name);
        assert!(!seeds.is_empty(), "{name}");
        for (path, bytes) in seeds {
            println!("{}", path.display());
            target(&bytes);
        }
    }
}

#[test]
fn every_target_is_replayed() {
    let entries = std::fs::read_dir(fuzz().join("fuzz_targets")).expect("a folder");
    let found: BTreeSet<String> = entries
        .map(|entry| entry.expect("an entry").path().file_stem().unwrap_or_default().to_string_lossy().into())
        .collect();
    assert_eq!(found, TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect());
}

/// Numbers that look random and are the same in every run.
fn numbers(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

#[test]
fn random_calls_with_handles_reach_every_function() {
    let rounds = if std::env::var_os("OPENDYN_TEST_ALL").is_some() { 2000 } else { 400 };
    let mut next = numbers(0x9e37_79b9_7f4a_7c15);
    let (mut calls, mut succeeded, mut refused, mut reached) = (0, 0, 0, BTreeSet::new());
    for _ in 0..rounds {
        let bytes: Vec<u8> = (0..1200).map(|_| (next() >> 32) as u8).collect();
        let tally = handles::tally(&bytes);
        calls += tally.calls;
        succeeded += tally.succeeded;
        refused += tally.refused;
        reached.extend(tally.functions);
    }
    println!("{calls} calls, {succeeded} succeeded, {refused} had a handle that must be refused");
    let missed: Vec<String> = handles::functions().difference(&reached).cloned().collect();
    assert!(missed.is_empty(), "no call of these succeeded: {missed:?}");
    assert!(succeeded * 2 > calls, "{succeeded} of {calls} calls succeeded");
    assert!(refused > calls / 100, "{refused} of {calls} calls had a handle that must be refused");
}
