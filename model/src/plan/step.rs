//! What happens in a call, in order, and what C is passed.
//!
//! An executor carries out the steps one after the other, each in one `match`. Where a step names a C parameter
//! by its index, the local of that parameter is meant.

use crate::c_type::CType;
use crate::plan::{Amount, CValue, Content, Default, Element, Scalar, Text};

/// One step of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Fails if the loaded library lacks the function, which is optional.
    Require,
    /// The parameter `into` becomes the length of what the caller gave.
    Count {
        /// The parameter that C is told the length with.
        into: usize,
        /// Its type.
        c_type: CType,
        /// What is counted.
        counted: Counted,
    },
    /// Fails unless the array `array` is as long as the first of `others` that is present.
    SameLength {
        /// The array.
        array: usize,
        /// The array that decides, and those that may stand in for it.
        others: Vec<usize>,
    },
    /// Fails unless the array `array` has that many elements.
    ExactLength {
        /// The array.
        array: usize,
        /// How many.
        expected: Amount,
    },
    /// Fails unless the value is one that the enum lists.
    Listed {
        /// The parameter.
        param: usize,
        /// The index of the enum.
        enumeration: usize,
    },
    /// Makes memory or a value that C is lent.
    Allocate {
        /// The parameter that it is for.
        into: usize,
        /// What is made.
        memory: Memory,
    },
    /// Gives the handle of `param` away: the call frees it.
    Release {
        /// The parameter.
        param: usize,
    },
    /// Makes the closure of `param` callable for C: during the call, or until its handle is freed.
    Lend {
        /// The parameter.
        param: usize,
    },
    /// Calls the C function with the operands of its parameters.
    Invoke,
    /// Takes hold of the pointer that C returned, so that it is freed whichever way the call ends.
    Hold {
        /// The index of the function that frees it.
        free: usize,
    },
    /// The handle of `param` is gone: C freed it, if the call succeeded.
    Freed {
        /// The parameter.
        param: usize,
        /// The codes of success, where the function returns a code.
        successes: Option<Vec<i64>>,
    },
    /// C does not call the closure of `param` any more; a panic of it goes on here.
    Finish {
        /// The parameter.
        param: usize,
    },
    /// A panic of a closure that some handle keeps goes on here.
    ResumeKept,
    /// Fails unless C returned one of these codes.
    Fail {
        /// The codes of success.
        successes: Vec<i64>,
    },
    /// Makes the outcomes: copies of all that C left.
    Collect,
}

impl Step {
    /// Whether it can end the call, other than by a code.
    #[must_use]
    pub fn can_fail(&self) -> bool {
        match self {
            Self::Require | Self::SameLength { .. } | Self::ExactLength { .. } | Self::Listed { .. } => true,
            Self::Count { c_type, counted, .. } => {
                matches!(counted, Counted::Arrays(_)) && !c_type.holds_every_length()
            }
            Self::Allocate { memory, .. } => {
                matches!(memory, Memory::Buffer { .. } | Memory::Capacity { .. })
            }
            Self::Release { .. }
            | Self::Lend { .. }
            | Self::Invoke
            | Self::Hold { .. }
            | Self::Freed { .. }
            | Self::Finish { .. }
            | Self::ResumeKept
            | Self::Fail { .. }
            | Self::Collect => false,
        }
    }
}

/// What a [`Step::Count`] counts.
#[derive(Clone, Debug, PartialEq)]
pub enum Counted {
    /// The first of these arrays that is present; 0 if none is.
    Arrays(Vec<usize>),
    /// An array whose length is always the same.
    Known(u64),
}

/// Memory that C is lent, or a value that C is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Memory {
    /// A scalar of zero, which C writes.
    Zero(CType),
    /// A buffer that C fills, with a guard behind it.
    Buffer {
        /// What it holds.
        content: Content,
        /// How many elements it has room for.
        capacity: Amount,
    },
    /// How many elements the buffer of the parameter `of` has room for.
    Capacity {
        /// The type of the integer.
        c_type: CType,
        /// The parameter of the buffer.
        of: usize,
        /// Whether C writes to it.
        by_pointer: bool,
    },
    /// What the caller gave, as a local that C may write.
    Copy,
    /// A struct of zeros: the index of the record.
    Record(usize),
    /// The memory of a state: the index of the record.
    State(usize),
    /// NULL, until C sets the pointer.
    Pointer {
        /// What it points to.
        to: CValue,
        /// The index of the function that frees what C sets.
        free: Option<usize>,
    },
    /// The pointers of the strings that the caller gave.
    Pointers,
}

/// What C is passed for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// The scalar that the caller gave.
    Scalar(Scalar),
    /// A scalar that is always the same.
    Constant(Scalar, Default),
    /// A string that is always the same.
    ConstantText(Text, String),
    /// The address of the string that the caller gave.
    Text(Text),
    /// The address of the scalar that the caller gave.
    Cell(Scalar),
    /// The address of the first element that the caller gave.
    Elements(Element),
    /// The address of the first unit of text or bytes that the caller gave.
    Units(CType),
    /// The address of the pointers that [`Memory::Pointers`] made.
    Pointers,
    /// The address of the struct that the caller gave.
    Record(usize),
    /// The struct that the caller gave.
    RecordValue(usize),
    /// The address of the state that the caller gave, or that [`Memory::State`] made.
    State(usize),
    /// The pointer of the handle that the caller gave.
    Handle,
    /// The pointer of the handle that [`Step::Release`] gave away.
    Released,
    /// The address of that pointer.
    ReleasedThrough,
    /// The local itself.
    Local,
    /// The address of the local.
    Address,
    /// The address of the buffer, the caller's own or one that [`Memory::Buffer`] made.
    Buffer,
    /// The address of the pointer that [`Memory::Pointer`] made.
    Fetch,
    /// The function that calls the closure that the caller gave.
    Function,
    /// What that function finds its closure by: the closure of the parameter at this index.
    UserData(usize),
    /// The pointer that the caller gave, which the document does not describe.
    Raw,
}
