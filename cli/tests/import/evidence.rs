//! The rule of evidence: what proves a fact is shown, and what is not proven is neither stated nor callable.

use opendyn_model::plan::Json;
use serde_json::{Value, json};

use super::command::opendyn;
use super::{bindings, function, import, imported, is_certain, method, parameter, plan, questions, returned};

/// The facts of a header, each as one line.
fn facts(name: &str, header: &str) -> Vec<String> {
    let run = imported(name, header, &["--evidence"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let shown = |line: &str| {
        let file = line.find(" (/").map_or(line.len(), |at| at);
        let place = line.rsplit(':').next().unwrap_or_default().trim_end_matches(')');
        format!("{} at {place}", &line[..file])
    };
    run.stdout.lines().map(shown).collect()
}

#[test]
fn each_fact_is_shown_with_its_evidence_in_the_order_of_the_document() {
    let facts = facts(
        "facts",
        "typedef struct db_s db;\n/** Reads.\n * @param[out] value the number,\n * or none */\n\
         int db_read(db *d, const char *name, int *value) __attribute__((nonnull(2)));\n",
    );
    assert_eq!(
        facts,
        [
            "db_read\tdescription\tdocumentation: \"Reads.\" at 2",
            "db_read.d\tx-handle: \"db\"\ttype: `struct db_s` is not defined at 5",
            "db_read.d\tC uses it during the call\tdocumentation: \"Reads.\" at 2",
            "db_read.name\ta string\ttype: `const char *` at 5",
            "db_read.name\trequired: true\tattribute: `nonnull(2)` at 5",
            "db_read.value\tone value\ttype: `int *` at 5",
            "db_read.value\tout\tdocumentation: \"@param[out] value the number, or none\" at 3",
            "db_read.result\tby value\ttype: `int` at 5",
        ]
    );
}

#[test]
fn the_document_is_written_beside_its_evidence() {
    let folder = super::folder("import-evidence-output");
    let file = folder.join("z.json");
    let run = imported("evidence-output", "int f(int a);", &["--evidence", "-o", super::argument(&file)]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with("f.a\tby value\ttype: `int` ("), "{}", run.stdout);
    assert!(std::fs::read_to_string(file).expect("it is written").contains("\"functions\""));
}

/// A function with a question is refused to JSON callers. In Rust it is unsafe if the question is about an
/// argument, and gives a raw pointer if it is about the result.
fn assert_questions_are_unsafe(document: &Value) -> usize {
    let binding = plan(document);
    let mut asked = 0;
    for function in document["functions"].as_array().expect("a list") {
        if is_certain(function) {
            continue;
        }
        asked += 1;
        let name = function["name"].as_str().expect("a name");
        let planned = binding.functions.iter().find(|planned| planned.name == name).expect(name);
        assert!(matches!(planned.json, Json::Refused(_)), "`{name}` is callable with JSON: {function}");
        if !planned.is_unsafe() {
            let parameters = function["parameters"].as_array().expect("a list");
            let of_arguments = parameters.iter().chain([function]).any(|value| !questions(value).is_empty());
            assert!(!of_arguments, "`{name}` is safe: {function}");
            let schema = &function["return"]["schema"];
            let is_raw = schema.get("$ref").is_none() && schema["cType"].get("x-handle").is_none();
            assert!(is_raw && schema["type"] != "string", "`{name}` returns more than a pointer: {function}");
        }
    }
    asked
}

#[test]
fn a_function_with_a_question_is_refused_to_json_and_unsafe() {
    let document = import(
        "gate",
        "typedef struct db_s db; typedef struct { int x; } point; union u { int a; double b; }; struct p { char *s; };\n\
         void a(unsigned char *b); void b(const unsigned char *b); void c(int *n); void d(const int *n); void e(unsigned long *len);\n\
         void f(point *p); void g(const point *p, int n); void h(struct p *p); void i(union u *u); void j(void *p, int n);\n\
         db *k(void); const db *l(db *d); point *m(void); char *n(void); int *o(void); void *p1(void);\n\
         int q(db **out); int r(char **out); int s(const char **list, int n); int t(void **out); int u1(point **out); int v(int **out);\n\
         void db_free(db *d); int w(int (*f)(void *x), void *x); int x(const char *format, ...); void y(unsigned char k[32]);\n\
         void z(int k[4]); db *db_create(db *d); void db_close(db **d); void db_add(db *d, db *other); int aa(const char *s, int n);\n\
         int bb(void *buf, unsigned long size, unsigned long n); int cc(const double *values, int values_count); int dd(point *p, int n);",
    );
    assert_eq!(
        assert_questions_are_unsafe(&document),
        document["functions"].as_array().expect("a list").len()
    );
    let text = bindings(&document);
    for name in ["k", "m", "n", "o", "p1"] {
        let method = method(&text, name);
        assert!(method.contains("-> *mut "), "{method}");
    }
}

#[test]
#[cfg_attr(no_zlib_and_sqlite, ignore = "needs zlib1g-dev and libsqlite3-dev of Debian 12")]
fn the_questions_of_zlib_and_sqlite_are_refused_to_json_and_unsafe() {
    for (header, library) in [("zlib.h", "libz.so.1"), ("sqlite3.h", "libsqlite3.so.0")] {
        let run = opendyn(&["import", header, "--library", library]);
        let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert!(assert_questions_are_unsafe(&document) > 0, "{header}");
    }
}

#[test]
fn access_tells_the_direction_and_the_length() {
    let document = import(
        "access",
        "#define A(...) __attribute__((access(__VA_ARGS__)))\n\
         int f(unsigned char *to, unsigned long n, const void *from, unsigned long m) A(write_only, 1, 2) A(read_only, 3, 4);\n\
         int g(int *values, int n) A(read_write, 1, 2); int h(void *p, int n) A(none, 1, 2);",
    );
    let f = &function(&document, "f")["parameters"];
    assert_eq!((&f[0]["isIn"], &f[0]["x-length"]), (&json!(false), &json!("n")));
    assert_eq!((&f[2]["isIn"], &f[2]["x-length"]), (&json!(true), &json!("m")));
    let g = &function(&document, "g")["parameters"][0];
    assert_eq!((&g["x-inout"], &g["x-length"]), (&json!(true), &json!("n")));
    assert!(is_certain(function(&document, "f")) && is_certain(function(&document, "g")));
    assert!(!is_certain(function(&document, "h")));
}

#[test]
fn malloc_names_the_function_that_frees() {
    let document = import(
        "malloc",
        "typedef struct db_s db; void db_end(db *d);\n\
         __attribute__((malloc, malloc(db_end, 1), returns_nonnull)) db *db_make(int n); db *db_other(int n);",
    );
    assert_eq!(function(&document, "db_make")["return"]["x-free"], "db_end");
    assert_eq!(function(&document, "db_end")["parameters"][0]["x-free"], "db_end");
    assert!(is_certain(function(&document, "db_make")) && is_certain(function(&document, "db_end")));
    assert_eq!(function(&document, "db_other")["return"].get("x-free"), None);
}

#[test]
fn nullable_and_nonnull_tell_what_is_required() {
    let document = import(
        "nullable-qualifier",
        "#ifndef __clang__\n#define Q\n#endif\nint f(const char * _Nullable a, const char * _Nonnull b, const char *c);",
    );
    let required = |index: usize| parameter(&document, index)["required"].as_bool();
    assert_eq!([required(0), required(1), required(2)], [Some(false), Some(true), Some(true)]);
}

#[test]
fn a_shared_comment_proves_nothing_about_one_function() {
    let document = import(
        "shared",
        "/* Both take them. len is the length of buf. */\nint f(const unsigned char *buf, int len);\nint g(const unsigned char *buf, int len);",
    );
    assert!(!is_certain(&document["functions"][0]));
}

#[test]
fn what_the_documentation_says_about_a_result_is_its_own() {
    let document = import("returns-null", "/** Looks.\n * @return never NULL */\nconst char *f(int a);");
    assert_eq!(returned(&document).get("x-nullable"), None);
}
