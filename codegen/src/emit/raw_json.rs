//! JSON in generated code.

use proc_macro2::Literal;

/// JSON as a raw string, which reads like JSON.
pub(super) fn literal(json: &str) -> Literal {
    // The compiler refuses characters that turn the direction of the text, but not as JSON escapes.
    let json = json.chars().fold(String::with_capacity(json.len()), |mut json, character| {
        match character {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                json += &format!("\\u{:04x}", u32::from(character))
            }
            _ => json.push(character),
        }
        json
    });
    let mut fence = "#".to_owned();
    while json.contains(&format!("\"{fence}")) {
        fence.push('#');
    }
    format!("r{fence}\"{json}\"{fence}").parse().unwrap_or_else(|_| Literal::string(&json))
}
