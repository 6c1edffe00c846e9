//! A C `bool` in memory that C may write.

use std::fmt;

use crate::abi::Truth;
use crate::plain::Plain;

/// A C `bool` as a member of a struct, or in an array that C writes: Rust stores 0 or 1, C may
/// store any byte, and every value except 0 is true.
///
/// ```
/// let fast = opendyn::CBool::from(true);
/// assert!(fast.get());
/// ```
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct CBool(u8);

// SAFETY: it is transparent over `u8`, of which every byte is a value.
unsafe impl Plain for CBool {}

impl CBool {
    /// Whether it is true.
    #[inline]
    #[must_use]
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for CBool {
    #[inline]
    fn from(value: bool) -> Self {
        Self(value.into())
    }
}

impl From<CBool> for bool {
    #[inline]
    fn from(value: CBool) -> Self {
        value.get()
    }
}

impl PartialEq for CBool {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for CBool {}

impl Truth for CBool {
    #[inline]
    fn from_bool(value: bool) -> Self {
        value.into()
    }

    #[inline]
    fn is_true(self) -> bool {
        self.get()
    }
}

impl fmt::Debug for CBool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_except_0_is_true() {
        assert_eq!(CBool(7), CBool::from(true));
        assert_ne!(CBool(7), CBool::default());
        assert_eq!(format!("{:?}", CBool(2)), "true");
    }
}
