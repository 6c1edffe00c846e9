//! The memory that pointers in structs lead to while C runs.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use super::Owned;
use crate::CallError;
use crate::adapter::HEADER;
use crate::plain::Plain;

/// Memory that lives until the call has ended. Nothing in it moves.
#[derive(Default)]
pub struct Lent {
    /// Vectors and no boxes: C writes through pointers into them while they are here, and a box that moves is the only
    /// way to its memory.
    blocks: Vec<Vec<u64>>,
    is_reply: bool,
}

impl Lent {
    pub(super) fn for_reply() -> Self {
        Self { is_reply: true, ..Self::default() }
    }

    /// A copy of so many bytes, aligned for every scalar, with a zero element of `end` bytes behind them.
    fn bytes_of(&mut self, start: *const u8, bytes: usize, end: usize) -> *mut c_void {
        let mut block = vec![0_u64; (bytes + end).div_ceil(8).max(1)];
        // SAFETY: the caller is this module, which passes the memory of a slice; the block is as large.
        unsafe { ptr::copy_nonoverlapping(start, block.as_mut_ptr().cast(), bytes) };
        let start = block.as_mut_ptr().cast();
        self.blocks.push(block);
        start
    }

    /// Elements.
    pub fn slice<T: Plain>(&mut self, elements: &[T]) -> *mut c_void {
        // The bytes are copied even where the caller has them already: C may write.
        self.bytes_of(elements.as_ptr().cast(), size_of_val(elements), size_of::<T>())
    }

    /// A string, or NULL.
    pub fn text(&mut self, text: Option<&CStr>) -> *mut c_char {
        let Some(text) = text else { return ptr::null_mut() };
        self.bytes_of(text.as_ptr().cast(), text.count_bytes(), 1).cast()
    }

    /// Pointers to strings, and a NULL.
    pub fn strings<'t>(&mut self, texts: impl Iterator<Item = Option<&'t CStr>>) -> *mut c_void {
        let pointers: Vec<*mut c_char> = texts.map(|text| self.text(text)).collect();
        self.slice(&pointers)
    }

    /// A struct, or NULL.
    ///
    /// # Errors
    ///
    /// As for [`Owned::lend`].
    pub fn pointed<T: Owned>(&mut self, value: Option<&T>) -> Result<*mut c_void, CallError> {
        let Some(value) = value else { return Ok(ptr::null_mut()) };
        let raw = value.lend(self)?;
        Ok(self.slice(&[raw]))
    }

    /// A struct without pointers, or NULL.
    pub fn plain<T: Plain>(&mut self, value: Option<&T>) -> *mut c_void {
        value.map_or(ptr::null_mut(), |value| self.slice(std::slice::from_ref(value)))
    }

    /// Structs.
    ///
    /// # Errors
    ///
    /// As for [`Owned::lend`].
    pub fn list<T: Owned>(&mut self, values: &[T]) -> Result<*mut c_void, CallError> {
        let raw: Vec<T::Raw> = values.iter().map(|value| value.lend(self)).collect::<Result<_, _>>()?;
        Ok(self.slice(&raw))
    }

    /// Pointers to structs, and a NULL.
    ///
    /// # Errors
    ///
    /// As for [`Owned::lend`].
    pub fn pointers<T: Owned>(&mut self, values: &[T]) -> Result<*mut c_void, CallError> {
        let pointers: Vec<*mut c_void> =
            values.iter().map(|value| self.pointed(Some(value))).collect::<Result<_, _>>()?;
        Ok(self.slice(&pointers))
    }

    /// Pointers to structs without pointers, and a NULL.
    pub fn plain_pointers<T: Plain>(&mut self, values: &[T]) -> *mut c_void {
        let pointers: Vec<*mut c_void> = values.iter().map(|value| self.plain(Some(value))).collect();
        self.slice(&pointers)
    }

    /// The tag of a union that the document does not list, on its way to a reply.
    ///
    /// # Errors
    ///
    /// It is for C, which may only be passed the listed ones.
    pub fn unknown_tag<T>(&self, value: &'static str, tag: T) -> Result<T, CallError> {
        if self.is_reply { Ok(tag) } else { Err(CallError::Unlisted { value }) }
    }

    /// What C wrote to a buffer, on its way to a reply; for C, [`Rooms`](super::Rooms) makes a new buffer. `left` elements
    /// of it are free.
    pub fn room<T: Plain>(&mut self, written: &[T], left: usize) -> *mut c_void {
        if !self.is_reply {
            return ptr::null_mut();
        }
        let bytes = size_of_val(written);
        let mut block = vec![0_u64; HEADER / 8 + bytes.div_ceil(8)];
        let start = block.as_mut_ptr().cast::<u8>();
        // SAFETY: the block has room for the header and the bytes.
        unsafe {
            start.cast::<usize>().write(written.len().saturating_add(left));
            ptr::copy_nonoverlapping(written.as_ptr().cast(), start.add(HEADER), bytes);
        }
        self.blocks.push(block);
        start.wrapping_add(HEADER).cast()
    }
}
