//! What import got wrong on the libraries of later draws, which have no table in `tests/judged`: one header of our own for
//! each case.

use serde_json::{Value, json};

use super::{function, import, is_certain};

/// Whether the parameter has to be given.
fn required<'d>(document: &'d Value, name: &str, index: usize) -> &'d Value {
    &function(document, name)["parameters"][index]["required"]
}

#[test]
fn an_assertion_that_an_argument_is_not_null_does_not_permit_null() {
    let document = import(
        "draws-assert",
        "/** Reads the file.\n *\n * \\param name  The file.\n * \\assert\n *    \\code name != NULL \\endcode\n */\nint read_it(const char *name);\n\
         /* Reads and (optionally: when root != NULL) changes it. */\nint proc_root(const char *root);",
    );
    assert_eq!(required(&document, "read_it", 0), true);
    assert_eq!(required(&document, "proc_root", 0), false);
}

#[test]
fn null_within_a_struct_in_a_callback_or_in_a_result_is_not_permitted() {
    let document = import(
        "draws-null",
        "/** Makes one. The other members of name can be NULL. */\nint make(const char *name);\n\
         /** Sets the logger.\n * @remark name may be passed as NULL in the callback. */\nint log_it(const char *name);\n\
         /** Finds it.\n * @param value (out) Set to a pointer to the value (may be NULL).\n */\nint find_it(const char **value);\n\
         /** Loads it.\n * @param[out] text the text, or NULL in case of error\n */\nint load_it(const char **text);\n\
         /** Loads it.\n * @param name the name, or NULL for all\n */\nint load_all(const char *name);",
    );
    for name in ["make", "log_it", "find_it", "load_it"] {
        assert_eq!(required(&document, name, 0), true, "{name}");
    }
    assert_eq!(required(&document, "load_all", 0), false);
}

#[test]
fn the_labels_of_a_callback_say_nothing_about_the_parameters_of_its_function() {
    let document = import(
        "draws-callback",
        "typedef struct client client;\n\
         /*\n * Function: connect_callback_set\n *\n * Tells what to call.\n *\n * Parameters:\n *  who - a valid client.\n \
         *  on_it - a callback in the form: void callback(client *who, void *list)\n *\n * Callback Parameters:\n \
         *  who - the client that calls\n *  list - the properties, or NULL\n */\nvoid connect_callback_set(client *who, void (*on_it)(client *, void *));\n\
         /*\n * Sends it.\n *\n *  text - the text\n *  list - the properties, or NULL\n */\nint send_text(const char *text);",
    );
    assert_eq!(required(&document, "connect_callback_set", 0), true);
    assert_eq!(required(&document, "send_text", 0), true);
}

#[test]
fn a_result_is_not_null_because_an_argument_is() {
    let document = import(
        "draws-result",
        "/** Names it.\n * @returns the name, or an empty string if \\p e is NULL.\n */\nconst char *name_of(int e);\n\
         /** Names it.\n * @returns NULL if e is unknown.\n */\nconst char *title_of(int e);",
    );
    assert_eq!(function(&document, "name_of")["return"].get("x-nullable"), None);
    assert_eq!(function(&document, "title_of")["return"]["x-nullable"], true);
}

#[test]
fn each_of_two_pointers_may_be_null_if_either_may() {
    let document = import(
        "draws-either",
        "typedef struct { float x, y; } rect;\n\
         /** Tells whether they intersect. If either pointer is NULL the function returns 0. */\nint intersects(const rect *a, const rect *b);\n\
         /** Tells whether they touch. If either pointer is NULL the result is undefined. */\nint touches(const rect *a, const rect *b);",
    );
    assert_eq!(
        (required(&document, "intersects", 0), required(&document, "intersects", 1)),
        (&json!(false), &json!(false))
    );
    assert_eq!(required(&document, "touches", 0), true);
}

#[test]
fn what_has_to_be_initialized_is_not_only_written() {
    let document = import(
        "draws-initialized",
        "typedef struct { int sign; long low; } number;\n\
         /** Adds.\n * @param r the number in which to store the sum. This must be initialized.\n */\nint add_to(number *r, double a);\n\
         /** Adds.\n * @param r the number in which to store the sum\n */\nint add_into(number *r, double a);",
    );
    assert!(!is_certain(function(&document, "add_to")));
    assert_eq!(function(&document, "add_into")["parameters"][0]["isIn"], false);
}

#[test]
fn a_returned_struct_that_nothing_describes_may_be_the_first_of_a_table() {
    let document = import(
        "draws-table",
        "typedef struct { const char *name; int id; } entry;\n\
         const entry *library_config(void);\n\n/** Gets the options. */\nconst entry *builtin_optmap(int id);\n\n/** Finds the entry of a name. */\nconst entry *find_entry(const char *name);",
    );
    assert!(!is_certain(function(&document, "library_config")));
    assert!(!is_certain(function(&document, "builtin_optmap")));
    assert!(is_certain(function(&document, "find_entry")));
}

#[test]
fn a_struct_with_the_length_of_what_follows_it_is_not_the_whole() {
    let document = import(
        "draws-header",
        "struct nlattr { unsigned short nla_len; unsigned short nla_type; }; struct point { int x, y; };\n\
         struct text { unsigned len; const char *chars; };\n\
         int nla_get_u32(const struct nlattr *attr); int norm(const struct point *p); int count(const struct text *t);",
    );
    assert!(!is_certain(function(&document, "nla_get_u32")));
    assert!(is_certain(function(&document, "norm")) && is_certain(function(&document, "count")));
}

#[test]
fn the_ends_of_a_range_are_no_strings() {
    let document = import(
        "draws-range",
        "int parse_range(const char *in_start, const char *in_end); int parse_from(const char *start);",
    );
    assert!(!is_certain(function(&document, "parse_range")));
    assert!(is_certain(function(&document, "parse_from")));
}

#[test]
fn a_text_that_only_the_library_makes_is_asked() {
    let document = import(
        "draws-particular",
        "/** Gives the name of the database. If the name is not one that the library made, then the result is undefined and \
         likely a memory access violation. */\nconst char *filename_database(const char *name);",
    );
    assert!(!is_certain(function(&document, "filename_database")));
}

#[test]
fn documentation_that_refers_to_another_function_does_not_tell_what_happens_to_a_handle() {
    let document = import(
        "draws-refers",
        "typedef struct elf elf; typedef struct zip zip;\n\
         /* Similar, but this time for the other class. */\nint elf_second(elf *e);\n\n\
         /* use zip_get_error, zip_error_code */\nint zip_first(zip *z);\n\n\
         /** This function is deprecated. */\nint zip_num(zip *z);\n\n\
         /** The function zip_dir is the obsolete version of zip_file_dir. */\nint zip_dir(zip *z);\n\n\
         /** zip_set_watch() enables watching of the archive. */\nint zip_get_watch(zip *z);\n\n\
         /** zip_get_name() tells how the archive is called. */\nint zip_get_name(zip *z);\n\n\
         /** Counts the entries of the archive. See zip_num. */\nint zip_entries(zip *z);",
    );
    assert!(is_certain(function(&document, "zip_get_name")));
    for name in ["elf_second", "zip_first", "zip_num", "zip_dir", "zip_get_watch"] {
        assert!(!is_certain(function(&document, name)), "{name}");
    }
    assert!(is_certain(function(&document, "zip_entries")));
}

#[test]
fn a_thread_that_is_started_uses_the_handle_after_the_call() {
    let document = import(
        "draws-thread",
        "typedef struct client client;\n/** Call this once to start a new thread to process the traffic. */\nint loop_begin_all(client *c);\n\
         /** Starts the event loop thread. */\nint loop_go(client *c);\n/** Handles what arrived. Must not be called from a new thread. */\nint loop_misc(client *c);",
    );
    assert!(
        !is_certain(function(&document, "loop_begin_all")) && !is_certain(function(&document, "loop_go"))
    );
    assert!(is_certain(function(&document, "loop_misc")));
}

#[test]
fn an_enum_to_which_others_add_values_is_an_integer() {
    let document = import(
        "draws-enum",
        "typedef enum { INFO = 0, PADDING = 1, SEEK = 2, UNDEFINED = 3, MAX_TYPE = 126 } block_type;\n\
         typedef enum { RED = 0x72586f6c, GREEN = 0x67586f6c } tag; typedef enum { BLACKLIST = 1, BUILTIN = 2 } filter;\n\
         typedef enum { LOW = 0, MEDIUM = 1, LEVEL_MAX = 2 } level; int f(block_type a, tag b, filter c, level d);",
    );
    let parameters = &function(&document, "f")["parameters"];
    for index in 0..3 {
        assert_eq!(parameters[index]["schema"]["type"], "integer", "{index}");
    }
    assert_eq!(parameters[3]["schema"]["$ref"], "#/schemas/level");
}

#[test]
fn a_function_that_sets_something_up_may_keep_what_it_is_given() {
    let document = import(
        "draws-setup",
        "typedef struct { const char *name; int mode; } info; typedef struct context context;\n\
         /** Begins a cipher. */\nint cipher_setup(context *c, const info *of);\n\n/** Tells its size. */\nint cipher_size(context *c, const info *of);\n\n\
         /** Used to set options. */\nint string_option(context *c, const char *value);",
    );
    assert!(
        !is_certain(function(&document, "cipher_setup")) && !is_certain(function(&document, "string_option"))
    );
    assert!(is_certain(function(&document, "cipher_size")));
}

#[test]
fn a_struct_that_hides_what_it_is_is_no_value() {
    let document = import(
        "draws-opaque",
        "struct _Doc { int _opaque; }; typedef const struct _Doc *Doc;\n\
         /** Makes a document. */\nDoc doc_make(void);\n\n/** Counts the errors. */\nint doc_errors(Doc doc);",
    );
    let raw = json!({ "type": "object", "cType": { "type": "void", "isPointer": true } });
    assert_eq!(function(&document, "doc_make")["return"]["schema"], raw);
    assert_eq!(function(&document, "doc_errors")["parameters"][0]["schema"], raw);
}

#[test]
fn a_result_whose_length_another_function_returns_is_no_string() {
    let document = import(
        "draws-length-function",
        "typedef struct result result; const char *result_value(const result *r); unsigned long result_length(const result *r);\n\
         const char *result_name(const result *r);",
    );
    assert!(!is_certain(function(&document, "result_value")));
    assert!(is_certain(function(&document, "result_name")));
}

#[test]
fn a_handle_that_is_stored_in_a_global_variable_is_asked() {
    let document = import(
        "draws-global",
        "typedef struct fuse_session fuse_session;\n\
         /** Exits on a signal. Stores the session in a global variable. */\nint handle_signals(fuse_session *se);",
    );
    assert!(!is_certain(function(&document, "handle_signals")));
}

#[test]
fn structs_of_a_type_that_is_called_a_list_may_be_several_and_a_place_is_no_string() {
    let document = import(
        "draws-list",
        "typedef struct { int name; int address; } dlsymlist; int preload(const dlsymlist *preloaded);\n\
         int insert_dir(const char *before, const char *dir);",
    );
    assert!(!is_certain(function(&document, "preload")) && !is_certain(function(&document, "insert_dir")));
}

#[test]
fn a_null_pointer_is_null() {
    let document = import(
        "draws-null-pointer",
        "/* Names the locale of NAME, or the default one if NAME is a null pointer.  */\nint locale_of(const char *name);",
    );
    assert_eq!(required(&document, "locale_of", 0), false);
}

#[test]
fn a_comment_below_that_belongs_to_what_follows_describes_nothing() {
    let one = |name: &str| format!("/* Does {name} at once. */\nint {name}(int a);\n\n");
    let header = format!(
        "{}{}{}{}{}struct stat;\nint stat_async(int path);\n/*\n * Waits for it.\n */\n/* This is deprecated. */\n#ifdef WIN32\n\
         int stat_sync(long path);\n#else\nint stat_sync(int path);\n#endif\n",
        one("one"),
        one("two"),
        one("three"),
        one("four"),
        one("five"),
    );
    let document = import("draws-below", &header);
    assert_eq!(function(&document, "stat_async")["description"], "");
    assert_eq!(function(&document, "five")["description"], "Does five at once.");
}

#[test]
fn what_is_marked_as_an_input_may_be_written_if_c_can() {
    let document = import(
        "draws-input",
        "typedef struct { int width; int height; } image;\n\
         /** Flips it.\n * @param[in] img the image\n */\nvoid flip_it(image *img);\n\
         /** Measures it.\n * @param[in] img the image\n */\nint measure(const image *img);",
    );
    assert!(!is_certain(function(&document, "flip_it")));
    assert!(is_certain(function(&document, "measure")));
}

#[test]
fn a_heading_that_names_files_describes_no_function() {
    let document = import(
        "draws-files",
        "typedef struct session session;\n/* String processing: prep.c, trim.c */\nint prepare(session *s);\n\n\
         /* Trims the session: spaces, tabs. */\nint trim_it(session *s);\n",
    );
    assert_eq!(function(&document, "prepare")["description"], "");
    assert!(!is_certain(function(&document, "prepare")));
    assert!(is_certain(function(&document, "trim_it")));
}

#[test]
fn what_is_called_after_the_function_uses_the_handle_later() {
    let document = import(
        "draws-afterwards",
        "typedef struct stream stream;\n\
         /** After you call this function, stream::read_callback will be called. */\nint stream_run(stream *s);\n\
         /** Measures the stream. */\nint stream_measure(stream *s);\n",
    );
    assert!(!is_certain(function(&document, "stream_run")));
    assert!(is_certain(function(&document, "stream_measure")));
}
