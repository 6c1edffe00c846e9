//! What a caller gets.

use crate::c_type::CType;
use crate::plan::{Amount, Content, Element, Encoding, Kind, Scalar, Text};

/// One value that a caller gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The name in JSON.
    pub key: String,
    /// The name in Rust.
    pub ident: String,
    /// What it means.
    pub description: Option<String>,
    /// Where it comes from.
    pub from: Place,
    /// How it is made from the value at that place.
    pub got: Got,
    /// What a JSON caller gets.
    pub kind: Kind,
    /// Whether it may be NULL.
    pub nullable: bool,
    /// Whether a typed caller gets its text as `String`, so that it must be UTF-8.
    pub as_str: bool,
    /// Whether structs in it are copied with their text, because the call frees the memory of the text.
    pub whole: bool,
    /// Whether structs in it point to something that C may have left in a state that is not a value.
    pub checked: bool,
}

/// Where a value from C is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The return value.
    Returned,
    /// The memory of the C parameter at this index.
    Param(usize),
}

/// How an outcome is made from a value of C.
#[derive(Clone, Debug, PartialEq)]
pub enum Got {
    /// The code that was returned.
    Code(Scalar),
    /// A scalar.
    Scalar(Scalar),
    /// An integer that C wrote to a length.
    Count(CType),
    /// A struct: the index of the record.
    Record(usize),
    /// A state.
    State {
        /// The index of the record.
        record: usize,
        /// How it ends.
        end: End,
        /// The indices of the parameters with the handles and states that it must not outlive.
        parents: Vec<usize>,
        /// Whether C uses its memory after its end, until the first of them is freed.
        lasts: bool,
    },
    /// A buffer that C filled.
    Buffer {
        /// What it holds.
        content: Content,
        /// Where C writes the number of elements; without it, the whole buffer counts, or text up to its NUL.
        written: Option<Place>,
    },
    /// A pointer to a NUL-terminated string, which is copied.
    Text(Text),
    /// A pointer to a scalar, which is copied.
    Pointed(Scalar),
    /// A pointer to a struct, which is copied: the index of the record.
    PointedRecord(usize),
    /// A pointer to elements, which are copied.
    Elements {
        /// Their type.
        content: Content,
        /// Their number.
        count: Amount,
    },
    /// A pointer to pointers to strings, which are copied.
    Strings {
        /// Their number.
        count: Amount,
        /// Whether there may be a NULL among them.
        nullable: bool,
    },
    /// Pointers, each a handle.
    Handles {
        /// The index of the handle type.
        handle: usize,
        /// Where they are, and how many.
        of: HandleArray,
        /// Whether there may be a NULL among them.
        nullable: bool,
        /// The index of the way to free each of them; without one, C owns them.
        free: Option<usize>,
        /// The indices of the parameters with the handles that they must not outlive.
        parents: Vec<usize>,
    },
    /// A handle.
    Handle {
        /// The index of the handle type.
        handle: usize,
        /// The index of the way to free it; without one, C owns the handle.
        free: Option<usize>,
        /// The indices of the parameters with the handles that it must not outlive.
        parents: Vec<usize>,
        /// The indices of the functions that end it when they are called with a parent.
        until: Vec<usize>,
    },
    /// A handle that C has taken, and that now lives in another one: C owns it.
    Taken {
        /// The index of the handle type.
        handle: usize,
        /// The index of the parameter with the handle that it lives in.
        into: usize,
    },
    /// The handles of an array that C has taken, and that now live in another one.
    TakenAll {
        /// The index of the handle type.
        handle: usize,
        /// The index of the parameter with the handle that they live in.
        into: usize,
        /// Whether there may be a NULL among them.
        nullable: bool,
    },
    /// A pointer that is not dereferenced.
    Raw,
    /// The value of an argument after the call. Only a JSON caller gets it: a typed caller already has it.
    Back(Back),
    /// The calls of the callbacks that handles keep. Only a JSON caller gets them: a typed caller has closures.
    Events {
        /// The indices of the parameters with these handles.
        of: Vec<usize>,
        /// The name in JSON of the number of calls that the limit left out.
        omitted: String,
    },
}

/// Where an array of handles is, and how many there are.
#[derive(Clone, Debug, PartialEq)]
pub enum HandleArray {
    /// Behind a pointer.
    Pointed(Amount),
    /// In a buffer that C filled. C writes their number there; without it, the whole buffer counts.
    Buffer(Option<Place>),
}

/// How a state ends that is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The way at this index ends it; then its memory is freed.
    By(usize),
    /// It needs no end: its memory is freed.
    Nothing,
    /// The document does not say: C may still use its memory, which is never freed.
    Unknown,
}

impl End {
    /// The index of the way to end it.
    #[must_use]
    pub fn free(self) -> Option<usize> {
        match self {
            Self::By(free) => Some(free),
            Self::Nothing | Self::Unknown => None,
        }
    }
}

/// An argument that C wrote to.
#[derive(Clone, Debug, PartialEq)]
pub enum Back {
    /// A scalar.
    Cell(Scalar),
    /// Elements.
    List(Element),
    /// Bytes.
    Units(Encoding),
    /// A struct: the index of the record.
    Record(usize),
    /// The text in a buffer of unknown size.
    Room,
    /// The calls of a callback, which were collected.
    Calls {
        /// The name in JSON of the number of calls that the limit left out.
        omitted: String,
    },
}

impl Got {
    /// Whether it is copied from memory that C points to.
    fn points_to_memory(&self) -> bool {
        match self {
            Self::Record(_)
            | Self::Text(_)
            | Self::Pointed(_)
            | Self::PointedRecord(_)
            | Self::Elements { .. }
            | Self::Strings { .. }
            | Self::Handles { .. }
            | Self::Buffer { content: Content::Elements(Element::Record(_)), .. }
            | Self::Back(Back::List(Element::Record(_)) | Back::Record(_)) => true,
            Self::Code(_)
            | Self::Scalar(_)
            | Self::Count(_)
            | Self::State { .. }
            | Self::Buffer { .. }
            | Self::Handle { .. }
            | Self::Taken { .. }
            | Self::TakenAll { .. }
            | Self::Raw
            | Self::Back(_)
            | Self::Events { .. } => false,
        }
    }
}

impl Outcome {
    /// Whether it is copied from memory that C points to.
    pub(crate) fn points_to_memory(&self) -> bool {
        self.got.points_to_memory()
    }

    /// Whether a typed caller gets it.
    #[must_use]
    pub fn is_typed(&self) -> bool {
        !matches!(self.got, Got::Back(_) | Got::Events { .. })
    }

    /// The name in JSON of the number of calls that the limit left out; only for calls of a callback.
    #[must_use]
    pub fn omitted(&self) -> Option<&str> {
        match &self.got {
            Got::Back(Back::Calls { omitted }) | Got::Events { omitted, .. } => Some(omitted),
            _ => None,
        }
    }

    /// Whether it has an owner: a handle or a state.
    #[must_use]
    pub fn is_owned(&self) -> bool {
        matches!(
            self.got,
            Got::Handle { .. }
                | Got::Handles { .. }
                | Got::State { .. }
                | Got::Taken { .. }
                | Got::TakenAll { .. }
        )
    }

    /// The encoding of its text, if it is NUL-terminated text that can be a `String`.
    pub(crate) fn utf8(&self) -> Option<Encoding> {
        let encoding = match &self.got {
            Got::Text(Text { encoding, one_of: None, .. }) => *encoding,
            Got::Buffer { content: Content::Text { encoding, .. }, .. }
            | Got::Elements { content: Content::Text { encoding, .. }, .. } => *encoding,
            Got::Strings { .. } => Encoding::Utf8,
            _ => return None,
        };
        matches!(encoding, Encoding::Utf8 | Encoding::Utf8Lossy).then_some(encoding)
    }

    /// Whether bytes of its text that are not UTF-8 are replaced.
    #[must_use]
    pub fn is_lossy(&self) -> bool {
        self.utf8() == Some(Encoding::Utf8Lossy)
    }

    /// Whether making it can fail, because of an unexpected NULL, an invalid count or text that is not UTF-8.
    #[must_use]
    pub fn can_fail(&self) -> bool {
        if self.as_str {
            return true;
        }
        match &self.got {
            Got::Record(_) | Got::PointedRecord(_) if self.checked => true,
            Got::Code(_)
            | Got::Scalar(_)
            | Got::Count(_)
            | Got::Record(_)
            | Got::State { .. }
            | Got::Taken { .. }
            | Got::TakenAll { .. }
            | Got::Raw
            | Got::Back(_)
            | Got::Events { .. } => false,
            Got::Elements { .. } if self.checked => true,
            Got::Elements { count: Amount::Terminated, .. }
            | Got::Strings { count: Amount::Terminated, .. } => !self.nullable,
            Got::Buffer { .. } | Got::Elements { .. } | Got::Strings { .. } | Got::Handles { .. } => true,
            Got::Text(_) | Got::Pointed(_) | Got::PointedRecord(_) | Got::Handle { .. } => !self.nullable,
        }
    }
}
