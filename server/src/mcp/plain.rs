//! Text that a reader and a writer of values would not change.
//!
//! `rmcp` reads the arguments and the result of a call into values, and writes the values again. Some texts are others then,
//! or none: of two equal keys one is left, an integer of many digits becomes a double, and deep nesting is refused.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Values inside of each other. `rmcp` accepts about twice as many.
const DEPTH: usize = 64;
/// The keys of one object, each of which is compared with all before it.
const KEYS: usize = 64;
/// The integers that a double holds are smaller.
const DOUBLE: f64 = 9_007_199_254_740_992.0;

/// Whether `text` is an object with the same values after it was read and written. It then may be passed on as it is.
pub(super) fn is_plain_object(text: &str) -> bool {
    let mut reader = serde_json::Deserializer::from_str(text);
    text.starts_with('{') && Plain { depth: 0 }.deserialize(&mut reader).is_ok() && reader.end().is_ok()
}

/// A value at a depth. What is not plain is an error.
#[derive(Clone, Copy)]
struct Plain {
    depth: usize,
}

impl Plain {
    fn inside<E: Error>(self) -> Result<Self, E> {
        let depth = self.depth + 1;
        if depth > DEPTH { Err(E::custom("too deep")) } else { Ok(Self { depth }) }
    }
}

impl<'de> DeserializeSeed<'de> for Plain {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Plain {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    /// Also an integer that is too large for the others, and `-0`.
    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        let is_negative_zero = number == 0.0 && number.is_sign_negative();
        if number.abs() < DOUBLE && !is_negative_zero { Ok(()) } else { Err(E::custom("another number")) }
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let inside = self.inside()?;
        while items.next_element_seed(inside)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let inside = self.inside()?;
        let mut seen: Vec<Key<'de>> = Vec::new();
        while let Some(key) = members.next_key::<Key<'de>>()? {
            if seen.len() == KEYS || seen.iter().any(|other| other.0 == key.0) {
                return Err(A::Error::custom("two equal keys, or more than are compared"));
            }
            seen.push(key);
            members.next_value_seed(inside)?;
        }
        Ok(())
    }
}

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn what_is_plain_has_the_same_values_after_it_was_read_and_written() {
        for text in [
            "{}",
            r#"{"a":1,"b":-2,"c":18446744073709551615,"d":-9223372036854775808,"e":0.1,"f":1e3,"g":0.0}"#,
            r#"{"a":"\u00e9\ud83d\ude00\"\\","é":null,"":true,"b":[[],{},[{"a":1},{"a":2}]]}"#,
            " {\"a\" : 1\n}",
        ] {
            let text = text.trim_start();
            assert!(is_plain_object(text), "{text}");
            let value: Value = serde_json::from_str(text).expect("JSON");
            assert!(is_plain_object(&value.to_string()), "{value}");
        }
    }

    #[test]
    fn what_a_reader_changes_or_refuses_is_not_plain() {
        for text in [
            "",
            "[]",
            "1",
            "null",
            r#"{"a":1"#,
            r#"{"a":1}{}"#,
            r#"{"a":1,"a":2}"#,
            r#"{"a":1,"\u0061":2}"#,
            r#"{"b":[{"a":1,"a":1}]}"#,
            r#"{"a":18446744073709551616}"#,
            r#"{"a":9007199254740993.0}"#,
            r#"{"a":1e999}"#,
            r#"{"a":-0}"#,
            r#"{"a":"\ud800"}"#,
            "{\"a\":\"\n\"}",
        ] {
            assert!(!is_plain_object(text), "{text}");
        }
    }

    #[test]
    fn depth_and_keys_are_limited() {
        let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
        assert!(is_plain_object(&nested(DEPTH)));
        assert!(!is_plain_object(&nested(DEPTH + 1)));
        assert!(!is_plain_object(&nested(1_000_000)));
        let keys = |count: usize| {
            let keys: Vec<String> = (0..count).map(|number| format!("\"k{number}\":0")).collect();
            format!("{{{}}}", keys.join(","))
        };
        assert!(is_plain_object(&keys(KEYS)));
        assert!(!is_plain_object(&keys(KEYS + 1)));
    }
}
