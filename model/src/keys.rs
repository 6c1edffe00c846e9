//! Every key that a document can have, in one table: the object that it belongs to, the JSON that it holds, and
//! what it means. `read` uses it, `opendyn.schema.json` is written from it, and `opendyn fmt` sorts the keys of a
//! document in this order.

mod functions;
mod values;

use functions::{
    ANNOTATIONS, DOCUMENT, ERROR, ERROR_ARGUMENT, ERROR_CODE, ERROR_TEXT, ERROR_WHEN, FUNCTION, INFO, INIT,
    LIBRARY, PARAMETER, RETURN,
};
use values::{
    C_TYPE, CALLBACK, CALLBACK_PARAMETER, CALLBACK_RETURN, COLLECT, FACTOR, FREES, KEPT, LEFT, LENGTHS,
    PROGRESS, SCHEMA, SYMBOL, TAKEN, UNION, USER_DATA,
};

/// The objects of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The document itself.
    Document,
    /// `info`
    Info,
    /// `x-library`, if it is an object.
    Library,
    /// `x-init`, if it is an object.
    Init,
    /// One of `functions`.
    Function,
    /// One of `x-errors`, or `x-error` of a function.
    Error,
    /// `when` of an error, if it is an object.
    ErrorWhen,
    /// `code` of an error, if it is an object.
    ErrorCode,
    /// `text` of an error, if it is an object.
    ErrorText,
    /// An argument of a call that tells about an error, if it is a call itself.
    ErrorArgument,
    /// `x-annotations`
    Annotations,
    /// One of the `parameters` of a function.
    Parameter,
    /// `return`
    Return,
    /// `schema`, `items`, one of `properties` or of `schemas`.
    Schema,
    /// `cType`
    CType,
    /// `x-length`, if it is an object.
    Length,
    /// A factor of `x-length`, if it is an object.
    Factor,
    /// `x-free`, if it is an object.
    Free,
    /// `x-written`, if it is an object.
    Written,
    /// `x-keeps`, if it is an object.
    Keeps,
    /// `x-union`, if it is an object.
    Union,
    /// `x-takes`, if it is an object.
    Takes,
    /// `memory` or `free` of `x-takes`, if it is an object.
    Symbol,
    /// `x-callback`
    Callback,
    /// A parameter of a callback, which needs neither `isIn` nor `required`.
    CallbackParameter,
    /// The return value of a callback, which needs no name.
    CallbackReturn,
    /// `userData` of a callback, if it is an object.
    UserData,
    /// `collect` of a callback.
    Collect,
    /// `progress` of a callback.
    Progress,
}

/// One key of an object.
#[derive(Debug)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// Whether every such object must have it.
    pub required: bool,
    /// What it holds.
    pub shape: Shape,
    /// What it means.
    pub text: &'static str,
}

/// The JSON that a key holds.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// A string.
    String,
    /// A boolean.
    Boolean,
    /// Only true, or only false.
    Only(bool),
    /// An integer of 0 or more.
    Count,
    /// An integer.
    Integer,
    /// A number.
    Number,
    /// A string, a number or a boolean.
    Literal,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// An object with the keys of that place.
    Object(Place),
    /// An array.
    List(&'static Shape),
    /// An object whose keys the document chooses.
    Map(&'static Shape),
    /// One of two shapes.
    Either(&'static Shape, &'static Shape),
    /// A shape, or null.
    OrNull(&'static Shape),
}

use Shape::{Boolean, Count, Either, Integer, List, Object, Only, String};

/// The encodings of `x-encoding`.
pub const ENCODINGS: &[&str] = &["utf-8", "utf-8-lossy", "latin-1", "utf-16", "base64", "hex"];

/// The conditions of `when`, besides objects.
pub const CONDITIONS: &[&str] = &["negative", "null", "zero", "nonzero"];
/// The sources of `code`, besides objects.
pub const CODE_SOURCES: &[&str] = &["return", "errno", "lastError"];
/// The sources of `text`, besides objects.
pub const TEXT_SOURCES: &[&str] = &["errno", "lastError"];

const fn required(name: &'static str, shape: Shape, text: &'static str) -> Key {
    Key { name, required: true, shape, text }
}

const fn optional(name: &'static str, shape: Shape, text: &'static str) -> Key {
    Key { name, required: false, shape, text }
}

const NAMES: Shape = List(&String);
/// The factors of a length.
const FACTORS: Shape = List(&Either(&String, &Either(&Count, &Object(Place::Factor))));
const TERMS: Shape = List(&Either(&String, &Either(&Integer, &Object(Place::Factor))));
const ONE_OR_MORE: Shape = Either(&String, &NAMES);

const LENGTH: Key = optional(
    "x-length",
    Either(&String, &Either(&FACTORS, &Object(Place::Length))),
    "The number of elements, or the capacity of an output: the name of a parameter, a product such as [\"width\", \"height\", 3], {\"sum\": [\"n\", 16]}, {\"const\": 32}, {\"call\": …, \"args\": […]}, {\"argument\": …}, or {\"terminated\": true}.",
);
const WRITTEN: Key = optional(
    "x-written",
    Either(&String, &Object(Place::Written)),
    "Where C writes the number of elements: \"return\", or the name of a pointer parameter. Of a buffer in a struct, the name of another member, or {\"left\": …}.",
);
const INOUT: Key = optional("x-inout", Boolean, "C reads and writes what the pointer points to.");
const FREE: Key = optional(
    "x-free",
    Either(&String, &Either(&Only(false), &Object(Place::Free))),
    "What frees it: a function of the document, {\"symbol\": \"free\"}, {\"variable\": \"xmlFree\"}, or {\"call\": …, \"args\": […]}; false for a state that needs no end.",
);
const PARENT: Key = optional(
    "x-parent",
    ONE_OR_MORE,
    "The parameters with the handles that this one must not outlive: a name, or a list.",
);
const VALID_UNTIL: Key = optional(
    "x-validUntil",
    ONE_OR_MORE,
    "The functions that end this borrowed handle when they are called with its parent: a name, or a list.",
);
const KEEPS: Key = optional(
    "x-keeps",
    Either(&String, &Either(&Only(true), &Object(Place::Keeps))),
    "C keeps the pointer after the call: until the handle in this parameter or in \"return\" is freed, or true for good.",
);
const TAKES: Key = optional(
    "x-takes",
    Either(&String, &Either(&Only(true), &Object(Place::Takes))),
    "It is C's from now on: true for good, the parameter with the handle that frees it from now on or \"return\", or {\"memory\": \"malloc\"} for memory that C frees.",
);
const NULLABLE: Key = optional("x-nullable", Boolean, "NULL is a valid value, not an error.");
const TODO: Key = optional(
    "x-todo",
    Either(&String, &NAMES),
    "Open questions for a person. Remove each when it is answered.",
);
const SUCCESS: Key = optional("x-success", NAMES, "The codes for success. Default: [\"0\"].");

impl Place {
    /// All places.
    pub const ALL: &'static [Self] = &[
        Self::Document,
        Self::Info,
        Self::Library,
        Self::Init,
        Self::Function,
        Self::Error,
        Self::ErrorWhen,
        Self::ErrorCode,
        Self::ErrorText,
        Self::ErrorArgument,
        Self::Annotations,
        Self::Parameter,
        Self::Return,
        Self::Schema,
        Self::CType,
        Self::Length,
        Self::Factor,
        Self::Free,
        Self::Written,
        Self::Keeps,
        Self::Union,
        Self::Takes,
        Self::Symbol,
        Self::Callback,
        Self::CallbackParameter,
        Self::CallbackReturn,
        Self::UserData,
        Self::Collect,
        Self::Progress,
    ];

    /// The keys of such an object, in the order in which people write them.
    #[must_use]
    pub fn keys(self) -> &'static [Key] {
        match self {
            Self::Document => DOCUMENT,
            Self::Info => INFO,
            Self::Library => LIBRARY,
            Self::Init => INIT,
            Self::Function => FUNCTION,
            Self::Error => ERROR,
            Self::ErrorWhen => ERROR_WHEN,
            Self::ErrorCode => ERROR_CODE,
            Self::ErrorText => ERROR_TEXT,
            Self::ErrorArgument => ERROR_ARGUMENT,
            Self::Annotations => ANNOTATIONS,
            Self::Parameter => PARAMETER,
            Self::Return => RETURN,
            Self::Schema => SCHEMA,
            Self::CType => C_TYPE,
            Self::Length => LENGTHS,
            Self::Factor => FACTOR,
            Self::Free => FREES,
            Self::Written => LEFT,
            Self::Keeps => KEPT,
            Self::Union => UNION,
            Self::Takes => TAKEN,
            Self::Symbol => SYMBOL,
            Self::Callback => CALLBACK,
            Self::CallbackParameter => CALLBACK_PARAMETER,
            Self::CallbackReturn => CALLBACK_RETURN,
            Self::UserData => USER_DATA,
            Self::Collect => COLLECT,
            Self::Progress => PROGRESS,
        }
    }

    /// Whether such an object can have the key.
    pub fn has(self, key: &str) -> bool {
        self.keys().iter().any(|known| known.name == key) || self.tolerates(key)
    }

    /// Keys that existing documents have here by mistake, which another rule reports.
    fn tolerates(self, key: &str) -> bool {
        self == Self::CType && key == "isIn"
    }

    /// What such an object is called in a sentence.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Document => "the document",
            Self::Info => "`info`",
            Self::Library => "`x-library`",
            Self::Init => "`x-init`",
            Self::Function => "a function",
            Self::Error => "`x-error`",
            Self::ErrorWhen => "`when`",
            Self::ErrorCode => "`code` of an error",
            Self::ErrorText => "`text` of an error",
            Self::ErrorArgument => "a call in `args`",
            Self::Annotations => "`x-annotations`",
            Self::Parameter => "a parameter",
            Self::Return => "a return value",
            Self::Schema => "a schema",
            Self::CType => "`cType`",
            Self::Length => "`x-length`",
            Self::Factor => "a factor or a term of `x-length`",
            Self::Free => "`x-free`",
            Self::Written => "`x-written`",
            Self::Keeps => "`x-keeps`",
            Self::Union => "`x-union`",
            Self::Takes => "`x-takes`",
            Self::Symbol => "`memory` or `free` of `x-takes`",
            Self::Callback => "`x-callback`",
            Self::CallbackParameter => "a parameter of a callback",
            Self::CallbackReturn => "the return value of a callback",
            Self::UserData => "`userData` of a callback",
            Self::Collect => "`collect` of a callback",
            Self::Progress => "`progress` of a callback",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_occurs_once_in_a_place() {
        for place in Place::ALL {
            let mut names: Vec<&str> = place.keys().iter().map(|key| key.name).collect();
            names.sort_unstable();
            let count = names.len();
            names.dedup();
            assert_eq!(names.len(), count, "{}", place.noun());
        }
    }
}
