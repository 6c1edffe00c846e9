//! Which types C may write to freely, and which of them are text.
//!
//! Output buffers consist of them; generated code adds the structs of its document.

/// A value that C may write in any way it likes.
///
/// # Safety
///
/// All bytes zero is a value of the type, and so is every other pattern of initialised bytes: it
/// has no `bool`, no `char`, no reference, no function pointer and no Rust enum in it. It may have
/// padding, since nobody reads its values as bytes.
pub unsafe trait Plain: Copy + 'static {}

/// A value that C is going to fill.
#[inline]
#[must_use]
pub fn zeroed<T: Plain>() -> T {
    // SAFETY: all bytes zero is a value of it.
    unsafe { std::mem::zeroed() }
}

/// What `char` and `unsigned char` can be.
///
/// # Safety
///
/// It is one byte, and every byte is a value of the type.
pub unsafe trait TextUnit: Plain {}

macro_rules! plain {
    ($($number:ty)*) => {$(
        // SAFETY: every pattern of bits is a number.
        unsafe impl Plain for $number {}
    )*};
}
plain!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize f32 f64);

// SAFETY: every pattern of bits is an address; only what follows it has to know more.
unsafe impl<T: 'static> Plain for *const T {}
// SAFETY: as above.
unsafe impl<T: 'static> Plain for *mut T {}
// SAFETY: an array is its elements, side by side.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

// SAFETY: it is an integer of eight bits.
unsafe impl TextUnit for i8 {}
// SAFETY: it is an integer of eight bits.
unsafe impl TextUnit for u8 {}
