//! Libraries that cannot begin.

use super::*;

/// Opens a twin of a library that cannot begin, and the same through `from_library`.
fn refused<T: opendyn_tests::Compiled + std::fmt::Debug>(code: i32) -> (TwinLibrary, LoadError, LoadError) {
    let library = TwinLibrary::new("keys_init", &[]);
    refuse(&library.compiled, code);
    refuse(&library.interpreted, code);
    // SAFETY: the documents describe c/keys_init.c correctly.
    let error = unsafe { Twin::<T>::open_in(&library) }.expect_err("it cannot begin");
    // SAFETY: as above; nothing else uses the library.
    let again = unsafe {
        let loaded = libloading::Library::new(library.compiled.path()).expect("a library");
        T::bound_again(loaded).expect_err("it cannot begin")
    };
    assert_eq!(both(&library), [(0, 0, 0); 2], "what has not begun does not end");
    refuse(&library.compiled, 0);
    refuse(&library.interpreted, 0);
    // SAFETY: as above.
    let tool: Twin<T> = unsafe { Twin::open_in(&library) }.expect("it begins now");
    drop(tool);
    (library, error, again)
}

/// The code and the text of the library.
fn told(error: &LoadError) -> (Option<i64>, Option<&str>) {
    let LoadError::Init { code, text, .. } = error else { panic!("{error}") };
    (*code, text.as_deref())
}

#[test]
fn the_error_has_the_code_and_the_text_of_the_library() {
    let (library, error, again) = refused::<KeysInit>(7);
    let path = library.compiled.path().display();
    assert_eq!(
        error.to_string(),
        format!(
            "`{path}` could not be initialized with `keys_begin`: the call failed with code -7: the seventh seal is closed"
        )
    );
    assert_eq!(
        again.to_string(),
        "the loaded library could not be initialized with `keys_begin`: the call failed with code -7: the seventh seal is closed"
    );
    for error in [&error, &again] {
        assert_eq!(told(error), (Some(-7), Some("the seventh seal is closed")));
    }
    assert_eq!(both(&library), [(1, 1, 0); 2]);
}

#[test]
fn a_code_alone_has_the_text_of_the_document() {
    let (library, error, _) = refused::<KeysInitSafe>(9);
    assert!(
        error.to_string().ends_with("`code_begin`: the call failed with code 9: the ninth seal is closed"),
        "{error}"
    );
    assert_eq!(told(&error), (Some(9), Some("the ninth seal is closed")));
    assert_eq!(both(&library), [(1, 1, 0); 2]);
    assert_eq!(ask(&library.interpreted, "seen_flags"), 5);
}

#[test]
fn null_is_a_failure_where_the_document_promises_a_value() {
    let (library, error, _) = refused::<KeysInitText>(1);
    assert!(
        error.to_string().ends_with("`text_begin`: the call failed: `text` is a NULL pointer"),
        "{error}"
    );
    assert_eq!(told(&error), (None, None));
    assert_eq!(both(&library), [(1, 0, 0); 2], "the document names no end");
}

#[test]
fn a_tool_that_cannot_begin_says_why() {
    let (_, error, _) = refused::<KeysInit>(7);
    let error = opendyn::ToolError::from(error);
    assert!(error.to_string().contains("the seventh seal is closed"), "{error}");
}
