//! Why a document cannot be exported.

use std::fmt;

/// What a format asks of a tool or of its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A tool has the members of its format.
    ToolShape,
    /// The name is one that the format allows.
    Name,
    /// No two tools have one name.
    DuplicateName,
    /// The keys of the arguments are ones that the format allows.
    PropertyName,
    /// A `$ref` leads to a schema.
    UnresolvedReference,
    /// No schema contains itself.
    CyclicReference,
    /// The schema with all its references followed is of a reasonable size.
    TooLarge,
    /// Strict is asked for.
    StrictFlag,
    /// The root is an object, and not a union.
    RootObject,
    /// Every schema says its type.
    MissingType,
    /// Every object says what its properties are.
    FreeFormObject,
    /// Every object has `additionalProperties: false`.
    AdditionalProperties,
    /// Every object requires all its properties.
    RequiredProperties,
    /// Every array says what its elements are.
    ArrayItems,
    /// A null among the values of an `enum` is a type of its own, in `anyOf`.
    NullableEnum,
    /// Every keyword is one that strict knows.
    UnsupportedKeyword,
    /// Objects and arrays nest up to 10 levels.
    Depth,
    /// A schema has up to 5,000 properties.
    PropertyCount,
    /// A schema has up to 1,000 enum values.
    EnumCount,
    /// The names and values of a schema are up to 120,000 characters long; those of one `enum` with more than
    /// 250 strings 15,000.
    TextLength,
}

impl Rule {
    /// The rule's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ToolShape => "tool-shape",
            Self::Name => "name",
            Self::DuplicateName => "duplicate-name",
            Self::PropertyName => "property-name",
            Self::UnresolvedReference => "unresolved-reference",
            Self::CyclicReference => "cyclic-reference",
            Self::TooLarge => "too-large",
            Self::StrictFlag => "strict-flag",
            Self::RootObject => "root-object",
            Self::MissingType => "missing-type",
            Self::FreeFormObject => "free-form-object",
            Self::AdditionalProperties => "additional-properties",
            Self::RequiredProperties => "required-properties",
            Self::ArrayItems => "array-items",
            Self::NullableEnum => "nullable-enum",
            Self::UnsupportedKeyword => "unsupported-keyword",
            Self::Depth => "depth",
            Self::PropertyCount => "property-count",
            Self::EnumCount => "enum-count",
            Self::TextLength => "text-length",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A function that a format cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The function's name.
    pub function: String,
    /// The rule that it breaks.
    pub rule: Rule,
    /// The place in the schema of its arguments as a JSON pointer; empty for the function as a
    /// whole.
    pub pointer: String,
    /// What is wrong there, and what would be right.
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { function, rule, pointer, message } = self;
        if pointer.is_empty() {
            write!(f, "function `{function}`: {message} [{rule}]")
        } else {
            write!(f, "function `{function}`, {pointer}: {message} [{rule}]")
        }
    }
}

/// Why a document cannot be exported: all of it, one line a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportError {
    /// In the order of the functions.
    pub refusals: Vec<Refusal>,
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, refusal) in self.refusals.iter().enumerate() {
            let newline = if index == 0 { "" } else { "\n" };
            write!(f, "{newline}{refusal}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ExportError {}
