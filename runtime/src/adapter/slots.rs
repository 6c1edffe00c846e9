//! Where checked arguments wait for the call.
//!
//! A [`Slot`] is plain: a state and a word. Scalars are in the word; strings and lists are in
//! the [`Arena`], and the word says where. [`Args`] hands them to a thunk as what the method
//! takes. A slot knows whether its word is a place of a string, so that only such a one is ever
//! followed; that a list holds what the thunk takes it for is for the thunk to vouch.

use std::ffi::{CStr, c_void};
use std::marker::PhantomData;
use std::ptr;

use super::arena::Arena;
use super::kind::Kind;

/// One argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    state: State,
    word: u64,
}

/// As wide as the word, so that eight unseen slots are a few stores of zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
enum State {
    Unseen,
    Null,
    Present,
    /// Present, and the word is the place of a string in the arena.
    Str,
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
        let state = if matches!(kind, Kind::Str) { State::Str } else { State::Present };
        Self { state, word }
    }

    pub(crate) fn word(self) -> u64 {
        self.word
    }

    #[inline]
    fn is_present(self) -> bool {
        matches!(self.state, State::Present | State::Str)
    }

    #[inline]
    pub(crate) fn is_seen(self) -> bool {
        self.state != State::Unseen
    }
}

/// The checked arguments of one call.
pub struct Args<'a> {
    slots: &'a [Slot],
    arena: *mut u64,
    lent: PhantomData<&'a mut Arena>,
}

impl<'a> Args<'a> {
    pub(crate) fn new(slots: &'a [Slot], arena: &'a mut Arena) -> Self {
        Self { slots, arena: arena.as_mut_ptr(), lent: PhantomData }
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

    #[inline]
    fn place(&self, slot: Slot) -> (*mut u64, usize) {
        (self.arena.wrapping_add((slot.word >> 32) as usize), slot.word as u32 as usize)
    }
}

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
        if slot.state != State::Str {
            return c"";
        }
        let (start, length) = args.place(slot);
        // SAFETY: such a word comes from `push_str`: a string without NUL, and one NUL behind it,
        // in the arena that `args` borrows.
        unsafe { CStr::from_bytes_with_nul_unchecked(std::slice::from_raw_parts(start.cast(), length + 1)) }
    }
}

impl<'a, T: FromSlot<'a>> FromSlot<'a> for Option<T> {
    #[inline]
    #[expect(private_interfaces, reason = "implemented here alone")]
    fn from_slot(slot: Slot, args: &Args<'a>) -> Self {
        slot.is_present().then(|| T::from_slot(slot, args))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_keep_their_place_while_the_arena_grows() {
        let mut arena = Arena::new();
        let words: Vec<u64> = (0..100).map(|n| arena.push_str("x".repeat(n).as_bytes())).collect();
        let slots: Vec<Slot> = words.into_iter().map(|word| Slot::filled(Kind::Str, word)).collect();
        let args = Args::new(&slots, &mut arena);
        for n in 0..100 {
            assert_eq!(args.get::<&CStr>(n).to_bytes(), "x".repeat(n).as_bytes());
        }
    }

    #[test]
    fn lists_hold_elements_of_every_width() {
        let mut arena = Arena::new();
        let mut slots = Vec::new();
        for size in [1, 2, 4, 8] {
            let mut list = arena.begin_list();
            for n in 0..5 {
                arena.push_element(&mut list, (-n_as_i64(n)) as u64, size);
            }
            slots.push(Slot::scalar(arena.end_list(list)));
        }
        let args = Args::new(&slots, &mut arena);
        // SAFETY: each list was filled with elements of that width, and is taken once.
        unsafe {
            assert_eq!(args.list::<i8>(0), [0, -1, -2, -3, -4]);
            assert_eq!(args.list::<i16>(1), [0, -1, -2, -3, -4]);
            assert_eq!(args.list::<i32>(2), [0, -1, -2, -3, -4]);
            assert_eq!(args.list::<i64>(3), [0, -1, -2, -3, -4]);
        }
    }

    fn n_as_i64(n: usize) -> i64 {
        i64::try_from(n).expect("small")
    }

    #[test]
    fn a_number_is_never_followed_as_a_string() {
        let mut arena = Arena::new();
        let slots = [Slot::scalar(u64::MAX)];
        assert_eq!(Args::new(&slots, &mut arena).get::<&CStr>(0), c"");
    }

    #[test]
    fn what_is_absent_is_none_or_zero() {
        let mut arena = Arena::new();
        let slots = [Slot::UNSEEN, Slot::NULL];
        let args = Args::new(&slots, &mut arena);
        assert_eq!(args.get::<Option<i32>>(0), None);
        assert_eq!(args.get::<Option<&CStr>>(1), None);
        assert_eq!(args.get::<i32>(0), 0);
        assert_eq!(args.get::<&CStr>(0), c"");
    }
}
