//! What lowering returns: every function that could be lowered, also where others have errors.

use crate::plan::{Binding, CSignature, Convention, Function, Json, Types};
use crate::span::Spanned;

/// A document after lowering.
#[derive(Debug)]
pub struct Lowered {
    /// The functions that have a name, in the order of the document.
    pub functions: Vec<Declaration>,
    /// The structs, enums and handles.
    pub types: Types,
    /// The calling convention; `None` if the document has none, or an unknown one.
    pub convention: Option<Convention>,
    /// The binding without its functions and types, if every part of the document could be lowered.
    pub(super) rest: Option<Box<Binding>>,
}

/// A function of the document, and its plan.
#[derive(Debug)]
pub struct Declaration {
    /// The name in the document.
    pub name: Spanned<String>,
    /// The name in the library.
    pub symbol: Spanned<String>,
    /// Whether it is a function of the library. One with `x-member` only reads memory.
    pub is_exported: bool,
    /// Whether the library must have it.
    pub is_required: bool,
    /// Its plan; or, if the document has errors there, its C signature, if that is known. Indices of functions in
    /// a plan count all functions of the document.
    pub plan: Result<Function, Option<CSignature>>,
}

impl Declaration {
    /// Its C signature, if that is known.
    #[must_use]
    pub fn signature(&self) -> Option<&CSignature> {
        match &self.plan {
            Ok(plan) => Some(&plan.signature),
            Err(signature) => signature.as_ref(),
        }
    }
}

impl Lowered {
    /// The binding, if every part of the document could be lowered. It is to be used only if no errors were
    /// reported.
    #[must_use]
    pub fn binding(self) -> Option<Binding> {
        let rest = *self.rest?;
        let functions: Vec<Function> =
            self.functions.into_iter().map(|declaration| declaration.plan.ok()).collect::<Option<_>>()?;
        let uses_handles = functions.iter().any(|function| match &function.json {
            Json::Callable(call) => call.uses_handles,
            Json::Refused(_) => false,
        });
        Some(Binding { functions, uses_handles, types: self.types, ..rest })
    }
}
