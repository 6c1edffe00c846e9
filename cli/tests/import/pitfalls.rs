//! The cases of libraries that once crashed, or lost data, because import had guessed: the real libraries of Debian,
//! imported and called. As imported, C is not reached; with the questions answered, C is used as it should be.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::command::{argument, command, folder, opendyn};
use super::{function, questions};

/// The arguments of `import` for each library.
pub(super) const JPEG: &[&str] = &["stdio.h", "jpeglib.h", "--library", "libjpeg.so.62"];
pub(super) const FREETYPE: &[&str] = &[
    "ft2build.h",
    "freetype/freetype.h",
    "-I",
    "/usr/include/freetype2",
    "--also",
    "/usr/include/freetype2/freetype",
    "--library",
    "libfreetype.so.6",
];
pub(super) const GEOS: &[&str] = &["geos_c.h", "--library", "libgeos_c.so.1"];
pub(super) const CJSON: &[&str] = &["cjson/cJSON.h", "--library", "libcjson.so.1"];
pub(super) const GIT2: &[&str] = &["git2.h", "--also", "/usr/include/git2", "--library", "libgit2.so.1.5"];
pub(super) const PQ: &[&str] = &["libpq-fe.h", "-I", "/usr/include/postgresql", "--library", "libpq.so.5"];
pub(super) const UV: &[&str] = &["uv.h", "--library", "libuv.so.1"];
pub(super) const CAIRO: &[&str] =
    &["cairo/cairo.h", "-I", "/usr/include/cairo", "--library", "libcairo.so.2"];
pub(super) const ARCHIVE: &[&str] = &["archive.h", "--library", "libarchive.so.13"];
pub(super) const XML: &[&str] = &[
    "libxml/parser.h",
    "libxml/valid.h",
    "-I",
    "/usr/include/libxml2",
    "--also",
    "/usr/include/libxml2/libxml",
    "--library",
    "libxml2.so.2",
];

/// The imported document of these functions.
pub(super) fn imported(library: &[&str], functions: &[&str]) -> Value {
    let mut arguments = vec!["import"];
    arguments.extend(library);
    functions.iter().for_each(|name| arguments.extend(["--only", name]));
    let run = opendyn(&arguments);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document = serde_json::from_str(&run.stdout).expect("JSON");
    functions.iter().for_each(|name| assert_eq!(function(&document, name)["name"], *name));
    document
}

/// Asserts that the function as imported has a question, and that a call ends before C is reached.
pub(super) fn assert_refused(test: &str, document: &Value, name: &str, arguments: &str) {
    let of = function(document, name);
    let values = of["parameters"].as_array().expect("a list").iter().chain([&of["return"], of]);
    assert!(values.flat_map(questions).next().is_some(), "{name} has no question: {of}");
    let file = folder(&format!("pitfall-{test}-refused")).join("document.json");
    std::fs::write(&file, document.to_string()).expect("it can be written");
    let run = opendyn(&["call", argument(&file), name, arguments]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    let start = format!("error: `{name}` cannot be called with JSON: ");
    assert!(run.stderr.starts_with(&start), "{}", run.stderr);
}

/// Answers the question of a value.
fn answer(document: &mut Value, name: &str, value: &str, keys: &Value) {
    let functions = document["functions"].as_array_mut().expect("a list");
    let function = functions.iter_mut().find(|function| function["name"] == name).expect(name);
    let value = match value {
        "result" => &mut function["return"],
        _ => function["parameters"]
            .as_array_mut()
            .expect("a list")
            .iter_mut()
            .find(|parameter| parameter["name"] == value)
            .expect(value),
    };
    let value = value.as_object_mut().expect("an object");
    // What the code of the library proves is not asked.
    value.shift_remove("x-todo");
    value.extend(keys.as_object().expect("an object").clone());
}

/// The schema of a handle, or of a pointer to one.
fn handle(of: &str, depth: u32) -> Value {
    let c_type = json!({ "type": "void", "isPointer": true, "x-pointerDepth": depth, "x-handle": of });
    json!({ "type": "object", "cType": c_type })
}

/// Calls that share their handles.
struct Batch {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Batch {
    fn of(test: &str, document: &Value) -> Self {
        let file = folder(&format!("pitfall-{test}-batch")).join("document.json");
        std::fs::write(&file, document.to_string()).expect("it can be written");
        let mut child = command(&["call", argument(&file), "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        Self { child, input, output }
    }

    fn ask(&mut self, function: &str, arguments: &Value) -> Value {
        writeln!(self.input, "{}", json!({ "function": function, "arguments": arguments }))
            .expect("it reads");
        let line = self.output.next().expect("an answer").expect("text");
        serde_json::from_str(&line).expect("JSON")
    }

    fn call(&mut self, function: &str, arguments: &Value) -> Value {
        let mut answer = self.ask(function, arguments);
        assert!(answer["result"].is_object(), "{function}: {answer}");
        answer["result"].take()
    }

    /// The reason why a call was refused.
    fn refused(&mut self, function: &str, arguments: &Value) -> String {
        let answer = self.ask(function, arguments);
        assert_eq!(answer["error"]["code"], 400, "{function}: {answer}");
        answer["error"]["message"].as_str().expect("a message").to_owned()
    }

    /// What is left is freed, and nothing is freed twice: the process ends with a status, not with a signal.
    fn exits(mut self) {
        drop(self.input);
        let status = self.child.wait().expect("it ends");
        assert!(status.code().is_some(), "{status}");
    }
}

#[test]
#[cfg_attr(no_pitfall_libraries, ignore = "needs the libraries of PITFALLS in Debian 12, see .ci/install")]
fn jpeg_start_decompress_without_arguments() {
    let document = imported(JPEG, &["jpeg_start_decompress"]);
    assert_refused("jpeg", &document, "jpeg_start_decompress", "{}");
    assert_eq!(function(&document, "jpeg_start_decompress")["parameters"][0]["isIn"], true);
}

#[test]
#[cfg_attr(no_pitfall_libraries, ignore = "needs the libraries of PITFALLS in Debian 12, see .ci/install")]
fn ft_done_freetype_twice() {
    let mut document = imported(FREETYPE, &["FT_Init_FreeType", "FT_Done_FreeType"]);
    assert_refused("freetype", &document, "FT_Init_FreeType", "{}");
    assert_refused("freetype-done", &document, "FT_Done_FreeType", "{}");
    let free = "FT_Done_FreeType";
    let made = json!({ "isIn": false, "x-free": free, "schema": handle("FT_Library", 2) });
    answer(&mut document, "FT_Init_FreeType", "alibrary", &made);
    answer(&mut document, free, "library", &json!({ "x-free": free, "schema": handle("FT_Library", 1) }));
    let mut batch = Batch::of("freetype", &document);
    let library = json!({ "library": batch.call("FT_Init_FreeType", &json!({}))["alibrary"] });
    batch.call(free, &library);
    assert!(batch.refused(free, &library).ends_with("was freed"));
    // This one is freed at the end.
    batch.call("FT_Init_FreeType", &json!({}));
    batch.exits();
}

#[test]
#[cfg_attr(no_pitfall_libraries, ignore = "needs the libraries of PITFALLS in Debian 12, see .ci/install")]
fn geos_prepared_geom_destroy_and_use() {
    let document = imported(GEOS, &["GEOSPrepare", "GEOSPreparedGeom_destroy"]);
    assert_refused("geos", &document, "GEOSPrepare", r#"{"g": null}"#);
    assert_refused("geos-destroy", &document, "GEOSPreparedGeom_destroy", r#"{"g": null}"#);
    // Those without a context need `initGEOS`, which takes callbacks.
    let names = [
        "GEOS_init_r",
        "GEOS_finish_r",
        "GEOSGeomFromWKT_r",
        "GEOSGeom_destroy_r",
        "GEOSPrepare_r",
        "GEOSPreparedContains_r",
        "GEOSPreparedGeom_destroy_r",
    ];
    let mut document = imported(GEOS, &names);
    let context = json!({ "x-free": "GEOS_finish_r", "schema": handle("GEOSContextHandle_t", 1) });
    answer(&mut document, "GEOS_init_r", "result", &context);
    answer(&mut document, "GEOS_finish_r", "handle", &context);
    for name in &names[2..] {
        answer(&mut document, name, "handle", &json!({ "schema": context["schema"] }));
    }
    for (make, of, free) in [
        ("GEOSGeomFromWKT_r", "GEOSGeometry", "GEOSGeom_destroy_r"),
        ("GEOSPrepare_r", "GEOSPreparedGeometry", "GEOSPreparedGeom_destroy_r"),
    ] {
        let frees = json!({ "call": free, "args": ["handle", "value"] });
        let parents: &[&str] = if make == "GEOSPrepare_r" { &["handle", "g"] } else { &["handle"] };
        let made = json!({ "x-free": frees, "x-parent": parents, "schema": handle(of, 1) });
        answer(&mut document, make, "result", &made);
        answer(&mut document, free, "g", &json!({ "x-free": free, "schema": handle(of, 1) }));
    }
    let mut batch = Batch::of("geos", &document);
    let handle = batch.call("GEOS_init_r", &json!({}))["result"].take();
    let square = json!({ "handle": handle, "wkt": "POLYGON((0 0, 2 0, 2 2, 0 2, 0 0))" });
    let geometry = batch.call("GEOSGeomFromWKT_r", &square)["result"].take();
    let prepared = batch.call("GEOSPrepare_r", &json!({ "handle": handle, "g": geometry }))["result"].take();
    let both = json!({ "handle": handle, "pg1": prepared, "g2": geometry });
    assert_eq!(batch.call("GEOSPreparedContains_r", &both)["result"], 1);
    batch.call("GEOSPreparedGeom_destroy_r", &json!({ "handle": handle, "g": prepared }));
    assert!(batch.refused("GEOSPreparedContains_r", &both).ends_with("was freed"));
    batch.exits();
}

#[test]
#[cfg_attr(no_pitfall_libraries, ignore = "needs the libraries of PITFALLS in Debian 12, see .ci/install")]
fn cjson_add_item_to_object_and_exit() {
    let names = ["cJSON_CreateObject", "cJSON_CreateNumber", "cJSON_AddItemToObject", "cJSON_Delete"];
    let mut document = imported(CJSON, &names);
    assert_refused("cjson", &document, "cJSON_AddItemToObject", "{}");
    assert_refused("cjson-create", &document, "cJSON_CreateObject", "{}");
    let item = || handle("Item", 1);
    let free = "cJSON_Delete";
    for name in ["cJSON_CreateObject", "cJSON_CreateNumber"] {
        answer(&mut document, name, "result", &json!({ "x-free": free, "schema": item() }));
    }
    answer(&mut document, free, "item", &json!({ "x-free": free, "schema": item() }));
    answer(&mut document, "cJSON_AddItemToObject", "object", &json!({ "schema": item() }));
    let taken = json!({ "x-takes": "object", "schema": item() });
    answer(&mut document, "cJSON_AddItemToObject", "item", &taken);
    let text = json!({ "schema": { "type": "string", "cType": { "type": "char", "isPointer": true } } });
    answer(&mut document, "cJSON_AddItemToObject", "string", &text);
    let mut batch = Batch::of("cjson", &document);
    let object = batch.call("cJSON_CreateObject", &json!({}))["result"].take();
    let number = batch.call("cJSON_CreateNumber", &json!({ "num": 3.0 }))["result"].take();
    let add = json!({ "object": object, "string": "n", "item": number });
    assert_eq!(batch.call("cJSON_AddItemToObject", &add)["result"], 1);
    batch.refused("cJSON_AddItemToObject", &add);
    batch.refused(free, &json!({ "item": number }));
    // The object is freed at the end, and with it the number.
    batch.exits();
}

#[test]
#[cfg_attr(no_pitfall_libraries, ignore = "needs the libraries of PITFALLS in Debian 12, see .ci/install")]
fn git_branch_lookup_and_exit() {
    let names = [
        "git_libgit2_init",
        "git_repository_open",
        "git_repository_free",
        "git_branch_lookup",
        "git_branch_delete",
        "git_reference_free",
        "git_reference_name",
    ];
    let mut document = imported(GIT2, &names);
    assert_refused("git2", &document, "git_branch_lookup", "{}");
    assert_refused("git2-delete", &document, "git_branch_delete", "{}");
    assert_eq!(function(&document, "git_branch_lookup")["parameters"][0].get("x-free"), None);
    for (name, of) in [("git_branch_lookup", "git_reference"), ("git_repository_open", "git_repository")] {
        let made = json!({ "isIn": false, "x-free": format!("{of}_free"), "schema": handle(of, 2) });
        answer(&mut document, name, "out", &made);
    }
    let repository = folder("pitfall-repository");
    std::fs::create_dir_all(repository.join("objects")).expect("a folder");
    std::fs::create_dir_all(repository.join("refs/heads")).expect("a folder");
    let branch = repository.join("refs/heads/main");
    std::fs::write(repository.join("HEAD"), "ref: refs/heads/main\n").expect("it can be written");
    std::fs::write(&branch, format!("{}\n", "a".repeat(40))).expect("it can be written");
    let mut batch = Batch::of("git2", &document);
    batch.call("git_libgit2_init", &json!({}));
    let open = json!({ "path": argument(&repository) });
    let repo = batch.call("git_repository_open", &open)["out"].take();
    let lookup = json!({ "repo": repo, "branch_name": "main", "branch_type": 1 });
    let found = batch.call("git_branch_lookup", &lookup)["out"].take();
    let name = batch.call("git_reference_name", &json!({ "ref": found }));
    assert_eq!(name["result"], "refs/heads/main");
    batch.exits();
    assert!(branch.is_file(), "looking up a branch does not delete it");
}
