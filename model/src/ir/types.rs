//! The types of a binding beside its methods: structs, enums, handles.

use crate::c_type::CType;

use super::passing::{Encoding, Scalar};

/// A C struct.
pub struct Record {
    pub ident: String,
    /// The static that describes it to JSON.
    pub constant: String,
    /// The name in the document, or one made of where it is used.
    pub name: String,
    /// Whether the document gives it a name.
    pub is_named: bool,
    pub description: Option<String>,
    pub body: Body,
    /// Asserted when the bindings are compiled.
    pub size: Option<u64>,
    pub align: Option<u64>,
}

pub enum Body {
    /// A struct whose members the document knows.
    Fields(Vec<Field>),
    /// Memory that only C looks into.
    State { size: u64, align: u64 },
}

pub struct Field {
    /// The name in JSON.
    pub key: String,
    pub ident: String,
    pub description: Option<String>,
    pub member: Member,
    pub required: bool,
    /// Whether `required` is there and does not list it.
    pub may_be_absent: bool,
    pub default: Option<Default>,
}

/// What a member of a struct holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Member {
    Scalar(Scalar),
    Record(usize),
    /// So many elements in place.
    Array {
        element: Element,
        count: u64,
    },
    /// So many bytes of text in place.
    Text {
        c_type: CType,
        count: u64,
        encoding: Encoding,
    },
    /// A pointer to a NUL-terminated string.
    Str(CType),
    /// A pointer that is not followed.
    Pointer(CType),
}

/// What an array is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    Scalar(Scalar),
    Record(usize),
}

/// A value that is given where the caller gives none.
#[derive(Clone, Debug, PartialEq)]
pub enum Default {
    Bool(bool),
    Integer(i128),
    Number(f64),
    /// Without NUL.
    Text(String),
}

/// Named values.
pub struct Enumeration {
    pub ident: String,
    /// The static that describes it to JSON.
    pub constant: String,
    /// The name in the document, for people.
    pub name: String,
    pub description: Option<String>,
    pub of: Values,
}

pub enum Values {
    Integers { c_type: CType, variants: Vec<Variant<i64>> },
    Strings(Vec<Variant<String>>),
}

pub struct Variant<T> {
    /// Empty where the document gives no names: then there is no Rust enum, only a check of JSON.
    pub ident: String,
    pub name: String,
    pub value: T,
}

impl Enumeration {
    /// Whether Rust has a type for it.
    pub fn is_named(&self) -> bool {
        match &self.of {
            Values::Integers { variants, .. } => variants.iter().all(|variant| !variant.ident.is_empty()),
            Values::Strings(_) => true,
        }
    }
}

/// An opaque pointer of a type of its own.
pub struct HandleType {
    pub ident: String,
    /// The static that describes it to JSON.
    pub constant: String,
    /// The name in the document.
    pub name: String,
}

impl Record {
    /// Whether it holds pointers that Rust cannot check, itself or within.
    pub fn has_pointers(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.member, Member::Str(_) | Member::Pointer(_)))
    }

    /// Whether it holds pointers to text, itself or within.
    pub fn has_text(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.member, Member::Str(_)))
    }

    /// Whether it holds pointers that the document neither describes nor lets be NULL.
    pub fn has_opaque_pointers(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.member, Member::Pointer(_)) && !field.may_be_absent)
    }

    /// Whether it holds pointers that the document does not describe, itself or within.
    pub fn has_opaque_members(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.member, Member::Pointer(_)))
    }

    fn any(&self, records: &[Self], is_it: &impl Fn(&Field) -> bool) -> bool {
        let Body::Fields(fields) = &self.body else { return false };
        fields.iter().any(|field| match &field.member {
            Member::Record(record) | Member::Array { element: Element::Record(record), .. } => {
                records[*record].any(records, is_it)
            }
            _ => is_it(field),
        })
    }
}
