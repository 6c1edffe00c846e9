//! What import got wrong on the libraries of the draw of seed 700: one header, GIR file or library of our own for each cause.

use serde_json::{Value, json};

use super::command::{argument, folder};
use super::{function, import, imported, is_certain, questions};

#[test]
fn a_member_that_is_opaque_makes_no_handle_of_its_struct() {
    let document = import(
        "unseen-opaque",
        "/** What is known of a device.\n * The value 'handle' should be considered opaque. */\n\
         typedef struct { unsigned handle; char name[40]; } device_info;\n\
         /** An opaque key. */\ntypedef struct { unsigned handle; char bytes[40]; } device_key;\n\
         int device_list(device_info **list); int device_keys(device_key **keys);\n\
         /** Looks up a device. */\nint device_find(const char *name, device_info *info);\n\
         /** Looks up a key. */\nint device_key_find(const char *name, device_key *key);",
    );
    let info = &function(&document, "device_find")["parameters"][1];
    assert_eq!(info["schema"]["cType"].get("x-handle"), None, "{info}");
    let key = &function(&document, "device_key_find")["parameters"][1];
    assert_eq!(key["schema"]["cType"]["x-handle"], "device_key", "{key}");
}

#[test]
fn null_that_a_failure_leaves_is_not_permitted() {
    let document = import(
        "unseen-left",
        "typedef struct chain chain;\n\
         /** Makes one.\n * @param out if successful, will refer to the chain, if not, NULL\n */\nint chain_new(chain **out);\n\
         /** Counts them.\n * @param of the chain, or NULL for all\n */\nint chain_count(const chain *of);",
    );
    assert_eq!(function(&document, "chain_new")["parameters"][0]["required"], true);
    assert_eq!(function(&document, "chain_count")["parameters"][0]["required"], false);
}

#[test]
fn null_that_may_be_passed_is_that_of_the_only_pointer() {
    let document = import(
        "unseen-passed",
        "typedef struct music music;\n\
         /** Gets the duration. If NULL is passed, returns that of what is played. */\ndouble duration(const music *m);\n\
         /** Gets the volume. If NULL is passed, the function fails. */\ndouble volume(const music *m);\n\
         /** Compares. If NULL is passed, returns the first. */\nint compare(const music *a, const music *b);",
    );
    let required = |name: &str| function(&document, name)["parameters"][0]["required"] == true;
    assert!(!required("duration") && required("volume") && required("compare"));
}

#[test]
fn bytes_that_are_decoded_are_no_text() {
    let document = import(
        "unseen-decoded",
        "unsigned short packet_decode(const char *data); int packet_encode(const char *data); int name_decode(const char *name);",
    );
    assert!(!is_certain(function(&document, "packet_decode")));
    assert!(
        is_certain(function(&document, "packet_encode")) && is_certain(function(&document, "name_decode"))
    );
}

#[test]
fn the_declaration_in_a_comment_proves_nothing() {
    let header = "typedef struct session session;\n\
                  /*!\n * \\fn void set_version(session *s, const char *version)\n * \\brief Tells the peers which version it is\n */\n\
                  void set_version(session *s, const char *version);\n\
                  /*!\n * \\fn void set_name(session *s, const char *name)\n */\nvoid set_name(session *s, const char *name);";
    let run = imported("unseen-declaration", header, &["--evidence"]);
    let says = |name: &str| {
        run.stdout.lines().find(|line| line.starts_with(name) && line.contains("during the call"))
    };
    assert!(says("set_version.s").is_some_and(|line| line.contains("Tells the peers")), "{}", run.stdout);
    assert_eq!(says("set_name.s"), None);
}

#[test]
fn the_commit_is_a_thing_and_to_commit_ends_something() {
    let document = import(
        "unseen-commit",
        "typedef struct repository repository;\n\
         /** Reverts the given commit in the repository. */\nint revert(repository *repo, const char *id);\n\
         /** Commits what the repository holds, for good. */\nint finish_work(repository *repo);",
    );
    assert!(is_certain(function(&document, "revert")));
    assert!(!is_certain(function(&document, "finish_work")));
}

#[test]
fn annotations_behind_the_name_of_a_function_are_no_description() {
    let document = import(
        "unseen-title",
        "/**\n * attach_it: (skip)\n * @n: the number\n *\n * Attaches the number.\n */\nint attach_it(int n);",
    );
    assert_eq!(function(&document, "attach_it")["description"], "Attaches the number.");
}

/// A class of objects, of which a function gives up an owner: a file says of every instance that it is lent.
const OBJECT: &str = r#"<?xml version="1.0"?>
<repository version="1.2">
  <c:include name="t.h"/>
  <namespace name="T" c:identifier-prefixes="T">
    <class name="Image" c:type="TImage" parent="GObject.Object">
      <method name="unref" c:identifier="t_image_unref">
        <doc>Removes a reference from an image.</doc>
        <return-value transfer-ownership="none"><type name="none" c:type="void"/></return-value>
        <parameters><instance-parameter name="image" transfer-ownership="none"><type name="Image" c:type="TImage*"/></instance-parameter></parameters>
      </method>
      <method name="cache_unref" c:identifier="t_image_cache_unref">
        <doc>Gives it back.</doc>
        <return-value transfer-ownership="none"><type name="none" c:type="void"/></return-value>
        <parameters><instance-parameter name="image" transfer-ownership="none"><type name="Image" c:type="TImage*"/></instance-parameter></parameters>
      </method>
      <method name="close" c:identifier="t_image_close">
        <doc>Closes the file of the image.</doc>
        <return-value transfer-ownership="none"><type name="none" c:type="void"/></return-value>
        <parameters><instance-parameter name="image" transfer-ownership="none"><type name="Image" c:type="TImage*"/></instance-parameter></parameters>
      </method>
    </class>
  </namespace>
</repository>"#;

#[test]
fn a_function_that_gives_up_an_owner_is_not_lent_its_object() {
    let file = folder("import-unseen-object").join("T.gir");
    std::fs::write(&file, OBJECT).expect("it can be written");
    let header = "typedef struct image TImage; void t_image_unref(TImage *image);\n\
                  void t_image_cache_unref(TImage *image); void t_image_close(TImage *image);";
    let run = imported("unseen-object-header", header, &["--gir", argument(&file)]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let image = |name: &str| function(&document, name)["parameters"][0].clone();
    assert_eq!(image("t_image_unref")["x-free"], "t_image_unref", "{}", image("t_image_unref"));
    assert_eq!(questions(&image("t_image_cache_unref")).len(), 1);
    assert!(is_certain(function(&document, "t_image_close")));
}

/// A function that fills memory before it calls back, and one that fills it during the call.
const LATER: &str = r#"<?xml version="1.0"?>
<repository version="1.2">
  <c:include name="t.h"/>
  <namespace name="T" c:identifier-prefixes="T">
    <callback name="Ready" c:type="TReady">
      <return-value transfer-ownership="none"><type name="none" c:type="void"/></return-value>
      <parameters><parameter name="data" transfer-ownership="none" nullable="1" closure="0"><type name="gpointer" c:type="void*"/></parameter></parameters>
    </callback>
    <function name="read_async" c:identifier="t_read_async">
      <doc>Requests a read of count bytes into the buffer.</doc>
      <return-value transfer-ownership="none"><type name="none" c:type="void"/></return-value>
      <parameters>
        <parameter name="buffer" direction="out" caller-allocates="1" transfer-ownership="none"><array length="1" zero-terminated="0" c:type="void*"><type name="guint8"/></array></parameter>
        <parameter name="count" transfer-ownership="none"><type name="gsize" c:type="unsigned long"/></parameter>
        <parameter name="ready" transfer-ownership="none" nullable="1" scope="async" closure="3"><type name="Ready" c:type="TReady"/></parameter>
        <parameter name="data" transfer-ownership="none" nullable="1"><type name="gpointer" c:type="void*"/></parameter>
      </parameters>
    </function>
    <function name="read" c:identifier="t_read">
      <doc>Reads count bytes into the buffer.</doc>
      <return-value transfer-ownership="none"><type name="none" c:type="void"/></return-value>
      <parameters>
        <parameter name="buffer" direction="out" caller-allocates="1" transfer-ownership="none"><array length="1" zero-terminated="0" c:type="void*"><type name="guint8"/></array></parameter>
        <parameter name="count" transfer-ownership="none"><type name="gsize" c:type="unsigned long"/></parameter>
      </parameters>
    </function>
  </namespace>
</repository>"#;

#[test]
fn memory_that_is_filled_before_a_later_callback_is_asked() {
    let file = folder("import-unseen-later").join("T.gir");
    std::fs::write(&file, LATER).expect("it can be written");
    let header = "typedef void (*TReady)(void *data); void t_read(void *buffer, unsigned long count);\n\
                  void t_read_async(void *buffer, unsigned long count, TReady ready, void *data);";
    let run = imported("unseen-later-header", header, &["--gir", argument(&file)]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let buffer = |name: &str| function(&document, name)["parameters"][0].clone();
    assert_eq!(questions(&buffer("t_read_async")).len(), 1, "{}", buffer("t_read_async"));
    assert_eq!((&buffer("t_read")["x-length"], &buffer("t_read")["isIn"]), (&json!("count"), &json!(false)));
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod code {
    use super::*;
    use crate::code::library;

    fn document(name: &str, header: &str, source: &str) -> Value {
        let library = library(name, source);
        let run = imported(name, header, &["--library", argument(&library)]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        serde_json::from_str(&run.stdout).expect("JSON")
    }

    #[test]
    fn what_is_freed_with_the_result_does_not_stay_the_callers() {
        let document = document(
            "unseen-whole",
            "struct list; struct sender; struct view;\n\
             struct list *list_new(void); void list_free(struct list *list);\n\
             struct sender *sender_new(struct list *names); void sender_free(struct sender *sender);\n\
             struct view *view_new(struct list *names); void view_free(struct view *view);",
            "#include <stdlib.h>\nstruct list { int n; }; struct sender { struct list *names; }; struct view { struct list *names; };\n\
             struct list *list_new(void) { return calloc(1, sizeof(struct list)); }\n\
             void list_free(struct list *list) { free(list); }\n\
             struct sender *sender_new(struct list *names) { struct sender *s = malloc(sizeof *s); s->names = names; return s; }\n\
             void sender_free(struct sender *sender) { list_free(sender->names); free(sender); }\n\
             struct view *view_new(struct list *names) { struct view *v = malloc(sizeof *v); v->names = names; return v; }\n\
             void view_free(struct view *view) { free(view); }\n",
        );
        assert!(!is_certain(function(&document, "sender_new")), "{}", function(&document, "sender_new"));
        assert_eq!(function(&document, "sender_new")["return"].get("x-parent"), None);
        assert_eq!(function(&document, "view_new")["return"]["x-parent"], "names");
    }

    #[test]
    fn code_that_reads_up_to_a_nul_proves_a_text() {
        let document = document(
            "unseen-text",
            "int find(const char *name, int flags); int find_or_measure(const char *name, int length);\n\
             int find_some(const char *name, int length); int find_first(const char *name, int length);",
            "#include <string.h>\nint find(const char *name, int flags) { return flags < 0 ? -1 : (int)strlen(name) + flags; }\n\
             int find_or_measure(const char *name, int length) \
             { if (length < 0) length = strlen(name); int sum = 0; for (int i = 0; i < length; i++) sum += name[i]; return sum; }\n\
             int find_some(const char *name, int length) { return memchr(name, 7, length) != 0; }\n\
             int find_first(const char *name, int length) { return length ? name[0] : 0; }\n",
        );
        let find = function(&document, "find");
        assert!(is_certain(find), "{find}");
        assert_eq!(
            find["parameters"][0]["schema"],
            json!({ "type": "string", "cType": { "type": "char", "isPointer": true } })
        );
        for name in ["find_or_measure", "find_some", "find_first"] {
            assert!(!is_certain(function(&document, name)), "{name}: {}", function(&document, name));
        }
    }
}
