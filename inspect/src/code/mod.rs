//! What the code of a library does with the pointers that it is given: whether it stores them, frees them, and which bytes
//! it accesses through them. It is read from the machine code, and so it is true of the library as it is installed,
//! whatever its documentation says.
//!
//! [`Code`] follows a function (`walk`) with what is known of every register and every place of the frame (`state`, `value`):
//! which argument it may be, or may have been read through. A call does what the `summary` of the called function says;
//! those are found together, until none of them changes. Whatever cannot be followed (a function of another library that
//! is not `known`, a call through a pointer, a jump to an unknown place) is taken to do anything. So "it does not" is
//! proven, and "it does" is only a doubt.
//!
//! Only ELF libraries for x86-64 are read.

mod access;
mod addresses;
mod arguments;
mod bounds;
mod bytes;
mod call;
mod image;
mod instruction;
mod known;
mod landing;
mod operand;
mod slots;
mod state;
mod step;
mod summary;
mod value;
mod walk;

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;

use addresses::Addresses;
pub(crate) use arguments::{places, returns_in_memory, taken};
use bounds::{Bounds, Finder};
use image::Image;
use summary::Summary;
pub(crate) use summary::{Extent, Returned, Use};
use value::{ALLOCATED, Set};
use walk::Walk;

/// After so many changes of what is known of a function, the bytes that it accesses are no longer counted: in a recursion
/// they may grow without end.
const MOST_CHANGES: usize = 4;

/// The code of a library, and what is known of its functions so far.
#[derive(Debug)]
pub(crate) struct Code {
    image: Image,
    summaries: Addresses<Summary>,
    /// The functions, in the order in which they were found.
    found: Vec<u64>,
    numbers: Addresses<usize>,
    callers: Addresses<BTreeSet<u64>>,
    changes: Addresses<usize>,
    /// The arguments of functions whose declarations are known.
    declared: Addresses<Set>,
    /// How far functions reach behind their arguments, as far as it was asked.
    bounds: Addresses<Option<Arc<Bounds>>>,
}

impl Code {
    /// The code of a library; `None` if it cannot be followed.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let image = Image::read(&std::fs::read(path).ok()?)?;
        let summaries =
            image.all_outside().filter_map(|(address, name)| Some((address, known::known(name)?)));
        Some(Self {
            summaries: summaries.collect(),
            image,
            found: Vec::new(),
            numbers: Addresses::default(),
            callers: Addresses::default(),
            changes: Addresses::default(),
            declared: Addresses::default(),
            bounds: Addresses::default(),
        })
    }

    /// Learns the arguments of exported functions from their declarations (see [`taken`]), before any is followed. In the
    /// registers for further arguments, callers leave what they like.
    pub(crate) fn declare<'d>(&mut self, declarations: impl Iterator<Item = (&'d str, Option<Set>)>) {
        let mut missing = self.image.names();
        for (symbol, taken) in declarations {
            let Some(start) = self.image.export(symbol) else { continue };
            *self.declared.entry(start).or_default() |= taken.unwrap_or(Set::MAX);
            if let Some(missing) = missing.get_mut(&start) {
                missing.remove(symbol);
            }
        }
        // By another name, a function may be declared otherwise.
        self.declared.retain(|start, _| missing.get(start).is_none_or(HashSet::is_empty));
    }

    /// What an exported function does with the argument at this place (see [`places`]).
    pub(crate) fn of(&mut self, symbol: &str, place: usize) -> Option<Use> {
        self.summary(symbol)?.uses.get(place).copied()
    }

    /// Whether an exported function frees the argument at this place whenever it returns, unless it is NULL.
    pub(crate) fn frees(&mut self, symbol: &str, place: usize) -> bool {
        self.summary(symbol).is_some_and(|of| of.returns.is_some() && of.freed & (1 << place) != 0)
    }

    /// Whether an exported function reads the argument at this place up to a NUL whenever it reads it, and nothing has it
    /// afterwards.
    pub(crate) fn is_text(&mut self, symbol: &str, place: usize) -> bool {
        self.summary(symbol).is_some_and(|of| of.is_text(place))
    }

    /// Whether a path through an exported function frees the argument at this place itself.
    pub(crate) fn may_end(&mut self, symbol: &str, place: usize) -> bool {
        self.summary(symbol).is_some_and(|of| of.uses[place].pointer.ended)
    }

    /// What an exported function returns, if it returns.
    pub(crate) fn returned(&mut self, symbol: &str) -> Option<Returned> {
        let summary = self.summary(symbol)?;
        let (origin, allocated) = (summary.returns?[0], summary.uses[ALLOCATED].pointer);
        Some(Returned { origin, is_null: summary.is_null, allocated })
    }

    /// Whether code that cannot be read gets memory that an exported function returns, or may have made it.
    pub(crate) fn gives_new(&mut self, symbol: &str) -> bool {
        self.summary(symbol).is_none_or(|summary| {
            summary.uses[ALLOCATED].is_given() || summary.returns.is_some_and(|[first, _]| first.other)
        })
    }

    /// Whether an exported function may return a pointer into what the argument at this place points to, in one of the
    /// first `registers`; and whether its code can be read.
    pub(crate) fn returns_into(
        &mut self,
        symbol: &str,
        place: usize,
        registers: usize,
    ) -> Option<(bool, bool)> {
        let returns = self.summary(symbol)?.returns?;
        let mut returned = returns.iter().take(registers);
        let is_into = returned.clone().any(|of| of.pointers & (1 << place) != 0);
        Some((is_into, returned.all(|of| of.pointers != Set::MAX)))
    }

    /// The places of the arguments that have to be 1 at least, so that an exported function accesses nothing behind the argument
    /// at `place` but as many elements of `size` bytes as the product of the arguments at `factors`; `None` if that is not proven.
    pub(crate) fn fits(&mut self, symbol: &str, place: usize, size: u64, factors: &[usize]) -> Option<Set> {
        let start = self.image.export(symbol)?;
        let size = i64::try_from(size).ok()?;
        Finder::new(&self.image, &mut self.bounds).fit(start, place, size, factors)
    }

    fn summary(&mut self, symbol: &str) -> Option<&Summary> {
        let start = self.image.export(symbol)?;
        self.image.code(start)?;
        if !self.summaries.contains_key(&start) {
            self.settle(start);
        }
        self.summaries.get(&start)
    }

    /// Follows a function, and those that it calls, until nothing changes.
    fn settle(&mut self, start: u64) {
        let mut queue = BTreeSet::from([self.number(start)]);
        // Those that were found last are called by those that were found first.
        while let Some(number) = queue.pop_last() {
            let function = self.found[number];
            let (mut summary, callees) = Walk::run(
                &self.image,
                &self.summaries,
                function,
                self.declared.get(&function).copied().unwrap_or(Set::MAX),
            );
            for callee in callees {
                self.callers.entry(callee).or_default().insert(function);
                if !self.summaries.contains_key(&callee) {
                    queue.insert(self.number(callee));
                }
            }
            let changes = self.changes.entry(function).or_default();
            if *changes > MOST_CHANGES * 2 {
                summary = Summary::unknown();
            } else if *changes > MOST_CHANGES {
                summary.widen();
            }
            if self.summaries.get(&function) != Some(&summary) {
                *changes += 1;
                self.summaries.insert(function, summary);
                let callers = self.callers.get(&function).into_iter().flatten();
                queue.extend(callers.map(|caller| self.numbers[caller]));
            }
        }
    }

    /// The number of a function, from now on with a summary.
    fn number(&mut self, function: u64) -> usize {
        *self.numbers.entry(function).or_insert_with(|| {
            self.summaries.insert(function, Summary::nothing());
            self.found.push(function);
            self.found.len() - 1
        })
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;
