//! zlib from its description: what a Rust program does with it, and the same steps by JSON alone.
//! Both have to come to the same results.

mod json;
mod stream;
mod typed;

use std::error::Error;
use std::path::PathBuf;

opendyn::opendyn!("zlib.json");

/// What both ways have to agree on.
#[derive(PartialEq)]
struct Results {
    /// The CRC-32 of the data, in decimal.
    checksum: String,
    /// The data, compressed at once.
    packed: Vec<u8>,
    /// The line in front of the gzip file.
    line: String,
    /// The code and the text for data that was damaged.
    damaged: (i64, String),
    /// The code and the text where the result had no room.
    too_large: (i64, String),
}

fn main() -> Result<(), Box<dyn Error>> {
    // SAFETY: zlib.json describes zlib as its header does.
    let zlib = unsafe { Zlib::open_default()? };
    let data = compressible(1 << 20);
    let file = Scratch::new();

    println!("Typed:");
    let typed = typed::run(&zlib, &data, &file.0)?;
    println!("\nWith JSON:");
    let json = json::run(&zlib, &data, &file.0)?;

    if typed != json {
        return Err("typed calls and JSON calls came to different results".into());
    }
    println!("\nBoth came to the same results.");
    Ok(())
}

/// So many bytes of words in no order, the same in each run: compressible, but not trivially.
fn compressible(length: usize) -> Vec<u8> {
    const WORDS: [&[u8]; 8] =
        [b"the ", b"stream ", b"between ", b"two ", b"buffers ", b"is ", b"not ", b"empty, "];
    let mut state: u32 = 2_463_534_242;
    let mut data = Vec::with_capacity(length + 8);
    while data.len() < length {
        // Marsaglia's xorshift.
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        data.extend_from_slice(WORDS[state as usize % WORDS.len()]);
    }
    data.truncate(length);
    data
}

/// What has to hold, or the program ends with an error that says so.
fn ensure(holds: bool, what: &str) -> Result<(), Box<dyn Error>> {
    if holds { Ok(()) } else { Err(format!("not so: {what}").into()) }
}

/// The path of a file that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        Self(std::env::temp_dir().join(format!("opendyn-{}.gz", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // It is not there if an error came first.
        let _ = std::fs::remove_file(&self.0);
    }
}
