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

use Shape::{
    Boolean, Count, Either, Integer, List, Literal, Map, Number, Object, OneOf, Only, OrNull, String,
};

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
    optional(
        "x-threadSafe",
        Either(&Boolean, &OneOf(&["handles"])),
        "Calls may run concurrently; \"handles\" if those with the same handle may too.",
    ),
    optional(
        "x-init",
        Either(&String, &Object(Place::Init)),
        "The function that initializes the library, called once when it is loaded; with `end`, the one that ends it.",
    ),
    optional("x-prefix", String, "What the names of functions and types begin with; Rust leaves it out."),
    TODO,
];

const LIBRARY: &[Key] = &[
    optional("linux", String, "The file name on Linux."),
    optional("macos", String, "The file name on macOS."),
    optional("windows", String, "The file name on Windows."),
];

const INIT: &[Key] = &[
    required("call", String, "The function of the document that is called before all others."),
    optional("args", List(&Integer), "Its arguments."),
    optional(
        "end",
        String,
        "The function of the document that is called when the last binding of the library is dropped.",
    ),
];

const FUNCTION: &[Key] = &[
    required("name", String, "The name: at most 64 of a-z, A-Z, 0-9, - and _."),
    required("description", String, "What the function does, for people and for models."),
    optional("x-symbol", String, "The symbol in the library, if it is not the name."),
    optional(
        "x-member",
        String,
        "The function reads this member of the struct behind its handle; the library has no such function.",
    ),
    optional("x-optional", Boolean, "The library may lack it."),
    optional(
        "x-receiver",
        OrNull(&String),
        "The parameter whose type has the method in Rust; null for the binding. Default: the first handle or state.",
    ),
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
    List(&Either(&Either(&String, &Literal), &Object(Place::ErrorArgument))),
    "The arguments of that call: names of parameters of this function, \"return\", integers, or calls that return a handle.",
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

const ERROR_ARGUMENT: &[Key] =
    &[Key { text: "A function of the document that returns a handle.", required: true, ..CALL }, ARGS];

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
    optional(
        "x-lends",
        NAMES,
        "Members of the state that are arguments and results of this call: arrays with `x-length`.",
    ),
    LENGTH,
    WRITTEN,
    INOUT,
    FREE,
    PARENT,
    VALID_UNTIL,
    KEEPS,
    TAKES,
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
    VALID_UNTIL,
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
    optional("minimum", Number, "The lowest value that a caller may pass."),
    optional("maximum", Number, "The highest value that a caller may pass."),
    optional("x-maxLength", Count, "The maximum number of bytes of a string, or of elements of an array."),
    optional("default", Literal, "The value that C gets if an optional value is absent."),
    optional("items", Object(Place::Schema), "The elements of an array."),
    optional("properties", Map(&Object(Place::Schema)), "The members of a C struct, in order."),
    optional(
        "required",
        NAMES,
        "The properties that JSON must have; without it, all but pointers and those with a default.",
    ),
    optional("isIn", Boolean, "Of a member of a struct: false for a buffer that C fills."),
    optional("x-bits", Count, "The width of a bit field of a struct."),
    optional(
        "x-union",
        Either(&Only(true), &Either(&String, &Object(Place::Union))),
        "The properties are the members of a C union: the name of the member that is used, or {\"tag\": …, \"members\": {…}}; true if neither is known.",
    ),
    optional("x-size", Count, "The size of the C struct in bytes."),
    optional(
        "x-state",
        Boolean,
        "With `properties` and `x-size`: memory that C uses between calls. `properties` are its first members.",
    ),
    optional("x-align", Count, "The alignment of the C struct in bytes."),
    LENGTH,
    WRITTEN,
    INOUT,
    FREE,
    PARENT,
    VALID_UNTIL,
    KEEPS,
    TAKES,
    NULLABLE,
    TODO,
    optional("cType", Object(Place::CType), "The type in C."),
];

const C_TYPE: &[Key] = &[
    required("type", OneOf(CType::NAMES), "The C type; for a pointer, the type that it points to."),
    optional("x-cType", OneOf(CType::SPELLING_NAMES), "The exact spelling of an integer type."),
    required("isPointer", Boolean, "Whether it is a pointer to that type."),
    optional("x-pointerDepth", Count, "2 for a pointer to a pointer."),
    optional("x-complex", Boolean, "A complex number of two such floating-point numbers."),
    optional("x-handle", String, "The name of an opaque type: the pointer is a handle."),
    FREE,
    optional("x-retain", String, "Of a handle: the function of the document that makes one more owner."),
    optional("x-callback", Object(Place::Callback), "The signature of a function pointer."),
];

const LENGTHS: &[Key] = &[
    optional("const", Count, "A constant number."),
    optional("sum", TERMS, "Parameters, integers and calls, whose sum is the number."),
    optional("call", String, "The function of the document that gives the number."),
    optional(
        "args",
        List(&Either(&String, &Literal)),
        "The arguments of that call: names of parameters of this function, or integers.",
    ),
    optional("output", String, "The output of that function with the number, if it does not return it."),
    optional("parameter", String, "The parameter that passes the number to C."),
    optional("argument", String, "A new argument: a capacity that the caller chooses and C is not told."),
    optional("terminated", Boolean, "The elements end before a zero, and strings before a NULL."),
    optional("member", String, "With `x-member`: the member of the same struct that holds the number."),
];

const FACTOR: &[Key] = &[
    Key {
        name: "call",
        required: true,
        shape: String,
        text: "The function of the document that gives the factor.",
    },
    optional(
        "args",
        List(&Either(&String, &Literal)),
        "The arguments of that call: names of parameters of this function, or integers.",
    ),
    optional("output", String, "The output of that function with the factor, if it does not return it."),
];

const FREES: &[Key] = &[
    optional("symbol", String, "A symbol that the library has or links: `void f(void*)`."),
    optional("variable", String, "A variable of the library that holds such a function."),
    optional("call", String, "The function of the document that frees it."),
    optional(
        "args",
        List(&Either(&String, &Literal)),
        "The arguments of that call: \"value\" for the pointer, names of parameters of this function, or integers.",
    ),
    optional("always", Boolean, "A call that fails has freed it, too."),
    optional(
        "later",
        Boolean,
        "For a state: C uses its memory after that call, until what `x-keeps` names is freed.",
    ),
];
const LEFT: &[Key] = &[required(
    "left",
    String,
    "A member of the struct: C sets it to the number of elements that are left of the capacity.",
)];

const KEPT: &[Key] = &[
    required("until", String, "The parameter with the handle that keeps it, or \"return\"."),
    optional("replaced", Boolean, "Only until the next call of this function with the same handle."),
];

const UNION: &[Key] = &[
    required("tag", String, "The integer of the same struct that says which member is used."),
    required(
        "members",
        Map(&OrNull(&String)),
        "The member for each value of the tag, an integer or a name of its `enum`; null if none is used.",
    ),
];

const TAKEN: &[Key] = &[
    optional(
        "into",
        String,
        "The parameter with the handle that frees it from now on, or \"return\"; without it, C has it for good.",
    ),
    optional("on", String, "\"success\": a call that fails has taken nothing."),
    optional(
        "memory",
        Either(&String, &Object(Place::Symbol)),
        "For a string, bytes or an array: the symbol `void *f(size_t)` that allocates the copy that C frees, or {\"variable\": …}.",
    ),
    optional(
        "free",
        Either(&String, &Object(Place::Symbol)),
        "The symbol `void f(void*)` that frees the copy if C does not take it, or {\"variable\": …}.",
    ),
];

const SYMBOL: &[Key] = &[
    optional("symbol", String, "A function that the library exports, or a library that it links."),
    optional("variable", String, "A variable of the library that holds such a function."),
];

const CALLBACK: &[Key] = &[
    required("parameters", List(&Object(Place::CallbackParameter)), "The parameters, in the order of C."),
    optional("return", OrNull(&Object(Place::CallbackReturn)), "The return value; null or absent for void."),
    optional(
        "userData",
        Either(&String, &Object(Place::UserData)),
        "The name of the user data: a parameter of the callback and of the function; or {\"handle\": …}.",
    ),
    optional(
        "until",
        String,
        "The parameter with the handle that keeps the callback; without it, C calls only during the call.",
    ),
    optional("onPanic", Literal, "The value that C gets if the closure panics. Default: 0."),
    optional("collect", Object(Place::Collect), "A JSON caller gets the calls in the reply."),
];

const USER_DATA: &[Key] = &[required(
    "handle",
    String,
    "The parameter of the callback and of the function that is the handle in `until`: closures are found by its address.",
)];

const COLLECT: &[Key] = &[
    optional("answer", Literal, "The value that C gets back for a call. Default: 0."),
    optional("stop", Literal, "The value that C gets back for a call beyond the limit. Default: `answer`."),
    optional("limit", Count, "The maximum number of calls in a reply. Default: 1000."),
    optional(
        "into",
        String,
        "With `until`: the name of the result with the calls, in the replies of all functions that take the handle.",
    ),
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
