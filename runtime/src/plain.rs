//! The types that C may overwrite with any bytes, and those of them that are text.
//!
//! Output buffers hold such types; generated code adds the structs of its document.

/// A type that is valid for every sequence of bytes that C may write.
///
/// # Safety
///
/// Every pattern of initialised bytes, all zeros included, is a valid value: the type contains no
/// `bool`, `char`, reference, function pointer or Rust enum. It may have padding, because its values
/// are not read as bytes.
pub unsafe trait Plain: Copy + 'static {}

/// A zeroed value for C to fill.
#[inline]
#[must_use]
pub fn zeroed<T: Plain>() -> T {
    // SAFETY: all zeros is a valid value of a `Plain` type.
    unsafe { std::mem::zeroed() }
}

/// The Rust types of `char` and `unsigned char`.
///
/// # Safety
///
/// The type has the layout of `u8`, and every byte is a valid value.
pub unsafe trait TextUnit: Plain {}

macro_rules! plain {
    ($($number:ty)*) => {$(
        // SAFETY: every bit pattern is a valid number.
        unsafe impl Plain for $number {}
    )*};
}
plain!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize f32 f64);

// SAFETY: every bit pattern is a valid raw pointer; only dereferencing it needs more.
unsafe impl<T: 'static> Plain for *const T {}
// SAFETY: as above.
unsafe impl<T: 'static> Plain for *mut T {}
// SAFETY: an array is its elements, without padding between them.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

// SAFETY: it is an 8-bit integer.
unsafe impl TextUnit for i8 {}
// SAFETY: it is an 8-bit integer.
unsafe impl TextUnit for u8 {}
