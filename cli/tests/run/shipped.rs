//! The workflows of the examples.

use serde_json::{Value, json};

use crate::{opendyn, said};

const ZLIB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/zlib");

/// "hello hello hello"
const BYTES: &str = "aGVsbG8gaGVsbG8gaGVsbG8=";

fn zlib(arguments: &[&str]) -> Value {
    let said = said(opendyn(arguments).current_dir(ZLIB));
    assert_eq!(said.status, Some(0), "{}", said.err);
    serde_json::from_str(&said.out).expect("one JSON object")
}

#[test]
fn pack_compresses_and_returns_the_checksum_of_the_original() {
    let input = json!({"data": BYTES, "level": 9}).to_string();
    let packed = zlib(&["run", "flows/pack.json", "zlib.json", "--input", &input]);
    assert_eq!(packed["checksum"], json!(3_858_335_872_u32));
    let input = json!({"source": packed["packed"], "destLen": 100}).to_string();
    assert_eq!(zlib(&["call", "zlib.json", "uncompress", &input])["dest"], json!(BYTES));
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn the_round_trip_goes_through_the_library_and_scripts() {
    let input = json!({"data": BYTES}).to_string();
    let files = ["zlib.json", "tools/decompress.py", "tools/expect_equal.py"];
    let arguments = [&["run", "flows/roundtrip.json"], &files[..], &["--input", &input]].concat();
    let trip = zlib(&arguments);
    assert_eq!((&trip["bytes"], &trip["checksum"]), (&json!(17), &json!(3_858_335_872_u32)));
}
