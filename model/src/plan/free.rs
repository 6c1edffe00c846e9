//! Who frees a value: with which function, with which arguments, and whether it can refuse.

use crate::plan::{Place, When};

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
