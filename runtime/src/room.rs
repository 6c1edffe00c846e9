//! The memory of a buffer that C writes to: zeros, with a guard behind them. [`Buffer`](crate::buffer::Buffer) is typed
//! room; the interpreter, which knows elements only by their size, uses it as it is.

use std::alloc::{self, Layout};
use std::cell::Cell;
use std::ptr::{self, NonNull};

use crate::count::{Count, within};
use crate::{CallError, MAX_ARGUMENTS};

/// The bytes of the guard: neither NUL nor common in text.
pub(crate) const FILL: u8 = 0xA5;

/// The minimum size of a guard, in bytes.
pub(crate) const GUARD: usize = 16;

/// As [`Buffer`](crate::buffer::Buffer), for elements whose size is only known at run time.
///
/// A guard hides an overrun from sanitizers and valgrind, because the memory belongs to us. With
/// `--cfg opendyn_exact_buffers` there is no guard, and they detect it.
pub struct Room {
    value: &'static str,
    pub(crate) capacity: usize,
    /// The size of an element; not 0.
    size: usize,
    align: usize,
    /// The elements and the guard.
    pub(crate) memory: NonNull<u8>,
}

impl Room {
    /// Room for the output `value`: `capacity` elements of `size` bytes, aligned to `align`, which is a power of two.
    ///
    /// # Errors
    ///
    /// As for [`Buffer::new`](crate::buffer::Buffer::new).
    #[inline]
    pub fn new<C: Count>(
        value: &'static str,
        capacity: C,
        size: usize,
        align: usize,
    ) -> Result<Self, CallError> {
        match capacity.to_usize().and_then(|capacity| Self::allocate(value, capacity, size, align)) {
            Some(room) => Ok(room),
            None => Err(impossible(value, capacity.to_i128())),
        }
    }

    #[inline]
    fn allocate(value: &'static str, capacity: usize, size: usize, align: usize) -> Option<Self> {
        if capacity.checked_mul(size)? > LIMIT.get() {
            return None;
        }
        let memory = zeroed(layout(capacity.checked_add(guard(size))?, size, align)?)?;
        let mut room = Self { value, capacity, size, align, memory };
        room.guard().fill(FILL);
        Some(room)
    }

    /// Where C may write.
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.memory.as_ptr()
    }

    /// How many elements C may write, converted by `fits`.
    ///
    /// # Errors
    ///
    /// The capacity does not fit.
    #[inline]
    pub fn capacity_where<C>(&self, fits: impl FnOnce(usize) -> Option<C>) -> Result<C, CallError> {
        // No `usize` is wider than 64 bits.
        fits(self.capacity).ok_or_else(|| impossible(self.value, self.capacity as i128))
    }

    /// All elements.
    ///
    /// # Errors
    ///
    /// C wrote past the end.
    pub fn all(&self) -> Result<usize, CallError> {
        self.written(self.capacity)
    }

    /// How many elements there are; `count` is the number that C reported.
    ///
    /// # Errors
    ///
    /// C wrote past the end, or `count` is negative or more than the capacity.
    #[inline]
    pub fn written<C: Count>(&self, count: C) -> Result<usize, CallError> {
        // SAFETY: the guard is initialised; nothing else refers to it.
        let guard = unsafe { std::slice::from_raw_parts(self.guard_start(), guard(self.size) * self.size) };
        // Checking every byte takes fewer instructions than stopping at the first wrong one.
        if guard.iter().fold(0, |wrong, byte| wrong | (byte ^ FILL)) != 0 {
            return Err(overrun(self.value));
        }
        within(self.value, count, self.capacity)
    }

    #[inline]
    fn guard(&mut self) -> &mut [u8] {
        // SAFETY: the allocation has the bytes of the guard there, and they are initialised; `&mut self` makes the
        // access exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.guard_start(), guard(self.size) * self.size) }
    }

    #[inline]
    fn guard_start(&self) -> *mut u8 {
        self.memory.as_ptr().wrapping_add(self.capacity * self.size)
    }

    /// How many elements are allocated, with those of the guard.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.capacity + guard(self.size)
    }
}

/// The layout of `length` elements.
#[inline]
fn layout(length: usize, size: usize, align: usize) -> Option<Layout> {
    Layout::from_size_align(length.checked_mul(size)?, align).ok()
}

impl Drop for Room {
    fn drop(&mut self) {
        let layout = layout(self.length(), self.size, self.align);
        if let Some(layout) = layout.filter(|layout| layout.size() > 0) {
            // SAFETY: the memory was allocated with this layout.
            unsafe { alloc::dealloc(self.memory.as_ptr(), layout) };
        }
    }
}

/// The size of the guard behind elements of `size` bytes, in elements.
#[inline]
const fn guard(size: usize) -> usize {
    if cfg!(opendyn_exact_buffers) { 0 } else { GUARD.div_ceil(size) }
}

thread_local! {
    /// The maximum size of a buffer in bytes.
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// While this lives, buffers that this thread creates have at most [`MAX_ARGUMENTS`] bytes.
pub struct Limited(usize);

/// The maximum size of a buffer that this thread may make now, in bytes.
pub(crate) fn limit() -> usize {
    LIMIT.get()
}

/// Limits buffers for a JSON call in which a function of the library computes the capacity from
/// the caller's arguments.
#[must_use]
pub fn limit_buffers() -> Limited {
    Limited(LIMIT.replace(MAX_ARGUMENTS))
}

impl Drop for Limited {
    fn drop(&mut self) {
        LIMIT.set(self.0);
    }
}

/// Zeroed memory; `None` if the allocation fails.
#[inline]
fn zeroed(layout: Layout) -> Option<NonNull<u8>> {
    if layout.size() == 0 {
        return NonNull::new(ptr::without_provenance_mut(layout.align()));
    }
    // SAFETY: the size is not 0.
    NonNull::new(unsafe { alloc::alloc_zeroed(layout) })
}

#[cold]
fn impossible(value: &'static str, capacity: i128) -> CallError {
    CallError::Capacity { value, capacity }
}

#[cold]
fn overrun(value: &'static str) -> CallError {
    CallError::Overrun { value }
}
