//! What the machine code of a library proves, and what it makes doubtful, in the imported document.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::path::PathBuf;
use std::process::Command;

use super::command::{argument, folder};
use super::{function, imported, is_certain, questions};
use serde_json::Value;

const HEADER: &str = "struct box; struct kind; struct pair { int first, second; };\n\
    struct box *box_make(void); void box_drop(struct box *box); int box_size(struct box *box);\n\
    /** Remembers the box. */ void box_keep(struct box *box);\n\
    /** Names the box. */ void box_name(struct box *box, const char *name);\n\
    void box_pair(struct box *box, struct pair *pair); void box_half(struct box *box, struct pair *pair);\n\
    const struct kind *kind_of_boxes(void);\n\
    void number_add(int *number); void number_set(int *number, int value);\n\
    void kind_label(const char **label); void kind_bytes(const char **label, int *count);\n\
    void mean(const double data[], unsigned long stride, unsigned long n);\n\
    double total(const double data[], unsigned long stride, unsigned long n);\n\
    double total_and_one(const double data[], unsigned long stride, unsigned long n);\n\
    double total_of_all(const double data[], unsigned long n); double total_of_text(const char *data, unsigned long n);\n\
    double total_of_steps(const double data[], long stride, unsigned long n);\n\
    int strncheck(const unsigned short *data, unsigned long n);\n\
    struct made { int size; }; void made_drop(struct made *made); int made_size(struct made *made);\n\
    /** The second of several. */ int made_second(const struct pair *pair);\n\
    int box_rename(struct box *box, const char *name); int box_visit(struct box *box, void (*visit)(const char *));\n\
    int box_share(struct box *from, struct box *other); int box_both(struct box *box, struct box *other);\n\
    int part_of(const char *text, const char *part); const char *box_label(struct box *box);\n\
    struct made *made_make(int size); struct made *made_copy(struct made *made);\n\
    struct node *node_next(const struct node *node); struct leaf *node_leaf(struct node *node);\n\
    struct bud *node_bud(struct node *node); struct bud *leaf_bud(struct leaf *leaf);\n\
    /** Shows a box. */ struct view *view_of(struct box *box);\n\
    struct view *view_again(struct view *view); void view_drop(struct view *view);\n\
    struct view *view_elsewhere(int number); struct view *view_leave(struct view *view);\n";

const SOURCE: &str = "#include <stdlib.h>\n#include <string.h>\n\
    struct box { int size; const char *name; }; struct pair { int first, second; }; struct made { int size; };\n\
    struct box *kept; static const int kind = 1;\n\
    struct box *box_make(void) { return calloc(1, sizeof(struct box)); }\n\
    void box_drop(struct box *box) { free(box); }\n\
    int box_size(struct box *box) { return box->size; }\n\
    void box_keep(struct box *box) { kept = box; }\n\
    void box_name(struct box *box, const char *name) { box->name = name; }\n\
    void box_pair(struct box *box, struct pair *pair) { pair->first = box->size; pair->second = 2; }\n\
    void box_half(struct box *box, struct pair *pair) { pair->first = box->size; }\n\
    const void *kind_of_boxes(void) { return &kind; }\n\
    void number_add(int *number) { *number += 1; }\n\
    void number_set(int *number, int value) { if (value != 7) *number = value; *number *= 2; }\n\
    void kind_label(const char **label) { *label = \"kind\"; }\n\
    void kind_bytes(const char **label, int *count) { *label = \"kind\"; *count = 3; }\n\
    void mean(const double data[], unsigned long stride, unsigned long n) { }\n\
    double total(const double data[], unsigned long stride, unsigned long n) \
    { double sum = 0; for (unsigned long i = 0; i < n; i++) sum += data[i * stride]; return sum; }\n\
    double total_and_one(const double data[], unsigned long stride, unsigned long n) \
    { double sum = 0; for (unsigned long i = 0; i <= n; i++) sum += data[i * stride]; return sum; }\n\
    double total_of_all(const double data[], unsigned long n) \
    { double sum = 0; for (unsigned long i = 0; i < n; i++) sum += data[i]; return sum; }\n\
    double total_of_text(const char *data, unsigned long n) \
    { double sum = 0; for (unsigned long i = 0; i < n && data[i]; i++) sum += data[i]; return sum; }\n\
    int strncheck(const unsigned short *data, unsigned long n) \
    { for (unsigned long i = 0; i < n; i++) if (!data[i]) return 1; return 0; }\n\
    double total_of_steps(const double data[], long stride, unsigned long n) \
    { double sum = 0; for (unsigned long i = 0; i < n; i++) sum += data[i * stride]; return sum; }\n\
    void made_drop(struct made *made) { free(made); }\n\
    int made_size(struct made *made) { return made->size; }\n\
    int made_second(const struct pair *pair) { return pair[1].first; }\n\
    int box_rename(struct box *box, const char *name) { free((void *)box->name); return !(box->name = strdup(name)); }\n\
    int (*hook)(const char *, const char *);\n\
    int box_visit(struct box *box, void (*visit)(const char *)) { visit(box->name); return 0; }\n\
    int box_share(struct box *from, struct box *other) { other->name = from->name; return 0; }\n\
    int box_both(struct box *box, struct box *other) { return 1 + hook(box->name, other->name); }\n\
    int part_of(const char *text, const char *part) { return strlen(text) + (part - text); }\n\
    const char *box_label(struct box *box) { return strdup(box->name); }\n\
    struct made *made_make(int size) { struct made *m = malloc(sizeof *m); m->size = size; return m; }\n\
    struct made *made_copy(struct made *made) { return made_make(made->size); }\n\
    struct view { struct box *box; }; struct node { struct node *next; struct leaf *leaf; };\n\
    struct leaf { struct bud *bud; }; struct bud *leaf_bud(struct leaf *leaf) { return leaf->bud; }\n\
    struct bud *node_bud(struct node *node) { return node->leaf->bud; }\n\
    struct node *node_next(const struct node *node) { return node->next; }\n\
    struct leaf *node_leaf(struct node *node) { return node->leaf; }\n\
    struct view *view_of(struct box *box) { struct view *v = malloc(sizeof *v); v->box = box; return v; }\n\
    struct view *view_again(struct view *view) { return view_of(view->box); }\n\
    void view_drop(struct view *view) { free(view); }\n\
    struct view *view_elsewhere(int number) { return 0; }\n\
    struct view *view_leave(struct view *view) { view->box = 0; return 0; }\n";

/// What the code proves.
const CERTAIN: [&str; 9] = [
    "box_make",
    "box_drop",
    "box_size",
    "box_pair",
    "kind_of_boxes",
    "made_drop",
    "made_size",
    "number_add",
    "kind_label",
];

/// A library of C of our own.
pub(super) fn library(name: &str, text: &str) -> PathBuf {
    let folder = folder(&format!("import-{name}-library"));
    let (source, library) = (folder.join("box.c"), folder.join("libbox.so"));
    std::fs::write(&source, text).expect("it can be written");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let files = [argument(&library), argument(&source)];
    let status = Command::new(compiler).args(["-O2", "-shared", "-fPIC", "-o"]).args(files).status();
    assert!(status.expect("these tests need a C compiler").success());
    library
}

/// The document, with the library or without it.
fn document(has_library: bool) -> Value {
    document_of(if has_library { "code" } else { "no-code" }, has_library)
}

fn document_of(name: &str, has_library: bool) -> Value {
    let library = library(name, SOURCE);
    let with = ["--library", argument(&library)];
    let run = imported(name, HEADER, if has_library { &with } else { &[] });
    assert_eq!(run.status, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn code_proves_and_doubts() {
    let document = document(true);
    for name in CERTAIN {
        assert!(is_certain(function(&document, name)), "{name}: {}", function(&document, name));
    }
    assert_eq!(function(&document, "box_make")["return"]["x-free"], "box_drop");
    assert_eq!(function(&document, "box_drop")["parameters"][0]["x-free"], "box_drop");
    assert_eq!(function(&document, "box_pair")["parameters"][1]["isIn"], false);
    assert_eq!(function(&document, "number_add")["parameters"][0]["x-inout"], true);
    assert_eq!(function(&document, "kind_label")["parameters"][0]["isIn"], false);
    // The library frees it, and so the library makes it.
    assert_eq!(function(&document, "made_size")["parameters"][0]["schema"]["cType"]["x-handle"], "made");
    // What a handle holds may be freed, or given away, while the handle lives on.
    for name in ["box_rename", "box_visit"] {
        let parameter = &function(&document, name)["parameters"][0];
        assert!(questions(parameter).is_empty(), "{name}: {parameter}");
    }
    // What is stored elsewhere depends on the handle; so may what code gets that cannot be read, together with another's.
    for name in ["box_share", "box_both"] {
        assert_eq!(questions(&function(&document, name)["parameters"][0]).len(), 1, "{name}");
    }
    // What an object keeps is the parent, not what it was copied from.
    assert_eq!(function(&document, "view_of")["return"]["x-parent"], "box");
    let copy = &function(&document, "made_copy")["return"];
    assert_eq!((&copy["x-free"], copy.get("x-parent")), (&Value::from("made_drop"), None), "{copy}");
    assert!(questions(&function(&document, "view_leave")["return"]).is_empty());
    assert_eq!(function(&document, "node_leaf")["return"]["x-parent"], "node");
    // What is read through an object of the same type is its neighbour, or what it is part of.
    for name in ["view_again", "view_elsewhere", "box_label", "node_next", "node_bud", "leaf_bud"] {
        let result = &function(&document, name)["return"];
        assert_eq!(questions(result).len(), 1, "{name}: {result}");
    }
    // A place in another text is no text of its own.
    let parameters = &function(&document, "part_of")["parameters"];
    assert_eq!((questions(&parameters[0]).len(), questions(&parameters[1]).len()), (0, 1), "{parameters}");
    // The documentation is silent about what the code does.
    let asked = [("box_keep", 0), ("box_name", 1), ("box_half", 1), ("made_second", 0), ("number_set", 0)];
    for (name, index) in asked.into_iter().chain([("kind_bytes", 0), ("mean", 0)]) {
        let parameter = &function(&document, name)["parameters"][index];
        assert_eq!(questions(parameter).len(), 1, "{name}: {parameter}");
    }
}

#[test]
fn a_loop_proves_the_length_of_an_array() {
    let document = document_of("extent", true);
    let total = function(&document, "total");
    assert!(is_certain(total), "{total}");
    assert_eq!(total["parameters"][0]["x-length"], serde_json::json!(["stride", "n"]));
    // C reads an element even if the product is 0.
    assert_eq!(total["parameters"][1]["schema"]["minimum"], 1);
    assert!(total["parameters"][2]["schema"].get("minimum").is_none(), "{total}");
    let all = function(&document, "total_of_all");
    assert!(is_certain(all) && all["parameters"][0]["x-length"] == "n", "{all}");
    for name in ["mean", "total_and_one", "total_of_text", "total_of_steps", "strncheck"] {
        assert!(!is_certain(function(&document, name)), "{name}: {}", function(&document, name));
    }
}

#[test]
fn without_the_library_it_is_asked() {
    let document = document(false);
    for name in CERTAIN {
        assert!(!is_certain(function(&document, name)), "{name}: {}", function(&document, name));
    }
}
