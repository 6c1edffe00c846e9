//! The value of a string literal.

/// The value of the literal with the source text `text`; `None` unless it is a string literal without a suffix.
pub(crate) fn string_value(text: &str) -> Option<String> {
    match text.strip_prefix('r') {
        Some(raw) => {
            let hashes = raw.len() - raw.trim_start_matches('#').len();
            let (hashes, quoted) = raw.split_at(hashes);
            Some(unquoted(quoted.strip_suffix(hashes)?)?.to_owned())
        }
        None => unescaped(unquoted(text)?),
    }
}

fn unquoted(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.strip_suffix('"')
}

fn unescaped(text: &str) -> Option<String> {
    let mut value = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(escape) = rest.find('\\') {
        value.push_str(&rest[..escape]);
        rest = &rest[escape + 1..];
        let kind = rest.chars().next()?;
        rest = &rest[kind.len_utf8()..];
        match kind {
            'n' => value.push('\n'),
            'r' => value.push('\r'),
            't' => value.push('\t'),
            '0' => value.push('\0'),
            '\\' | '\'' | '"' => value.push(kind),
            'x' => {
                value.push(code_point(rest.get(..2)?)?);
                rest = &rest[2..];
            }
            'u' => {
                let (digits, behind) = rest.strip_prefix('{')?.split_once('}')?;
                value.push(code_point(&digits.replace('_', ""))?);
                rest = behind;
            }
            // The string continues with the first character that is not white space.
            '\n' | '\r' => rest = rest.trim_start_matches([' ', '\t', '\n', '\r']),
            _ => return None,
        }
    }
    value.push_str(rest);
    Some(value)
}

fn code_point(digits: &str) -> Option<char> {
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs the value of a literal with its source text.
    macro_rules! literals {
        ($($literal:literal)*) => { [$(($literal, stringify!($literal))),*] };
    }

    #[test]
    fn a_string_has_the_value_that_it_has_in_rust() {
        let literals = literals! {
            "" "calc.json" "é\u{e9}\u{1F_600}" "\n\r\t\0\\\'\"" "\x41\x7f" r"" r"a\b" r#"a"b"# r##"a"#b"##
            "a \
               b" "\\n" "//"
        };
        for (value, text) in literals {
            assert_eq!(string_value(text).as_deref(), Some(value), "{text}");
        }
    }

    #[test]
    fn other_literals_are_not_strings() {
        for text in ["7", "'a'", "b\"a\"", "c\"a\"", "br\"a\"", "\"a\"suffix", "r#\"a\"#suffix", "1.5", "\""]
        {
            assert_eq!(string_value(text), None, "{text}");
        }
    }
}
