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

/// One function, as C, Rust and JSON have it.
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
    /// How many parameters stand before `...`.
    pub variadic: Option<usize>,
    /// Whether the library may lack it.
    pub optional: bool,
    /// The method in Rust.
    pub signature: Signature,
    /// Why JSON cannot call it; `None` if it can.
    pub refused: Option<String>,
    /// What a JSON call gives.
    pub arguments: Vec<Exchanged>,
    /// What a JSON call gets.
    pub results: Vec<Exchanged>,
    /// The codes of success, if the return value is a code.
    pub success: Option<Vec<i64>>,
    /// Hints for models.
    pub annotations: Annotations,
}

/// A parameter of C, or what C returns.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name in the document.
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// The type as C spells it.
    pub c_type: String,
    /// The type as the ABI sees it: equal for two spellings of one type.
    pub abi: String,
    /// Who gives the value, and who gets it.
    pub role: Role,
    /// How many elements it has, or has room for, as text.
    pub length: Option<String>,
    /// Where C leaves how many of them it wrote: a parameter, or `return`.
    pub written: Option<String>,
    /// The function that frees it.
    pub free: Option<String>,
    /// The parameter whose handle it lives in.
    pub parent: Option<String>,
    /// Whether NULL is a value that C may leave.
    pub nullable: bool,
    /// The type of the handle or state that it is.
    pub handle: Option<String>,
}

/// Who gives a parameter, and who gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// The caller gives it.
    In,
    /// It is a result.
    Out,
    /// The caller gives it, and gets it back.
    InOut,
    /// The call frees or ends it.
    Ends,
    /// None of these: what it is, such as the length of `xs`.
    Derived(String),
}

/// The method of a function in Rust. Types are spelled without paths.
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
    /// handle and an enum have their name as `title`; the `format` of a handle is `token`. `contentEncoding` tells
    /// how bytes are spelled, and `x-length` how many a string stands for.
    pub schema: Value,
    /// Whether every call gives it.
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
    /// Its type as the ABI sees it.
    pub abi: String,
    /// Its JSON Schema; `None` for a pointer that is not followed.
    pub schema: Option<Value>,
    /// Whether JSON must give it.
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
    /// Its text.
    pub text: String,
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
