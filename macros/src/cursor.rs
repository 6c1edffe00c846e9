//! Reads the tokens of the input one by one. The grammar is small, and a parser for all of Rust would cost every user
//! more compile time than the macro itself.

use crate::compiler::{Delimiter, Ident, Span, TokenStream, TokenTree};
use crate::errors::Errors;
use crate::literal::string_value;

/// A string literal: its value and its place.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) value: String,
    pub(crate) span: Span,
}

/// The remaining tokens.
pub(crate) struct Cursor {
    /// In reverse order: the next token is the last element.
    tokens: Vec<TokenTree>,
    /// The place of errors at the end of the tokens.
    end: Span,
}

impl Cursor {
    pub(crate) fn new(tokens: TokenStream, end: Span) -> Self {
        let mut all = Vec::new();
        flatten(tokens, &mut all);
        all.reverse();
        Self { tokens: all, end }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The place of the next token; for a group, its opening delimiter.
    fn span(&self) -> Span {
        match self.tokens.last() {
            Some(TokenTree::Group(group)) => group.span_open(),
            Some(token) => token.span(),
            None => self.end,
        }
    }

    /// An error at the next token.
    pub(crate) fn error(&self, message: &str) -> Errors {
        let end = if self.is_empty() { "unexpected end of input, " } else { "" };
        Errors::new(self.span(), format_args!("{end}{message}"))
    }

    /// Takes the next token, if `read` accepts it.
    fn take<T>(&mut self, read: impl FnOnce(&TokenTree) -> Option<T>) -> Option<T> {
        let read = self.tokens.last().and_then(read)?;
        self.tokens.pop();
        Some(read)
    }

    pub(crate) fn punct(&mut self, wanted: char) -> Result<(), Errors> {
        let found = self.take(|token| match token {
            TokenTree::Punct(punct) if punct.as_char() == wanted => Some(()),
            _ => None,
        });
        found.ok_or_else(|| Errors::new(self.span(), format_args!("expected `{wanted}`")))
    }

    pub(crate) fn ident(&mut self) -> Option<Ident> {
        self.take(|token| match token {
            TokenTree::Ident(ident) => Some(ident.clone()),
            _ => None,
        })
    }

    pub(crate) fn text(&mut self) -> Option<Text> {
        self.take(|token| match token {
            TokenTree::Literal(literal) => {
                Some(Text { value: string_value(&literal.to_string())?, span: literal.span() })
            }
            _ => None,
        })
    }

    /// The contents of a group with this delimiter.
    pub(crate) fn group(&mut self, delimiter: Delimiter) -> Option<Self> {
        self.take(|token| match token {
            TokenTree::Group(group) if group.delimiter() == delimiter => {
                Some(Self::new(group.stream(), group.span_close()))
            }
            _ => None,
        })
    }

    /// Reads entries separated by commas, with an optional trailing comma. After an error it continues with the next
    /// entry.
    pub(crate) fn entries(
        &mut self,
        mut entry: impl FnMut(&mut Self) -> Result<(), Errors>,
    ) -> Result<(), Errors> {
        let mut errors = Errors::default();
        while !self.is_empty() {
            let read = entry(self).and_then(|()| if self.is_empty() { Ok(()) } else { self.punct(',') });
            if let Err(error) = read {
                errors.extend(error);
                self.skip_entry();
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Skips the next comma and everything before it.
    pub(crate) fn skip_entry(&mut self) {
        while !self.is_empty() && self.punct(',').is_err() {
            self.tokens.pop();
        }
    }
}

/// Removes the invisible groups around fragments that `macro_rules!` has matched.
fn flatten(tokens: TokenStream, into: &mut Vec<TokenTree>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => flatten(group.stream(), into),
            other => into.push(other),
        }
    }
}
