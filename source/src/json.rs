//! A document as a tree in which every key and value has its place.
//!
//! serde_json does the parsing. The places come from `RawValue`, which borrows from the source: the address
//! of a value gives its offset. This module does not know what the keys mean.

use std::fmt;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::span::Span;

/// Deeper than any real document; deeper nesting is refused early.
const MAX_DEPTH: usize = 64;

/// A value and its place.
#[derive(Debug)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Its place.
    pub span: Span,
}

/// A JSON value.
#[derive(Debug)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(String),
    /// A string, without quotes and escapes.
    String(String),
    /// The elements.
    Array(Vec<Node>),
    /// The members, including duplicates.
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Debug)]
pub struct Member {
    /// The key, without quotes and escapes.
    pub key: String,
    /// The place of the key, including quotes.
    pub key_span: Span,
    /// The value of the key.
    pub value: Node,
}

impl Value {
    /// The JSON type, with an article.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

/// Why a text cannot be parsed.
#[derive(Debug)]
pub enum Failure {
    /// The text is not JSON.
    Syntax {
        /// The byte offset of the problem.
        at: usize,
        /// What the problem is.
        message: String,
    },
    /// The text nests too deep.
    TooDeep {
        /// The first value that is too deep.
        span: Span,
    },
}

/// Parses a text.
///
/// # Errors
///
/// The text is not JSON, or nests deeper than 64 levels.
pub fn parse(source: &str) -> Result<Node, Failure> {
    // Editors on Windows may write a byte order mark, which is invisible but not allowed in JSON.
    let start = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let parser = Parser { source };
    let raw = parser.deserialize::<&RawValue>(&source[start..])?;
    parser.node(raw, 0)
}

struct Parser<'s> {
    source: &'s str,
}

impl<'s> Parser<'s> {
    /// The offset of `text`, which must be a part of the source.
    fn offset(&self, text: &str) -> usize {
        text.as_ptr().addr() - self.source.as_ptr().addr()
    }

    fn deserialize<T: serde::Deserialize<'s>>(&self, text: &'s str) -> Result<T, Failure> {
        serde_json::from_str(text).map_err(|error| self.failure(text, &error))
    }

    fn failure(&self, text: &str, error: &serde_json::Error) -> Failure {
        let line: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        // serde_json counts bytes, from 1.
        let near = (line + error.column().saturating_sub(1)).min(text.len());
        let full = error.to_string();
        let message = full.split(" at line ").next().unwrap_or(&full);
        // Within a string, serde_json reports the byte next to the wrong one.
        let within = if error.is_eof() {
            text.trim_end().len()
        } else if message.contains("control character") {
            text.as_bytes()[near..].iter().position(|byte| *byte < b' ').map_or(near, |ahead| near + ahead)
        } else if message.contains("escape") || message.contains("surrogate") {
            text.as_bytes()[..near].iter().rposition(|byte| *byte == b'\\').unwrap_or(near)
        } else {
            near
        };
        let before = text[..floor_char_boundary(text, within)].trim_end();
        let message = match text.as_bytes().get(within) {
            Some(b'/') => "JSON has no comments".to_owned(),
            Some(close @ (b']' | b'}')) if before.ends_with(',') => {
                format!("a comma stands before `{}`", char::from(*close))
            }
            _ => message.replace("EOF while parsing", "it ends inside"),
        };
        Failure::Syntax { at: self.offset(text) + floor_char_boundary(text, within), message }
    }

    fn node(&self, raw: &'s RawValue, depth: usize) -> Result<Node, Failure> {
        let text = raw.get();
        let start = self.offset(text);
        let span = Span { start, end: start + text.len() };
        if depth > MAX_DEPTH {
            return Err(Failure::TooDeep { span: Span { start, end: start + 1 } });
        }
        let value = match text.as_bytes().first() {
            Some(b'{') => Value::Object(self.members(text, start, depth)?),
            Some(b'[') => {
                let Elements(elements) = self.deserialize(text)?;
                let nodes: Result<_, _> =
                    elements.into_iter().map(|element| self.node(element, depth + 1)).collect();
                Value::Array(nodes?)
            }
            Some(b'"') => Value::String(self.deserialize(text)?),
            Some(b't') => Value::Bool(true),
            Some(b'f') => Value::Bool(false),
            Some(b'n') => Value::Null,
            _ => Value::Number(text.to_owned()),
        };
        Ok(Node { value, span })
    }

    fn members(&self, text: &'s str, start: usize, depth: usize) -> Result<Vec<Member>, Failure> {
        let Members(members) = self.deserialize(text)?;
        let mut cursor = start + 1;
        let mut nodes = Vec::with_capacity(members.len());
        for (key, raw) in members {
            let value = self.node(raw, depth + 1)?;
            // Between the previous value and this one are white space, a comma, the key and a colon, so the
            // key begins at the first quote.
            let between = &self.source[cursor..value.span.start];
            let open = between.find('"').unwrap_or(0);
            let close = between.rfind('"').unwrap_or(open);
            let key_span = Span { start: cursor + open, end: cursor + close + 1 };
            cursor = value.span.end;
            nodes.push(Member { key, key_span, value });
        }
        Ok(nodes)
    }
}

fn floor_char_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The members of an object, including duplicates, with unparsed values.
struct Members<'s>(Vec<(String, &'s RawValue)>);

impl<'de: 's, 's> serde::Deserialize<'de> for Members<'s> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All<'s>(std::marker::PhantomData<&'s ()>);
        impl<'de: 's, 's> Visitor<'de> for All<'s> {
            type Value = Members<'s>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(All(std::marker::PhantomData))
    }
}

/// The elements of an array, unparsed.
struct Elements<'s>(Vec<&'s RawValue>);

impl<'de: 's, 's> serde::Deserialize<'de> for Elements<'s> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All<'s>(std::marker::PhantomData<&'s ()>);
        impl<'de: 's, 's> Visitor<'de> for All<'s> {
            type Value = Elements<'s>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
                let mut elements = Vec::new();
                while let Some(element) = sequence.next_element()? {
                    elements.push(element);
                }
                Ok(Elements(elements))
            }
        }
        deserializer.deserialize_seq(All(std::marker::PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_and_value_knows_its_place() {
        let source = "{ \"a\" : [1, \"é\"] ,\n \"a\\u0062\":{\"c\":null}}";
        let Value::Object(members) = parse(source).expect("JSON").value else { panic!("an object") };
        let text = |span: Span| &source[span.start..span.end];
        assert_eq!(text(members[0].key_span), "\"a\"");
        assert_eq!(text(members[0].value.span), "[1, \"é\"]");
        assert_eq!((members[1].key.as_str(), text(members[1].key_span)), ("ab", "\"a\\u0062\""));
        assert_eq!(crate::span::Lines::new(source).locate(members[1].value.span.start), (2, 12));
        let Value::Array(elements) = &members[0].value.value else { panic!("an array") };
        assert_eq!(text(elements[1].span), "\"é\"");
    }

    #[test]
    fn a_byte_order_mark_is_not_seen() {
        assert!(parse("\u{feff}{}").is_ok());
    }

    #[test]
    fn errors_have_their_place() {
        let source = "{\n  \"é\": ,\n}";
        let Err(Failure::Syntax { at, message }) = parse(source) else { panic!("a syntax error") };
        assert_eq!(&source[at..=at], ",");
        assert_eq!(message, "expected value");
    }

    #[test]
    fn deep_nesting_is_refused() {
        let source = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(matches!(parse(&source), Err(Failure::TooDeep { .. })));
    }
}
