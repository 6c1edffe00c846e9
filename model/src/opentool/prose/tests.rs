//! What is left out, and what stays.

use super::{Kind, Prose};

/// `compress` of zlib: JSON has `source`, and gets `dest`.
fn compress() -> Prose<'static> {
    Prose {
        hidden: vec!["sourceLen", "destLen", "data"],
        visible: vec!["source", "dest"],
        required: vec!["source"],
        has_handles: false,
    }
}

#[test]
fn sentences_about_arguments_that_json_does_not_have_are_left_out() {
    for (text, kept) in [
        ("Compresses. sourceLen is the byte length of the source buffer.", "Compresses."),
        ("Compresses. Upon exit, destLen is the actual size of the data. More.", "Compresses. More."),
        ("Compresses.\n\nThe parameter data is passed to it.\n\nMore.", "Compresses.\n\nMore."),
        ("Compresses:\n- sourceLen: the length\n- source: the bytes", "Compresses:\n- source: the bytes"),
        ("Compresses. `data` is passed to it.", "Compresses."),
    ] {
        assert_eq!(compress().function(text), kept, "{text}");
    }
}

#[test]
fn what_says_more_stays() {
    for text in [
        "sourceLen is the length.",
        "Compresses. The value of sourceLen is not checked.",
        "Compresses. data is compressed in blocks.",
        "Compresses. sourceLen must be at least 8.",
        "Compresses. sourceLen is at least 8.",
        "Compresses. Upon entry, destLen is the size, which must be large enough.",
        "Compresses. sourceLen must be even, and `source` must not be empty.",
        "Compresses. sourceLen is the length. It must be even.",
        "Compresses. Use sourceLen, e.g. sourceLen is fine.",
        "Compresses.\n\n    sourceLen is code.",
        "Compresses.  Two spaces, and a tail \n",
        "Compresses. If source is NULL, dest is empty; otherwise it is not.",
        "Compresses. If dest is NULL, nothing is done.",
    ] {
        assert_eq!(compress().function(text), text);
    }
}

#[test]
fn examples_in_c_are_left_out_with_the_line_before_them() {
    let text = "Adds.\n\nUsage example:\n\n```c\nint n = add(1, 2);\n\nuse(n);\n```\n\nMore.";
    assert_eq!(compress().function(text), "Adds.\n\nMore.");
    let text = "Adds. It is equivalent to:\n\n```c\nadd(1, 2);\n```";
    assert_eq!(compress().function(text), text, "it says what is done");
    let text = "Adds.\n\n```text\n1 + 1\n```";
    assert_eq!(compress().function(text), text);
}

#[test]
fn nobody_frees_what_is_copied() {
    let text = "Returns a text. The returned string should be freed with g_free() when no longer needed.";
    assert_eq!(compress().function(text), "Returns a text.");
    assert_eq!(Prose { has_handles: true, ..compress() }.function(text), text);
    let text = "Copies. The caller must free() the result.";
    assert_eq!(compress().function(text), "Copies.");
    let text = "Copies. Returns a newly allocated string that must be freed.";
    assert_eq!(compress().function(text), text, "it says what is returned");
    for text in [
        "Copies. The returned text says that a slot should stay free.",
        "Copies. The returned string is normalized to all-lowercase, so it does not need to be freed.",
        "Copies. The returned string must be freed with g_free(), and is in lower case.",
    ] {
        assert_eq!(compress().function(text), text);
    }
    let text = "the name. The returned string is owned by GLib and must not be modified or freed.";
    assert_eq!(compress().function(text), "the name.");
}

#[test]
fn what_cannot_be_null_is_not_asked_for_null() {
    let text = "Updates it. If source is Z_NULL, this function returns the initial value.";
    assert_eq!(compress().function(text), "Updates it.");
}

#[test]
fn a_pointer_to_a_value_is_the_value() {
    let value = |text: &str, kind: Kind| compress().value(text, &kind);
    assert_eq!(value("Pointer to the image", Kind::Record(0)), Some("The image".to_owned()));
    assert_eq!(value("a pointer to an image", Kind::Handle(0)), Some("an image".to_owned()));
    assert_eq!(value("Pointer to 3 numbers", Kind::Record(0)), Some("Pointer to 3 numbers".to_owned()));
    let text = "a pointer to the found character";
    assert_eq!(value(text, Kind::Opaque), Some(text.to_owned()), "it is the rest of a text");
    assert_eq!(value("sourceLen is the length.", Kind::Opaque), None);
}
