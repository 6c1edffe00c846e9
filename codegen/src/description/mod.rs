//! What a document means, as plain data: for reference pages, for comparing two versions of a document, and for
//! scripts that call the functions. References, defaults and lengths are resolved. `fill` makes it from the plan,
//! and `rust` spells the signatures of the methods.

mod fill;
mod json;
mod rust;
#[cfg(feature = "describe")]
mod selection;

use serde_json::Value;

pub(crate) use fill::describe;
pub use opendyn_model::document::Annotations;

/// What a document means.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Description {
    /// `info.title`
    pub title: String,
    /// `info.description`
    pub description: Option<String>,
    /// `info.version`
    pub version: String,
    /// The Rust struct.
    pub binding: String,
    /// `cdecl` or `stdcall`.
    pub convention: &'static str,
    /// Whether calls may run concurrently.
    pub thread_safe: bool,
    /// The file of the library, if the document names one.
    pub library: Option<Library>,
    /// How the library begins and ends, if it must: `f(3)`, or `f(3)` and `g()`.
    pub init: Option<(String, Option<String>)>,
    /// The functions, in the order of the document.
    pub functions: Vec<Function>,
    /// The structs that the functions use, and those that the document names.
    pub structs: Vec<Struct>,
    /// The enums that have names.
    pub enums: Vec<Enum>,
    /// The types of handles.
    pub handles: Vec<Handle>,
    /// The codes, sorted.
    pub codes: Vec<Code>,
}

/// The file of the library, by system.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Library {
    /// The environment variable that names another file.
    pub variable: String,
    /// On Linux.
    pub linux: Option<String>,
    /// On macOS.
    pub macos: Option<String>,
    /// On Windows.
    pub windows: Option<String>,
}

/// One function in C, Rust and JSON.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Function {
    /// The name in the document and in JSON.
    pub name: String,
    /// The name in the library.
    pub symbol: String,
    /// What it does.
    pub description: String,
    /// `int add(int a, int b);`
    pub prototype: String,
    /// The parameters of C, in order.
    pub parameters: Vec<Parameter>,
    /// What C returns; `None` for void.
    pub returns: Option<Parameter>,
    /// The number of parameters before `...`.
    pub variadic: Option<usize>,
    /// Whether the library may lack it.
    pub optional: bool,
    /// The method in Rust; that of a function that begins or ends the library is private.
    pub signature: Signature,
    /// Whether it begins or ends the library (`x-init`): nothing else calls it.
    pub is_of_init: bool,
    /// Why it cannot be called with JSON; `None` if it can.
    pub refused: Option<String>,
    /// The arguments of a JSON call.
    pub arguments: Vec<Exchanged>,
    /// The results of a JSON call.
    pub results: Vec<Exchanged>,
    /// The codes for success, if the return value is a code.
    pub success: Option<Vec<i64>>,
    /// The function that ends a running call (`x-cancel`).
    pub cancel: Option<String>,
    /// Whether whoever waits for a running call learns how far it is (`progress` of a callback).
    pub reports: bool,
    /// The effects of a call, for models.
    pub annotations: Annotations,
    /// Whether models are offered it (`x-tool`).
    pub tool: Option<bool>,
    /// What a caller can do after a failure, by its code (`x-hints`).
    pub hints: Vec<(i64, String)>,
}

/// A parameter of C, or the return value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name in the document.
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// The type in C.
    pub c_type: String,
    /// The type for the ABI: equal for two spellings of one type.
    pub abi: String,
    /// Who provides the value, and who gets it.
    pub role: Role,
    /// The number of elements or the capacity, as text.
    pub length: Option<String>,
    /// Where C writes the number of elements that it wrote: a parameter, or `return`.
    pub written: Option<String>,
    /// The function or symbol that frees it.
    pub free: Option<String>,
    /// The parameters with the handles that it must not outlive.
    pub parent: Option<String>,
    /// The functions that end it when they are called with a parent.
    pub until: Option<String>,
    /// Whether C may set it to NULL.
    pub nullable: bool,
    /// Its type, if it is a handle or a state.
    pub handle: Option<String>,
}

/// Who provides a parameter, and who gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// The caller passes it.
    In,
    /// It is a result.
    Out,
    /// The caller passes it and gets it back.
    InOut,
    /// The call frees or ends it.
    Ends,
    /// C owns it from now on: for good, or in the handle of this parameter.
    Taken(Option<String>),
    /// The value follows from others, as this text says: for example the length of `xs`.
    Derived(String),
}

/// The method of a function in Rust. Types have no paths.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signature {
    /// Its name.
    pub method: String,
    /// Whether it is an `unsafe fn`.
    pub is_unsafe: bool,
    /// Names and types; a closure is an `impl`.
    pub parameters: Vec<(String, String)>,
    /// The return type; `()` for none.
    pub returns: String,
    /// The fields of the struct that is returned, if there are several results.
    pub outputs: Vec<(String, String)>,
    /// The whole signature, formatted.
    pub text: String,
}

/// A value of a JSON call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Exchanged {
    /// Its key.
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// A JSON Schema. `minimum` and `maximum` are those of the C type on the target where it is widest. A struct, a
    /// handle and an enum have their name as `title`; the `format` of a handle is `token`. `contentEncoding` is the
    /// encoding of bytes in a string, and `x-length` their number.
    pub schema: Value,
    /// Whether every call must pass it.
    pub required: bool,
    /// The value that C gets if it is absent.
    pub default: Option<Value>,
}

/// A C struct, or memory of the caller that only C reads and writes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Struct {
    /// Its name in the document, or one derived from its first use.
    pub name: String,
    /// Its name in Rust.
    pub ident: String,
    /// What it is.
    pub description: Option<String>,
    /// `x-size`
    pub size: Option<u64>,
    /// `x-align`
    pub align: Option<u64>,
    /// Its members; `None` if only C reads and writes it.
    pub members: Option<Vec<StructMember>>,
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StructMember {
    /// Its name.
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// Its declaration in C, without the semicolon.
    pub declaration: String,
    /// Its type for the ABI.
    pub abi: String,
    /// Its JSON Schema; `None` for a pointer that is not dereferenced.
    pub schema: Option<Value>,
    /// Whether JSON must have it.
    pub required: bool,
    /// The value that C gets if it is absent.
    pub default: Option<Value>,
}

/// Named values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Enum {
    /// Its name in the document, or one derived from its first use.
    pub name: String,
    /// Its name in Rust.
    pub ident: String,
    /// What it is.
    pub description: Option<String>,
    /// The names and values.
    pub values: Vec<(String, Value)>,
}

/// A code that functions return.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Code {
    /// The code.
    pub value: i64,
    /// Its text; empty if the document has only its name.
    pub text: String,
    /// Its name in the document, which JSON callers get.
    pub name: Option<String>,
    /// The constant in Rust.
    pub ident: String,
}

/// A type of handles.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Handle {
    /// Its name in the document.
    pub name: String,
    /// Its name in Rust.
    pub ident: String,
}
