//! Integers with their C type, for constant expressions.

use crate::Target;

/// An integer and its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) value: i128,
    /// In bytes.
    pub(super) size: u64,
    pub(super) signed: bool,
}

impl Value {
    pub(super) fn int(value: i128) -> Self {
        Self { value, size: 4, signed: true }
    }

    /// The value converted to the type of this size and sign; excess bits are cut off.
    pub(super) fn cast(self, size: u64, signed: bool) -> Self {
        let bits = size * 8;
        if bits == 0 || bits >= 128 {
            return Self { value: self.value, size, signed };
        }
        let modulus = 1_i128 << bits;
        let mut value = self.value.rem_euclid(modulus);
        if signed && value >= modulus / 2 {
            value -= modulus;
        }
        Self { value, size, signed }
    }

    /// The integer promotions of C.
    pub(super) fn promoted(self) -> Self {
        if self.size < 4 { self.cast(4, true) } else { self }
    }

    /// Both values, converted to their common type.
    fn common(self, other: Self) -> (Self, Self) {
        let (a, b) = (self.promoted(), other.promoted());
        let size = a.size.max(b.size);
        // The larger type wins; for equal sizes, the unsigned one.
        let signed = match a.size.cmp(&b.size) {
            std::cmp::Ordering::Greater => a.signed,
            std::cmp::Ordering::Less => b.signed,
            std::cmp::Ordering::Equal => a.signed && b.signed,
        };
        (a.cast(size, signed), b.cast(size, signed))
    }

    /// `self operator other`; `None` if undefined in C, or if it is not an operator.
    pub(super) fn binary(self, operator: &str, other: Self) -> Option<Self> {
        if matches!(operator, "<<" | ">>") {
            let left = self.promoted();
            let by = u32::try_from(other.value).ok().filter(|by| u64::from(*by) < left.size * 8)?;
            let value = if operator == "<<" { left.value.checked_shl(by)? } else { left.value >> by };
            return Some(Self { value, ..left }.cast(left.size, left.signed));
        }
        let (a, b) = self.common(other);
        let truth = |truth: bool| Some(Self::int(i128::from(truth)));
        let value = match operator {
            "+" => a.value.checked_add(b.value)?,
            "-" => a.value.checked_sub(b.value)?,
            "*" => a.value.checked_mul(b.value)?,
            "/" => a.value.checked_div(b.value)?,
            "%" => a.value.checked_rem(b.value)?,
            "&" => a.value & b.value,
            "|" => a.value | b.value,
            "^" => a.value ^ b.value,
            "==" => return truth(a.value == b.value),
            "!=" => return truth(a.value != b.value),
            "<" => return truth(a.value < b.value),
            ">" => return truth(a.value > b.value),
            "<=" => return truth(a.value <= b.value),
            ">=" => return truth(a.value >= b.value),
            "&&" => return truth(a.value != 0 && b.value != 0),
            "||" => return truth(a.value != 0 || b.value != 0),
            _ => return None,
        };
        Some(Self { value, ..a }.cast(a.size, a.signed))
    }

    /// An integer literal: its type is the first that can hold it.
    pub(super) fn literal(text: &str, target: &Target) -> Option<Self> {
        let text = text.replace('\'', "").to_ascii_lowercase();
        let digits_end = |radix: u32, from: usize| {
            text.get(from..)?
                .find(|digit: char| !digit.is_digit(radix))
                .map_or(Some(text.len()), |end| Some(from + end))
        };
        let (radix, from) = match text.as_bytes() {
            [b'0', b'x', ..] => (16, 2),
            [b'0', b'b', ..] => (2, 2),
            [b'0', ..] => (8, 0),
            _ => (10, 0),
        };
        let end = digits_end(radix, from)?;
        let value = i128::from_str_radix(text.get(from..end)?, radix).ok()?;
        let (unsigned, longs) = match text.get(end..)? {
            "" => (false, 0),
            "u" => (true, 0),
            "l" => (false, 1),
            "ul" | "lu" => (true, 1),
            "ll" | "i64" => (false, 2),
            "ull" | "llu" | "ui64" => (true, 2),
            _ => return None,
        };
        for (rank, size) in [(0, 4), (1, target.long), (2, 8)] {
            let bits = size * 8;
            if rank < longs {
                continue;
            }
            if !unsigned && value < 1 << (bits - 1) {
                return Some(Self { value, size, signed: true });
            }
            if (unsigned || radix != 10) && value < 1 << bits {
                return Some(Self { value, size, signed: false });
            }
        }
        (value < 1 << 64).then_some(Self { value, size: 8, signed: false })
    }

    /// A character constant: `'a'`, `'\n'`, `'\x7f'`.
    pub(super) fn character(text: &str, target: &Target) -> Option<Self> {
        let wide = !text.starts_with('\'');
        let inner = text.trim_start_matches(['L', 'u', 'U', '8']).strip_prefix('\'')?.strip_suffix('\'')?;
        let mut characters = inner.chars();
        let value = match (characters.next()?, characters.as_str()) {
            ('\\', escape) => escaped(escape)?,
            (plain, "") => i128::from(u32::from(plain)),
            // The value of several characters depends on the compiler.
            _ => return None,
        };
        let value = Self::int(value);
        Some(if wide { value } else { value.cast(1, target.char_signed).cast(4, true) })
    }
}

fn escaped(escape: &str) -> Option<i128> {
    let simple = match escape {
        "n" => '\n',
        "t" => '\t',
        "r" => '\r',
        "a" => '\x07',
        "b" => '\x08',
        "f" => '\x0c',
        "v" => '\x0b',
        "e" => '\x1b',
        "\\" => '\\',
        "'" => '\'',
        "\"" => '"',
        "?" => '?',
        _ => {
            return match escape.strip_prefix('x') {
                Some(hex) => i128::from_str_radix(hex, 16).ok(),
                None => i128::from_str_radix(escape, 8).ok(),
            };
        }
    };
    Some(i128::from(u32::from(simple)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(text: &str) -> Option<(i128, u64, bool)> {
        let target = Target::of_triple("x86_64-unknown-linux-gnu")?;
        Value::literal(text, &target).map(|value| (value.value, value.size, value.signed))
    }

    #[test]
    fn a_literal_has_the_first_type_that_holds_it() {
        assert_eq!(literal("2147483647"), Some((2_147_483_647, 4, true)));
        assert_eq!(literal("2147483648"), Some((2_147_483_648, 8, true)));
        assert_eq!(literal("0x80000000"), Some((0x8000_0000, 4, false)));
        assert_eq!(literal("010"), Some((8, 4, true)));
        assert_eq!(literal("0"), Some((0, 4, true)));
        assert_eq!(literal("0b101u"), Some((5, 4, false)));
        assert_eq!(literal("0xFFFFFFFFFFFFFFFFull"), Some((u64::MAX.into(), 8, false)));
        assert_eq!(literal("1.5"), None);
        assert_eq!(literal("99999999999999999999999999999999999999999999"), None);
    }

    #[test]
    fn integers_are_computed_in_the_type_of_c() {
        let unsigned = Value { value: 0, size: 4, signed: false };
        let minus = Value::int(-1);
        assert_eq!(minus.binary("+", unsigned).map(|value| value.value), Some(u32::MAX.into()));
        assert_eq!(minus.binary("<", unsigned).map(|value| value.value), Some(0));
        assert_eq!(
            Value::int(1).binary("<<", Value::int(31)).map(|value| value.value),
            Some(i32::MIN.into())
        );
        assert_eq!(Value::int(1).binary("<<", Value::int(32)), None);
        assert_eq!(Value::int(1).binary("/", Value::int(0)), None);
    }

    #[test]
    fn characters_have_their_value() {
        let target = Target::of_triple("x86_64-unknown-linux-gnu").expect("known");
        for (text, value) in [("'a'", 97), ("'\\0'", 0), ("'\\n'", 10), ("'\\xff'", -1), ("L'\\xff'", 255)] {
            assert_eq!(Value::character(text, &target).map(|value| value.value), Some(value), "{text}");
        }
        assert_eq!(Value::character("'abcd'", &target), None);
    }
}
