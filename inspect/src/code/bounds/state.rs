//! What the registers and the frame hold at one point, as sums of products of the arguments.

use std::collections::BTreeMap;

use super::polynomial::{Polynomial, Symbol};
use crate::code::state::{ARGUMENT_REGISTERS, RSP};
use crate::code::value::{ARGUMENTS, IN_REGISTERS, Set};

/// Stands for the stack pointer at entry.
pub(super) const FRAME: Symbol = 16;

/// The place of the frame in a set.
pub(super) const OF_FRAME: Set = 1 << ARGUMENTS;

/// No frame is as large as this.
const LARGEST: u64 = 1 << 30;

/// A register or a place of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Location {
    Register(usize),
    Slot(i64),
}

/// A value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Value {
    /// The arguments that it may be made of.
    pub(super) of: Set,
    /// What it is exactly.
    pub(super) form: Option<Polynomial>,
}

impl Value {
    pub(super) fn constant(number: i64) -> Self {
        Self { of: 0, form: Some(Polynomial::constant(number)) }
    }

    /// Something made of these.
    pub(super) fn made_of(of: Set) -> Self {
        Self { of, form: None }
    }

    pub(super) fn argument(index: usize) -> Self {
        Self { of: 1 << index, form: Some(Polynomial::symbol(symbol(index))) }
    }

    pub(super) fn or(&self, other: &Self) -> Self {
        let form = self.form.clone().filter(|_| self.form == other.form);
        Self { of: self.of | other.of, form }
    }

    /// What is computed of both.
    pub(super) fn with(
        &self,
        other: &Self,
        compute: impl Fn(&Polynomial, &Polynomial) -> Option<Polynomial>,
    ) -> Self {
        let form = self.form.as_ref().zip(other.form.as_ref()).and_then(|(one, two)| compute(one, two));
        Self { of: self.of | other.of, form }
    }

    /// The place of the frame that it points to.
    pub(super) fn place(&self) -> Option<i64> {
        let at = self.form.as_ref()?.minus(&Polynomial::symbol(FRAME))?.as_constant()?;
        Some(at).filter(|at| at.unsigned_abs() < LARGEST)
    }
}

/// What stands for an argument.
pub(super) fn symbol(argument: usize) -> Symbol {
    Symbol::try_from(argument + 1).unwrap_or(FRAME)
}

/// The registers and the frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) registers: [Value; 16],
    pub(super) slots: BTreeMap<i64, Value>,
    /// What is at least 1.
    pub(super) positive: Vec<Polynomial>,
}

impl State {
    pub(super) fn entry() -> Self {
        let mut registers: [Value; 16] = Default::default();
        for (index, register) in ARGUMENT_REGISTERS.iter().enumerate() {
            registers[*register] = Value::argument(index);
        }
        registers[RSP] = Value { of: OF_FRAME, form: Some(Polynomial::symbol(FRAME)) };
        Self { registers, slots: BTreeMap::new(), positive: Vec::new() }
    }

    pub(super) fn get(&self, location: Location) -> Value {
        match location {
            Location::Register(number) => self.registers[number].clone(),
            Location::Slot(at) => self.load(at, 8),
        }
    }

    pub(super) fn set(&mut self, location: Location, value: Value) {
        match location {
            Location::Register(number) => self.registers[number] = value,
            Location::Slot(at) => _ = self.slots.insert(at, value),
        }
    }

    /// What is loaded from the frame.
    pub(super) fn load(&self, at: i64, size: i64) -> Value {
        if size == 8 {
            if let Some(value) = self.slots.get(&at) {
                return value.clone();
            }
            let index = at.checked_div(8).and_then(|word| usize::try_from(word - 1).ok());
            if let Some(index) = index.filter(|_| at >= 8 && at % 8 == 0).map(|index| index + IN_REGISTERS)
                && index < ARGUMENTS
                && self.slots.range(at - 7..at + 8).next().is_none()
            {
                return Value::argument(index);
            }
        }
        let near = self.slots.range(at - 7..at + size).fold(0, |of, (_, value)| of | value.of);
        // Arguments on the stack are behind the return address.
        Value::made_of(if at + size > 8 { near | Set::MAX } else { near })
    }

    /// Stores in the frame.
    pub(super) fn store(&mut self, at: i64, size: i64, value: Value) {
        for (_, slot) in self.slots.range_mut(at - 7..at + size) {
            slot.form = None;
            slot.of |= value.of;
        }
        if size == 8 {
            self.slots.insert(at, value);
        }
    }

    /// All that the frame may hold.
    pub(super) fn held(&self) -> Set {
        self.slots.values().fold(0, |of, value| of | value.of)
    }

    /// Something was stored somewhere in the frame.
    pub(super) fn smear(&mut self, of: Set) {
        for value in self.slots.values_mut() {
            value.form = None;
            value.of |= of;
        }
    }

    /// After one of two paths.
    pub(super) fn join(&mut self, other: &Self) {
        for (one, other) in self.registers.iter_mut().zip(&other.registers) {
            *one = one.or(other);
        }
        let places: Vec<i64> = self.slots.keys().chain(other.slots.keys()).copied().collect();
        for at in places {
            let value = self.load(at, 8).or(&other.load(at, 8));
            self.slots.insert(at, value);
        }
        self.positive.retain(|of| other.positive.contains(of));
    }

    /// Whether something is never less than 0.
    pub(super) fn is_natural(positive: &[Polynomial], what: &Polynomial) -> bool {
        let one = Polynomial::constant(1);
        let is_more = |of: &Polynomial| {
            let rest = of.minus(&one).and_then(|less| what.minus(&less));
            rest.is_some_and(|rest| rest.is_natural())
        };
        what.is_natural() || positive.iter().any(is_more)
    }
}
