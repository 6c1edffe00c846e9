//! What import once got wrong on libraries that it had never seen: one header of our own for each case. What C
//! and its documentation do not say is asked, and until it is answered nobody calls it by accident.

use serde_json::{Value, json};

use super::{function, import, is_certain, plan, questions, returned};

/// Whether the function has a question, JSON callers are refused, and Rust callers need `unsafe`.
fn is_asked_and_unsafe(document: &Value, name: &str) -> bool {
    let binding = plan(document);
    let planned = binding.functions.iter().find(|planned| planned.name == name).expect(name);
    let is_refused = matches!(planned.json, opendyn_model::plan::Json::Refused(_));
    !is_certain(function(document, name)) && is_refused && planned.is_unsafe()
}

#[test]
fn a_direction_is_not_told_by_a_name() {
    let document = import(
        "wrong-direction",
        "struct decompress { int width; int height; void *source; };\n\
         int jpeg_start_decompress(struct decompress *cinfo); int state_init(union u { int a; double b; } *u);",
    );
    assert!(is_asked_and_unsafe(&document, "jpeg_start_decompress"));
    assert_eq!(function(&document, "jpeg_start_decompress")["parameters"][0]["isIn"], true);
    assert!(is_asked_and_unsafe(&document, "state_init"));
}

#[test]
fn an_output_is_not_told_by_a_name() {
    let document = import("wrong-output", "void get_value(int *out); void keygen(unsigned char k[32]);");
    assert!(is_asked_and_unsafe(&document, "get_value") && is_asked_and_unsafe(&document, "keygen"));
}

#[test]
fn an_array_is_not_one_struct() {
    let document = import(
        "wrong-array",
        "typedef struct { char *base; unsigned long len; } uv_buf_t; typedef struct { int x; } point;\n\
         int uv_try_write2(int handle, const uv_buf_t bufs[], unsigned int nbufs, int send);\n\
         int draw(int closed, const point *points); int fill(const point points[]);",
    );
    for name in ["uv_try_write2", "draw", "fill"] {
        assert!(is_asked_and_unsafe(&document, name), "{name}");
    }
}

#[test]
fn a_length_is_not_told_by_a_name() {
    let document = import("wrong-length", "int f(const unsigned char *source, unsigned long sourceLen);");
    assert!(is_asked_and_unsafe(&document, "f"));
}

#[test]
fn the_comment_of_a_neighbour_a_type_or_a_group_describes_nothing() {
    let document = import(
        "wrong-comment",
        "/** Adds two numbers. */\nint add(int a, int b);\nint sub(int a, int b);\n\n\
         /** A point in the plane. */\ntypedef struct { int x; } point;\nint mul(int a, int b);\n\n\
         /** @cond PRIVATE */\nint div1(int a, int b);\n/** @endcond */\nint mod1(int a, int b);\n\n\
         /** @} */\nint neg(int a);\n",
    );
    assert_eq!(function(&document, "add")["description"], "Adds two numbers.");
    for name in ["sub", "mul", "div1", "mod1", "neg"] {
        assert_eq!(function(&document, name)["description"], "", "{name}");
    }
}

#[test]
fn an_argument_that_may_be_null_is_not_required() {
    let document = import(
        "wrong-required",
        "typedef struct db_s db;\n\
         /** Opens.\n * @param name the name\n * @param options the options, or NULL for the defaults\n */\n\
         int db_open(const char *name, const char *options);\n\
         /** Flushes. If d is NULL, all are flushed. */\nint db_flush(db *d);\n\
         /** Names it. The name must not be NULL. */\nint db_name(const char *name);",
    );
    let open = &function(&document, "db_open")["parameters"];
    assert_eq!((&open[0]["required"], &open[1]["required"]), (&json!(true), &json!(false)));
    assert_eq!(function(&document, "db_flush")["parameters"][0]["required"], false);
    assert_eq!(function(&document, "db_name")["parameters"][0]["required"], true);
}

#[test]
fn a_parent_is_not_the_first_handle() {
    let document = import(
        "wrong-parent",
        "typedef struct pool_s pool; typedef struct item_s item; const item *pool_find(pool *p); item *pool_copy(const pool *p);",
    );
    for name in ["pool_find", "pool_copy"] {
        let found = function(&document, name);
        assert_eq!(found["return"].get("x-parent"), None, "{name}");
        assert_eq!(found["return"]["schema"]["cType"].get("x-handle"), None, "{name}");
        assert!(!is_certain(found), "{name}");
    }
}

#[test]
fn a_destructor_is_not_told_by_a_name() {
    let document = import(
        "wrong-destructor",
        "typedef struct git_reference git_reference; typedef struct git_repository git_repository;\n\
         int git_branch_lookup(git_reference **out, git_repository *repo, const char *name);\n\
         int git_branch_delete(git_reference *branch);\n\
         /** Free the given reference. */\nvoid git_reference_free(git_reference *ref);",
    );
    let out = &function(&document, "git_branch_lookup")["parameters"][0];
    assert_eq!(out.get("x-free"), None);
    let question = questions(out).join(" ");
    assert!(question.contains("write \"x-free\": \"git_reference_free\""), "{question}");
    assert!(is_asked_and_unsafe(&document, "git_branch_lookup"));
    assert!(is_asked_and_unsafe(&document, "git_branch_delete"));
    assert!(is_certain(function(&document, "git_reference_free")));
}

#[test]
fn a_function_that_may_only_finish_is_no_suggestion() {
    let document = import(
        "wrong-finish",
        "typedef struct surface surface_t; surface_t *image_create(int w);\n\
         void surface_finish(surface_t *s); void surface_destroy(surface_t *s);",
    );
    let question = questions(returned(&document)).join(" ");
    assert!(question.contains("write \"x-free\": \"surface_destroy\""), "{question}");
}

#[test]
fn functions_that_may_free_their_handle_are_asked() {
    let document = import(
        "wrong-free",
        "typedef struct FT_LibraryRec_ *FT_Library; typedef struct pg_result PGresult; typedef struct prep prep; typedef struct ctx ctx;\n\
         int FT_Done_FreeType(FT_Library library); void PQclear(PGresult *res); void PQfinish(PGresult *res);\n\
         void GEOSPreparedGeom_destroy(prep *g); void GEOSPreparedGeom_destroy_r(ctx *handle, prep *g);\n\
         int PQntuples(const PGresult *res); void archive_read_close(ctx *c); void list_free(const ctx *c);",
    );
    for name in [
        "FT_Done_FreeType",
        "PQclear",
        "PQfinish",
        "GEOSPreparedGeom_destroy",
        "GEOSPreparedGeom_destroy_r",
        "archive_read_close",
        "list_free",
    ] {
        assert!(is_asked_and_unsafe(&document, name), "{name}");
    }
    assert!(is_certain(function(&document, "PQntuples")), "nothing suggests that it frees");
}

#[test]
fn functions_that_may_take_ownership_are_asked() {
    let document = import(
        "wrong-ownership",
        "typedef struct cJSON cJSON; typedef struct seq seq; typedef struct geom geom; typedef struct queue queue; typedef struct job job;\n\
         int cJSON_AddItemToObject(cJSON *object, const char *string, cJSON *item);\n\
         geom *GEOSGeom_createPoint(seq *s);\n\
         /** Runs it. The job is owned by the queue from now on.\n * @param j the job, whose ownership is transferred */\n\
         int queue_run(queue *q, job *j);",
    );
    for name in ["cJSON_AddItemToObject", "GEOSGeom_createPoint", "queue_run"] {
        assert!(is_asked_and_unsafe(&document, name), "{name}");
    }
    let question = questions(&function(&document, "queue_run")["parameters"][1]).join(" ");
    assert!(question.contains("whose ownership is transferred"), "{question}");
}

#[test]
fn typedefs_of_one_struct_stay_apart() {
    let document = import(
        "wrong-typedefs",
        "typedef struct _xmlHashTable xmlIDTable; typedef struct _xmlHashTable xmlElementTable;\n\
         typedef xmlIDTable *xmlIDTablePtr; typedef xmlElementTable *xmlElementTablePtr;\n\
         /** Dumps. */ void xmlDumpID(xmlIDTablePtr table);\n/** Dumps. */ void xmlDumpElement(xmlElementTablePtr table);\n\
         xmlElementTablePtr xmlCopy(int n);\n\
         void xmlFreeIDTable(xmlIDTablePtr table);",
    );
    let handle = |name: &str| &function(&document, name)["parameters"][0]["schema"]["cType"]["x-handle"];
    assert_eq!(
        (handle("xmlDumpID"), handle("xmlDumpElement")),
        (&json!("xmlIDTable"), &json!("xmlElementTable"))
    );
    let question = questions(&function(&document, "xmlCopy")["return"]).join(" ");
    assert!(!question.contains("xmlFreeIDTable"), "{question}");
}

#[test]
fn a_struct_that_is_defined_is_no_handle() {
    let document = import(
        "wrong-handle",
        "typedef struct git_oid { unsigned char id[20]; } git_oid; typedef struct git_commit git_commit;\n\
         /** Gets the id of a commit. */\nconst git_oid *git_commit_id(const git_commit *commit);\n\nint git_oid_cmp(const git_oid *a, const git_oid *b);",
    );
    let reference = json!({ "$ref": "#/schemas/git_oid" });
    assert_eq!(function(&document, "git_commit_id")["return"]["schema"], reference);
    assert_eq!(function(&document, "git_oid_cmp")["parameters"][0]["schema"], reference);
    assert!(is_certain(function(&document, "git_oid_cmp")));
}

#[test]
fn a_struct_that_c_may_write_is_not_in_and_out() {
    let document = import(
        "wrong-inout",
        "typedef struct { int count; double verts[20]; } CellBoundary;\n\
         int cellToBoundary(unsigned long cell, CellBoundary *boundary);\n\
         /** Fills.\n * @param[out] boundary the outline */\nint outline(const char *cell, CellBoundary *boundary);",
    );
    assert!(is_asked_and_unsafe(&document, "cellToBoundary"));
    assert_eq!(function(&document, "cellToBoundary")["parameters"][1].get("x-inout"), None);
    assert_eq!(function(&document, "outline")["parameters"][1]["isIn"], false);
    assert!(is_certain(function(&document, "outline")));
}

#[test]
fn what_is_said_of_other_functions_of_a_comment_is_not_said_of_this_one() {
    let document = import(
        "wrong-shared",
        "/** Releases it. */\nvoid my_free(void *p);\n\
         /* Both print. The string returned by print_new() must be freed with my_free(). */\n\
         char *print_new(int n);\nchar *print_into(int n, char *to);",
    );
    assert_eq!(function(&document, "print_new")["return"]["x-free"], "my_free");
    assert_eq!(function(&document, "print_into")["return"].get("x-free"), None);
}

#[test]
fn a_text_of_a_struct_with_a_count_is_no_string() {
    let document = import(
        "wrong-member",
        "typedef struct { const char *data; unsigned long len; } slice; typedef struct { const char *name; int flags; } entry;\n\
         const slice *f(void); const entry *g(void);",
    );
    assert_eq!(document["schemas"]["slice"]["properties"]["data"]["type"], "array");
    assert_eq!(document["schemas"]["entry"]["properties"]["name"]["type"], "string");
}

#[test]
fn a_text_of_a_callback_with_a_count_is_no_string() {
    let document = import("wrong-callback", "void f(void (*handler)(const char *s, int len));");
    let callback = &document["functions"][0]["parameters"][0]["schema"]["cType"]["x-callback"];
    assert_eq!(callback["parameters"][0]["schema"]["type"], "array");
}
