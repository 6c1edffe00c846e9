//! What a thunk takes out of a slot, type by type.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use super::slots::{Args, Slot, State};
use crate::Utf16CStr;

/// What a thunk takes out of a slot.
pub trait FromSlot<'a> {
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self;
}

macro_rules! scalars {
    ($($type:ty: $word:ident => $value:expr;)*) => {$(
        impl<'a> FromSlot<'a> for $type {
            #[inline]
            #[expect(private_interfaces, reason = "implemented here alone")]
            fn from_slot(slot: Slot, _: &Args<'a>) -> Self {
                let $word = slot.word;
                $value
            }
        }
    )*};
}

scalars! {
    bool: word => word != 0;
    i8: word => word as i8;
    u8: word => word as u8;
    i16: word => word as i16;
    u16: word => word as u16;
    i32: word => word as i32;
    u32: word => word as u32;
    i64: word => word as i64;
    u64: word => word;
    isize: word => word as isize;
    usize: word => word as usize;
    f32: word => f32::from_bits(word as u32);
    f64: word => f64::from_bits(word);
    *mut c_void: _word => ptr::null_mut();
}

impl<'a> FromSlot<'a> for &'a CStr {
    #[inline]
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self {
        if !matches!(slot.state, State::Str | State::NonZero) {
            return c"";
        }
        let (start, length) = args.place(slot);
        // SAFETY: in these states the arena, which is borrowed for `'a`, holds `length` bytes there
        // that are not NUL, and one NUL behind them.
        unsafe { CStr::from_bytes_with_nul_unchecked(std::slice::from_raw_parts(start.cast(), length + 1)) }
    }
}

impl<'a> FromSlot<'a> for &'a [u8] {
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self {
        if !matches!(slot.state, State::Str | State::Utf8 | State::NonZero | State::Bytes) {
            return &[];
        }
        let (start, length) = args.place(slot);
        // SAFETY: in these states the arena, which is borrowed for `'a`, holds `length` bytes there.
        unsafe { std::slice::from_raw_parts(start.cast(), length) }
    }
}

impl<'a, const N: usize> FromSlot<'a> for &'a [u8; N] {
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self {
        <&[u8]>::from_slot(slot, args).try_into().unwrap_or(const { &[0; N] })
    }
}

impl<'a> FromSlot<'a> for &'a str {
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self {
        if !matches!(slot.state, State::Str | State::Utf8) {
            return "";
        }
        // SAFETY: in these states the bytes are UTF-8.
        unsafe { str::from_utf8_unchecked(<&[u8]>::from_slot(slot, args)) }
    }
}

impl<'a> FromSlot<'a> for &'a [u16] {
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self {
        if !matches!(slot.state, State::NonZeroUnits | State::Units) {
            return &[];
        }
        let (start, length) = args.place(slot);
        // SAFETY: in these states the arena, which is borrowed for `'a`, holds `length` units there.
        unsafe { std::slice::from_raw_parts(start.cast(), length) }
    }
}

impl<'a> FromSlot<'a> for &'a Utf16CStr {
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self {
        const EMPTY: &[u16] = &[0];
        let start = match slot.state {
            State::NonZeroUnits => args.place(slot).0.cast_const().cast(),
            _ => EMPTY.as_ptr(),
        };
        // SAFETY: in this state the arena, which is borrowed for `'a`, holds units there that end
        // with a NUL, aligned to a word; and so does `EMPTY`.
        unsafe { Utf16CStr::from_ptr(start) }
    }
}

impl<'a> FromSlot<'a> for Vec<&'a CStr> {
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self {
        if slot.state != State::Strings {
            return Vec::new();
        }
        let (start, count) = args.place(slot);
        // SAFETY: in this state the arena, which is borrowed for `'a`, holds `count` pointers there, each to a string
        // that ends with NUL.
        unsafe {
            let pointers: &[*const c_char] = std::slice::from_raw_parts(start.cast(), count);
            pointers.iter().map(|&pointer| CStr::from_ptr(pointer)).collect()
        }
    }
}

impl<'a, T: FromSlot<'a>> FromSlot<'a> for Option<T> {
    #[inline]
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self {
        slot.is_present().then(|| T::from_slot(slot, args))
    }
}

/// What C may write to in the arena: a list, an array or a record.
pub trait Lend<'a> {
    /// # Safety
    ///
    /// The slot is that of a field of the kind that is asked for, and it is lent once.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "implemented here alone")]
    unsafe fn lend(slot: Slot, args: &Args<'a>) -> Self;
}

/// For a [`Kind::List`](super::Kind::List) of elements that are `T` in C.
impl<'a, T: Copy> Lend<'a> for &'a mut [T] {
    #[expect(private_interfaces, reason = "implemented here alone")]
    unsafe fn lend(slot: Slot, args: &Args<'a>) -> Self {
        let (start, count) = args.place(slot);
        // SAFETY: the caller vouches that the arena holds `count` values of `T` there, aligned to a word, and that
        // they are lent once.
        unsafe { std::slice::from_raw_parts_mut(start.cast(), count) }
    }
}

/// For a [`Kind::Record`](super::Kind::Record) with the layout of `T`, or a [`Kind::Fixed`](super::Kind::Fixed) where
/// `T` is an array: an array is its elements.
impl<'a, T: Copy> Lend<'a> for &'a mut T {
    #[expect(private_interfaces, reason = "implemented here alone")]
    unsafe fn lend(slot: Slot, args: &Args<'a>) -> Self {
        const { assert!(align_of::<T>() <= align_of::<u64>(), "the arena is aligned for scalars") };
        let (start, _) = args.place(slot);
        // SAFETY: the caller vouches that the arena holds a `T` there, which is aligned to a word, and that it is
        // lent once.
        unsafe { &mut *start.cast() }
    }
}

impl<'a, T: Lend<'a>> Lend<'a> for Option<T> {
    #[expect(private_interfaces, reason = "implemented here alone")]
    unsafe fn lend(slot: Slot, args: &Args<'a>) -> Self {
        // SAFETY: the caller vouches for it.
        slot.is_present().then(|| unsafe { T::lend(slot, args) })
    }
}
