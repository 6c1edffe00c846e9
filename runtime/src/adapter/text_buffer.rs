//! A buffer for a string whose length nobody knows.

use std::ffi::CStr;

use crate::plain::TextUnit;

/// The bytes that C gets to write to.
const CAPACITY: usize = 64 << 10;

/// What C writes a string to where the document does not say how much room it needs, and
/// `unchecked = allow` says that 64 KiB are enough.
pub struct TextBuffer(Vec<u8>);

impl TextBuffer {
    /// A buffer of zeros.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "for generated code alone")]
    pub fn new() -> Self {
        Self(vec![0; CAPACITY])
    }

    /// The buffer as C sees it.
    pub fn as_mut_slice<T: TextUnit>(&mut self) -> &mut [T] {
        // SAFETY: `T` is a byte, signed or not.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.0.len()) }
    }

    /// What C wrote, up to the first NUL.
    #[must_use]
    pub fn text(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.0).unwrap_or_default()
    }
}
