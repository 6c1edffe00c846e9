//! Arguments from JSON text.
//!
//! The reader knows what may come next, so it tries that first: the next field's key, then
//! the plain spelling of its value. Whatever is spelled otherwise, with escapes, an exponent
//! or in another order, takes the longer way; strings with escapes are decoded by serde_json.
//! What is JSON and what is not is as serde_json has it, and a property test holds it to that.

use super::arena::Arena;
use super::convert;
use super::fault::Fault;
use super::function::{Field, required_are_seen};
use super::kind::Kind;
use super::number;
use super::plain::{plain_key, plain_value};
use super::slots::Slot;
use super::{MAX_ARGUMENTS, MAX_DEPTH};

/// Checks `text` against `fields` and fills `slots`, one a field.
pub(crate) fn read(
    fields: &[Field],
    text: &[u8],
    slots: &mut [Slot],
    arena: &mut Arena,
) -> Result<(), Fault> {
    let Progress { seen, at } = plain_members(fields, text, slots);
    if at == Progress::END {
        return none_is_required(&fields[seen..]);
    }
    if text.len() > MAX_ARGUMENTS {
        return Err(Fault::too_long(text.len(), MAX_ARGUMENTS));
    }
    Reader { text, at }.object(fields, slots, seen, arena)
}

/// How far the plainest spelling goes: so many fields, to the key at `at`, or to the very end.
struct Progress {
    seen: usize,
    at: usize,
}

impl Progress {
    const END: usize = usize::MAX;
}

/// Reads members while they are numbers or booleans, in order, spelled in the plainest way. A
/// function of its own that calls hardly any other, because then everything is in registers.
#[inline(never)]
fn plain_members(fields: &[Field], text: &[u8], slots: &mut [Slot]) -> Progress {
    let mut progress = Progress { seen: 0, at: 0 };
    let [b'{', rest @ ..] = text else { return progress };
    let mut rest = rest.iter();
    for (field, slot) in fields.iter().zip(slots) {
        if !plain_key(&mut rest, &field.key) {
            break;
        }
        let Some((word, next)) = plain_value(&mut rest, field.kind) else { break };
        let last = next == b'}' && rest.len() == 0;
        if next != b',' && !last {
            break;
        }
        // Only now: what is not counted is read again.
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

/// Of the fields that are absent.
#[inline]
fn none_is_required(absent: &[Field]) -> Result<(), Fault> {
    match absent.iter().find(|field| field.required) {
        None => Ok(()),
        Some(field) => Err(Fault::missing(field)),
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    /// The object from its beginning, or from the key behind its first `seen` members.
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

    /// The members from the first on that is not the expected one.
    #[inline(never)]
    fn in_any_order(&mut self, fields: &[Field], slots: &mut [Slot], arena: &mut Arena) -> Result<(), Fault> {
        loop {
            let index = self.key(fields)?;
            if slots[index].is_seen() {
                return Err(Fault::duplicate(&fields[index]));
            }
            slots[index] = self.argument(&fields[index], arena)?;
            if !self.separator()? {
                break;
            }
        }
        self.end()?;
        required_are_seen(fields, slots)
    }

    /// The value of a field.
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

    /// What follows a member: whether another one does.
    fn separator(&mut self) -> Result<bool, Fault> {
        let more = match self.next_token() {
            b',' => true,
            b'}' => false,
            _ => return Err(self.unexpected("`,` or `}`")),
        };
        self.at += 1;
        Ok(more)
    }

    /// Behind the object: nothing but space.
    fn end(&mut self) -> Result<(), Fault> {
        self.next_token();
        if self.at == self.text.len() { Ok(()) } else { Err(self.unexpected("nothing more")) }
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
        let raw = self.string()?;
        let decoded;
        let key = match raw {
            Text::Plain(text) => text,
            Text::Escaped(text) => {
                decoded = text;
                &decoded
            }
        };
        let Some(index) = fields.iter().position(|field| field.key.name == key) else {
            return Err(Fault::unknown(key, fields));
        };
        if self.next_token() != b':' {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        Ok(index)
    }

    /// A value, whose first byte is `first`.
    fn value(&mut self, kind: Kind, first: u8, arena: &mut Arena) -> Result<u64, Fault> {
        let mut rest = self.text[self.at..].iter();
        if let Some((word, _)) = plain_value(&mut rest, kind) {
            // The punctuation is for whoever asked for the value.
            self.at = self.text.len() - rest.len() - 1;
            return Ok(word);
        }
        match first {
            b'"' => match (self.string()?, kind) {
                // Scanned already: no NUL can stand unescaped in a JSON string.
                (Text::Plain(text), Kind::Str) => Ok(arena.push_str(text.as_bytes())),
                (Text::Plain(text), _) => convert::string(kind, text, arena),
                (Text::Escaped(text), _) => convert::string(kind, &text, arena),
            },
            b'-' | b'0'..=b'9' => {
                let end = number::scan(self.text, self.at)
                    .map_err(|at| Fault::not_json(self.text, at, "a digit"))?;
                let text = &self.text[self.at..end];
                self.at = end;
                // SAFETY: `scan` passed over digits, signs, points and exponents: all ASCII.
                convert::number(kind, unsafe { str::from_utf8_unchecked(text) })
            }
            b't' if self.literal("true") => convert::boolean(kind, true),
            b'f' if self.literal("false") => convert::boolean(kind, false),
            b'n' if self.literal("null") => Err(Fault::wrong_type("null", "null", kind)),
            b'[' => match kind {
                Kind::List(element) => self.list(*element, arena),
                _ => Err(self.nested("an array", kind)),
            },
            b'{' => Err(self.nested("an object", kind)),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn list(&mut self, element: Kind, arena: &mut Arena) -> Result<u64, Fault> {
        self.at += 1;
        let mut list = arena.begin_list();
        if self.next_token() == b']' {
            self.at += 1;
            return Ok(arena.end_list(list));
        }
        for index in 0_usize.. {
            let first = self.next_token();
            let word = self.value(element, first, arena).map_err(|fault| fault.inside(index))?;
            arena.push_element(&mut list, word, element.size());
            match self.next_token() {
                b',' => self.at += 1,
                b']' => break,
                _ => return Err(self.unexpected("`,` or `]`")),
            }
        }
        self.at += 1;
        Ok(arena.end_list(list))
    }

    fn literal(&mut self, literal: &str) -> bool {
        let found = self.text[self.at..].starts_with(literal.as_bytes());
        self.at += if found { literal.len() } else { 0 };
        found
    }

    /// The string that begins here, without its quotes.
    fn string(&mut self) -> Result<Text<'_>, Fault> {
        let start = self.at + 1;
        let mut end = start;
        let mut escaped = false;
        let mut bits = 0;
        loop {
            let byte = self.text.get(end);
            bits |= byte.copied().unwrap_or(0);
            match byte {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    end += 2;
                }
                Some(0..=0x1f) => {
                    return Err(Fault::not_json(self.text, end, "an escape for a control character"));
                }
                Some(_) => end += 1,
                None => return Err(Fault::not_json(self.text, self.text.len(), "`\"`")),
            }
        }
        let open = self.at;
        self.at = end + 1;
        if escaped {
            return match serde_json::from_slice(&self.text[open..=end]) {
                Ok(decoded) => Ok(Text::Escaped(decoded)),
                Err(error) => {
                    Err(Fault::not_json(self.text, open + error.column().saturating_sub(1), "a valid string"))
                }
            };
        }
        if bits < 0x80 {
            // SAFETY: every byte is ASCII.
            return Ok(Text::Plain(unsafe { str::from_utf8_unchecked(&self.text[start..end]) }));
        }
        match str::from_utf8(&self.text[start..end]) {
            Ok(text) => Ok(Text::Plain(text)),
            Err(error) => Err(Fault::not_json(self.text, start + error.valid_up_to(), "UTF-8")),
        }
    }

    /// Skips white space; the byte that follows, 0 at the end.
    #[inline]
    fn next_token(&mut self) -> u8 {
        match self.text.get(self.at) {
            Some(&byte) if byte > b' ' => byte,
            _ => self.skip_space(),
        }
    }

    #[inline(never)]
    fn skip_space(&mut self) -> u8 {
        loop {
            match self.text.get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                Some(&byte) => return byte,
                None => return 0,
            }
        }
    }

    #[cold]
    fn unexpected(&self, expected: &str) -> Fault {
        Fault::not_json(self.text, self.at, expected)
    }

    #[cold]
    fn not_an_object(&mut self) -> Fault {
        let is = match self.next_token() {
            b'"' => "a string",
            b'[' => "an array",
            b'-' | b'0'..=b'9' => "a number",
            b't' | b'f' => "a boolean",
            b'n' => "null",
            _ => return self.unexpected("an object of arguments"),
        };
        Fault::not_an_object(String::from_utf8_lossy(&self.text[self.at..]).trim_end(), is)
    }

    /// An array or object where neither belongs: it is looked through only to quote it.
    #[cold]
    fn nested(&mut self, is: &str, kind: Kind) -> Fault {
        let start = self.at;
        let mut depth = 0;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'"' => match self.string() {
                    Ok(_) => continue,
                    Err(fault) => return fault,
                },
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth -= 1,
                _ => {}
            }
            if depth > MAX_DEPTH {
                return Fault::too_deep();
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        Fault::wrong_type(String::from_utf8_lossy(&self.text[start..self.at]), is, kind)
    }
}

enum Text<'t> {
    Plain(&'t str),
    Escaped(String),
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
