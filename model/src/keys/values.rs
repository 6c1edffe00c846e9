//! The keys of schemas and C types, and of the objects in them.

use super::Shape::{Boolean, Count, Either, List, Literal, Map, Number, Object, OneOf, Only, OrNull, String};
use super::{
    ENCODINGS, FREE, INOUT, KEEPS, Key, LENGTH, NAMES, NULLABLE, PARENT, Place, TAKES, TERMS, TODO,
    VALID_UNTIL, WRITTEN, optional, required,
};
use crate::c_type::CType;

pub(super) const SCHEMA: &[Key] = &[
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

pub(super) const C_TYPE: &[Key] = &[
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

pub(super) const LENGTHS: &[Key] = &[
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

pub(super) const FACTOR: &[Key] = &[
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

pub(super) const FREES: &[Key] = &[
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
pub(super) const LEFT: &[Key] = &[required(
    "left",
    String,
    "A member of the struct: C sets it to the number of elements that are left of the capacity.",
)];

pub(super) const KEPT: &[Key] = &[
    required("until", String, "The parameter with the handle that keeps it, or \"return\"."),
    optional("replaced", Boolean, "Only until the next call of this function with the same handle."),
];

pub(super) const UNION: &[Key] = &[
    required("tag", String, "The integer of the same struct that says which member is used."),
    required(
        "members",
        Map(&OrNull(&String)),
        "The member for each value of the tag, an integer or a name of its `enum`; null if none is used.",
    ),
];

pub(super) const TAKEN: &[Key] = &[
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

pub(super) const SYMBOL: &[Key] = &[
    optional("symbol", String, "A function that the library exports, or a library that it links."),
    optional("variable", String, "A variable of the library that holds such a function."),
];

pub(super) const CALLBACK: &[Key] = &[
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
    optional("progress", Object(Place::Progress), "Whoever waits for a JSON call is told how far it is."),
];

pub(super) const USER_DATA: &[Key] = &[required(
    "handle",
    String,
    "The parameter of the callback and of the function that is the handle in `until`: closures are found by its address.",
)];

pub(super) const COLLECT: &[Key] = &[
    optional("answer", Literal, "The value that C gets back for a call. Default: 0."),
    optional("stop", Literal, "The value that C gets back for a call beyond the limit. Default: `answer`."),
    optional("limit", Count, "The maximum number of calls in a reply. Default: 1000."),
    optional(
        "default",
        Boolean,
        "Whether the reply has the calls if the caller does not say. Default: true for a required callback.",
    ),
    optional(
        "into",
        String,
        "With `until`: the name of the result with the calls, in the replies of all functions that take the handle.",
    ),
];

pub(super) const PROGRESS: &[Key] = &[
    optional(
        "done",
        String,
        "The parameter of the callback that says how much is done. Without it, the calls are counted.",
    ),
    optional("total", String, "The parameter of the callback that says how much there is to do."),
    optional("message", String, "The parameter of the callback that says in words what is being done."),
    optional("answer", Literal, "The value that C gets back. Default: 0."),
    optional("stop", Literal, "The value with which C ends the call, once nobody waits for it any more."),
];

pub(super) const CALLBACK_PARAMETER: &[Key] = &[
    required("name", String, "The name of the parameter."),
    optional("description", String, "What it means."),
    required("schema", Object(Place::Schema), "Its type in C."),
    LENGTH,
    NULLABLE,
    TODO,
    optional("isIn", Boolean, "Always true: C passes it."),
    optional("required", Boolean, "Always true: C passes it in every call."),
];

pub(super) const CALLBACK_RETURN: &[Key] = &[
    optional("name", String, "The name of the result."),
    optional("description", String, "What it means."),
    required("schema", Object(Place::Schema), "Its type in C: a scalar."),
];
