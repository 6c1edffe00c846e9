//! Literals of Python.

use opendyn_model::plan::{Default, Encoding};

/// A value that is always the same, or stands where the caller gives none.
pub(super) fn literal(value: &Default) -> String {
    match value {
        Default::Bool(value) => if *value { "1" } else { "0" }.to_owned(),
        Default::Integer(value) => value.to_string(),
        Default::Number(value) => format!("{value:?}"),
        Default::Text(value) => text(value),
    }
}

pub(super) fn encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Utf8 => "'utf-8'",
        Encoding::Utf8Lossy => "'utf-8-lossy'",
        Encoding::Latin1 => "'latin-1'",
        Encoding::Utf16 => "'utf-16'",
        Encoding::Base64 => "'base64'",
        Encoding::Hex => "'hex'",
    }
}

/// A string.
pub(super) fn text(text: &str) -> String {
    let mut literal = "'".to_owned();
    for character in text.chars() {
        match character {
            '\'' | '\\' => literal.extend(['\\', character]),
            '\n' => literal += "\\n",
            '\r' => literal += "\\r",
            '\t' => literal += "\\t",
            control if control.is_control() => literal += &format!("\\u{:04x}", u32::from(control)),
            other => literal.push(other),
        }
    }
    literal + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_end_its_literal() {
        assert_eq!(text("it's \\ a\n\u{7}é"), "'it\\'s \\\\ a\\n\\u0007é'");
    }
}
