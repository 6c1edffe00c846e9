//! Memory that passes to C (`x-takes` with `memory`): a copy that C's own allocator makes, because C frees it.

use std::ffi::c_void;
use std::fmt;
use std::ptr::{self, NonNull};

use crate::CallError;
use crate::free::FreeFn;

/// Calls what `memory` of `x-takes` names, with a size in bytes. Generated code has one such function for each.
///
/// # Safety
///
/// `binding` points to the binding that the function was generated for.
pub type AllocateFn = unsafe fn(binding: *const (), size: usize) -> *mut c_void;

/// A copy for C to own. Unless C takes it, it is freed when dropped.
pub struct TakenMemory<'b, B> {
    binding: &'b B,
    pointer: NonNull<c_void>,
    free: Option<FreeFn>,
    is_taken: bool,
}

impl<'b, B> TakenMemory<'b, B> {
    /// Copies the argument `value`.
    ///
    /// # Errors
    ///
    /// The allocator has no memory.
    ///
    /// # Safety
    ///
    /// `allocate` and `free` take a `B`. What `allocate` returns is NULL or memory of the size that it is asked for, which
    /// nothing else uses, and which `free` frees. If there is no `free`, C takes the copy in any case.
    pub unsafe fn copy<T: Copy>(
        value: &'static str,
        binding: &'b B,
        allocate: AllocateFn,
        free: Option<FreeFn>,
        elements: &[T],
    ) -> Result<Self, CallError> {
        let (start, bytes) = (elements.as_ptr().cast(), size_of_val(elements));
        // SAFETY: the elements are that many bytes; the caller guarantees the rest.
        let pointer = unsafe {
            copied_for_c(value, start, bytes, |size| allocate(ptr::from_ref(binding).cast(), size))?
        };
        Ok(Self { binding, pointer, free, is_taken: false })
    }

    /// The pointer for C.
    #[must_use]
    pub fn as_ptr(&self) -> *mut c_void {
        self.pointer.as_ptr()
    }

    /// C has taken it, and frees it.
    pub fn taken(&mut self) {
        self.is_taken = true;
    }
}

impl<B> Drop for TakenMemory<'_, B> {
    fn drop(&mut self) {
        if let (false, Some(free)) = (self.is_taken, self.free) {
            // SAFETY: the caller of `copy` guaranteed that this frees what the allocator made. C has not taken it.
            unsafe { free(ptr::from_ref(self.binding).cast(), self.pointer.as_ptr(), &[]) };
        }
    }
}

impl<B> fmt::Debug for TakenMemory<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TakenMemory").field(&self.pointer).finish()
    }
}

/// Copies `bytes` bytes of the argument `value` to memory that `allocate` makes. Some allocators return NULL for a size
/// of 0, so at least one byte is asked for.
///
/// # Errors
///
/// The allocator has no memory.
///
/// # Safety
///
/// `start` points to that many bytes, and `allocate` returns NULL or memory of the size that it is asked for.
pub unsafe fn copied_for_c(
    value: &'static str,
    start: *const u8,
    bytes: usize,
    allocate: impl FnOnce(usize) -> *mut c_void,
) -> Result<NonNull<c_void>, CallError> {
    let pointer = NonNull::new(allocate(bytes.max(1))).ok_or(CallError::NoMemory { value })?;
    // SAFETY: the new memory is at least as large, and is not the caller's.
    unsafe { ptr::copy_nonoverlapping(start, pointer.as_ptr().cast(), bytes) };
    Ok(pointer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    /// Memory of a made-up allocator: the blocks that were made, and how many were freed.
    #[derive(Default)]
    struct Heap {
        blocks: RefCell<Vec<Box<[u8]>>>,
        freed: Cell<usize>,
        is_full: bool,
    }

    unsafe fn allocate(binding: *const (), size: usize) -> *mut c_void {
        // SAFETY: the binding is a `Heap`.
        let heap = unsafe { &*binding.cast::<Heap>() };
        if heap.is_full {
            return ptr::null_mut();
        }
        let mut block = vec![0xaa; size].into_boxed_slice();
        let start = block.as_mut_ptr().cast();
        heap.blocks.borrow_mut().push(block);
        start
    }

    unsafe fn free(binding: *const (), _: *mut c_void, _: &[u64]) -> bool {
        // SAFETY: the binding is a `Heap`.
        let heap = unsafe { &*binding.cast::<Heap>() };
        heap.freed.set(heap.freed.get() + 1);
        true
    }

    fn copy<'h, T: Copy>(heap: &'h Heap, elements: &[T]) -> Result<TakenMemory<'h, Heap>, CallError> {
        // SAFETY: both take a `Heap`, and the memory lives as long as that.
        unsafe { TakenMemory::copy("data", heap, allocate, Some(free), elements) }
    }

    #[test]
    fn the_copy_is_freed_unless_c_takes_it() {
        let heap = Heap::default();
        drop(copy(&heap, &[1_u16, 2]).expect("there is memory"));
        assert_eq!((heap.blocks.borrow()[0].as_ref(), heap.freed.get()), (&[1, 0, 2, 0][..], 1));
        let mut taken = copy(&heap, b"abc\0").expect("there is memory");
        assert!(!taken.as_ptr().is_null());
        taken.taken();
        drop(taken);
        assert_eq!((heap.blocks.borrow()[1].as_ref(), heap.freed.get()), (&b"abc\0"[..], 1));
    }

    #[test]
    fn nothing_is_at_least_one_byte() {
        let heap = Heap::default();
        drop(copy::<u32>(&heap, &[]).expect("there is memory"));
        assert_eq!(heap.blocks.borrow()[0].len(), 1);
    }

    #[test]
    fn no_memory_is_an_error() {
        let heap = Heap { is_full: true, ..Heap::default() };
        assert_eq!(copy(&heap, &[1]).map(|_| ()), Err(CallError::NoMemory { value: "data" }));
        assert_eq!(heap.freed.get(), 0);
    }
}
