//! What an access to memory means: what is loaded, and where a value goes that is stored.

use super::bytes::Bytes;
use super::summary::{Extent, Fate};
use super::value::{Known, Origin, Value, members};
use super::walk::Walk;

/// Where a value goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sink {
    /// Into memory at this address, or near it.
    At(Value),
    /// To something that frees it.
    Freed,
    /// To code that cannot be read.
    Unknown,
}

impl Walk<'_> {
    /// What is loaded from memory.
    pub(super) fn load(&mut self, address: Value, size: i64) -> Value {
        self.access(address, size, false);
        // A part of a pointer is none.
        if size < 8 {
            return Value::other();
        }
        if let Known::Frame(at) = address.known {
            return self.state.load(at, size);
        }
        if let Known::Constant(place) = address.known
            && let Some(target) = self.image.linked(place.cast_unsigned())
        {
            return Value::constant(target.cast_signed());
        }
        if let Known::Constant(place) = address.known
            && let Some(target) = self.image.allocator(place.cast_unsigned())
        {
            return Value { origin: Origin::OTHER, known: Known::Allocator(target.cast_signed()) };
        }
        if let Known::Constant(place) = address.known
            && self.image.is_replaceable(place.cast_unsigned(), self.start)
        {
            return Value { origin: Origin::OTHER, known: Known::Allocator(self.start.cast_signed()) };
        }
        let frame = if address.origin.frame { self.state.frame() } else { Origin::default() };
        // What is at a constant address is a variable of the library.
        let variable = if address.origin.is_foreign() { Origin::OTHER } else { Origin::default() };
        let known = match address.known {
            Known::Argument(index, _) if size == 8 => Known::Read(index),
            _ => Known::Nothing,
        };
        Value { known, ..Value::of(address.origin.read() | frame | variable) }
    }

    /// Stores a value in memory.
    pub(super) fn store(&mut self, address: Value, size: i64, value: Value) {
        self.access(address, size, true);
        if let Known::Frame(at) = address.known {
            self.spilled |= value.origin.pointers | value.origin.contents;
            self.state.store(at, size, value);
        } else if size >= 8 {
            self.deliver(value, Sink::At(address), true);
        }
    }

    /// Records that bytes behind an argument are read or written.
    fn access(&mut self, address: Value, size: i64, is_write: bool) {
        if is_write {
            self.write_blindly(address);
        } else if let Known::Argument(index, _) = address.known {
            self.state.read |= 1 << index;
        }
        let extent = Extent::Bytes(0, size);
        self.touch(address, extent, is_write, true);
    }

    /// Records that something is written through a value: blindly, if nothing was read there before.
    pub(super) fn write_blindly(&mut self, address: Value) {
        for index in members(address.origin.pointers & !self.state.read) {
            self.summary.uses[index].is_blind = true;
        }
    }

    /// Records that bytes behind the arguments that `address` may be are read or written; all of them, if it is certain.
    pub(super) fn touch(&mut self, address: Value, extent: Extent, is_write: bool, is_certain: bool) {
        if is_write && extent != Extent::Nothing {
            let changed = address.origin.pointers | address.origin.contents;
            members(changed).for_each(|index| self.summary.uses[index].is_changed = true);
        }
        if extent != Extent::Nothing {
            self.state.bare |= address.origin.pointers & !self.state.text;
            members(address.origin.contents).for_each(|index| self.summary.uses[index].is_followed = true);
        }
        // Code that cannot be read gets more than its arguments.
        if let (Known::Read(index), Extent::Bytes(..)) = (address.known, extent) {
            self.summary.uses[index].is_address = true;
        }
        let exact = match address.known {
            Known::Argument(index, offset) => Some((index, offset)),
            _ => None,
        };
        for index in members(address.origin.pointers) {
            let extent = match exact {
                Some((known, offset)) if known == index => extent.moved(offset),
                _ if extent == Extent::Nothing => extent,
                _ => Extent::Anything,
            };
            let bytes = match extent {
                Extent::Bytes(from, to) => Bytes::between(from, to),
                _ => None,
            };
            let one = &mut self.summary.uses[index];
            let written = &mut self.state.written[index];
            if is_write {
                one.writes.add(extent);
                // What may be written is not written for certain, unless it is this one access.
                if let (Some(bytes), true) = (bytes, is_certain) {
                    *written = written.or(bytes);
                    one.filled = one.filled.most(*written);
                }
            } else {
                one.reads.add(extent);
                if !bytes.is_some_and(|bytes| written.has(bytes)) {
                    one.takes.add(extent);
                }
            }
        }
    }

    /// Records where a value goes; `is_certain` if it is the value itself.
    pub(super) fn deliver(&mut self, what: Value, to: Sink, is_certain: bool) {
        let itself = match what.known {
            Known::Argument(index, 0) if is_certain => Some(index),
            _ => None,
        };
        let what = what.origin;
        match to {
            Sink::Freed => {
                self.meet(what, Fate { freed: true, ..Fate::default() });
                if let Some(index) = itself {
                    self.summary.uses[index].pointer.itself = true;
                }
            }
            Sink::Unknown => self.meet(what, Fate { unknown: true, ..Fate::default() }),
            Sink::At(address) => self.deliver_to(what, address, itself),
        }
    }

    fn deliver_to(&mut self, what: Origin, address: Value, itself: Option<usize>) {
        let to = address.origin;
        if to.frame {
            let from = if let Known::Frame(at) = address.known { Some(at) } else { None };
            self.spilled |= what.pointers | what.contents;
            self.state.smear(what, from);
        }
        let is_outside = !to.frame && to.pointers == 0 && to.contents == 0;
        // From now on, others can find what the frame holds.
        self.is_frame_known |= what.frame && (is_outside || to.pointers | to.contents != 0);
        for index in members(what.pointers) {
            let fate = &mut self.summary.uses[index].pointer;
            let own = 1 << index;
            // An object that points to itself is not kept by anything else; what it points to may live longer.
            fate.stored |= is_outside || to.contents & own != 0;
            fate.into |= (to.pointers | to.contents) & !own;
            // What points into the frame or to the object itself may be what the value is stored in.
            fate.itself |= itself == Some(index) && !to.frame && (to.pointers | to.contents) & own == 0;
        }
        for index in members(what.contents) {
            let fate = &mut self.summary.uses[index].content;
            fate.stored |= is_outside;
            fate.into |= (to.pointers | to.contents) & !(1 << index);
        }
    }

    /// Records what happens to values with this origin.
    fn meet(&mut self, what: Origin, fate: Fate) {
        for index in members(what.pointers) {
            self.summary.uses[index].pointer.add(fate);
        }
        for index in members(what.contents) {
            self.summary.uses[index].content.add(fate);
        }
    }
}
