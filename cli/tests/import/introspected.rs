//! What GIR files say, and what they say only by default.

use std::fmt::Write;

use serde_json::{Value, json};

use super::command::{argument, folder};
use super::{function, imported, is_certain, questions};

/// A value of a function: its attributes, its element of a type, and its documentation.
struct Said<'t>(&'t str, &'t str, &'t str);

/// `<type name="…" c:type="…"/>`.
fn of(name: &str, c_type: &str) -> String {
    format!("<type name=\"{name}\" c:type=\"{c_type}\"/>")
}

/// The element of a function; a parameter whose attributes begin with `self` is the instance.
fn described(element: &str, doc: &str, returned: &Said<'_>, parameters: &[Said<'_>]) -> String {
    let value = |tag: &str, Said(attributes, of, doc): &Said<'_>| {
        format!("<{tag} {attributes}><doc>{doc}</doc>{of}</{tag}>")
    };
    let mut text = format!("<{element}><doc>{doc}</doc>{}<parameters>", value("return-value", returned));
    for parameter in parameters {
        let tag = if parameter.0.starts_with("name=\"self\"") { "instance-parameter" } else { "parameter" };
        text += &value(tag, parameter);
    }
    let name = element.split_whitespace().next().unwrap_or_default();
    write!(text, "</parameters></{name}>").expect("it grows");
    text
}

/// A function of the namespace.
fn plain(name: &str, doc: &str, returned: &Said<'_>, parameters: &[Said<'_>]) -> String {
    described(&format!("function name=\"{name}\" c:identifier=\"{name}\""), doc, returned, parameters)
}

const NOTHING: Said<'static> =
    Said("transfer-ownership=\"none\"", "<type name=\"none\" c:type=\"void\"/>", "");

/// The document of a header and a GIR file with this content.
fn with_gir(name: &str, header: &str, content: &str) -> Value {
    let file = folder(&format!("import-{name}-gir")).join("T.gir");
    let gir = format!(
        "<repository><include name=\"Base\" version=\"1.0\"/><c:include name=\"t.h\"/>\
         <namespace name=\"T\">{content}</namespace></repository>"
    );
    std::fs::write(&file, gir).expect("it can be written");
    let base = "<repository><namespace name=\"Base\">\
                <class name=\"Thing\" c:type=\"BaseThing\" parent=\"GObject.Object\"/>\
                <interface name=\"Face\" c:type=\"BaseFace\"/>\
                <record name=\"Data\" c:type=\"BaseData\"><method name=\"unref\" c:identifier=\"base_data_unref\">\
                <doc>Releases a reference on @data.</doc>\
                <return-value transfer-ownership=\"none\"><type name=\"none\" c:type=\"void\"/></return-value>\
                <parameters><instance-parameter name=\"data\" transfer-ownership=\"none\">\
                <type name=\"Data\" c:type=\"BaseData*\"/></instance-parameter></parameters></method></record>\
                </namespace></repository>";
    std::fs::write(file.with_file_name("Base-1.0.gir"), base).expect("it can be written");
    let run = imported(name, header, &["--gir", argument(&file)]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let found = opendyn_codegen::check("t.json", &run.stdout, &opendyn_codegen::Options::default());
    assert_eq!(found.errors().count(), 0, "{found}\n{}", run.stdout);
    serde_json::from_str(&run.stdout).expect("JSON")
}

const NONE: &str = "transfer-ownership=\"none\"";

fn named(name: &str, rest: &str) -> String {
    format!("name=\"{name}\" transfer-ownership=\"none\" {rest}")
}

#[test]
fn a_pointer_to_anything_and_a_list_are_for_unsafe_code() {
    let content = [
        plain(
            "t_find",
            "Finds it.",
            &Said(NONE, &of("gpointer", "gpointer"), ""),
            &[Said(&named("data", ""), &of("gpointer", "gpointer"), "what to find")],
        ),
        plain("t_all", "All of them.", &Said(NONE, &of("GLib.List", "GList*"), ""), &[]),
    ];
    let header = "typedef struct list { void *data; struct list *next; } GList; void *t_find(void *data); GList *t_all(void);";
    let document = with_gir("anything", header, &content.concat());
    assert!(is_certain(function(&document, "t_find")) && is_certain(function(&document, "t_all")));
    let raw = json!({ "type": "void", "isPointer": true });
    assert_eq!(function(&document, "t_find")["parameters"][0]["schema"]["cType"], raw);
    assert_eq!(function(&document, "t_all")["return"]["schema"]["cType"], raw);
}

#[test]
fn what_is_an_object_in_the_end_is_freed_as_one() {
    let own = "<class name=\"Own\" c:type=\"TOwn\" parent=\"Base.Thing\"/>";
    let full = "transfer-ownership=\"full\"";
    let content = [
        plain("t_own_new", "Makes one.", &Said(full, &of("Own", "TOwn*"), "a new one"), &[]),
        plain("t_data", "The data.", &Said(full, &of("Base.Data", "BaseData*"), "the data"), &[]),
        plain("t_face", "The face.", &Said(full, &of("Base.Face", "BaseFace*"), "the face"), &[]),
    ];
    let header = "typedef struct { int a; } TOwn; typedef struct data BaseData; typedef struct face BaseFace;\n\
                  TOwn *t_own_new(void); BaseData *t_data(void); BaseFace *t_face(void);";
    let document = with_gir("object", header, &[own.to_owned(), content.concat()].concat());
    assert_eq!(function(&document, "t_own_new")["return"]["x-free"], json!({ "symbol": "g_object_unref" }));
    assert_eq!(function(&document, "t_data")["return"]["x-free"], json!({ "symbol": "base_data_unref" }));
    assert!(!is_certain(function(&document, "t_face")), "nothing says what frees it");
}

/// A record with a function that counts its owners, and one without.
fn records(functions: &str) -> String {
    let count = described(
        "method name=\"ref\" c:identifier=\"t_shared_ref\"",
        "Increases the reference count of @self by one.",
        &Said("transfer-ownership=\"full\"", &of("Shared", "TShared*"), ""),
        &[Said(&named("self", ""), &of("Shared", "TShared*"), "")],
    );
    format!(
        "<record name=\"Shared\" c:type=\"TShared\">{count}</record>\
         <record name=\"Plain\" c:type=\"TPlain\"/>{functions}"
    )
}

const RECORDS: &str =
    "typedef struct shared TShared; typedef struct plain TPlain; TShared *t_shared_ref(TShared *self);\n";

#[test]
fn what_is_counted_is_lent_and_what_is_not_may_be_kept() {
    let set = |name: &str, record: &str, c: &str| {
        let element = format!("method name=\"set\" c:identifier=\"{name}\"");
        described(
            &element,
            "Sets the other one.",
            &NOTHING,
            &[
                Said(&named("self", ""), &of("Plain", "TPlain*"), "one"),
                Said(&named("other", ""), &of(record, c), "the other"),
            ],
        )
    };
    let content = [set("t_set_shared", "Shared", "TShared*"), set("t_set_plain", "Plain", "TPlain*")];
    let header = format!(
        "{RECORDS}void t_set_shared(TPlain *self, TShared *other); void t_set_plain(TPlain *self, TPlain *other);"
    );
    let document = with_gir("counted", &header, &records(&content.concat()));
    assert!(questions(&function(&document, "t_set_shared")["parameters"][1]).is_empty());
    assert!(!questions(&function(&document, "t_set_plain")["parameters"][1]).is_empty());
}

#[test]
fn a_default_does_not_hide_that_a_function_ends_a_counted_handle() {
    let content = described(
        "method name=\"free\" c:identifier=\"t_shared_free\"",
        "Is the same as something else.",
        &NOTHING,
        &[Said(&named("self", ""), &of("Shared", "TShared*"), "one")],
    );
    let document =
        with_gir("ended", &format!("{RECORDS}void t_shared_free(TShared *self);"), &records(&content));
    assert!(!is_certain(function(&document, "t_shared_free")));
}

#[test]
fn what_belongs_to_something_else_or_to_nobody_is_for_unsafe_code() {
    let get = described(
        "method name=\"get\" c:identifier=\"t_get\"",
        "The shared one.",
        &Said(NONE, &of("Shared", "TShared*"), "the shared one"),
        &[Said(&named("self", ""), &of("Plain", "TPlain*"), "one")],
    );
    let floating = "<record name=\"Loose\" c:type=\"TLoose\"><constructor name=\"new\" c:identifier=\"t_loose_new\">\
                    <doc>Makes one.</doc><return-value transfer-ownership=\"none\"><doc>a new one</doc>\
                    <type name=\"Loose\" c:type=\"TLoose*\"/></return-value></constructor></record>";
    let header = format!(
        "{RECORDS}typedef struct loose TLoose; TShared *t_get(TPlain *self); TLoose *t_loose_new(void);"
    );
    let document = with_gir("lent", &header, &records(&format!("{get}{floating}")));
    for name in ["t_get", "t_loose_new"] {
        let function = function(&document, name);
        assert!(is_certain(function), "{name}");
        assert_eq!(function["return"]["schema"]["cType"].get("x-handle"), None, "{name}");
    }
}

#[test]
fn a_bitfield_is_no_closed_enum() {
    let content = [
        "<bitfield name=\"Way\" c:type=\"TWay\"/>".to_owned(),
        plain("t_go", "Goes.", &NOTHING, &[Said(&named("way", ""), &of("Way", "TWay"), "")]),
        plain("t_be", "Is.", &NOTHING, &[Said(&named("kind", ""), &of("Kind", "TKind"), "")]),
    ];
    let header = "typedef enum { A, B, C } TWay; typedef enum { D, E, F } TKind; void t_go(TWay way); void t_be(TKind kind);";
    let document = with_gir("flags", header, &content.concat());
    assert_eq!(function(&document, "t_go")["parameters"][0]["schema"]["type"], "integer");
    assert_eq!(function(&document, "t_be")["parameters"][0]["schema"]["$ref"], "#/schemas/TKind");
}

#[test]
fn strings_are_read_up_to_null_and_what_c_frees_is_its_own() {
    let strings = "<array c:type=\"char**\" zero-terminated=\"1\"><type name=\"utf8\"/></array>";
    let bytes =
        "<array length=\"1\" zero-terminated=\"0\" c:type=\"gpointer\"><type name=\"guint8\"/></array>";
    let full = |name: &str| format!("name=\"{name}\" transfer-ownership=\"full\"");
    let content = [
        plain("t_join", "Joins.", &NOTHING, &[Said(&named("parts", ""), strings, "the parts")]),
        plain(
            "t_take",
            "Takes.",
            &NOTHING,
            &[
                Said(&full("data"), bytes, "the data"),
                Said(&named("n", ""), &of("gsize", "gsize"), "how many"),
            ],
        ),
        plain("t_take_text", "Takes.", &NOTHING, &[Said(&full("text"), &of("utf8", "char*"), "the text")]),
        plain(
            "t_take_static",
            "Takes.",
            &NOTHING,
            &[
                Said(&full("data"), bytes, "the data"),
                Said(&named("n", ""), &of("gsize", "gsize"), "how many"),
            ],
        ),
    ];
    let header = "void t_join(char **parts); void t_take(void *data, unsigned long n); void t_take_text(char *text);\n\
                  void t_take_static(const void *data, unsigned long n);";
    let document = with_gir("strings", header, &content.concat());
    assert_eq!(function(&document, "t_join")["parameters"][0]["x-length"], json!({ "terminated": true }));
    let taken = json!({ "memory": "g_malloc", "free": "g_free" });
    assert_eq!(function(&document, "t_take")["parameters"][0]["x-takes"], taken);
    assert_eq!(function(&document, "t_take_text")["parameters"][0]["x-takes"], taken);
    assert!(is_certain(function(&document, "t_join")) && is_certain(function(&document, "t_take")));
    assert!(!is_certain(function(&document, "t_take_static")), "static memory is never freed");
}

#[test]
fn the_user_data_of_a_callback_is_told_among_several_pointers() {
    let callback = "<callback name=\"Each\" c:type=\"TEach\"><return-value transfer-ownership=\"none\"/><parameters>\
                    <parameter name=\"key\"/><parameter name=\"data\" closure=\"1\"/></parameters></callback>";
    let each = |name: &str, rest: &str| {
        plain(
            name,
            "Calls it.",
            &NOTHING,
            &[
                Said(&named("each", rest), &of("Each", "TEach"), "what to call"),
                Said(&named("data", ""), &of("gpointer", "gpointer"), "its data"),
            ],
        )
    };
    let content = [
        callback.to_owned(),
        each("t_now", "scope=\"call\" closure=\"1\""),
        each("t_later", "scope=\"notified\" closure=\"1\""),
        each("t_unsaid", "closure=\"1\""),
    ];
    let header = "typedef void (*TEach)(void *key, void *data); void t_now(TEach each, void *data);\n\
                  void t_later(TEach each, void *data); void t_unsaid(TEach each, void *data);";
    let document = with_gir("callback", header, &content.concat());
    let now = &function(&document, "t_now")["parameters"][0]["schema"]["cType"]["x-callback"];
    assert_eq!((&now["userData"], &now["parameters"][1]["name"]), (&json!("data"), &json!("data")));
    let later = &function(&document, "t_later")["parameters"][0]["schema"]["cType"]["x-callback"];
    assert_eq!(later.get("userData"), None);
    assert!(is_certain(function(&document, "t_now")) && is_certain(function(&document, "t_later")));
    assert!(!is_certain(function(&document, "t_unsaid")));
}

#[test]
fn a_text_that_a_parameter_counts_has_that_length() {
    let text = |name: &str, doc: &str| {
        plain(
            name,
            "Reads.",
            &NOTHING,
            &[
                Said(&named("text", ""), &of("utf8", "const char*"), "the text"),
                Said(&named("len", ""), &of("gssize", "gssize"), doc),
            ],
        )
    };
    let content = [
        text("t_read", "The length of @text, or -1 if it is nul-terminated"),
        text("t_skip", "The maximum length"),
        text("t_mode", "The mode of the file"),
    ];
    let header = "void t_read(const char *text, long len); void t_skip(const char *text, long len); void t_mode(const char *text, long len);";
    let document = with_gir("text-count", header, &content.concat());
    assert_eq!(function(&document, "t_read")["parameters"][0]["x-length"], "len");
    assert!(!is_certain(function(&document, "t_skip")), "C may read further than the text is long");
    assert!(is_certain(function(&document, "t_mode")));
}

#[test]
fn memory_is_freed_only_if_the_documentation_fits() {
    let given = |name: &str, doc: &str| {
        plain(
            name,
            "Looks.",
            &Said("transfer-ownership=\"full\"", &of("utf8", "char*"), doc),
            &[Said(&named("text", ""), &of("utf8", "const char*"), "")],
        )
    };
    let content = [
        given("t_copy", "a newly allocated string"),
        given("t_found", "a pointer to the found occurrence, or %NULL"),
        given("t_secret", "a new string which must be freed with [func@secret_free]"),
        given("t_contents", "the contents"),
    ];
    let header = "char *t_copy(const char *text); char *t_found(const char *text); char *t_secret(const char *text); char *t_contents(const char *text);";
    let document = with_gir("owned-memory", header, &content.concat());
    assert_eq!(function(&document, "t_copy")["return"]["x-free"], json!({ "symbol": "g_free" }));
    for name in ["t_found", "t_secret", "t_contents"] {
        assert!(!is_certain(function(&document, name)), "{name}");
    }
}

#[test]
fn bytes_that_something_is_made_of_may_be_kept() {
    let bytes =
        "<array length=\"1\" zero-terminated=\"0\" c:type=\"const guint8*\"><type name=\"guint8\"/></array>";
    let one = |name: &str, doc: &str| {
        plain(
            name,
            doc,
            &Said("transfer-ownership=\"full\"", &of("Shared", "TShared*"), "a new one"),
            &[
                Said(&named("data", ""), bytes, "the data"),
                Said(&named("n", ""), &of("gsize", "gsize"), "how many"),
            ],
        )
    };
    let content =
        [one("t_shared_new_from", "Makes one."), one("t_shared_new_of", "Makes one. The data is copied.")];
    let header = format!(
        "{RECORDS}TShared *t_shared_new_from(const unsigned char *data, unsigned long n);\n\
         TShared *t_shared_new_of(const unsigned char *data, unsigned long n);"
    );
    let document = with_gir("made-of", &header, &records(&content.concat()));
    assert!(!questions(&function(&document, "t_shared_new_from")["parameters"][0]).is_empty());
    assert!(questions(&function(&document, "t_shared_new_of")["parameters"][0]).is_empty());
}

#[test]
fn a_text_that_c_changes_in_place_is_for_unsafe_code() {
    let content = plain(
        "t_trim",
        "Removes spaces.",
        &Said("transfer-ownership=\"full\"", &of("utf8", "char*"), "@text"),
        &[Said(&named("text", ""), &of("utf8", "char*"), "the text")],
    );
    let document = with_gir("in-place", "char *t_trim(char *text);", &content);
    let trim = function(&document, "t_trim");
    assert!(is_certain(trim));
    assert_eq!((&trim["return"]["schema"]["type"], trim["return"].get("x-free")), (&json!("array"), None));
    assert_eq!(trim["parameters"][0]["schema"]["type"], "array");
}

#[test]
fn a_struct_is_changed_by_its_method_and_may_be_kept_by_another() {
    let rest = "<record name=\"Fd\" c:type=\"TFd\"/>";
    let content = [
        described(
            "method name=\"next\" c:identifier=\"t_fd_next\"",
            "Takes the next one.",
            &NOTHING,
            &[Said(&named("self", ""), &of("Fd", "TFd*"), "one")],
        ),
        plain("t_to_fd", "Converts.", &NOTHING, &[Said(&named("fd", ""), &of("Fd", "TFd*"), "one")]),
        described(
            "method name=\"add\" c:identifier=\"t_plain_add_fd\"",
            "Adds one.",
            &NOTHING,
            &[
                Said(&named("self", ""), &of("Plain", "TPlain*"), "it"),
                Said(&named("fd", ""), &of("Fd", "TFd*"), "one"),
            ],
        ),
    ];
    let header = format!(
        "{RECORDS}typedef struct {{ int fd; int events; }} TFd; void t_fd_next(TFd *self); void t_to_fd(TFd *fd);\n\
         void t_plain_add_fd(TPlain *self, TFd *fd);"
    );
    let document = with_gir("struct", &header, &records(&[rest.to_owned(), content.concat()].concat()));
    assert_eq!(function(&document, "t_fd_next")["parameters"][0]["x-inout"], true);
    assert!(!is_certain(function(&document, "t_to_fd")), "nothing says that C reads it");
    assert!(!is_certain(function(&document, "t_plain_add_fd")));
}

#[test]
fn a_plain_pointer_with_a_type_is_a_handle_and_bytes_that_c_leaves_have_a_length() {
    let bytes = "<array length=\"1\" zero-terminated=\"0\" c:type=\"char**\"><type name=\"guint8\"/></array>";
    let out = |name: &str| format!("name=\"{name}\" direction=\"out\" transfer-ownership=\"full\"");
    let content = [
        plain(
            "t_same",
            "Compares.",
            &NOTHING,
            &[Said(&named("one", ""), &of("Shared", "gconstpointer"), "")],
        ),
        plain(
            "t_load",
            "Loads.",
            &NOTHING,
            &[
                Said(&out("contents"), bytes, "the contents"),
                Said(&out("n"), &of("gsize", "gsize*"), "how many"),
            ],
        ),
    ];
    let header =
        format!("{RECORDS}void t_same(const void *one); void t_load(char **contents, unsigned long *n);");
    let document = with_gir("typed-pointer", &header, &records(&content.concat()));
    let one = &function(&document, "t_same")["parameters"][0];
    assert_eq!(one["schema"]["cType"]["x-handle"], "TShared");
    let contents = &function(&document, "t_load")["parameters"][0];
    assert_eq!((&contents["x-length"], &contents["isIn"]), (&json!("n"), &json!(false)));
    assert_eq!(contents["x-free"], json!({ "symbol": "g_free" }));
}

#[test]
fn what_gir_leaves_at_its_default_the_documentation_may_make_null() {
    let content = plain(
        "t_name",
        "Looks for it.",
        &Said(NONE, &of("utf8", "const char*"), "the name, or %NULL if there is none"),
        &[Said(&named("key", ""), &of("utf8", "const char*"), "the key, or %NULL")],
    );
    let document = with_gir("null", "/* Several things. */\nconst char *t_name(const char *key);", &content);
    let name = function(&document, "t_name");
    assert_eq!(
        (&name["return"]["x-nullable"], &name["parameters"][0]["required"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(name["description"], "Looks for it.");
}
