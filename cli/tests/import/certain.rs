//! What C says for certain.

use serde_json::json;

use super::{function, import, is_certain, is_unsafe, parameter, questions, returned};

#[test]
fn scalars_have_the_type_that_c_has() {
    let document =
        import("scalars", "#include <stdbool.h>\ndouble f(int a, unsigned long b, float c, _Bool d);");
    assert_eq!(
        parameter(&document, 0)["schema"],
        json!({ "type": "integer", "cType": { "type": "int", "isPointer": false } })
    );
    assert_eq!(parameter(&document, 1)["schema"]["cType"]["type"], "unsigned long");
    assert_eq!(
        parameter(&document, 2)["schema"],
        json!({ "type": "number", "cType": { "type": "float", "isPointer": false } })
    );
    assert_eq!(parameter(&document, 3)["schema"]["type"], "boolean");
    assert_eq!(returned(&document)["schema"]["cType"]["type"], "double");
    assert!(is_certain(&document["functions"][0]));
}

#[test]
fn a_function_that_returns_nothing_has_no_return() {
    assert!(returned(&import("void", "void f(int a);")).is_null());
}

#[test]
fn sizes_and_fixed_widths_are_spelled() {
    let document = import(
        "spelled",
        "#include <stddef.h>\n#include <stdint.h>\ntypedef size_t my_size;\nuint8_t f(my_size a, int64_t b, signed char c);",
    );
    assert_eq!(parameter(&document, 0)["schema"]["cType"]["x-cType"], "size_t");
    assert_eq!(parameter(&document, 1)["schema"]["cType"]["x-cType"], "int64_t");
    assert_eq!(
        parameter(&document, 2)["schema"]["cType"],
        json!({ "type": "char", "isPointer": false, "x-cType": "int8_t" })
    );
    assert_eq!(returned(&document)["schema"]["cType"]["x-cType"], "uint8_t");
}

#[test]
fn a_constant_text_is_a_string() {
    let document = import("text", "const char *f(const char *name);");
    let text = json!({ "type": "string", "cType": { "type": "char", "isPointer": true } });
    assert_eq!(parameter(&document, 0)["schema"], text);
    assert_eq!(returned(&document)["schema"], text);
    assert!(is_certain(&document["functions"][0]));
    assert!(!is_unsafe(&document));
}

#[test]
fn a_byte_that_its_comment_calls_part_of_a_string_makes_texts() {
    let header = |comment: &str| {
        format!(
            "#include <stddef.h>\n/**\n * letter:\n *\n * {comment}\n */\ntypedef unsigned char letter;\n\
             const letter *f(const letter *name);\nvoid counted(const letter *name, int len);"
        )
    };
    let document = import("letters", &header("A byte of an UTF-8 encoded string."));
    let text = json!({ "type": "string", "cType": { "type": "unsigned char", "isPointer": true } });
    let f = function(&document, "f");
    assert_eq!(f["parameters"][0]["schema"], text);
    assert_eq!(f["return"]["schema"], text);
    assert!(is_certain(f));
    // An integer may count it.
    assert_eq!(questions(&function(&document, "counted")["parameters"][0]).len(), 1);
    let document = import("no-letters", &header("A byte of a buffer, not a string."));
    assert!(!is_certain(function(&document, "f")));
}

#[test]
fn a_returned_pointer_of_which_the_comment_says_null_is_nullable() {
    let document =
        import("nullable", "/** Looks up.\n * @return the text, or NULL\n */\nconst char *f(int a);");
    assert_eq!(returned(&document)["x-nullable"], true);
    assert_eq!(
        import("not-nullable", "const char *f(int a);")["functions"][0]["return"].get("x-nullable"),
        None
    );
}

#[test]
fn a_length_that_the_documentation_states_counts_its_pointer() {
    let document = import(
        "counted",
        "/* Adds up. sourceLen is the byte length of the source buffer. */\n\
         int f(const unsigned char *source, unsigned long sourceLen);",
    );
    let source = parameter(&document, 0);
    assert_eq!(source["x-length"], "sourceLen");
    assert_eq!(source["schema"]["x-encoding"], "base64");
    assert!(is_certain(&document["functions"][0]) && !is_unsafe(&document));
}

#[test]
fn counted_chars_are_bytes_whatever_their_name() {
    let document =
        import("counted-text", "/** @param n the size of word */\nint f(const char *word, unsigned long n);");
    assert_eq!(parameter(&document, 0)["schema"]["x-encoding"], "base64");
    assert!(is_certain(&document["functions"][0]) && !is_unsafe(&document));
}

#[test]
fn an_array_parameter_tells_its_length() {
    let document = import("array", "int f(const unsigned char k[32], const int table[4]);");
    assert_eq!(parameter(&document, 0)["x-length"], json!({ "const": 32 }));
    assert_eq!(parameter(&document, 1)["x-length"], json!({ "const": 4 }));
    assert_eq!(parameter(&document, 1)["schema"]["type"], "array");
    assert!(is_certain(&document["functions"][0]) && !is_unsafe(&document));
}

#[test]
fn doxygen_tells_the_direction() {
    let document = import(
        "doxygen",
        "/** Splits.\n * @param[in] x What to split.\n * @param[out] exponent The exponent.\n * @param[in,out] total Grows.\n */\n\
         double f(double x, int *exponent, double *total);",
    );
    let exponent = parameter(&document, 1);
    assert_eq!((&exponent["isIn"], &exponent["schema"]["type"]), (&json!(false), &json!("integer")));
    assert_eq!(exponent["description"], "The exponent.");
    assert_eq!(parameter(&document, 2)["x-inout"], true);
    assert!(is_certain(&document["functions"][0]) && !is_unsafe(&document));
}

#[test]
fn a_length_that_is_documented_on_entry_and_exit_is_in_and_out() {
    let document = import(
        "length",
        "/* Packs. Upon entry, destLen is the size of the buffer. Upon exit, destLen is the size of the data. */\n\
         int f(unsigned long *destLen);",
    );
    assert_eq!(parameter(&document, 0)["x-inout"], true);
    assert!(is_certain(&document["functions"][0]) && !is_unsafe(&document));
}

#[test]
fn an_opaque_struct_is_a_handle_and_an_alias_names_it() {
    let document = import(
        "handle",
        "typedef struct db_s db;\n/** Counts. */\nint f(db *d);\n/** Adds. */\nint g(struct other *o);",
    );
    let c_type = &function(&document, "f")["parameters"][0]["schema"]["cType"];
    assert_eq!(*c_type, json!({ "type": "void", "isPointer": true, "x-handle": "db" }));
    assert_eq!(function(&document, "g")["parameters"][0]["schema"]["cType"]["x-handle"], "other");
}

#[test]
fn an_alias_of_void_is_a_handle_and_an_alias_of_a_pointer_to_it_is_none() {
    let document = import(
        "void-handle",
        "typedef void CURL; typedef void *iconv_t; typedef void *voidp;\n\
        /** Converts. */ int f(CURL *c, iconv_t i, voidp v);",
    );
    assert_eq!(parameter(&document, 0)["schema"]["cType"]["x-handle"], "CURL");
    assert_eq!(parameter(&document, 1)["schema"]["cType"].get("x-handle"), None);
    assert_eq!(parameter(&document, 2)["schema"]["cType"].get("x-handle"), None);
}

#[test]
fn a_struct_whose_type_is_documented_as_opaque_is_a_handle() {
    let document = import(
        "gz",
        "typedef struct gz_s { int have; } *gzFile; /* semi-opaque file descriptor */\n\
         gzFile gzopen(const char *path);\n/** Reads. */\nint gzread1(gzFile f);",
    );
    assert_eq!(function(&document, "gzread1")["parameters"][0]["schema"]["cType"]["x-handle"], "gzFile");
    assert!(document.get("schemas").is_none());
}

#[test]
fn what_the_documentation_says_frees_a_handle_frees_it() {
    let document = import(
        "owned",
        "typedef struct list_s list;\n/** Makes one. It must be freed with list_free(). */\nlist *list_new(int n);\n\
         /** Ends it. */\nvoid list_free(list *l);\n\n/** Free the given list. */\nvoid list_drop(list *l);\n\
         /** Counts. */\nint list_count(list *l);",
    );
    assert_eq!(function(&document, "list_new")["return"]["x-free"], "list_free");
    assert_eq!(function(&document, "list_free")["parameters"][0]["x-free"], "list_free");
    assert_eq!(function(&document, "list_drop")["parameters"][0]["x-free"], "list_drop");
    assert_eq!(function(&document, "list_count")["parameters"][0].get("x-free"), None);
    assert!(document["functions"].as_array().expect("a list").iter().all(is_certain));
}

#[test]
fn a_returned_text_that_is_freed_with_a_function_is_copied_and_freed() {
    let document = import(
        "owned-text",
        "/** Releases it. */\nvoid my_free(void *p);\n\
         /** Names it.\n * @return the name, which must be freed with my_free() */\nchar *my_name(int n);",
    );
    let name = &function(&document, "my_name")["return"];
    assert_eq!((&name["schema"]["type"], &name["x-free"]), (&json!("string"), &json!("my_free")));
    assert!(is_certain(function(&document, "my_name")));
}

#[test]
fn a_documented_output_that_is_freed_with_a_function_is_owned() {
    let document = import(
        "out",
        "typedef struct db_s db;\n/** Opens.\n * @param[out] out It. It must be closed with db_close().\n */\n\
         int db_open(const char *path, db **out);\n/** Closes. */\nint db_close(db *d);",
    );
    let out = &function(&document, "db_open")["parameters"][1];
    assert_eq!(out["schema"]["cType"]["x-pointerDepth"], 2);
    assert_eq!((&out["isIn"], &out["x-free"]), (&json!(false), &json!("db_close")));
}

#[test]
fn a_handle_lives_in_the_handle_that_the_documentation_names_as_its_owner() {
    let document = import(
        "parent",
        "typedef struct db_s db; typedef struct st_s st;\n/** Looks.\n * @return the first one, which is owned by d */\nst *db_first(db *d);",
    );
    assert_eq!(returned(&document)["x-parent"], "d");
}

#[test]
fn a_struct_has_its_members_and_its_layout() {
    let document = import(
        "struct",
        "typedef struct { int x; double y; char name[8]; const char *text; } point; int f(const point *p); void g(point *p);",
    );
    let schema = &document["schemas"]["point"];
    assert_eq!((&schema["x-size"], &schema["x-align"]), (&json!(32), &json!(8)));
    let keys: Vec<&String> = schema["properties"].as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["x", "y", "name", "text"]);
    assert_eq!(schema["properties"]["name"]["x-length"], json!({ "const": 8 }));
    assert_eq!(parameter(&document, 0)["schema"], json!({ "$ref": "#/schemas/point" }));
    assert!(is_certain(function(&document, "f")));
}

#[test]
fn a_struct_by_value_refers_to_its_schema() {
    let document = import("by-value", "typedef struct { int x, y; } point; point f(point p);");
    let by_value = json!({ "$ref": "#/schemas/point", "cType": { "type": "void", "isPointer": false } });
    assert_eq!(parameter(&document, 0)["schema"], by_value);
    assert_eq!(returned(&document)["schema"], by_value);
    assert!(!is_unsafe(&document));
}

#[test]
fn structs_within_structs_and_arrays_of_them_are_schemas() {
    let document = import(
        "nested",
        "struct inner { short a; }; struct outer { struct inner one; struct inner many[3]; int grid[2][5]; struct { int z; } own; };\n\
         int f(const struct outer *o);",
    );
    let properties = &document["schemas"]["outer"]["properties"];
    assert_eq!(properties["one"]["$ref"], "#/schemas/inner");
    assert_eq!(properties["many"]["items"]["$ref"], "#/schemas/inner");
    assert_eq!(properties["grid"]["x-length"], json!({ "const": 10 }));
    assert_eq!(properties["own"]["$ref"], "#/schemas/outer_own");
}

#[test]
fn a_struct_that_cannot_be_laid_out_is_a_state() {
    let document = import(
        "state",
        "union u { int a; double b; }; struct bits { int a : 3; int b : 5; }; struct __attribute__((packed)) tight { char a; int b; };\n\
         int u_init(union u *u); int b_init(struct bits *b); int t_init(struct tight *t);",
    );
    for (name, size, align) in [("u", 8, 8), ("bits", 4, 4), ("tight", 5, 1)] {
        let schema = &document["schemas"][name];
        assert!(schema.get("properties").is_none(), "{name}");
        assert_eq!((&schema["x-size"], &schema["x-align"]), (&json!(size), &json!(align)), "{name}");
    }
}

#[test]
fn an_enum_is_closed_and_has_short_names() {
    let document = import(
        "enum",
        "typedef enum { MODE_FAST = 1, MODE_SMALL = 5, MODE_OTHER = 5 } mode; mode f(mode m);",
    );
    let schema = &document["schemas"]["mode"];
    assert_eq!((&schema["enum"], &schema["x-enumNames"]), (&json!([1, 5]), &json!(["FAST", "SMALL"])));
    assert_eq!(parameter(&document, 0)["schema"], json!({ "$ref": "#/schemas/mode" }));
}

#[test]
fn an_enum_of_bits_or_of_one_value_is_an_integer() {
    let document = import(
        "bits",
        "enum flags { A = 1, B = 2, C = 4, AGAIN = 4 }; enum one { ONLY = 3 }; int f(enum flags x, enum one y);",
    );
    assert_eq!(parameter(&document, 0)["schema"]["cType"]["type"], "unsigned int");
    assert_eq!(parameter(&document, 1)["schema"]["type"], "integer");
    assert!(document.get("schemas").is_none());
}

#[test]
fn a_callback_has_the_signature_of_c() {
    let document = import("callback", "void f(int (*compare)(const char *a, double b));");
    let callback = &parameter(&document, 0)["schema"]["cType"]["x-callback"];
    assert_eq!(callback["parameters"][0]["name"], "a");
    assert_eq!(callback["parameters"][0]["x-nullable"], true);
    assert_eq!(callback["return"]["schema"]["cType"]["type"], "int");
    assert!(is_certain(&document["functions"][0]));
}

#[test]
fn a_callback_that_no_document_describes_is_a_raw_pointer() {
    let document = import("callback-raw", "void f(void *(*allocate)(unsigned long));");
    assert_eq!(parameter(&document, 0)["schema"]["cType"], json!({ "type": "void", "isPointer": true }));
    assert!(is_unsafe(&document));
}

#[test]
fn what_frees_any_pointer_needs_no_answer() {
    let document = import("free", "void my_free(void *p);");
    assert!(is_certain(&document["functions"][0]) && is_unsafe(&document));
}

#[test]
fn names_are_legal_and_unique() {
    let document = import("names", "int getX(int __a, int); int get_x(int a);");
    assert_eq!(function(&document, "getX")["parameters"][0]["name"], "a");
    assert_eq!(function(&document, "getX")["parameters"][1]["name"], "arg2");
    assert_eq!(function(&document, "get_x_2")["x-symbol"], "get_x");
}

#[test]
fn an_assembler_name_is_the_symbol() {
    let document = import("asm", "int f(int a) __asm__(\"f_v2\");");
    assert_eq!(function(&document, "f")["x-symbol"], "f_v2");
}

#[test]
fn descriptions_come_from_comments_and_none_is_invented() {
    let document = import(
        "comments",
        "/** Adds.\n *\n * @param a first\n * @return the sum */\nint f(int a);\n\nint g(int a);",
    );
    let f = function(&document, "f");
    assert_eq!(f["description"], "Adds.");
    assert_eq!(f["parameters"][0]["description"], "first");
    assert_eq!(f["return"]["description"], "the sum");
    assert_eq!(function(&document, "g")["description"], "");
    assert!(questions(&document["info"]).iter().any(|question| question.contains("There are 1")));
}

#[test]
fn what_no_document_can_say_is_left_out_with_the_reason() {
    let document = import(
        "left-out",
        "#include <stdarg.h>\nlong double a(int x); double b(double _Complex z); union u { int i; }; int c(union u u);\n\
         int d(const char *format, va_list list); __int128 e(int x); int ok(void);",
    );
    assert_eq!(document["functions"].as_array().expect("a list").len(), 1);
    assert_eq!(
        document["info"]["x-omitted"],
        json!({
            "it returns `long double` by value": ["a"],
            "it takes a complex number by value": ["b"],
            "it takes a union by value": ["c"],
            "it takes a `va_list`": ["d"],
            "it returns `__int128` by value": ["e"],
        })
    );
}
