//! How libraries begin and end (`x-init`): what has begun, and what is to be called in the end.
//!
//! Some libraries count how often they were initialized, others end at the first call of the function that ends them. So
//! each way to begin is called once, and each function that ends is called once, whichever bindings name it.

use std::fmt;

/// How a binding begins its library.
pub struct Init {
    /// The address of the function.
    pub(crate) address: usize,
    /// Its arguments.
    pub(crate) args: Vec<i128>,
    /// How the library ends, if it must.
    pub(crate) end: Option<End>,
}

/// How a library ends.
pub(crate) struct End {
    /// The address of the function.
    pub(crate) address: usize,
    /// Calls it.
    pub(crate) call: EndCall,
}

/// A call of a function that ends a library. The library stays loaded, so that any binding can call it in the end.
pub type EndCall = Box<dyn FnOnce() + Send>;

impl Init {
    fn is_same(&self, other: &Self) -> bool {
        self.address == other.address && self.args == other.args
    }
}

impl fmt::Debug for Init {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Init").field("args", &self.args).finish_non_exhaustive()
    }
}

/// The ways in which a library has begun, in order.
#[derive(Debug, Default)]
pub(crate) struct Begun(Vec<Init>);

impl Begun {
    /// Whether the library has begun in this way.
    pub(crate) fn has(&self, init: &Init) -> bool {
        self.0.iter().any(|begun| begun.is_same(init))
    }

    /// The library has begun in this way.
    pub(crate) fn add(&mut self, init: Init) {
        match self.0.iter_mut().find(|begun| begun.is_same(&init)) {
            // Not every document says how the library ends.
            Some(begun) if begun.end.is_none() => begun.end = init.end,
            Some(_) => {}
            None => self.0.push(init),
        }
    }

    /// Ends the library: what began last ends first. `alone` waits until nothing else calls it.
    pub(crate) fn end<G>(self, alone: impl FnOnce() -> G) {
        let mut ends: Vec<End> = Vec::new();
        for end in self.0.into_iter().filter_map(|init| init.end) {
            if !ends.iter().any(|known| known.address == end.address) {
                ends.push(end);
            }
        }
        if ends.is_empty() {
            return;
        }
        let _alone = alone();
        for end in ends.into_iter().rev() {
            (end.call)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[test]
    fn what_began_last_ends_first_and_each_function_once() {
        let called = Arc::new(Mutex::new(Vec::new()));
        let init = |address, end: Option<usize>| {
            let called = Arc::clone(&called);
            let end = end.map(|address| End {
                address,
                call: Box::new(move || called.lock().expect("not poisoned").push(address)),
            });
            Init { address, args: Vec::new(), end }
        };
        let mut begun = Begun::default();
        begun.add(init(1, None));
        begun.add(init(2, Some(20)));
        begun.add(init(1, Some(10)));
        begun.add(init(3, Some(20)));
        assert!(begun.has(&init(1, None)) && !begun.has(&init(4, None)));
        begun.end(|| ());
        assert_eq!(*called.lock().expect("not poisoned"), [20, 10]);
    }
}
