//! What C does not say: a question, and until it is answered a method that only unsafe code can call.

use serde_json::{Value, json};

use super::{function, import, is_certain, is_unsafe, parameter, questions, returned};

/// The only question of an object.
fn question(object: &Value) -> &str {
    match questions(object).as_slice() {
        [question] => question,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_likely_length_is_suggested() {
    let document =
        import("likely", "unsigned long crc(unsigned long crc, const unsigned char *buf, unsigned int len);");
    assert_eq!(
        question(parameter(&document, 1)),
        "Is `len` the length of `buf`? Then write \"x-length\": \"len\"; in `schema` write \"type\": \"string\", \
         \"x-encoding\": \"base64\"."
    );
    assert!(is_unsafe(&document));
}

#[test]
fn a_text_beside_a_count_may_have_that_length() {
    let document = import("text-count", "int f(const char *sql, int nByte); ");
    assert!(question(parameter(&document, 0)).contains("ends at a NUL"));
    assert!(is_unsafe(&document));
    let document = import("text-apart", "int f(const char *source, int level, int inputSize);");
    assert!(is_unsafe(&document), "`inputSize` may be the length of `source`");
}

#[test]
fn a_text_beside_an_integer_that_nothing_documents_is_asked() {
    let document = import("text-flags", "int f(const char *path, int flags);");
    assert!(is_unsafe(&document), "a name does not tell that `flags` is no length");
    let document = import(
        "text-mode",
        "#include <sys/types.h>\nint f(const char *path, mode_t mode); int g(const char *path, double ratio);",
    );
    assert!(document["functions"].as_array().expect("a list").iter().all(is_certain));
}

#[test]
fn a_buffer_asks_for_its_capacity_and_knows_who_tells_it() {
    let document = import(
        "buffer",
        "unsigned long packBound(unsigned long n); int pack(unsigned char *dest, unsigned long *destLen, const unsigned char *source, unsigned long sourceLen);",
    );
    let dest = &function(&document, "pack")["parameters"][0];
    let text = question(dest);
    assert!(
        text.contains("{ \"call\": \"packBound\", \"args\": [\"sourceLen\"], \"parameter\": \"destLen\" }"),
        "{text}"
    );
    assert!(text.contains("Then write \"isIn\": false, \"x-length\": \"destLen\";"), "{text}");
}

#[test]
fn constants_of_the_header_suggest_a_size() {
    let document = import(
        "sizes",
        "#define box_KEYBYTES 32U\n#define box_NONCEBYTES 24U\nint box_open(const unsigned char *n, const unsigned char *k);",
    );
    assert!(question(parameter(&document, 0)).contains("\"x-length\": { \"const\": 24 }"));
    assert!(question(parameter(&document, 1)).contains("box_KEYBYTES is 32"));
    assert!(is_unsafe(&document));
}

#[test]
fn an_array_that_c_may_write_is_asked_for_its_direction() {
    let document = import("both", "int f(unsigned char k[32], int seed);");
    assert!(question(parameter(&document, 0)).contains("only write the 32 bytes"));
    assert!(is_unsafe(&document));
}

#[test]
fn a_pointer_to_a_number_is_one_value_or_an_array() {
    let document = import("number", "double frexp1(double x, int *exp);");
    assert!(question(parameter(&document, 1)).contains("in `schema` write \"type\": \"integer\""));
    assert!(is_unsafe(&document));
}

#[test]
fn numbers_with_a_count_may_be_counted_in_bytes() {
    let document = import("numbers", "double sum(const double *values, int values_count);");
    assert!(question(parameter(&document, 0)).contains("(not bytes)"));
    assert!(is_unsafe(&document));
}

#[test]
fn a_struct_followed_by_an_integer_may_be_an_array() {
    let document = import("structs", "struct p { int x; }; int f(struct p *points, int n);");
    assert!(question(parameter(&document, 0)).contains("array of `n` structs"));
    assert!(is_unsafe(&document));
}

#[test]
fn a_void_pointer_is_raw() {
    let document = import("void-pointers", "void *f(void *context, int a);");
    assert!(question(parameter(&document, 0)).contains("What does `context` point to?"));
    assert!(question(returned(&document)).contains("What does the returned pointer point to?"));
    assert!(is_unsafe(&document));
}

#[test]
fn bytes_that_are_void_are_suggested_with_their_length() {
    let document = import("void-bytes", "int f(const void *data, int n, void *out, unsigned long outlen);");
    assert!(question(parameter(&document, 0)).contains("\"x-length\": \"n\""));
    assert!(question(parameter(&document, 2)).contains("write \"isIn\": false, \"x-length\": \"outlen\""));
}

#[test]
fn a_product_of_two_parameters_is_no_length() {
    let document = import("product", "int f(void *buf, unsigned long size, unsigned long nitems);");
    assert!(question(parameter(&document, 0)).contains("product of `size` and `nitems`"));
}

#[test]
fn a_text_through_a_pointer_is_asked_for() {
    let document = import("texts-behind", "void my_free(void *p); int f(char **message, const char **tail);");
    let f = function(&document, "f");
    assert!(question(&f["parameters"][0]).contains("\"x-free\": \"my_free\""));
    assert!(!question(&f["parameters"][1]).contains("x-free"));
}

#[test]
fn a_returned_text_that_is_not_const_may_be_the_callers() {
    let document = import("owned-text-asked", "void my_free(void *p); char *f(int a);");
    assert_eq!(
        question(&function(&document, "f")["return"]),
        "Is the result a text, and does `my_free` free it? (Without \"x-free\" it is only copied.) Then write \"x-free\": \
         \"my_free\"; in `schema` write \"type\": \"string\"."
    );
}

#[test]
fn a_handle_out_of_another_is_asked_for_its_owner() {
    let document = import(
        "owned-handle",
        "typedef struct db_s db; typedef struct st_s st; st *db_next(db *d); void st_free(st *s);",
    );
    let next = &function(&document, "db_next")["return"];
    assert_eq!(next.get("x-parent"), None);
    assert!(question(next).contains("write \"x-free\": \"st_free\", \"x-parent\": \"d\""));
}

#[test]
fn what_frees_one_of_several_pointers_is_asked() {
    let document =
        import("several", "typedef struct c_s c; typedef struct d_s d; void d_free(c *context, d *what);");
    assert!(question(parameter(&document, 1)).contains("\"x-free\": \"d_free\""));
    assert!(is_unsafe(&document));
}

#[test]
fn user_data_is_suggested_where_there_is_one_callback_and_one_pointer() {
    let document = import("user-data", "int each(int (*visit)(void *p, int n), void *context);");
    let callback = &parameter(&document, 0)["schema"]["cType"]["x-callback"];
    assert_eq!(callback["parameters"][0]["name"], "context");
    assert!(question(parameter(&document, 0)).contains("\"userData\": \"context\""));
    assert!(questions(parameter(&document, 1)).is_empty());
    assert!(is_unsafe(&document));
}

#[test]
fn variadic_functions_keep_a_place_for_what_follows() {
    let document = import("variadic", "int f(const char *format, ...);");
    assert_eq!(document["functions"][0]["x-variadic"], 1);
    assert_eq!(parameter(&document, 1)["schema"]["cType"], json!({ "type": "void", "isPointer": true }));
    assert!(question(&document["functions"][0]).contains("What do calls pass for `...`?"));
    assert!(is_unsafe(&document));
}

#[test]
fn a_state_is_asked_who_begins_it() {
    let document = import("unbegun", "union u { int a; double b; }; int use(union u *u);");
    assert!(question(parameter(&document, 0)).contains("a `u` that another function began"));
}

#[test]
fn three_stars_stay_raw() {
    let document = import("stars", "int f(char ***table);");
    assert!(is_certain(&document["functions"][0]) && is_unsafe(&document));
}
