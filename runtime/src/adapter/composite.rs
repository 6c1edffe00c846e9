//! Arrays and objects inside the arguments: lists of non-scalars, arrays of a fixed length, and
//! records.
//!
//! `reader` calls this for fields of such kinds. They are read in place: memory is reserved in the
//! arena, and every scalar is written directly to its place in C memory.

use super::MAX_DEPTH;
use super::arena::{Arena, put_word};
use super::convert;
use super::cursor::Cursor;
use super::fault::Fault;
use super::kind::Kind;
use super::plain::{plain_key, plain_value};
use super::record::{Filling, Record};

impl Cursor<'_> {
    /// Reads the array or object that begins here, for a field of `kind`, and returns the word of its
    /// slot.
    #[inline(never)]
    pub(super) fn composite(&mut self, kind: Kind, first: u8, arena: &mut Arena) -> Result<u64, Fault> {
        match kind {
            Kind::List(element) if first == b'[' => {
                let mut list = arena.begin_list();
                self.elements(|cursor, _| {
                    let at = arena.extend(&mut list, element.size())?;
                    cursor.in_place(*element, at, arena)
                })?;
                Ok(arena.end_list(list))
            }
            Kind::Fixed((_, count)) if first == b'[' => {
                let (at, word) = arena.reserve(kind.size(), *count)?;
                self.in_place(kind, at, arena)?;
                Ok(word)
            }
            Kind::Record(_) if first == b'{' => {
                let (at, word) = arena.reserve(kind.size(), 1)?;
                self.in_place(kind, at, arena)?;
                Ok(word)
            }
            _ if first == b'{' => {
                let text = self.respelled(kind)?;
                convert::string(kind, &text, arena)
            }
            _ => Err(self.nested("an array", kind)),
        }
    }

    /// Reads a value inside a list or a record to byte offset `at` of the arena.
    pub(super) fn in_place(&mut self, kind: Kind, at: usize, arena: &mut Arena) -> Result<(), Fault> {
        let first = self.next_token();
        match (first, kind.resolved()) {
            (b'"', kind) => {
                let string = self.string()?;
                convert::string_in_place(kind, &string, at, arena)
            }
            (b'{', Kind::Record(record)) => self.record(record, at, arena),
            (b'{', Kind::Union(union)) => self.union(union, at, arena),
            (b'{', Kind::Pointed(target)) => {
                let record = target.get();
                let mut inner = arena.inner();
                let (place, _) = inner.reserve(record.size, 1)?;
                self.record(record, place, &mut inner)?;
                arena.adopt(at, inner)
            }
            (b'{', kind) if kind.of_bytes().is_some() => {
                let text = self.respelled(kind)?;
                convert::string_in_place(kind, &text, at, arena)
            }
            (b'[', Kind::Many(many)) if many.text.is_none() => {
                let mut inner = arena.inner();
                let mut list = inner.begin_list();
                let count = self.elements(|cursor, _| {
                    let at = inner.extend(&mut list, many.of.size())?;
                    if many.nullable_items && cursor.next_token() == b'n' && cursor.literal("null") {
                        return Ok(());
                    }
                    cursor.in_place(many.of, at, &mut inner)
                })?;
                // What ends at a zero has one more.
                inner.extend(&mut list, many.of.size())?;
                many.adopt(inner, count, at, arena)
            }
            (b'[', Kind::Fixed((element, count))) => {
                let found = self.elements(|cursor, index| {
                    if index == *count {
                        return Err(Fault::one_too_many(kind));
                    }
                    cursor.in_place(*element, at + index * element.size(), arena)
                })?;
                if found == *count { Ok(()) } else { Err(Fault::too_few(found, kind)) }
            }
            // The memory is zeroed: a NULL.
            (b'n', Kind::Nullable(_)) if self.literal("null") => Ok(()),
            // Only null is allowed here, even if the kind has values as an argument.
            _ if kind.is_only_null() => self.value(Kind::Opaque, first, arena).map(|_| ()),
            _ => {
                let word = self.value(kind, first, arena)?;
                arena.put_as(kind, at, word);
                Ok(())
            }
        }
    }

    /// Reads the elements of the array that begins here with `element`, and returns their number.
    fn elements(
        &mut self,
        mut element: impl FnMut(&mut Self, usize) -> Result<(), Fault>,
    ) -> Result<usize, Fault> {
        self.descend()?;
        let mut count = 0;
        if self.next_token() != b']' {
            loop {
                element(self, count).map_err(|fault| fault.inside(count))?;
                count += 1;
                match self.next_token() {
                    b',' => self.at += 1,
                    b']' => break,
                    _ => return Err(self.unexpected("`,` or `]`")),
                }
            }
        }
        self.ascend();
        Ok(count)
    }

    /// Reads the object that begins here to byte offset `at` of the arena.
    fn record(&mut self, record: &'static Record, at: usize, arena: &mut Arena) -> Result<(), Fault> {
        self.descend()?;
        let mut filling = Filling::new(record, at);
        let (seen, is_end) = self.plain_record(record, at, arena);
        filling.see_first(seen);
        if is_end {
            self.depth -= 1;
            return if seen == record.members.len() { Ok(()) } else { filling.finish(arena) };
        }
        // Behind a comma there is a key.
        if seen > 0 || self.next_token() != b'}' {
            let mut expected = seen;
            loop {
                let index = self.member_key(record, expected)?;
                let member = filling.see(index)?;
                let null = member.takes_null() && self.next_token() == b'n' && self.literal("null");
                let put = if null {
                    member.leave_out(at, arena)
                } else {
                    self.in_place(member.kind, at + member.offset, arena)
                };
                put.map_err(|fault| fault.inside(member.key.name))?;
                expected = index + 1;
                match self.next_token() {
                    b',' => self.at += 1,
                    b'}' => break,
                    _ => return Err(self.unexpected("`,` or `}`")),
                }
            }
        }
        self.ascend();
        filling.finish(arena)
    }

    /// Reads members while they are plain and in order: how many, and whether the object has ended.
    fn plain_record(&mut self, record: &Record, at: usize, arena: &mut Arena) -> (usize, bool) {
        let place = &mut arena.bytes_from(0)[at..at + record.size];
        let mut text = self.text[self.at..].iter();
        let (mut seen, mut is_end) = (0, false);
        for member in record.members {
            let mut rest = text.clone();
            if member.is_room() || !plain_key(&mut rest, &member.key) {
                break;
            }
            let Some((word, next @ (b',' | b'}'))) = plain_value(&mut rest, member.kind) else { break };
            put_word(&mut place[member.offset..member.offset + member.kind.size()], word);
            seen += 1;
            text = rest;
            if next == b'}' {
                is_end = true;
                break;
            }
        }
        self.at = self.text.len() - text.len();
        (seen, is_end)
    }

    /// Reads a key and its colon, and finds the member, which is most often the `expected` one.
    pub(super) fn member_key(&mut self, record: &Record, expected: usize) -> Result<usize, Fault> {
        let first = self.next_token();
        if let Some(member) = record.members.get(expected) {
            let mut rest = self.text[self.at..].iter();
            if !member.is_room() && plain_key(&mut rest, &member.key) {
                self.at = self.text.len() - rest.len();
                return Ok(expected);
            }
        }
        if first != b'"' {
            return Err(self.unexpected("a key in double quotes"));
        }
        let key = self.string()?;
        let index = record.position(&key).ok_or_else(|| Fault::unknown_member(&key, record))?;
        self.colon()?;
        Ok(index)
    }

    /// Enters the array or object that begins here.
    pub(super) fn descend(&mut self) -> Result<(), Fault> {
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(Fault::too_deep()) } else { Ok(()) }
    }

    /// Leaves the array or object that ends here.
    pub(super) fn ascend(&mut self) {
        self.at += 1;
        self.depth -= 1;
    }
}

#[cfg(test)]
#[path = "composite_tests.rs"]
mod tests;
