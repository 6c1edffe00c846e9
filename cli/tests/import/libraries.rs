//! Real headers: zlib and SQLite, in the versions of Debian 12.

use opendyn_tests::Workspace;
use serde_json::{Value, json};

use super::command::{argument, assert_golden, folder, opendyn};
use super::{bindings, is_unsafe, method, questions};

/// The documents as imported, and with every suggestion taken.
fn documents(header: &str, library: &str) -> [Value; 2] {
    let arguments = ["import", header, "--library", library];
    [&arguments[..], &[&arguments[..], &["--take-suggestions"]].concat()].map(|arguments| {
        let run = opendyn(arguments);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let found = opendyn_codegen::check("t.json", &run.stdout, &opendyn_codegen::Options::default());
        assert_eq!(found.errors().count(), 0, "{found}");
        serde_json::from_str(&run.stdout).expect("JSON")
    })
}

#[test]
#[cfg_attr(no_zlib_and_sqlite, ignore = "needs zlib1g-dev and libsqlite3-dev of Debian 12")]
fn the_numbers_of_zlib_and_sqlite_are_known() {
    let mut text = String::new();
    for (header, library) in [("zlib.h", "libz.so.1"), ("sqlite3.h", "libsqlite3.so.0")] {
        let run = opendyn(&["import", header, "--library", library, "--summary"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        text.push_str(&format!("{header}: {}{}", run.stdout, run.stderr));
    }
    assert_golden("import/zlib-and-sqlite.txt", &text);
}

#[test]
#[cfg_attr(no_zlib_and_sqlite, ignore = "needs zlib1g-dev and libsqlite3-dev of Debian 12")]
fn the_bindings_of_zlib_and_sqlite_compile() {
    let workspace = Workspace::new("imported", &["imported"]);
    let mut library = "//! Bindings.\n#![deny(warnings, missing_docs)]\n".to_owned();
    for (name, header, file) in [("z", "zlib.h", "libz.so.1"), ("sqlite", "sqlite3.h", "libsqlite3.so.0")] {
        for (suffix, document) in ["", "_answered"].into_iter().zip(documents(header, file)) {
            library.push_str(&format!("/// It.\npub mod {name}{suffix};\n"));
            workspace.write(&format!("imported/src/{name}{suffix}.rs"), &bindings(&document));
        }
    }
    workspace.write("imported/src/lib.rs", &library);
    let check = workspace.cargo(&["check"]);
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
}

#[test]
#[cfg_attr(no_zlib_and_sqlite, ignore = "needs zlib1g-dev and libsqlite3-dev of Debian 12")]
fn the_libraries_and_their_headers_agree_with_what_was_imported() {
    let folder = folder("import-check");
    for (header, library) in [("zlib.h", "libz.so.1"), ("sqlite3.h", "libsqlite3.so.0")] {
        for (index, document) in documents(header, library).iter().enumerate() {
            let file = folder.join(format!("{header}-{index}.json"));
            std::fs::write(&file, document.to_string()).expect("it can be written");
            let run = opendyn(&["check", argument(&file), "--library", library, "--header", header]);
            assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
        }
    }
}

/// What zlib documents needs no answer, and answering the questions of two functions as suggested gives two more
/// safe methods.
#[test]
#[cfg_attr(no_zlib_and_sqlite, ignore = "needs zlib1g-dev and libsqlite3-dev of Debian 12")]
fn the_answers_make_compress_uncompress_and_crc32_safe() {
    let run = opendyn(&["import", "zlib.h", "--library", "libz.so.1"]);
    let mut document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let mut answer = |function: &str, parameter: usize, suggestion: &str, keys: Value| {
        let functions = document["functions"].as_array_mut().expect("a list");
        let function = functions.iter_mut().find(|f| f["name"] == function).expect("it is there");
        let parameter = &mut function["parameters"][parameter];
        let asked = questions(parameter).join("\n");
        assert!(asked.contains(suggestion), "{asked}");
        let object = parameter.as_object_mut().expect("an object");
        object.shift_remove("x-todo");
        for (key, value) in keys.as_object().expect("an object") {
            match (key.as_str(), value) {
                ("schema", Value::Object(inner)) => {
                    object["schema"].as_object_mut().expect("an object").extend(inner.clone());
                }
                _ => {
                    object.insert(key.clone(), value.clone());
                }
            }
        }
    };
    answer(
        "compress",
        0,
        "{ \"call\": \"compressBound\", \"args\": [\"sourceLen\"], \"parameter\": \"destLen\" }",
        json!({ "isIn": false, "x-length": { "call": "compressBound", "args": ["sourceLen"], "parameter": "destLen" },
            "schema": { "type": "string", "x-encoding": "base64" } }),
    );
    answer(
        "uncompress",
        0,
        "write \"isIn\": false, \"x-length\": \"destLen\"; in `schema` write \"type\": \"string\", \"x-encoding\": \"base64\"",
        json!({ "isIn": false, "x-length": "destLen", "schema": { "type": "string", "x-encoding": "base64" } }),
    );
    let text = bindings(&document);
    assert!(
        method(&text, "compress").starts_with("pub fn compress( &self, source: &[u8], )"),
        "{}",
        method(&text, "compress")
    );
    assert!(
        method(&text, "uncompress")
            .starts_with("pub fn uncompress( &self, dest_len: c_ulong, source: &[u8], )")
    );
    assert!(method(&text, "crc32").starts_with("pub fn crc32( &self, crc: c_ulong, buf: Option<&[u8]>, )"));
    assert!(is_unsafe(
        &json!({ "opendyn": "1.0.0", "info": document["info"], "schemas": document["schemas"],
        "functions": [document["functions"].as_array().expect("a list").iter().find(|f| f["name"] == "crc32_z")] })
    ));
}

#[test]
#[cfg_attr(no_zlib_and_sqlite, ignore = "needs zlib1g-dev and libsqlite3-dev of Debian 12")]
fn a_second_import_gives_the_same_text() {
    let folder = folder("import-again");
    let texts = ["a.json", "b.json"].map(|name| {
        let file = folder.join(name);
        let run = opendyn(&["import", "sqlite3.h", "--library", "libsqlite3.so.0", "-o", argument(&file)]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        std::fs::read_to_string(file).expect("it was written")
    });
    assert!(texts[0] == texts[1]);
}
