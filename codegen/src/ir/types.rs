//! The types of a binding beside its methods: structs, enums, handles.

use crate::c_type::CType;

use super::passing::{Encoding, Scalar};

/// A C struct.
pub(crate) struct Record {
    pub(crate) ident: String,
    /// The static that describes it to JSON.
    pub(crate) constant: String,
    /// The name in the document, or one made of where it is used.
    pub(crate) name: String,
    /// Whether the document gives it a name.
    pub(crate) is_named: bool,
    pub(crate) description: Option<String>,
    pub(crate) body: Body,
    /// Asserted when the bindings are compiled.
    pub(crate) size: Option<u64>,
    pub(crate) align: Option<u64>,
}

pub(crate) enum Body {
    /// A struct whose members the document knows.
    Fields(Vec<Field>),
    /// Memory that only C looks into.
    State { size: u64, align: u64 },
}

pub(crate) struct Field {
    /// The name in JSON.
    pub(crate) key: String,
    pub(crate) ident: String,
    pub(crate) description: Option<String>,
    pub(crate) member: Member,
    pub(crate) required: bool,
    /// Whether `required` is there and does not list it.
    pub(crate) may_be_absent: bool,
    pub(crate) default: Option<Default>,
}

/// What a member of a struct holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Member {
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
pub(crate) enum Element {
    Scalar(Scalar),
    Record(usize),
}

/// A value that is given where the caller gives none.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Default {
    Bool(bool),
    Integer(i128),
    Number(f64),
    /// Without NUL.
    Text(String),
}

/// Named values.
pub(crate) struct Enumeration {
    pub(crate) ident: String,
    /// The static that describes it to JSON.
    pub(crate) constant: String,
    /// The name in the document, for people.
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) of: Values,
}

pub(crate) enum Values {
    Integers { c_type: CType, variants: Vec<Variant<i64>> },
    Strings(Vec<Variant<String>>),
}

pub(crate) struct Variant<T> {
    /// Empty where the document gives no names: then there is no Rust enum, only a check of JSON.
    pub(crate) ident: String,
    pub(crate) name: String,
    pub(crate) value: T,
}

impl Enumeration {
    /// Whether Rust has a type for it.
    pub(crate) fn is_named(&self) -> bool {
        match &self.of {
            Values::Integers { variants, .. } => variants.iter().all(|variant| !variant.ident.is_empty()),
            Values::Strings(_) => true,
        }
    }
}

/// An opaque pointer of a type of its own.
pub(crate) struct HandleType {
    pub(crate) ident: String,
    /// The static that describes it to JSON.
    pub(crate) constant: String,
    /// The name in the document.
    pub(crate) name: String,
}

impl Record {
    /// Whether it holds pointers that Rust cannot check, itself or within.
    pub(crate) fn has_pointers(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.member, Member::Str(_) | Member::Pointer(_)))
    }

    /// Whether it holds pointers to text, itself or within.
    pub(crate) fn has_text(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.member, Member::Str(_)))
    }

    /// Whether it holds pointers that the document neither describes nor lets be NULL.
    pub(crate) fn has_opaque_pointers(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.member, Member::Pointer(_)) && !field.may_be_absent)
    }

    /// Whether it holds pointers that the document does not describe, itself or within.
    pub(crate) fn has_opaque_members(&self, records: &[Self]) -> bool {
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
