//! The steps with typed calls. There are no lengths and capacities: methods take a slice and return a
//! `Vec`, and an error code is an `Err`.

use std::error::Error;
use std::ffi::CString;
use std::path::Path;

use opendyn::CallError;

use crate::stream::{deflate, inflate};
use crate::{GzopenMode, GzprintfIntFormat, Results, Zlib, ZlibCode, ensure};

pub fn run(zlib: &Zlib, data: &[u8], path: &Path) -> Result<Results, Box<dyn Error>> {
    let checksum = zlib.crc32(None, data)?;
    println!("  crc32: {checksum} of {} bytes", data.len());

    let table = zlib.get_crc_table()?;
    println!("  get_crc_table: {} entries, the second is {}", table.len(), table[1]);

    let packed = zlib.compress(data)?;
    let unpacked = zlib.uncompress(data.len().try_into()?, &packed)?;
    ensure(packed.len() < data.len() / 2, "words are compressed to less than half")?;
    ensure(unpacked == data, "uncompress undoes compress")?;
    println!("  compress, uncompress: equal to the input");
    // Here C reads a length and replaces it.
    let with_more = [&packed[..], b"and more"].concat();
    let used = zlib.uncompress2(data.len().try_into()?, &with_more)?.source_len;
    ensure(usize::try_from(used) == Ok(packed.len()), "uncompress2 stops where the data ends")?;
    println!("  uncompress2: all except the {} bytes after the data", with_more.len() - packed.len());

    let mut packer = zlib.deflate_init_(None, None)?;
    let streamed = deflate(&mut packer, data)?;
    let window = packer.deflate_get_dictionary()?;
    ensure(!window.is_empty() && data.ends_with(&window), "the window is the end of the input")?;
    let mut unpacker = zlib.inflate_init_(None)?;
    ensure(inflate(&mut unpacker, &streamed)? == data, "inflate undoes deflate")?;
    ensure(inflate(&mut unpacker, &packed)? == data, "inflate undoes compress")?;
    println!("  deflate, inflate, piece by piece: equal to the input");
    unpacker.inflate_reset()?;
    let not_zlib = code(unpacker.inflate(None, b"not zlib", 100))?;
    println!("  inflate other data: code {}, {}", not_zlib.0, not_zlib.1);

    let line = gzip_file(zlib, data, path)?;
    println!("  gzip file: {line:?}, then equal to the input");

    // The last bytes are a checksum, which no longer matches if they change.
    let mut damaged = packed.clone();
    if let Some(last) = damaged.last_mut() {
        *last ^= 1;
    }
    let damaged = code(zlib.uncompress(data.len().try_into()?, &damaged))?;
    ensure(damaged.0 == ZlibCode::DATA_ERROR.0, "damage is Z_DATA_ERROR")?;
    println!("  uncompress damaged data: code {}, {}", damaged.0, damaged.1);
    let too_large = code(zlib.uncompress(1000, &packed))?;
    ensure(too_large.0 == ZlibCode::BUF_ERROR.0, "too little room is Z_BUF_ERROR")?;
    println!("  uncompress to 1000 bytes: code {}, {}", too_large.0, too_large.1);

    Ok(Results { checksum: checksum.to_string(), packed, line, streamed, not_zlib, damaged, too_large })
}

/// Writes a line and the data to a gzip file, and reads both back.
fn gzip_file(zlib: &Zlib, data: &[u8], path: &Path) -> Result<String, Box<dyn Error>> {
    let path = CString::new(path.as_os_str().as_encoded_bytes())?;

    let file = zlib.gzopen(&path, &GzopenMode::Write)?;
    file.gzputs(c"bytes: ");
    file.gzprintf_int(&GzprintfIntFormat::Decimal, data.len().try_into()?)?;
    file.gzputs(c"\n");
    let written = file.gzwrite(data)?;
    ensure(usize::try_from(written) == Ok(data.len()), "gzwrite takes all of it")?;
    // Dropping the file closes it too; closing it explicitly returns errors.
    file.gzclose().map_err(CallError::from)?;

    let file = zlib.gzopen(&path, &GzopenMode::Read)?;
    let line = file.gzgets(100)?;
    let read = file.gzread(data.len().try_into()?)?;
    ensure(line.found && read == data, "a gzip file has the data that was written")?;
    Ok(line.buf.into_string()?)
}

/// The code of a call that has to fail, and its text.
fn code<T>(result: Result<T, CallError>) -> Result<(i64, String), Box<dyn Error>> {
    match result {
        Ok(_) => Err("the call should have failed".into()),
        Err(error) => match error.code() {
            Some(code) => Ok((code, error.text().unwrap_or_default().to_owned())),
            None => Err(error.into()),
        },
    }
}
