//! JSON text in generated code.

use proc_macro2::Literal;

/// JSON text as a raw string, so that it reads as JSON.
pub(super) fn literal(json: &str) -> Literal {
    let json = escaped(json);
    let mut fence = "#".to_owned();
    while json.contains(&format!("\"{fence}")) {
        fence.push('#');
    }
    format!("r{fence}\"{json}\"{fence}").parse().unwrap_or_else(|_| Literal::string(&json))
}

/// The compiler rejects characters that change the direction of text, so they become JSON escapes.
fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                escaped += &format!("\\u{:04x}", u32::from(character));
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fence_is_longer_than_any_in_the_text() {
        assert_eq!(literal(r#"{"a":1}"#).to_string(), r##"r#"{"a":1}"#"##);
        assert_eq!(literal(r##"["#"]"##).to_string(), r###"r##"["#"]"##"###);
    }

    #[test]
    fn characters_that_change_the_direction_of_text_are_escaped() {
        assert_eq!(literal("\"a\u{202e}b\"").to_string(), "r#\"\"a\\u202eb\"\"#");
    }
}
