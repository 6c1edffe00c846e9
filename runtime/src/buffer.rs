//! The buffer that C writes an array or a text to.
//!
//! Generated methods make one, hand its address and capacity to C, and take the elements out
//! when C has returned.

use std::alloc::{self, Layout};
use std::cell::Cell;
use std::ffi::{CStr, CString};

use crate::abi::Truth;
use crate::count::{Count, within};
use crate::plain::{Plain, TextUnit};
use crate::{CallError, MAX_ARGUMENTS};

/// What the guard is filled with: neither a NUL nor a usual byte of text.
const FILL: u8 = 0xA5;

/// The least size of a guard, in bytes.
const GUARD: usize = 16;

/// Room for so many elements, all zero, and behind them a guard that shows whether C wrote
/// farther than it was allowed to.
///
/// A guard hides an overrun from sanitizers and valgrind, which see only that the memory is ours.
/// With `--cfg opendyn_exact_buffers` there is none, and they see it.
pub struct Buffer<T: Plain> {
    value: &'static str,
    capacity: usize,
    /// Has no elements until C has returned, and memory for the capacity and the guard.
    elements: Vec<T>,
}

impl<T: Plain> Buffer<T> {
    /// How many elements the guard is as large as.
    const GUARD: usize = {
        assert!(size_of::<T>() > 0, "elements have a size");
        if cfg!(opendyn_exact_buffers) { 0 } else { GUARD.div_ceil(size_of::<T>()) }
    };

    /// A buffer for the output `value`.
    ///
    /// The memory comes zeroed from the system: a large capacity of which little is used costs
    /// little.
    ///
    /// # Errors
    ///
    /// The capacity is negative, or there is not so much memory.
    pub fn new<C: Count>(value: &'static str, capacity: C) -> Result<Self, CallError> {
        match capacity.to_usize().and_then(|capacity| Self::allocate(value, capacity)) {
            Some(buffer) => Ok(buffer),
            None => Err(impossible(value, capacity.to_i128())),
        }
    }

    fn allocate(value: &'static str, capacity: usize) -> Option<Self> {
        if capacity.checked_mul(size_of::<T>())? > LIMIT.get() {
            return None;
        }
        let elements = zeroed(capacity.checked_add(Self::GUARD)?)?;
        let mut buffer = Self { value, capacity, elements };
        buffer.guard_mut().fill(FILL);
        Some(buffer)
    }

    /// Where C may write.
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.elements.as_mut_ptr()
    }

    /// How many elements C may write, as the type in which it is told.
    ///
    /// # Errors
    ///
    /// That type cannot count so far.
    #[inline]
    pub fn capacity<C: Count>(&self) -> Result<C, CallError> {
        // No `usize` is wider than 64 bits.
        C::from_usize(self.capacity).ok_or_else(|| impossible(self.value, self.capacity as i128))
    }

    /// All elements.
    ///
    /// # Errors
    ///
    /// C wrote behind the end.
    pub fn all(self) -> Result<Vec<T>, CallError> {
        let capacity = self.capacity;
        self.written(capacity)
    }

    /// The first `count` elements, which C says that it wrote.
    ///
    /// # Errors
    ///
    /// C wrote behind the end, or `count` is negative or more than the capacity.
    pub fn written<C: Count>(mut self, count: C) -> Result<Vec<T>, CallError> {
        // Every byte is looked at, which takes fewer steps than to stop at the first wrong one.
        if self.guard_mut().iter().fold(0, |wrong, byte| wrong | (byte ^ FILL)) != 0 {
            return Err(overrun(self.value));
        }
        let count = within(self.value, count, self.capacity)?;
        // SAFETY: the memory is of at least so many elements. It was zero and C may have written
        // to it; either way it holds values of `T`, because that is `Plain`.
        unsafe { self.elements.set_len(count) };
        Ok(self.elements)
    }

    #[inline]
    fn guard_mut(&mut self) -> &mut [u8] {
        // SAFETY: behind the capacity there is memory for `GUARD` elements, whose bytes are
        // initialised, and which nobody else holds.
        unsafe {
            let guard = self.elements.as_mut_ptr().add(self.capacity);
            std::slice::from_raw_parts_mut(guard.cast(), Self::GUARD * size_of::<T>())
        }
    }
}

impl<T: TextUnit> Buffer<T> {
    /// The text up to its NUL, or all of it if there is none.
    ///
    /// # Errors
    ///
    /// C wrote behind the end.
    pub fn text(self) -> Result<CString, CallError> {
        self.bytes().map(until_nul)
    }

    /// The text up to its NUL, or all `count` bytes of it if there is none among them.
    ///
    /// # Errors
    ///
    /// C wrote behind the end, or `count` is negative or more than the capacity.
    pub fn text_written<C: Count>(self, count: C) -> Result<CString, CallError> {
        self.bytes_written(count).map(until_nul)
    }

    /// All bytes.
    ///
    /// # Errors
    ///
    /// C wrote behind the end.
    pub fn bytes(self) -> Result<Vec<u8>, CallError> {
        self.all().map(unsigned)
    }

    /// The first `count` bytes, which C says that it wrote.
    ///
    /// # Errors
    ///
    /// C wrote behind the end, or `count` is negative or more than the capacity.
    pub fn bytes_written<C: Count>(self, count: C) -> Result<Vec<u8>, CallError> {
        self.written(count).map(unsigned)
    }
}

thread_local! {
    /// The most bytes that a buffer may have.
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// While this lives, buffers that this thread makes have at most [`MAX_ARGUMENTS`] bytes.
pub struct Limited(usize);

/// Limits buffers for a call that comes as JSON, where a function of the library computes the
/// capacity from what the caller gave.
#[must_use]
pub fn limit_buffers() -> Limited {
    Limited(LIMIT.replace(MAX_ARGUMENTS))
}

impl Drop for Limited {
    fn drop(&mut self) {
        LIMIT.set(self.0);
    }
}

/// The units before the first NUL, or all of them.
#[must_use]
pub fn units_until_nul(mut units: Vec<u16>) -> Vec<u16> {
    if let Some(end) = units.iter().position(|unit| *unit == 0) {
        units.truncate(end);
    }
    units
}

/// An array of C truth values; anything but 0 is true.
#[inline]
#[must_use]
pub fn truths<T: Truth>(values: Vec<T>) -> Vec<bool> {
    values.into_iter().map(T::is_true).collect()
}

/// No elements, but memory of zeros for `count` of them; `None` if there is not so much.
fn zeroed<T: Plain>(count: usize) -> Option<Vec<T>> {
    let layout = Layout::array::<T>(count).ok()?;
    if layout.size() == 0 {
        return Some(Vec::new());
    }
    // SAFETY: the size is not 0.
    let memory = unsafe { alloc::alloc_zeroed(layout) }.cast::<T>();
    if memory.is_null() {
        return None;
    }
    // SAFETY: the memory is from the global allocator, in the layout of `count` elements.
    Some(unsafe { Vec::from_raw_parts(memory, 0, count) })
}

/// The same bytes, whether `char` has a sign or not.
fn unsigned<T: TextUnit>(units: Vec<T>) -> Vec<u8> {
    let (pointer, length, capacity) = units.into_raw_parts();
    // SAFETY: these are the parts of a vector, and a `TextUnit` is laid out like a `u8`.
    unsafe { Vec::from_raw_parts(pointer.cast(), length, capacity) }
}

fn until_nul(mut bytes: Vec<u8>) -> CString {
    let length = CStr::from_bytes_until_nul(&bytes).map_or(bytes.len(), CStr::count_bytes);
    bytes.truncate(length);
    // SAFETY: there is no NUL before the first.
    unsafe { CString::from_vec_unchecked(bytes) }
}

#[cold]
fn impossible(value: &'static str, capacity: i128) -> CallError {
    CallError::Capacity { value, capacity }
}

#[cold]
fn overrun(value: &'static str) -> CallError {
    CallError::Overrun { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A buffer to which C wrote `elements`.
    fn filled<T: Plain>(capacity: i32, elements: &[T]) -> Buffer<T> {
        let mut buffer = Buffer::<T>::new("out", capacity).expect("so much memory");
        for (index, element) in elements.iter().enumerate() {
            // SAFETY: each test stays within the capacity, or the guard.
            unsafe { buffer.as_mut_ptr().add(index).write(*element) };
        }
        buffer
    }

    #[test]
    fn a_buffer_starts_as_zeros() {
        assert_eq!(filled::<i32>(3, &[]).all(), Ok(vec![0; 3]));
        assert_eq!(filled::<[f64; 2]>(2, &[]).all(), Ok(vec![[0.0; 2]; 2]));
    }

    #[test]
    fn what_c_wrote_is_taken_out() {
        assert_eq!(filled(3, &[1, -2]).all(), Ok(vec![1, -2, 0]));
        assert_eq!(filled(3, &[1, -2]).written(2_u64), Ok(vec![1, -2]));
        assert_eq!(filled(3, &[1, 2, 3]).written(3_i8), Ok(vec![1, 2, 3]));
        assert_eq!(filled(3, &[1]).written(0), Ok(vec![]));
    }

    #[test]
    fn a_count_beyond_the_capacity_or_below_zero_is_an_error() {
        for count in [4, -1, i64::MAX, i64::MIN] {
            assert_eq!(
                filled::<u8>(3, &[]).written(count),
                Err(CallError::Written { value: "out", count: count.into(), capacity: 3 })
            );
        }
    }

    #[test]
    #[cfg(not(opendyn_exact_buffers))]
    fn a_write_behind_the_end_is_an_error() {
        let overrun = CallError::Overrun { value: "out" };
        assert_eq!(filled(3, &[1_u8, 2, 3, 0]).all(), Err(overrun.clone()));
        assert_eq!(filled(3, &[1_u16; 4]).written(3), Err(overrun.clone()));
        assert_eq!(filled(1, &[[1_u64; 3]; 2]).all(), Err(overrun.clone()));
        assert_eq!(filled(0, &[1.0]).all(), Err(overrun.clone()));
        assert_eq!(filled(2, b"ab\0").text(), Err(overrun.clone()));
        assert_eq!(filled(2, b"ab\0").text_written(2), Err(overrun.clone()));
        // Each byte of the guard counts, and C's own count does not excuse it.
        for place in 0..GUARD {
            let mut buffer = filled::<u8>(5, &[]);
            // SAFETY: it is within the guard.
            unsafe { buffer.as_mut_ptr().add(5 + place).write(7) };
            assert_eq!(buffer.written(6), Err(overrun.clone()), "{place}");
        }
    }

    #[test]
    fn a_buffer_may_have_no_room() {
        let mut buffer = filled::<u64>(0, &[]);
        assert!(!buffer.as_mut_ptr().is_null() && buffer.as_mut_ptr().is_aligned());
        assert_eq!(buffer.capacity(), Ok(0_u8));
        assert_eq!(buffer.all(), Ok(vec![]));
        assert_eq!(filled::<u8>(0, &[]).text(), Ok(CString::default()));
    }

    #[test]
    fn a_capacity_that_cannot_be_is_an_error() {
        fn refused<T: Plain>(capacity: impl Count) {
            assert_eq!(
                Buffer::<T>::new("out", capacity).map(|_| ()),
                Err(CallError::Capacity { value: "out", capacity: capacity.to_i128() })
            );
        }
        refused::<u8>(-1);
        refused::<u8>(i64::MIN);
        refused::<u8>(i64::MAX);
        refused::<u8>(usize::MAX / 2);
        refused::<u64>(usize::MAX / 2);
        refused::<u8>(usize::MAX);
        // The allocator is asked for this one, and has not so much.
        refused::<u8>(isize::MAX - 64);
    }

    #[test]
    fn capacity_is_told_as_c_counts() {
        let buffer = filled::<u8>(300, &[]);
        assert_eq!(buffer.capacity(), Ok(300_u16));
        assert_eq!(buffer.capacity::<u8>(), Err(CallError::Capacity { value: "out", capacity: 300 }));
    }

    #[test]
    fn text_ends_at_its_nul_or_with_the_buffer() {
        assert_eq!(filled(5, b"ab\0cd").text(), Ok(c"ab".to_owned()));
        assert_eq!(filled(5, b"abcde").text(), Ok(c"abcde".to_owned()));
        assert_eq!(filled(5, b"abcde").text_written(3), Ok(c"abc".to_owned()));
        assert_eq!(filled(5, b"a\0cde").text_written(3), Ok(c"a".to_owned()));
        assert_eq!(filled(5, &[-1_i8, 97]).text(), Ok(c"\xffa".to_owned()));
    }

    #[test]
    fn bytes_keep_their_nul() {
        assert_eq!(filled(4, b"a\0b").bytes(), Ok(b"a\0b\0".to_vec()));
        assert_eq!(filled(4, &[-1_i8, 0, 1]).bytes_written(3_usize), Ok(vec![255, 0, 1]));
    }

    #[test]
    fn a_limit_ends_with_its_guard() {
        let limited = limit_buffers();
        assert!(Buffer::<u64>::new("out", MAX_ARGUMENTS / 8).is_ok());
        assert!(Buffer::<u64>::new("out", MAX_ARGUMENTS / 8 + 1).is_err());
        drop(limited);
        assert!(Buffer::<u64>::new("out", MAX_ARGUMENTS / 8 + 1).is_ok());
    }

    #[test]
    fn anything_but_0_is_true() {
        assert_eq!(truths(vec![0_u8, 1, 2, 255]), [false, true, true, true]);
        assert_eq!(truths(vec![0, -1, 256]), [false, true, true]);
    }
}
