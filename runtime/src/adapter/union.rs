//! Unions in structs with a tag beside them. In JSON such a union is an object with one member, whose name says the tag.

use std::fmt;

use serde_core::de::MapAccess;

use super::arena::Arena;
use super::cursor::Cursor;
use super::fault::Fault;
use super::from_serde::{Name, carry, stop};
use super::kind::Kind;
use super::many::Beside;
use super::record::{Member, Record};
use super::serde_value::{Value, Word};

/// A union with a tag.
#[derive(Debug)]
pub struct Union {
    /// Its size and its members, all at its beginning.
    pub of: Record,
    /// The tag of each member.
    pub tags: &'static [i64],
    /// The tag if no member is used.
    pub empty: Option<i64>,
    /// The tag: an integer of the same struct.
    pub tag: Beside,
    /// The tag as a member, for replies with one that the document does not list.
    pub unknown: Member,
}

impl Union {
    pub(crate) fn size(&self) -> usize {
        self.of.size
    }

    pub(crate) fn has_pointers(&self) -> bool {
        self.of.members.iter().any(|member| member.kind.has_pointers())
    }

    /// The member that is used, and where it is; `None` if none is. For a tag that the document does not list, it is
    /// the tag itself.
    ///
    /// # Safety
    ///
    /// `at` points to the union in a struct that the table describes.
    pub(crate) unsafe fn alive(&self, at: *const u8) -> Option<(&Member, *const u8)> {
        // SAFETY: as the caller guarantees.
        let tag = unsafe { self.tag.read(at) };
        if self.empty.map(i128::from) == Some(tag) {
            return None;
        }
        let found = self.tags.iter().position(|known| i128::from(*known) == tag);
        match found.and_then(|index| self.of.members.get(index)) {
            Some(member) => Some((member, at)),
            // SAFETY: the tag is in the same struct.
            None => Some((&self.unknown, unsafe { at.offset(self.tag.by) })),
        }
    }

    /// Writes the tag for the union at byte offset `at`.
    fn put_tag(&self, tag: i64, at: usize, arena: &mut Arena) {
        arena.put_as(self.tag.of, at.wrapping_add_signed(self.tag.by), tag.cast_unsigned());
    }

    /// The same for a union of which no member is used.
    pub(super) fn leave_out(&self, at: usize, arena: &mut Arena) {
        if let Some(tag) = self.empty {
            self.put_tag(tag, at, arena);
        }
    }

    #[cold]
    fn not_one(&'static self, number: &str) -> Fault {
        Fault::new(format!("{number} member; expected {}", Kind::Union(self)))
    }
}

impl Cursor<'_> {
    /// Reads the object that begins here to byte offset `at` of the arena.
    pub(super) fn union(&mut self, union: &'static Union, at: usize, arena: &mut Arena) -> Result<(), Fault> {
        self.descend()?;
        if self.next_token() == b'}' {
            return Err(union.not_one("no"));
        }
        let index = self.member_key(&union.of, 0)?;
        let member = &union.of.members[index];
        self.in_place(member.kind, at, arena).map_err(|fault| fault.inside(member.key.name))?;
        match self.next_token() {
            b'}' => {}
            b',' => return Err(union.not_one("more than one")),
            _ => return Err(self.unexpected("`,` or `}`")),
        }
        union.put_tag(union.tags[index], at, arena);
        self.ascend();
        Ok(())
    }
}

impl Value<'_> {
    /// Reads the one member of an object to byte offset `at`.
    pub(super) fn union<'de, A: MapAccess<'de>>(
        mut self,
        mut map: A,
        union: &'static Union,
        at: usize,
    ) -> Result<Word, A::Error> {
        let Some(key) = map.next_key_seed(Name(|key: &str| union.of.position(key)))? else {
            return Err(stop(self.fault, union.not_one("no")));
        };
        let index = key.map_err(|unknown| stop(self.fault, Fault::unknown_member(&unknown, &union.of)))?;
        let member = &union.of.members[index];
        let mut fault = None;
        let seed = self.inner(member.kind, at, &mut fault);
        if let Err(error) = map.next_value_seed(seed) {
            return Err(carry(self.fault, fault, error, member.key.name));
        }
        if map.next_key_seed(Name(|_: &str| None::<usize>))?.is_some() {
            return Err(stop(self.fault, union.not_one("more than one")));
        }
        union.put_tag(union.tags[index], at, self.arena);
        Ok(Some(0))
    }
}

/// The expected value, as the end of a sentence.
impl fmt::Display for Union {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.of.members.iter().map(|member| member.key.name).collect();
        write!(f, "an object with one member ({}: {})", self.of.name, names.join(" or "))
    }
}

#[cfg(test)]
#[path = "union_tests.rs"]
mod tests;
