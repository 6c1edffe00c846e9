//! A position in JSON text, and how it advances: white space, punctuation, strings.

use std::borrow::Cow;

use super::MAX_DEPTH;
use super::fault::Fault;
use super::kind::Kind;
use super::runs;

/// A position in JSON text. `reader` and `composite` read the values.
pub(super) struct Cursor<'t> {
    pub(super) text: &'t [u8],
    pub(super) at: usize,
    /// How many arrays and objects are open inside the arguments.
    pub(super) depth: usize,
}

/// A string as it is written.
pub(super) enum Quoted<'t> {
    /// Without escapes; also without NUL, because control characters need one.
    Text(&'t str),
    /// With escapes, which are not decoded yet.
    Escaped(&'t [u8]),
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
        match self.quoted()? {
            Quoted::Text(text) => Ok(Cow::Borrowed(text)),
            Quoted::Escaped(raw) => {
                let mut text = vec![0; raw.len()];
                let decoded = runs::unescape(raw, &mut text).and_then(|length| {
                    text.truncate(length);
                    String::from_utf8(text).ok()
                });
                decoded.map(Cow::Owned).ok_or_else(|| self.not_decoded(raw))
            }
        }
    }

    /// Reads the string that begins here as it is written, without its quotes.
    pub(super) fn quoted(&mut self) -> Result<Quoted<'t>, Fault> {
        let start = self.at + 1;
        let rest = self.text.get(start..).unwrap_or_default();
        let (mut length, is_ascii) = runs::plain(rest);
        let mut escaped = false;
        loop {
            match rest.get(length) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    length += 2;
                    length += runs::plain(rest.get(length..).unwrap_or_default()).0;
                }
                Some(_) => {
                    return Err(Fault::not_json(
                        self.text,
                        start + length,
                        "an escape for a control character",
                    ));
                }
                None => return Err(Fault::not_json(self.text, self.text.len(), "`\"`")),
            }
        }
        self.at = start + length + 1;
        let raw = &rest[..length];
        if escaped {
            return Ok(Quoted::Escaped(raw));
        }
        if is_ascii {
            // SAFETY: `plain` has looked at every byte, and all of them are ASCII.
            return Ok(Quoted::Text(unsafe { str::from_utf8_unchecked(raw) }));
        }
        match str::from_utf8(raw) {
            Ok(text) => Ok(Quoted::Text(text)),
            Err(error) => Err(Fault::not_json(self.text, start + error.valid_up_to(), "UTF-8")),
        }
    }

    /// Reads the object that begins here as text in the encoding of `kind`: of bytes that are spelled in another way.
    pub(super) fn respelled(&mut self, kind: Kind) -> Result<String, Fault> {
        let Some(encoding) = kind.of_bytes() else { return Err(self.nested("an object", kind)) };
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

    /// The fault of a string that was just read and that cannot be decoded.
    #[cold]
    pub(super) fn not_decoded(&self, raw: &[u8]) -> Fault {
        let open = self.at - raw.len() - 2;
        let column = match serde_json::from_slice::<String>(&self.text[open..self.at]) {
            Ok(_) => 0,
            Err(error) => error.column().saturating_sub(1),
        };
        Fault::not_json(self.text, open + column, "a valid string")
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
