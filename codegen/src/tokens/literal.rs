//! Numbers and strings as Rust spells them.

use std::ffi::CStr;
use std::fmt::{Display, Write as _};

use super::ToTokens;

/// A number or a string.
#[derive(Clone)]
pub(crate) struct Literal(String);

macro_rules! numbers {
    ($($name:ident($kind:ident, $suffix:literal);)*) => {
        $(pub(crate) fn $name(value: $kind) -> Self {
            Self::number(&value, $suffix)
        })*
    };
}

impl Literal {
    numbers! {
        u8_unsuffixed(u8, "");
        u16_unsuffixed(u16, "");
        u32_unsuffixed(u32, "");
        u64_unsuffixed(u64, "");
        usize_unsuffixed(usize, "");
        i64_unsuffixed(i64, "");
        i128_unsuffixed(i128, "");
        u64_suffixed(u64, "u64");
        i32_suffixed(i32, "i32");
        i64_suffixed(i64, "i64");
        f32_suffixed(f32, "f32");
        f64_suffixed(f64, "f64");
    }

    fn number(value: &dyn Display, suffix: &str) -> Self {
        Self(format!("{value}{suffix}"))
    }

    /// A literal that is spelled already.
    pub(crate) fn spelled(text: String) -> Self {
        Self(text)
    }

    pub(crate) fn byte_string(bytes: &[u8]) -> Self {
        let mut text = "b\"".to_owned();
        for (index, byte) in bytes.iter().enumerate() {
            match byte {
                0 => text.push_str(zero(bytes.get(index + 1))),
                b'\t' => text.push_str(r"\t"),
                b'\n' => text.push_str(r"\n"),
                b'\r' => text.push_str(r"\r"),
                b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
                b' '..=b'~' => text.push(char::from(*byte)),
                _ => escaped(*byte, &mut text),
            }
        }
        text.push('"');
        Self(text)
    }

    pub(crate) fn c_string(string: &CStr) -> Self {
        let mut text = "c\"".to_owned();
        for chunk in string.to_bytes().utf8_chunks() {
            characters(chunk.valid(), &mut text);
            chunk.invalid().iter().for_each(|byte| escaped(*byte, &mut text));
        }
        text.push('"');
        Self(text)
    }
}

impl ToTokens for Literal {
    fn to_tokens(&self, text: &mut String) {
        text.push_str(&self.0);
    }
}

/// A string literal with this value.
pub(super) fn string(value: &str, text: &mut String) {
    text.push('"');
    characters(value, text);
    text.push('"');
}

/// The length of the string literal that begins here; it is raw if what is in front of it says so.
pub(crate) fn string_end(before: &str, literal: &str) -> usize {
    let word = before.trim_end_matches('#');
    let found = if word.ends_with('r') {
        let end = format!("\"{}", &before[word.len()..]);
        literal[1..].find(&end).map(|at| at + 1 + end.len())
    } else {
        let mut escaped = false;
        let ends = |character| {
            let is_end = character == '"' && !escaped;
            escaped = character == '\\' && !escaped;
            is_end
        };
        literal[1..].find(ends).map(|at| at + 2)
    };
    found.unwrap_or(literal.len())
}

fn characters(value: &str, text: &mut String) {
    // What has nothing to escape, which is most, is copied as a whole.
    if !value.contains(|character: char| !matches!(character, ' '..='~') || matches!(character, '"' | '\\')) {
        return text.push_str(value);
    }
    let mut rest = value.chars();
    while let Some(character) = rest.next() {
        match character {
            '\0' => text.push_str(zero(rest.as_str().as_bytes().first())),
            '\'' => text.push('\''),
            _ => text.extend(character.escape_debug()),
        }
    }
}

/// A zero byte in front of another, with which it must not look like an octal number.
fn zero(next: Option<&u8>) -> &'static str {
    if matches!(next, Some(b'0'..=b'7')) { r"\x00" } else { r"\0" }
}

fn escaped(byte: u8, text: &mut String) {
    // Writing to a string does not fail.
    let _ = write!(text, "\\x{byte:02X}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_spelled_as_by_proc_macro2() {
        for value in
            ["", "plain 'text'", "\0\u{1}0", "\0a", "\"\\\r\n\t", "é\u{301}\u{200b}漢\u{202e}", "\u{7f}"]
        {
            let mut text = String::new();
            string(value, &mut text);
            assert_eq!(text, proc_macro2::Literal::string(value).to_string());
            let bytes = Literal::byte_string(value.as_bytes()).0;
            assert_eq!(bytes, proc_macro2::Literal::byte_string(value.as_bytes()).to_string());
        }
        for value in [c"", c"a'b\"\\", c"\xff\xfea\xc3", c"\xc3\xa9\n"] {
            assert_eq!(Literal::c_string(value).0, proc_macro2::Literal::c_string(value).to_string());
        }
        for value in [0.0, -1.5, 1e300, 0.1, f64::MIN_POSITIVE] {
            assert_eq!(Literal::f64_suffixed(value).0, proc_macro2::Literal::f64_suffixed(value).to_string());
        }
    }
}
