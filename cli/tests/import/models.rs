//! What models see of imported documents: descriptions without what JSON does not have. The documents keep the whole
//! text, for Rust.

use serde_json::Value;

use super::command::{argument, folder, opendyn, opendyn_with};

/// The functions that a model sees, with every question answered by its first answer, and those of the document.
fn functions(name: &str, arguments: &[&str]) -> (Vec<Value>, Vec<Value>) {
    let folder = folder(&format!("import-models-{name}"));
    let (document, answers) = (folder.join("document.json"), folder.join("answers.json"));
    let ask = ["-o", argument(&document), "--force", "--ask", "--answers", argument(&answers)];
    let run = opendyn_with(&[&["import"], arguments, &ask].concat(), &"1\n".repeat(40));
    assert_eq!(run.status, 0, "{}", run.stderr);
    let exported = opendyn(&["export", "-f", "opentool", argument(&document)]);
    assert_eq!(exported.status, 0, "{}", exported.stderr);
    let list = |text: &str| {
        let value: Value = serde_json::from_str(text).expect("JSON");
        value["functions"].as_array().expect("a list").clone()
    };
    (list(&exported.stdout), list(&std::fs::read_to_string(&document).expect("it is there")))
}

fn of<'f>(functions: &'f [Value], name: &str) -> &'f Value {
    functions.iter().find(|function| function["name"] == name).expect(name)
}

fn text<'f>(functions: &'f [Value], name: &str) -> &'f str {
    of(functions, name)["description"].as_str().expect("a text")
}

#[test]
#[cfg_attr(no_zlib_and_sqlite, ignore = "needs zlib1g-dev and libsqlite3-dev of Debian 12")]
fn the_lengths_and_examples_of_zlib_are_not_told_to_models() {
    let (seen, whole) =
        functions("zlib", &["zlib.h", "--library", "libz.so.1", "--only", "compress", "--only", "crc32"]);
    let length = "sourceLen is the byte length of the source buffer.";
    assert!(text(&whole, "compress").contains(length) && !text(&seen, "compress").contains(length));
    assert!(text(&seen, "compress").contains("destLen is the total size"), "JSON has it");
    assert!(text(&whole, "crc32").contains("```c\n") && !text(&seen, "crc32").contains("Usage example"));
    assert!(text(&seen, "crc32").contains("Pre- and post-conditioning"));
}

#[test]
#[cfg_attr(no_zlib_and_sqlite, ignore = "needs zlib1g-dev and libsqlite3-dev of Debian 12")]
fn what_sqlite_says_about_arguments_of_json_stays() {
    let names = ["sqlite3_complete", "sqlite3_libversion", "sqlite3_sleep"];
    let only = names.iter().flat_map(|name| ["--only", name]);
    let arguments = ["sqlite3.h", "--library", "libsqlite3.so.0"].into_iter().chain(only);
    let (seen, whole) = functions("sqlite", &arguments.collect::<Vec<&str>>());
    for name in names {
        assert_eq!(text(&seen, name), text(&whole, name));
    }
}

#[test]
#[cfg_attr(no_glib, ignore = "needs libglib2.0-dev and its GIR file")]
fn models_free_no_text_of_glib() {
    let (seen, whole) = functions(
        "glib",
        &[
            "glib.h",
            "-I",
            "/usr/include/glib-2.0",
            "-I",
            "/usr/lib/x86_64-linux-gnu/glib-2.0/include",
            "--also",
            "/usr/include/glib-2.0/glib",
            "--library",
            "libglib-2.0.so.0",
            "--only",
            "g_strdup",
            "--only",
            "g_strrstr",
        ],
    );
    let freed = "The returned string should be freed";
    assert!(text(&whole, "g_strdup").contains(freed) && !text(&seen, "g_strdup").contains(freed));
    let found = "a pointer to the found occurrence, or NULL if not found.";
    assert_eq!(of(&seen, "g_strrstr")["return"]["description"], found, "it is the rest of the text");
}

#[test]
#[cfg_attr(no_judged_libraries, ignore = "needs the twelve libraries of tests/judged in Debian 12")]
fn a_pointer_to_a_handle_is_the_handle() {
    let (seen, whole) = functions("event", &["event2/buffer.h", "--only", "evbuffer_get_length"]);
    let about =
        |functions: &[Value]| of(functions, "evbuffer_get_length")["parameters"][0]["description"].clone();
    assert_eq!((about(&whole), about(&seen)), ("pointer to the evbuffer".into(), "the evbuffer".into()));
}

#[test]
#[cfg_attr(no_judged_libraries, ignore = "needs the twelve libraries of tests/judged in Debian 12")]
fn what_is_about_arguments_of_json_is_told_as_it_is() {
    let (seen, whole) =
        functions("webp", &["webp/decode.h", "--only", "WebPGetDecoderVersion", "--only", "WebPGetInfo"]);
    for function in &seen {
        let name = function["name"].as_str().expect("a name");
        assert_eq!(text(&seen, name), text(&whole, name));
    }
}
