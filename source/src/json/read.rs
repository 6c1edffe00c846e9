//! The reader: RFC 8259, one pass, one frame of the stack per level of nesting.

use super::{Failure, Member, Node, Value};
use crate::span::Span;

/// No document nests deeper; the limit also bounds the stack.
const MAX_DEPTH: usize = 64;

/// What the reader is in the middle of when the text ends.
const OBJECT: &str = "an object";
const ARRAY: &str = "an array";

/// Parses a text. A byte order mark at its start is skipped, because some editors write one and none shows it.
///
/// # Errors
///
/// The text is not JSON, or nests deeper than 64 levels.
pub fn parse(source: &str) -> Result<Node, Failure> {
    let start = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut reader = Reader { source, at: start };
    reader.skip_space();
    if reader.peek().is_none() {
        return Err(Failure::Syntax { at: start, message: "it is empty".to_owned() });
    }
    let node = reader.value(0)?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(node),
        Some(_) => Err(reader.unexpected("unexpected text after the end of the document")),
    }
}

/// A text, and how much of it is read.
pub(super) struct Reader<'s> {
    pub(super) source: &'s str,
    pub(super) at: usize,
}

impl Reader<'_> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Reads `byte` if it is the next one.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Skips white space, then reads the value there.
    fn value(&mut self, depth: usize) -> Result<Node, Failure> {
        self.skip_space();
        let start = self.at;
        if depth > MAX_DEPTH {
            return Err(Failure::TooDeep { span: Span { start, end: start + 1 } });
        }
        let value = match self.peek() {
            Some(b'"') => Value::String(self.string()?),
            Some(b'{') => Value::Object(self.object(depth)?),
            Some(b'[') => Value::Array(self.array(depth)?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?.to_owned()),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            _ => return Err(self.unexpected("expected value")),
        };
        Ok(Node { value, span: Span { start, end: self.at } })
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Failure> {
        if !self.source[self.at..].starts_with(word) {
            return Err(self.unexpected("expected value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn array(&mut self, depth: usize) -> Result<Vec<Node>, Failure> {
        self.at += 1;
        let mut elements = Vec::new();
        self.skip_space();
        if self.take(b']') {
            return Ok(elements);
        }
        loop {
            self.inside(ARRAY)?;
            elements.push(self.value(depth + 1)?);
            if self.ends(b']', ARRAY)? {
                return Ok(elements);
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Vec<Member>, Failure> {
        self.at += 1;
        let mut members = Vec::new();
        self.skip_space();
        if self.take(b'}') {
            return Ok(members);
        }
        loop {
            self.inside(OBJECT)?;
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("key must be a string"));
            }
            let key = self.string()?;
            let key_span = Span { start, end: self.at };
            self.inside(OBJECT)?;
            if !self.take(b':') {
                return Err(self.unexpected("expected `:`"));
            }
            self.inside(OBJECT)?;
            members.push(Member { key, key_span, value: self.value(depth + 1)? });
            if self.ends(b'}', OBJECT)? {
                return Ok(members);
            }
        }
    }

    /// Reads what stands behind an element or a member: whether it is the end, or else a comma.
    fn ends(&mut self, close: u8, what: &str) -> Result<bool, Failure> {
        self.inside(what)?;
        if self.take(close) {
            return Ok(true);
        }
        let comma = self.at;
        if !self.take(b',') {
            return Err(self.unexpected(&format!("expected `,` or `{}`", char::from(close))));
        }
        self.inside(what)?;
        if self.peek() == Some(close) {
            let message = format!("trailing comma before `{}`", char::from(close));
            return Err(Failure::Syntax { at: comma, message });
        }
        Ok(false)
    }

    /// Skips white space, behind which there must be more of `what`.
    fn inside(&mut self, what: &str) -> Result<(), Failure> {
        self.skip_space();
        if self.peek().is_some() { Ok(()) } else { Err(self.ends_inside(what)) }
    }

    /// The text ends too early.
    pub(super) fn ends_inside(&self, what: &str) -> Failure {
        Failure::Syntax { at: self.source.trim_end().len(), message: format!("it ends inside {what}") }
    }

    /// The next character cannot stand here. What people write by mistake gets a message of its own.
    fn unexpected(&self, expected: &str) -> Failure {
        let message = match self.source[self.at..].chars().next() {
            Some('/') => "JSON has no comments".to_owned(),
            Some('\'') => "JSON strings use double quotes".to_owned(),
            Some('+' | '.') => "a number begins with a digit or `-`".to_owned(),
            Some('\u{feff}') => "a byte order mark inside the text".to_owned(),
            Some(other) if other.is_control() || other.is_whitespace() => {
                format!("the character U+{:04X} is not white space in JSON", u32::from(other))
            }
            _ => expected.to_owned(),
        };
        Failure::Syntax { at: self.at, message }
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
    fn a_byte_order_mark_is_skipped_at_the_start_only() {
        assert!(parse("\u{feff}{}").is_ok());
        assert!(parse("\u{feff}\u{feff}{}").is_err());
    }

    #[test]
    fn duplicates_and_numbers_stay_as_they_are_written() {
        let Value::Object(members) = parse(r#"{"a":1,"b":2,"a":-1.50e+999}"#).expect("JSON").value else {
            panic!("an object")
        };
        let keys: Vec<&str> = members.iter().map(|member| &*member.key).collect();
        assert_eq!(keys, ["a", "b", "a"]);
        assert!(matches!(&members[2].value.value, Value::Number(text) if text == "-1.50e+999"));
    }

    #[test]
    fn an_error_has_its_place_and_says_what_to_write() {
        // `›` stands before the place.
        for (source, expected) in [
            ("›", "it is empty"),
            ("›  \n", "it is empty"),
            ("{\n  \"é\": ›,\n}", "expected value"),
            ("{\"a\": 1›", "it ends inside an object"),
            ("[1,› \n", "it ends inside an array"),
            ("{\"a\": [1, 2] ›[", "expected `,` or `}`"),
            ("[1 ›2]", "expected `,` or `]`"),
            ("{\"a\" ›1}", "expected `:`"),
            ("{›a: 1}", "key must be a string"),
            ("[1›,]", "trailing comma before `]`"),
            ("{\"a\": 1›,\n}", "trailing comma before `}`"),
            ("{} ›{}", "unexpected text after the end of the document"),
            ("[1, ›// one\n2]", "JSON has no comments"),
            ("›'a'", "JSON strings use double quotes"),
            ("[›.5]", "a number begins with a digit or `-`"),
            ("[›+5]", "a number begins with a digit or `-`"),
            ("[5.›]", "expected a digit"),
            ("[-›x]", "expected a digit"),
            ("1e›", "it ends inside a number"),
            ("[-›012]", "a number has no leading zeros"),
            ("[›nil]", "expected value"),
            ("[›True]", "expected value"),
            ("[›\u{feff}1]", "a byte order mark inside the text"),
            ("[›\u{a0}1]", "the character U+00A0 is not white space in JSON"),
            ("[›\0]", "the character U+0000 is not white space in JSON"),
            ("[\"a›\n\"]", "a string contains a line break: write `\\n`"),
            ("[\"a›\t\"]", "a string contains a tab: write `\\t`"),
            ("[\"a›\0\"]", "a string contains the control character U+0000: write `\\u0000`"),
            ("[\"a›", "it ends inside a string"),
            ("[\"a\\n\\u00›", "it ends inside a string"),
            ("[\"›\\q\"]", "`\\q` is not an escape; a backslash itself is written `\\\\`"),
            ("[\"›\\u12x4\"]", "`\\u` needs four hexadecimal digits; a backslash itself is written `\\\\`"),
            ("[\"›\\u+123\"]", "`\\u` needs four hexadecimal digits; a backslash itself is written `\\\\`"),
            ("[\"é›\\ud83d\"]", "`\\ud83d` is half of a surrogate pair; the other half is missing"),
            ("[\"›\\ud83d\\u0041\"]", "`\\ud83d` is half of a surrogate pair; the other half is missing"),
            ("[\"›\\uDE00\"]", "`\\ude00` is half of a surrogate pair; the other half is missing"),
        ] {
            let place = source.find('›').expect("a place");
            match parse(&source.replace('›', "")) {
                Err(Failure::Syntax { at, message }) => {
                    assert_eq!((at, &*message), (place, expected), "{source:?}")
                }
                other => panic!("{source:?}: {other:?}"),
            }
        }
    }

    #[test]
    fn nesting_has_a_limit() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(parse(&nested(MAX_DEPTH + 1)).is_ok());
        for depth in [MAX_DEPTH + 2, 100_000] {
            let span = Span { start: MAX_DEPTH + 1, end: MAX_DEPTH + 2 };
            assert!(matches!(parse(&nested(depth)), Err(Failure::TooDeep { span: found }) if found == span));
        }
    }
}
