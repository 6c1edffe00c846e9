//! Several bindings of one library, which begins with the first of them and ends with the last.

use opendyn::Tool;

use super::*;

/// A compiled binding of safe.json.
fn safe(library: &NativeLibrary) -> KeysInitSafe {
    // SAFETY: fixtures/keys-init/safe.json describes c/keys_init.c correctly.
    unsafe { KeysInitSafe::open(library.path()) }.expect("it begins")
}

#[test]
fn the_first_binding_begins_it_and_the_last_one_ends_it() {
    let library = shared_library("keys_init", &[]);
    let one = safe(&library);
    let other = interpreted("safe", &library).expect("it has begun");
    // SAFETY: as above; it is loaded already.
    let third = unsafe {
        let loaded = libloading::Library::new(library.path()).expect("a library");
        KeysInitSafe::from_library(loaded).expect("it has begun")
    };
    assert_eq!(seen(&library), (1, 0, 0));
    drop(one);
    let item = third.item_new(4).expect("an item");
    assert_eq!(item.value(), 4);
    drop(other);
    assert_eq!(seen(&library), (1, 0, 0), "one is left");
    drop(item);
    drop(third);
    assert_eq!(seen(&library), (1, 1, 0));
}

#[test]
fn a_binding_of_a_document_that_says_nothing_about_it_keeps_it_too() {
    let library = shared_library("keys_init", &[]);
    let one = safe(&library);
    // SAFETY: fixtures/keys-init/without.json describes c/keys_init.c correctly, where another binding begins it.
    let without = unsafe { KeysInitWithout::open(library.path()) }.expect("every function is there");
    let item = without.item_new(1).expect("an item");
    drop(one);
    assert_eq!((item.value(), without.keys_living()), (1, 1));
    drop(item);
    assert_eq!(seen(&library), (1, 0, 0));
    drop(without);
    assert_eq!(seen(&library), (1, 1, 0), "the last one ends it, as the other document says");
}

#[test]
fn documents_that_begin_it_in_other_ways_all_do_and_it_ends_once_for_each_end() {
    let library = shared_library("keys_init", &[]);
    // SAFETY: fixtures/keys-init/plain.json describes c/keys_init.c correctly.
    let plain = unsafe { KeysInitPlain::open(library.path()) }.expect("it begins");
    let text = interpreted("text", &library).expect("it begins");
    assert_eq!(seen(&library), (2, 0, 0));
    assert_eq!(ask(&library, "seen_flags"), 16);
    assert_eq!(plain.keys_living(), 0);
    drop(plain);
    assert_eq!(seen(&library), (2, 0, 0));
    drop(text);
    assert_eq!(seen(&library), (2, 1, 0));
}

#[test]
fn threads_that_open_and_drop_it_never_find_it_before_its_beginning_or_after_its_end() {
    const ROUNDS: usize = 100;
    let library = shared_library("keys_init", &[]);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let library = &library;
            scope.spawn(move || {
                for value in 0..ROUNDS {
                    if thread % 2 == 0 {
                        let tool = safe(library);
                        drop(tool.item_new(1).expect("an item"));
                        call(&tool, "item_new", &json!({"value": value}));
                    } else {
                        let tool = interpreted("safe", library).expect("it begins");
                        call(&tool, "item_new", &json!({"value": value}));
                    }
                }
            });
        }
    });
    let (begun, ended, faults) = seen(&library);
    assert_eq!((begun, faults), (ended, 0));
    assert!(begun >= 1);
}

#[test]
fn a_library_that_is_not_thread_safe_is_ended_before_it_is_bound_again() {
    let library = shared_library("keys_init", &[]);
    let (one, other) = (interpreted("tool", &library), interpreted("tool", &library));
    let (one, other) = (one.expect("it begins"), other.expect("it has begun"));
    assert_eq!(seen(&library), (1, 0, 0));
    call(&one, "item_new", &json!({"value": 1}));
    drop(one);
    assert_eq!(other.call_json("keys_living", "{}").expect("it has not ended"), r#"{"count":0}"#);
    // SAFETY: as above.
    let refused = unsafe { KeysInit::open(library.path()) }.expect_err("it is bound");
    assert!(matches!(refused, LoadError::InUse { .. }), "{refused}");
    assert_eq!(seen(&library), (1, 0, 0), "a binding that is refused begins and ends nothing");
    drop(other);
    assert_eq!(seen(&library), (1, 1, 0));
}
