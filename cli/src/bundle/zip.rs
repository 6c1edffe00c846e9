//! A zip archive in memory: deflated files with Unix modes, the same bytes for the same files.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use crate::failure::{Failure, Outcome};

/// What may be done with a file that is unpacked.
#[derive(Clone, Copy)]
pub(super) enum Mode {
    /// Reading.
    File,
    /// Starting, or loading.
    Program,
}

/// An archive that is being written.
#[derive(Default)]
pub(super) struct Archive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    files: u16,
}

/// Version 2.0 of the format: folders and deflate.
const VERSION: u16 = 20;
/// Made on Unix: the attributes hold a mode.
const MADE_BY: u16 = (3 << 8) | VERSION;
const DEFLATED: u16 = 8;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
/// 1 January 1980, the first day of the format: an archive does not depend on when it was written.
const DAY: u16 = (1 << 5) | 1;

impl Archive {
    pub(super) fn add(&mut self, name: &str, mode: Mode, contents: &[u8]) -> Outcome<()> {
        let large = || Failure::new("the bundle would be larger than 4 GiB");
        let size = |length: usize| u32::try_from(length).map_err(|_| large());
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        let deflated = encoder.write_all(contents).and_then(|()| encoder.finish());
        let deflated =
            deflated.map_err(|error| Failure::new(format!("cannot compress `{name}`: {error}")))?;
        let mut crc = Crc::new();
        crc.update(contents);
        let offset = size(self.bytes.len())?;

        // Both headers have these fields, from the version that is needed to the length of the extra field.
        let mut common = Vec::new();
        for field in [VERSION, FLAGS, DEFLATED, 0, DAY] {
            common.extend(field.to_le_bytes());
        }
        for field in [crc.sum(), size(deflated.len())?, size(contents.len())?] {
            common.extend(field.to_le_bytes());
        }
        common.extend(u16::try_from(name.len()).map_err(|_| large())?.to_le_bytes());
        common.extend(0_u16.to_le_bytes());

        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&common);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(deflated);

        let mode: u32 = match mode {
            Mode::File => 0o100_644,
            Mode::Program => 0o100_755,
        };
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(MADE_BY.to_le_bytes());
        self.directory.extend(&common);
        // No comment, the first disk, no attributes of MS-DOS.
        self.directory.extend([0; 6]);
        self.directory.extend((mode << 16).to_le_bytes());
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.files = self.files.checked_add(1).ok_or_else(large)?;
        Ok(())
    }

    /// The whole archive.
    pub(super) fn finish(mut self) -> Outcome<Vec<u8>> {
        let large = |_| Failure::new("the bundle would be larger than 4 GiB");
        let start = u32::try_from(self.bytes.len()).map_err(large)?;
        let length = u32::try_from(self.directory.len()).map_err(large)?;
        self.bytes.append(&mut self.directory);
        self.bytes.extend(b"PK\x05\x06");
        self.bytes.extend([0; 4]);
        self.bytes.extend(self.files.to_le_bytes());
        self.bytes.extend(self.files.to_le_bytes());
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend(start.to_le_bytes());
        self.bytes.extend([0; 2]);
        Ok(self.bytes)
    }
}
