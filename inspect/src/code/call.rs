//! What a call does with the arguments of the function that makes it.

use std::borrow::Cow;

use super::access::Sink;
use super::bytes::Bytes;
use super::known;
use super::state::{ARGUMENT_REGISTERS, CHANGED, RSP};
use super::summary::{Extent, Fate, Registers, Summary, Use};
use super::value::{ALLOCATED, ARGUMENTS, FOLLOWED, IN_REGISTERS, Known, Origin, Set, Value, members};
use super::walk::Walk;

/// How many arguments on the stack are taken to be passed to code that cannot be read.
const PASSED: usize = ARGUMENTS - IN_REGISTERS;

impl Walk<'_> {
    /// Calls the function at `target`, or one that is not known; whether it returns.
    pub(super) fn call(&mut self, target: Option<u64>) -> bool {
        let name = target.and_then(|target| self.image.outside(target));
        match &mut self.thrown {
            _ if !self.may_land => {}
            Some(thrown) => _ = thrown.join(&self.state),
            None => self.thrown = Some(self.state.clone()),
        }
        let size = match self.state.registers[ARGUMENT_REGISTERS[2]].known {
            Known::Constant(size) => Some(size),
            _ => None,
        };
        let is_ours = target.is_some() && name.is_none();
        let known = target.and_then(|target| self.summaries.get(&target));
        if let (Some(target), true) = (target, is_ours) {
            self.callees.insert(target);
        }
        let mut summary = match known {
            Some(known) => Cow::Borrowed(known),
            // It is found later, and this function is followed again.
            None if is_ours => Cow::Owned(Summary::nothing()),
            None => Cow::Owned(Summary::unknown()),
        };
        if let (Some(size), true) = (size, name.is_some_and(known::is_sized)) {
            let summary = summary.to_mut();
            for (one, written) in summary.uses.iter_mut().zip(&mut summary.written) {
                one.limit(size);
                if let Extent::Bytes(from, to) = one.writes {
                    *written = Bytes::between(from, to).unwrap_or_default();
                    one.filled = *written;
                }
            }
        }
        self.apply(&summary, is_ours)
    }

    fn apply(&mut self, summary: &Summary, is_ours: bool) -> bool {
        let values: [Value; FOLLOWED] = std::array::from_fn(|index| match summary.needs & (1 << index) {
            0 => Value::other(),
            _ => self.passed(index),
        });
        let (texts, bare) = (self.texts(&values, summary), self.state.bare);
        let gives = summary.returns.is_some_and(|[first, _]| first.pointers & (1 << ALLOCATED) != 0);
        for index in members(summary.needs) {
            let (value, one) = (&values[index], &summary.uses[index]);
            // What the called function allocates, and does not give, is its own affair.
            if index == ALLOCATED && !gives && one.pointer.into == 0 {
                continue;
            }
            if one.is_blind {
                self.write_blindly(*value);
            }
            if one.is_changed {
                let changed = value.origin.pointers | value.origin.contents;
                members(changed).for_each(|index| self.summary.uses[index].is_changed = true);
            }
            // What is read there after it was written there is not read from here.
            self.touch(*value, one.takes, false, false);
            if let (Known::Argument(known, offset), true) = (value.known, one.reads != one.takes) {
                self.summary.uses[known].reads.add(one.reads.moved(offset));
            } else {
                self.touch(*value, one.reads, false, false);
            }
            self.touch(*value, one.writes, true, false);
            if one.is_deep {
                let reached = value.origin.pointers | value.origin.contents;
                members(reached).for_each(|index| self.summary.uses[index].is_deep = true);
                if value.origin.frame {
                    // What the frame holds is accessed, though no register points to it.
                    let held = Value::of(self.state.frame());
                    self.touch(held, Extent::Anything, false, false);
                    self.touch(held, Extent::Anything, true, false);
                }
            }
            let writes_frame = one.writes != Extent::Nothing || one.content.unknown;
            if let (Known::Frame(at), true) = (value.known, writes_frame) {
                self.state.smear(Origin::OTHER, Some(at));
            } else if value.origin.frame && writes_frame {
                self.state.smear(Origin::OTHER, None);
            }
            if let (Known::Argument(index, _), true) = (value.known, one.is_address) {
                self.summary.uses[index].is_address = true;
            }
            if one.is_followed {
                self.follow_into(*value, one);
            }
            let Origin { pointers, contents, .. } = value.origin;
            let inside = if one.frees_inside { pointers | contents } else { 0 };
            let inside = inside | if one.pointer.freed { contents } else { 0 };
            members(inside).for_each(|index| self.summary.uses[index].frees_inside = true);
            self.follow(*value, one.pointer, &values);
            self.follow(Value::of(self.content(*value)), one.content, &values);
        }
        self.state.bare = self.state.bare & !texts | bare & texts;
        for (value, one) in members(summary.needs).map(|index| (values[index], &summary.uses[index])) {
            if let Known::Argument(index, offset) = value.known {
                let filled = self.state.written[index].or(one.filled.moved(offset));
                let of = &mut self.summary.uses[index];
                of.filled = of.filled.most(filled);
            }
        }
        for (index, value) in values.iter().enumerate() {
            if let (Known::Argument(text, 0..), true) = (value.known, summary.may_be_text & (1 << index) != 0)
            {
                self.summary.may_be_text |= 1 << text & texts;
            }
        }
        let Some(returns) = summary.returns else { return false };
        for (index, value) in values.iter().enumerate() {
            if let (Known::Argument(text, 0..), true) = (value.known, summary.text & (1 << index) != 0) {
                self.state.set_text(1 << text & texts);
            }
        }
        for (index, value) in values.iter().enumerate().filter(|(index, _)| summary.freed & (1 << index) != 0)
        {
            if let (Known::Argument(freed, 0), true) = (value.known, index != ALLOCATED) {
                self.state.freed |= 1 << freed;
            }
        }
        for (index, value) in values.iter().enumerate().filter(|(index, _)| summary.read & (1 << index) != 0)
        {
            if let (Known::Argument(read, _), true) = (value.known, index != ALLOCATED) {
                self.state.read |= 1 << read;
            }
        }
        for (value, written) in members(summary.needs).map(|index| (values[index], summary.written[index])) {
            if let Known::Argument(index, offset) = value.known {
                let all = &mut self.state.written[index];
                *all = all.or(written.moved(offset));
            }
        }
        let results = returns.map(|of| {
            let mut result = Origin { other: of.other, ..Origin::default() };
            for index in members(of.pointers) {
                result |= values[index].origin;
            }
            for index in members(of.contents) {
                result |= self.content(values[index]);
            }
            result
        });
        // A compiler may know of a function of the library which registers it leaves as they are on every path.
        let clobbers =
            if is_ours { summary.clobbers } else { Registers { general: u16::MAX, vectors: u32::MAX } };
        let is_clobbered = |register: usize| clobbers.general & (1 << register) != 0;
        for register in CHANGED.into_iter().filter(|register| is_clobbered(*register)) {
            self.state.registers[register] = Value::other();
            self.changed.general |= 1 << register;
        }
        for (register, value) in self.state.vectors.iter_mut().enumerate() {
            if clobbers.vectors & (1 << register) != 0 {
                *value = Origin::OTHER;
            }
        }
        self.changed.vectors |= clobbers.vectors;
        for (register, result) in [(0, results[0]), (2, results[1])] {
            let left = self.state.registers[register].origin;
            let left = if is_clobbered(register) { Origin::default() } else { left };
            self.state.registers[register] = Value::of(left | result);
        }
        if summary.is_null && is_clobbered(0) {
            self.state.registers[0] = Value::constant(0);
        }
        true
    }

    /// The arguments that a called function only gets where it reads up to a NUL, or not at all. What the frame holds is found
    /// through an address in it.
    fn texts(&self, values: &[Value], summary: &Summary) -> Set {
        let mut texts = Set::MAX & !(1 << ALLOCATED);
        for (index, value) in values.iter().enumerate() {
            let is_bare = summary.bare & (1 << index) != 0;
            texts &= match value.known {
                Known::Argument(of, 0..) if !is_bare => !value.origin.pointers | 1 << of,
                _ => !value.origin.pointers,
            };
            if value.origin.frame {
                texts &= !self.state.frame().pointers;
            }
        }
        texts
    }

    /// The value of an argument of a call.
    fn passed(&self, index: usize) -> Value {
        if index == ALLOCATED {
            return Value::of(Origin::ALLOCATED);
        }
        if let Some(register) = ARGUMENT_REGISTERS.get(index) {
            return self.state.registers[*register];
        }
        let place = i64::try_from(index - IN_REGISTERS).unwrap_or_default() * 8;
        match self.state.registers[RSP].known {
            Known::Frame(top) if index - IN_REGISTERS < PASSED => self.state.load(top + place, 8),
            _ => Value::of(self.state.frame()),
        }
    }

    /// What can be read through a value.
    fn content(&self, value: Value) -> Origin {
        let frame = if value.origin.frame { self.state.frame() } else { Origin::default() };
        value.origin.read() | frame
    }

    /// Records that a called function uses what it reads through a value as pointers: those that the frame holds may be
    /// pointers of arguments.
    fn follow_into(&mut self, value: Value, one: &Use) {
        for index in members(value.origin.pointers | value.origin.contents) {
            self.summary.uses[index].is_followed = true;
        }
        if !value.origin.frame {
            return;
        }
        let held = match (value.known, one.reads) {
            (Known::Frame(at), Extent::Bytes(from, to)) => self.state.held(at + from, at + to),
            (Known::Frame(at), _) => self.state.held(at, i64::MAX),
            _ => self.state.frame(),
        };
        // What it holds of the frame leads on.
        let held = if held.frame { self.state.frame() } else { held };
        self.touch(Value::of(held), Extent::Anything, false, false);
        if one.is_changed {
            self.write_blindly(Value::of(held));
            self.touch(Value::of(held), Extent::Anything, true, false);
        }
    }

    /// Records that a called function does this with a value.
    fn follow(&mut self, what: Value, fate: Fate, values: &[Value]) {
        if fate == Fate::default() || what.origin.is_foreign() {
            return;
        }
        if fate.stored {
            self.deliver(what, Sink::At(Value::other()), fate.itself);
        }
        if fate.freed {
            self.deliver(what, Sink::Freed, fate.itself);
            if let (Known::Argument(index, 0), true) = (what.known, fate.ended) {
                self.summary.uses[index].pointer.ended = true;
            }
        }
        if fate.unknown {
            self.deliver(what, Sink::Unknown, false);
            self.is_frame_known |= what.origin.frame;
        }
        for index in members(fate.into) {
            // Where in it, nobody knows.
            let at = Value { known: Known::Nothing, ..values[index] };
            self.deliver(what, Sink::At(at), fate.itself);
        }
    }
}

impl Use {
    /// Only the first `size` bytes are accessed.
    fn limit(&mut self, size: i64) {
        for extent in [&mut self.reads, &mut self.takes, &mut self.writes] {
            if *extent == Extent::Anything {
                *extent = if size == 0 { Extent::Nothing } else { Extent::Bytes(0, size) };
            }
        }
    }
}
