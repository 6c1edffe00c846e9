//! The registers and the frame at one point of a function.

use super::bytes::Bytes;
use super::slots::Slots;
use super::value::{ARGUMENTS, FOLLOWED, IN_REGISTERS, Known, Origin, Set, Value};

/// The numbers of the registers that carry arguments, in order: rdi, rsi, rdx, rcx, r8, r9.
pub(super) const ARGUMENT_REGISTERS: [usize; IN_REGISTERS] = [7, 6, 2, 1, 8, 9];

/// The registers that a function may change: rax, rcx, rdx, rsi, rdi, r8 to r11.
pub(super) const CHANGED: [usize; 9] = [0, 1, 2, 6, 7, 8, 9, 10, 11];

/// The number of the stack pointer.
pub(super) const RSP: usize = 4;

/// The registers and the frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) registers: [Value; 16],
    pub(super) vectors: [Origin; 32],
    /// What is stored in the frame, by the address relative to the stack pointer at entry.
    slots: Slots,
    /// What may be stored anywhere else in the frame.
    anywhere: Origin,
    /// The arguments on the stack, once their address was taken, as `va_start` does.
    pub(super) passed: Origin,
    /// The bytes behind each argument that were written for certain.
    pub(super) written: [Bytes; FOLLOWED],
    /// The arguments through which something was read for certain.
    pub(super) read: Set,
    /// The arguments that were freed for certain, or are NULL.
    pub(super) freed: Set,
    /// The arguments that were read up to a NUL for certain, or are NULL.
    pub(super) text: Set,
    /// The others behind which something may have been accessed.
    pub(super) bare: Set,
    /// The register that was compared with this number last, unsigned, and is not above it.
    pub(super) bound: Option<(usize, u32)>,
}

impl State {
    /// At the entry of a function with these arguments.
    pub(super) fn entry(arguments: Set) -> Self {
        let mut registers = [Value { known: Known::Entry, ..Value::other() }; 16];
        for (index, register) in ARGUMENT_REGISTERS.iter().enumerate() {
            let is_given = arguments & (1 << index) != 0;
            registers[*register] = if is_given { Value::argument(index) } else { Value::other() };
        }
        registers[RSP] = Value::frame(0);
        Self {
            registers,
            vectors: [Origin::OTHER; 32],
            slots: Slots::default(),
            anywhere: Origin::default(),
            passed: Origin::default(),
            written: [Bytes::default(); FOLLOWED],
            read: 0,
            freed: 0,
            text: 0,
            bare: 0,
            bound: None,
        }
    }

    /// An argument is NULL here.
    pub(super) fn set_null(&mut self, argument: Known) {
        if let Known::Argument(index, 0) = argument {
            self.freed |= 1 << index;
            self.set_text(1 << index);
            let slots = self.slots.iter_mut().map(|(_, value)| value);
            let values = self.registers.iter_mut().chain(slots);
            values.filter(|value| value.known == argument).for_each(|value| *value = Value::constant(0));
        }
    }

    /// These arguments end at a NUL for certain, or are NULL.
    pub(super) fn set_text(&mut self, arguments: Set) {
        self.text |= arguments;
        self.bare &= !arguments;
    }

    /// What is loaded from `size` bytes of the frame.
    pub(super) fn load(&self, at: i64, size: i64) -> Value {
        if size == 8
            && let Some(value) = self.slots.get(at)
        {
            return value;
        }
        let overlapping = self.slots.within(at - 7..at + size).map(|value| value.origin);
        let mut origin = overlapping.fold(self.anywhere, |all, one| all | one);
        // What nobody stored: the arguments are behind the return address.
        for place in (at.div_euclid(8) * 8..at + size).step_by(8) {
            if let Some(index) = argument_at(place).filter(|_| self.slots.get(place).is_none()) {
                if place == at && size == 8 {
                    let argument = Value::argument(index);
                    return Value { origin: argument.origin | origin, known: argument.known };
                }
                origin.pointers |= 1 << index;
            }
        }
        Value::of(origin)
    }

    /// Stores `size` bytes in the frame.
    pub(super) fn store(&mut self, at: i64, size: i64, value: Value) {
        // What is only overwritten in part may still be there.
        if size < 8 {
            let places = at - 7..at + size;
            for (_, slot) in self.slots.iter_mut().filter(|(place, _)| places.contains(place)) {
                slot.known = Known::Nothing;
            }
            return;
        }
        if size > 8 {
            self.slots.remove(at..at + size - 7);
        }
        for place in (at..=at + size - 8).step_by(8) {
            self.slots.insert(place, if size == 8 { value } else { Value::of(value.origin) });
        }
    }

    /// Stores something at an unknown place of the frame, from `from` on.
    pub(super) fn smear(&mut self, origin: Origin, from: Option<i64>) {
        for (place, slot) in self.slots.iter_mut() {
            slot.origin |= origin;
            if from.is_none_or(|from| *place >= from) {
                slot.known = Known::Nothing;
            }
        }
        self.anywhere |= origin;
    }

    /// What this part of the frame may hold.
    pub(super) fn held(&self, from: i64, to: i64) -> Origin {
        let behind = if to > 8 { self.passed } else { Origin::default() };
        self.slots
            .within(from.saturating_sub(7)..to)
            .fold(self.anywhere | behind, |all, slot| all | slot.origin)
    }

    /// All that the frame may hold.
    pub(super) fn frame(&self) -> Origin {
        self.slots.iter().fold(self.anywhere | self.passed, |all, (_, slot)| all | slot.origin)
    }

    /// Makes this the state after one of two paths; whether it changed.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let mut changes = false;
        // Most values are the same on both paths.
        let mut set = |one: &mut Value, other: Value| {
            if *one != other {
                let value = one.or(other);
                changes |= *one != value;
                *one = value;
            }
        };
        for (one, other) in self.registers.iter_mut().zip(&other.registers) {
            set(one, *other);
        }
        // What one path stored, and the other did not.
        for place in self.slots.lacking(&other.slots) {
            let value = self.load(place, 8);
            self.slots.insert(place, value);
        }
        // Both are in order, and mostly the same places.
        let mut others = other.slots.iter().peekable();
        for (place, one) in self.slots.iter_mut() {
            while others.next_if(|(at, _)| at < place).is_some() {}
            let value = match others.next_if(|(at, _)| at == place) {
                Some((_, value)) => *value,
                None => other.load(*place, 8),
            };
            set(one, value);
        }
        for (one, other) in self.vectors.iter_mut().zip(&other.vectors) {
            changes |= *one | *other != *one;
            *one |= *other;
        }
        changes |= self.anywhere | other.anywhere != self.anywhere;
        self.anywhere |= other.anywhere;
        changes |= self.passed | other.passed != self.passed;
        self.passed |= other.passed;
        for (one, other) in self.written.iter_mut().zip(other.written) {
            changes |= one.and(other) != *one;
            *one = one.and(other);
        }
        changes |= self.read & other.read != self.read;
        self.read &= other.read;
        changes |= self.freed & other.freed != self.freed;
        self.freed &= other.freed;
        changes |= self.text & other.text != self.text || self.bare | other.bare != self.bare;
        self.text &= other.text;
        self.bare |= other.bare;
        if self.bound.is_some() && self.bound != other.bound {
            self.bound = None;
            changes = true;
        }
        changes
    }
}

/// The argument at a place of the frame: they are behind the return address.
fn argument_at(place: i64) -> Option<usize> {
    let index = usize::try_from(place / 8 - 1).ok().filter(|_| place >= 8 && place % 8 == 0)?;
    Some(IN_REGISTERS + index).filter(|index| *index < ARGUMENTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_keeps_what_is_stored() {
        let mut state = State::entry(Set::MAX);
        assert_eq!(state.load(8, 8), Value::argument(6));
        assert!(state.load(0, 8).origin.is_foreign());
        state.store(-8, 8, Value::argument(1));
        assert_eq!(state.load(-8, 8), Value::argument(1));
        assert_eq!(state.load(-12, 8).origin.pointers, 2);
        state.store(-16, 16, Value::of(Origin::default()));
        assert!(state.load(-8, 8).origin.is_foreign());
        state.smear(Value::argument(2).origin, None);
        assert_eq!(state.load(-64, 8).origin.pointers, 4);
    }

    #[test]
    fn paths_are_joined_until_nothing_changes() {
        let mut state = State::entry(Set::MAX);
        let mut other = State::entry(Set::MAX);
        other.store(-8, 8, Value::argument(0));
        other.registers[0] = Value::constant(1);
        assert!(state.join(&other));
        assert!(!state.join(&other));
        assert_eq!(state.load(-8, 8).origin.pointers, 1);
        assert_eq!(state.registers[0].known, Known::Nothing);
    }
}
