//! Code as tokens.

use crate::compiler::{Group, Span, TokenStream, TokenTree};
use crate::errors::Errors;

/// The tokens of generated code. That they are none is a defect of the generator, shown at `span`.
pub(crate) fn tokens(code: &str, span: Span) -> Result<TokenStream, Errors> {
    code.parse().map_err(|error| Errors::new(span, format_args!("the bindings are not Rust: {error}")))
}

/// The tokens of code that is known to be Rust, all of them at `span`.
pub(crate) fn tokens_at(span: Span, code: &str) -> TokenStream {
    moved(code.parse().unwrap_or_default(), span)
}

fn moved(tokens: TokenStream, span: Span) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| {
        let mut token = match token {
            TokenTree::Group(group) => Group::new(group.delimiter(), moved(group.stream(), span)).into(),
            other => other,
        };
        token.set_span(span);
        token
    });
    tokens.collect()
}
