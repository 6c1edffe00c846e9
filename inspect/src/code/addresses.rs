//! Maps of addresses.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by address. The addresses are those of one file, so that nobody gains from making them collide.
pub(super) type Addresses<T> = HashMap<u64, T, BuildHasherDefault<AddressHasher>>;

/// Mixes the bits of one number.
#[derive(Default)]
pub(super) struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write_u64(&mut self, address: u64) {
        let mixed = address.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(self.0.rotate_left(8) ^ u64::from(*byte));
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
