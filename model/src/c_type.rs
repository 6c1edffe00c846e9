//! The C types: the fourteen of the specification, and the spellings of `x-cType`, in one table. Every other fact about
//! a C type follows from its line.

use std::borrow::Cow;

use crate::data_model::{
    C8, DataModel, F32, F64, I8, I16, I32, I64, Representation, Sign, U8, U16, U32, U64,
};

macro_rules! c_types {
    (
        specification { $($variant:ident $name:literal $class:ident $rust:literal $kind:ident $python:literal [$($on:ident)+])* }
        spellings { $($s_variant:ident $s_name:literal $s_class:ident $s_rust:literal $s_kind:ident $s_python:literal [$($s_on:ident)+])* }
    ) => {
        /// A C type that a value can have, without stars.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum CType {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
            $(#[doc = concat!("`", $s_name, "`")] $s_variant,)*
        }

        impl CType {
            /// The types that `type` can name.
            pub const SPECIFICATION: &'static [Self] = &[$(Self::$variant),*];
            /// The types that `x-cType` can name.
            pub const SPELLINGS: &'static [Self] = &[$(Self::$s_variant),*];
            /// The names of the types that `type` can name.
            pub const NAMES: &'static [&'static str] = &[$($name),*];
            /// The names of the types that `x-cType` can name.
            pub const SPELLING_NAMES: &'static [&'static str] = &[$($s_name),*];

            /// The spelling in the document.
            pub fn name(self) -> &'static str {
                match self {$(Self::$variant => $name,)* $(Self::$s_variant => $s_name,)*}
            }

            /// What it can hold.
            pub fn class(self) -> Class {
                match self {$(Self::$variant => Class::$class,)* $(Self::$s_variant => Class::$s_class,)*}
            }

            /// The type in Rust: a name of `core::ffi`, a primitive type, or a path. It is `u8` for `bool`, because
            /// a `bool` from C may hold any byte.
            pub fn rust(self) -> &'static str {
                match self {$(Self::$variant => $rust,)* $(Self::$s_variant => $s_rust,)*}
            }

            /// The name of its `Kind` in the runtime.
            pub fn kind(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($kind),)*
                    $(Self::$s_variant => stringify!($s_kind),)*
                }
            }

            /// The type in Python, as an expression. It is `c_ubyte` for `bool`, because a `bool` from C may hold
            /// any byte.
            pub fn python(self) -> &'static str {
                match self {$(Self::$variant => $python,)* $(Self::$s_variant => $s_python,)*}
            }

            /// How it lies in memory, on each data model if they differ.
            fn representations(self) -> &'static [Representation] {
                match self {$(Self::$variant => &[$($on),+],)* $(Self::$s_variant => &[$($s_on),+],)*}
            }
        }
    };
}

/// What a C type can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Nothing: `void`.
    Void,
    /// `bool`
    Boolean,
    /// `char` and `unsigned char`: integers, and the units of strings.
    Character,
    /// Every other integer.
    Integer,
    /// `float` and `double`.
    Floating,
}

// The columns: the variant, the name in C, the class, the type in Rust, the `Kind` of the runtime, the type in
// Python, and the representations in the order of `DataModel::ALL`, or one if they are the same.
c_types! {
    specification {
        Void "void" Void "c_void" Opaque "ctypes.c_void_p" [U8]
        Bool "bool" Boolean "u8" Boolean "ctypes.c_ubyte" [U8]
        Char "char" Character "c_char" CHAR "_CHAR" [C8]
        UnsignedChar "unsigned char" Character "c_uchar" UNSIGNED_CHAR "ctypes.c_ubyte" [U8]
        Short "short" Integer "c_short" SHORT "ctypes.c_short" [I16]
        UnsignedShort "unsigned short" Integer "c_ushort" UNSIGNED_SHORT "ctypes.c_ushort" [U16]
        Int "int" Integer "c_int" INT "ctypes.c_int" [I32]
        UnsignedInt "unsigned int" Integer "c_uint" UNSIGNED_INT "ctypes.c_uint" [U32]
        Long "long" Integer "c_long" LONG "ctypes.c_long" [I64 I32 I32 I32]
        UnsignedLong "unsigned long" Integer "c_ulong" UNSIGNED_LONG "ctypes.c_ulong" [U64 U32 U32 U32]
        LongLong "long long" Integer "c_longlong" LONG_LONG "ctypes.c_longlong" [I64]
        UnsignedLongLong "unsigned long long" Integer "c_ulonglong" UNSIGNED_LONG_LONG "ctypes.c_ulonglong" [U64]
        Float "float" Floating "c_float" Float "ctypes.c_float" [F32]
        Double "double" Floating "c_double" Double "ctypes.c_double" [F64]
    }
    spellings {
        Int8 "int8_t" Character "i8" INT8_T "ctypes.c_int8" [I8]
        Uint8 "uint8_t" Character "u8" UINT8_T "ctypes.c_uint8" [U8]
        Int16 "int16_t" Integer "i16" INT16_T "ctypes.c_int16" [I16]
        Uint16 "uint16_t" Integer "u16" UINT16_T "ctypes.c_uint16" [U16]
        Int32 "int32_t" Integer "i32" INT32_T "ctypes.c_int32" [I32]
        Uint32 "uint32_t" Integer "u32" UINT32_T "ctypes.c_uint32" [U32]
        Int64 "int64_t" Integer "i64" INT64_T "ctypes.c_int64" [I64]
        Uint64 "uint64_t" Integer "u64" UINT64_T "ctypes.c_uint64" [U64]
        Size "size_t" Integer "usize" SIZE_T "ctypes.c_size_t" [U64 U64 U32 U32]
        SignedSize "ssize_t" Integer "isize" SSIZE_T "ctypes.c_ssize_t" [I64 I64 I32 I32]
        PtrDiff "ptrdiff_t" Integer "isize" PTRDIFF_T "ctypes.c_ssize_t" [I64 I64 I32 I32]
        IntPtr "intptr_t" Integer "isize" INTPTR_T "ctypes.c_ssize_t" [I64 I64 I32 I32]
        UintPtr "uintptr_t" Integer "usize" UINTPTR_T "ctypes.c_size_t" [U64 U64 U32 U32]
    }
}

impl CType {
    /// The type that `type` names.
    pub fn parse(name: &str) -> Option<Self> {
        Self::SPECIFICATION.iter().copied().find(|c_type| c_type.name() == name)
    }

    /// The type that `x-cType` names.
    pub fn parse_spelling(name: &str) -> Option<Self> {
        Self::SPELLINGS.iter().copied().find(|c_type| c_type.name() == name)
    }

    /// The integer that has these bytes and this sign on every target: one of the specification, or else a spelling.
    pub fn of_size(bytes: u64, signed: bool) -> Option<Self> {
        let sign = if signed { Sign::Signed } else { Sign::Unsigned };
        let is_it = |c_type: &Self| match c_type.representations() {
            [only] => c_type.counts() && u64::from(only.bits) == bytes * 8 && only.sign == sign,
            _ => false,
        };
        Self::SPECIFICATION.iter().chain(Self::SPELLINGS).copied().find(is_it)
    }

    /// How it lies in memory.
    pub fn on(self, model: DataModel) -> Representation {
        match self.representations() {
            [only] => *only,
            each => each[model as usize],
        }
    }

    fn on_each(self) -> [Representation; 4] {
        DataModel::ALL.map(|model| self.on(model))
    }

    /// On which data models `self` can be `spelling`: a reader that knows only the type of the specification then
    /// passes the same bytes.
    fn agreement(self, spelling: Self) -> [bool; 4] {
        let agrees = |model| self.on(model).can_be(spelling.on(model));
        DataModel::ALL.map(|model| self.counts() && spelling.counts() && agrees(model))
    }

    /// Whether some target's `self` is `spelling`.
    pub fn can_be(self, spelling: Self) -> bool {
        self.agreement(spelling).contains(&true)
    }

    /// The type of the specification that agrees with a spelling on most targets.
    pub fn of_specification(self) -> Self {
        let agreement = |c_type: &Self| {
            let agreement = c_type.agreement(self);
            (agreement.iter().filter(|agrees| **agrees).count(), agreement)
        };
        // Of several, the first.
        Self::SPECIFICATION.iter().copied().rev().max_by_key(agreement).unwrap_or(Self::Int)
    }

    /// Whether it is a spelling of `x-cType`.
    pub fn is_spelling(self) -> bool {
        Self::SPELLINGS.contains(&self)
    }

    /// Whether its width and sign are the same on every target.
    pub fn is_same_everywhere(self) -> bool {
        matches!(self.representations(), [only] if only.sign != Sign::OfTarget)
    }

    /// Whether it has a sign on some targets and not on others.
    pub fn has_sign_of_target(self) -> bool {
        let [first, ..] = self.on_each();
        first.sign == Sign::OfTarget || self.on_each().iter().any(|of| of.sign != first.sign)
    }

    /// Whether it counts the elements of every slice, on every target.
    pub fn holds_every_length(self) -> bool {
        let holds = |model| self.on(model).bits >= Self::Size.on(model).bits;
        self.class() == Class::Integer && DataModel::ALL.into_iter().all(holds)
    }

    /// Whether it is an integer that can count: not `bool`, not a floating-point number.
    pub fn counts(self) -> bool {
        matches!(self.class(), Class::Integer | Class::Character)
    }

    /// Whether it is an integer of 16 bits on every target.
    pub fn is_sixteen_bits(self) -> bool {
        self.counts() && self.on_each().iter().all(|of| of.bits == 16)
    }

    /// The type that C promotes it to in `...`.
    pub fn promoted(self) -> Self {
        match self {
            Self::Float => Self::Double,
            Self::Bool => Self::Int,
            _ if self.counts() && self.on_each().iter().all(|of| of.bits < 32) => Self::Int,
            _ => self,
        }
    }

    /// The lowest and highest value of an integer on any target.
    pub fn widest(self) -> (i128, i128) {
        let ranges = self.on_each().map(Representation::range);
        ranges
            .into_iter()
            .fold(ranges[0], |(lowest, highest), (low, high)| (lowest.min(low), highest.max(high)))
    }

    /// The `format` of OpenAPI for an integer that has 64 bits on some target. Its values can exceed 2^53, and are
    /// decimal strings in JSON then.
    pub fn wide_format(self) -> Option<&'static str> {
        let widest = self.on_each().into_iter().find(|of| of.bits == 64).filter(|_| self.counts())?;
        Some(if widest.sign == Sign::Unsigned { "uint64" } else { "int64" })
    }

    /// The highest value that an integer has on every target.
    pub fn narrowest_max(self) -> u64 {
        self.on_each().map(Representation::highest).into_iter().min().unwrap_or_default()
    }

    /// Its name as the ABI has it: types that are the same on every target have the same one.
    pub fn abi(self) -> Cow<'static, str> {
        let alike = |other: Self| self.on_each() == other.on_each();
        match self.representations() {
            [Representation { bits, sign: Sign::Signed }] if self.counts() => format!("i{bits}").into(),
            [Representation { bits, sign: Sign::Unsigned }] if self.counts() => format!("u{bits}").into(),
            _ if alike(Self::Size) => "usize".into(),
            _ if alike(Self::SignedSize) => "isize".into(),
            _ => self.name().into(),
        }
    }

    /// Whether its type in Rust is one of `core::ffi`.
    pub fn is_in_ffi(self) -> bool {
        self.rust().starts_with("c_")
    }

    /// Whether generated code uses `name` for one of them.
    pub fn takes(name: &str) -> bool {
        Self::SPECIFICATION.iter().chain(Self::SPELLINGS).any(|c_type| c_type.rust() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_agrees_with_its_type_on_some_target() {
        for (name, spelling, expected) in [
            ("unsigned long", "size_t", true),
            ("unsigned long long", "size_t", true),
            ("unsigned int", "size_t", true),
            ("long", "size_t", false),
            ("int", "int64_t", false),
            ("long", "int64_t", true),
            ("long", "int32_t", true),
            ("char", "uint8_t", true),
            ("char", "int8_t", true),
            ("unsigned char", "int8_t", false),
            ("short", "int8_t", false),
            ("double", "int64_t", false),
            ("bool", "uint8_t", false),
            ("void", "uint8_t", false),
        ] {
            let c_type = CType::parse(name).expect(name);
            let spelled = CType::parse_spelling(spelling).expect(spelling);
            assert_eq!(c_type.can_be(spelled), expected, "{name} as {spelling}");
        }
    }
}
