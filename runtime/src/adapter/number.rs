//! JSON numbers: where they end, and their integer values.

/// The end of the JSON number that begins at `start`, or the position of the error.
pub(crate) fn scan(text: &[u8], start: usize) -> Result<usize, usize> {
    let byte = |at: usize| text.get(at).copied().unwrap_or(0);
    let digits = |mut at: usize| {
        while byte(at).is_ascii_digit() {
            at += 1;
        }
        at
    };
    let some_digits = |at: usize| if byte(at).is_ascii_digit() { Ok(digits(at)) } else { Err(at) };

    let mut at = start + usize::from(byte(start) == b'-');
    at = if byte(at) == b'0' { at + 1 } else { some_digits(at)? };
    if byte(at) == b'.' {
        at = some_digits(at + 1)?;
    }
    if matches!(byte(at), b'e' | b'E') {
        at = some_digits(at + 1 + usize::from(matches!(byte(at + 1), b'+' | b'-')))?;
    }
    Ok(at)
}

/// The integer value of a number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    /// An integer whose magnitude fits 64 bits.
    Value { negative: bool, magnitude: u64 },
    /// A larger integer.
    TooLarge,
    /// Not an integer.
    Fraction,
}

/// The integer value of a JSON number, computed from its digits: `3.0` is 3, `1e3` is 1000, and
/// 2^63+1 is not rounded.
pub(crate) fn whole(number: &str) -> Whole {
    let (negative, number) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number),
    };
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));

    let digits: String = [integer, fraction].concat();
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Whole::Value { negative: false, magnitude: 0 };
    }
    let trailing_zeros = digits.len() - digits.trim_end_matches('0').len();
    // With an exponent that does not fit, the number is too large or a fraction.
    let Ok(exponent) = exponent.parse::<i32>() else {
        return if exponent.starts_with('-') { Whole::Fraction } else { Whole::TooLarge };
    };
    let scale = i64::from(exponent) - fraction.len() as i64 + trailing_zeros as i64;
    if scale < 0 {
        return Whole::Fraction;
    }
    let magnitude = u32::try_from(scale)
        .ok()
        .and_then(|scale| 10_u64.checked_pow(scale))
        .and_then(|power| significant.parse::<u64>().ok()?.checked_mul(power));
    match magnitude {
        Some(magnitude) => Whole::Value { negative, magnitude },
        None => Whole::TooLarge,
    }
}

/// The integer in a decimal string such as `-9007199254740993`, written as JSON would write it;
/// `None` for any other string.
pub(crate) fn decimal(text: &str) -> Option<Whole> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if digits.is_empty() || digits.starts_with('0') || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(digits.parse().map_or(Whole::TooLarge, |magnitude| Whole::Value { negative, magnitude }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(number: &str) -> Option<i128> {
        match whole(number) {
            Whole::Value { negative: true, magnitude } => Some(-i128::from(magnitude)),
            Whole::Value { negative: false, magnitude } => Some(i128::from(magnitude)),
            Whole::TooLarge | Whole::Fraction => None,
        }
    }

    #[test]
    fn integers_in_other_notations_are_integers() {
        for (text, expected) in [
            ("3.0", 3),
            ("-0", 0),
            ("-0.0", 0),
            ("1e3", 1000),
            ("12.50e1", 125),
            ("-1200e-2", -12),
            ("0e999999999999", 0),
            ("18446744073709551615", u64::MAX.into()),
            ("9007199254740993.0", 9_007_199_254_740_993),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn fractions_and_large_integers_are_distinguished() {
        for text in ["0.5", "1e-1", "12.5", "1e-99999999999"] {
            assert_eq!(whole(text), Whole::Fraction, "{text}");
        }
        for text in ["18446744073709551616", "1e400", "1e99999999999", "123e18"] {
            assert_eq!(whole(text), Whole::TooLarge, "{text}");
        }
    }

    #[test]
    fn a_number_ends_where_json_says() {
        for (text, end) in [("0", 1), ("-1.5e+3,", 7), ("01", 1), ("1.5.2", 3), ("2E9}", 3)] {
            assert_eq!(scan(text.as_bytes(), 0), Ok(end), "{text}");
        }
        for (text, stop) in [("-", 1), (".5", 0), ("1.", 2), ("1e", 2), ("1e+", 3), ("-x", 1)] {
            assert_eq!(scan(text.as_bytes(), 0), Err(stop), "{text}");
        }
    }

    #[test]
    fn decimal_strings_are_plain() {
        let negative = Whole::Value { negative: true, magnitude: 9_007_199_254_740_993 };
        assert_eq!(decimal("-9007199254740993"), Some(negative));
        assert_eq!(decimal("18446744073709551616"), Some(Whole::TooLarge));
        for text in ["", "-", "+1", "007", "1e3", "1.0", " 1"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }
}
