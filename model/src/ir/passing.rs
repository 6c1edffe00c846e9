//! How values travel between the caller and C.

use crate::c_type::CType;
use crate::span::Span;

use super::types::{Default, Element};

/// How a parameter gets from the caller to C and back.
#[derive(Clone, Debug, PartialEq)]
pub enum Passing {
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
    Slice {
        element: Element,
        length: Option<Length>,
        inout: bool,
    },
    /// A string or bytes with a length of their own, which C reads, or with `inout` writes as well.
    Counted {
        c_type: CType,
        encoding: Encoding,
        length: Length,
        inout: bool,
    },
    /// An array of strings that C reads.
    Strings {
        length: Length,
    },
    /// A buffer that C writes.
    Buffer {
        content: Content,
        capacity: Option<Length>,
        written: Option<Written>,
    },
    /// A struct.
    Record {
        record: usize,
        direction: Direction,
    },
    /// Memory of the caller's that only C looks into.
    State {
        record: usize,
        role: StateRole,
    },
    /// A handle that C uses, or frees.
    Handle {
        handle: usize,
        role: HandleRole,
    },
    /// A pointer to a pointer that C sets: what it then points to is a result.
    Fetched(Form),
    Callback(Callback),
    /// What a callback is handed back: that of the parameter so many.
    UserData {
        callback: usize,
    },
    /// Always the same value: an `enum` of one. The caller does not give it.
    Constant {
        of: Constant,
        value: Default,
    },
    /// The length of the array that is the parameter `of`: the caller does not give it. What C
    /// leaves there is a result if `shown`.
    Length {
        c_type: CType,
        pointer: bool,
        of: usize,
        shown: bool,
    },
    /// The capacity of the buffer that is the parameter `of`. If `given` the caller chooses it.
    Capacity {
        c_type: CType,
        pointer: bool,
        of: usize,
        given: bool,
    },
    /// A pointer to which C writes how many elements some other value has.
    Count {
        c_type: CType,
    },
    /// A pointer to something that the document does not describe.
    Opaque {
        output: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    Scalar(Scalar),
    Str(Text),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// By pointer; C reads.
    In,
    /// By pointer; C writes.
    Out,
    /// By pointer; C reads and writes.
    InOut,
    Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateRole {
    /// C makes it what it is.
    Begins,
    Used,
    /// After the call it is nothing any more.
    Ends,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandleRole {
    Borrowed,
    /// The call frees it.
    Consumed,
    /// The call frees it, and takes a pointer to the pointer.
    ConsumedThrough,
}

/// How many elements an array has, or a buffer has room for.
#[derive(Clone, Debug, PartialEq)]
pub enum Length {
    /// As many as the parameter so many says.
    Param(usize),
    Const(u64),
    /// As many as another function returns.
    Call {
        function: usize,
        args: Vec<CallArg>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum CallArg {
    /// What C gets for the parameter so many.
    Param(usize),
    Integer(i128),
}

/// Where C says how much it wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    Return,
    /// Through the parameter so many.
    Param(usize),
}

/// What is in a buffer or an array that C fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Elements(Element),
    /// Text up to its NUL, or bytes.
    Text {
        c_type: CType,
        encoding: Encoding,
    },
}

/// A scalar, and how it looks from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    pub c_type: CType,
    pub view: View,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// As the C type itself.
    Plain,
    /// As `bool`: true is anything but 0.
    Truth,
    /// As itself in Rust, as a string of one byte in JSON.
    Character,
    /// As the enum so many; as an integer in JSON.
    Enum(usize),
}

/// A NUL-terminated string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    pub c_type: CType,
    pub encoding: Encoding,
    /// The enum of its only values.
    pub one_of: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf8Lossy,
    Latin1,
    Utf16,
    Base64,
    Hex,
}

impl Encoding {
    /// Whether it stands for bytes that are no text.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Base64 | Self::Hex)
    }
}

/// How a return value, or what a pointer was set to, gets from C to the caller.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A scalar by value.
    Value(Scalar),
    /// A string, copied.
    Str {
        text: Text,
        held: Held,
    },
    /// A pointer to a scalar, which is copied.
    Pointed {
        scalar: Scalar,
        held: Held,
    },
    /// A pointer to elements, which are copied; to an unknown number of them without a length.
    Array {
        content: Content,
        length: Option<Length>,
        held: Held,
    },
    /// A pointer to pointers to strings, which are copied.
    Strings {
        length: Length,
        held: Held,
    },
    /// A pointer to a struct, which is copied.
    Record {
        record: usize,
        held: Held,
    },
    /// A struct by value.
    RecordValue(usize),
    Handle {
        handle: usize,
        free: Option<usize>,
        nullable: bool,
        parent: Option<usize>,
    },
    /// A pointer to something that the document does not describe.
    Opaque,
}

/// Whose a pointer is, and whether it may be NULL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    pub nullable: bool,
    /// The function that frees it.
    pub free: Option<usize>,
}

/// A function pointer that C calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Callback {
    pub params: Vec<CallbackParam>,
    pub returns: Option<Scalar>,
    /// The position of the user data among `params`; without it there is no closure.
    pub user_data: Option<usize>,
    /// The parameter with the handle that keeps the closure.
    pub until: Option<usize>,
    pub until_span: Span,
    /// Whether calls may run at once, so that other threads can lead C to a closure that it keeps.
    pub shared: bool,
    pub on_panic: Option<Default>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CallbackParam {
    pub ident: String,
    pub value: CallbackValue,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CallbackValue {
    Scalar(Scalar),
    Str {
        c_type: CType,
        nullable: bool,
    },
    /// As many as the callback's parameter so many says.
    Slice {
        element: Element,
        length: CallbackLength,
    },
    Strings {
        length: CallbackLength,
    },
    Record {
        record: usize,
        nullable: bool,
    },
    /// The length of another parameter.
    Length {
        c_type: CType,
    },
    UserData,
    Opaque,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallbackLength {
    Param(usize),
    Const(u64),
}
