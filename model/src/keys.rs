//! Every key that a document can have, in one table: where it stands, what JSON it holds, what it
//! means. `read` goes by it, `opendyn.schema.json` is written from it, and `opendyn fmt` orders the
//! keys of a document as they are ordered here.

/// The objects of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The document itself.
    Document,
    /// `info`
    Info,
    /// `x-library`, where it is an object.
    Library,
    /// One of `functions`.
    Function,
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
    /// `x-length`, where it is an object.
    Length,
    /// `x-callback`
    Callback,
    /// Of a callback: it need not say `isIn` and `required`.
    CallbackParameter,
    /// Of a callback: it needs no name.
    CallbackReturn,
}

/// One key of an object.
#[derive(Debug)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// Whether every such object has it.
    pub required: bool,
    /// What it holds.
    pub shape: Shape,
    /// What it means.
    pub text: &'static str,
}

/// What JSON a key holds.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// A string.
    String,
    /// A boolean.
    Boolean,
    /// An integer of 0 or more.
    Count,
    /// A string, a number or a boolean.
    Literal,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// An object with the keys of that place.
    Object(Place),
    /// An array.
    List(&'static Shape),
    /// An object with keys of the document's own.
    Map(&'static Shape),
    /// One of two.
    Either(&'static Shape, &'static Shape),
    /// The same, or null.
    OrNull(&'static Shape),
}

use Shape::{Boolean, Count, Either, List, Literal, Map, Object, OneOf, OrNull, String};

/// The encodings of `x-encoding`.
pub const ENCODINGS: &[&str] = &["utf-8", "utf-8-lossy", "latin-1", "utf-16", "base64", "hex"];

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
    "How many elements there are: the name of a parameter, {\"const\": 32}, or {\"call\": …, \"args\": […]}. On an output, the capacity.",
);
const WRITTEN: Key = optional(
    "x-written",
    String,
    "Where C leaves how many elements it wrote: \"return\", or the name of a pointer parameter.",
);
const INOUT: Key = optional("x-inout", Boolean, "C reads and writes what the pointer points to.");
const FREE: Key = optional("x-free", String, "The function of the document that frees it.");
const PARENT: Key = optional("x-parent", String, "The parameter whose handle this one lives in.");
const NULLABLE: Key = optional("x-nullable", Boolean, "NULL is a value, not an error.");
const TODO: Key = optional(
    "x-todo",
    Either(&String, &NAMES),
    "A question, or several, that a person has to answer; remove it with the answer.",
);
const SUCCESS: Key = optional("x-success", NAMES, "The codes that are no error; [\"0\"] unless given.");

const DOCUMENT: &[Key] = &[
    optional("$schema", String, "The JSON Schema that an editor checks the document with."),
    required("opendyn", String, "The version of OpenDyn that the document follows: \"1.0.0\"."),
    required("info", Object(Place::Info), "What the library is."),
    required("functions", List(&Object(Place::Function)), "The functions of the library."),
    optional("schemas", Map(&Object(Place::Schema)), "Schemas that \"$ref\": \"#/schemas/NAME\" refers to."),
    optional("code", Map(&String), "The codes that functions return, and their texts."),
    SUCCESS,
];

const INFO: &[Key] = &[
    required("title", String, "The name of the library; the Rust struct is named after it."),
    optional("description", String, "What the library is for."),
    required("version", String, "The version of this document."),
    required(
        "callingConvention",
        OneOf(&["cdecl", "stdcall"]),
        "How C passes arguments; nearly always \"cdecl\".",
    ),
    optional(
        "x-library",
        Either(&String, &Object(Place::Library)),
        "The library's file name, or one for each system.",
    ),
    optional("x-threadSafe", Boolean, "Calls may run at once."),
    TODO,
];

const LIBRARY: &[Key] = &[
    optional("linux", String, "The file name on Linux."),
    optional("macos", String, "The file name on macOS."),
    optional("windows", String, "The file name on Windows."),
];

const FUNCTION: &[Key] = &[
    required("name", String, "a-z, A-Z, 0-9, - and _, at most 64 of them."),
    required("description", String, "What the function does, for people and for models."),
    optional("x-symbol", String, "The name in the library, where it differs."),
    optional("x-optional", Boolean, "The library may lack it."),
    optional("x-variadic", Count, "How many parameters stand before `...`; those behind go through it."),
    optional("x-annotations", Object(Place::Annotations), "Hints for models."),
    TODO,
    required("parameters", List(&Object(Place::Parameter)), "In the order of C."),
    optional("return", OrNull(&Object(Place::Return)), "What comes back; null or absent for void."),
];

const ANNOTATIONS: &[Key] = &[
    optional("readOnly", Boolean, "It changes nothing."),
    optional("destructive", Boolean, "What it changes cannot be had back."),
    optional("idempotent", Boolean, "A second call with the same arguments changes nothing more."),
];

const PARAMETER: &[Key] = &[
    required("name", String, "The parameter's name."),
    optional("description", String, "What it means, for people and for models."),
    required("schema", Object(Place::Schema), "Its type, in JSON and in C."),
    LENGTH,
    WRITTEN,
    INOUT,
    FREE,
    PARENT,
    NULLABLE,
    TODO,
    required(
        "isIn",
        Boolean,
        "Whether the caller gives it; false for a pointer through which C returns something.",
    ),
    required("required", Boolean, "Whether every call gives it."),
];

const RETURN: &[Key] = &[
    required("name", String, "The name of the result."),
    optional("description", String, "What it means, for people and for models."),
    required("schema", Object(Place::Schema), "Its type, in JSON and in C."),
    LENGTH,
    FREE,
    PARENT,
    NULLABLE,
    optional("x-code", Boolean, "The value is a code: success goes on, anything else is an error."),
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
    optional("x-encoding", OneOf(ENCODINGS), "How the bytes of a string are text."),
    optional("enum", List(&Literal), "The only values there are."),
    optional("x-enumNames", NAMES, "The names of the values of `enum`."),
    optional("default", Literal, "What C gets where a value that is not required is absent."),
    optional("items", Object(Place::Schema), "The elements of an array."),
    optional("properties", Map(&Object(Place::Schema)), "The members of a C struct, in order."),
    optional("required", NAMES, "The properties that JSON has to give; without it, all but pointers."),
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
    required(
        "type",
        OneOf(&[
            "void",
            "bool",
            "char",
            "unsigned char",
            "short",
            "unsigned short",
            "int",
            "unsigned int",
            "long",
            "unsigned long",
            "long long",
            "unsigned long long",
            "float",
            "double",
        ]),
        "The C type, or what is pointed to.",
    ),
    optional(
        "x-cType",
        OneOf(&[
            "int8_t",
            "uint8_t",
            "int16_t",
            "uint16_t",
            "int32_t",
            "uint32_t",
            "int64_t",
            "uint64_t",
            "size_t",
            "ssize_t",
            "ptrdiff_t",
            "intptr_t",
            "uintptr_t",
        ]),
        "The exact spelling of an integer type.",
    ),
    required("isPointer", Boolean, "Whether it is a pointer to that type."),
    optional("x-pointerDepth", Count, "2 for a pointer to a pointer."),
    optional("x-handle", String, "The name of an opaque type: the pointer is a handle."),
    FREE,
    optional("x-callback", Object(Place::Callback), "The signature of a function pointer."),
];

const LENGTHS: &[Key] = &[
    optional("const", Count, "Always so many."),
    optional("call", String, "As many as this function of the document returns."),
    optional(
        "args",
        List(&Either(&String, &Literal)),
        "What it is called with: parameters of this function, or integers.",
    ),
    optional("parameter", String, "The parameter that is given the count."),
];

const CALLBACK: &[Key] = &[
    required("parameters", List(&Object(Place::CallbackParameter)), "What C passes, in the order of C."),
    optional("return", OrNull(&Object(Place::CallbackReturn)), "What C gets back; null or absent for void."),
    optional(
        "userData",
        String,
        "The parameter, of the callback and of the function, through which C hands back what it was given.",
    ),
    optional("until", String, "The handle that C may call back for; without it, while the function runs."),
    optional("onPanic", Literal, "What C gets back where the closure panics; 0 unless given."),
];

const CALLBACK_PARAMETER: &[Key] = &[
    required("name", String, "The parameter's name."),
    optional("description", String, "What it means."),
    required("schema", Object(Place::Schema), "Its type in C."),
    LENGTH,
    NULLABLE,
    TODO,
    optional("isIn", Boolean, "True, where it is written: C gives it."),
    optional("required", Boolean, "True, where it is written: C always gives it."),
];

const CALLBACK_RETURN: &[Key] = &[
    optional("name", String, "The name of the result."),
    optional("description", String, "What it means."),
    required("schema", Object(Place::Schema), "Its type in C: a scalar."),
];

impl Place {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Document,
        Self::Info,
        Self::Library,
        Self::Function,
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

    /// Whether an object there can have the key.
    pub fn has(self, key: &str) -> bool {
        self.keys().iter().any(|known| known.name == key) || self.tolerates(key)
    }

    /// Keys that documents in the wild have there, which are reported in their own way.
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
    use crate::c_type::CType;

    fn choices(place: Place, key: &str) -> &'static [&'static str] {
        match place.keys().iter().find(|known| known.name == key).map(|known| known.shape) {
            Some(OneOf(names)) => names,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_types_are_those_that_are_understood() {
        assert_eq!(choices(Place::CType, "type").join(", "), CType::names());
        assert_eq!(choices(Place::CType, "x-cType").join(", "), CType::spellings());
    }

    #[test]
    fn a_key_stands_once_in_a_place() {
        for place in Place::ALL {
            let mut names: Vec<&str> = place.keys().iter().map(|key| key.name).collect();
            names.sort_unstable();
            let count = names.len();
            names.dedup();
            assert_eq!(names.len(), count, "{}", place.noun());
        }
    }
}
