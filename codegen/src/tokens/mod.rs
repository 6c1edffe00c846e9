//! Rust tokens as text, with the names and the syntax of `proc_macro2` and `quote`.
//!
//! The compiler reads text faster than tokens that are handed over one by one, and a template that is one string costs
//! every user of the macro far less compile time than one call per token: neither of those crates is compiled for it.

mod literal;
mod macros;
mod template;

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

pub(crate) use literal::{Literal, string_end};
pub(crate) use macros::{format_ident, quote, values, window, windows};
pub(crate) use template::Template;

/// Code that has balanced delimiters.
#[derive(Clone, Default)]
pub(crate) struct TokenStream(String);

impl TokenStream {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Whether it has no tokens; it may have spaces.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.trim_start().is_empty()
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }

    pub(crate) fn extend(&mut self, more: Self) {
        if self.is_empty() {
            self.0 = more.0;
        } else {
            more.to_tokens(space(&mut self.0));
        }
    }
}

impl FromStr for TokenStream {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl FromIterator<Self> for TokenStream {
    fn from_iter<I: IntoIterator<Item = Self>>(streams: I) -> Self {
        let mut all = Self::new();
        streams.into_iter().for_each(|stream| all.extend(stream));
        all
    }
}

/// A name, with `r#` where it is raw.
#[derive(Clone)]
pub(crate) struct Ident(String);

impl Ident {
    pub(crate) fn new(name: String) -> Self {
        Self(name)
    }
}

impl PartialEq<str> for Ident {
    fn eq(&self, name: &str) -> bool {
        self.0 == name
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a template takes as a value.
pub(crate) trait ToTokens {
    fn to_tokens(&self, text: &mut String);

    fn into_token_stream(self) -> TokenStream
    where
        Self: Sized,
    {
        let mut text = String::new();
        self.to_tokens(&mut text);
        TokenStream(text)
    }
}

impl ToTokens for TokenStream {
    fn to_tokens(&self, text: &mut String) {
        text.push_str(&self.0);
    }
}

impl ToTokens for Ident {
    fn to_tokens(&self, text: &mut String) {
        text.push_str(&self.0);
    }
}

impl ToTokens for bool {
    fn to_tokens(&self, text: &mut String) {
        text.push_str(if *self { "true" } else { "false" });
    }
}

/// As a string literal.
impl ToTokens for str {
    fn to_tokens(&self, text: &mut String) {
        literal::string(self, text);
    }
}

/// As a string literal.
impl ToTokens for String {
    fn to_tokens(&self, text: &mut String) {
        literal::string(self, text);
    }
}

impl<T: ToTokens + ?Sized> ToTokens for &T {
    fn to_tokens(&self, text: &mut String) {
        (**self).to_tokens(text);
    }
}

/// `None` is no tokens.
impl<T: ToTokens> ToTokens for Option<T> {
    fn to_tokens(&self, text: &mut String) {
        if let Some(value) = self {
            value.to_tokens(text);
        }
    }
}

/// The same text, where tokens can follow that are none of its last.
fn space(text: &mut String) -> &mut String {
    let touches = [b' ', b'\n', b'(', b'[', b'{', b'.', b'&', b'*', b'!', b'<', b'|'];
    if text.as_bytes().last().is_some_and(|last| !touches.contains(last)) {
        text.push(' ');
    }
    text
}
