//! Members of a struct that C owns, for functions with `x-member`.

use std::ffi::c_void;

/// The member at byte `offset` of the struct behind a handle.
///
/// # Safety
///
/// The struct has an initialised `T` there, which nothing writes at the same time.
#[inline]
#[must_use]
pub unsafe fn member<T: Copy>(handle: *mut c_void, offset: usize) -> T {
    // SAFETY: the caller guarantees the value; C need not have aligned it.
    unsafe { handle.byte_add(offset).cast::<T>().read_unaligned() }
}

/// Sets the member at byte `offset` of a state.
///
/// # Safety
///
/// The state has a member of the size of `T` there, which nothing uses at the same time.
#[inline]
pub unsafe fn set_member<T: Copy>(state: *mut c_void, offset: usize, value: T) {
    // SAFETY: the caller guarantees the member, which need not be aligned.
    unsafe { state.byte_add(offset).cast::<T>().write_unaligned(value) };
}

/// The address of the member at byte `offset` of the struct behind a handle.
///
/// # Safety
///
/// The struct has more than `offset` bytes.
#[inline]
#[must_use]
pub unsafe fn address_of_member<T>(handle: *mut c_void, offset: usize) -> *mut T {
    // SAFETY: the caller guarantees that the place is in the struct.
    unsafe { handle.byte_add(offset).cast() }
}
