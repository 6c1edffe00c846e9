//! The C types: the fourteen of the specification, and the spellings of `x-cType`, in one table.

macro_rules! c_types {
    (
        specification { $($variant:ident $name:literal $class:ident $ffi:ident $kind:ident $ctypes:ident [$($bits:literal)*])* }
        spellings { $($s_variant:ident $s_name:literal $s_class:ident $s_ffi:ident $s_kind:ident $s_ctypes:ident [$($s_bits:literal)*])* }
    ) => {
        /// A C type that a value can have, without stars.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum CType {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
            $(#[doc = concat!("`", $s_name, "`")] $s_variant,)*
        }

        impl CType {
            /// The types that `type` can name.
            const SPECIFICATION: &'static [Self] = &[$(Self::$variant),*];
            /// The types that `x-cType` can name.
            const SPELLINGS: &'static [Self] = &[$(Self::$s_variant),*];

            /// The spelling in the document.
            pub fn name(self) -> &'static str {
                match self {$(Self::$variant => $name,)* $(Self::$s_variant => $s_name,)*}
            }

            /// What it can hold.
            pub fn class(self) -> Class {
                match self {$(Self::$variant => Class::$class,)* $(Self::$s_variant => Class::$s_class,)*}
            }

            /// The name in `core::ffi`, or of a primitive type. It is `u8` for `bool`, because a `bool` from C
            /// may hold any byte.
            pub fn ffi(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($ffi),)*
                    $(Self::$s_variant => stringify!($s_ffi),)*
                }
            }

            /// The name of its `Kind` in the runtime.
            pub fn kind(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($kind),)*
                    $(Self::$s_variant => stringify!($s_kind),)*
                }
            }

            /// The name in Python's `ctypes`. It is `c_ubyte` for `bool`, because a `bool` from C may hold any byte.
            pub fn ctypes(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($ctypes),)*
                    $(Self::$s_variant => stringify!($s_ctypes),)*
                }
            }

            /// The possible widths of an integer in bits, which depend on the target.
            fn bits(self) -> &'static [u8] {
                match self {$(Self::$variant => &[$($bits),*],)* $(Self::$s_variant => &[$($s_bits),*],)*}
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

c_types! {
    specification {
        Void "void" Void c_void Opaque c_void_p []
        Bool "bool" Boolean u8 Boolean c_ubyte []
        Char "char" Character c_char CHAR c_char [8]
        UnsignedChar "unsigned char" Character c_uchar UNSIGNED_CHAR c_ubyte [8]
        Short "short" Integer c_short SHORT c_short [16]
        UnsignedShort "unsigned short" Integer c_ushort UNSIGNED_SHORT c_ushort [16]
        Int "int" Integer c_int INT c_int [32]
        UnsignedInt "unsigned int" Integer c_uint UNSIGNED_INT c_uint [32]
        Long "long" Integer c_long LONG c_long [32 64]
        UnsignedLong "unsigned long" Integer c_ulong UNSIGNED_LONG c_ulong [32 64]
        LongLong "long long" Integer c_longlong LONG_LONG c_longlong [64]
        UnsignedLongLong "unsigned long long" Integer c_ulonglong UNSIGNED_LONG_LONG c_ulonglong [64]
        Float "float" Floating c_float Float c_float []
        Double "double" Floating c_double Double c_double []
    }
    spellings {
        Int8 "int8_t" Character i8 INT8_T c_int8 [8]
        Uint8 "uint8_t" Character u8 UINT8_T c_uint8 [8]
        Int16 "int16_t" Integer i16 INT16_T c_int16 [16]
        Uint16 "uint16_t" Integer u16 UINT16_T c_uint16 [16]
        Int32 "int32_t" Integer i32 INT32_T c_int32 [32]
        Uint32 "uint32_t" Integer u32 UINT32_T c_uint32 [32]
        Int64 "int64_t" Integer i64 INT64_T c_int64 [64]
        Uint64 "uint64_t" Integer u64 UINT64_T c_uint64 [64]
        Size "size_t" Integer usize SIZE_T c_size_t [32 64]
        SignedSize "ssize_t" Integer isize SSIZE_T c_ssize_t [32 64]
        PtrDiff "ptrdiff_t" Integer isize PTRDIFF_T c_ssize_t [32 64]
        IntPtr "intptr_t" Integer isize INTPTR_T c_ssize_t [32 64]
        UintPtr "uintptr_t" Integer usize UINTPTR_T c_size_t [32 64]
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

    /// Every type of the specification, for a message.
    pub fn names() -> String {
        list(Self::SPECIFICATION)
    }

    /// Every spelling, for a message.
    pub fn spellings() -> String {
        list(Self::SPELLINGS)
    }

    /// Whether `self` is the same type as `spelling` on some target. There, a reader that knows only the types of
    /// the specification passes the same value.
    pub fn can_be(self, spelling: Self) -> bool {
        let same_sign = self == Self::Char || self.is_unsigned() == spelling.is_unsigned();
        same_sign && self.bits().iter().any(|bits| spelling.bits().contains(bits))
    }

    /// The type of the specification that is closest to a spelling.
    pub fn of_specification(self) -> Self {
        let can_be = |c_type: &&Self| c_type.can_be(self);
        let same_bits = Self::SPECIFICATION.iter().filter(can_be).find(|c_type| c_type.bits() == self.bits());
        same_bits.or_else(|| Self::SPECIFICATION.iter().find(can_be)).copied().unwrap_or(Self::Int)
    }

    /// Whether it is an unsigned integer on every target.
    pub fn is_unsigned(self) -> bool {
        self.name().starts_with('u') || self == Self::Size
    }

    /// Whether it can hold the length of every slice, on every target.
    pub fn holds_every_length(self) -> bool {
        self.class() == Class::Integer
            && (matches!(self.name(), "size_t" | "ssize_t" | "ptrdiff_t" | "intptr_t" | "uintptr_t")
                || self.bits() == [64])
    }

    /// Whether it is an integer that can count: not `bool`, not a floating-point number.
    pub fn counts(self) -> bool {
        matches!(self.class(), Class::Integer | Class::Character)
    }

    /// Whether it is an integer of 16 bits on every target.
    pub fn is_sixteen_bits(self) -> bool {
        self.bits() == [16]
    }

    /// The type that it is promoted to when it is passed through `...`.
    pub fn promoted(self) -> Self {
        match self {
            Self::Float => Self::Double,
            Self::Bool => Self::Int,
            _ if self.bits().iter().all(|bits| *bits < 32) && self.counts() => Self::Int,
            _ => self,
        }
    }

    /// The lowest and highest value of an integer on the target where it is widest.
    pub fn widest(self) -> (i128, i128) {
        let bits = self.bits().iter().copied().max().unwrap_or(8);
        if self.is_unsigned() {
            (0, (1 << bits) - 1)
        } else if self == Self::Char {
            // Signed on some targets, unsigned on others.
            (-128, 255)
        } else {
            (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        }
    }

    /// The OpenAPI format of an integer that has 64 bits on some target. Its values can exceed 2^53, and are
    /// decimal strings in JSON then.
    pub fn wide_format(self) -> Option<&'static str> {
        let format = if self.is_unsigned() { "uint64" } else { "int64" };
        self.bits().contains(&64).then_some(format)
    }

    /// The highest value of an integer on the target where it is narrowest.
    pub fn narrowest_max(self) -> u64 {
        let bits = self.bits().iter().copied().min().unwrap_or(8);
        let bits = if self.is_unsigned() { bits } else { bits - 1 };
        u64::MAX >> (64 - bits)
    }

    /// Whether generated code imports it from `core::ffi`.
    pub fn is_in_ffi(self) -> bool {
        self.ffi().starts_with("c_")
    }

    /// The name, if generated code imports it from `core::ffi`.
    pub fn import(name: &str) -> Option<&'static str> {
        Self::SPECIFICATION
            .iter()
            .filter(|c_type| c_type.is_in_ffi())
            .map(|c_type| c_type.ffi())
            .find(|ffi| *ffi == name)
    }

    /// Whether generated code uses `name` for one of the C types.
    pub fn takes(name: &str) -> bool {
        [Self::SPECIFICATION, Self::SPELLINGS].concat().iter().any(|c_type| c_type.ffi() == name)
    }
}

fn list(c_types: &[CType]) -> String {
    c_types.iter().map(|c_type| c_type.name()).collect::<Vec<_>>().join(", ")
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
