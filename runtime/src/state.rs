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

// SAFETY: it owns its memory, which only C looks into.
unsafe impl Send for State {}

// SAFETY: through a shared reference there is only its address.
unsafe impl Sync for State {}

impl State {
    /// `size` zeroed bytes, aligned to `align`; the generator has checked both.
    #[must_use]
    pub fn new(size: usize, align: usize) -> Self {
        // A document may describe more than an address space has, such as 3 GiB on a target of 32 bits.
        let Some(layout) = layout(size, align) else { handle_alloc_error(Layout::new::<c_void>()) };
        // SAFETY: `layout` never returns a size of 0.
        let pointer = unsafe { alloc_zeroed(layout) };
        match NonNull::new(pointer.cast()) {
            Some(pointer) => Self { pointer, layout },
            None => handle_alloc_error(layout),
        }
    }

    /// Memory that is never freed, for the interpreter, which puts it beside a guard page.
    ///
    /// # Safety
    ///
    /// It is zeroed, as large and aligned as the state must be, stays for the life of the process, and nothing else
    /// uses it.
    #[must_use]
    pub unsafe fn forever(pointer: NonNull<c_void>) -> Self {
        Self { pointer, layout: Layout::new::<()>() }
    }

    /// The address for C.
    #[must_use]
    pub fn as_mut_ptr(&mut self) -> *mut c_void {
        self.pointer.as_ptr()
    }

    /// The address of the memory.
    pub(crate) fn pointer(&self) -> NonNull<c_void> {
        self.pointer
    }
}

/// The generator only accepts sizes above 0 and alignments that are powers of two. `None` for a size that no memory has.
fn layout(size: usize, align: usize) -> Option<Layout> {
    Layout::from_size_align(size.max(1), align.max(1)).ok()
}

impl Drop for State {
    fn drop(&mut self) {
        // A closure has panicked while C began the state: C may use the memory.
        if std::thread::panicking() || self.layout.size() == 0 {
            return;
        }
        // SAFETY: the memory was allocated with this layout, and nothing else frees it.
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
    fn a_size_that_no_memory_has_is_not_made_smaller() {
        assert_eq!(layout(usize::MAX, 8), None);
        assert_eq!(layout(isize::MAX as usize, 16), None);
        assert_eq!(layout(0, 0).map(|layout| layout.size()), Some(1));
    }

    #[test]
    fn it_begins_with_zeros() {
        let mut state = State::new(5, 1);
        // SAFETY: the state has five bytes.
        let bytes = unsafe { std::slice::from_raw_parts_mut(state.as_mut_ptr().cast::<u8>(), 5) };
        assert_eq!(bytes, [0; 5]);
    }
}
