//! Compressed sections of debug info. A file states the unpacked size; memory is only taken for bytes that
//! are really unpacked, and at most for the possible output of the compressed size.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::ZlibDecoder;
use object::{CompressionFormat, ObjectSection};
use ruzstd::decoding::StreamingDecoder;

/// Deflate compresses at most 1032 bytes into one. Debug info does not compress better with zstd in practice.
const MOST_PER_BYTE: u64 = 1032;

/// What any section may unpack to, because small ones compress well.
const ALWAYS: u64 = 16 << 20;

/// The largest zstd window that a section may use: that of the highest usual level.
const LARGEST_WINDOW: u64 = 8 << 20;

/// The bytes of a section, unpacked.
pub(super) fn section<'data>(section: &impl ObjectSection<'data>) -> Result<Cow<'data, [u8]>, String> {
    let compressed = section.compressed_data().map_err(|error| error.to_string())?;
    let (data, size) = (compressed.data, compressed.uncompressed_size);
    let name = || section.name().unwrap_or("a section").to_owned();
    if compressed.format != CompressionFormat::None && size > limit(data.len()) {
        return Err(format!("{} says that {} bytes unpack to {size}", name(), data.len()));
    }
    let unpacked = match compressed.format {
        CompressionFormat::None => return Ok(Cow::Borrowed(data)),
        CompressionFormat::Zlib => exactly(size, ZlibDecoder::new(data)),
        CompressionFormat::Zstandard => {
            StreamingDecoder::new_with_max_window_size(data, LARGEST_WINDOW.max(size))
                .map_err(|error| error.to_string())
                .and_then(|decoder| exactly(size, decoder))
        }
        _ => Err("its compression is unknown".to_owned()),
    };
    unpacked.map(Cow::Owned).map_err(|error| format!("{} cannot be unpacked: {error}", name()))
}

/// The largest unpacked size for this many compressed bytes.
fn limit(compressed: usize) -> u64 {
    (compressed as u64).saturating_mul(MOST_PER_BYTE).max(ALWAYS)
}

/// Everything that `reader` returns, which must be `size` bytes.
fn exactly(size: u64, reader: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    reader.take(size.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 == size { Ok(bytes) } else { Err(format!("it does not have {size} bytes")) }
}
