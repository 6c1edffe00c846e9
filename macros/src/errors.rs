//! Compile errors with their places, collected so that one compilation shows all of them.

use std::fmt::Display;

use crate::code::tokens_at;
use crate::compiler::{Span, TokenStream};

/// Errors in the input, the document or the options.
#[derive(Debug, Default)]
pub(crate) struct Errors(Vec<(Span, String)>);

impl Errors {
    pub(crate) fn new(span: Span, message: impl Display) -> Self {
        Self(vec![(span, message.to_string())])
    }

    pub(crate) fn push(&mut self, span: Span, message: impl Display) {
        self.0.push((span, message.to_string()));
    }

    pub(crate) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One `compile_error!` per error.
    pub(crate) fn to_tokens(&self) -> TokenStream {
        let error = |(span, message): &(Span, String)| {
            tokens_at(*span, &format!("::core::compile_error! {{ {message:?} }}"))
        };
        self.0.iter().map(error).collect()
    }

    #[cfg(test)]
    pub(crate) fn messages(&self) -> Vec<&str> {
        self.0.iter().map(|(_, message)| message.as_str()).collect()
    }
}
