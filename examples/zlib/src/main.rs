//! zlib as an agent sees it: bytes in and out as base64, a gzip file as a token.

use std::error::Error;

use serde_json::{Value, json};

opendyn::opendyn!("zlib.json");

fn main() -> Result<(), Box<dyn Error>> {
    // SAFETY: zlib.json describes zlib as its header does.
    let zlib = unsafe { Zlib::open_default()? };
    let call = |function: &str, arguments: Value| -> Result<Value, Box<dyn Error>> {
        let reply = zlib.call_json(function, &arguments.to_string())?;
        println!("{function} {arguments}\n  {reply}");
        Ok(serde_json::from_str(&reply)?)
    };

    call("zlibVersion", json!({}))?;
    // "hello hello hello hello"
    let text = "aGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8=";
    call("crc32", json!({"crc": 0, "buf": text}))?;
    let packed = call("compress", json!({"source": text}))?;
    let unpacked = call("uncompress", json!({"source": packed["dest"], "destLen": 100}))?;
    if unpacked["dest"] != text {
        return Err("what was unpacked is not what was packed".into());
    }

    let path = std::env::temp_dir().join("opendyn-zlib-example.gz");
    let file = call("gzopen", json!({"path": path.to_string_lossy(), "mode": "wb"}))?;
    call("gzputs", json!({"file": file["file"], "s": "one line\n"}))?;
    call("gzclose", json!({"file": file["file"]}))?;
    let file = call("gzopen", json!({"path": path.to_string_lossy(), "mode": "rb"}))?;
    let line = call("gzgets", json!({"file": file["file"], "len": 100}))?;
    call("gzclose", json!({"file": file["file"]}))?;
    std::fs::remove_file(path)?;
    if line["buf"] != "one line\n" {
        return Err("what was read is not what was written".into());
    }
    Ok(())
}
