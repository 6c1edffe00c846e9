//! Zstandard: a stream compressed in pieces through `ZSTD_inBuffer` and `ZSTD_outBuffer`, and decompressed at once.

use std::path::Path;

use data_encoding::BASE64;
use opendyn::Tool;
use serde_json::json;

use crate::report::{Done, Report, bytes, call};

opendyn::opendyn!("documents/zstd.json", strings = str);

/// How much is compressed at once, and how much room there is for it.
const PIECE: usize = 3_000;
const ROOM: usize = 512;

fn data() -> Vec<u8> {
    (0..5_000_u32).flat_map(|number| (number * number).to_le_bytes()).collect()
}

fn report(data: &[u8], frame: &[u8], whole: &[u8]) -> Report {
    let mut report = Report::default();
    report.fact(format!("{} bytes became {}", data.len(), frame.len()));
    report.fact(format!("and the same again: {}", data == whole));
    report
}

/// With typed calls.
///
/// # Errors
///
/// A call failed that should not.
pub fn typed(library: &Zstd, _: &Path) -> Done {
    let data = data();
    let stream = library.create_c_ctx()?;
    stream.set_parameter(CParameter::CompressionLevel, 5)?;
    let mut frame = Vec::new();
    let mut pieces = data.chunks(PIECE).peekable();
    while let Some(piece) = pieces.next() {
        let end = if pieces.peek().is_none() { EndDirective::End } else { EndDirective::Continue };
        let mut input = InBuffer { src: piece.to_vec(), pos: 0 };
        loop {
            let mut output = OutBuffer { dst: Vec::new(), size: ROOM, pos: 0 };
            let left = stream.compress_stream2(&mut output, &mut input, end)?;
            frame.extend(output.dst);
            let done = if end == EndDirective::End { left == 0 } else { input.pos == input.src.len() };
            if done {
                break;
            }
        }
    }
    let whole = library.decompress(data.len(), &frame)?;
    let mut report = report(&data, &frame, &whole);
    report.failure(library.decompress(data.len(), b"not a frame"))?;
    report.failure(library.decompress(10, &frame))?;
    Ok(report)
}

/// With JSON.
///
/// # Errors
///
/// A call failed that should not.
pub fn json(tool: &dyn Tool, _: &Path) -> Done {
    let data = data();
    let stream = call(tool, "ZSTD_createCCtx", &json!({}))?["cctx"].take();
    call(tool, "ZSTD_CCtx_setParameter", &json!({"cctx": stream, "parameter": 100, "value": 5}))?;
    let mut frame = Vec::new();
    let mut pieces = data.chunks(PIECE).peekable();
    while let Some(piece) = pieces.next() {
        let end = if pieces.peek().is_none() { 2 } else { 0 };
        let mut input = json!({"src": BASE64.encode(piece)});
        loop {
            let arguments = json!({"cctx": stream, "output": {"size": ROOM}, "input": input, "end": end});
            let reply = call(tool, "ZSTD_compressStream2", &arguments)?;
            frame.extend(bytes(&reply["output"], "dst")?);
            input["pos"] = reply["input"]["pos"].clone();
            let done = if end == 2 { reply["left"] == 0 } else { input["pos"] == piece.len() };
            if done {
                break;
            }
        }
    }
    let decompress = |size: usize, frame: &[u8]| {
        call(tool, "ZSTD_decompress", &json!({"dstCapacity": size, "src": BASE64.encode(frame)}))
    };
    let whole = bytes(&decompress(data.len(), &frame)?, "dst")?;
    let mut report = report(&data, &frame, &whole);
    report.failure(decompress(data.len(), b"not a frame"))?;
    report.failure(decompress(10, &frame))?;
    Ok(report)
}
