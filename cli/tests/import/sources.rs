//! Headers, exports and debug info together.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::{argument, folder, opendyn};
use super::{function, questions};

const HEADER: &str = "#define MINE_VERSION_MAJOR 2\n#define MINE_VERSION_MINOR 7\n#define MINE_VERSION_PATCH 1\n\
    int mine_add(int, int);\nint mine_hidden(int a);\n";
const SOURCE: &str = "int mine_add(int first, int second) { return first + second; }\n\
    int mine_extra(const char *text, double factor) { return *text * factor; }\n";

/// A library with debug info, and its header.
fn library(name: &str, file: &str) -> (PathBuf, PathBuf) {
    let folder = folder(name);
    let (header, library) = (folder.join("mine.h"), folder.join(file));
    std::fs::write(&header, HEADER).expect("it can be written");
    compile(&library, &[("mine.c", SOURCE)]);
    (header, library)
}

/// Compiles sources to a library beside them.
fn compile(library: &Path, sources: &[(&str, &str)]) {
    let paths: Vec<PathBuf> = sources.iter().map(|(name, _)| library.with_file_name(name)).collect();
    for (path, (_, source)) in paths.iter().zip(sources) {
        std::fs::write(path, source).expect("it can be written");
    }
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let status = Command::new(compiler)
        .args(["-g", "-shared", "-fPIC", "-Wl,-soname,libmine.so.2", "-o"])
        .arg(library)
        .args(&paths)
        .status();
    assert!(status.expect("there is a C compiler").success());
}

fn import(arguments: &[&str]) -> serde_json::Value {
    let run = opendyn(&[&["import"], arguments].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

fn names(document: &serde_json::Value) -> Vec<&str> {
    document["functions"].as_array().expect("a list").iter().filter_map(|f| f["name"].as_str()).collect()
}

fn text(path: &Path) -> &str {
    argument(path)
}

#[test]
#[cfg(target_os = "linux")]
fn only_what_the_library_exports_is_imported() {
    let (header, library) = library("import-exports", "libmine.so.2.7.1");
    let document = import(&[text(&header), "--library", text(&library)]);
    assert_eq!(names(&document), ["mine_add"]);
    assert_eq!(names(&import(&[text(&header)])), ["mine_add", "mine_hidden"]);
}

#[test]
#[cfg(target_os = "linux")]
fn the_library_tells_its_name_and_version() {
    let (header, library) = library("import-info", "libmine.so.2.7.1");
    let info = &import(&[text(&header), "--library", text(&library)])["info"];
    assert_eq!(info["title"], "mine");
    assert_eq!(info["version"], "2.7.1");
    assert_eq!(info["x-library"]["linux"], "libmine.so.2");
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_library_constants_tell_the_version_and_its_file_is_asked_for() {
    let (header, _) = library("import-version", "libmine.so.2.7.1");
    let info = &import(&[text(&header)])["info"];
    assert_eq!(info["version"], "2.7.1");
    assert!(questions(info).iter().any(|question| question.contains("\"x-library\"")));
}

#[test]
#[cfg(target_os = "linux")]
fn debug_info_names_the_parameters_that_the_header_does_not() {
    let (header, library) = library("import-names", "libmine.so");
    let stripped = library.with_file_name("libstripped.so");
    let status = Command::new("strip").arg("--strip-debug").arg(&library).arg("-o").arg(&stripped).status();
    assert!(status.expect("there is strip").success());
    let arguments = [text(&header), "--library", text(&stripped)];
    assert_eq!(function(&import(&arguments), "mine_add")["parameters"][1]["name"], "arg2");
    let with = import(&[&arguments[..], &["--debug-info", text(&library)]].concat());
    assert_eq!(function(&with, "mine_add")["parameters"][1]["name"], "second");
}

#[test]
#[cfg(target_os = "linux")]
fn debug_info_alone_is_enough() {
    let (_, library) = library("import-debug", "libmine.so");
    let document = import(&["--debug-info", text(&library)]);
    assert_eq!(names(&document), ["mine_add", "mine_extra"]);
    let extra = function(&document, "mine_extra");
    assert_eq!(extra["parameters"][0]["schema"]["type"], "string");
    assert_eq!(extra["parameters"][1]["schema"]["cType"]["type"], "double");
    let found = opendyn_codegen::check("t.json", &document.to_string(), &opendyn_codegen::Options::default());
    assert_eq!(found.errors().count(), 0, "{found}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_struct_that_one_unit_declares_and_another_defines_has_its_members() {
    let library = folder("import-units").join("libmine.so");
    compile(
        &library,
        &[
            ("first.c", "struct arena;\nint mine_use(struct arena *a, int n) { return a != 0 && n; }\n"),
            ("second.c", "struct arena { int x, y; };\nint mine_x(struct arena *a) { return a->x; }\n"),
        ],
    );
    let document = import(&["--debug-info", text(&library)]);
    assert_eq!(document["schemas"]["arena"]["properties"]["y"]["cType"]["type"], "int");
    let found = opendyn_codegen::check("t.json", &document.to_string(), &opendyn_codegen::Options::default());
    assert_eq!(found.errors().count(), 0, "{found}");
}

#[test]
#[cfg(target_os = "linux")]
fn the_library_s_own_debug_info_names_parameters() {
    let (header, library) = library("import-own-names", "libmine.so.2.7.1");
    let arguments = [text(&header), "--library", text(&library)];
    let document = import(&arguments);
    let parameters = function(&document, "mine_add")["parameters"].as_array().expect("a list");
    assert_eq!((&parameters[0]["name"], &parameters[1]["name"]), (&"first".into(), &"second".into()));
    let run = opendyn(&[&["import"], &arguments[..], &["--summary", "--evidence"]].concat());
    assert!(
        run.stdout.contains("mine_add.first\tits name\tdebug info: `mine_add(first, second)`"),
        "{}",
        run.stdout
    );
}
