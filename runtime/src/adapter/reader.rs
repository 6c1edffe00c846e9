//! Arguments from JSON text.
//!
//! The reader tries the expected text first: the next field's key, then the plain spelling of its
//! value. Other spellings (escapes, exponents, another order) take a slower path; serde_json
//! decodes strings with escapes. Arrays and objects inside the arguments are in `composite`.
//!
//! The reader accepts the same JSON as serde_json; a property test compares them.

use super::MAX_ARGUMENTS;
use super::arena::Arena;
use super::convert;
use super::cursor::{Cursor, Quoted};
use super::fault::Fault;
use super::function::{Field, required_are_seen};
use super::kind::Kind;
use super::number;
use super::plain::{plain_key, plain_value};
use super::runs;
use super::slots::Slot;

/// Checks `text` against `fields` and fills `slots`, one per field.
#[inline(never)]
pub(crate) fn read(
    fields: &[Field],
    text: &[u8],
    slots: &mut [Slot],
    arena: &mut Arena,
) -> Result<(), Fault> {
    let progress = plain_members(fields, text, slots);
    if progress.at == Progress::END {
        return none_is_required(&fields[progress.seen..]);
    }
    rest(fields, text, progress, slots, arena)
}

/// Reads what is not in order or not plain.
#[inline(never)]
fn rest(
    fields: &[Field],
    text: &[u8],
    Progress { seen, at, other_key }: Progress,
    slots: &mut [Slot],
    arena: &mut Arena,
) -> Result<(), Fault> {
    let mut cursor = Cursor { text, at, depth: 1 };
    if text.len() > MAX_ARGUMENTS {
        return Err(Fault::too_long(text.len(), MAX_ARGUMENTS));
    }
    if other_key {
        let end = plain_in_any_order(fields, text, at, slots);
        if end == Progress::END {
            return required_are_seen(fields, slots);
        }
        if end > at {
            cursor.at = end;
            return cursor.in_any_order(fields, slots, arena);
        }
    }
    cursor.object(fields, slots, seen, arena)
}

/// How far the plain spelling goes: `seen` fields, up to the key at `at`, or to the end.
struct Progress {
    seen: usize,
    at: usize,
    /// Whether the key there is not the one of the next field.
    other_key: bool,
}

impl Progress {
    const END: usize = usize::MAX;
}

/// Reads members while they are numbers or booleans, in order, in the plain spelling. It is a
/// separate function with few calls, so that all values stay in registers.
#[inline(always)]
fn plain_members(fields: &[Field], text: &[u8], slots: &mut [Slot]) -> Progress {
    let mut progress = Progress { seen: 0, at: 0, other_key: false };
    let [b'{', rest @ ..] = text else { return progress };
    let mut rest = rest.iter();
    for (field, slot) in fields.iter().zip(slots) {
        if !plain_key(&mut rest, &field.key) {
            progress.other_key = true;
            break;
        }
        let Some((word, next)) = plain_value(&mut rest, field.kind) else { break };
        let last = next == b'}' && rest.len() == 0;
        if next != b',' && !last {
            break;
        }
        // Stored only now: a member that is not counted is read again.
        *slot = Slot::scalar(word);
        progress.seen += 1;
        if last {
            progress.at = Progress::END;
            break;
        }
        progress.at = text.len() - rest.len();
    }
    progress
}

/// Reads members as [`plain_members`] does, in any order, from the key at `at`. Returns where it stops.
#[inline(never)]
fn plain_in_any_order(fields: &[Field], text: &[u8], at: usize, slots: &mut [Slot]) -> usize {
    let mut at = at;
    let mut rest = text.get(at.max(1)..).unwrap_or_default().iter();
    'members: loop {
        for (field, slot) in fields.iter().zip(&mut *slots) {
            let mut value = rest.clone();
            // An argument that is given twice is read again, and refused.
            if slot.is_seen() || !plain_key(&mut value, &field.key) {
                continue;
            }
            let Some((word, next)) = plain_value(&mut value, field.kind) else { return at };
            let last = next == b'}' && value.len() == 0;
            if next != b',' && !last {
                return at;
            }
            *slot = Slot::scalar(word);
            if last {
                return Progress::END;
            }
            at = text.len() - value.len();
            rest = value;
            continue 'members;
        }
        return at;
    }
}

/// Checks that none of the absent fields is required.
#[inline]
fn none_is_required(absent: &[Field]) -> Result<(), Fault> {
    match absent.iter().find(|field| field.required) {
        None => Ok(()),
        Some(field) => Err(Fault::missing(field.key.name, field.kind)),
    }
}

impl Cursor<'_> {
    /// Reads the object from its beginning, or from the key after its first `seen` members.
    #[inline(always)]
    fn object(
        &mut self,
        fields: &[Field],
        slots: &mut [Slot],
        seen: usize,
        arena: &mut Arena,
    ) -> Result<(), Fault> {
        if seen == 0 {
            if self.next_token() != b'{' {
                return Err(self.not_an_object());
            }
            self.at += 1;
            if self.next_token() == b'}' {
                self.at += 1;
                self.end()?;
                return none_is_required(fields);
            }
        }
        for (index, (field, slot)) in fields.iter().zip(&mut *slots).enumerate().skip(seen) {
            let mut rest = self.text[self.at..].iter();
            if !plain_key(&mut rest, &field.key) {
                break;
            }
            self.at = self.text.len() - rest.len();
            *slot = self.argument(field, arena)?;
            if !self.separator()? {
                self.end()?;
                return none_is_required(&fields[index + 1..]);
            }
        }
        self.in_any_order(fields, slots, arena)
    }

    /// Reads the remaining members, after the first one that is not in order.
    #[inline(never)]
    fn in_any_order(&mut self, fields: &[Field], slots: &mut [Slot], arena: &mut Arena) -> Result<(), Fault> {
        loop {
            let index = self.key(fields)?;
            if slots[index].is_seen() {
                return Err(Fault::duplicate(fields[index].key.name));
            }
            slots[index] = self.argument(&fields[index], arena)?;
            if !self.separator()? {
                break;
            }
        }
        self.end()?;
        required_are_seen(fields, slots)
    }

    /// Reads the value of a field.
    fn argument(&mut self, field: &Field, arena: &mut Arena) -> Result<Slot, Fault> {
        let first = self.next_token();
        if first == b'n' && !field.required && self.literal("null") {
            return Ok(Slot::NULL);
        }
        match self.value(field.kind, first, arena) {
            Ok(word) => Ok(Slot::filled(field.kind, word)),
            Err(fault) => Err(fault.inside(field.key.name)),
        }
    }

    /// Reads a key and its colon, and finds the field.
    fn key(&mut self, fields: &[Field]) -> Result<usize, Fault> {
        let first = self.next_token();
        for (index, field) in fields.iter().enumerate() {
            let mut rest = self.text[self.at..].iter();
            if plain_key(&mut rest, &field.key) {
                self.at = self.text.len() - rest.len();
                return Ok(index);
            }
        }
        if first != b'"' {
            return Err(self.unexpected("a key in double quotes"));
        }
        let key = self.string()?;
        let Some(index) = fields.iter().position(|field| field.key.name == key) else {
            return Err(Fault::unknown(&key, fields));
        };
        self.colon()?;
        Ok(index)
    }

    /// Reads a value, whose first byte is `first`.
    pub(super) fn value(&mut self, kind: Kind, first: u8, arena: &mut Arena) -> Result<u64, Fault> {
        let mut rest = self.text[self.at..].iter();
        if let Some((word, _)) = plain_value(&mut rest, kind) {
            // The caller reads the punctuation.
            self.at = self.text.len() - rest.len() - 1;
            return Ok(word);
        }
        match first {
            b'"' => match (self.quoted()?, kind) {
                (Quoted::Text(text), Kind::Str) => arena.push_str(text.as_bytes()),
                (Quoted::Text(text), _) => convert::string(kind, text, arena),
                (Quoted::Escaped(raw), _) => self.escaped(kind, raw, arena),
            },
            b'-' | b'0'..=b'9' => {
                let end = number::scan(self.text, self.at)
                    .map_err(|at| Fault::not_json(self.text, at, "a digit"))?;
                let text = &self.text[self.at..end];
                self.at = end;
                // SAFETY: `scan` only accepts digits, signs, points and exponents, which are ASCII.
                convert::number(kind, unsafe { str::from_utf8_unchecked(text) })
            }
            b't' if self.literal("true") => convert::boolean(kind, true),
            b'f' if self.literal("false") => convert::boolean(kind, false),
            b'n' if self.literal("null") => Err(Fault::wrong_type("null", "null", kind)),
            b'[' | b'{' => match kind {
                Kind::List(element) if first == b'[' && element.is_scalar() => self.scalars(*element, arena),
                _ => self.composite(kind, first, arena),
            },
            _ => Err(self.unexpected("a value")),
        }
    }

    /// Converts a string with escapes, which was just read.
    #[inline(never)]
    fn escaped(&self, kind: Kind, raw: &[u8], arena: &mut Arena) -> Result<u64, Fault> {
        if let Kind::Str = kind {
            // Decoded to where C looks, unless there is something to complain about.
            let decoded = arena.push_decoded(raw.len(), |to| {
                let length = runs::unescape(raw, to).ok_or(())?;
                if to[..length].contains(&0) { Err(()) } else { Ok(length) }
            })?;
            if let Ok(word) = decoded {
                return Ok(word);
            }
        }
        let mut text = vec![0; raw.len()];
        let length = runs::unescape(raw, &mut text).ok_or_else(|| self.not_decoded(raw))?;
        let text = str::from_utf8(&text[..length]).map_err(|_| self.not_decoded(raw))?;
        convert::string(kind, text, arena)
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
pub(super) mod tests;
