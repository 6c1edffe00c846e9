//! What `handles` found in the shipped documents, each as a test of its own.

#![expect(clippy::expect_used, reason = "test code may panic")]

use opendyn::Tool;
use opendyn_interpreter::{Document, Interpreted, Options};
use serde_json::{Value, json};

fn zlib() -> Interpreted {
    let source = include_str!("../../../examples/zlib/zlib.json");
    let document = Document::read("zlib.json", source, &Options::default()).expect("it is a document");
    // SAFETY: the document describes the library.
    unsafe { Interpreted::open_default(document) }.expect("it is installed")
}

fn call(zlib: &Interpreted, function: &str, arguments: &Value) -> Result<Value, String> {
    let reply = zlib.call_json(function, &arguments.to_string()).map_err(|error| error.to_string())?;
    Ok(serde_json::from_str(&reply).expect("a reply is JSON"))
}

/// `gzclose` reports that the data ended early, and has closed the file: to close it again is a double free.
#[test]
fn a_gzip_file_that_ends_early_is_closed_once() {
    let zlib = zlib();
    let path = std::env::temp_dir().join(format!("opendyn-ends-early-{}.gz", std::process::id()));
    let name = path.to_string_lossy();
    let file =
        call(&zlib, "gzopen", &json!({"path": name, "mode": "wb"})).expect("it is created")["file"].clone();
    call(&zlib, "gzputs", &json!({"file": file, "s": "a text that is compressed"})).expect("it is written");
    call(&zlib, "gzclose", &json!({"file": file})).expect("it is complete");
    let bytes = std::fs::read(&path).expect("it was written");
    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("it can be written");

    let file =
        call(&zlib, "gzopen", &json!({"path": name, "mode": "rb"})).expect("it is there")["file"].clone();
    let _ = call(&zlib, "gzread", &json!({"file": file, "len": 100}));
    let closed = call(&zlib, "gzclose", &json!({"file": file})).expect_err("it ends early");
    std::fs::remove_file(&path).expect("it can be removed");
    assert!(closed.contains("buffer error"), "{closed}");
    let again = call(&zlib, "gzclose", &json!({"file": file})).expect_err("it was freed");
    assert!(again.contains("was freed"), "{again}");
}

/// zlib 1.2.13, which systems still have, writes to an address that it never set if `gzungetc` comes before the first
/// read, and follows one if `gzsetparams` comes for a file that is written without compression.
#[test]
fn functions_that_crash_in_a_version_that_is_in_use_cannot_be_called() {
    let zlib = zlib();
    for function in ["gzungetc", "gzsetparams"] {
        let error = call(&zlib, function, &json!({})).expect_err(function);
        assert!(error.contains("unknown function"), "{error}");
    }
}
