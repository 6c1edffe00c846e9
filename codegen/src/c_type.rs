//! The fourteen C types of the specification, in one table.

macro_rules! c_types {
    ($($variant:ident $name:literal $class:ident $ffi:literal $kind:literal)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum CType {
            $($variant,)*
        }

        impl CType {
            pub(crate) const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The spelling in the document.
            pub(crate) fn name(self) -> &'static str {
                match self {$(Self::$variant => $name,)*}
            }

            pub(crate) fn class(self) -> Class {
                match self {$(Self::$variant => Class::$class,)*}
            }

            /// The name in `core::ffi`; `u8` for `bool`, because C may leave anything in one.
            pub(crate) fn ffi(self) -> &'static str {
                match self {$(Self::$variant => $ffi,)*}
            }

            /// The name of its `Kind` in the runtime.
            pub(crate) fn kind(self) -> &'static str {
                match self {$(Self::$variant => $kind,)*}
            }
        }
    };
}

/// What a C type can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Void,
    Boolean,
    /// `char` and `unsigned char`: integers, and what strings are made of.
    Character,
    Integer,
    Floating,
}

c_types! {
    Void "void" Void "c_void" "Opaque"
    Bool "bool" Boolean "u8" "Boolean"
    Char "char" Character "c_char" "CHAR"
    UnsignedChar "unsigned char" Character "c_uchar" "UNSIGNED_CHAR"
    Short "short" Integer "c_short" "SHORT"
    UnsignedShort "unsigned short" Integer "c_ushort" "UNSIGNED_SHORT"
    Int "int" Integer "c_int" "INT"
    UnsignedInt "unsigned int" Integer "c_uint" "UNSIGNED_INT"
    Long "long" Integer "c_long" "LONG"
    UnsignedLong "unsigned long" Integer "c_ulong" "UNSIGNED_LONG"
    LongLong "long long" Integer "c_longlong" "LONG_LONG"
    UnsignedLongLong "unsigned long long" Integer "c_ulonglong" "UNSIGNED_LONG_LONG"
    Float "float" Floating "c_float" "Float"
    Double "double" Floating "c_double" "Double"
}

impl CType {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|c_type| c_type.name() == name)
    }

    /// Every spelling, for a message.
    pub(crate) fn names() -> String {
        Self::ALL.iter().map(|c_type| c_type.name()).collect::<Vec<_>>().join(", ")
    }
}
