//! The checked arguments of a call.
//!
//! A [`Slot`] is a state and a word. The word holds a scalar, or the place of any other value in the
//! [`Arena`]. [`Args`] passes them to a thunk with the types that the method takes. The state says
//! whether the word is the place of a string, and of which form, so only such words are followed as
//! strings; for a list or a record, the thunk guarantees the type.

use std::marker::PhantomData;

use super::arena::Arena;
use super::from_slot::{FromSlot, Lend};
use super::kind::Kind;
use super::text::Text;
use crate::encoding::Encoding;

/// One argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(super) state: State,
    pub(super) word: u64,
}

/// As wide as the word, so that a few stores of zeros make eight unseen slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum State {
    Unseen,
    Null,
    Present,
    /// Present; the word is the place of a string in the arena: UTF-8 without NUL, followed by a NUL.
    Str,
    /// The place of UTF-8 that may contain NUL.
    Utf8,
    /// The place of bytes without NUL, followed by a NUL.
    NonZero,
    /// The place of bytes.
    Bytes,
    /// The place of nonzero 16-bit units, followed by a zero unit.
    NonZeroUnits,
    /// The place of 16-bit units.
    Units,
    /// The place of pointers, each to a NUL-terminated string.
    Strings,
    /// The place of pointers, each NULL or to a NUL-terminated string.
    NullableStrings,
}

impl Slot {
    pub(crate) const UNSEEN: Self = Self { state: State::Unseen, word: 0 };
    pub(crate) const NULL: Self = Self { state: State::Null, word: 0 };

    /// A slot for a scalar.
    #[inline]
    pub(crate) fn scalar(word: u64) -> Self {
        Self { state: State::Present, word }
    }

    /// A slot for a field of `kind`; `word` is from `convert` or the arena.
    pub(crate) fn filled(kind: Kind, word: u64) -> Self {
        let state = match kind {
            Kind::Str | Kind::Handle(_) => State::Str,
            Kind::Text(text) => State::of_text(text),
            Kind::List(Kind::Str | Kind::Handle(_)) | Kind::Fixed((Kind::Str, _)) => State::Strings,
            Kind::List(Kind::Nullable(Kind::Str | Kind::Handle(_))) => State::NullableStrings,
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

    /// The argument for the field at `index`; zero or `None` if it is absent.
    #[inline]
    #[must_use]
    pub fn get<T: FromSlot<'a>>(&self, index: usize) -> T {
        T::from_slot(self.slots[index], self)
    }

    /// The list, array or record at `index`, which C may write to. If `T` is an `Option`, an absent one is `None`.
    ///
    /// # Safety
    ///
    /// The field at `index` is of the kind that `T` stands for (see [`Lend`]), it is required unless `T` is an
    /// `Option`, and it is taken once.
    #[must_use]
    pub unsafe fn lend<T: Lend<'a>>(&self, index: usize) -> T {
        // SAFETY: the caller guarantees the kind and the presence of the field, and that it is taken once.
        unsafe { T::lend(self.slots[index], self) }
    }

    #[inline]
    pub(super) fn slot(&self, index: usize) -> Slot {
        self.slots[index]
    }

    #[inline]
    pub(super) fn place(&self, slot: Slot) -> (*mut u64, usize) {
        (self.arena.wrapping_add((slot.word >> 32) as usize), slot.word as u32 as usize)
    }
}

#[cfg(test)]
#[path = "slots_tests.rs"]
mod tests;
