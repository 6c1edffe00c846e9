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

    let stream = text(&call(&zlib, "deflateInit_", json!({}))?["strm"])?.to_owned();
    let mut streamed = Vec::new();
    let mut pieces = data.chunks(PIECE).peekable();
    while let Some(piece) = pieces.next() {
        let flush = if pieces.peek().is_some() { 0 } else { 4 };
        streamed.extend(feed(&zlib, "deflate", &stream, piece, flush)?);
    }
    // Not printed: the size differs between versions of zlib.
    let total = zlib.call_json("deflateTotalOut", &json!({"strm": stream}).to_string())?;
    let total: Value = serde_json::from_str(&total)?;
    ensure(total["bytes"] == streamed.len(), "total_out counts what was written")?;
    let stream = text(&call(&zlib, "inflateInit_", json!({}))?["strm"])?.to_owned();
    ensure(feed(&zlib, "inflate", &stream, &streamed, 0)? == data, "inflate undoes deflate")?;
    call(&zlib, "inflateReset", json!({"strm": stream}))?;
    let other = json!({"strm": stream, "next_in": BASE64.encode(b"not zlib"), "avail_out": 100});
    let not_zlib = code(fail(&zlib, "inflate", other)?)?;

    Ok(Results {
        checksum: checksum["checksum"].to_string(),
        packed: packed_bytes,
        line: text(&line["buf"])?.to_owned(),
        streamed,
        not_zlib,
        damaged,
        too_large,
    })
}

/// The size of an input piece, and the room for output.
const PIECE: usize = 16 * 1024;
const ROOM: usize = 256 * 1024;

/// Passes a piece to a stream, and collects what it writes.
fn feed(
    zlib: &Session<&Zlib>,
    function: &str,
    stream: &str,
    mut piece: &[u8],
    flush: u32,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut written = Vec::new();
    loop {
        let arguments =
            json!({"strm": stream, "flush": flush, "next_in": BASE64.encode(piece), "avail_out": ROOM});
        let reply: Value = serde_json::from_str(&zlib.call_json(function, &arguments.to_string())?)?;
        let left = reply["avail_in"].as_u64().ok_or("no count")?;
        piece = &piece[piece.len() - usize::try_from(left)?..];
        let output = BASE64.decode(text(&reply["next_out"])?.as_bytes())?;
        let is_full = output.len() == ROOM;
        written.extend(output);
        if !is_full {
            return Ok(written);
        }
    }
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
const STREAM: &str = "stream:…";

/// JSON as it is printed: long data, tokens and the folder for temporary files are shortened.
fn shown(value: &Value) -> Value {
    match value {
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), shown(value))).collect(),
        Value::String(text) if text.starts_with("gzFile:") => TOKEN.into(),
        Value::String(text) if text.contains("Stream:") => STREAM.into(),
        Value::String(text) if Path::new(text).is_absolute() => "…/file.gz".into(),
        Value::String(text) if text.len() > 100 => format!("{:.2}…", text).into(),
        other => other.clone(),
    }
}
