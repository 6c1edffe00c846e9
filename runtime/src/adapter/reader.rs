//! Arguments from JSON text.
//!
//! The reader knows what may come next, so it tries that first: the next field's key, then
//! the plain spelling of its value. Whatever is spelled otherwise, with escapes, an exponent
//! or in another order, takes the longer way; strings with escapes are decoded by serde_json.
//! What is JSON and what is not is as serde_json has it, and a property test holds it to that.

use super::convert;
use super::fault::Fault;
use super::function::Field;
use super::kind::{Integer, Kind};
use super::number;
use super::slots::{Arena, Slot};
use super::{MAX_ARGUMENTS, MAX_DEPTH};

/// Checks `text` against `fields` and fills `slots`, one a field.
pub(crate) fn read(fields: &[Field], text: &[u8], slots: &mut [Slot], arena: &mut Arena) -> Result<(), Fault> {
    if text.len() > MAX_ARGUMENTS {
        return Err(Fault::too_long(text.len(), MAX_ARGUMENTS));
    }
    let mut reader = Reader { text, at: 0 };
    reader.object(fields, slots, arena)?;
    for (field, slot) in fields.iter().zip(slots) {
        if field.required && !slot.is_seen() {
            return Err(Fault::missing(field));
        }
    }
    Ok(())
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn object(&mut self, fields: &[Field], slots: &mut [Slot], arena: &mut Arena) -> Result<(), Fault> {
        if self.next_token() != b'{' {
            return Err(self.not_an_object());
        }
        self.at += 1;
        if self.next_token() == b'}' {
            self.at += 1;
            return self.end();
        }
        let mut expected = 0;
        loop {
            let index = self.key(fields, expected)?;
            let field = &fields[index];
            if slots[index].is_seen() {
                return Err(Fault::duplicate(field));
            }
            slots[index] = self.field(field, arena)?;
            expected = index + 1;
            match self.next_token() {
                b',' => self.at += 1,
                b'}' => break,
                _ => return Err(self.unexpected("`,` or `}`")),
            }
            self.next_token();
        }
        self.at += 1;
        self.end()
    }

    fn end(&mut self) -> Result<(), Fault> {
        self.next_token();
        if self.at == self.text.len() { Ok(()) } else { Err(self.unexpected("nothing more")) }
    }

    /// Reads a key and its colon, and finds the field.
    #[inline]
    fn key(&mut self, fields: &[Field], expected: usize) -> Result<usize, Fault> {
        if let Some(field) = fields.get(expected) {
            let rest = &self.text[self.at..];
            let length = field.name.len();
            // The name needs no escape (the generator sees to that), so equal text is an equal key.
            if rest.len() > length + 2
                && rest[0] == b'"'
                && rest[length + 1] == b'"'
                && rest[length + 2] == b':'
                && same(&rest[1..=length], field.name.as_bytes())
            {
                self.at += length + 3;
                return Ok(expected);
            }
        }
        self.other_key(fields)
    }

    /// A key in another place than expected, or spelled in another way.
    #[inline(never)]
    fn other_key(&mut self, fields: &[Field]) -> Result<usize, Fault> {
        if self.next_token() != b'"' {
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
        let Some(index) = fields.iter().position(|field| field.name == key) else {
            return Err(Fault::unknown(key, fields));
        };
        if self.next_token() != b':' {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        Ok(index)
    }

    #[inline]
    fn field(&mut self, field: &Field, arena: &mut Arena) -> Result<Slot, Fault> {
        let first = self.next_token();
        if first == b'n' && !field.required && self.text[self.at..].starts_with(b"null") {
            self.at += 4;
            return Ok(Slot::NULL);
        }
        match self.value(field.kind, first, arena) {
            Ok(word) => Ok(Slot::present(word)),
            Err(fault) => Err(fault.inside(field.name)),
        }
    }

    /// A value, whose first byte is `first`.
    #[inline]
    fn value(&mut self, kind: Kind, first: u8, arena: &mut Arena) -> Result<u64, Fault> {
        if let Kind::Integer(range) = kind
            && let Some(word) = self.plain_integer(range)
        {
            return Ok(word);
        }
        self.any_value(kind, first, arena)
    }

    /// An integer of at most 19 digits that is in range; otherwise nothing is read.
    #[inline]
    fn plain_integer(&mut self, range: &Integer) -> Option<u64> {
        let rest = &self.text[self.at..];
        let negative = rest.first() == Some(&b'-');
        let digits = &rest[usize::from(negative)..];
        let mut magnitude = 0_u64;
        let mut count = 0;
        // 19 digits stay below 2^64.
        while let Some(digit) = digits.get(count).map(|byte| byte.wrapping_sub(b'0'))
            && digit < 10
            && count < 20
        {
            magnitude = magnitude.wrapping_mul(10).wrapping_add(digit.into());
            count += 1;
        }
        if count == 0 || count > 19 || (count > 1 && digits[0] == b'0') {
            return None;
        }
        if matches!(digits.get(count), Some(b'.' | b'e' | b'E')) {
            return None;
        }
        let word = range.word(negative, magnitude)?;
        self.at += count + usize::from(negative);
        Some(word)
    }

    #[inline(never)]
    fn any_value(&mut self, kind: Kind, first: u8, arena: &mut Arena) -> Result<u64, Fault> {
        match first {
            b'"' => match (self.string()?, kind) {
                // Scanned already: no NUL can stand unescaped in a JSON string.
                (Text::Plain(text), Kind::Str) => Ok(arena.push_str(text.as_bytes())),
                (Text::Plain(text), _) => convert::string(kind, text, arena),
                (Text::Escaped(text), _) => convert::string(kind, &text, arena),
            },
            b'-' | b'0'..=b'9' => {
                let end = number::scan(self.text, self.at).map_err(|at| Fault::not_json(self.text, at, "a digit"))?;
                let text = &self.text[self.at..end];
                self.at = end;
                // A number is ASCII, so it is always text.
                convert::number(kind, str::from_utf8(text).unwrap_or_default())
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
        loop {
            match self.text.get(end) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    end += 2;
                }
                Some(0..=0x1f) => return Err(Fault::not_json(self.text, end, "an escape for a control character")),
                Some(_) => end += 1,
                None => return Err(Fault::not_json(self.text, self.text.len(), "`\"`")),
            }
        }
        let open = self.at;
        self.at = end + 1;
        if escaped {
            return match serde_json::from_slice(&self.text[open..=end]) {
                Ok(decoded) => Ok(Text::Escaped(decoded)),
                Err(error) => Err(Fault::not_json(self.text, open + error.column().saturating_sub(1), "a valid string")),
            };
        }
        match str::from_utf8(&self.text[start..end]) {
            Ok(text) => Ok(Text::Plain(text)),
            Err(error) => Err(Fault::not_json(self.text, start + error.valid_up_to(), "UTF-8")),
        }
    }

    /// Skips white space; the byte that follows, 0 at the end.
    #[inline]
    fn next_token(&mut self) -> u8 {
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

/// Equality of two short slices of one length, without a call to `memcmp`.
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
