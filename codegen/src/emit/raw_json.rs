//! JSON text in generated code.

use std::borrow::Cow;

use crate::tokens::Literal;

/// JSON text as a raw string, so that it reads as JSON.
pub(super) fn literal(json: &str) -> Literal {
    let json = escaped(json);
    let fence = "#".repeat(longest_fence(&json) + 1);
    Literal::spelled(format!("r{fence}\"{json}\"{fence}"))
}

/// The most `#` that follow a quote.
fn longest_fence(json: &str) -> usize {
    let (mut longest, mut run) = (0, None);
    for byte in json.bytes() {
        run = match (byte, run) {
            (b'"', _) => Some(0),
            (b'#', Some(length)) => Some(length + 1),
            _ => None,
        };
        longest = longest.max(run.unwrap_or(0));
    }
    longest
}

/// The compiler rejects characters that change the direction of text, so they become JSON escapes.
fn escaped(json: &str) -> Cow<'_, str> {
    let turns = |character: char| matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if json.is_ascii() || !json.contains(turns) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if turns(character) {
            escaped += &format!("\\u{:04x}", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::ToTokens as _;

    #[test]
    fn the_fence_is_longer_than_any_in_the_text() {
        assert_eq!(literal(r#"{"a":1}"#).into_token_stream().into_text(), r##"r#"{"a":1}"#"##);
        assert_eq!(literal(r##"["#"]"##).into_token_stream().into_text(), r###"r##"["#"]"##"###);
    }

    #[test]
    fn characters_that_change_the_direction_of_text_are_escaped() {
        assert_eq!(literal("\"a\u{202e}b\"").into_token_stream().into_text(), "r#\"\"a\\u202eb\"\"#");
    }
}
