//! The types that a thunk can take out of a slot.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use super::slots::{Args, Slot, State};
use crate::{CStrings, Utf16CStr};

/// A type that a thunk can take out of a slot.
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
        // that are not NUL, followed by a NUL.
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
        // SAFETY: in these states the arena, which is borrowed for `'a`, holds `length` units there,
        // aligned to a word.
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
        // with a NUL, aligned to a word. `EMPTY` is a NUL too.
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
        // SAFETY: in this state the arena, which is borrowed for `'a`, holds `count` pointers there, aligned to a word,
        // each to a NUL-terminated string.
        unsafe {
            let pointers: &[*const c_char] = std::slice::from_raw_parts(start.cast(), count);
            pointers.iter().map(|&pointer| CStr::from_ptr(pointer)).collect()
        }
    }
}

impl<'a> FromSlot<'a> for Vec<Option<&'a CStr>> {
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self {
        if !matches!(slot.state, State::Strings | State::NullableStrings) {
            return Vec::new();
        }
        let (start, count) = args.place(slot);
        // SAFETY: in these states the arena, which is borrowed for `'a`, holds `count` pointers there, aligned to a word,
        // each NULL or to a NUL-terminated string.
        unsafe { CStrings::new(start.cast_const().cast(), count) }.iter().collect()
    }
}

/// What a JSON caller passes is UTF-8.
impl<'a> FromSlot<'a> for Vec<&'a str> {
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self {
        let strings = <Vec<&CStr>>::from_slot(slot, args);
        strings.into_iter().map(|string| string.to_str().unwrap_or_default()).collect()
    }
}

/// As above.
impl<'a> FromSlot<'a> for Vec<Option<&'a str>> {
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self {
        let strings = <Vec<Option<&CStr>>>::from_slot(slot, args);
        strings.into_iter().map(|string| string.map(|string| string.to_str().unwrap_or_default())).collect()
    }
}

impl<'a, T: FromSlot<'a>> FromSlot<'a> for Option<T> {
    #[inline]
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self {
        slot.is_present().then(|| T::from_slot(slot, args))
    }
}

/// A list, an array or a record in the arena, which C may write to.
pub trait Lend<'a> {
    /// # Safety
    ///
    /// The slot belongs to a present field of the kind that `Self` stands for, and it is lent once.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "implemented here alone")]
    unsafe fn lend(slot: Slot, args: &Args<'a>) -> Self;
}

/// For a [`Kind::List`](super::Kind::List) of elements that are `T` in C.
impl<'a, T: Copy> Lend<'a> for &'a mut [T] {
    #[expect(private_interfaces, reason = "implemented here alone")]
    unsafe fn lend(slot: Slot, args: &Args<'a>) -> Self {
        const { assert!(align_of::<T>() <= align_of::<u64>(), "the arena is aligned for scalars") };
        let (start, count) = args.place(slot);
        // SAFETY: the caller guarantees that the arena holds `count` values of `T` there and that they are lent once.
        // The place is aligned to a word, which is enough for `T`.
        unsafe { std::slice::from_raw_parts_mut(start.cast(), count) }
    }
}

/// For a [`Kind::Record`](super::Kind::Record) with the layout of `T`, or a [`Kind::Fixed`](super::Kind::Fixed) if `T`
/// is an array.
impl<'a, T: Copy> Lend<'a> for &'a mut T {
    #[expect(private_interfaces, reason = "implemented here alone")]
    unsafe fn lend(slot: Slot, args: &Args<'a>) -> Self {
        const { assert!(align_of::<T>() <= align_of::<u64>(), "the arena is aligned for scalars") };
        let (start, _) = args.place(slot);
        // SAFETY: the caller guarantees that the arena holds a `T` there and that it is lent once. The place is aligned
        // to a word, which is enough for `T`.
        unsafe { &mut *start.cast() }
    }
}

impl<'a, T: Lend<'a>> Lend<'a> for Option<T> {
    #[expect(private_interfaces, reason = "implemented here alone")]
    unsafe fn lend(slot: Slot, args: &Args<'a>) -> Self {
        // SAFETY: the slot is present, and the caller guarantees its kind and that it is lent once.
        slot.is_present().then(|| unsafe { T::lend(slot, args) })
    }
}
