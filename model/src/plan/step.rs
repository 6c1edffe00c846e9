//! The steps of a call, and the operands that are passed to C.
//!
//! An executor carries out the steps in order, in one `match`. If a step names a C parameter by its index, it means
//! the local variable of that parameter.

use crate::c_type::CType;
use crate::plan::{
    Amount, CValue, Content, Default, Element, Fail, FreeArg, Function, Place, Scalar, System, TakenMemory,
    Text, When,
};

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
    /// Puts a NUL behind the string of `param`, which is a `&str` for a typed caller. Fails if there is one in it. What a
    /// JSON caller passes has its NUL.
    Terminate {
        /// The parameter.
        param: usize,
    },
    /// Fails unless the value, its elements or its members are within the limits of the parameter, and it is not too
    /// long. What a JSON caller passes is read within the limits of scalars and strings.
    Limits {
        /// The parameter.
        param: usize,
    },
    /// Makes memory that C uses during the call, or a value for it.
    Allocate {
        /// The parameter that it is for.
        into: usize,
        /// What is made.
        memory: Memory,
    },
    /// Fails unless the arguments are those that the handle of `param` was made to be freed with.
    SameArguments {
        /// The parameter.
        param: usize,
        /// The other parameters, and what the function is passed for them when the handle is dropped.
        args: Vec<(usize, FreeArg)>,
    },
    /// Gives up the handle of `param`, or the handles of its array: the call frees or takes them.
    Release {
        /// The parameter.
        param: usize,
    },
    /// Makes the closure of `param` callable for C: during the call, or until its handle is freed.
    Lend {
        /// The parameter.
        param: usize,
    },
    /// Sets members of the state of the parameter `state` to what the call lends to C.
    Fill {
        /// The parameter.
        state: usize,
        /// The members.
        members: Vec<LentMember>,
    },
    /// Calls the C function with the operands of its parameters.
    Invoke,
    /// Instead of a call: reads a member of the struct behind the handle of the first parameter, as the return value.
    Read(Read),
    /// Keeps the error that the C function left in the system. It comes first after the call: anything else may change
    /// that error.
    Errno(System),
    /// Takes back from the members of a state what C left in them, and sets them to NULL and 0, so that C cannot use memory
    /// of this call later.
    Clear {
        /// The parameter with the state.
        state: usize,
        /// The members.
        members: Vec<LentMember>,
    },
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
    /// C owns the handle of `param`, or the handles of its array, from now on, if the call succeeded: for good, or until another handle is freed, in
    /// which it then lives. What it keeps for C stays as long.
    Taken {
        /// The parameter.
        param: usize,
        /// The handle that it lives in: of a parameter, or the one that C returned.
        into: Option<Place>,
        /// When the call failed and has taken nothing.
        failed: Option<When>,
    },
    /// C owns the copy of what the caller passed for `param`, if the call succeeded. Otherwise it is freed.
    Passed {
        /// The parameter.
        param: usize,
        /// When the call failed and has taken nothing.
        failed: Option<When>,
    },
    /// What the caller passed for `param` stays until its keeper is freed.
    Keep {
        /// The parameter.
        param: usize,
        /// When the call failed, if what it replaces must then stay.
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
    /// Guards the struct that C filled for `param`: what it points to is freed when everything has been copied. A call that
    /// failed has filled nothing.
    Dispose {
        /// The parameter.
        param: usize,
        /// The index of the way to free, which is given the address of the struct.
        free: usize,
    },
    /// Ends the loan of the structs of `param`: checks the buffers in them.
    Settle {
        /// The parameter.
        param: usize,
        /// Whether the caller's structs become what C left.
        back: bool,
        /// Whether there are unions in them, of which the caller can say that nothing is known.
        unions: bool,
    },
    /// Makes the outcomes: copies of the values from C.
    Collect,
}

impl Step {
    /// Whether it can end the call, other than with a code.
    #[must_use]
    pub fn can_fail(&self) -> bool {
        match self {
            Self::Require
            | Self::SameLength { .. }
            | Self::ExactLength { .. }
            | Self::Listed { .. }
            | Self::Terminate { .. }
            | Self::SameArguments { .. }
            | Self::Limits { .. } => true,
            Self::Count { c_type, counted, .. } => {
                matches!(counted, Counted::Arrays(_)) && !c_type.holds_every_length()
            }
            Self::Settle { .. } => true,
            Self::Allocate { memory, .. } => {
                matches!(
                    memory,
                    Memory::Buffer { .. }
                        | Memory::Capacity { .. }
                        | Memory::Terminated(_)
                        | Memory::Taken(_)
                )
            }
            Self::Release { .. }
            | Self::Lend { .. }
            | Self::Fill { .. }
            | Self::Invoke
            | Self::Clear { .. }
            | Self::Read(_)
            | Self::Hold { .. }
            | Self::Dispose { .. }
            | Self::Freed { .. }
            | Self::Taken { .. }
            | Self::Passed { .. }
            | Self::Keep { .. }
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
            Self::Hold { free } | Self::Dispose { free, .. } => Some(*free),
            Self::Allocate { memory: Memory::Pointer { free, .. }, .. } => *free,
            Self::Allocate { memory: Memory::Taken(taken), .. } => taken.free,
            Self::Require
            | Self::Count { .. }
            | Self::SameLength { .. }
            | Self::ExactLength { .. }
            | Self::Listed { .. }
            | Self::Terminate { .. }
            | Self::SameArguments { .. }
            | Self::Limits { .. }
            | Self::Allocate { .. }
            | Self::Release { .. }
            | Self::Lend { .. }
            | Self::Fill { .. }
            | Self::Invoke
            | Self::Clear { .. }
            | Self::Read(_)
            | Self::Freed { .. }
            | Self::Taken { .. }
            | Self::Passed { .. }
            | Self::Keep { .. }
            | Self::Finish { .. }
            | Self::ResumeKept
            | Self::Errno(_)
            | Self::Settle { .. }
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
            Self::Terminate { param } => Some(format!("`{}` has a NUL in it.", key(*param))),
            Self::Limits { param } => {
                Some(format!("`{}` is not within the limits of the document.", key(*param)))
            }
            Self::SameArguments { param, .. } => {
                Some(format!("An argument is not the one that `{}` was made with.", key(*param)))
            }
            Self::Allocate { into, memory: Memory::Buffer { .. } } => {
                Some(format!("The capacity of `{}` is invalid, or C exceeded it.", key(*into)))
            }
            Self::Allocate { into, memory: Memory::Terminated(_) } => {
                Some(format!("`{}` has an element of zero, which would end it.", key(*into)))
            }
            Self::Allocate { into, memory: Memory::Taken(_) } => {
                Some(format!("The library has no memory for `{}`.", key(*into)))
            }
            Self::Fail(fail) => Some(fail.error()),
            Self::Count { .. }
            | Self::Allocate { .. }
            | Self::Release { .. }
            | Self::Lend { .. }
            | Self::Fill { .. }
            | Self::Invoke
            | Self::Clear { .. }
            | Self::Read(_)
            | Self::Errno(_)
            | Self::Hold { .. }
            | Self::Dispose { .. }
            | Self::Freed { .. }
            | Self::Taken { .. }
            | Self::Passed { .. }
            | Self::Keep { .. }
            | Self::Finish { .. }
            | Self::ResumeKept
            | Self::Collect => None,
            Self::Settle { param, unions: true, .. } => Some(format!(
                "A length, a capacity or the tag of a union in `{}` is invalid, or C exceeded it.",
                key(*param)
            )),
            Self::Settle { param, unions: false, .. } => {
                Some(format!("A length or a capacity in `{}` is invalid, or C exceeded it.", key(*param)))
            }
        }
    }
}

/// A member of the struct behind a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The index of the record.
    pub record: usize,
    /// The index of the member.
    pub field: usize,
    /// Whether the value is the address of the member, and not what it holds.
    pub in_place: bool,
}

/// A member of a state that holds what a call lends to C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LentMember {
    /// The index of the record of the members.
    pub record: usize,
    /// The index of the member.
    pub field: usize,
    /// The parameter whose value it holds. C is not passed it otherwise.
    pub param: usize,
    /// What it holds.
    pub holds: Lent,
}

/// What a member of a state holds during a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lent {
    /// A pointer: the operand of the parameter.
    Pointer,
    /// A number: the local of the parameter.
    Size,
    /// A number: the local of the parameter, which becomes what C left.
    Count,
    /// A capacity: the local of the parameter, which becomes the number of elements that C wrote. C leaves the number of
    /// those that it did not write.
    Left,
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
    /// The memory of a state.
    State {
        /// The index of the record.
        record: usize,
        /// Whether C may use it although the call failed, so that it is never freed.
        leaks: bool,
    },
    /// NULL, until C sets the pointer.
    Pointer {
        /// What it points to.
        to: CValue,
        /// The index of the way to free the pointer.
        free: Option<usize>,
    },
    /// The structs that the caller passed as C has them, with what they point to: the index of the record.
    Loan(usize),
    /// Pointers to the strings that the caller passed.
    Pointers {
        /// Whether a NULL follows them.
        terminated: bool,
        /// Whether there may be a NULL among them.
        nullable: bool,
    },
    /// The pointers of the handles that the caller passed.
    Handles {
        /// Whether a NULL follows them.
        terminated: bool,
        /// Whether there may be a NULL among them.
        nullable: bool,
    },
    /// The elements that the caller passed, with a zero behind them.
    Terminated(Scalar),
    /// A copy of what the caller passed, in memory of C's own allocator: C frees it. It is made last, so that nothing can
    /// end the call before C has it.
    Taken(TakenMemory),
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
    /// The address of the pointers that [`Memory::Handles`] made.
    Handles,
    /// The address of the elements that [`Memory::Terminated`] made.
    Terminated(Scalar),
    /// The address of the copy that [`Memory::Taken`] made, in units of this type.
    Taken(CType),
    /// The address of the struct that the caller passed.
    Record(usize),
    /// The struct that the caller passed.
    RecordValue(usize),
    /// The address of the structs that [`Memory::Loan`] made.
    Loan(usize),
    /// The struct that [`Memory::Loan`] made.
    LoanValue(usize),
    /// The address of the state that the caller passed: the index of the record.
    State(usize),
    /// The address of the memory that [`Memory::State`] made: the index of the record.
    NewState(usize),
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
