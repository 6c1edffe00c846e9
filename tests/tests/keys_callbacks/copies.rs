//! What a closure is given is a copy: a call of C from the closure may free what C passed.

use opendyn_tests::shared_library;

opendyn::opendyn!("fixtures/keys-callbacks/notes.json");

#[test]
fn arguments_outlive_a_call_in_the_closure_that_frees_them() {
    let library = shared_library("keys_callbacks", &[]);
    // SAFETY: fixtures/keys-callbacks/notes.json describes c/keys_callbacks.c correctly.
    let notes = unsafe { Notes::open(&library) }.expect("every function is there");
    let told = notes.note_tell(|text, numbers, words, place| {
        notes.note_forget();
        assert_eq!(text, c"remember the milk");
        assert_eq!(numbers, [1, 2, 3, 4]);
        assert_eq!(words.iter().collect::<Vec<_>>(), [Some(c"milk"), None]);
        assert_eq!((place.x, place.y), (1.5, 2.5));
        7
    });
    assert_eq!(told, 7);
}
