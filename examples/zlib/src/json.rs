//! The same steps with JSON only, as an agent makes them: bytes are base64, a gzip file is a token.

use std::error::Error;
use std::path::Path;

use data_encoding::BASE64;
use opendyn::{Session, Tool, ToolError};
use serde_json::{Value, json};

use crate::{Results, Zlib, ensure};

pub fn run(zlib: &Zlib, data: &[u8], path: &Path) -> Result<Results, Box<dyn Error>> {
    // One caller, with gzip files of its own. Dropping it closes those that are still open.
    let zlib = Session::new(zlib);
    let source = BASE64.encode(data);

    let checksum = call(&zlib, "crc32", json!({"crc": 0, "buf": source}))?;
    let table = zlib.call_json("get_crc_table", "{}")?;
    ensure(table.starts_with(r#"{"table":[0,1996959894,"#), "the table is that of CRC-32")?;
    let packed = call(&zlib, "compress", json!({"source": source}))?;
    let packed = text(&packed["dest"])?;
    let unpacked = call(&zlib, "uncompress", json!({"source": packed, "destLen": data.len()}))?;
    ensure(unpacked["dest"] == source, "uncompress undoes compress")?;
    let packed_bytes = BASE64.decode(packed.as_bytes())?;
    // Not printed: the size differs between versions of zlib.
    let with_more = BASE64.encode(&[&packed_bytes[..], b"and more"].concat());
    let unpacked =
        zlib.call_json("uncompress2", &json!({"source": with_more, "destLen": data.len()}).to_string())?;
    let unpacked: Value = serde_json::from_str(&unpacked)?;
    ensure(unpacked["sourceLen"] == packed_bytes.len(), "uncompress2 stops where the data ends")?;

    let path = path.to_string_lossy();
    let opened = call(&zlib, "gzopen", json!({"path": path, "mode": "wb"}))?;
    let file = &opened["file"];
    call(&zlib, "gzputs", json!({"file": file, "s": "bytes: "}))?;
    call(&zlib, "gzprintf_int", json!({"file": file, "format": "%d", "value": data.len()}))?;
    call(&zlib, "gzputs", json!({"file": file, "s": "\n"}))?;
    call(&zlib, "gzwrite", json!({"file": file, "buf": source}))?;
    call(&zlib, "gzclose", json!({"file": file}))?;
    fail(&zlib, "gzclose", json!({"file": file}))?;

    let opened = call(&zlib, "gzopen", json!({"path": path, "mode": "rb"}))?;
    let file = &opened["file"];
    let line = call(&zlib, "gzgets", json!({"file": file, "len": 100}))?;
    let read = call(&zlib, "gzread", json!({"file": file, "len": data.len()}))?;
    ensure(read["buf"] == source, "a gzip file has the data that was written")?;

    let mut damaged = packed_bytes.clone();
    if let Some(last) = damaged.last_mut() {
        *last ^= 1;
    }
    let damaged = json!({"source": BASE64.encode(&damaged), "destLen": data.len()});
    let damaged = code(fail(&zlib, "uncompress", damaged)?)?;
    let too_large = code(fail(&zlib, "uncompress", json!({"source": packed, "destLen": 1000}))?)?;

    // A stream points to buffers of the caller, which JSON does not have.
    let stream = json!({"strm": {"avail_in": 1}, "stream_size": 112});
    ensure(
        matches!(fail(&zlib, "deflateInit_", stream)?, ToolError::NotCallable { .. }),
        "streams are refused",
    )?;

    Ok(Results {
        checksum: checksum["checksum"].to_string(),
        packed: packed_bytes,
        line: text(&line["buf"])?.to_owned(),
        damaged,
        too_large,
    })
}

/// Makes a call that has to succeed, and prints it.
fn call(zlib: &Session<&Zlib>, function: &str, arguments: Value) -> Result<Value, Box<dyn Error>> {
    let reply = serde_json::from_str(&zlib.call_json(function, &arguments.to_string())?)?;
    println!("  {function} {} -> {}", shown(&arguments), shown(&reply));
    Ok(reply)
}

/// Makes a call that has to fail, and prints it.
fn fail(zlib: &Session<&Zlib>, function: &str, arguments: Value) -> Result<ToolError, Box<dyn Error>> {
    println!("  {function} {}", shown(&arguments));
    match zlib.call_json(function, &arguments.to_string()) {
        Ok(reply) => Err(format!("the call should have failed: {reply}").into()),
        Err(error) => {
            let token = arguments["file"].as_str().unwrap_or(TOKEN);
            println!("    {}", error.to_string().replace(token, TOKEN));
            Ok(error)
        }
    }
}

/// The code of a failed call, and its text.
fn code(error: ToolError) -> Result<(i64, String), Box<dyn Error>> {
    match error {
        ToolError::CallFailed { code: Some(code), message, .. } => Ok((code, message)),
        error => Err(error.into()),
    }
}

fn text(value: &Value) -> Result<&str, Box<dyn Error>> {
    value.as_str().ok_or_else(|| format!("{value} is not text").into())
}

/// How tokens are printed, because they differ in each run.
const TOKEN: &str = "gzFile:…";

/// JSON as it is printed: long data, tokens and the folder for temporary files are shortened.
fn shown(value: &Value) -> Value {
    match value {
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), shown(value))).collect(),
        Value::String(text) if text.starts_with("gzFile:") => TOKEN.into(),
        Value::String(text) if Path::new(text).is_absolute() => "…/file.gz".into(),
        Value::String(text) if text.len() > 100 => format!("{:.2}…", text).into(),
        other => other.clone(),
    }
}
