//! What a field may hold.

use std::ffi::{c_char, c_int, c_long, c_longlong, c_short, c_uchar, c_uint, c_ulong, c_ulonglong, c_ushort};
use std::fmt;

/// What a field may hold. Widths are the target's.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// `true` or `false`.
    Boolean,
    /// An integer in the range of a C type.
    Integer(&'static Integer),
    /// A number in the range of `float`.
    Float,
    /// A number.
    Double,
    /// A string of one byte.
    Character,
    /// A string without NUL.
    Str,
    /// An array of a scalar kind.
    List(&'static Kind),
    /// A pointer to something that the document does not describe: only NULL can be passed.
    Opaque,
}

/// The range of a C integer type.
#[derive(Debug)]
pub struct Integer {
    name: &'static str,
    /// How far below zero it goes.
    below: u64,
    /// How far above zero it goes.
    above: u64,
    size: usize,
}

macro_rules! integers {
    ($($constant:ident $type:ident $name:literal)*) => {
        /// The integers of C by name.
        impl Kind {$(
            #[doc = concat!("`", $name, "`.")]
            pub const $constant: Self = Self::Integer(&Integer {
                name: $name,
                below: (<$type>::MIN as i128).unsigned_abs() as u64,
                above: <$type>::MAX as u64,
                size: size_of::<$type>(),
            });
        )*}
    };
}

integers! {
    CHAR c_char "char"
    UNSIGNED_CHAR c_uchar "unsigned char"
    SHORT c_short "short"
    UNSIGNED_SHORT c_ushort "unsigned short"
    INT c_int "int"
    UNSIGNED_INT c_uint "unsigned int"
    LONG c_long "long"
    UNSIGNED_LONG c_ulong "unsigned long"
    LONG_LONG c_longlong "long long"
    UNSIGNED_LONG_LONG c_ulonglong "unsigned long long"
    INT8_T i8 "int8_t"
    UINT8_T u8 "uint8_t"
    INT16_T i16 "int16_t"
    UINT16_T u16 "uint16_t"
    INT32_T i32 "int32_t"
    UINT32_T u32 "uint32_t"
    INT64_T i64 "int64_t"
    UINT64_T u64 "uint64_t"
    SIZE_T usize "size_t"
    SSIZE_T isize "ssize_t"
    PTRDIFF_T isize "ptrdiff_t"
    INTPTR_T isize "intptr_t"
    UINTPTR_T usize "uintptr_t"
}

impl Integer {
    /// The slot's word for this value, if it is in range.
    #[inline]
    pub(crate) fn word(&self, negative: bool, magnitude: u64) -> Option<u64> {
        if negative {
            (magnitude <= self.below).then(|| magnitude.wrapping_neg())
        } else {
            (magnitude <= self.above).then_some(magnitude)
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// The lowest and the highest value, for a message.
    pub(crate) fn limits(&self) -> String {
        let sign = if self.below == 0 { "" } else { "-" };
        format!("{sign}{} to {}", self.below, self.above)
    }

    /// Whether it reaches values that some JSON readers round.
    pub(crate) fn is_wide(&self) -> bool {
        self.above > super::EXACT
    }
}

impl Kind {
    /// The size of an element in C, for the kinds that a list can hold.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Integer(integer) => integer.size,
            Self::Float => 4,
            Self::Double => 8,
            Self::Boolean | Self::Character => 1,
            Self::Str | Self::List(_) | Self::Opaque => size_of::<*const ()>(),
        }
    }
}

/// What was expected, as the end of a sentence.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean => f.write_str("true or false"),
            Self::Integer(integer) => write!(f, "an integer ({}, {})", integer.name(), integer.limits()),
            Self::Float => f.write_str("a number (float)"),
            Self::Double => f.write_str("a number (double)"),
            Self::Character => f.write_str("a string of one byte (char)"),
            Self::Str => f.write_str("a string without NUL"),
            Self::List(kind) => write!(f, "an array whose elements are each {kind}"),
            Self::Opaque => f.write_str("null: the document does not say what the pointer points to"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_c() {
        assert_eq!(Kind::UNSIGNED_CHAR.to_string(), "an integer (unsigned char, 0 to 255)");
        assert_eq!(Kind::INT.to_string(), "an integer (int, -2147483648 to 2147483647)");
        assert_eq!(
            Kind::LONG_LONG.to_string(),
            "an integer (long long, -9223372036854775808 to 9223372036854775807)"
        );
        assert_eq!(
            Kind::UNSIGNED_LONG_LONG.to_string(),
            "an integer (unsigned long long, 0 to 18446744073709551615)"
        );
    }

    #[test]
    fn words_end_where_the_type_ends() {
        let Kind::Integer(short) = Kind::SHORT else { unreachable!() };
        assert_eq!(short.word(true, 32768), Some((-32768_i64) as u64));
        assert_eq!(short.word(true, 32769), None);
        assert_eq!(short.word(false, 32768), None);
    }
}
