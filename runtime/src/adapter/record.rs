//! C structs: their layout, and how one is filled member by member.
//!
//! Both readers fill a record through [`Filling`], so they agree on unknown, duplicate and missing
//! members.

use std::fmt;

use super::arena::Arena;
use super::convert;
use super::fault::Fault;
use super::kind::Kind;
use super::plain::Key;

/// The layout of a C struct.
#[derive(Debug)]
pub struct Record {
    /// Its name, for messages.
    pub name: &'static str,
    /// Its size in bytes.
    pub size: usize,
    /// Its alignment in bytes.
    pub align: usize,
    /// Its members, in order.
    pub members: &'static [Member],
}

impl Record {
    /// The index of the member `key`.
    pub(crate) fn position(&self, key: &str) -> Option<usize> {
        self.members.iter().position(|member| member.key.name == key && !member.is_room())
    }
}

/// A member of a C struct.
#[derive(Debug)]
pub struct Member {
    pub(crate) key: Key,
    pub(crate) kind: Kind,
    pub(crate) offset: usize,
    required: bool,
    absent: Absent,
}

/// The value of an absent member.
#[derive(Clone, Copy, Debug)]
enum Absent {
    Zero,
    Word(u64),
    Text(&'static str),
}

impl Member {
    /// A required member. `key` needs no escape in JSON.
    #[must_use]
    pub const fn required(key: &'static str, kind: Kind, offset: usize) -> Self {
        Self { key: Key::new(key), kind, offset, required: true, absent: Absent::Zero }
    }

    /// A member that may be absent or null, which makes it zero. `key` needs no escape in JSON.
    #[must_use]
    pub const fn optional(key: &'static str, kind: Kind, offset: usize) -> Self {
        Self { key: Key::new(key), kind, offset, required: false, absent: Absent::Zero }
    }

    /// A scalar that may be absent or null, which makes it `word`: the bits of the value,
    /// sign-extended.
    #[must_use]
    pub const fn or(key: &'static str, kind: Kind, offset: usize, word: u64) -> Self {
        Self { key: Key::new(key), kind, offset, required: false, absent: Absent::Word(word) }
    }

    /// A string that may be absent or null, which makes it `text`.
    #[must_use]
    pub const fn or_text(key: &'static str, kind: Kind, offset: usize, text: &'static str) -> Self {
        Self { key: Key::new(key), kind, offset, required: false, absent: Absent::Text(text) }
    }

    /// Whether it is a buffer that C fills, so that a caller does not give it.
    pub(crate) fn is_room(&self) -> bool {
        matches!(self.kind, Kind::Many(many) if many.room.is_some())
    }

    /// Whether null is accepted.
    pub(crate) fn takes_null(&self) -> bool {
        !self.required || self.kind.is_only_null()
    }

    /// Writes the value of the absent member, for a record at byte offset `at`.
    pub(crate) fn leave_out(&self, at: usize, arena: &mut Arena) -> Result<(), Fault> {
        if let Kind::Many(many) = self.kind {
            return many.leave_out(at + self.offset, arena);
        }
        if let Kind::Union(union) = self.kind {
            union.leave_out(at + self.offset, arena);
        }
        match self.absent {
            // The arena is zeroed.
            Absent::Zero => {}
            Absent::Word(word) => arena.put_as(self.kind, at + self.offset, word),
            Absent::Text(text) => convert::string_in_place(self.kind, text, at + self.offset, arena)?,
        }
        Ok(())
    }
}

/// A record that is being filled.
pub(crate) struct Filling {
    record: &'static Record,
    /// Its byte offset in the arena.
    pub(crate) at: usize,
    /// One bit per member: the first 64, and the others.
    seen: u64,
    more: Vec<u64>,
}

impl Filling {
    pub(crate) fn new(record: &'static Record, at: usize) -> Self {
        Self { record, at, seen: 0, more: vec![0; record.members.len() / 64] }
    }

    /// Marks the member at `index` as present and returns it.
    pub(crate) fn see(&mut self, index: usize) -> Result<&'static Member, Fault> {
        let member = &self.record.members[index];
        if self.is_seen(index) {
            return Err(Fault::duplicate(member.key.name));
        }
        let bit = 1 << (index % 64);
        match index / 64 {
            0 => self.seen |= bit,
            word => self.more[word - 1] |= bit,
        }
        Ok(member)
    }

    /// Marks the first `count` members of a new filling as present.
    pub(crate) fn see_first(&mut self, count: usize) {
        for index in 0..count {
            match index / 64 {
                0 => self.seen |= 1 << index,
                word => self.more[word - 1] |= 1 << (index % 64),
            }
        }
    }

    /// Fills in the absent members.
    pub(crate) fn finish(self, arena: &mut Arena) -> Result<(), Fault> {
        for (index, member) in self.record.members.iter().enumerate() {
            if self.is_seen(index) {
                continue;
            }
            if member.required {
                return Err(Fault::missing(member.key.name, member.kind));
            }
            member.leave_out(self.at, arena)?;
        }
        Ok(())
    }

    fn is_seen(&self, index: usize) -> bool {
        let word = match index / 64 {
            0 => self.seen,
            word => self.more[word - 1],
        };
        word >> (index % 64) & 1 == 1
    }
}

/// The expected value, as the end of a sentence.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object ({}", self.name)?;
        for (index, member) in self.members.iter().filter(|member| !member.is_room()).enumerate() {
            f.write_str(if index == 0 { ": " } else { ", " })?;
            f.write_str(member.key.name)?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_member_counts_once_however_many_there_are() {
        const MEMBER: Member = Member::required("x", Kind::INT, 0);
        static WIDE: Record = Record { name: "wide", size: 4, align: 4, members: &[MEMBER; 130] };
        let mut filling = Filling::new(&WIDE, 0);
        for index in 0..130 {
            assert!(filling.see(index).is_ok(), "{index} for the first time");
            assert!(filling.see(index).is_err(), "{index} for the second time");
        }
        assert!(filling.finish(&mut Arena::new()).is_ok());

        let mut filling = Filling::new(&WIDE, 0);
        for index in 0..129 {
            assert!(filling.see(index).is_ok());
        }
        assert!(filling.finish(&mut Arena::new()).is_err(), "the last is missing");
    }
}
