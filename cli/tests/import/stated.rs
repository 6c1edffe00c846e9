//! What is read besides types and sentences: attributes, SAL, annotations of GTK-Doc.

use serde_json::json;

use super::{function, import, imported, is_certain, is_unsafe, parameter, questions, returned};

#[test]
fn counted_by_and_sized_by_tell_the_length() {
    let document = import(
        "counted-by",
        "#define C(n) __attribute__((counted_by(n)))\n#define S(n) __attribute__((sized_by(n)))\n\
         int f(const int *C(n) values, int n); int g(const void *S(size) data, int size); int h(const short *S(size) data, int size);\n\
         int k(const int *__attribute__((counted_by_or_null(n))) values, int n);",
    );
    assert_eq!(function(&document, "f")["parameters"][0]["x-length"], "n");
    assert_eq!(function(&document, "g")["parameters"][0]["x-length"], "size");
    assert_eq!(function(&document, "k")["parameters"][0]["required"], false);
    assert!(is_certain(function(&document, "f")) && is_certain(function(&document, "g")));
    assert!(!is_certain(function(&document, "h")), "bytes are not elements");
}

#[test]
fn counted_by_tells_the_length_of_a_member() {
    let document = import(
        "counted-member",
        "#define C(n) __attribute__((counted_by(n)))\n#define S(n) __attribute__((sized_by_or_null(n)))\n\
         struct s { unsigned n; int *C(n) values; unsigned long size; const void *data S(size); short *rest C(other); };\n\
         int f(const struct s *s);",
    );
    let members = &document["schemas"]["s"]["properties"];
    assert_eq!((&members["values"]["x-length"], &members["values"]["type"]), (&json!("n"), &json!("array")));
    assert_eq!((&members["data"]["x-length"], &members["data"]["type"]), (&json!("size"), &json!("string")));
    assert_eq!(members["data"]["x-nullable"], true);
    assert_eq!(members["rest"].get("x-length"), None, "no member has this name");
}

#[test]
fn memory_that_is_not_initialized_is_for_unsafe_code() {
    let document = import(
        "alloc-size",
        "void *f(unsigned long n) __attribute__((alloc_size(1))); void *g(unsigned long n);",
    );
    assert!(is_certain(function(&document, "f")) && !is_certain(function(&document, "g")));
    assert_eq!(function(&document, "f")["return"]["schema"]["type"], "object");
}

#[test]
fn a_text_is_stated_by_format_and_by_its_own_attribute() {
    let document = import(
        "texts",
        "int f(const char *s, int n) __attribute__((null_terminated_string_arg(1)));\n\
         int g(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));\n\
         int h(const char *s, int n);",
    );
    assert!(is_certain(function(&document, "f")));
    assert_eq!(function(&document, "g")["parameters"][1]["schema"]["type"], "string");
    assert!(!is_certain(function(&document, "h")), "an integer may be its length");
}

#[test]
fn attributes_in_brackets_and_behind_a_star_are_read() {
    let document = import(
        "brackets",
        "typedef struct db_s db; void db_end(db *d);\n\
         [[gnu::nonnull(1), nodiscard]] int f(const char *s);\n\
         db * __attribute__((malloc(db_end, 1))) db_make(int n);",
    );
    let run = imported(
        "brackets-evidence",
        "[[gnu::nonnull(1), nodiscard]] int f(const char *s);",
        &["--evidence"],
    );
    assert!(run.stdout.contains("f.s\trequired: true\tattribute: `nonnull(1)`"), "{}", run.stdout);
    assert_eq!(function(&document, "db_make")["return"]["x-free"], "db_end");
}

/// As in a `sal.h` that defines them as nothing, unless they are defined.
const SAL: &str = "#ifndef _In_\n#define _In_\n#define _In_reads_(n)\n#endif\n";

#[test]
fn sal_tells_direction_length_and_null() {
    let header = format!(
        "{SAL}\
         int f(_In_reads_bytes_(n) const void *data, int n, _Out_ int *result, _In_opt_ const char *name);\n\
         int g(_Out_writes_bytes_to_(size, *used) void *buffer, int size, _Out_ int *used);\n\
         int h(_In_reads_(n * 2) const int *values, int n); int k(_Inout_ int *value, _In_z_ const char *text, int flags);\n\
         _Ret_maybenull_ const char *l(int n); int m(_In_reads_(4) const int *values);"
    );
    let document = import("sal", &header);
    let f = &function(&document, "f")["parameters"];
    assert_eq!(
        (&f[0]["x-length"], &f[2]["isIn"], &f[3]["required"]),
        (&json!("n"), &json!(false), &json!(false))
    );
    assert!(f[2].get("x-length").is_none() && f[2]["schema"]["type"] == "integer");
    let g = &function(&document, "g")["parameters"][0];
    assert_eq!(
        (&g["isIn"], &g["x-length"], &g["x-written"]),
        (&json!(false), &json!("size"), &json!("used"))
    );
    assert!(!is_certain(function(&document, "h")), "a product is no name");
    let k = &function(&document, "k")["parameters"];
    assert_eq!((&k[0]["x-inout"], &k[1]["schema"]["type"]), (&json!(true), &json!("string")));
    assert_eq!(function(&document, "l")["return"]["x-nullable"], true);
    assert_eq!(function(&document, "m")["parameters"][0]["x-length"], json!({ "const": 4 }));
}

#[test]
fn sal_in_a_header_that_defines_it_as_nothing_itself_states_nothing() {
    let document = import("sal-own", "#undef _Out_\n#define _Out_\nint f(_Out_ int *result);");
    assert!(!is_certain(&document["functions"][0]));
}

#[test]
fn annotations_of_gtk_doc_are_statements() {
    let document = import(
        "gtk-doc",
        "typedef struct thing thing;\n/**\n * thing_free:\n * @t: a thing\n *\n * Frees the thing.\n */\nvoid thing_free(thing *t);\n\
         /**\n * thing_fill:\n * @items: (array length=n) (nullable): the items\n * @n: how many\n * @sum: (out): their sum\n *\n * Adds.\n */\n\
         int thing_fill(const int *items, int n, int *sum);\n\
         /**\n * thing_new:\n * @kind: which kind\n *\n * Makes one.\n *\n * Returns: (transfer full): a thing\n */\nthing *thing_new(int kind);",
    );
    let fill = &function(&document, "thing_fill")["parameters"];
    assert_eq!((&fill[0]["x-length"], &fill[0]["required"]), (&json!("n"), &json!(false)));
    assert_eq!((&fill[2]["isIn"], &fill[2]["schema"]["type"]), (&json!(false), &json!("integer")));
    assert_eq!(function(&document, "thing_new")["return"]["x-free"], "thing_free");
}

#[test]
fn a_convention_of_the_documentation_is_one_question_for_the_document() {
    let one = |name: &str| {
        format!(
            "/** Does it.\n * @param a one\n * @return 0 on success, negative on error */\nint {name}(int a);\n"
        )
    };
    let document = import("convention", &[one("f"), one("g"), one("h")].concat());
    let asked = questions(&document["info"]).join("\n");
    assert!(asked.contains("\"x-errors\": { \"failure\": { \"when\": \"negative\" } }"), "{asked}");
    assert!(asked.contains("The documentation of 3 says so"), "{asked}");
    let document = import("no-convention", &one("f"));
    assert!(!questions(&document["info"]).join("\n").contains("x-errors"));
}

#[test]
fn a_handle_of_an_undocumented_function_is_asked() {
    let document = import(
        "undocumented",
        "typedef struct txn txn; int txn_commit(txn *t); const char *txn_name(const txn *t);\n\
         /** Counts the entries of the transaction. */\nint txn_entries(txn *t);\n\
         /** Writes all entries. The txn is freed. */\nint txn_write(txn *t);\n\
         /** Writes all entries and frees it. */\nint txn_end_all(txn *t);",
    );
    assert!(!is_certain(function(&document, "txn_commit")));
    assert!(is_certain(function(&document, "txn_name")), "it is `const`");
    assert!(is_certain(function(&document, "txn_entries")));
    assert!(!is_certain(function(&document, "txn_write")) && !is_certain(function(&document, "txn_end_all")));
}

#[test]
fn an_integer_that_is_documented_as_something_else_is_no_length() {
    let document = import(
        "no-count",
        "/** Opens it.\n * @param path the path\n * @param flags how to open it: a combination of flags */\nint f(const char *path, int flags);\n\
         /** Hashes.\n * @param text what\n * @param n how many characters */\nint g(const char *text, int n);",
    );
    assert!(is_certain(function(&document, "f")));
    assert!(!is_certain(function(&document, "g")));
}

#[test]
fn a_count_behind_a_pointer_is_one_value_only_if_that_is_said() {
    let document = import(
        "pointer-count",
        "/** Measures.\n * @param[out] len the length */\nint f(long *len);\n\
         /** Measures.\n * @param[out] len the lengths\n * @param n how many elements */\nint g(long *len, int n);",
    );
    assert!(is_certain(function(&document, "f")));
    assert!(!is_certain(function(&document, "g")));
}

#[test]
fn a_stream_of_the_c_library_is_opaque() {
    let document = import("stream", "#include <stdio.h>\nint f(const FILE *stream); int g(FILE *stream);");
    assert_eq!(parameter(&document, 0)["schema"]["cType"]["x-handle"], "FILE");
    assert!(is_unsafe(&import("stream-asked", "#include <stdio.h>\nint g(FILE *stream);")));
    assert_eq!(returned(&document)["schema"]["type"], "integer");
}

#[test]
fn a_typedef_of_a_pointer_to_char_is_a_text_only_if_it_says_so() {
    let document = import(
        "text-typedef",
        "typedef const char *blob; typedef const char *label; /* a string */\nint f(blob b); int g(label l);",
    );
    assert!(
        questions(&function(&document, "f")["parameters"][0]).join(" ").contains("a text that ends at a NUL")
    );
    assert!(is_certain(function(&document, "g")));
}

#[test]
fn what_depends_on_a_handle_that_is_asked_is_asked_too() {
    let document = import(
        "asked-parent",
        "typedef struct pool pool; typedef struct item item;\n\
         /** Removes the first. The pool is closed if it was the last. @returns an item that is owned by p */\nitem *pool_first(pool *p);",
    );
    assert!(!questions(&document["functions"][0]["parameters"][0]).is_empty());
    assert!(!questions(returned(&document)).is_empty());
    assert_eq!(returned(&document).get("x-parent"), None);
}

#[test]
fn a_handle_that_may_be_given_to_another_is_asked() {
    let document = import(
        "given",
        "typedef struct base base; typedef struct event event;\n\
         /** Associate a different base with an event. */\nint event_base_choose(base *b, event *e);\n\
         /** Compares the two. */\nint event_base_compare(base *b, event *e);",
    );
    assert!(!is_certain(function(&document, "event_base_choose")));
    assert!(is_certain(function(&document, "event_base_compare")));
}
