//! The keys of a document, of its library, and of functions with their parameters.

use super::Shape::{Boolean, Count, Either, Integer, List, Literal, Map, Object, OneOf, OrNull, String};
use super::{
    CODE_SOURCES, CONDITIONS, FREE, INOUT, KEEPS, Key, LENGTH, NAMES, NULLABLE, PARENT, Place, SUCCESS,
    TAKES, TEXT_SOURCES, TODO, VALID_UNTIL, WRITTEN, optional, required,
};

pub(super) const DOCUMENT: &[Key] = &[
    optional("$schema", String, "The JSON Schema that an editor checks the document with."),
    required("opendyn", String, "The version of OpenDyn that the document follows: \"1.0.0\"."),
    required("info", Object(Place::Info), "About the library."),
    required("functions", List(&Object(Place::Function)), "The functions of the library."),
    optional("schemas", Map(&Object(Place::Schema)), "Schemas that \"$ref\": \"#/schemas/NAME\" refers to."),
    optional("code", Map(&String), "The codes that functions return, with their texts."),
    optional("x-codeNames", Map(&String), "The names of codes: {\"5\": \"BUSY\"}."),
    HINTS,
    SUCCESS,
    optional("x-errors", Map(&Object(Place::Error)), "The ways to fail that `x-error` of a function names."),
];

const HINTS: Key = optional(
    "x-hints",
    Map(&String),
    "What a caller can do after a failure, by its code: {\"5\": \"Finalize its statements first.\"}.",
);

pub(super) const INFO: &[Key] = &[
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
    optional(
        "x-instructions",
        String,
        "How the functions are used together, for models: what to call first, what to do when something fails.",
    ),
    optional("x-prefix", String, "What the names of functions and types begin with; Rust leaves it out."),
    TODO,
];

pub(super) const LIBRARY: &[Key] = &[
    optional("linux", String, "The file name on Linux."),
    optional("macos", String, "The file name on macOS."),
    optional("windows", String, "The file name on Windows."),
];

pub(super) const INIT: &[Key] = &[
    required("call", String, "The function of the document that is called before all others."),
    optional("args", List(&Integer), "Its arguments."),
    optional(
        "end",
        String,
        "The function of the document that is called when the last binding of the library is dropped.",
    ),
];

pub(super) const FUNCTION: &[Key] = &[
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
    optional(
        "x-cancel",
        String,
        "The function of the document that ends a running call of this one, from another thread: it takes the same handle, or one that it lives in.",
    ),
    optional("x-annotations", Object(Place::Annotations), "The effects of a call, for models."),
    optional(
        "x-tool",
        Boolean,
        "Whether models are offered the function: false for never, true for always, also where they search for functions.",
    ),
    HINTS,
    TODO,
    required("parameters", List(&Object(Place::Parameter)), "The parameters, in the order of C."),
    optional("return", OrNull(&Object(Place::Return)), "The return value; null or absent for void."),
];

pub(super) const CALL: Key = optional("call", String, "A function of the document.");
pub(super) const ARGS: Key = optional(
    "args",
    List(&Either(&Either(&String, &Literal), &Object(Place::ErrorArgument))),
    "The arguments of that call: names of parameters of this function, \"return\", integers, or calls that return a handle.",
);

pub(super) const ERROR: &[Key] = &[
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

pub(super) const ERROR_WHEN: &[Key] = &[
    optional("value", Integer, "The one value that means failure."),
    Key { text: "A function of the document that returns whether the call failed.", ..CALL },
    ARGS,
];

pub(super) const ERROR_CODE: &[Key] =
    &[Key { text: "A function of the document that returns the code.", required: true, ..CALL }, ARGS];

pub(super) const ERROR_ARGUMENT: &[Key] =
    &[Key { text: "A function of the document that returns a handle.", required: true, ..CALL }, ARGS];

pub(super) const ERROR_TEXT: &[Key] = &[
    Key { text: "A function of the document that returns the text, or a struct with it.", ..CALL },
    ARGS,
    optional("member", String, "The member with the text, if the function returns a pointer to a struct."),
    optional("output", String, "The output of this function with the text."),
];

pub(super) const ANNOTATIONS: &[Key] = &[
    optional("readOnly", Boolean, "It changes nothing."),
    optional("destructive", Boolean, "Its changes cannot be undone."),
    optional("idempotent", Boolean, "A second call with the same arguments changes nothing more."),
];

pub(super) const PARAMETER: &[Key] = &[
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

pub(super) const RETURN: &[Key] = &[
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
