//! Compile errors with their places, collected so that one compilation shows all of them.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

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
        let errors =
            self.0.iter().map(|(span, message)| quote_spanned!(*span=> ::core::compile_error! { #message }));
        errors.collect()
    }

    #[cfg(test)]
    pub(crate) fn messages(&self) -> Vec<&str> {
        self.0.iter().map(|(_, message)| message.as_str()).collect()
    }
}
