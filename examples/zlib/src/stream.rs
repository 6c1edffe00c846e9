//! Compresses and decompresses piece by piece, as a program does that cannot hold all of the data.
//!
//! `z_stream` points to the caller's buffers, and no document can say how long they are: its methods
//! are `unsafe`, and JSON callers are refused. This is a safe interface to them.

use std::error::Error;
use std::ffi::c_uint;

use opendyn::CallError;

use crate::{Flush, ZStream, Zlib, ZlibCode};

/// The size of an input piece.
const PIECE: usize = 16 * 1024;
/// The size of the output buffer.
const ROOM: usize = 1000;

/// One of `deflate` and `inflate`, `deflate_end` and `inflate_end`, …
#[derive(Clone, Copy)]
enum Direction {
    Deflate,
    Inflate,
}

/// A stream that is freed when it is dropped.
pub struct Stream<'z> {
    zlib: &'z Zlib,
    direction: Direction,
    /// Boxed, because zlib remembers the address of the stream and refuses one that was moved.
    state: Box<ZStream>,
}

impl<'z> Stream<'z> {
    pub fn deflate(zlib: &'z Zlib) -> Result<Self, CallError> {
        let mut state = Box::new(ZStream::default());
        // SAFETY: all pointers are NULL, which means no buffers and zlib's own allocator.
        unsafe { zlib.deflate_init_(&mut state, None, size_of::<ZStream>() as i32)? };
        Ok(Self { zlib, direction: Direction::Deflate, state })
    }

    pub fn inflate(zlib: &'z Zlib) -> Result<Self, CallError> {
        let mut state = Box::new(ZStream::default());
        // SAFETY: all pointers are NULL, which means no buffers and zlib's own allocator.
        unsafe { zlib.inflate_init_(&mut state, size_of::<ZStream>() as i32)? };
        Ok(Self { zlib, direction: Direction::Inflate, state })
    }

    /// Resets the stream and processes a whole input.
    pub fn run(&mut self, input: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
        // SAFETY: a reset does not use the buffers, and `push` sets them again.
        unsafe {
            match self.direction {
                Direction::Deflate => self.zlib.deflate_reset(&mut self.state)?,
                Direction::Inflate => self.zlib.inflate_reset(&mut self.state)?,
            }
        }
        let mut output = Vec::new();
        let mut code = ZlibCode::OK;
        let mut pieces = input.chunks(PIECE).peekable();
        while let Some(piece) = pieces.next() {
            let flush = if pieces.peek().is_some() { Flush::NoFlush } else { Flush::Finish };
            code = self.push(piece, flush, &mut output)?;
        }
        if code != ZlibCode::STREAM_END {
            return Err(format!("the stream is not complete: {code}").into());
        }
        Ok(output)
    }

    /// The data that a compressing stream can refer back to: at most the last 32 KiB of the input.
    pub fn window(&mut self) -> Result<Vec<u8>, CallError> {
        // SAFETY: the function only reads the library's internal state, and refuses that of `inflate`.
        unsafe { self.zlib.deflate_get_dictionary(&mut self.state) }
    }

    /// Processes one piece, and collects all of its output.
    fn push(&mut self, piece: &[u8], flush: Flush, output: &mut Vec<u8>) -> Result<ZlibCode, CallError> {
        let mut room = [0; ROOM];
        self.state.next_in = piece.as_ptr().cast_mut();
        self.state.avail_in = piece.len() as c_uint;
        loop {
            self.state.next_out = room.as_mut_ptr();
            self.state.avail_out = ROOM as c_uint;
            // SAFETY: `next_in` and `next_out` point to as many bytes as `avail_in` and `avail_out`
            // say, and zlib only reads the first.
            let code = unsafe {
                match self.direction {
                    Direction::Deflate => self.zlib.deflate(&mut self.state, Some(flush))?,
                    Direction::Inflate => self.zlib.inflate(&mut self.state, Some(flush))?,
                }
            };
            let free = self.state.avail_out as usize;
            output.extend_from_slice(&room[..ROOM - free]);
            if code == ZlibCode::STREAM_END || free > 0 {
                return Ok(code);
            }
        }
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        // SAFETY: the stream was initialised by the matching function. An error means that data was
        // left in it; it is freed anyway.
        let _ = unsafe {
            match self.direction {
                Direction::Deflate => self.zlib.deflate_end(&mut self.state),
                Direction::Inflate => self.zlib.inflate_end(&mut self.state),
            }
        };
    }
}
