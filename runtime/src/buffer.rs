//! The buffer that C writes an array or a string to.
//!
//! Generated methods create one, pass its address and capacity to C, and take the elements out
//! after C has returned.

use std::ffi::{CStr, CString};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;

use crate::CallError;
use crate::abi::Truth;
use crate::count::Count;
use crate::encoding::Encoding;
use crate::plain::{Plain, TextUnit};
use crate::room::Room;
use crate::text::text_between;

/// Zeroed room for `capacity` elements, followed by a guard that shows whether C wrote past the
/// end.
pub struct Buffer<T: Plain> {
    room: Room,
    of: PhantomData<T>,
}

impl<T: Plain> Buffer<T> {
    /// A buffer for the output `value`.
    ///
    /// The system provides zeroed memory, so unused capacity costs little.
    ///
    /// # Errors
    ///
    /// The capacity is negative, over the limit, or the allocation failed.
    pub fn new<C: Count>(value: &'static str, capacity: C) -> Result<Self, CallError> {
        const { assert!(size_of::<T>() > 0, "elements have a size") };
        Ok(Self { room: Room::new(value, capacity, size_of::<T>(), align_of::<T>())?, of: PhantomData })
    }

    /// Where C may write.
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.room.as_mut_ptr().cast()
    }

    /// How many elements C may write, in the C type of the capacity.
    ///
    /// # Errors
    ///
    /// The capacity does not fit that type.
    #[inline]
    pub fn capacity<C: Count>(&self) -> Result<C, CallError> {
        self.room.capacity_where(C::from_usize)
    }

    /// A copy of the text up to its NUL, for an error; `None` for an empty one.
    #[must_use]
    pub fn left(&self, encoding: Encoding) -> Option<String> {
        // SAFETY: the memory was zeroed and has `capacity` elements.
        unsafe { text_between(self.room.memory.as_ptr(), self.room.capacity, encoding) }
    }

    /// All elements.
    ///
    /// # Errors
    ///
    /// C wrote past the end.
    pub fn all(self) -> Result<Vec<T>, CallError> {
        let capacity = self.room.capacity;
        self.written(capacity)
    }

    /// The first `count` elements; `count` is the number that C reported.
    ///
    /// # Errors
    ///
    /// C wrote past the end, or `count` is negative or more than the capacity.
    pub fn written<C: Count>(self, count: C) -> Result<Vec<T>, CallError> {
        let count = self.room.written(count)?;
        let room = ManuallyDrop::new(self.room);
        // SAFETY: the memory comes from the global allocator, with the layout of an array of `T` of this length, and
        // `room` does not free it. `count` is at most the capacity. The memory was zeroed and C may have written to
        // it; either way it holds valid values, because `T` is `Plain`.
        Ok(unsafe { Vec::from_raw_parts(room.memory.as_ptr().cast(), count, room.length()) })
    }
}

impl<T: TextUnit> Buffer<T> {
    /// The text up to the first NUL, or all of it if there is none.
    ///
    /// # Errors
    ///
    /// C wrote past the end.
    pub fn text(self) -> Result<CString, CallError> {
        self.bytes().map(until_nul)
    }

    /// The text up to the first NUL, or all `count` bytes if there is none.
    ///
    /// # Errors
    ///
    /// C wrote past the end, or `count` is negative or more than the capacity.
    pub fn text_written<C: Count>(self, count: C) -> Result<CString, CallError> {
        self.bytes_written(count).map(until_nul)
    }

    /// All bytes.
    ///
    /// # Errors
    ///
    /// C wrote past the end.
    pub fn bytes(self) -> Result<Vec<u8>, CallError> {
        self.all().map(unsigned)
    }

    /// The first `count` bytes; `count` is the number that C reported.
    ///
    /// # Errors
    ///
    /// C wrote past the end, or `count` is negative or more than the capacity.
    pub fn bytes_written<C: Count>(self, count: C) -> Result<Vec<u8>, CallError> {
        self.written(count).map(unsigned)
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

/// An array of C truth values; every value except 0 is true.
#[inline]
#[must_use]
pub fn truths<T: Truth>(values: Vec<T>) -> Vec<bool> {
    values.into_iter().map(T::is_true).collect()
}

/// The same bytes, whether `char` is signed or not.
fn unsigned<T: TextUnit>(units: Vec<T>) -> Vec<u8> {
    let mut units = ManuallyDrop::new(units);
    // SAFETY: these are the parts of a vector that is not dropped, and a `TextUnit` has the layout of `u8`.
    unsafe { Vec::from_raw_parts(units.as_mut_ptr().cast(), units.len(), units.capacity()) }
}

fn until_nul(mut bytes: Vec<u8>) -> CString {
    let length = CStr::from_bytes_until_nul(&bytes).map_or(bytes.len(), CStr::count_bytes);
    bytes.truncate(length);
    // SAFETY: the bytes end before the first NUL.
    unsafe { CString::from_vec_unchecked(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MAX_ARGUMENTS;
    use crate::room::{GUARD, limit_buffers};

    /// A buffer to which C wrote `elements`.
    fn filled<T: Plain>(capacity: i32, elements: &[T]) -> Buffer<T> {
        let mut buffer = Buffer::<T>::new("out", capacity).expect("enough memory");
        for (index, element) in elements.iter().enumerate() {
            // SAFETY: each test stays within the capacity or the guard.
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
    fn a_write_past_the_end_is_an_error() {
        let overrun = CallError::Overrun { value: "out" };
        assert_eq!(filled(3, &[1_u8, 2, 3, 0]).all(), Err(overrun.clone()));
        assert_eq!(filled(3, &[1_u16; 4]).written(3), Err(overrun.clone()));
        assert_eq!(filled(1, &[[1_u64; 3]; 2]).all(), Err(overrun.clone()));
        assert_eq!(filled(0, &[1.0]).all(), Err(overrun.clone()));
        assert_eq!(filled(2, b"ab\0").text(), Err(overrun.clone()));
        assert_eq!(filled(2, b"ab\0").text_written(2), Err(overrun.clone()));
        // Each byte of the guard is checked, whatever count C reports.
        for place in 0..GUARD {
            let mut buffer = filled::<u8>(5, &[]);
            // SAFETY: the place is within the guard.
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
    fn an_impossible_capacity_is_an_error() {
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
        // This one reaches the allocator, which fails.
        refused::<u8>(isize::MAX - 64);
    }

    #[test]
    fn capacity_has_the_type_that_c_counts_in() {
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
    fn every_value_except_0_is_true() {
        assert_eq!(truths(vec![0_u8, 1, 2, 255]), [false, true, true, true]);
        assert_eq!(truths(vec![0, -1, 256]), [false, true, true]);
    }
}
