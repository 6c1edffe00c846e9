//! Arguments that are members of structs and point to something: elements, strings, other structs. What they point to is
//! read into an arena of its own, which the arena of the struct adopts: it can grow while the struct around it is read.

use super::arena::Arena;
use super::fault::Fault;
use super::kind::Kind;
use super::many::{Extent, Many};
use crate::encoding::Encoding;

impl Many {
    /// A string at byte offset `at` of the arena.
    pub(super) fn place_text(&'static self, value: &str, at: usize, arena: &mut Arena) -> Result<(), Fault> {
        let Some(encoding) = self.text else {
            return Err(Fault::wrong_type(format_args!("{value:?}"), "a string", Kind::Many(self)));
        };
        let bytes = encoding.bytes(value).map_err(Fault::new)?;
        let nul = bytes.iter().position(|byte| *byte == 0);
        if let Some(place) = nul.filter(|_| !encoding.is_binary()) {
            return Err(Fault::nul("byte", place, Kind::Many(self)));
        }
        let mut inner = arena.inner();
        inner.push_text(&bytes, bytes.len())?;
        self.adopt(inner, bytes.len(), at, arena)
    }

    /// As [`Many::place_text`], for bytes that a binary format has as such.
    pub(super) fn place_bytes(
        &'static self,
        bytes: &[u8],
        at: usize,
        arena: &mut Arena,
    ) -> Result<(), Fault> {
        if !self.text.is_some_and(Encoding::is_binary) {
            return Err(Fault::wrong_type("the value", "bytes", Kind::Many(self)));
        }
        let mut inner = arena.inner();
        inner.push_text(bytes, bytes.len())?;
        self.adopt(inner, bytes.len(), at, arena)
    }

    /// Lets the pointer at byte offset `at` point to the beginning of `inner`, which has `count` elements.
    pub(super) fn adopt(
        &'static self,
        mut inner: Arena,
        count: usize,
        at: usize,
        arena: &mut Arena,
    ) -> Result<(), Fault> {
        match &self.length {
            Extent::Beside(beside) => {
                let word = beside.of.word(false, count as u64);
                let word = word.ok_or_else(|| Fault::out_of_range(count, beside.of))?;
                arena.put_count(at.wrapping_add_signed(beside.by), word, beside.of.size())?;
            }
            Extent::Const(expected) if *expected != count => {
                return Err(Fault::new(format!("{count} elements; expected exactly {expected}")));
            }
            Extent::Const(_) => {}
            // Elements of zeros are in place already: the arena has one more.
            Extent::Terminated => {}
        }
        if inner.is_empty() {
            inner.reserve(1, 1)?;
        }
        arena.adopt(at, inner)
    }

    /// No elements, where the caller gave none.
    pub(super) fn leave_out(&'static self, at: usize, arena: &mut Arena) -> Result<(), Fault> {
        if self.nullable || self.room.is_some() {
            return Ok(());
        }
        let mut inner = arena.inner();
        inner.reserve(self.of.size(), 1)?;
        self.adopt(inner, 0, at, arena)
    }
}
