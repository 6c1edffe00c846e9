//! The data models of C: what the width and the sign of a type depend on.

/// The targets, as far as C types differ on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    /// 64-bit Linux and macOS.
    Unix64,
    /// 64-bit Windows.
    Windows64,
    /// 32-bit Linux.
    Unix32,
    /// 32-bit Windows.
    Windows32,
}

impl DataModel {
    /// All of them, in the order of the table of C types.
    pub const ALL: [Self; 4] = [Self::Unix64, Self::Windows64, Self::Unix32, Self::Windows32];
}

/// How a scalar lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Representation {
    /// Its width.
    pub bits: u8,
    /// Its sign.
    pub sign: Sign,
}

/// Whether a scalar has negative values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// It has.
    Signed,
    /// It has not.
    Unsigned,
    /// The architecture decides, as it does for `char`.
    OfTarget,
}

macro_rules! representations {
    ($($name:ident $sign:ident $bits:literal)*) => {
        $(pub(crate) const $name: Representation = Representation { bits: $bits, sign: Sign::$sign };)*
    };
}

representations! {
    C8 OfTarget 8
    I8 Signed 8
    U8 Unsigned 8
    I16 Signed 16
    U16 Unsigned 16
    I32 Signed 32
    U32 Unsigned 32
    F32 Signed 32
    I64 Signed 64
    U64 Unsigned 64
    F64 Signed 64
}

impl Representation {
    /// The lowest and highest value of an integer; if the sign is the target's, on any target.
    pub(crate) fn range(self) -> (i128, i128) {
        let (half, whole) = (1 << (self.bits - 1), 1 << self.bits);
        match self.sign {
            Sign::Signed => (-half, half - 1),
            Sign::Unsigned => (0, whole - 1),
            Sign::OfTarget => (-half, whole - 1),
        }
    }

    /// The highest value that an integer has on every target.
    pub(crate) fn highest(self) -> u64 {
        let bits = if self.sign == Sign::Unsigned { self.bits } else { self.bits - 1 };
        u64::MAX >> (64 - bits)
    }

    /// Whether some target has the same representation for both.
    pub(crate) fn can_be(self, other: Self) -> bool {
        self.bits == other.bits && (self.sign == other.sign || self.sign == Sign::OfTarget)
    }
}
