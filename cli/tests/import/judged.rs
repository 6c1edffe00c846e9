//! What import got wrong on the libraries of `tests/judged`: one header of our own for each case.

use serde_json::{Value, json};

use super::{function, import, is_certain, plan};

/// Whether the function has a question, and JSON callers are refused.
fn is_asked(document: &Value, name: &str) -> bool {
    let binding = plan(document);
    let planned = binding.functions.iter().find(|planned| planned.name == name).expect(name);
    let is_refused = matches!(planned.json, opendyn_model::plan::Json::Refused(_));
    !is_certain(function(document, name)) && is_refused
}

#[test]
fn returned_bytes_are_no_string() {
    let document = import(
        "judged-bytes",
        "#include <stddef.h>\ntypedef struct session session;\n\
         const char *hostkey_hash(session *s, int type); const char *iter_value(session *s, size_t *vlen);\n\
         /** Gives the raw fingerprint. */\nconst char *session_print(session *s);\n\
         const char *hash_name(int algo);",
    );
    for name in ["hostkey_hash", "iter_value", "session_print"] {
        assert!(is_asked(&document, name), "{name}");
        assert_eq!(function(&document, name)["return"]["schema"]["type"], "array", "{name}");
    }
    assert!(is_certain(function(&document, "hash_name")));
}

#[test]
fn a_handle_that_the_documentation_says_is_freed_is_asked_whatever_the_name() {
    let document = import(
        "judged-respond",
        "typedef struct server_request server_request;\n\
         /** Send back a response to a DNS request, and free the request structure. */\n\
         int server_request_respond(server_request *req, int err);\n\
         /** Tells the type of a request. */\nint server_request_type(server_request *req);",
    );
    assert!(is_asked(&document, "server_request_respond"));
    assert!(is_certain(function(&document, "server_request_type")));
}

#[test]
fn what_a_variadic_function_does_with_a_handle_is_asked() {
    let document = import(
        "judged-variadic",
        "typedef struct upgrade upgrade;\n/** Performs an action on a connection. */\nint upgrade_action(upgrade *u, int action, ...);\n\
         /** Tells the state of a connection. */\nint upgrade_state(upgrade *u);",
    );
    let handle = |name: &str| function(&document, name)["parameters"][0].get("x-todo").is_none();
    assert!(!handle("upgrade_action") && handle("upgrade_state"));
}

#[test]
fn handles_of_two_types_in_one_call_may_be_linked() {
    let document = import(
        "judged-linked",
        "typedef struct buffer buffer; typedef struct base base; typedef struct dumper dumper;\n\
         int buffer_defer_callbacks(buffer *b, base *loop); dumper *dump_open(base *b, const char *name);\n\
         /** Tells whether both have one size. */\nint buffer_compare(buffer *b, base *loop);\n\nvoid options_set_snapshot(buffer *o, const base *snapshot);",
    );
    for (name, index) in [("buffer_defer_callbacks", 1), ("dump_open", 0), ("options_set_snapshot", 1)] {
        let parameter = &function(&document, name)["parameters"][index];
        assert_eq!(parameter["schema"]["cType"].get("x-handle"), None, "{name}");
        assert!(is_asked(&document, name), "{name}");
    }
    assert!(is_certain(function(&document, "buffer_compare")));
}

#[test]
fn a_file_is_opaque_and_an_address_has_any_length() {
    let document = import(
        "judged-opaque",
        "#include <stdio.h>\n#include <sys/socket.h>\n/** Prints.\n * @param[in] f The file to print to.\n */\nint print(FILE *f);\n\
         int same(const struct sockaddr *a); const struct sockaddr *addr(int n);",
    );
    let file = &function(&document, "print")["parameters"][0]["schema"]["cType"];
    assert_eq!(file["x-handle"], "FILE");
    let raw = json!({ "type": "object", "cType": { "type": "void", "isPointer": true } });
    assert_eq!(function(&document, "same")["parameters"][0]["schema"], raw);
    assert_eq!(function(&document, "addr")["return"]["schema"], raw);
}

#[test]
fn a_number_of_something_else_is_no_length() {
    let document = import(
        "judged-length",
        "typedef struct { unsigned long size; int kind; } val;\n\
         /** Stores.\n * @param[in] data The data.\n * @param[in] flags Options:\n *\n * - MULTIPLE: the second must be the count \
         of the number of data elements.\n */\nint put(const val *data, unsigned int flags);\n\
         /** Adds.\n * @param key_size number of bytes in @a key (excluding 0-terminator)\n */\n\
         int add_entry(const char *key, unsigned long key_size);\n\
         /** @param size the length of the data, in bytes */\nint feed_it(const char *data, unsigned long size);",
    );
    assert_eq!(function(&document, "put")["parameters"][0].get("x-length"), None);
    assert_eq!(function(&document, "add_entry")["parameters"][0].get("x-length"), None);
    assert_eq!(function(&document, "feed_it")["parameters"][0]["x-length"], "size");
}

#[test]
fn null_behind_a_pointer_in_an_error_or_in_one_case_is_not_permitted() {
    let document = import(
        "judged-null",
        "typedef struct c c;\n/** Does nothing if *name is NULL. */\nint deref(const char *name);\n\
         /** Counts.\n * @return -1 if con is NULL.\n */\nint refused(c *con);\n\
         /** Writes.\n * @param out the text; can be NULL if n is 0\n */\nint one_case(const char *out);\n\
         /** Writes.\n * @param out the text, or NULL if there is none\n */\nint permitted(const char *out);",
    );
    for (name, required) in [("deref", true), ("refused", true), ("one_case", true), ("permitted", false)] {
        assert_eq!(function(&document, name)["parameters"][0]["required"], required, "{name}");
    }
}

#[test]
fn null_is_permitted_in_the_words_of_the_judged_libraries() {
    let document = import(
        "judged-optional",
        "/* Extract. PATH is an optional string used to locate a token.  */\nint extract(const char *path);\n\n\
         /* Dump it. It is okay to pass NULL for LABEL.  */\nint dump_it(const char *label);\n\n\
         /* Reads and (optionally: when root != NULL) changes it.  */\nint proc_root(const char *root);\n\n\
         /** Sends.\n * @param reason the text. If this is NULL, the standard one.\n */\nint send_error(const char *reason);\n\n\
         /** Looks.\n * @param key the header, NULL to look up one without a key\n */\nint look_up(const char *key);\n\n\
         /* Divides. Q or R may be passed as NULL.  */\nint divide(const char *q, const char *r);\n\n\
         /* For most it is possible to pass NULL for IN.  */\nint encrypt(const char *in);\n\n\
         /* Constructs; encoding names one. Encoding is needed. */\nint constructs(const char *encoding);\n\n\
         /* encoding is that of the protocol or NULL if there is none.  */\nint parser(const char *encoding);\n\n\
         /** Gets.\n * @param window the window\n * @param w the width of the window, may be NULL\n */\nint width(const char *window, const char *w);\n\n\
         /* Checks. If NAME is NULL it crashes. NAME must not be NULL.  */\nint crashes(const char *name);\n",
    );
    for name in ["extract", "dump_it", "proc_root", "send_error", "look_up", "divide", "parser"] {
        assert_eq!(function(&document, name)["parameters"][0]["required"], false, "{name}");
    }
    for name in ["crashes", "encrypt", "constructs", "width"] {
        assert_eq!(function(&document, name)["parameters"][0]["required"], true, "{name}");
    }
}

#[test]
fn a_handle_that_is_answered_may_be_over() {
    let document = import(
        "judged-reply",
        "typedef struct request request; typedef struct buffer buffer;\n\
         void send_reply(request *req, int code, buffer *data); int txn_commit(request *txn);\n\
         int send_error(request *req, int error); void stop_daemon(buffer *daemon); void tok_wend(buffer *tok);\n\
         void mpi_snatch(const buffer *w, buffer *u);\n\n/** Take ownership of the request. */\nvoid request_own(request *req);\n\n\
         /* Store the coordinates X and Y and release X and Y.  */\nvoid point_store(request *x, request *y);\n",
    );
    for name in ["send_reply", "point_store"] {
        let first = &function(&document, name)["parameters"][0]["schema"]["cType"];
        assert_eq!(first.get("x-handle"), None, "{name}");
    }
    for name in [
        "send_reply",
        "txn_commit",
        "point_store",
        "send_error",
        "stop_daemon",
        "tok_wend",
        "mpi_snatch",
        "request_own",
    ] {
        assert!(is_asked(&document, name), "{name}");
    }
}

#[test]
fn an_enum_of_flags_or_with_room_for_more_is_an_integer() {
    let document = import(
        "judged-enum",
        "typedef enum { DEFAULT = 0, A = 1, B = 2, C = 4, DEFINED = 7 } buffer_mode;\n\
         typedef enum { ALL = -1, NONE = 0, T1 = 1, T2 = 2, T4 = 4, T8 = 8 } traces;\n\
         typedef enum { YUV = 0, UV_MASK = 3, ALPHA = 4 } csp; typedef enum { LATIN = 5, GREEK = 9, SCRIPT_MAX = 0x7fffffff } script;\n\
         typedef enum { ANY, CR, LN, CRLN, NEL } line_break; typedef enum { LTR = 4, RTL, TTB, BTT } direction;\n\
         typedef enum { KEY_NONE = 0, KEEP_COMMENTS = 1, KEEP_OTHERS = 2 } KeyFileFlags; int load(KeyFileFlags flags);\n\
         int f(buffer_mode a, traces b, csp c, script d, line_break e, direction g);",
    );
    let parameters = &function(&document, "f")["parameters"];
    assert_eq!(function(&document, "load")["parameters"][0]["schema"]["type"], "integer");
    for index in 0..4 {
        assert_eq!(parameters[index]["schema"]["type"], "integer", "{index}");
    }
    assert_eq!(parameters[4]["schema"]["$ref"], "#/schemas/line_break");
    assert_eq!(parameters[5]["schema"]["$ref"], "#/schemas/direction");
}

#[test]
fn memory_that_c_may_keep_is_asked() {
    let document = import(
        "judged-kept",
        "typedef struct tiff TIFF; typedef struct parser parser;\n\
         const char *TIFFSetFileName(TIFF *t, const char *name);\n\n/** Looks for a field. */\nint TIFFFind(TIFF *t, const char *name);\n\
         /** Adds it. The key must remain valid until the end. */\nint value_add(TIFF *t, const char *key);\n\
         /** Begins. size is the length of the input. */\nint parser_set_input(parser *p, const unsigned char *input, unsigned long size);\n\
         /** Adds up. size is the length of the input. */\nint sum(const unsigned char *input, unsigned long size);\n\
         /** Sets it; the name is copied. */\nint name_set(TIFF *t, const char *name);",
    );
    for name in ["TIFFSetFileName", "value_add", "parser_set_input"] {
        assert!(is_asked(&document, name), "{name}");
    }
    for name in ["TIFFFind", "sum", "name_set"] {
        assert!(is_certain(function(&document, name)), "{name}");
    }
}

#[test]
fn a_struct_that_a_function_frees_or_takes_is_asked() {
    let document = import(
        "judged-ends",
        "typedef struct { union { int a; double b; } data; } event_t; typedef struct { int x; } box;\n\
         /** Emit.\n * The emitter takes the responsibility for the event object.\n * @param[in,out] event An event object.\n */\n\
         int emit(event_t *event);\n/** End.\n * @param[in,out] event An event object.\n */\nvoid event_delete(event_t *event);\n\
         /** Drop.\n * @param[in] it A box.\n */\nvoid box_free(box *it);\n\
         /** Look.\n * @param[in,out] event An event object.\n */\nint look(event_t *event);",
    );
    for name in ["emit", "event_delete", "box_free"] {
        assert!(is_asked(&document, name), "{name}");
    }
    assert!(is_certain(function(&document, "look")));
}

#[test]
fn structs_without_a_name_or_with_a_plural_may_be_several() {
    let document = import(
        "judged-several",
        "struct insn { short code; int k; }; struct opt { const char *name; int n; };\n\
         int bpf_filter(const struct insn *, const char *, unsigned, unsigned); int parse(const struct opt *options);\n\
         const struct opt *all_options(void);\n\n/** Finds the option of a name. */\nconst struct opt *find_option(const char *name);\n\nint use_one(const struct opt *option);",
    );
    for name in ["bpf_filter", "parse", "all_options"] {
        assert!(is_asked(&document, name), "{name}");
    }
    assert!(is_certain(function(&document, "find_option")));
}

#[test]
fn a_text_of_a_struct_with_places_in_it_is_no_string() {
    let document = import(
        "judged-places",
        "typedef struct { const char *buffer; const char *cursor; const char *lastchar; } line; const line *el_line(int n);",
    );
    assert_eq!(document["schemas"]["line"]["properties"]["buffer"]["type"], "array");
}

#[test]
fn a_heading_or_what_follows_describes_no_function() {
    let document = import(
        "judged-comments",
        "/** Private Interfaces. */\nint strip(int a);\n\n/* File / Directory Ops */\nint open_ex(int a);\n\n\
         /** Sets some flags. */\nint set_flags(int a);\n\n/* Functions to add an answer.\n */\nint add_reply(int a);\nint add_a(int a);\n\n\
         /** @brief Set a function.\n *\n * @todo It is called to move the data\n * of an item.\n */\nint relfunc(int a);\n\n\
         /* W = B ^ E mod M.  */\nint powm(int w);\n\n\
         int data2(int a);\n\n/* ignore_data() is defined below\n * for version 0.1\n */\n#define ignore_data(a) data2(a)\nint last(int a);\n",
    );
    for name in ["strip", "open_ex", "add_reply", "data2", "last"] {
        assert_eq!(function(&document, name)["description"], "", "{name}");
    }
    assert_eq!(function(&document, "set_flags")["description"], "Sets some flags.");
    assert_eq!(function(&document, "relfunc")["description"], "Set a function.");
    assert_eq!(function(&document, "powm")["description"], "W = B ^ E mod M.");
}

#[test]
fn what_belongs_to_a_parameter_with_a_question_is_one_too() {
    let document = import(
        "judged-parent",
        "typedef struct file file; typedef struct chunk chunk;\n\
         /** Gets one. The chunk is owned by the file, and freed with the file f.\n * @return the chunk, which is owned by f\n */\n\
         chunk *file_chunk(file *f);",
    );
    assert!(is_asked(&document, "file_chunk"));
    assert_eq!(function(&document, "file_chunk")["return"].get("x-parent"), None);
}

#[test]
fn a_struct_whose_address_matters_or_that_is_kept_is_no_value() {
    let document = import(
        "judged-identity",
        "typedef struct { int unused; } data_key; typedef struct surface surface; typedef struct { int (*run)(int); } module;\n\
         typedef struct { double xx, yy; } matrix; typedef struct md md;\n\
         int surface_find_data(surface *s, const data_key *key); int create_module(surface *s, const module *m);\n\
         /** Changes how the surface is scaled. */\nint pattern_set_matrix(surface *s, const matrix *m);\n\nint add_digest(const md *digest);",
    );
    let key = &function(&document, "surface_find_data")["parameters"][1]["schema"];
    assert_eq!(key["cType"], json!({ "type": "void", "isPointer": true }));
    assert!(is_asked(&document, "create_module") && is_asked(&document, "add_digest"));
    assert!(is_certain(function(&document, "pattern_set_matrix")));
}

#[test]
fn a_number_called_length_may_count_a_text_whatever_is_said_of_it() {
    let document = import(
        "judged-called-length",
        "#include <stdint.h>\n/**\n * Reads a list.\n * @param list_data a pointer to the data.\n * @param length length of the buffer to read.\n */\n\
         int list_read(const char *list_data, uint32_t length);\n\
         /**\n * Finds a list.\n * @param name the name.\n * @param mode the mode to use.\n */\nint list_find(const char *name, uint32_t mode);",
    );
    assert!(is_asked(&document, "list_read"));
    assert!(is_certain(function(&document, "list_find")));
}

#[test]
fn a_defined_struct_that_no_function_gives_is_no_handle_although_it_is_called_opaque() {
    let document = import(
        "judged-called-opaque",
        "/** Opaque data structure that holds a key. */\ntypedef struct { unsigned char data[64]; } key;\n\
         /** Opaque decoder. */\ntypedef struct { int state; } decoder;\n\
         /** Parses a key. */\nint key_parse(key *k, int n);\n/** Tells the size of a key. */\nint key_size(const key *k);\n\
         decoder *decoder_new(void);\n/** Tells the state. */\nint decoder_state(const decoder *d);",
    );
    let c_type = |name: &str| &function(&document, name)["parameters"][0]["schema"]["cType"]["x-handle"];
    assert!(c_type("key_size").is_null());
    assert_eq!(function(&document, "key_size")["parameters"][0]["schema"]["$ref"], "#/schemas/key");
    assert!(is_asked(&document, "key_parse"));
    assert_eq!(*c_type("decoder_state"), json!("decoder"));
}

#[test]
fn a_sentence_about_what_a_callback_gets_says_nothing_about_the_callback() {
    let document = import(
        "judged-callback-null",
        "/**\n * Resolves a name.\n * @param done called when it is resolved. It is called as: void done(int err, void *result) with\n\
         * result: what was found, you may pass NULL. The result may be NULL, in that case err is set.\n */\n\
         int resolve(void (*done)(int err, void *result));\n\
         /**\n * Watches.\n * @param done called at the end, may be NULL.\n */\nint watch(void (*done)(int err));",
    );
    let required = |name: &str| function(&document, name)["parameters"][0]["required"].clone();
    assert_eq!(required("resolve"), json!(true));
    assert_eq!(required("watch"), json!(false));
}

#[test]
fn const_does_not_say_who_frees_a_text_where_a_function_frees_such_texts() {
    let header = "typedef struct module module;\nconst char *order_name(int index);\n/** Frees a text. */\n";
    let frees = format!("{header}void free_string(const char *text);");
    assert!(is_asked(&import("judged-free-text", &frees), "order_name"));
    // What names a service gives it up, and frees no text.
    let releases = format!("{header}int release_name(module *m, const char *name);");
    assert!(is_certain(function(&import("judged-release-name", &releases), "order_name")));
}

#[test]
fn the_file_of_a_function_does_not_describe_it() {
    let document = import(
        "judged-file",
        "typedef struct record record;\n/* In print.c */\nint record_print(record *r);\n\n\
         /** Reads what is in record.h */\nint record_read(record *r);",
    );
    assert_eq!(function(&document, "record_print")["description"], "");
    assert!(is_asked(&document, "record_print"));
    assert!(is_certain(function(&document, "record_read")));
}
