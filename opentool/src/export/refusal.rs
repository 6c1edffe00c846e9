//! Why a document cannot be exported.

use std::fmt;

/// A rule of a format for a tool or its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A tool has the members that the format requires.
    ToolShape,
    /// The format allows the name.
    Name,
    /// Every tool has a different name.
    DuplicateName,
    /// The format allows the keys of the arguments.
    PropertyName,
    /// A `$ref` refers to a schema of the document.
    UnresolvedReference,
    /// No schema contains itself.
    CyclicReference,
    /// With its references resolved, the schema has a reasonable size.
    TooLarge,
    /// The tool has `"strict": true`.
    StrictFlag,
    /// The root is an object, not a union.
    RootObject,
    /// Every schema has a type.
    MissingType,
    /// Every object has `properties`.
    FreeFormObject,
    /// Every object has `additionalProperties: false`.
    AdditionalProperties,
    /// Every object requires all its properties.
    RequiredProperties,
    /// Every array has `items`.
    ArrayItems,
    /// A nullable `enum` is an `anyOf` of the enum and null.
    NullableEnum,
    /// Strict mode supports every keyword.
    UnsupportedKeyword,
    /// Objects and arrays nest up to 10 levels.
    Depth,
    /// A schema has up to 5,000 properties.
    PropertyCount,
    /// A schema has up to 1,000 enum values.
    EnumCount,
    /// The names and values of a schema have up to 120,000 characters in total; those of an `enum` with more than 250
    /// strings up to 15,000.
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
    /// A JSON pointer into the schema of the arguments; empty for the function as a whole.
    pub pointer: String,
    /// What is wrong there, and what is required.
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

/// Why a document cannot be exported: all refusals, one per line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportError {
    /// The refusals, in the order of the functions.
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
