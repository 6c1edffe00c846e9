//! The types of a binding beside its methods: structs, enums, handles.

use crate::c_type::CType;
use crate::plan::{Default, Element, Encoding, Scalar};
use crate::span::{Span, Spanned};

/// A C struct, or memory that only C looks into.
#[derive(Debug)]
pub struct Record {
    /// The type in Rust.
    pub ident: String,
    /// The static that describes it to JSON.
    pub constant: String,
    /// The name in the document, or one made of where it is used.
    pub name: String,
    /// Whether the document gives it a name.
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
    /// Members that the document knows.
    Fields(Vec<Field>),
    /// Memory that only C looks into.
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
    /// Whether a JSON caller must give it.
    pub required: bool,
    /// Whether the document has a list of required members that lacks it.
    pub may_be_absent: bool,
    /// What stands for it where it is absent.
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
        /// What they are.
        element: Element,
        /// How many.
        count: u64,
    },
    /// Text in place.
    Text {
        /// The type of one unit.
        c_type: CType,
        /// How many units.
        count: u64,
        /// How they spell text.
        encoding: Encoding,
    },
    /// A pointer to a NUL-terminated string.
    Str(CType),
    /// A pointer that is not followed.
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
    /// Whether a caller gives or gets a value of it; not if it is only ever a constant.
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
    /// The name in Rust; empty where the document gives no names, and then there is no Rust enum.
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
    /// Whether it is a pointer that is followed, and that C may leave NULL.
    #[must_use]
    pub fn may_be_null(&self) -> bool {
        matches!(self.of, FieldType::Str(_))
    }
}

impl Record {
    /// The members that the document knows.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        match &self.body {
            Body::Fields(fields) => fields.as_slice(),
            Body::State { .. } => &[],
        }
        .iter()
    }

    /// Whether it holds pointers that Rust cannot check, itself or within.
    #[must_use]
    pub fn has_pointers(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.of, FieldType::Str(_) | FieldType::Pointer { .. }))
    }

    /// Whether it holds pointers to text, itself or within.
    #[must_use]
    pub fn has_text(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.of, FieldType::Str(_)))
    }

    /// Whether it holds pointers that the document neither describes nor lets be NULL.
    #[must_use]
    pub fn has_opaque_pointers(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.of, FieldType::Pointer { .. }) && !field.may_be_absent)
    }

    /// Whether it holds pointers that the document does not describe, itself or within.
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
