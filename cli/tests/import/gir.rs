//! GIR files: who owns what, what may be NULL, and how long it is.

use serde_json::{Value, json};

use super::ask::is_callable;
use super::command::{argument, folder, opendyn};
use super::{function, imported, is_certain};

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
fn what_a_gir_file_keeps_from_bindings_is_for_unsafe_code_and_not_asked() {
    let sum = "<function name=\"sum\" c:identifier=\"t_sum\"";
    let gir = GIR
        .replace(sum, &format!("{sum} introspectable=\"0\""))
        .replace(" direction=\"out\" caller", " caller");
    let todo = |document: &Value| function(document, "t_sum")["parameters"][2]["x-todo"].is_string();
    let asked = with_gir("gir-described", &GIR.replace(" direction=\"out\" caller", " caller"));
    let silent = with_gir("gir-only-for-c", &gir);
    assert!(todo(&asked) && !todo(&silent));
    assert!(!is_callable(&asked, "t_sum") && !is_callable(&silent, "t_sum"));
    // What the file does say stands.
    assert_eq!(function(&silent, "t_sum")["parameters"][0]["x-length"], "n");
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
        let is_open = is_certain(function(&document, name)) && is_callable(&document, name);
        assert!(!is_open, "{name}");
    }
    assert_eq!(
        function(&document, "g_main_current_source")["return"]["schema"]["cType"].get("x-handle"),
        None
    );
}
