//! The key of a host: everything that its program depends on.

use std::fmt;

use super::HostRole;
use super::source::Source;
use crate::document::Document;

/// 128 bits of FNV-1a: the same with every compiler, unlike the hashes of std.
pub(super) struct Fingerprint(u128);

impl Fingerprint {
    /// The key of a host of `role` for `documents`, on this target, with this version, from `source`.
    pub(super) fn of(role: HostRole, scripts: bool, documents: &[Document], source: &Source) -> Self {
        let mut fingerprint = Self::new();
        for part in [env!("CARGO_PKG_VERSION"), env!("OPENDYN_TARGET"), source.identity()] {
            fingerprint.add(part.as_bytes());
        }
        for feature in role.features(scripts) {
            fingerprint.add(feature.as_bytes());
        }
        for document in documents {
            fingerprint.add(document.source.as_bytes());
        }
        fingerprint
    }

    /// The initial value.
    pub(super) fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Adds a part, with its length to separate it from its neighbours.
    pub(super) fn add(&mut self, part: &[u8]) {
        let length = (part.len() as u64).to_le_bytes();
        for byte in part.iter().chain(&length) {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a_of_128_bits() {
        let mut empty = Fingerprint::new();
        assert_eq!(empty.to_string(), "6c62272e07bb014262b821756295c58d");
        for byte in b"a" {
            empty.0 = (empty.0 ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
        assert_eq!(empty.to_string(), "d228cb696f1a8caf78912b704e4a8964");
    }

    #[test]
    fn where_one_part_ends_and_the_next_begins_counts() {
        let of = |parts: &[&[u8]]| {
            let mut fingerprint = Fingerprint::new();
            parts.iter().for_each(|part| fingerprint.add(part));
            fingerprint.to_string()
        };
        assert_ne!(of(&[b"ab", b"c"]), of(&[b"a", b"bc"]));
        assert_ne!(of(&[b"a", b""]), of(&[b"a"]));
    }
}
