//! Bit fields of structs in JSON.

use std::fmt;

use super::fault::Fault;
use crate::bits::{get_bits, get_signed_bits, set_bits};

/// A bit field, from a byte of the struct on.
#[derive(Debug)]
pub struct Bits {
    /// The first bit in that byte.
    shift: usize,
    width: usize,
    form: BitForm,
}

/// What the bits mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitForm {
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// Whether one of them is set.
    Truth,
}

impl Bits {
    /// A bit field at bit `place` of a struct.
    #[must_use]
    pub const fn new(place: usize, width: usize, form: BitForm) -> Self {
        Self { shift: place % 8, width, form }
    }

    /// The bytes that it touches.
    pub(super) fn size(&self) -> usize {
        (self.shift + self.width).div_ceil(8)
    }

    pub(super) fn is_truth(&self) -> bool {
        self.form == BitForm::Truth
    }

    /// The lowest and the highest value.
    fn range(&self) -> (i128, i128) {
        match self.form {
            BitForm::Signed => (-(1 << (self.width - 1)), (1 << (self.width - 1)) - 1),
            BitForm::Unsigned | BitForm::Truth => (0, (1 << self.width) - 1),
        }
    }

    /// The word of an integer, if the bits hold it.
    pub(super) fn word(&self, negative: bool, magnitude: u64) -> Option<u64> {
        let value = if negative { -i128::from(magnitude) } else { i128::from(magnitude) };
        let (least, most) = self.range();
        (least..=most).contains(&value).then_some(value as u64)
    }

    #[cold]
    pub(super) fn beyond(&self, value: impl fmt::Display) -> Fault {
        let (least, most) = self.range();
        Fault::new(format!("{value} does not fit {} bits ({least} to {most})", self.width))
    }

    pub(super) fn put(&self, bytes: &mut [u8], word: u64) {
        set_bits(bytes, self.shift, self.width, word);
    }

    pub(super) fn unsigned(&self, bytes: &[u8]) -> u64 {
        get_bits(bytes, self.shift, self.width)
    }

    /// The value, if it is signed.
    pub(super) fn signed(&self, bytes: &[u8]) -> Option<i64> {
        (self.form == BitForm::Signed).then(|| get_signed_bits(bytes, self.shift, self.width))
    }
}

/// The expected value, as the end of a sentence.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_truth() {
            return f.write_str("true or false");
        }
        let (least, most) = self.range();
        write!(f, "an integer ({} bits, {least} to {most})", self.width)
    }
}
