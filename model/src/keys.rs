//! Every key that a document can have, in one table: the object that it belongs to, the JSON that it holds, and
//! what it means. `read` uses it, `opendyn.schema.json` is written from it, and `opendyn fmt` sorts the keys of a
//! document in this order.

use crate::c_type::CType;

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
    /// `x-callback`
    Callback,
    /// A parameter of a callback, which needs neither `isIn` nor `required`.
    CallbackParameter,
    /// The return value of a callback, which needs no name.
    CallbackReturn,
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
    /// An integer of 0 or more.
    Count,
    /// An integer.
    Integer,
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

use Shape::{Boolean, Count, Either, Integer, List, Literal, Map, Object, OneOf, OrNull, String};

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

const LENGTH: Key = optional(
    "x-length",
    Either(&String, &Object(Place::Length)),
    "The number of elements, or the capacity of an output: the name of a parameter, {\"const\": 32}, or {\"call\": …, \"args\": […]}.",
);
const WRITTEN: Key = optional(
    "x-written",
    String,
    "Where C writes the number of elements: \"return\", or the name of a pointer parameter.",
);
const INOUT: Key = optional("x-inout", Boolean, "C reads and writes what the pointer points to.");
const FREE: Key = optional("x-free", String, "The function of the document that frees it.");
const PARENT: Key =
    optional("x-parent", String, "The parameter with the handle that this one must not outlive.");
const NULLABLE: Key = optional("x-nullable", Boolean, "NULL is a valid value, not an error.");
const TODO: Key = optional(
    "x-todo",
    Either(&String, &NAMES),
    "Open questions for a person. Remove each when it is answered.",
);
const SUCCESS: Key = optional("x-success", NAMES, "The codes for success. Default: [\"0\"].");

const DOCUMENT: &[Key] = &[
    optional("$schema", String, "The JSON Schema that an editor checks the document with."),
    required("opendyn", String, "The version of OpenDyn that the document follows: \"1.0.0\"."),
    required("info", Object(Place::Info), "About the library."),
    required("functions", List(&Object(Place::Function)), "The functions of the library."),
    optional("schemas", Map(&Object(Place::Schema)), "Schemas that \"$ref\": \"#/schemas/NAME\" refers to."),
    optional("code", Map(&String), "The codes that functions return, with their texts."),
    optional("x-codeNames", Map(&String), "The names of codes: {\"5\": \"BUSY\"}."),
    SUCCESS,
    optional("x-errors", Map(&Object(Place::Error)), "The ways to fail that `x-error` of a function names."),
];

const INFO: &[Key] = &[
    required("title", String, "The name of the library; the Rust struct is named after it."),
    optional("description", String, "What the library is for."),
    required("version", String, "The version of this document."),
    required(
        "callingConvention",
        OneOf(&["cdecl", "stdcall"]),
        "The calling convention, nearly always \"cdecl\".",
    ),
    optional(
        "x-library",
        Either(&String, &Object(Place::Library)),
        "The file name of the library, or one per system.",
    ),
    optional("x-threadSafe", Boolean, "Calls may run concurrently."),
    TODO,
];

const LIBRARY: &[Key] = &[
    optional("linux", String, "The file name on Linux."),
    optional("macos", String, "The file name on macOS."),
    optional("windows", String, "The file name on Windows."),
];

const FUNCTION: &[Key] = &[
    required("name", String, "The name: at most 64 of a-z, A-Z, 0-9, - and _."),
    required("description", String, "What the function does, for people and for models."),
    optional("x-symbol", String, "The symbol in the library, if it is not the name."),
    optional("x-optional", Boolean, "The library may lack it."),
    optional("x-variadic", Count, "The number of parameters before `...`; the others are passed through it."),
    optional(
        "x-error",
        Either(&String, &Object(Place::Error)),
        "How the function reports a failure: the name of one of `x-errors`, or such an object.",
    ),
    optional("x-annotations", Object(Place::Annotations), "Hints for models."),
    TODO,
    required("parameters", List(&Object(Place::Parameter)), "The parameters, in the order of C."),
    optional("return", OrNull(&Object(Place::Return)), "The return value; null or absent for void."),
];

const CALL: Key = optional("call", String, "A function of the document.");
const ARGS: Key = optional(
    "args",
    List(&Either(&String, &Literal)),
    "The arguments of that call: names of parameters of this function, \"return\", or integers.",
);

const ERROR: &[Key] = &[
    optional(
        "when",
        Either(&OneOf(CONDITIONS), &Object(Place::ErrorWhen)),
        "The return values that mean failure; without it, `x-code` decides.",
    ),
    optional(
        "code",
        Either(&OneOf(CODE_SOURCES), &Object(Place::ErrorCode)),
        "Where the code is. Default: the return value, if it is an integer.",
    ),
    optional(
        "text",
        Either(&OneOf(TEXT_SOURCES), &Object(Place::ErrorText)),
        "Where the text is. Default: the text of the code in `code` of the document.",
    ),
];

const ERROR_WHEN: &[Key] = &[
    optional("value", Integer, "The one value that means failure."),
    Key { text: "A function of the document that returns whether the call failed.", ..CALL },
    ARGS,
];

const ERROR_CODE: &[Key] =
    &[Key { text: "A function of the document that returns the code.", required: true, ..CALL }, ARGS];

const ERROR_TEXT: &[Key] = &[
    Key { text: "A function of the document that returns the text, or a struct with it.", ..CALL },
    ARGS,
    optional("member", String, "The member with the text, if the function returns a pointer to a struct."),
    optional("output", String, "The output of this function with the text."),
];

const ANNOTATIONS: &[Key] = &[
    optional("readOnly", Boolean, "It changes nothing."),
    optional("destructive", Boolean, "Its changes cannot be undone."),
    optional("idempotent", Boolean, "A second call with the same arguments changes nothing more."),
];

const PARAMETER: &[Key] = &[
    required("name", String, "The name of the parameter."),
    optional("description", String, "What it means, for people and for models."),
    required("schema", Object(Place::Schema), "Its type, in JSON and in C."),
    LENGTH,
    WRITTEN,
    INOUT,
    FREE,
    PARENT,
    NULLABLE,
    TODO,
    required("isIn", Boolean, "Whether it is an input; false for a pointer that C writes a result to."),
    required("required", Boolean, "Whether the caller must pass it."),
];

const RETURN: &[Key] = &[
    required("name", String, "The name of the result."),
    optional("description", String, "What it means, for people and for models."),
    required("schema", Object(Place::Schema), "Its type, in JSON and in C."),
    LENGTH,
    FREE,
    PARENT,
    NULLABLE,
    optional("x-code", Boolean, "The value is a code: all but those for success are errors."),
    SUCCESS,
    TODO,
];

const SCHEMA: &[Key] = &[
    optional("$ref", String, "Another schema: \"#/schemas/NAME\"."),
    required(
        "type",
        OneOf(&["boolean", "integer", "number", "string", "array", "object"]),
        "The type in JSON.",
    ),
    optional("description", String, "What it means, for people and for models."),
    optional("x-encoding", OneOf(ENCODINGS), "The encoding of a string."),
    optional("enum", List(&Literal), "The allowed values."),
    optional("x-enumNames", NAMES, "The names of the values of `enum`."),
    optional("default", Literal, "The value that C gets if an optional value is absent."),
    optional("items", Object(Place::Schema), "The elements of an array."),
    optional("properties", Map(&Object(Place::Schema)), "The members of a C struct, in order."),
    optional(
        "required",
        NAMES,
        "The properties that JSON must have; without it, all but pointers and those with a default.",
    ),
    optional("x-size", Count, "The size of the C struct in bytes."),
    optional("x-align", Count, "The alignment of the C struct in bytes."),
    LENGTH,
    WRITTEN,
    INOUT,
    FREE,
    PARENT,
    NULLABLE,
    TODO,
    optional("cType", Object(Place::CType), "The type in C."),
];

const C_TYPE: &[Key] = &[
    required("type", OneOf(CType::NAMES), "The C type; for a pointer, the type that it points to."),
    optional("x-cType", OneOf(CType::SPELLING_NAMES), "The exact spelling of an integer type."),
    required("isPointer", Boolean, "Whether it is a pointer to that type."),
    optional("x-pointerDepth", Count, "2 for a pointer to a pointer."),
    optional("x-handle", String, "The name of an opaque type: the pointer is a handle."),
    FREE,
    optional("x-callback", Object(Place::Callback), "The signature of a function pointer."),
];

const LENGTHS: &[Key] = &[
    optional("const", Count, "A constant number."),
    optional("call", String, "The function of the document that returns the number."),
    optional(
        "args",
        List(&Either(&String, &Literal)),
        "The arguments of that call: names of parameters of this function, or integers.",
    ),
    optional("parameter", String, "The parameter that passes the number to C."),
];

const CALLBACK: &[Key] = &[
    required("parameters", List(&Object(Place::CallbackParameter)), "The parameters, in the order of C."),
    optional("return", OrNull(&Object(Place::CallbackReturn)), "The return value; null or absent for void."),
    optional(
        "userData",
        String,
        "The name of the user data: a parameter of the callback and of the function.",
    ),
    optional(
        "until",
        String,
        "The parameter with the handle that keeps the callback; without it, C calls only during the call.",
    ),
    optional("onPanic", Literal, "The value that C gets if the closure panics. Default: 0."),
];

const CALLBACK_PARAMETER: &[Key] = &[
    required("name", String, "The name of the parameter."),
    optional("description", String, "What it means."),
    required("schema", Object(Place::Schema), "Its type in C."),
    LENGTH,
    NULLABLE,
    TODO,
    optional("isIn", Boolean, "Always true: C passes it."),
    optional("required", Boolean, "Always true: C passes it in every call."),
];

const CALLBACK_RETURN: &[Key] = &[
    optional("name", String, "The name of the result."),
    optional("description", String, "What it means."),
    required("schema", Object(Place::Schema), "Its type in C: a scalar."),
];

impl Place {
    /// All places.
    pub const ALL: &'static [Self] = &[
        Self::Document,
        Self::Info,
        Self::Library,
        Self::Function,
        Self::Error,
        Self::ErrorWhen,
        Self::ErrorCode,
        Self::ErrorText,
        Self::Annotations,
        Self::Parameter,
        Self::Return,
        Self::Schema,
        Self::CType,
        Self::Length,
        Self::Callback,
        Self::CallbackParameter,
        Self::CallbackReturn,
    ];

    /// The keys of such an object, in the order in which people write them.
    #[must_use]
    pub fn keys(self) -> &'static [Key] {
        match self {
            Self::Document => DOCUMENT,
            Self::Info => INFO,
            Self::Library => LIBRARY,
            Self::Function => FUNCTION,
            Self::Error => ERROR,
            Self::ErrorWhen => ERROR_WHEN,
            Self::ErrorCode => ERROR_CODE,
            Self::ErrorText => ERROR_TEXT,
            Self::Annotations => ANNOTATIONS,
            Self::Parameter => PARAMETER,
            Self::Return => RETURN,
            Self::Schema => SCHEMA,
            Self::CType => C_TYPE,
            Self::Length => LENGTHS,
            Self::Callback => CALLBACK,
            Self::CallbackParameter => CALLBACK_PARAMETER,
            Self::CallbackReturn => CALLBACK_RETURN,
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
            Self::Function => "a function",
            Self::Error => "`x-error`",
            Self::ErrorWhen => "`when`",
            Self::ErrorCode => "`code` of an error",
            Self::ErrorText => "`text` of an error",
            Self::Annotations => "`x-annotations`",
            Self::Parameter => "a parameter",
            Self::Return => "a return value",
            Self::Schema => "a schema",
            Self::CType => "`cType`",
            Self::Length => "`x-length`",
            Self::Callback => "`x-callback`",
            Self::CallbackParameter => "a parameter of a callback",
            Self::CallbackReturn => "the return value of a callback",
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
