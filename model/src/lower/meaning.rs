//! How values are passed according to the document. `lower` works on this before it makes the plan.

use super::items::HandleItems;
use crate::c_type::CType;
use crate::document::{Annotations, Switches};
use crate::plan::{
    Amount, Callback, Cancel, Content, Default, Element, Encoding, End, Fail, FreeArg, Kept, LentMember,
    Limits, Names, Place, Read, Receiver, Scalar, TakenMemory, Text, View,
};
use crate::span::Span;

/// How a parameter gets from the caller to C and back.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Passing {
    /// A scalar by value.
    Value(Scalar),
    /// A NUL-terminated string.
    Str(Text),
    /// A pointer to a scalar that C reads and may write.
    Pointer(Scalar),
    /// A pointer to a scalar that C reads and writes: an argument and a result.
    InOut(Scalar),
    /// A pointer to a scalar that C writes: a result.
    Output(Scalar),
    /// An array that C reads, or with `inout` writes as well.
    Slice { element: Element, length: Option<Amount>, inout: bool },
    /// A string or bytes with a length, which C reads, or with `inout` writes as well.
    Counted { c_type: CType, encoding: Encoding, length: Amount, inout: bool },
    /// An array of strings that C reads.
    Strings { length: Amount, nullable: bool },
    /// An array of handles that C uses, or takes.
    Handles { items: HandleItems, length: Amount },
    /// A buffer that C writes.
    Buffer {
        content: Content,
        capacity: Option<Amount>,
        written: Option<Place>,
        /// What its elements are, if they are handles.
        items: Option<HandleItems>,
    },
    /// A struct.
    Record { record: usize, direction: Direction },
    /// Memory of the caller that only C accesses.
    State { record: usize, role: StateRole },
    /// A handle that C uses, or frees.
    Handle { handle: usize, role: HandleRole },
    /// A pointer to a pointer that C sets: what it then points to is a result.
    Fetched(Form),
    /// A function that C calls.
    Callback(Callback, Span),
    /// The user data of the callback at this index.
    UserData { callback: usize },
    /// Always the same value: an `enum` with a single value. The caller does not pass it.
    Constant { of: Constant, value: Default },
    /// The length of the array `of`, which the caller does not pass. If `shown`, the value that C writes there
    /// is a result.
    Length { c_type: CType, pointer: bool, of: usize, shown: bool },
    /// The capacity of the buffer `of`. If `given`, the caller chooses it.
    Capacity { c_type: CType, pointer: bool, of: usize, given: bool },
    /// The capacity of the buffer `of`, which the caller chooses and C is not passed.
    Chosen { of: usize },
    /// A pointer to which C writes the number of elements of another value.
    Count { c_type: CType },
    /// A pointer that the document does not describe.
    Opaque { output: bool },
}

/// What a constant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constant {
    Scalar(Scalar),
    Str(Text),
}

/// The direction of a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// By pointer; C reads.
    In,
    /// By pointer; C writes.
    Out,
    /// By pointer; C reads and writes.
    InOut,
    Value,
}

/// What a call does with a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateRole {
    /// C initializes it; later it ends. If it `lasts`, C uses its memory until its keeper is freed.
    Begins {
        end: End,
        lasts: bool,
    },
    Used,
    /// It ends with the call; if `always`, also with one that fails.
    Ends {
        always: bool,
    },
}

/// What a call does with a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HandleRole {
    Borrowed,
    /// The call ends what was borrowed from it.
    Ending,
    /// The call frees it; if `always`, also one that fails. With `through`, C takes a pointer to the pointer.
    Consumed {
        through: bool,
        always: bool,
    },
    /// It is C's from now on.
    Taken(Taking),
}

/// How C takes a handle, or the handles of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taking {
    /// The handle that frees it from now on, of a parameter or returned, and where the document names it; `None` is for
    /// good.
    pub(super) into: Option<(Place, Span)>,
    /// Whether only a call that succeeds has taken it, and where the document says so.
    pub(super) on_success: Option<Span>,
    /// Whether it may live in a handle of which the new owner knows nothing.
    pub(super) depends: bool,
}

impl Taking {
    /// The parameter with the handle that it lives in from now on.
    pub(super) fn param(self) -> Option<usize> {
        match self.into {
            Some((Place::Param(index), _)) => Some(index),
            Some((Place::Returned, _)) | None => None,
        }
    }
}

/// How a return value, or the target of a pointer that C set, gets from C to the caller.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// A scalar by value.
    Value(Scalar),
    /// A string, which is copied.
    Str { text: Text, held: Held },
    /// A pointer to a scalar, which is copied.
    Pointed { scalar: Scalar, held: Held },
    /// A pointer to elements, which are copied. Without a length, their number is unknown.
    Array { content: Content, length: Option<Amount>, held: Held },
    /// A pointer to pointers to strings, which are copied.
    Strings { length: Amount, nullable: bool, held: Held },
    /// A pointer to pointers, which are handles.
    Handles { items: HandleItems, length: Amount, held: Held },
    /// A pointer to a struct, which is copied.
    Record { record: usize, held: Held },
    /// A struct by value.
    RecordValue(usize),
    Handle {
        handle: usize,
        held: Held,
        /// The parameters with the handles that it must not outlive.
        parents: Vec<usize>,
        /// The functions that end it when they are called with a parent.
        until: Vec<usize>,
    },
    /// A pointer that the document does not describe.
    Opaque,
}

/// Who frees a pointer, and whether it may be NULL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) nullable: bool,
    /// The index of the way to free it.
    pub(super) free: Option<usize>,
}

/// A parameter.
#[derive(Debug)]
pub(super) struct Param {
    pub(super) key: String,
    pub(super) ident: String,
    pub(super) description: Option<String>,
    pub(super) passing: Passing,
    /// `required` of the document; only for inputs.
    pub(super) required: bool,
    /// The way to free what an output struct points to.
    pub(super) disposed: Option<usize>,
    pub(super) default: Option<Default>,
    pub(super) limits: Limits,
    /// Until when C uses it after the call.
    pub(super) kept: Option<Kept>,
    /// What allocates the copy that C takes.
    pub(super) taken: Option<TakenMemory>,
}

/// The members of a state that hold what a call lends to C.
#[derive(Debug)]
pub(super) struct Lends {
    /// The index of the parameter with the state.
    pub(super) state: usize,
    pub(super) members: Vec<LentMember>,
}

/// What C returns.
#[derive(Debug)]
pub(super) struct Returned {
    pub(super) key: String,
    pub(super) ident: String,
    pub(super) description: Option<String>,
    pub(super) form: Form,
    pub(super) role: ReturnRole,
}

/// What a return value is for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ReturnRole {
    Result,
    /// It says whether the call succeeded. These codes mean success.
    Code(Vec<i64>),
    /// It is the number of elements in a buffer.
    Written,
}

/// What the name of a method is made of.
#[derive(Clone, Debug)]
pub(super) enum Stem {
    /// The name of the function, without the prefix of the document.
    Name(String),
    /// The option `rename` gives it as it is.
    Renamed,
}

/// A function whose values are lowered.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) symbol: String,
    pub(super) description: String,
    pub(super) annotations: Annotations,
    pub(super) tool: Option<bool>,
    pub(super) hints: Vec<(i64, String)>,
    pub(super) switches: Switches,
    /// The name without its prefix, or the name that an option gives the method.
    pub(super) stem: Stem,
    pub(super) names: Names,
    /// It is chosen when all functions are known.
    pub(super) receiver: Receiver,
    pub(super) params: Vec<Param>,
    pub(super) returned: Option<Returned>,
    /// How it reports a failure; its outputs are not listed yet.
    pub(super) fail: Option<Fail>,
    /// Whether it has `x-error`, so that its failures have outputs.
    pub(super) has_error: bool,
    /// The members of states that it is given, and takes back.
    pub(super) lends: Vec<Lends>,
    /// The member that it reads, instead of a call.
    pub(super) read: Option<Read>,
    /// The parameter with the handle that it frees, and its arguments, which must be those that the handle remembers.
    pub(super) same: Option<(usize, Vec<(usize, FreeArg)>)>,
    /// How a running call of it is ended.
    pub(super) cancel: Option<Cancel>,
    /// Why it cannot be called with JSON.
    pub(super) refusal: Option<String>,
    /// The open questions of the document about it.
    pub(super) questions: Vec<String>,
}

impl Param {
    /// Whether a caller passes it as an argument.
    pub(super) fn is_input(&self) -> bool {
        match &self.passing {
            Passing::Value(_)
            | Passing::Str(_)
            | Passing::Pointer(_)
            | Passing::InOut(_)
            | Passing::Slice { .. }
            | Passing::Counted { .. }
            | Passing::Strings { .. }
            | Passing::Handles { .. }
            | Passing::Handle { .. }
            | Passing::Chosen { .. }
            | Passing::Callback(..) => true,
            Passing::Record { direction, .. } => *direction != Direction::Out,
            Passing::State { role, .. } => !matches!(role, StateRole::Begins { .. }),
            Passing::Capacity { given, .. } => *given,
            Passing::Opaque { output } => !output,
            Passing::Output(_)
            | Passing::Buffer { .. }
            | Passing::Fetched(_)
            | Passing::UserData { .. }
            | Passing::Constant { .. }
            | Passing::Length { .. }
            | Passing::Count { .. } => false,
        }
    }

    /// Whether a typed caller gets it.
    pub(super) fn is_result(&self) -> bool {
        match &self.passing {
            Passing::Output(_) | Passing::Fetched(_) => true,
            Passing::Buffer { capacity, .. } => capacity.is_some(),
            Passing::Record { direction, .. } => *direction == Direction::Out,
            Passing::State { role, .. } => matches!(role, StateRole::Begins { .. }),
            Passing::Length { shown, .. } => *shown,
            Passing::Handle { .. } | Passing::Handles { .. } => {
                self.passing.taking().is_some_and(|taking| taking.param().is_some())
            }
            Passing::Value(_)
            | Passing::Str(_)
            | Passing::Pointer(_)
            | Passing::InOut(_)
            | Passing::Slice { .. }
            | Passing::Counted { .. }
            | Passing::Strings { .. }
            | Passing::Callback(..)
            | Passing::UserData { .. }
            | Passing::Constant { .. }
            | Passing::Capacity { .. }
            | Passing::Chosen { .. }
            | Passing::Count { .. }
            | Passing::Opaque { .. } => false,
        }
    }

    /// Whether it may be absent.
    pub(super) fn is_optional(&self) -> bool {
        !self.required && self.is_input()
    }

    /// The value that C sets through it.
    pub(super) fn fetched(&self) -> Option<&Form> {
        match &self.passing {
            Passing::Fetched(form) => Some(form),
            _ => None,
        }
    }
}

impl Passing {
    /// The length of an input that is an array in Rust, not a slice.
    pub(super) fn array_length(&self) -> Option<u64> {
        match self {
            Self::Slice { length: Some(Amount::Const(count)), .. } => Some(*count),
            Self::Counted { length: Amount::Const(count), encoding, .. } if encoding.is_binary() => {
                Some(*count)
            }
            _ => None,
        }
    }

    /// The length of an input array.
    pub(super) fn length(&self) -> Option<&Amount> {
        match self {
            Self::Slice { length, .. } => length.as_ref(),
            Self::Counted { length, .. } | Self::Strings { length, .. } | Self::Handles { length, .. } => {
                Some(length)
            }
            _ => None,
        }
    }

    /// The handles of an array that C gives.
    pub(super) fn handle_items(&self) -> Option<&HandleItems> {
        match self {
            Self::Buffer { items, .. } => items.as_ref(),
            Self::Fetched(form) => form.handle_items(),
            _ => None,
        }
    }

    /// The enum that the value must be one of.
    pub(super) fn enumeration(&self) -> Option<usize> {
        match self {
            Self::Value(Scalar { view: View::Enum(index), .. })
            | Self::Pointer(Scalar { view: View::Enum(index), .. })
            | Self::InOut(Scalar { view: View::Enum(index), .. })
            | Self::Str(Text { one_of: Some(index), .. })
            | Self::Slice { element: Element::Scalar(Scalar { view: View::Enum(index), .. }), .. } => {
                Some(*index)
            }
            _ => None,
        }
    }
}

impl Form {
    /// The handles of an array.
    pub(super) fn handle_items(&self) -> Option<&HandleItems> {
        match self {
            Self::Handles { items, .. } => Some(items),
            _ => None,
        }
    }

    /// Who frees it, and whether it may be NULL.
    pub(super) fn held(&self) -> Held {
        match self {
            Self::Str { held, .. }
            | Self::Pointed { held, .. }
            | Self::Array { held, .. }
            | Self::Strings { held, .. }
            | Self::Handles { held, .. }
            | Self::Record { held, .. }
            | Self::Handle { held, .. } => *held,
            Self::Value(_) | Self::RecordValue(_) | Self::Opaque => Held::default(),
        }
    }

    /// The number of elements.
    pub(super) fn length(&self) -> Option<&Amount> {
        match self {
            Self::Array { length, .. } => length.as_ref(),
            Self::Strings { length, .. } | Self::Handles { length, .. } => Some(length),
            _ => None,
        }
    }
}

impl Returned {
    /// Whether a caller gets it. A code is a result only if several codes mean success.
    pub(super) fn is_result(&self) -> bool {
        match &self.role {
            ReturnRole::Result => true,
            ReturnRole::Code(successes) => successes.len() > 1,
            ReturnRole::Written => false,
        }
    }
}

/// Whether a call frees memory of C once its results are made. Handles do not count: their owners free them.
pub(super) fn frees_results(params: &[Param], returned: Option<&Returned>) -> bool {
    let frees = |form: &Form| form.held().free.is_some() && !matches!(form, Form::Handle { .. });
    returned.is_some_and(|returned| frees(&returned.form))
        || params.iter().any(|param| param.disposed.is_some() || param.fetched().is_some_and(frees))
}

impl Function {
    /// Whether the library must have it.
    pub(super) fn is_required(&self) -> bool {
        !self.switches.has("x-optional")
    }

    /// How many values a typed caller gets.
    pub(super) fn results(&self) -> usize {
        let returned = self.returned.iter().filter(|returned| returned.is_result()).count();
        returned + self.params.iter().filter(|param| param.is_result()).count()
    }

    /// Whether it takes a closure that a handle keeps for C.
    pub(super) fn keeps_closure(&self) -> bool {
        self.params
            .iter()
            .any(|param| matches!(&param.passing, Passing::Callback(callback, _) if callback.until.is_some()))
    }

    /// The other array that decides the length of this one, if there is one.
    pub(super) fn shares_length(&self, index: usize) -> Option<usize> {
        let Some(Amount::Param(length)) = self.params[index].passing.length() else { return None };
        match self.params[*length].passing {
            Passing::Length { of, .. } if of != index => Some(of),
            _ => None,
        }
    }
}
