//! Who frees a value: with which function, with which arguments, and whether it can refuse.

use crate::plan::{Place, When};
use crate::span::Span;

/// A way to free a value. Values have its index in [`Types::frees`](crate::plan::Types::frees).
#[derive(Clone, Debug, PartialEq)]
pub struct Free {
    /// The constant in Rust.
    pub constant: String,
    /// What frees.
    pub by: FreeBy,
    /// The indices of the parameters of the function that gives the value that are kept as arguments.
    pub captures: Vec<usize>,
}

/// What frees a value.
#[derive(Clone, Debug, PartialEq)]
pub enum FreeBy {
    /// A function of the document.
    Function {
        /// Its index.
        function: usize,
        /// Its arguments, one per parameter.
        args: Vec<FreeArg>,
        /// When it has refused, and freed nothing.
        refused: Option<When>,
    },
    /// `void f(void*)`: the index of its name in [`Types::symbols`](crate::plan::Types::symbols).
    Symbol(usize),
    /// A variable that holds such a function, read each time: the index of its name.
    Variable(usize),
}

/// An argument of a function that frees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreeArg {
    /// The pointer to free.
    Value,
    /// A constant.
    Integer(i128),
    /// What the call that gave the value was passed for a parameter: the position among the captured ones.
    Captured(usize),
}

/// What allocates memory that C frees. Parameters have its index in [`Types::allocators`](crate::plan::Types::allocators).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocator {
    /// The constant in Rust.
    pub constant: String,
    /// `void *f(size_t)`, or a variable that holds such a function: the index of its name in
    /// [`Types::symbols`](crate::plan::Types::symbols).
    pub symbol: usize,
}

/// Memory that C takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenMemory {
    /// The index of what allocates it.
    pub allocator: usize,
    /// The index of the way to free it if C does not take it.
    pub free: Option<usize>,
    /// Whether a call that fails has not taken it, and where the document says so.
    pub on_success: Option<Span>,
}

/// What keeps memory of the caller that C uses after the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Until what is freed.
    pub by: Keeper,
    /// Whether it replaces what an earlier call with the same handle passed.
    pub replaced: bool,
}

/// Until when something is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeper {
    /// Until the handle or the state of the parameter at this index is freed.
    Param(usize),
    /// Until the handle that the call gives there is freed.
    Result(Place),
    /// For good.
    Forever,
}

impl FreeBy {
    /// The index of the function of the document that frees.
    #[must_use]
    pub fn function(&self) -> Option<usize> {
        match self {
            Self::Function { function, .. } => Some(*function),
            Self::Symbol(_) | Self::Variable(_) => None,
        }
    }
}
