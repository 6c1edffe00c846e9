//! What a register or a place on the stack may hold, as far as it concerns the arguments of the function.

use std::ops::{BitOr, BitOrAssign};

/// What is followed: the arguments, and the memory that the function allocates.
pub(super) const FOLLOWED: usize = 16;

/// The arguments that are followed: six in registers, nine on the stack.
pub(super) const ARGUMENTS: usize = FOLLOWED - 1;

/// Stands for all memory that the function allocates, as the last of what is followed.
pub(super) const ALLOCATED: usize = ARGUMENTS;

/// The arguments that come in registers.
pub(super) const IN_REGISTERS: usize = 6;

/// How far from where a pointer points a member is taken to be; nothing of a library is at such an address.
const NEAR: u64 = 4096;

/// A set of what is followed.
pub(super) type Set = u16;

/// What is in a set.
pub(super) fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}

/// Where a value may come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Origin {
    /// It may be one of these arguments, or point into what they point to.
    pub(super) pointers: Set,
    /// It may have been read from the memory that these arguments point to, or from what that points to.
    pub(super) contents: Set,
    /// It may point into the frame of the function.
    pub(super) frame: bool,
    /// It may be something else, but for constants and the addresses of what is in the library itself.
    pub(super) other: bool,
}

impl Origin {
    /// That of memory that the function allocates.
    pub(super) const ALLOCATED: Self =
        Self { pointers: 1 << ALLOCATED, contents: 0, frame: false, other: false };

    /// That of the arguments on the stack.
    pub(super) const ON_STACK: Self =
        Self { pointers: (1 << ARGUMENTS) - (1 << IN_REGISTERS), contents: 0, frame: false, other: true };

    /// That of a value that has nothing to do with what is followed.
    pub(super) const OTHER: Self = Self { pointers: 0, contents: 0, frame: false, other: true };

    /// Whether it has nothing to do with what is followed.
    pub(super) fn is_foreign(self) -> bool {
        Self { other: false, ..self } == Self::default()
    }

    /// What can be read through a value with this origin, apart from the frame.
    pub(super) fn read(self) -> Self {
        Self { pointers: 0, contents: self.pointers | self.contents, frame: false, other: self.other }
    }
}

impl BitOr for Origin {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            pointers: self.pointers | other.pointers,
            contents: self.contents | other.contents,
            frame: self.frame || other.frame,
            other: self.other || other.other,
        }
    }
}

impl BitOrAssign for Origin {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// What is known of a value besides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Known {
    #[default]
    Nothing,
    /// A number or an address in the library.
    Constant(i64),
    /// An address in the frame, relative to the stack pointer at entry.
    Frame(i64),
    /// An argument plus a number.
    Argument(usize, i64),
    /// What was read through an argument, plus a number.
    Read(usize),
    /// What a register held at entry that carries no argument.
    Entry,
    /// The function at this address, or another for the same.
    Allocator(i64),
    /// A target from the jump table at this address, which has this number of entries.
    Target { table: i64, entries: u32 },
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) origin: Origin,
    pub(super) known: Known,
}

impl Value {
    pub(super) fn of(origin: Origin) -> Self {
        Self { origin, known: Known::Nothing }
    }

    /// Something that has nothing to do with what is followed.
    pub(super) fn other() -> Self {
        Self::of(Origin::OTHER)
    }

    pub(super) fn constant(number: i64) -> Self {
        Self { origin: Origin::default(), known: Known::Constant(number) }
    }

    pub(super) fn frame(offset: i64) -> Self {
        Self { origin: Origin { frame: true, ..Origin::default() }, known: Known::Frame(offset) }
    }

    pub(super) fn argument(index: usize) -> Self {
        Self {
            origin: Origin { pointers: 1 << index, ..Origin::default() },
            known: Known::Argument(index, 0),
        }
    }

    /// What it is if it is one of both.
    pub(super) fn or(self, other: Self) -> Self {
        let known = if self.known == other.known { self.known } else { Known::Nothing };
        Self { origin: self.origin | other.origin, known }
    }

    /// The sum of both.
    pub(super) fn plus(self, other: Self) -> Self {
        let known = match (self.known, other.known) {
            (Known::Target { table, entries }, Known::Constant(base))
            | (Known::Constant(base), Known::Target { table, entries })
                if table == base =>
            {
                Known::Target { table, entries }
            }
            (known, Known::Constant(number)) | (Known::Constant(number), known) => known.plus(number),
            _ => Known::Nothing,
        };
        Self { origin: self.origin | other.origin, known }
    }

    /// The difference of both.
    pub(super) fn minus(self, other: Self) -> Self {
        let known = match other.known {
            Known::Constant(number) => self.known.plus(number.wrapping_neg()),
            _ => Known::Nothing,
        };
        Self { origin: self.origin | other.origin, known }
    }
}

impl Known {
    fn plus(self, number: i64) -> Self {
        match self {
            Self::Constant(base) => Self::Constant(base.wrapping_add(number)),
            Self::Frame(offset) => Self::Frame(offset.wrapping_add(number)),
            Self::Argument(index, offset) => Self::Argument(index, offset.wrapping_add(number)),
            // With the address of a table, it is only an index.
            Self::Read(index) if number.unsigned_abs() < NEAR => Self::Read(index),
            Self::Read(_) => Self::Nothing,
            Self::Nothing | Self::Entry | Self::Allocator(_) | Self::Target { .. } => Self::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_keep_what_is_known() {
        let argument = Value::argument(2);
        assert_eq!(argument.plus(Value::constant(8)).known, Known::Argument(2, 8));
        assert_eq!(argument.minus(Value::constant(8)).known, Known::Argument(2, -8));
        assert_eq!(argument.plus(argument).known, Known::Nothing);
        assert_eq!(argument.plus(Value::other()).origin.pointers, 4);
        assert_eq!(Value::frame(-8).plus(Value::constant(16)), Value::frame(8));
    }

    #[test]
    fn a_value_of_two_paths_has_both_origins() {
        let both = Value::argument(0).or(Value::argument(1));
        assert_eq!((both.origin.pointers, both.known), (3, Known::Nothing));
        assert_eq!(Value::argument(0).or(Value::argument(0)), Value::argument(0));
    }

    #[test]
    fn what_is_read_through_a_pointer_is_its_content() {
        let read = Value::argument(3).origin.read();
        assert_eq!((read.pointers, read.contents), (0, 8));
        assert_eq!(read.read(), read);
        assert_eq!(members(0b1001).collect::<Vec<_>>(), [0, 3]);
    }
}
