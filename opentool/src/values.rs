//! JSON values as schemas see them, and as messages name them. Shared by the crates that compare values with
//! schemas: Python tools and workflows.

use serde_json::Value;

/// Readers that hold every number as a double round integers beyond this one, so larger ones travel as decimal
/// strings.
const EXACT: u128 = 1 << 53;

/// A type with its article: `an integer`.
#[must_use]
pub fn with_article(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {kind}")
}

/// The values as JSON, separated by commas.
#[must_use]
pub fn list(values: &[Value]) -> String {
    let values: Vec<String> = values.iter().map(Value::to_string).collect();
    values.join(", ")
}

/// Whether two values are equal as JSON Schema compares them, where 1 equals 1.0.
#[must_use]
pub fn same(one: &Value, other: &Value) -> bool {
    one == other || one.as_f64().is_some_and(|number| other.as_f64() == Some(number))
}

/// Whether a text is an integer beyond ±2^53, which travels as a string because many readers would round the number.
#[must_use]
pub fn is_large_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.starts_with(['+', '0']) && digits.parse::<u128>().is_ok_and(|value| value > EXACT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_string_is_an_integer_only_where_numbers_fail() {
        for (text, large) in [
            ("9007199254740992", false),
            ("9007199254740993", true),
            ("-9007199254740993", true),
            ("18446744073709551615", true),
            ("5", false),
            ("", false),
            ("-", false),
            ("09007199254740993", false),
            ("9007199254740993.0", false),
        ] {
            assert_eq!(is_large_integer(text), large, "{text}");
        }
    }
}
