//! The C integer types: their names and ranges.

use std::ffi::{c_char, c_int, c_long, c_longlong, c_short, c_uchar, c_uint, c_ulong, c_ulonglong, c_ushort};
use std::fmt;

use super::kind::Kind;
use super::{EXACT, MAX_ARGUMENTS};

/// The range of a C integer type, or of a capacity of that type.
#[derive(Debug)]
pub struct Integer {
    name: &'static str,
    /// The magnitude of the lowest value.
    below: u64,
    /// The highest value.
    above: u64,
    size: usize,
    signed: bool,
    /// Whether it is the capacity of a buffer that the call allocates.
    capacity: bool,
}

macro_rules! integers {
    ($($constant:ident $type:ident $name:literal)*) => {
        /// The C integer types by name.
        impl Kind {$(
            #[doc = concat!("`", $name, "`.")]
            pub const $constant: Self = Self::Integer(&Integer {
                name: $name,
                below: (<$type>::MIN as i128).unsigned_abs() as u64,
                above: <$type>::MAX as u64,
                size: size_of::<$type>(),
                signed: <$type>::MIN != 0,
                capacity: false,
            });
        )*

            /// Every integer with the name of its constant. A test compares them with the generator's table.
            #[doc(hidden)]
            pub const INTEGERS: &[(&'static str, Self)] = &[$((stringify!($constant), Self::$constant)),*];
        }
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

impl Kind {
    /// The capacity of a buffer of elements of `size` bytes, in this integer type: at most
    /// [`MAX_ARGUMENTS`] bytes, so that a caller cannot exhaust memory.
    ///
    /// In a table: `Kind::Integer(const { &Kind::SIZE_T.capacity(8) })`.
    ///
    /// # Panics
    ///
    /// This is not an integer type.
    #[must_use]
    pub const fn capacity(self, size: usize) -> Integer {
        let Self::Integer(integer) = self else {
            // Only constants call this, so the panic is a compile error.
            #[expect(clippy::panic, reason = "evaluated at compile time")]
            {
                panic!("a capacity is counted by an integer")
            }
        };
        let most = (MAX_ARGUMENTS / if size == 0 { 1 } else { size }) as u64;
        Integer {
            name: integer.name,
            below: 0,
            above: if integer.above < most { integer.above } else { most },
            size: integer.size,
            signed: integer.signed,
            capacity: true,
        }
    }
}

impl Integer {
    /// The slot's word for this value, if it is in range.
    #[inline]
    #[must_use]
    pub fn word(&self, negative: bool, magnitude: u64) -> Option<u64> {
        if negative {
            (magnitude <= self.below).then(|| magnitude.wrapping_neg())
        } else {
            (magnitude <= self.above).then_some(magnitude)
        }
    }

    /// Its size in C, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Whether the C type is signed.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        self.signed
    }

    /// Its name and its purpose.
    pub(crate) fn name(&self) -> impl fmt::Display {
        format!("{}{}", self.name, if self.capacity { " as a capacity" } else { "" })
    }

    /// The lowest and the highest value, for a message.
    pub(crate) fn limits(&self) -> impl fmt::Display {
        let sign = if self.below == 0 { "" } else { "-" };
        format!("{sign}{} to {}", self.below, self.above)
    }

    /// Whether it has values that some JSON readers round.
    pub(crate) fn is_wide(&self) -> bool {
        self.above > EXACT
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
    fn words_stay_in_the_range_of_the_type() {
        let Kind::Integer(short) = Kind::SHORT else { unreachable!() };
        assert_eq!(short.word(true, 32768), Some((-32768_i64) as u64));
        assert_eq!(short.word(true, 32769), None);
        assert_eq!(short.word(false, 32768), None);
    }

    #[test]
    fn a_capacity_is_limited_by_memory_and_by_its_type() {
        static KINDS: [Kind; 3] = [
            Kind::Integer(const { &Kind::UINT64_T.capacity(8) }),
            Kind::Integer(const { &Kind::UINT8_T.capacity(8) }),
            Kind::Integer(const { &Kind::INT.capacity(1) }),
        ];
        assert_eq!(
            KINDS.map(|kind| kind.to_string()),
            [
                "an integer (uint64_t as a capacity, 0 to 8388608)",
                "an integer (uint8_t as a capacity, 0 to 255)",
                "an integer (int as a capacity, 0 to 67108864)",
            ]
        );
    }
}
