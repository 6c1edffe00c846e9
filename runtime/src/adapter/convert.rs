//! Which values a field accepts, and the word for each.
//!
//! Both readers use this, so JSON text, a `serde_json::Value` and MessagePack have the same rules.

use super::EXACT;
use super::arena::Arena;
use super::fault::Fault;
use super::kind::Kind;
use super::number::{self, Whole};

pub(crate) fn boolean(kind: Kind, value: bool) -> Result<u64, Fault> {
    match kind {
        Kind::Boolean | Kind::Truth(_) => Ok(value.into()),
        Kind::Bits(bits) if bits.is_truth() => Ok(value.into()),
        _ => Err(Fault::wrong_type(value, "a boolean", kind)),
    }
}

/// Converts the text of a JSON number.
pub(crate) fn number(kind: Kind, text: &str) -> Result<u64, Fault> {
    match kind {
        Kind::Integer(_) | Kind::Choice(_) => match number::whole(text) {
            Whole::Value { negative, magnitude } => {
                kind.word(negative, magnitude).ok_or_else(|| Fault::out_of_range(text, kind))
            }
            Whole::TooLarge => Err(Fault::out_of_range(text, kind)),
            Whole::Fraction => Err(Fault::wrong_type(text, "not an integer", kind)),
        },
        // Parsed directly: rounding to double first and then to float can be off by one.
        Kind::Float => match text.parse::<f32>() {
            Ok(value) if value.is_finite() => Ok(value.to_bits().into()),
            _ => Err(Fault::out_of_range(text, kind)),
        },
        Kind::Double => match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value.to_bits()),
            _ => Err(Fault::out_of_range(text, kind)),
        },
        Kind::Within(within) => within.check(number(within.of, text)?),
        Kind::Bits(bits) if !bits.is_truth() => match number::whole(text) {
            Whole::Value { negative, magnitude } => {
                bits.word(negative, magnitude).ok_or_else(|| bits.beyond(text))
            }
            Whole::TooLarge => Err(bits.beyond(text)),
            Whole::Fraction => Err(Fault::wrong_type(text, "not an integer", kind)),
        },
        _ => Err(Fault::wrong_type(text, "a number", kind)),
    }
}

/// Converts an integer from a format that has integers.
pub(crate) fn integer(kind: Kind, negative: bool, magnitude: u64) -> Result<u64, Fault> {
    let value = if negative { -i128::from(magnitude) } else { i128::from(magnitude) };
    match kind {
        Kind::Integer(range) => {
            range.word(negative, magnitude).ok_or_else(|| Fault::out_of_range(value, kind))
        }
        Kind::Choice(_) => kind.word(negative, magnitude).ok_or_else(|| Fault::out_of_range(value, kind)),
        Kind::Float => Ok((value as f32).to_bits().into()),
        Kind::Double => Ok((value as f64).to_bits()),
        Kind::Within(within) => within.check(integer(within.of, negative, magnitude)?),
        Kind::Bits(bits) if !bits.is_truth() => {
            bits.word(negative, magnitude).ok_or_else(|| bits.beyond(value))
        }
        _ => Err(Fault::wrong_type(value, "a number", kind)),
    }
}

/// Converts a float from a format that has floats. `text_only` formats have no NaN and no infinity;
/// others may pass them to C.
pub(crate) fn float(kind: Kind, value: f64, text_only: bool) -> Result<u64, Fault> {
    match kind {
        Kind::Integer(_) | Kind::Choice(_) if value.is_finite() && value.fract() == 0.0 => {
            if value.abs() > EXACT as f64 {
                // The sender may have rounded it, which cannot be detected here.
                return Err(Fault::new(format!(
                    "{value:e} is a float beyond ±2^53, where floats cannot represent every integer; \
                     expected {kind}, as an integer or a decimal string"
                )));
            }
            integer(kind, value < 0.0, value.abs() as u64)
        }
        Kind::Integer(_) | Kind::Choice(_) => Err(Fault::wrong_type(value, "not an integer", kind)),
        Kind::Float | Kind::Double if !value.is_finite() => {
            if text_only {
                Err(Fault::out_of_range(value, kind))
            } else if matches!(kind, Kind::Float) {
                Ok((value as f32).to_bits().into())
            } else {
                Ok(value.to_bits())
            }
        }
        Kind::Float => match value as f32 {
            narrow if narrow.is_finite() => Ok(narrow.to_bits().into()),
            _ => Err(Fault::out_of_range(value, kind)),
        },
        Kind::Double => Ok(value.to_bits()),
        Kind::Within(within) => within.check(float(within.of, value, text_only)?),
        Kind::Bits(bits) if !bits.is_truth() => {
            if value.fract() == 0.0 && value.abs() <= EXACT as f64 {
                integer(kind, value < 0.0, value.abs() as u64)
            } else {
                Err(Fault::wrong_type(value, "not an integer", kind))
            }
        }
        _ => Err(Fault::wrong_type(value, "a number", kind)),
    }
}

pub(crate) fn string(kind: Kind, value: &str, arena: &mut Arena) -> Result<u64, Fault> {
    match kind {
        Kind::Str | Kind::Handle(_) => {
            has_no_nul(kind, value)?;
            arena.push_str(value.as_bytes())
        }
        Kind::Character => match value.as_bytes() {
            [byte] => Ok((*byte).into()),
            bytes => Err(Fault::new(format!("{value:?} is {} bytes long; expected {kind}", bytes.len()))),
        },
        Kind::Text(text) => text.keep(value, arena),
        Kind::Within(within) if kind.is_wide() => within.check(string(within.of, value, arena)?),
        // "3" is not an integer; beyond 2^53, integers are passed as strings to stay exact.
        Kind::Integer(_) | Kind::Choice(_) if kind.is_wide() => match number::decimal(value) {
            Some(Whole::Value { negative, magnitude }) if magnitude > EXACT => {
                kind.word(negative, magnitude).ok_or_else(|| Fault::out_of_range(value, kind))
            }
            Some(Whole::TooLarge) => Err(Fault::out_of_range(value, kind)),
            _ => Err(Fault::wrong_type(format_args!("{value:?}"), "a string", kind)),
        },
        _ => Err(Fault::wrong_type(format_args!("{value:?}"), "a string", kind)),
    }
}

/// Converts a string inside a list or a record, at byte offset `at` of the arena.
pub(crate) fn string_in_place(kind: Kind, value: &str, at: usize, arena: &mut Arena) -> Result<(), Fault> {
    match kind {
        Kind::Str | Kind::Handle(_) => {
            has_no_nul(kind, value)?;
            arena.point(at, value.as_bytes())
        }
        Kind::Nullable(of) => string_in_place(*of, value, at, arena),
        Kind::Text(text) => text.place(value, at, arena),
        Kind::Many(many) => many.place_text(value, at, arena),
        _ if kind.is_only_null() => {
            Err(Fault::wrong_type(format_args!("{value:?}"), "a string", Kind::Opaque))
        }
        _ => {
            let word = string(kind, value, arena)?;
            arena.put_as(kind, at, word);
            Ok(())
        }
    }
}

/// Converts bytes from a format that has bytes, where JSON has their text in base64 or hex.
pub(crate) fn bytes(kind: Kind, value: &[u8], arena: &mut Arena) -> Result<u64, Fault> {
    match kind {
        Kind::Text(text) if text.takes_bytes() => text.keep_bytes(value, arena),
        _ => Err(Fault::wrong_type("the value", "bytes", kind)),
    }
}

/// As [`bytes`], inside a list or a record, at byte offset `at` of the arena.
pub(crate) fn bytes_in_place(kind: Kind, value: &[u8], at: usize, arena: &mut Arena) -> Result<(), Fault> {
    match kind {
        Kind::Nullable(of) => bytes_in_place(*of, value, at, arena),
        Kind::Text(text) if text.takes_bytes() => text.place_bytes("bytes", value, at, arena),
        Kind::Many(many) => many.place_bytes(value, at, arena),
        _ => Err(Fault::wrong_type("the value", "bytes", kind)),
    }
}

fn has_no_nul(kind: Kind, value: &str) -> Result<(), Fault> {
    match value.bytes().position(|byte| byte == 0) {
        None => Ok(()),
        Some(place) => Err(Fault::nul("byte", place, kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::kind::Choice;
    use super::*;

    #[test]
    fn only_wide_integers_are_passed_as_strings() {
        let mut arena = Arena::new();
        assert_eq!(
            string(Kind::LONG_LONG, "-9007199254740993", &mut arena).ok(),
            Some((-9_007_199_254_740_993_i64) as u64)
        );
        assert!(string(Kind::LONG_LONG, "3", &mut arena).is_err());
        assert!(string(Kind::INT, "9007199254740993", &mut arena).is_err());
        let beyond = string(Kind::LONG_LONG, "9223372036854775808", &mut arena).expect_err("beyond");
        assert!(beyond.to_string().contains("does not fit long long"), "{beyond}");
    }

    #[test]
    fn a_choice_refuses_other_values() {
        static LEVEL: Choice = Choice { integer: Kind::LONG_LONG, values: &[(0, "low"), (1 << 60, "high")] };
        let level = Kind::Choice(&LEVEL);
        let mut arena = Arena::new();
        assert_eq!(number(level, "0.0").ok(), Some(0));
        assert_eq!(string(level, "1152921504606846976", &mut arena).ok(), Some(1 << 60));
        for refused in [
            number(level, "7"),
            integer(level, false, 7),
            float(level, 7.0, true),
            string(level, "1152921504606846977", &mut arena),
        ] {
            let message = refused.expect_err("not in it").to_string();
            assert!(message.ends_with(" is not one of 0 (low), 1152921504606846976 (high)"), "{message}");
        }
        assert_eq!(
            boolean(level, true).expect_err("not an integer").to_string(),
            "true is a boolean; expected one of 0 (low), 1152921504606846976 (high)"
        );
    }

    #[test]
    fn floats_with_integer_values_are_integers() {
        assert_eq!(float(Kind::INT, -3.0, true).ok(), Some((-3_i64) as u64));
        assert!(float(Kind::INT, 2.5, true).is_err());
        assert!(float(Kind::INT, f64::NAN, false).is_err());
        assert!(float(Kind::UNSIGNED_LONG_LONG, 9_007_199_254_740_992.0, true).is_ok());
        let rounded =
            float(Kind::UNSIGNED_LONG_LONG, 9_007_199_254_740_994.0, true).expect_err("beyond 2^53");
        assert!(rounded.to_string().contains("beyond ±2^53"), "{rounded}");
    }

    #[test]
    fn float_keeps_to_its_range() {
        assert!(number(Kind::Float, "1e39").is_err());
        assert!(float(Kind::Float, 1e39, false).is_err());
        assert!(number(Kind::Double, "1e400").is_err());
        assert!(float(Kind::Double, f64::INFINITY, true).is_err());
        assert_eq!(float(Kind::Double, f64::INFINITY, false).ok(), Some(f64::INFINITY.to_bits()));
    }
}
