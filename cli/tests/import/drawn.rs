//! What import got wrong on the libraries of the draws of seeds 500 to 602: one header of our own for each case, and a library
//! where the machine code says it.

use serde_json::{Value, json};

use super::code::library;
use super::command::{argument, folder, opendyn};
use super::{function, import, imported, is_certain, questions};

#[test]
fn a_place_within_what_c_made_is_not_a_struct_of_its_own() {
    let document = import(
        "drawn-place",
        "typedef struct { unsigned char atom; unsigned long number; } op_t;\n\
         /* Returns the value of an operation. The OP pointer must point into an expression that get_location has\n   returned. */\n\
         int get_value(const op_t *op);\n\
         /* Returns the size of an operation. */\nint get_size(const op_t *op);",
    );
    assert!(!is_certain(function(&document, "get_value")));
    assert!(is_certain(function(&document, "get_size")));
}

#[test]
fn an_undocumented_struct_may_be_the_first_of_a_table_that_ends_with_a_special_one() {
    let document = import(
        "drawn-table",
        "typedef struct { int from, to; int (*run)(int); } map_t; typedef struct { const char *field_name; int offset; } field_t;\n\
         typedef struct { int (*open)(int); int (*close)(int); } ops_t; typedef struct { const char *text; int x; } label_t;\n\
         int add_maps(const map_t *map); int push_fields(const field_t *field); int check_ops(const ops_t *o); int draw(const label_t *l);\n\
         /** Adds one map. */\nint add_map(const map_t *map);",
    );
    for name in ["add_maps", "push_fields"] {
        assert!(!is_certain(function(&document, name)), "{name}");
    }
    for name in ["check_ops", "draw", "add_map"] {
        assert!(is_certain(function(&document, name)), "{name}");
    }
}

#[test]
fn what_is_done_without_an_argument_permits_null_unless_it_is_an_error() {
    let document = import(
        "drawn-null",
        "typedef struct ctx ctx;\n\
         /**\n * Closes the tray.\n * @param drive the name of the drive. If NULL, we will use the default device.\n */\nint close_tray(const char *drive);\n\
         /**\n * Closes the door.\n * @param drive the name of the drive. If NULL, an error is returned.\n */\nint close_door(const char *drive);\n\
         /**\n * Recodes to UTF-8 if charset is not \\p NULL.\n */\nint set_text(const char *charset);\n\
         /**\n * Adds a line.\n *\n * If @a line is `NULL`, it returns `NULL` and sets lib_errno.\n */\nint add_line(const char *line);\n\
         /** Proxies. Returns -1 if proxy is NULL or has a bad format. */\nint set_proxy(const char *proxy);\n\
         /** Encodes. If the context [c] is NULL, the default context will be used. */\nint encode_with(ctx *c, int n);",
    );
    let required = |name: &str| function(&document, name)["parameters"][0]["required"].clone();
    for name in ["close_tray", "set_text", "encode_with"] {
        assert_eq!(required(name), false, "{name}");
    }
    for name in ["close_door", "add_line", "set_proxy"] {
        assert_eq!(required(name), true, "{name}");
    }
}

#[test]
fn the_name_of_a_function_and_what_stands_in_for_a_description_say_nothing() {
    let document = import(
        "drawn-title",
        "typedef struct dict dict; int dict_make(dict **out);\n\
         /**\n * dict_add\n * @d: the dictionary\n */\nvoid dict_add(dict *d, int n);\n\
         /** No Docs */\nvoid dict_sort(dict *d, int n);\n\
         /** Counts what is in the dictionary. */\nint dict_count(dict *d);",
    );
    assert!(!is_certain(function(&document, "dict_add")));
    assert!(!is_certain(function(&document, "dict_sort")));
    assert_eq!(function(&document, "dict_sort")["description"], "");
    assert!(is_certain(function(&document, "dict_count")));
}

#[test]
fn giving_up_a_reference_can_end_a_constant_object() {
    let document = import(
        "drawn-reference",
        "typedef struct sink sink; typedef struct port port;\n\
         /** @brief Decrements the \\ref shared \"reference count\" of the sink \\p component. */\nvoid sink_put_ref(const sink *component);\n\
         /** @brief Decrements the \\ref shared \"reference count\" of the port. */\nvoid port_leave(const port *port);\n\
         /** Names the sink. */\nint sink_id(const sink *component);",
    );
    assert!(!is_certain(function(&document, "sink_put_ref")));
    assert!(!is_certain(function(&document, "port_leave")));
    assert!(is_certain(function(&document, "sink_id")));
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod code {
    use std::path::PathBuf;
    use std::process::Command;

    use super::super::command::{argument, folder};
    use super::super::imported;
    use super::{function, is_certain, questions};
    use serde_json::Value;

    const HEADER: &str = "typedef struct { unsigned flags; unsigned char padding[28]; } doc_t;\n\
        typedef struct { unsigned long kind; double weight; } entry_t;\n\
        typedef struct { int number; int rest; } id_t_; typedef struct { int layer; int size; } info_t;\n\
        typedef struct { int kind; unsigned long rest; } tree_t; tree_t *tree_new(int kind); int tree_size(const tree_t *tree);\n\
        int doc_size(const doc_t *doc); int doc_copy(const doc_t *doc, doc_t *to); int kind_of(const entry_t *e);\n\
        int id_set(id_t_ *id); int id_get(id_t_ *id);\n\
        /** Gets the information.\n * @param info location to store the information.\n */\nint get_info(info_t *info);\n\
        /** Gets the size.\n * @param info location to store the information.\n */\nint get_size(info_t *info);\n";

    const SOURCE: &str = "typedef struct { unsigned flags; unsigned char padding[28]; } doc_t;\n\
        typedef struct { unsigned long kind; double weight; } entry_t;\n\
        typedef struct { int number; int rest; } id_t_; typedef struct { int layer; int size; } info_t;\n\
        typedef struct { int kind; unsigned long rest; } tree_t; extern void *calloc(unsigned long, unsigned long);\n\
        tree_t *tree_new(int kind) { tree_t *tree = calloc(1, sizeof *tree); tree->kind = kind; return tree; }\n\
        int tree_size(const tree_t *tree) { return tree->kind ? **(int **)&tree->rest : 0; }\n\
        static const int kinds[4] = {3, 1, 4, 1};\n\
        int doc_size(const doc_t *doc) { if (!(doc->flags & 1)) return 0; return **(int **)(doc->padding + 4); }\n\
        int doc_copy(const doc_t *doc, doc_t *to) { *to = *doc; return 0; }\n\
        int kind_of(const entry_t *e) { return kinds[e->kind]; }\n\
        int id_set(id_t_ *id) { id->number += 1; id[4].rest = id->number; return 0; }\n\
        int id_get(id_t_ *id) { id->number += 1; id->rest = 2; return 0; }\n\
        int get_info(info_t *info) { if (info->layer > 3) return 1; info->layer = 1; info->size = 7; return 0; }\n\
        int get_size(info_t *info) { info->layer = 1; info->size = 7; return 0; }\n";

    fn document(name: &str) -> Value {
        let folder = folder(&format!("library-{name}"));
        let (source, library): (PathBuf, PathBuf) = (folder.join("t.c"), folder.join("libdrawn.so"));
        std::fs::write(&source, SOURCE).expect("it can be written");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O2", "-fno-strict-aliasing", "-o"])
            .args([&library, &source])
            .status();
        assert!(built.expect("a C compiler").success());
        let run = imported(name, HEADER, &["--library", argument(&library)]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        serde_json::from_str(&run.stdout).expect("JSON")
    }

    #[test]
    fn bytes_that_are_used_as_an_address_make_a_struct_a_state() {
        let document = document("drawn-hiding");
        let doc = &document["schemas"]["doc_t"];
        assert!(doc.is_object() && doc.get("properties").is_none(), "{doc}");
        assert!(document["schemas"]["entry_t"]["properties"].is_object());
        let copy = &function(&document, "doc_copy")["parameters"][1];
        assert!(!questions(copy).is_empty(), "{copy}");
    }

    #[test]
    fn what_c_gives_is_a_handle_if_its_bytes_hide_an_address() {
        let document = document("drawn-larger");
        let tree = &function(&document, "tree_size")["parameters"][0]["schema"];
        assert_eq!(tree["cType"]["x-handle"], "tree_t", "{tree}");
        let made = &function(&document, "tree_new")["return"];
        assert!(questions(made)[0].contains("Who frees the returned `tree_t`?"), "{made}");
    }

    #[test]
    fn a_struct_that_c_goes_beyond_is_part_of_something_larger() {
        let document = document("drawn-beyond");
        assert!(!is_certain(function(&document, "id_set")));
        assert!(is_certain(function(&document, "id_get")));
    }

    #[test]
    fn what_c_reads_first_is_not_only_an_output() {
        let document = document("drawn-first");
        assert_eq!(function(&document, "get_info")["parameters"][0]["x-inout"], true);
        assert_eq!(function(&document, "get_size")["parameters"][0]["isIn"], false);
    }
}

#[test]
fn a_struct_that_the_caller_has_is_no_handle_although_the_header_only_declares_it() {
    let folder = folder("import-drawn-elsewhere");
    std::fs::write(folder.join("parse.h"), "struct parsed\n{ int kind; union { int a; double b; } of; };\n")
        .expect("a file");
    let header = folder.join("t.h");
    let text = "struct parsed; struct opaque; struct timeval;\n/** Lists. */\nint list(struct parsed *data);\n\
                /** Counts. */\nint count(struct opaque *of);\n/** Waits. */\nint wait_for(struct timeval *time);\n";
    std::fs::write(&header, text).expect("a file");
    let run = opendyn(&["import", argument(&header)]);
    let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let handle =
        |name: &str| function(&document, name)["parameters"][0]["schema"]["cType"].get("x-handle").cloned();
    assert_eq!((handle("list"), handle("wait_for")), (None, None));
    assert_eq!(handle("count"), Some(json!("opaque")));
}

#[test]
fn what_follows_another_command_is_not_about_the_parameter_before_it() {
    let document = import(
        "drawn-command",
        "typedef struct doc doc;\n/** Gets the size of the pages,\n * of @width and more.\n * @param d the document\n\
         * @width the width, or NULL\n * @count the count, or NULL\n */\nint get_size(doc *d, int *width);",
    );
    let found = function(&document, "get_size");
    assert_eq!(found["description"], "Gets the size of the pages, of @width and more.");
    assert_eq!(found["parameters"][0]["required"], true);
    assert_eq!(found["parameters"][0]["description"], "the document");
    assert_eq!(found["parameters"][1]["description"], "the width, or NULL");
}

#[test]
fn a_name_in_two_words_is_that_of_another_parameter() {
    let document = import(
        "drawn-words",
        "/** Checks. The old password is optional and can be NULL. */\n\
         int check(const char *password, const char *oldpassword);\n\
         /** Tests. The new name can be NULL. */\nint test(const char *name);",
    );
    assert_eq!(function(&document, "check")["parameters"][0]["required"], true);
    assert_eq!(function(&document, "test")["parameters"][0]["required"], false);
}

#[test]
fn an_option_may_make_c_keep_a_text() {
    let header = |option: &str| {
        format!(
            "#define {option} (1<<2)\ntypedef struct obj obj;\n/** Adds.\n * @param opts flags\n */\nint obj_add(obj *o, const char *key, obj *val, unsigned opts);"
        )
    };
    let is_text =
        |document: &Value| function(document, "obj_add")["parameters"][1]["schema"]["type"] == "string";
    assert!(!is_text(&import("drawn-option", &header("OBJ_KEY_IS_CONSTANT"))));
    assert!(is_text(&import("drawn-no-option", &header("OBJ_KEY_IS_NEW"))));
}

#[test]
fn declarations_that_are_commented_out_describe_nothing() {
    let document = import(
        "drawn-out",
        "int get_text(int n);\n\n/*\nint bind_char(int n, char *to);\nint bind_short(int n, short *to);\n*/\nint get_copy(int n);",
    );
    for name in ["get_text", "get_copy"] {
        assert_eq!(function(&document, name)["description"], "", "{name}");
    }
}

#[test]
fn a_struct_that_a_function_fills_is_no_handle_although_another_frees_a_list_of_them() {
    let types = "#include <stdlib.h>\nstruct info { long bus; long address; };\n";
    let library = library(
        "drawn-filled",
        &format!(
            "{types}void free_list(struct info *list) {{ free(list); }}\n\
             void get_info(double at, struct info *info) {{ info->bus = at; info->address = at + 1; }}\n"
        ),
    );
    let header =
        format!("{types}void free_list(struct info *list);\nvoid get_info(double at, struct info *info);\n");
    let run = imported("drawn-filled-header", &header, &["--library", argument(&library)]);
    let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let info = &function(&document, "get_info")["parameters"][1];
    assert_eq!((&info["schema"]["$ref"], &info["isIn"]), (&json!("#/schemas/info"), &json!(false)), "{info}");
}
