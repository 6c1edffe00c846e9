//! What a function does with its arguments.

use super::bytes::Bytes;
use super::value::{ALLOCATED, FOLLOWED, Origin, Set};

/// The bytes that are accessed through a pointer, relative to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Extent {
    /// None.
    #[default]
    Nothing,
    /// Some of those from the first offset up to the second.
    Bytes(i64, i64),
    /// Nobody knows which.
    Anything,
}

impl Extent {
    pub(super) fn add(&mut self, other: Self) {
        *self = match (*self, other) {
            (Self::Nothing, one) | (one, Self::Nothing) => one,
            (Self::Bytes(from, to), Self::Bytes(other_from, other_to)) => {
                Self::Bytes(from.min(other_from), to.max(other_to))
            }
            _ => Self::Anything,
        };
    }

    pub(super) fn moved(self, by: i64) -> Self {
        match self {
            Self::Bytes(from, to) => match (from.checked_add(by), to.checked_add(by)) {
                (Some(from), Some(to)) => Self::Bytes(from, to),
                _ => Self::Anything,
            },
            other => other,
        }
    }

    /// Whether all of it is in the first `size` bytes.
    pub(crate) fn is_within(self, size: u64) -> bool {
        match self {
            Self::Nothing => true,
            Self::Bytes(from, to) => from >= 0 && u64::try_from(to).is_ok_and(|to| to <= size),
            Self::Anything => false,
        }
    }
}

/// What happens to a value, or to what is read through it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fate {
    /// It is stored in memory that is neither the frame nor reached through an argument.
    pub(super) stored: bool,
    /// It is stored in memory that these arguments point to, or that is reached through them.
    pub(super) into: Set,
    /// It is given to a function that frees it.
    pub(super) freed: bool,
    /// It is given to code that cannot be read.
    pub(super) unknown: bool,
    /// It is the pointer itself that is stored, or freed, and not only something that may be it, on a path that may be taken.
    pub(super) itself: bool,
    /// It is the pointer itself that is freed, on a path that may be taken.
    pub(super) ended: bool,
}

impl Fate {
    pub(super) fn add(&mut self, other: Self) {
        self.stored |= other.stored;
        self.into |= other.into;
        self.freed |= other.freed;
        self.unknown |= other.unknown;
        self.itself |= other.itself;
        self.ended |= other.ended;
    }
}

/// What a function does with one argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Use {
    pub(super) pointer: Fate,
    pub(super) content: Fate,
    /// What it reads and writes through it, directly.
    pub(super) reads: Extent,
    /// What it reads before it has written it.
    pub(super) takes: Extent,
    pub(super) writes: Extent,
    /// The most bytes behind it that are written at once, on a path.
    pub(super) filled: Bytes,
    /// What it points to, or what is reached through it, is written.
    pub(super) is_changed: bool,
    /// What it points to holds pointers, and all that they point to may be read and written.
    pub(super) is_deep: bool,
    /// What is read through it is used as a pointer, too.
    pub(super) is_followed: bool,
    /// What is read through it is used as a pointer, and not only as a part of one, such as an index.
    pub(super) is_address: bool,
    /// A path writes through it before it has read there.
    pub(super) is_blind: bool,
    /// It is known how far it is from another argument.
    pub(super) is_measured: bool,
    /// Something that is read through it is freed by itself, and not only with what it is in.
    pub(super) frees_inside: bool,
}

impl Use {
    /// Whether the pointer, and what it points to, is used while the function runs, and by nothing after it: neither is
    /// stored or freed, and no code gets them that cannot be read. What is read through it may be stored in what the
    /// `numbers` point to, which hold no pointers.
    pub(crate) fn is_lent(&self, numbers: Set) -> bool {
        let Fate { stored, into, freed, unknown, .. } = self.content;
        self.pointer == Fate::default() && !stored && !freed && !unknown && into & !numbers == 0
    }

    /// Whether the pointer itself is neither stored nor freed, no code gets it that cannot be read, and what is read through it is
    /// stored nowhere but in what it points to and in the `numbers`. What it holds may be freed, or given to code that cannot be
    /// read: that is the object's own affair, as long as nothing else comes to depend on it (see [`Use::is_given`]).
    pub(crate) fn is_used(&self, numbers: Set) -> bool {
        let Fate { stored, into, .. } = self.content;
        self.pointer == Fate::default() && !stored && into & !numbers == 0
    }

    /// Whether code that cannot be read gets what is read through the pointer.
    pub(crate) fn gives_content(&self) -> bool {
        self.content.unknown
    }

    /// Whether code that cannot be read gets the pointer, or what is read through it.
    pub(crate) fn is_given(&self) -> bool {
        self.pointer.unknown || self.content.unknown
    }

    /// Whether something that is read through the pointer may be freed, while the pointer is not; code that cannot be read may
    /// free what it gets.
    pub(crate) fn may_free_content(&self) -> bool {
        self.content.freed && !self.pointer.freed || self.is_given()
    }

    /// Whether something that is read through the pointer may be freed; code that cannot be read may free what it gets.
    pub(crate) fn may_end_content(&self) -> bool {
        self.frees_inside || self.is_given()
    }

    /// Whether a path stores the pointer itself where it can be found after the call, or frees it.
    pub(crate) fn may_be_kept(&self) -> bool {
        self.pointer.itself
    }

    /// Whether the pointer may be freed.
    pub(crate) fn may_be_freed(&self) -> bool {
        self.pointer.freed
    }

    /// Whether the pointer is not stored, not freed, and not given to code that cannot be read.
    pub(crate) fn is_not_kept(&self) -> bool {
        self.pointer == Fate::default()
    }

    /// The bytes that are read and written through the pointer.
    pub(crate) fn accesses(&self) -> (Extent, Extent) {
        (self.reads, self.writes)
    }

    /// Whether nothing is read through the pointer that was not written before, and a path writes all of these bytes.
    pub(crate) fn is_only_filled(&self, bytes: &[(u64, u64)]) -> bool {
        let is_filled = |(from, to): &(u64, u64)| {
            let bytes = Bytes::between(i64::try_from(*from).unwrap_or(-1), i64::try_from(*to).unwrap_or(-1));
            bytes.is_some_and(|bytes| self.filled.has(bytes))
        };
        self.takes == Extent::Nothing && self.writes != Extent::Nothing && bytes.iter().all(is_filled)
    }

    /// Whether something is read through the pointer, on every path before anything is written there.
    pub(crate) fn is_read_first(&self) -> bool {
        self.takes != Extent::Nothing && !self.is_blind && !self.pointer.unknown
    }

    /// Whether something that is read through the pointer is used as an address.
    pub(crate) fn is_address(&self) -> bool {
        self.is_address
    }

    /// Whether something is written through the pointer, and on no path before the caller's value was read.
    pub(crate) fn is_taken_and_written(&self) -> bool {
        !self.is_blind && self.writes != Extent::Nothing
    }

    /// Whether nothing is written through the pointer, or through what is reached through it.
    pub(crate) fn is_unchanged(&self) -> bool {
        !self.is_changed && self.writes == Extent::Nothing && !self.content.unknown && !self.pointer.unknown
    }

    /// Whether the pointer itself is stored in memory that the function allocates, and nowhere else.
    pub(crate) fn is_kept_by_new(&self) -> bool {
        let Fate { stored, into, freed, unknown, itself, .. } = self.pointer;
        itself && into == 1 << ALLOCATED && !stored && !freed && !unknown
    }

    /// Whether something may be written through the pointer: if it is kept, that may be one owner more.
    pub(crate) fn may_be_counted(&self) -> bool {
        self.is_changed || self.writes != Extent::Nothing
    }

    /// Whether it is only kept by new memory, and what is read through it is stored nowhere else, either.
    pub(crate) fn is_kept_by_new_alone(&self) -> bool {
        let Fate { stored, into, freed, unknown, .. } = self.content;
        self.is_kept_by_new() && into & !(1 << ALLOCATED) == 0 && !stored && !freed && !unknown
    }

    /// Whether what is read through it may be stored in memory that the function allocates: a copy, or pointers that it holds.
    pub(crate) fn may_be_copied_to_new(&self) -> bool {
        self.content.into & (1 << ALLOCATED) != 0
    }

    /// Whether only its distance from another argument matters: nothing is read or written through it.
    pub(crate) fn is_only_measured(&self) -> bool {
        self.is_measured && self.reads == Extent::Nothing && self.writes == Extent::Nothing
    }
}

/// What a function returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Returned {
    pub(super) origin: Origin,
    pub(super) is_null: bool,
    /// What becomes of the memory that the function allocates.
    pub(super) allocated: Fate,
}

impl Returned {
    /// Whether it is always NULL.
    pub(crate) fn is_null(&self) -> bool {
        self.is_null
    }

    /// Whether it is always a constant, such as the address of something in the library.
    pub(crate) fn is_constant(&self) -> bool {
        self.origin == Origin::default()
    }

    /// Whether it is memory that the function allocated, and that nothing else points to; or a constant, such as NULL.
    pub(crate) fn is_new(&self) -> bool {
        let Fate { stored, into, unknown, .. } = self.allocated;
        self.origin == Origin::ALLOCATED && !stored && into == 0 && !unknown
    }

    /// Whether none of it is memory that was allocated during the call.
    pub(crate) fn is_old(&self) -> bool {
        let Origin { pointers, contents, frame, other } = self.origin;
        (pointers | contents) & (1 << ALLOCATED) == 0 && !frame && !other
    }

    /// The place of the argument through which it was read; if it is not that, it is a constant.
    pub(crate) fn is_read_through(&self) -> Option<usize> {
        let Origin { pointers, contents, frame, other } = self.origin;
        let is_one = contents.is_power_of_two() && pointers == 0 && !frame && !other;
        is_one.then_some(contents.trailing_zeros() as usize).filter(|place| *place != ALLOCATED)
    }
}

/// What a function does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Summary {
    pub(super) uses: [Use; FOLLOWED],
    /// What its result may be; `None` if it does not return.
    pub(super) returns: Option<[Origin; 2]>,
    /// Whether it returns nothing but 0.
    pub(super) is_null: bool,
    /// The arguments that matter to a caller.
    pub(super) needs: Set,
    /// The arguments that are freed for certain when it returns, unless they are NULL.
    pub(super) freed: Set,
    /// The arguments through which something was read for certain when it returns.
    pub(super) read: Set,
    /// The arguments that were read up to a NUL for certain when it returns, unless they are NULL.
    pub(super) text: Set,
    /// The arguments that are read up to a NUL on a path.
    pub(super) may_be_text: Set,
    /// The arguments behind which something is accessed on a path that does not read them up to a NUL.
    pub(super) bare: Set,
    /// The bytes behind each argument that are written for certain when it returns.
    pub(super) written: [Bytes; FOLLOWED],
    /// The registers that hold something else when it returns.
    pub(super) clobbers: Registers,
}

/// A set of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Registers {
    pub(super) general: u16,
    pub(super) vectors: u32,
}

impl Registers {
    pub(super) fn add(&mut self, other: Self) {
        self.general |= other.general;
        self.vectors |= other.vectors;
    }
}

impl Summary {
    /// That of a function of which nothing is known yet: it does nothing, and does not return.
    pub(super) fn nothing() -> Self {
        Self {
            uses: [Use::default(); FOLLOWED],
            returns: None,
            is_null: true,
            needs: 0,
            freed: Set::MAX,
            read: Set::MAX,
            text: Set::MAX,
            may_be_text: 0,
            bare: 0,
            written: [Bytes::all(); FOLLOWED],
            clobbers: Registers::default(),
        }
    }

    /// Learns which arguments matter, after all else is known.
    pub(super) fn finish(mut self) -> Self {
        let returned = self
            .returns
            .map_or(0, |[first, second]| first.pointers | first.contents | second.pointers | second.contents);
        self.needs = returned | if self.returns.is_some() { self.freed } else { 0 };
        for (index, one) in self.uses.iter().enumerate() {
            if *one != Use::default() {
                self.needs |= 1 << index | one.pointer.into | one.content.into;
            }
        }
        self
    }

    /// Whether it reads the argument at this place up to a NUL whenever it reads it, and does nothing else with it.
    pub(super) fn is_text(&self, place: usize) -> bool {
        let set = 1 << place;
        let is_read = self.may_be_text & set != 0 && self.bare & set == 0 && self.returns.is_some();
        is_read && self.uses.get(place).is_some_and(|of| of.pointer == Fate::default())
    }

    /// Forgets what the function seems to do with arguments that it does not have.
    pub(super) fn limit_to(&mut self, arguments: Set) {
        let all = arguments | 1 << ALLOCATED;
        for (index, one) in self.uses.iter_mut().enumerate() {
            if all & (1 << index) == 0 {
                *one = Use::default();
            }
            one.pointer.into &= all;
            one.content.into &= all;
        }
        for of in self.returns.iter_mut().flatten() {
            of.pointers &= all;
            of.contents &= all;
        }
        for set in [&mut self.freed, &mut self.text, &mut self.may_be_text, &mut self.bare] {
            *set &= all;
        }
    }

    /// Counts the accessed bytes no longer.
    pub(super) fn widen(&mut self) {
        for one in &mut self.uses {
            for extent in [&mut one.reads, &mut one.takes, &mut one.writes] {
                if *extent != Extent::Nothing {
                    *extent = Extent::Anything;
                }
            }
        }
    }

    /// That of a function whose code cannot be read.
    pub(super) fn unknown() -> Self {
        let fate = Fate { unknown: true, ..Fate::default() };
        let one = Use {
            pointer: fate,
            content: fate,
            reads: Extent::Anything,
            writes: Extent::Anything,
            takes: Extent::Anything,
            filled: Bytes::default(),
            is_changed: true,
            is_deep: true,
            is_followed: true,
            is_address: false,
            is_blind: true,
            is_measured: false,
            frees_inside: true,
        };
        // What it does with memory of its own is its own affair: what its caller allocated it gets as an argument, or not at all.
        let mut uses = [one; FOLLOWED];
        uses[ALLOCATED] = Use::default();
        let all = Origin { pointers: Set::MAX, contents: Set::MAX, frame: false, other: true };
        Self {
            uses,
            returns: Some([all, all]),
            is_null: false,
            needs: Set::MAX,
            freed: 0,
            read: 0,
            text: 0,
            may_be_text: 0,
            bare: Set::MAX,
            written: [Bytes::default(); FOLLOWED],
            // What assembler calls may leave registers alone, whatever else is unknown about it.
            clobbers: Registers::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_grow_and_move() {
        let mut extent = Extent::Nothing;
        assert!(extent.is_within(0));
        extent.add(Extent::Bytes(8, 16));
        extent.add(Extent::Bytes(0, 4));
        assert_eq!(extent, Extent::Bytes(0, 16));
        assert!(extent.is_within(16) && !extent.is_within(15));
        assert!(!extent.moved(-1).is_within(16));
        assert_eq!(extent.moved(i64::MAX), Extent::Anything);
        extent.add(Extent::Anything);
        assert!(!extent.is_within(u64::MAX));
    }
}
