//! zlib through its description: typed calls, and the same steps with JSON only. Both must have the
//! same results.

mod json;
mod stream;
mod typed;

use std::error::Error;
use std::path::PathBuf;

opendyn::opendyn!("zlib.json");

/// The results that both ways must agree on.
#[derive(PartialEq)]
struct Results {
    /// The CRC-32 of the data, in decimal.
    checksum: String,
    /// The data, compressed in one call.
    packed: Vec<u8>,
    /// The first line of the gzip file.
    line: String,
    /// The data, compressed piece by piece.
    streamed: Vec<u8>,
    /// The code and the text for data in another format: zlib's own.
    not_zlib: (i64, String),
    /// The code and the text for damaged data.
    damaged: (i64, String),
    /// The code and the text for a result that does not fit.
    too_large: (i64, String),
}

fn main() -> Result<(), Box<dyn Error>> {
    // SAFETY: zlib.json agrees with the header of zlib.
    let zlib = unsafe { Zlib::open_default()? };
    let data = compressible(1 << 20);
    let file = Scratch::new();

    println!("Typed:");
    let typed = typed::run(&zlib, &data, &file.0)?;
    println!("\nWith JSON:");
    let json = json::run(&zlib, &data, &file.0)?;

    if typed != json {
        return Err("typed calls and JSON calls have different results".into());
    }
    println!("\nBoth have the same results.");
    Ok(())
}

/// `length` bytes of words in a random order that is the same in each run: compressible, but not trivially.
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

/// Ends the program with an error if `holds` is false.
fn ensure(holds: bool, what: &str) -> Result<(), Box<dyn Error>> {
    if holds { Ok(()) } else { Err(format!("not true: {what}").into()) }
}

/// The path of a file that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        Self(std::env::temp_dir().join(format!("opendyn-{}.gz", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // After an error the file may not exist.
        let _ = std::fs::remove_file(&self.0);
    }
}
