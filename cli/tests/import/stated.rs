//! What is read besides types and sentences: attributes, SAL, annotations of GTK-Doc, GIR files, manual pages.

use serde_json::{Value, json};

use super::command::{argument, folder, opendyn};
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

const GIR: &str = r#"<?xml version="1.0"?>
<repository version="1.2">
  <c:include name="t.h"/>
  <namespace name="T">
    <record name="Box" c:type="TBox">
      <constructor name="new" c:identifier="t_box_new">
        <doc>Makes a box.</doc>
        <return-value transfer-ownership="full"><doc>the box</doc><type name="Box" c:type="TBox*"/></return-value>
      </constructor>
      <method name="free" c:identifier="t_box_free">
        <doc>Frees the box.</doc>
        <return-value transfer-ownership="none"><type name="none" c:type="void"/></return-value>
        <parameters><instance-parameter name="box" transfer-ownership="none"><type name="Box" c:type="TBox*"/></instance-parameter></parameters>
      </method>
      <method name="label" c:identifier="t_box_label">
        <doc>The label of the box.</doc>
        <return-value transfer-ownership="full" nullable="1"><doc>a newly allocated string</doc><type name="utf8" c:type="char*"/></return-value>
        <parameters>
          <instance-parameter name="box" transfer-ownership="none"><type name="Box" c:type="TBox*"/></instance-parameter>
          <parameter name="prefix" transfer-ownership="none" nullable="1"><type name="utf8" c:type="const char*"/></parameter>
        </parameters>
      </method>
      <method name="put" c:identifier="t_box_put">
        <doc>Puts another box into this one.</doc>
        <return-value transfer-ownership="none"><type name="none" c:type="void"/></return-value>
        <parameters>
          <instance-parameter name="box" transfer-ownership="none"><type name="Box" c:type="TBox*"/></instance-parameter>
          <parameter name="other" transfer-ownership="full"><type name="Box" c:type="TBox*"/></parameter>
        </parameters>
      </method>
    </record>
    <function name="sum" c:identifier="t_sum">
      <doc>Adds &amp; returns.</doc>
      <return-value transfer-ownership="none"><type name="gint" c:type="int"/></return-value>
      <parameters>
        <parameter name="values" transfer-ownership="none"><array length="1" zero-terminated="0" c:type="const int*"><type name="gint"/></array></parameter>
        <parameter name="n" transfer-ownership="none"><type name="gint" c:type="int"/></parameter>
        <parameter name="mean" direction="out" caller-allocates="0" transfer-ownership="full"><type name="gdouble" c:type="double*"/></parameter>
      </parameters>
    </function>
    <function name="older" c:identifier="t_older">
      <return-value transfer-ownership="none"><type name="none" c:type="void"/></return-value>
      <parameters><parameter name="a" direction="out"><type name="gint" c:type="int*"/></parameter></parameters>
    </function>
  </namespace>
</repository>"#;

fn with_gir(name: &str, gir: &str) -> Value {
    let file = folder(&format!("import-{name}")).join("T.gir");
    std::fs::write(&file, gir).expect("it can be written");
    let header = "typedef struct { int w; char *label; } TBox; TBox *t_box_new(void); void t_box_free(TBox *box);\n\
                  char *t_box_label(TBox *box, const char *prefix); void t_box_put(TBox *box, TBox *other);\n\
                  int t_sum(const int *values, int n, double *mean); void t_older(int *a, int *b);";
    let run = imported(&format!("{name}-header"), header, &["--gir", argument(&file)]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let found = opendyn_codegen::check("t.json", &run.stdout, &opendyn_codegen::Options::default());
    assert_eq!(found.errors().count(), 0, "{found}\n{}", run.stdout);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn gir_tells_who_owns_what_may_be_null_and_how_long_it_is() {
    let document = with_gir("gir", GIR);
    assert_eq!(function(&document, "t_box_new")["return"]["x-free"], "t_box_free");
    assert_eq!(function(&document, "t_box_new")["description"], "Makes a box.");
    let label = function(&document, "t_box_label");
    assert_eq!(label["return"]["x-free"], json!({ "symbol": "g_free" }));
    assert_eq!(
        (&label["return"]["x-nullable"], &label["parameters"][1]["required"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(function(&document, "t_box_put")["parameters"][1]["x-takes"], true);
    let sum = &function(&document, "t_sum")["parameters"];
    assert_eq!((&sum[0]["x-length"], &sum[2]["isIn"]), (&json!("n"), &json!(false)));
    for name in ["t_box_new", "t_box_free", "t_box_label", "t_box_put", "t_sum"] {
        assert!(is_certain(function(&document, name)), "{name}");
    }
}

#[test]
fn a_gir_file_of_another_version_says_nothing_about_a_function() {
    let document = with_gir("gir-version", GIR);
    assert!(!is_certain(function(&document, "t_older")));
}

#[test]
fn what_gir_leaves_at_its_default_does_not_hide_that_a_function_frees() {
    let gir = GIR.replace("Frees the box.", "Does away with what is there.");
    let document = with_gir("gir-default", &gir);
    assert!(!is_certain(function(&document, "t_box_free")), "its name raises the question");
    assert!(!is_certain(function(&document, "t_box_new")), "nothing says what frees it");
}

#[test]
fn the_evidence_of_gir_has_its_place() {
    let file = folder("import-gir-evidence").join("T.gir");
    std::fs::write(&file, GIR).expect("it can be written");
    let run = imported(
        "gir-evidence-header",
        "int t_sum(const int *values, int n, double *mean);",
        &["--gir", argument(&file), "--evidence"],
    );
    let line = run.stdout.lines().find(|line| line.contains("x-length")).expect("it has one");
    assert!(line.contains("GIR: `<array length=\"1\">`") && line.contains("T.gir:36"), "{line}");
}

#[test]
fn what_is_no_gir_file_is_an_error() {
    let file = folder("import-gir-none").join("T.gir");
    std::fs::write(&file, "hello").expect("it can be written");
    let run = imported("gir-none-header", "int f(void);", &["--gir", argument(&file)]);
    assert_ne!(run.status, 0);
    assert!(run.stderr.contains("it is not a GIR file"), "{}", run.stderr);
}

/// Whether GLib's GIR file is installed.
#[test]
#[cfg_attr(
    no_glib,
    ignore = "this system has no GLib with its GIR file (libglib2.0-dev, libgirepository1.0-dev)"
)]
fn glib_has_what_its_gir_file_says() {
    let run = opendyn(&[
        "import",
        "glib.h",
        "-I",
        "/usr/include/glib-2.0",
        "-I",
        "/usr/lib/x86_64-linux-gnu/glib-2.0/include",
        "--only",
        "g_*",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let found = opendyn_codegen::check("t.json", &run.stdout, &opendyn_codegen::Options::default());
    assert_eq!(found.errors().count(), 0, "{found}");
    let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(function(&document, "g_main_loop_new")["return"]["x-free"], "g_main_loop_unref");
    assert_eq!(function(&document, "g_strescape")["return"]["x-free"], "g_free");
    assert_eq!(function(&document, "g_strescape")["parameters"][1]["required"], false);
    let contents = function(&document, "g_file_set_contents");
    assert_eq!(contents["x-error"]["when"], "zero");
    assert_eq!(contents["x-error"]["text"]["call"], "g_error_get_message");
    assert_eq!(function(&document, "g_bytes_unref")["parameters"][0]["x-free"], "g_bytes_unref");
    // What the file has only by default, or would end in a wrong address.
    for name in ["g_strrstr", "g_ref_string_new", "g_string_chunk_insert", "g_mapped_file_get_contents"] {
        assert_eq!(function(&document, name)["return"].get("x-free"), None, "{name}");
    }
    for name in [
        "g_key_file_free",
        "g_match_info_free",
        "g_hash_table_iter_init",
        "g_variant_iter_init",
        "g_source_add_poll",
    ] {
        assert!(!is_certain(function(&document, name)), "{name}");
    }
    assert_eq!(
        function(&document, "g_main_current_source")["return"]["schema"]["cType"].get("x-handle"),
        None
    );
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
fn a_manual_page_documents_what_the_header_does_not() {
    let folder = folder("import-man");
    std::fs::create_dir_all(folder.join("man3")).expect("a folder");
    std::fs::write(
        folder.join("man3/db_count.3"),
        ".TH db_count 3\n.SH NAME\ndb_count \\- count the entries\n.SH SYNOPSIS\n.nf\n#include <db.h>\n\
         int db_count(db *\\fIhandle\\fP, const char *\\fIname\\fP);\n.fi\n.SH DESCRIPTION\nCounts the entries.\n\
         .PP\n\\fIname\\fP may be NULL.\n.SH RETURN VALUE\nThe number of entries.\n",
    )
    .expect("it can be written");
    let header = folder.join("db.h");
    std::fs::write(&header, "typedef struct db db;\nint db_count(db *, const char *);\n")
        .expect("it can be written");
    let import = |arguments: &[&str]| -> Value {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_opendyn"));
        command.args(["import", argument(&header)]).args(arguments).env("MANPATH", &folder);
        let output = command.output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    assert!(!is_certain(&import(&[])["functions"][0]));
    let document = import(&["--man"]);
    let found = &document["functions"][0];
    assert!(
        found["description"].as_str().is_some_and(|text| text.starts_with("count the entries.")),
        "{found}"
    );
    assert_eq!(
        (&found["parameters"][0]["name"], &found["parameters"][1]["name"]),
        (&json!("handle"), &json!("name"))
    );
    assert_eq!(found["parameters"][1]["required"], false);
    assert!(is_certain(found), "{found}");
}

#[test]
fn a_manual_page_of_another_header_says_nothing() {
    let folder = folder("import-man-other");
    std::fs::create_dir_all(folder.join("man3")).expect("a folder");
    std::fs::write(
        folder.join("man3/count.3"),
        ".SH NAME\ncount \\- count\n.SH SYNOPSIS\n#include <other.h>\nint count(int a);\n.SH DESCRIPTION\nCounts.\n",
    )
    .expect("it can be written");
    let header = folder.join("mine.h");
    std::fs::write(&header, "int count(int a);\n").expect("it can be written");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_opendyn"));
    let output = command
        .args(["import", argument(&header), "--man"])
        .env("MANPATH", &folder)
        .output()
        .expect("it runs");
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["functions"][0]["description"], "");
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
