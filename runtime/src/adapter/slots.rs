//! Where checked arguments wait for the call.
//!
//! A [`Slot`] is plain: a state and a word. Scalars are in the word; everything else is in the
//! [`Arena`], and the word says where. [`Args`] hands them to a thunk as what the method takes.
//! A slot knows whether its word is a place of a string, and of which, so that only such a one is
//! ever followed; that a list or a record holds what the thunk takes it for is for the thunk to
//! vouch.

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;

use super::arena::Arena;
use super::from_slot::FromSlot;
use super::kind::Kind;
use super::text::Text;
use crate::encoding::Encoding;

/// One argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(super) state: State,
    pub(super) word: u64,
}

/// As wide as the word, so that eight unseen slots are a few stores of zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum State {
    Unseen,
    Null,
    Present,
    /// Present, and the word is the place of a string in the arena: UTF-8 without NUL, and one
    /// NUL behind it.
    Str,
    /// Likewise of UTF-8 that may have NUL.
    Utf8,
    /// Likewise of bytes without NUL.
    NonZero,
    /// Likewise of bytes.
    Bytes,
    /// Likewise of units of 16 bits that are not zero, and a unit of zero behind them.
    NonZeroUnits,
    /// Likewise of units.
    Units,
    /// Present, and the word is the place of pointers, each to a string that ends with NUL.
    Strings,
}

impl Slot {
    pub(crate) const UNSEEN: Self = Self { state: State::Unseen, word: 0 };
    pub(crate) const NULL: Self = Self { state: State::Null, word: 0 };

    /// A slot for a scalar.
    #[inline]
    pub(crate) fn scalar(word: u64) -> Self {
        Self { state: State::Present, word }
    }

    /// A slot for a field of `kind`; `word` is what `convert` or the arena made of its value.
    pub(crate) fn filled(kind: Kind, word: u64) -> Self {
        let state = match kind {
            Kind::Str | Kind::Handle(_) => State::Str,
            Kind::Text(text) => State::of_text(text),
            Kind::List(Kind::Str) | Kind::Fixed((Kind::Str, _)) => State::Strings,
            Kind::List(Kind::Text(text)) | Kind::Fixed((Kind::Text(text), _))
                if text.is_pointer_to_bytes() =>
            {
                State::Strings
            }
            _ => State::Present,
        };
        Self { state, word }
    }

    #[inline]
    pub(super) fn is_present(self) -> bool {
        !matches!(self.state, State::Unseen | State::Null)
    }

    #[inline]
    pub(crate) fn is_seen(self) -> bool {
        self.state != State::Unseen
    }
}

impl State {
    fn of_text(text: &Text) -> Self {
        match (text.encoding, text.counted) {
            (Encoding::Utf8 | Encoding::Utf8Lossy, false) => Self::Str,
            (Encoding::Utf8 | Encoding::Utf8Lossy, true) => Self::Utf8,
            (Encoding::Latin1 | Encoding::Base64 | Encoding::Hex, false) => Self::NonZero,
            (Encoding::Latin1 | Encoding::Base64 | Encoding::Hex, true) => Self::Bytes,
            (Encoding::Utf16, false) => Self::NonZeroUnits,
            (Encoding::Utf16, true) => Self::Units,
        }
    }
}

/// The checked arguments of one call.
pub struct Args<'a> {
    slots: &'a [Slot],
    arena: *mut u64,
    lent: PhantomData<&'a mut Arena>,
}

impl<'a> Args<'a> {
    #[inline]
    pub(crate) fn new(slots: &'a [Slot], arena: &'a mut Arena) -> Self {
        Self { slots, arena: arena.finish(), lent: PhantomData }
    }

    /// The argument of the field at `index`; an absent one is zero, or `None`.
    #[inline]
    #[must_use]
    pub fn get<T: FromSlot<'a>>(&self, index: usize) -> T {
        T::from_slot(self.slots[index], self)
    }

    /// The list at `index`, which C may write to.
    ///
    /// # Safety
    ///
    /// The field at `index` is a [`Kind::List`](super::Kind::List) of elements that are `T` in
    /// C, and no list is taken twice.
    #[must_use]
    pub unsafe fn list<T: Copy>(&self, index: usize) -> &'a mut [T] {
        let (start, count) = self.place(self.slots[index]);
        // SAFETY: the caller vouches that the arena holds `count` values of `T` there, aligned
        // to a word, and that they are lent once.
        unsafe { std::slice::from_raw_parts_mut(start.cast(), count) }
    }

    /// The list at `index`, or `None` where it is absent.
    ///
    /// # Safety
    ///
    /// As for [`Args::list`].
    #[must_use]
    pub unsafe fn optional_list<T: Copy>(&self, index: usize) -> Option<&'a mut [T]> {
        // SAFETY: the caller vouches for it.
        self.slots[index].is_present().then(|| unsafe { self.list(index) })
    }

    /// The array at `index`, which C may write to.
    ///
    /// # Safety
    ///
    /// The field at `index` is required and a [`Kind::Fixed`](super::Kind::Fixed) of `N` elements
    /// that are `T` in C, and no array is taken twice.
    #[must_use]
    pub unsafe fn array<T: Copy, const N: usize>(&self, index: usize) -> &'a mut [T; N] {
        // SAFETY: an array is its elements, and the caller vouches for them.
        unsafe { self.record(index) }
    }

    /// The array at `index`, or `None` where it is absent.
    ///
    /// # Safety
    ///
    /// As for [`Args::array`], but the field need not be required.
    #[must_use]
    pub unsafe fn optional_array<T: Copy, const N: usize>(&self, index: usize) -> Option<&'a mut [T; N]> {
        // SAFETY: the caller vouches for it.
        unsafe { self.optional_record(index) }
    }

    /// The record at `index`, which C may write to.
    ///
    /// # Safety
    ///
    /// The field at `index` is required and a [`Kind::Record`](super::Kind::Record) with the
    /// layout of `T`, and no record is taken twice.
    #[must_use]
    pub unsafe fn record<T: Copy>(&self, index: usize) -> &'a mut T {
        const { assert!(align_of::<T>() <= align_of::<u64>(), "the arena is aligned for scalars") };
        let (start, _) = self.place(self.slots[index]);
        // SAFETY: the caller vouches that the arena holds a `T` there, which is aligned to a
        // word, and that it is lent once.
        unsafe { &mut *start.cast() }
    }

    /// The record at `index`, or `None` where it is absent.
    ///
    /// # Safety
    ///
    /// As for [`Args::record`], but the field need not be required.
    #[must_use]
    pub unsafe fn optional_record<T: Copy>(&self, index: usize) -> Option<&'a mut T> {
        // SAFETY: the caller vouches for it.
        self.slots[index].is_present().then(|| unsafe { self.record(index) })
    }

    /// The strings at `index`: none where they are absent.
    #[must_use]
    pub fn strings(&self, index: usize) -> Vec<&'a CStr> {
        self.optional_strings(index).unwrap_or_default()
    }

    /// The strings at `index`, or `None` where they are absent.
    #[must_use]
    pub fn optional_strings(&self, index: usize) -> Option<Vec<&'a CStr>> {
        let slot = self.slots[index];
        if slot.state != State::Strings {
            return None;
        }
        let (start, count) = self.place(slot);
        // SAFETY: in this state the arena, which is borrowed for `'a`, holds `count` pointers there,
        // each to a string that ends with NUL.
        let strings = unsafe {
            let pointers: &[*const c_char] = std::slice::from_raw_parts(start.cast(), count);
            pointers.iter().map(|&pointer| CStr::from_ptr(pointer)).collect()
        };
        Some(strings)
    }

    #[inline]
    pub(super) fn place(&self, slot: Slot) -> (*mut u64, usize) {
        (self.arena.wrapping_add((slot.word >> 32) as usize), slot.word as u32 as usize)
    }
}

#[cfg(test)]
#[path = "slots_tests.rs"]
mod tests;
