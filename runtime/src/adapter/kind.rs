//! The values that a field accepts.

use std::fmt;

use super::bits::Bits;
use super::integer::Integer;
use super::many::Many;
use super::record::Record;
use super::text::Text;
use super::union::Union;
use super::within::Within;
use crate::encoding::Encoding;
use crate::handles::HandleType;

/// The values that a field accepts. Widths are those of the target.
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
    /// An array of any length. Its elements are scalars, strings or records.
    List(&'static Kind),
    /// A pointer to something that the document does not describe: only NULL can be passed.
    Opaque,
    /// `true` or `false`, in memory as the integer type inside.
    Truth(&'static Kind),
    /// One of the listed integers.
    Choice(&'static Choice),
    /// A string in another encoding, with a length, or one of the listed strings.
    Text(&'static Text),
    /// An array with a fixed number of elements.
    Fixed(&'static (Kind, usize)),
    /// A bit field of a struct.
    Bits(&'static Bits),
    /// A number between limits.
    Within(&'static Within),
    /// In an array: a string or a token, or NULL.
    Nullable(&'static Kind),
    /// A C struct.
    Record(&'static Record),
    /// In a struct: a union with a tag.
    Union(&'static Union),
    /// In a struct: a pointer to elements.
    Many(&'static Many),
    /// In a struct: a pointer to another one, or NULL.
    Pointed(Target),
    /// In what a member points to: a struct in place, perhaps one of those around it.
    Nested(Target),
    /// The token of a handle.
    Handle(&'static HandleType),
    /// A function pointer: only NULL can be passed.
    Callback,
}

/// The table of a struct that a table leads to. A struct can point to its own kind, so that the table may be complete
/// only later, before it is first used.
#[derive(Clone, Copy, Debug)]
pub struct Target(*const Record);

// SAFETY: it stands for a shared reference, and `Record` is `Sync`.
unsafe impl Send for Target {}
// SAFETY: as above.
unsafe impl Sync for Target {}

impl Target {
    /// The table of a struct.
    #[must_use]
    pub const fn new(record: &'static Record) -> Self {
        Self(record)
    }

    /// The table that will be at this address.
    ///
    /// # Safety
    ///
    /// Before a kind with this is used, there is a `Record` at the address, for as long as it is used.
    #[must_use]
    pub const unsafe fn later(record: *const Record) -> Self {
        Self(record)
    }

    pub(crate) fn get(self) -> &'static Record {
        // SAFETY: it was made of a reference, or the caller of `later` guarantees a table.
        unsafe { &*self.0 }
    }
}

/// The listed integers of an `enum`.
#[derive(Debug)]
pub struct Choice {
    /// The C type: a [`Kind::Integer`].
    pub integer: Kind,
    /// The values, each with its name or the empty string.
    pub values: &'static [(i64, &'static str)],
}

impl Kind {
    /// Its size in a C array or struct, in bytes.
    #[must_use]
    pub fn size(self) -> usize {
        match self {
            Self::Integer(integer) => integer.size(),
            Self::Float => 4,
            Self::Double => 8,
            Self::Boolean | Self::Character => 1,
            Self::Truth(integer) => integer.size(),
            Self::Choice(choice) => choice.integer.size(),
            Self::Text(text) => text.size(),
            Self::Within(within) => within.of.size(),
            Self::Bits(bits) => bits.size(),
            Self::Fixed((element, count)) => element.size() * count,
            Self::Record(record) => record.size,
            Self::Union(union) => union.size(),
            Self::Nested(target) => target.get().size,
            Self::Str
            | Self::List(_)
            | Self::Nullable(_)
            | Self::Many(_)
            | Self::Pointed(_)
            | Self::Opaque
            | Self::Handle(_)
            | Self::Callback => size_of::<*const ()>(),
        }
    }

    /// Whether a word holds it.
    pub(crate) fn is_scalar(self) -> bool {
        match self {
            Self::Boolean
            | Self::Integer(_)
            | Self::Float
            | Self::Double
            | Self::Character
            | Self::Truth(_)
            | Self::Within(_)
            | Self::Bits(_)
            | Self::Choice(_) => true,
            Self::Str
            | Self::List(_)
            | Self::Opaque
            | Self::Text(_)
            | Self::Fixed(_)
            | Self::Nullable(_)
            | Self::Record(_)
            | Self::Union(_)
            | Self::Many(_)
            | Self::Pointed(_)
            | Self::Nested(_)
            | Self::Handle(_)
            | Self::Callback => false,
        }
    }

    /// The same, where a struct in place is a record.
    pub(crate) fn resolved(self) -> Self {
        if let Self::Nested(target) = self { Self::Record(target.get()) } else { self }
    }

    /// The encoding of bytes, which JSON may spell in other ways too.
    pub(crate) fn of_bytes(self) -> Option<Encoding> {
        match self {
            Self::Text(text) => Some(text.encoding).filter(|encoding| encoding.is_binary()),
            Self::Many(many) => many.text.filter(|encoding| encoding.is_binary()),
            Self::Nullable(of) => of.of_bytes(),
            _ => None,
        }
    }

    /// Whether it is a pointer that is followed, or has some in it.
    pub(crate) fn has_pointers(self) -> bool {
        match self {
            Self::Str | Self::Many(_) | Self::Pointed(_) => true,
            Self::Record(record) => record.members.iter().any(|member| member.kind.has_pointers()),
            Self::Union(union) => union.has_pointers(),
            Self::Nested(target) => Self::Record(target.get()).has_pointers(),
            Self::Fixed((element, _)) => element.has_pointers(),
            _ => false,
        }
    }

    /// Whether it can only be NULL inside a list or a record.
    pub(crate) fn is_only_null(self) -> bool {
        matches!(self, Self::Opaque | Self::Callback | Self::List(_))
    }

    /// The word for an integer, if this kind accepts it.
    pub(crate) fn word(self, negative: bool, magnitude: u64) -> Option<u64> {
        match self {
            Self::Integer(range) => range.word(negative, magnitude),
            Self::Choice(choice) => choice
                .integer
                .word(negative, magnitude)
                .filter(|&word| choice.values.iter().any(|&(value, _)| value.cast_unsigned() == word)),
            _ => None,
        }
    }

    /// Whether it has values that some JSON readers round.
    pub(crate) fn is_wide(self) -> bool {
        match self {
            Self::Integer(range) => range.is_wide(),
            Self::Choice(choice) => choice.integer.is_wide(),
            Self::Within(within) => within.of.is_wide(),
            _ => false,
        }
    }
}

/// The expected value, as the end of a sentence.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean | Self::Truth(_) => f.write_str("true or false"),
            Self::Integer(integer) => write!(f, "an integer ({}, {})", integer.name(), integer.limits()),
            Self::Float => f.write_str("a number (float)"),
            Self::Double => f.write_str("a number (double)"),
            Self::Character => f.write_str("a string of one byte (char)"),
            Self::Str => f.write_str("a string without NUL"),
            Self::List(kind) => write!(f, "an array whose elements are each {kind}"),
            Self::Opaque => f.write_str("null: the document does not say what the pointer points to"),
            Self::Choice(choice) => write!(f, "{choice}"),
            Self::Text(text) => write!(f, "{text}"),
            Self::Within(within) => write!(f, "{within}"),
            Self::Bits(bits) => write!(f, "{bits}"),
            Self::Fixed((kind, count)) => write!(f, "an array of exactly {count} elements, each {kind}"),
            Self::Nullable(kind) => write!(f, "{kind}, or null"),
            Self::Record(record) => write!(f, "{record}"),
            Self::Union(union) => write!(f, "{union}"),
            Self::Pointed(target) | Self::Nested(target) => write!(f, "{}", target.get()),
            Self::Many(many) => match (many.text, &many.of) {
                (Some(_), _) => f.write_str("a string"),
                // A struct may contain its own kind.
                (None, Self::Nested(target) | Self::Pointed(target)) => {
                    write!(f, "an array of objects ({})", target.get().name)
                }
                (None, of) => write!(f, "an array whose elements are each {of}"),
            },
            Self::Handle(of) => write!(f, "the token of a {}: a string", of.name()),
            Self::Callback => f.write_str("null: a callback cannot come as JSON"),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of ")?;
        for (index, (value, name)) in self.values.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            write!(f, "{value}")?;
            if !name.is_empty() {
                write!(f, " ({name})")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_two_words() {
        assert_eq!(size_of::<Kind>(), 16.min(2 * size_of::<usize>()));
    }

    #[test]
    fn a_choice_accepts_only_its_values() {
        static LEVEL: Choice = Choice { integer: Kind::SHORT, values: &[(-1, "low"), (1, "high"), (5, "")] };
        let kind = Kind::Choice(&LEVEL);
        assert_eq!(kind.to_string(), "one of -1 (low), 1 (high), 5");
        assert_eq!(kind.word(true, 1), Some(u64::MAX));
        assert_eq!((kind.word(false, 5), kind.word(false, 0)), (Some(5), None));
        assert_eq!(kind.size(), 2);
    }
}
