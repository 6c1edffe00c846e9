//! Who owns a text or memory, where later draws showed that import had not asked.

use super::command::{argument, folder};
use super::{function, import, imported, is_certain};

#[test]
fn a_text_that_a_function_frees_is_asked() {
    let document = import(
        "owners-freed",
        "typedef struct context context;\n\
         /** Frees a message that message_of gave. */\nvoid free_message(const context *c, const char *msg);\n\n\
         /** Finds the entry of a name. */\nint entry_of(const context *c, const char *name);",
    );
    let message = &function(&document, "free_message")["parameters"][1];
    assert!(message.get("x-todo").is_some(), "{message}");
    assert!(is_certain(function(&document, "entry_of")));
}

#[test]
fn a_constant_text_that_the_caller_frees_is_asked() {
    let document = import(
        "owners-constant",
        "/** Gets the message of a code. It must be freed with free_message(). */\nconst char *message_of(int code);\n\n\
         /** Gets the name of a code. */\nconst char *name_of(int code);",
    );
    assert!(!is_certain(function(&document, "message_of")));
    assert!(is_certain(function(&document, "name_of")));
}

#[test]
fn memory_that_comes_with_a_destructor_may_be_kept() {
    let document = import(
        "owners-destructor",
        "/** Writes.\n * @param nbytes the length of the data\n */\nint write_with(const void *data, unsigned long nbytes, void (*free_cb)(void *p));\n\
         /** Writes.\n * @param nbytes the length of the data\n */\nint write_all(const void *data, unsigned long nbytes);",
    );
    let data = &function(&document, "write_with")["parameters"][0];
    assert!(data.get("x-todo").is_some(), "{data}");
    assert!(is_certain(function(&document, "write_all")));
}

#[test]
fn a_text_that_is_not_duplicated_is_kept() {
    let document = import(
        "owners-duplicated",
        "typedef struct { unsigned long len; void *bytes; } bytes_t;\n\
         /** Makes bytes that point to it. The string is not duplicated. */\nbytes_t cstring_bytes(const char *cstr);",
    );
    assert!(!is_certain(function(&document, "cstring_bytes")));
}

/// What a scanner writes about a function without documentation: `full` for `char*`, whatever the function does.
const DEFAULTS: &str = r#"<?xml version="1.0"?>
<repository version="1.2">
  <c:include name="t.h"/>
  <namespace name="T">
    <function name="as_text" c:identifier="t_as_text">
      <return-value transfer-ownership="full"><type name="utf8" c:type="char*"/></return-value>
      <parameters><parameter name="n" transfer-ownership="none"><type name="gint" c:type="int"/></parameter></parameters>
    </function>
    <function name="copy" c:identifier="t_copy">
      <doc>Copies it.</doc>
      <return-value transfer-ownership="full"><type name="utf8" c:type="char*"/></return-value>
      <parameters><parameter name="n" transfer-ownership="none"><type name="gint" c:type="int"/></parameter></parameters>
    </function>
  </namespace>
</repository>"#;

#[test]
fn the_defaults_of_a_gir_file_about_an_undocumented_function_state_nothing() {
    let file = folder("import-owners-gir").join("T.gir");
    std::fs::write(&file, DEFAULTS).expect("it can be written");
    let header = "char *t_as_text(int n); char *t_copy(int n);";
    let run = imported("owners-gir-header", header, &["--gir", argument(&file)]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert!(!super::ask::is_callable(&document, "t_as_text"));
    assert_eq!(function(&document, "t_as_text")["return"].get("x-free"), None);
    assert!(is_certain(function(&document, "t_copy")));
}

#[test]
fn a_pointer_that_is_only_used_if_it_is_not_null_may_be_null() {
    let document = import(
        "owners-given",
        "/** Writes.\n * @param title If non-NULL, it is written first\n */\nint put_all(const char *title);",
    );
    assert_eq!(function(&document, "put_all")["parameters"][0]["required"], false);
}
