//! A buffer for a string of unknown length.

use std::ffi::CStr;

use crate::plain::TextUnit;

/// The size of the buffer in bytes.
const CAPACITY: usize = 64 << 10;

/// A buffer for a string whose size the document does not say. With `unchecked = allow`, 64 KiB are
/// assumed to be enough.
pub struct TextBuffer(Vec<u8>);

impl TextBuffer {
    /// A buffer of zeros.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only generated code creates one")]
    pub fn new() -> Self {
        Self(vec![0; CAPACITY])
    }

    /// Its size in bytes.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.0.len()
    }

    /// The buffer for C.
    pub fn as_mut_slice<T: TextUnit>(&mut self) -> &mut [T] {
        // SAFETY: a `TextUnit` has the layout of `u8`, and every byte is valid for both.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.0.len()) }
    }

    /// The text that C wrote, up to the first NUL.
    #[must_use]
    pub fn text(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.0).unwrap_or_default()
    }
}
