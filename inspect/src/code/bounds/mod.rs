//! How far a function reads and writes behind an argument, where loops and other arguments say it: proof that an array has to
//! have as many elements as a product of arguments.
//!
//! [`Follow`] carries out the function with sums of products ([`Polynomial`]) in place of numbers. What a loop adds to a value in
//! each turn, and how often it turns at most, is read from its code. Whatever is not plain is not known, and so nothing is
//! proven of an argument that it may be made of.

mod follow;
mod graph;
mod limit;
mod polynomial;
mod state;
mod step;

use std::sync::Arc;

use follow::Follow;
use graph::Graph;
use polynomial::Polynomial;
use state::symbol;

use super::addresses::Addresses;
use super::image::Image;
use super::value::Set;

/// How deep calls are followed.
const DEPTH: usize = 8;

/// What a function does with the memory behind its arguments.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    accesses: Vec<Access>,
    /// The arguments that go where they are not followed.
    escaped: Set,
    /// The arguments that the result may be made of.
    returned: Set,
    /// The arguments that have to be 1 at least.
    assumed: Set,
}

/// An access to memory.
#[derive(Debug, PartialEq, Eq)]
struct Access {
    /// The arguments that the address is made of.
    of: Set,
    /// The first address, and that behind the last, if they are known.
    range: Option<(Polynomial, Polynomial)>,
}

impl Bounds {
    /// The arguments that have to be 1 at least, so that all that is accessed behind the argument at `place` is in an array of
    /// as many elements as the product of the `factors`, each of `size` bytes; `None` if that is not proven.
    fn fit(&self, place: usize, size: i64, factors: &[usize]) -> Option<Set> {
        let all = factors.iter().fold(0, |set: Set, factor| set | 1 << factor);
        if self.escaped & (1 << place) != 0 || self.assumed & !all != 0 || all & (1 << place) != 0 {
            return None;
        }
        let base = Polynomial::symbol(symbol(place));
        let mut length = Polynomial::constant(size);
        for factor in factors {
            length = length.times(&Polynomial::symbol(symbol(*factor)))?;
        }
        let mut rests = Vec::new();
        for access in self.accesses.iter().filter(|access| access.of & (1 << place) != 0) {
            let (from, to) = access.range.as_ref()?;
            // An exact address without it is somewhere else.
            if !from.has(symbol(place)) {
                continue;
            }
            let (from, to) = (from.minus(&base)?, to.minus(&base)?);
            if from.has(symbol(place)) || to.has(symbol(place)) || !from.is_natural() {
                return None;
            }
            rests.push(length.minus(&to)?);
        }
        if rests.is_empty() {
            return None;
        }
        let fits = |least: Set| {
            rests.iter().all(|rest| {
                let mut rest = Some(rest.clone());
                for factor in factors.iter().filter(|factor| least & (1 << **factor) != 0) {
                    let more = Polynomial::symbol(symbol(*factor)).plus(&Polynomial::constant(1));
                    rest = rest.zip(more).and_then(|(rest, more)| rest.with(symbol(*factor), &more));
                }
                rest.is_some_and(|rest| rest.is_natural())
            })
        };
        let single = factors.iter().map(|factor| 1 << factor);
        let sets = std::iter::once(0).chain(single).chain([all]).map(|set: Set| set | self.assumed);
        sets.into_iter().find(|set| fits(*set))
    }
}

/// Finds what functions do, each once.
pub(super) struct Finder<'i> {
    image: &'i Image,
    found: &'i mut Addresses<Option<Arc<Bounds>>>,
    depth: usize,
}

impl<'i> Finder<'i> {
    pub(super) fn new(image: &'i Image, found: &'i mut Addresses<Option<Arc<Bounds>>>) -> Self {
        Self { image, found, depth: 0 }
    }

    /// The arguments that have to be 1 at least (see [`Bounds::fit`]) of the function at `start`.
    pub(super) fn fit(&mut self, start: u64, place: usize, size: i64, factors: &[usize]) -> Option<Set> {
        self.find(start)?.fit(place, size, factors)
    }

    fn find(&mut self, start: u64) -> Option<Arc<Bounds>> {
        if let Some(found) = self.found.get(&start) {
            return found.clone();
        }
        if self.depth >= DEPTH {
            return None;
        }
        // A function that calls itself is not known.
        self.found.insert(start, None);
        let graph = Graph::read(self.image, start)?;
        self.depth += 1;
        let bounds = Follow::run(&graph, self).map(Arc::new);
        self.depth -= 1;
        self.found.insert(start, bounds.clone());
        bounds
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;
