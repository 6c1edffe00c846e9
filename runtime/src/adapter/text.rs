//! Strings other than a `char*` in UTF-8: how they are checked and stored. `convert` calls this for
//! both readers.

use std::fmt;

use super::arena::Arena;
use super::fault::Fault;
use super::kind::Kind;
use crate::encoding::Encoding;
use crate::limits::long;

/// A string in an encoding.
#[derive(Debug)]
pub struct Text {
    /// Its encoding.
    pub encoding: Encoding,
    /// Whether C gets its length, so that it may contain NUL.
    pub counted: bool,
    /// Its exact number of units. In a record such a text is stored in place, padded if shorter.
    pub exactly: Option<usize>,
    /// Its maximum number of bytes, or of units of 16 bits.
    pub at_most: Option<u64>,
    /// The allowed strings; if empty, all are allowed.
    pub one_of: &'static [&'static str],
}

impl Text {
    /// A string that ends with NUL.
    #[must_use]
    pub const fn terminated(encoding: Encoding) -> Self {
        Self { encoding, counted: false, exactly: None, at_most: None, one_of: &[] }
    }

    /// A string whose length C is told.
    #[must_use]
    pub const fn counted(encoding: Encoding) -> Self {
        Self { counted: true, ..Self::terminated(encoding) }
    }

    /// The same with that many units.
    #[must_use]
    pub const fn exactly(self, units: usize) -> Self {
        Self { exactly: Some(units), ..self }
    }

    /// The same with at most that many bytes, or units of 16 bits.
    #[must_use]
    pub const fn at_most(self, units: u64) -> Self {
        Self { at_most: Some(units), ..self }
    }

    /// One of these strings.
    #[must_use]
    pub const fn one_of(self, one_of: &'static [&'static str]) -> Self {
        Self { one_of, ..self }
    }

    /// Its size in a list or a record, in bytes.
    pub(crate) fn size(&self) -> usize {
        match self.exactly {
            Some(count) => count * self.encoding.unit(),
            None => size_of::<*const ()>(),
        }
    }

    /// Whether it is a `char*` in a list.
    pub(crate) fn is_pointer_to_bytes(&self) -> bool {
        self.exactly.is_none() && self.encoding != Encoding::Utf16
    }

    /// Stores `value` as an argument and returns the word of its slot.
    pub(crate) fn keep(&'static self, value: &str, arena: &mut Arena) -> Result<u64, Fault> {
        self.is_allowed(value)?;
        if let Some(most) = self.encoding.decoded_length(value) {
            // Decoded to where C looks.
            return arena.push_decoded(most.map_err(Fault::new)?, |to| {
                let length = self.encoding.decode(value, to).map_err(Fault::new)?;
                self.fits(value, &to[..length])?;
                Ok(length)
            })?;
        }
        let bytes = self.encoding.bytes(value).map_err(Fault::new)?;
        let units = self.fits(value, &bytes)?;
        arena.push_text(&bytes, units)
    }

    /// Stores bytes that a format has as such, for an encoding of bytes.
    pub(crate) fn keep_bytes(&'static self, bytes: &[u8], arena: &mut Arena) -> Result<u64, Fault> {
        self.fits("bytes", bytes)?;
        arena.push_text(bytes, bytes.len())
    }

    /// The number of units of the argument `value`, whose bytes are given.
    fn fits(&'static self, value: &str, bytes: &[u8]) -> Result<usize, Fault> {
        let units = bytes.len() / self.encoding.unit();
        self.is_short(units)?;
        if self.exactly.is_some_and(|count| count != units) {
            return Err(self.wrong_length(value, units));
        }
        if !self.counted {
            self.has_no_nul(bytes)?;
        }
        Ok(units)
    }

    /// Writes `value`, or a pointer to it, at byte offset `at` of a list or a record.
    pub(crate) fn place(&'static self, value: &str, at: usize, arena: &mut Arena) -> Result<(), Fault> {
        self.is_allowed(value)?;
        let bytes = self.encoding.bytes(value).map_err(Fault::new)?;
        self.place_bytes(value, &bytes, at, arena)
    }

    /// As [`Text::place`], for the bytes of `value`.
    pub(crate) fn place_bytes(
        &'static self,
        value: &str,
        bytes: &[u8],
        at: usize,
        arena: &mut Arena,
    ) -> Result<(), Fault> {
        self.is_short(bytes.len() / self.encoding.unit())?;
        let Some(count) = self.exactly else {
            self.has_no_nul(bytes)?;
            return arena.point(at, bytes);
        };
        let units = bytes.len() / self.encoding.unit();
        if units > count || (units < count && self.encoding.is_binary()) {
            return Err(self.wrong_length(value, units));
        }
        // C would not see the text after a NUL.
        if !self.encoding.is_binary() {
            self.has_no_nul(bytes)?;
        }
        arena.put_bytes(at, bytes);
        Ok(())
    }

    fn is_short(&self, units: usize) -> Result<(), Fault> {
        match self.at_most {
            Some(most) if units as u64 > most => {
                let name = if self.encoding == Encoding::Utf16 { "units" } else { "bytes" };
                Err(Fault::new(long(units, name, most)))
            }
            _ => Ok(()),
        }
    }

    fn is_allowed(&'static self, value: &str) -> Result<(), Fault> {
        if self.one_of.is_empty() || self.one_of.contains(&value) {
            return Ok(());
        }
        Err(Fault::out_of_range(format_args!("{value:?}"), Kind::Text(self)))
    }

    /// Whether a binary format may have its bytes as such.
    pub(crate) fn takes_bytes(&self) -> bool {
        self.encoding.is_binary() && self.one_of.is_empty()
    }

    fn has_no_nul(&'static self, bytes: &[u8]) -> Result<(), Fault> {
        match bytes.chunks_exact(self.encoding.unit()).position(|unit| unit.iter().all(|&byte| byte == 0)) {
            None => Ok(()),
            Some(place) => Err(Fault::nul(self.unit_name(), place, Kind::Text(self))),
        }
    }

    #[cold]
    fn wrong_length(&'static self, value: &str, units: usize) -> Fault {
        Fault::wrong_type(
            format_args!("{value:?}"),
            &format!("{units} {}s long", self.unit_name()),
            Kind::Text(self),
        )
    }

    fn unit_name(&self) -> &'static str {
        if self.encoding == Encoding::Utf16 { "unit" } else { "byte" }
    }
}

/// The expected value, as the end of a sentence.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.one_of.is_empty() {
            let strings: Vec<String> = self.one_of.iter().map(|string| format!("{string:?}")).collect();
            return write!(f, "one of {}", strings.join(", "));
        }
        f.write_str(match self.encoding {
            Encoding::Utf8 | Encoding::Utf8Lossy | Encoding::Utf16 => "a string",
            Encoding::Latin1 => "a string of characters up to U+00FF",
            Encoding::Base64 => "a string of base64",
            Encoding::Hex => "a string of hex digits",
        })?;
        match self.exactly {
            Some(count) => write!(f, " for {count} {}s", self.unit_name()),
            None if !self.counted => f.write_str(" without NUL"),
            None => Ok(()),
        }
    }
}
