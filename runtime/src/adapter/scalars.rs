//! Arrays of scalars in JSON text.
//!
//! What all elements have in common, their kind and their size, is looked at once. Elements in the plain spelling go to
//! their place one after the other; others take the way of a single value.

use std::slice::Iter;

use super::arena::{Arena, List};
use super::cursor::Cursor;
use super::fault::Fault;
use super::kind::Kind;
use super::nearest::{DOUBLE, SINGLE};
use super::plain::{long_integer, plain_boolean, plain_float};

/// How a run of plain elements ends.
enum Run {
    /// With the array.
    End,
    /// Before an element that has another spelling.
    Other,
    /// Where the reserved memory ends.
    Full,
}

impl Cursor<'_> {
    /// Reads an array of scalars.
    #[inline(never)]
    pub(super) fn scalars(&mut self, element: Kind, arena: &mut Arena) -> Result<u64, Fault> {
        self.at += 1;
        let mut list = arena.begin_list();
        if self.next_token() == b']' {
            self.at += 1;
            return Ok(arena.end_list(list));
        }
        let size = element.size();
        loop {
            match self.plain_scalars(element, arena, &mut list)? {
                Run::End => return Ok(arena.end_list(list)),
                Run::Full => continue,
                Run::Other => {}
            }
            let first = self.next_token();
            let index = list.count();
            let word = self.value(element, first, arena).map_err(|fault| fault.inside(index))?;
            let at = arena.extend(&mut list, size)?;
            arena.put_as(element, at, word);
            match self.next_token() {
                b',' => self.at += 1,
                b']' => {
                    self.at += 1;
                    return Ok(arena.end_list(list));
                }
                _ => return Err(self.unexpected("`,` or `]`")),
            }
        }
    }

    /// Reads elements while they are plain and there is room for them.
    fn plain_scalars(&mut self, element: Kind, arena: &mut Arena, list: &mut List) -> Result<Run, Fault> {
        match element {
            Kind::Double => self.run(arena, list, |text| plain_float(text, DOUBLE), u64::to_ne_bytes),
            Kind::Float => {
                self.run(arena, list, |text| plain_float(text, SINGLE), |word| (word as u32).to_ne_bytes())
            }
            Kind::Boolean => self.run(arena, list, plain_boolean, |word| [word as u8]),
            Kind::Integer(range) => match range.size() {
                1 => self.run(arena, list, |text| long_integer(text, range), |word| [word as u8]),
                2 => self.run(
                    arena,
                    list,
                    |text| long_integer(text, range),
                    |word| (word as u16).to_ne_bytes(),
                ),
                4 => self.run(
                    arena,
                    list,
                    |text| long_integer(text, range),
                    |word| (word as u32).to_ne_bytes(),
                ),
                _ => self.run(arena, list, |text| long_integer(text, range), u64::to_ne_bytes),
            },
            _ => Ok(Run::Other),
        }
    }

    /// Reads elements of `SIZE` bytes with `read`, and writes each as `bytes`.
    #[inline(always)]
    fn run<const SIZE: usize>(
        &mut self,
        arena: &mut Arena,
        list: &mut List,
        read: impl Fn(&mut Iter<'_, u8>) -> Option<(u64, u8)>,
        bytes: impl Fn(u64) -> [u8; SIZE],
    ) -> Result<Run, Fault> {
        // Every element has at least one byte and its punctuation.
        let left = (self.text.len() - self.at) / 2;
        let places = arena.places(list, SIZE, left)?;
        let mut text = self.text[self.at..].iter();
        let mut run = Run::Full;
        let mut count = 0;
        for place in places.as_chunks_mut().0 {
            let mut rest = text.clone();
            if rest.as_slice().first() == Some(&b' ') {
                rest.next();
            }
            let Some((word, next @ (b',' | b']'))) = read(&mut rest) else {
                run = Run::Other;
                break;
            };
            *place = bytes(word);
            text = rest;
            count += 1;
            if next == b']' {
                run = Run::End;
                break;
            }
        }
        self.at = self.text.len() - text.len();
        arena.keep(list, SIZE, count)?;
        Ok(run)
    }
}

#[cfg(test)]
#[path = "scalars_tests.rs"]
mod tests;
