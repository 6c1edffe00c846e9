//! A position in JSON text, and how it advances: white space, punctuation, strings.

use std::borrow::Cow;

use super::MAX_DEPTH;
use super::fault::Fault;
use super::kind::Kind;
use crate::encoding::Encoding;

/// A position in JSON text. `reader` and `composite` read the values.
pub(super) struct Cursor<'t> {
    pub(super) text: &'t [u8],
    pub(super) at: usize,
    /// How many arrays and objects are open inside the arguments.
    pub(super) depth: usize,
}

impl<'t> Cursor<'t> {
    /// Reads the punctuation after a member; true if another member follows.
    pub(super) fn separator(&mut self) -> Result<bool, Fault> {
        let more = match self.next_token() {
            b',' => true,
            b'}' => false,
            _ => return Err(self.unexpected("`,` or `}`")),
        };
        self.at += 1;
        Ok(more)
    }

    /// Reads the colon after a key.
    pub(super) fn colon(&mut self) -> Result<(), Fault> {
        if self.next_token() != b':' {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        Ok(())
    }

    /// Checks that only white space follows the object.
    pub(super) fn end(&mut self) -> Result<(), Fault> {
        self.next_token();
        if self.at == self.text.len() { Ok(()) } else { Err(self.unexpected("nothing more")) }
    }

    pub(super) fn literal(&mut self, literal: &str) -> bool {
        let found = self.text[self.at..].starts_with(literal.as_bytes());
        self.at += if found { literal.len() } else { 0 };
        found
    }

    /// Reads the string that begins here, without its quotes.
    pub(super) fn string(&mut self) -> Result<Cow<'t, str>, Fault> {
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
                Ok(decoded) => Ok(Cow::Owned(decoded)),
                Err(error) => {
                    Err(Fault::not_json(self.text, open + error.column().saturating_sub(1), "a valid string"))
                }
            };
        }
        if bits < 0x80 {
            // SAFETY: `bits` has the bits of every byte, so all of them are ASCII.
            return Ok(Cow::Borrowed(unsafe { str::from_utf8_unchecked(&self.text[start..end]) }));
        }
        match str::from_utf8(&self.text[start..end]) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(error) => Err(Fault::not_json(self.text, start + error.valid_up_to(), "UTF-8")),
        }
    }

    /// Reads the object that begins here, of bytes that are spelled in another way, as text in their encoding.
    pub(super) fn respelled(&mut self, kind: Kind, encoding: Encoding) -> Result<String, Fault> {
        let begin = self.at;
        self.at += 1;
        if self.next_token() == b'"' {
            let key = self.string()?;
            self.colon()?;
            if self.next_token() == b'"' {
                let value = self.string()?;
                if let Some(text) = encoding.respelled(&key, &value)
                    && !self.separator()?
                {
                    return text.map_err(Fault::new);
                }
            }
        }
        self.at = begin;
        Err(self.nested("an object", kind))
    }

    /// Skips white space and returns the next byte, or 0 at the end.
    #[inline]
    pub(super) fn next_token(&mut self) -> u8 {
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
    pub(super) fn unexpected(&self, expected: &str) -> Fault {
        Fault::not_json(self.text, self.at, expected)
    }

    #[cold]
    pub(super) fn not_an_object(&mut self) -> Fault {
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

    /// An array or object in a wrong place: it is scanned only to quote it.
    #[cold]
    pub(super) fn nested(&mut self, is: &str, kind: Kind) -> Fault {
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
