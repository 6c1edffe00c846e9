//! The types of a binding: structs, enums and handles.

use crate::c_type::CType;
use crate::plan::{Default, Element, Encoding, Scalar};
use crate::span::{Span, Spanned};

/// A C struct, or memory that only C accesses.
#[derive(Debug)]
pub struct Record {
    /// The type in Rust.
    pub ident: String,
    /// The static that describes it to JSON.
    pub constant: String,
    /// The name in the document, or one derived from where it is used.
    pub name: String,
    /// Whether the document names it.
    pub is_named: bool,
    /// What it means.
    pub description: Option<String>,
    /// What it holds.
    pub body: Body,
    /// Its size, asserted when the bindings are compiled.
    pub size: Option<Spanned<u64>>,
    /// Its alignment, asserted when the bindings are compiled.
    pub align: Option<Spanned<u64>>,
    /// Where the document describes it.
    pub place: Span,
}

/// What a struct holds.
#[derive(Debug)]
pub enum Body {
    /// Members that the document describes.
    Fields(Vec<Field>),
    /// Memory that only C accesses.
    State {
        /// Its size in bytes.
        size: u64,
        /// Its alignment in bytes.
        align: u64,
    },
}

/// A member of a struct.
#[derive(Debug)]
pub struct Field {
    /// The name in JSON.
    pub key: String,
    /// The name in Rust.
    pub ident: String,
    /// What it means.
    pub description: Option<String>,
    /// What it holds.
    pub of: FieldType,
    /// Whether a JSON caller must pass it.
    pub required: bool,
    /// Whether the document lists the required members without it.
    pub may_be_absent: bool,
    /// The value that is used if it is absent.
    pub default: Option<Default>,
    /// Where the document names it.
    pub place: Span,
}

/// What a member of a struct holds.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldType {
    /// A scalar.
    Scalar(Scalar),
    /// A struct in place: the index of the record.
    Record(usize),
    /// Elements in place.
    Array {
        /// The type of an element.
        element: Element,
        /// Their number.
        count: u64,
    },
    /// Text in place.
    Text {
        /// The type of one unit.
        c_type: CType,
        /// The number of units.
        count: u64,
        /// Their encoding.
        encoding: Encoding,
    },
    /// A pointer to a NUL-terminated string.
    Str(CType),
    /// A pointer that is not dereferenced.
    Pointer {
        /// What the last pointer points to.
        to: CType,
        /// How many pointers lead there.
        stars: usize,
    },
}

/// Named values.
#[derive(Debug)]
pub struct Enumeration {
    /// The type in Rust.
    pub ident: String,
    /// The static that describes it to JSON.
    pub constant: String,
    /// The name in the document.
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// The values.
    pub of: Values,
    /// Whether a caller passes or gets a value of it. A constant is neither passed nor returned.
    pub is_shown: bool,
}

/// The values of an enum.
#[derive(Debug)]
pub enum Values {
    /// Integers.
    Integers {
        /// Their type.
        c_type: CType,
        /// The values.
        variants: Vec<Variant<i64>>,
    },
    /// Strings.
    Strings(Vec<Variant<String>>),
}

/// One value of an enum.
#[derive(Debug)]
pub struct Variant<T> {
    /// The name in Rust. It is empty if the document has no names; then there is no Rust enum.
    pub ident: String,
    /// The name in the document.
    pub name: String,
    /// The value.
    pub value: T,
}

impl Enumeration {
    /// Whether Rust has a type for it.
    #[must_use]
    pub fn is_named(&self) -> bool {
        match &self.of {
            Values::Integers { variants, .. } => variants.iter().all(|variant| !variant.ident.is_empty()),
            Values::Strings(_) => true,
        }
    }
}

/// The type of an opaque pointer.
#[derive(Debug)]
pub struct HandleType {
    /// The type in Rust.
    pub ident: String,
    /// The static that describes it to JSON.
    pub constant: String,
    /// The name in the document.
    pub name: String,
}

impl Field {
    /// Whether it is a pointer that is dereferenced and may be NULL.
    #[must_use]
    pub fn may_be_null(&self) -> bool {
        matches!(self.of, FieldType::Str(_))
    }
}

impl Record {
    /// The members that the document describes.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        match &self.body {
            Body::Fields(fields) => fields.as_slice(),
            Body::State { .. } => &[],
        }
        .iter()
    }

    /// Whether it holds pointers to text, directly or in nested structs.
    #[must_use]
    pub fn has_text(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.of, FieldType::Str(_)))
    }

    /// Whether it holds pointers that the document does not describe and that must not be absent, directly or in
    /// nested structs.
    #[must_use]
    pub fn has_opaque_pointers(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.of, FieldType::Pointer { .. }) && !field.may_be_absent)
    }

    /// Whether it holds pointers that the document does not describe, directly or in nested structs.
    #[must_use]
    pub fn has_opaque_members(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.of, FieldType::Pointer { .. }))
    }

    fn any(&self, records: &[Self], is_it: &impl Fn(&Field) -> bool) -> bool {
        self.fields().any(|field| match &field.of {
            FieldType::Record(record) | FieldType::Array { element: Element::Record(record), .. } => {
                records[*record].any(records, is_it)
            }
            _ => is_it(field),
        })
    }
}
