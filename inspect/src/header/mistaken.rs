//! Recognizes files that are not headers. A preprocessor reads any file, and takes minutes for a library.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What a file is that was given as a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mistaken {
    /// A folder.
    Folder,
    /// A library, program or object file, in this format.
    Object(&'static str),
    /// A static library.
    Archive,
    /// A JSON document.
    Json,
    /// An empty file.
    Empty,
    /// A text in UTF-16.
    Utf16,
    /// Another binary file.
    Binary,
}

impl fmt::Display for Mistaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder => f.write_str("a folder, not a C header"),
            Self::Object(format) => write!(f, "a binary file ({format}), not a C header"),
            Self::Archive => f.write_str("a static library, not a C header"),
            Self::Json => f.write_str("a JSON document, not a C header"),
            Self::Empty => f.write_str("empty"),
            Self::Utf16 => f.write_str("a text in UTF-16, which C compilers do not read"),
            Self::Binary => f.write_str("a binary file, not a C header"),
        }
    }
}

/// How much of a file is read to recognize it.
const ENOUGH: u64 = 64 << 10;

/// The magic numbers of object files.
const OBJECTS: [(&[u8], &str); 9] = [
    (b"\x7fELF", "ELF"),
    (b"MZ", "PE"),
    (b"\xfe\xed\xfa\xce", "Mach-O"),
    (b"\xfe\xed\xfa\xcf", "Mach-O"),
    (b"\xce\xfa\xed\xfe", "Mach-O"),
    (b"\xcf\xfa\xed\xfe", "Mach-O"),
    (b"\xca\xfe\xba\xbe", "Mach-O"),
    (b"\xca\xfe\xba\xbf", "Mach-O"),
    (b"\0asm", "WebAssembly"),
];

/// What the file is, if it is not a header; `None` for a header, and for a file that is not found under this
/// path: the compiler searches more places, and those hold headers.
pub(super) fn mistaken(header: &Path, include: &[PathBuf]) -> Option<Mistaken> {
    let places = include.iter().map(|folder| folder.join(header));
    let path = std::iter::once(header.to_owned()).chain(places).find(|path| path.exists())?;
    if path.is_dir() {
        return Some(Mistaken::Folder);
    }
    // A pipe could not be read a second time.
    if !path.is_file() {
        return None;
    }
    let mut start = Vec::new();
    File::open(&path).ok()?.take(ENOUGH).read_to_end(&mut start).ok()?;
    of_bytes(&start)
}

fn of_bytes(start: &[u8]) -> Option<Mistaken> {
    let begins_with = |magic: &[u8]| start.starts_with(magic);
    // The two bytes could also begin a text.
    let has_nul = start.contains(&0);
    let object = OBJECTS.iter().find(|(magic, _)| begins_with(magic) && (magic.len() > 2 || has_nul));
    if let Some((_, format)) = object {
        return Some(Mistaken::Object(format));
    }
    if begins_with(b"!<arch>\n") || begins_with(b"!<thin>\n") {
        return Some(Mistaken::Archive);
    }
    if begins_with(b"\xff\xfe") || begins_with(b"\xfe\xff") {
        return Some(Mistaken::Utf16);
    }
    if has_nul {
        return Some(Mistaken::Binary);
    }
    match start.trim_ascii_start().first() {
        None => Some(Mistaken::Empty),
        // No C source begins like this.
        Some(b'{') => Some(Mistaken::Json),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_for_a_header_and_other_files_are_not() {
        for (bytes, expected) in [
            (&b"int f(void);"[..], None),
            (b"MZ_API int f(void);", None),
            (b"/* caf\xe9 */ int f(void);", None),
            (b"\xef\xbb\xbfint f(void);", None),
            (b"MZ\x90\0", Some(Mistaken::Object("PE"))),
            (b"\x7fELF\x02", Some(Mistaken::Object("ELF"))),
            (b"int f(void);\0\0", Some(Mistaken::Binary)),
            (b"\n{\"opendyn\"", Some(Mistaken::Json)),
            (b"\r\n", Some(Mistaken::Empty)),
        ] {
            assert_eq!(of_bytes(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
