//! A library that everybody has.

use serde_json::{Value, json};

use crate::command::{argument, folder, opendyn, root};

const ZLIB: &str = "examples/zlib/zlib.json";

/// 17 bytes.
const SOURCE: &str = "aGVsbG8gaGVsbG8gaGVsbG8=";

#[test]
fn a_capacity_that_is_too_small_is_caught() {
    let text = std::fs::read_to_string(root().join(ZLIB)).expect("a file");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    let functions = document["functions"].as_array_mut().expect("functions");
    let compress = functions.iter_mut().find(|function| function["name"] == "compress").expect("compress");
    // The caller says how much room there is, and there is less.
    let dest = compress["parameters"][0].as_object_mut().expect("dest");
    dest.insert("x-length".to_owned(), json!({"const": 5}));
    dest.remove("x-written");
    compress["parameters"][1]["isIn"] = json!(true);
    compress["parameters"][1]["x-inout"] = json!(true);
    let path = folder("tried_zlib").join("zlib.json");
    std::fs::write(&path, document.to_string()).expect("written");
    let arguments = json!({"source": SOURCE, "destLen": 100}).to_string();
    let run = opendyn(&["check", argument(&path), "--try", "compress", &arguments]);
    assert_eq!(run.status, 1, "{}", run.stdout);
    let expected =
        "`compress` wrote past the capacity of `dest` (5 bytes): the document says that `x-length` is 5";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
}

#[test]
fn no_fault_is_seen_with_the_right_document() {
    let compress = json!({"source": SOURCE}).to_string();
    let uncompress = json!({"source": "$1.dest", "destLen": 17}).to_string();
    let run = opendyn(&["check", ZLIB, "--try", "compress", &compress, "--try", "uncompress", &uncompress]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert!(run.stdout.contains("\n  no fault seen with these arguments\n"), "{}", run.stdout);
}
