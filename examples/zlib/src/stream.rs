//! Compresses and decompresses piece by piece, as a program does that cannot hold all of the data.
//!
//! A stream is a state: zlib remembers its address, so it stays in its place, and it ends when it is dropped. Each call
//! is given a piece of the input and room for output, and returns what was written and how much input is left.

use std::error::Error;
use std::ffi::c_uint;

use opendyn::CallError;

use crate::{DeflateStream, Flush, InflateStream, ZlibCode};

/// The size of an input piece.
const PIECE: usize = 16 * 1024;
/// The room for output.
const ROOM: c_uint = 1000;

/// Compresses a whole input.
pub fn deflate(stream: &mut DeflateStream<'_>, input: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    stream.deflate_reset()?;
    run(input, |piece, flush| {
        let step = stream.deflate(Some(flush), piece, ROOM)?;
        Ok((step.code, step.next_out, step.avail_in))
    })
}

/// Decompresses a whole input.
pub fn inflate(stream: &mut InflateStream<'_>, input: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    stream.inflate_reset()?;
    run(input, |piece, flush| {
        let step = stream.inflate(Some(flush), piece, ROOM)?;
        Ok((step.code, step.next_out, step.avail_in))
    })
}

/// The code of a step, what it wrote, and how much of its input is left.
type Step = (ZlibCode, Vec<u8>, c_uint);

/// Passes a whole input to `step`, and collects what it writes.
fn run(
    input: &[u8],
    mut step: impl FnMut(&[u8], Flush) -> Result<Step, CallError>,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut output = Vec::new();
    let mut pieces = input.chunks(PIECE).peekable();
    let mut last = ZlibCode::OK;
    while let Some(mut piece) = pieces.next() {
        let flush = if pieces.peek().is_some() { Flush::NoFlush } else { Flush::Finish };
        loop {
            let (code, written, left) = step(piece, flush)?;
            piece = &piece[piece.len() - left as usize..];
            let is_full = written.len() == ROOM as usize;
            output.extend(written);
            last = code;
            if code == ZlibCode::STREAM_END || !is_full {
                break;
            }
        }
    }
    if last != ZlibCode::STREAM_END {
        return Err(format!("the stream is not complete: {last}").into());
    }
    Ok(output)
}
