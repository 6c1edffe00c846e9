//! The steps of a call, and the operands that are passed to C.
//!
//! An executor carries out the steps in order, in one `match`. If a step names a C parameter by its index, it means
//! the local variable of that parameter.

use crate::c_type::CType;
use crate::plan::{Amount, CValue, Content, Default, Element, Fail, Function, Scalar, System, Text, When};

/// One step of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Fails if the loaded library lacks the function, which is optional.
    Require,
    /// Sets the parameter `into` to the length of what the caller passed.
    Count {
        /// The parameter that passes the length to C.
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
        /// The array that decides, and those that decide if it is absent.
        others: Vec<usize>,
    },
    /// Fails unless the array `array` has the expected number of elements.
    ExactLength {
        /// The array.
        array: usize,
        /// The number of elements.
        expected: Amount,
    },
    /// Fails unless the enum lists the value.
    Listed {
        /// The parameter.
        param: usize,
        /// The index of the enum.
        enumeration: usize,
    },
    /// Makes memory that C uses during the call, or a value for it.
    Allocate {
        /// The parameter that it is for.
        into: usize,
        /// What is made.
        memory: Memory,
    },
    /// Gives up the handle of `param`: the call frees it.
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
    /// Keeps the error that the C function left in the system. It comes first after the call: anything else may change
    /// that error.
    Errno(System),
    /// Guards the pointer that C returned, so that it is freed even if the call fails.
    Hold {
        /// The index of the function that frees it.
        free: usize,
    },
    /// C has freed the handle of `param`, if the call succeeded.
    Freed {
        /// The parameter.
        param: usize,
        /// When the call failed, if it can.
        failed: Option<When>,
    },
    /// C does not call the closure of `param` any more. Resumes its panic, if there was one.
    Finish {
        /// The parameter.
        param: usize,
    },
    /// Resumes the panic of a closure that a handle keeps, if there was one.
    ResumeKept,
    /// Fails if C reported a failure.
    Fail(Box<Fail>),
    /// Makes the outcomes: copies of the values from C.
    Collect,
}

impl Step {
    /// Whether it can end the call, other than with a code.
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
            | Self::Errno(_)
            | Self::Collect => false,
            Self::Fail(fail) => fail.code_alone().is_none(),
        }
    }

    /// The index of the function that frees what the step holds.
    #[must_use]
    pub fn frees(&self) -> Option<usize> {
        match self {
            Self::Hold { free } => Some(*free),
            Self::Allocate { memory: Memory::Pointer { free, .. }, .. } => *free,
            Self::Require
            | Self::Count { .. }
            | Self::SameLength { .. }
            | Self::ExactLength { .. }
            | Self::Listed { .. }
            | Self::Allocate { .. }
            | Self::Release { .. }
            | Self::Lend { .. }
            | Self::Invoke
            | Self::Freed { .. }
            | Self::Finish { .. }
            | Self::ResumeKept
            | Self::Errno(_)
            | Self::Collect => None,
            Self::Fail(fail) => fail.text.frees(),
        }
    }

    /// How the step can end the call.
    pub(super) fn error(&self, function: &Function) -> Option<String> {
        let key = |index: usize| &function.params[index].key;
        match self {
            Self::Require => Some(format!("The loaded library lacks `{}`.", function.symbol)),
            Self::Count { counted: Counted::Arrays(arrays), c_type, .. } => self
                .can_fail()
                .then(|| format!("`{}` is longer than `{}` can count.", key(arrays[0]), c_type.name())),
            Self::SameLength { array, others } => {
                Some(format!("`{}` and `{}` differ in length.", key(*array), key(others[0])))
            }
            Self::ExactLength { array, .. } => {
                Some(format!("`{}` does not have the length that the document requires.", key(*array)))
            }
            Self::Listed { param, .. } => {
                Some(format!("The document does not list the value of `{}`.", key(*param)))
            }
            Self::Allocate { into, memory: Memory::Buffer { .. } } => {
                Some(format!("The capacity of `{}` is invalid, or C exceeded it.", key(*into)))
            }
            Self::Fail(fail) => Some(fail.error()),
            Self::Count { .. }
            | Self::Allocate { .. }
            | Self::Release { .. }
            | Self::Lend { .. }
            | Self::Invoke
            | Self::Errno(_)
            | Self::Hold { .. }
            | Self::Freed { .. }
            | Self::Finish { .. }
            | Self::ResumeKept
            | Self::Collect => None,
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

/// Memory that C uses during the call, or a value for it.
#[derive(Clone, Debug, PartialEq)]
pub enum Memory {
    /// A scalar of zero, which C writes.
    Zero(CType),
    /// A buffer that C fills, with a guard behind it.
    Buffer {
        /// What it holds.
        content: Content,
        /// Its capacity, in elements.
        capacity: Amount,
    },
    /// The capacity of the buffer of the parameter `of`, in elements.
    Capacity {
        /// The type of the integer.
        c_type: CType,
        /// The parameter of the buffer.
        of: usize,
        /// Whether C writes to it.
        by_pointer: bool,
    },
    /// The value that the caller passed, in a local that C may write.
    Copy,
    /// A struct of zeros: the index of the record.
    Record(usize),
    /// The memory of a state: the index of the record.
    State(usize),
    /// NULL, until C sets the pointer.
    Pointer {
        /// What it points to.
        to: CValue,
        /// The index of the function that frees the pointer.
        free: Option<usize>,
    },
    /// Pointers to the strings that the caller passed.
    Pointers,
}

/// What is passed to C for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// The scalar that the caller passed.
    Scalar(Scalar),
    /// A scalar that is always the same.
    Constant(Scalar, Default),
    /// A string that is always the same.
    ConstantText(Text, String),
    /// The address of the string that the caller passed.
    Text(Text),
    /// The address of the scalar that the caller passed.
    Cell(Scalar),
    /// The address of the first element that the caller passed.
    Elements(Element),
    /// The address of the first unit of the text or bytes that the caller passed.
    Units(CType),
    /// The address of the pointers that [`Memory::Pointers`] made.
    Pointers,
    /// The address of the struct that the caller passed.
    Record(usize),
    /// The struct that the caller passed.
    RecordValue(usize),
    /// The address of the state that the caller passed, or that [`Memory::State`] made.
    State(usize),
    /// The pointer of the handle that the caller passed.
    Handle,
    /// The pointer of the handle that [`Step::Release`] gave up.
    Released,
    /// The address of that pointer.
    ReleasedThrough,
    /// The local itself.
    Local,
    /// The address of the local.
    Address,
    /// The address of the buffer that the caller passed, or that [`Memory::Buffer`] made.
    Buffer,
    /// The address of the pointer that [`Memory::Pointer`] made.
    Fetch,
    /// The function that calls the closure that the caller passed.
    Function,
    /// The user data through which that function finds the closure of the parameter at this index.
    UserData(usize),
    /// The pointer that the caller passed, which the document does not describe.
    Raw,
}
