//! Memory that the caller allocates and only C accesses.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ffi::c_void;
use std::fmt;
use std::ptr::NonNull;

/// The memory behind a generated state type. Moving it moves only the pointer: C may have stored
/// the address of the memory.
pub struct State {
    pointer: NonNull<c_void>,
    layout: Layout,
}

impl State {
    /// `size` zeroed bytes, aligned to `align`; the generator has checked both.
    #[must_use]
    pub fn new(size: usize, align: usize) -> Self {
        let layout = layout(size, align);
        // SAFETY: `layout` never returns a size of 0.
        let pointer = unsafe { alloc_zeroed(layout) };
        match NonNull::new(pointer.cast()) {
            Some(pointer) => Self { pointer, layout },
            None => handle_alloc_error(layout),
        }
    }

    /// The address for C.
    #[must_use]
    pub fn as_mut_ptr(&mut self) -> *mut c_void {
        self.pointer.as_ptr()
    }

    /// Releases ownership of the memory, to the table of a JSON caller.
    #[must_use]
    pub fn into_raw(self) -> *mut c_void {
        std::mem::ManuallyDrop::new(self).pointer.as_ptr()
    }

    /// Takes ownership back.
    ///
    /// # Safety
    ///
    /// `pointer` comes from [`State::into_raw`] of a state of that size and alignment, and
    /// ownership is taken back once.
    #[must_use]
    pub unsafe fn from_raw(pointer: NonNull<c_void>, size: usize, align: usize) -> Self {
        Self { pointer, layout: layout(size, align) }
    }

    /// Frees memory from [`State::into_raw`].
    ///
    /// # Safety
    ///
    /// As for [`State::from_raw`].
    pub unsafe fn free<const SIZE: usize, const ALIGN: usize>(_: *const (), pointer: *mut c_void) {
        if let Some(pointer) = NonNull::new(pointer) {
            // SAFETY: the caller guarantees a pointer from `into_raw` with this size and alignment.
            drop(unsafe { Self::from_raw(pointer, SIZE, ALIGN) });
        }
    }
}

/// The generator only accepts sizes above 0 and alignments that are powers of two.
fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size.max(1), align.max(1)).unwrap_or(Layout::new::<u128>())
}

impl Drop for State {
    fn drop(&mut self) {
        // SAFETY: the memory was allocated with this layout, and `into_raw` skips this.
        unsafe { dealloc(self.pointer.as_ptr().cast(), self.layout) };
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State({} bytes at {:p})", self.layout.size(), self.pointer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_memory_does_not_move_with_it() {
        let mut state = State::new(48, 32);
        let before = state.as_mut_ptr();
        assert_eq!(before.addr() % 32, 0);
        let mut moved = Box::new(state);
        assert_eq!(moved.as_mut_ptr(), before);
    }

    #[test]
    fn it_begins_with_zeros_and_survives_a_table() {
        let mut state = State::new(5, 1);
        // SAFETY: the state has five bytes.
        let bytes = unsafe { std::slice::from_raw_parts_mut(state.as_mut_ptr().cast::<u8>(), 5) };
        assert_eq!(bytes, [0; 5]);
        bytes[4] = 7;
        let raw = NonNull::new(state.into_raw()).expect("memory");
        // SAFETY: `raw` is from `into_raw` of a state of this size and alignment.
        let mut state = unsafe { State::from_raw(raw, 5, 1) };
        // SAFETY: the state has five bytes.
        assert_eq!(unsafe { *state.as_mut_ptr().cast::<u8>().add(4) }, 7);
    }
}
