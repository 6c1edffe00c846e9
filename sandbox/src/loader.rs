//! The loader that an ELF program names, which the kernel executes too.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The type of the entry that names the loader: `PT_INTERP`.
const INTERP: u64 = 3;
/// Longer paths do not exist.
const LONGEST: u64 = 4096;

/// Where the numbers of a header are: the start of each, and how many bytes it has.
struct Layout {
    is_little: bool,
    table: (usize, usize),
    entry_size: usize,
    entry_count: usize,
    start: (usize, usize),
    length: (usize, usize),
}

impl Layout {
    /// By the first bytes of a program; `None` if it is not ELF.
    fn of(header: &[u8]) -> Option<Self> {
        let is_little = match header.get(5)? {
            1 => true,
            2 => false,
            _ => return None,
        };
        let word = match header.get(..5)? {
            b"\x7fELF\x01" => 4,
            b"\x7fELF\x02" => 8,
            _ => return None,
        };
        Some(match word {
            4 => Self {
                is_little,
                table: (28, 4),
                entry_size: 42,
                entry_count: 44,
                start: (4, 4),
                length: (16, 4),
            },
            _ => Self {
                is_little,
                table: (32, 8),
                entry_size: 54,
                entry_count: 56,
                start: (8, 8),
                length: (32, 8),
            },
        })
    }

    fn number(&self, bytes: &[u8], (at, size): (usize, usize)) -> Option<u64> {
        let bytes = bytes.get(at..at + size)?;
        let join = |number, byte: &u8| number << 8 | u64::from(*byte);
        Some(if self.is_little { bytes.iter().rev().fold(0, join) } else { bytes.iter().fold(0, join) })
    }
}

/// The loader that the program names, if any.
pub(crate) fn loader_of(program: &Path) -> Option<PathBuf> {
    let mut file = File::open(program).ok()?;
    let mut header = [0; 64];
    file.read_exact(&mut header).ok()?;
    let layout = Layout::of(&header)?;
    let table = layout.number(&header, layout.table)?;
    let size = layout.number(&header, (layout.entry_size, 2))?;
    for index in 0..layout.number(&header, (layout.entry_count, 2))? {
        let mut entry = [0; 56];
        file.seek(SeekFrom::Start(table.checked_add(index * size)?)).ok()?;
        file.read_exact(&mut entry).ok()?;
        if layout.number(&entry, (0, 4))? == INTERP {
            file.seek(SeekFrom::Start(layout.number(&entry, layout.start)?)).ok()?;
            let mut path = Vec::new();
            file.take(layout.number(&entry, layout.length)?.min(LONGEST)).read_to_end(&mut path).ok()?;
            let path = path.split(|byte| *byte == 0).next().unwrap_or_default();
            return Some(PathBuf::from(str::from_utf8(path).ok()?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of a header, one entry, and the path.
    fn program(is_little: bool, word: usize) -> Vec<u8> {
        let mut bytes = vec![0; 128];
        bytes[..4].copy_from_slice(b"\x7fELF");
        (bytes[4], bytes[5]) = (if word == 8 { 2 } else { 1 }, if is_little { 1 } else { 2 });
        let mut put = |at: usize, size: usize, number: u64| {
            let all = if is_little { number.to_le_bytes() } else { number.to_be_bytes() };
            let part = if is_little { &all[..size] } else { &all[8 - size..] };
            bytes[at..at + size].copy_from_slice(part);
        };
        put(if word == 8 { 32 } else { 28 }, word, 64);
        put(if word == 8 { 54 } else { 42 }, 2, 56);
        put(if word == 8 { 56 } else { 44 }, 2, 1);
        put(64, 4, 3);
        put(64 + word, word, 120);
        put(64 + 4 * word, word, 8);
        bytes[120..128].copy_from_slice(b"/lib/ld\0");
        bytes
    }

    #[test]
    fn the_loader_is_found_in_both_classes_and_byte_orders() {
        let path = std::env::temp_dir().join(format!("opentool-sandbox-elf-{}", std::process::id()));
        for (is_little, word) in [(true, 8), (false, 8), (true, 4), (false, 4)] {
            std::fs::write(&path, program(is_little, word)).expect("it can be written");
            assert_eq!(loader_of(&path), Some("/lib/ld".into()), "{is_little} {word}");
        }
        std::fs::write(&path, "#!/bin/sh\n".repeat(20)).expect("it can be written");
        assert_eq!(loader_of(&path), None);
        std::fs::remove_file(&path).expect("it is ours");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_loader_of_a_program_is_there() {
        let this = std::env::current_exe().expect("there is one");
        assert!(loader_of(&this).is_none_or(|loader| loader.exists()));
    }
}
