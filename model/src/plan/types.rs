//! The types of a binding: structs, enums and handles.

use crate::c_type::CType;
use crate::plan::{Default, Element, Encoding, Item, Limits, Many, Overlap, Scalar, Union};
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
    /// The type of its memory in Rust, if that is not the type that callers have: what its members point to is then part
    /// of the value.
    pub memory: Option<String>,
    /// Whether it is behind handles of a type, or the first members of a state. Callers do not see such a struct: functions
    /// with `x-member` read it, and calls set what they lend to C.
    pub behind: bool,
    /// What it means.
    pub description: Option<String>,
    /// The type of both parts, if it is a complex number: `re` and `im`.
    pub complex: Option<CType>,
    /// What it has to do with unions.
    pub overlap: Option<Overlap>,
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
        /// The index of the record of its first members, if the document lists them.
        members: Option<usize>,
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
    /// Whether it is the length of another member, from which it follows.
    pub hidden: bool,
    /// Whether the document lists the required members without it.
    pub may_be_absent: bool,
    /// The value that is used if it is absent.
    pub default: Option<Default>,
    /// The values that a caller may pass.
    pub limits: Limits,
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
    /// A bit field.
    Bits {
        /// The type that it is declared with.
        c_type: CType,
        /// Its width.
        width: u32,
        /// Whether a caller sees a boolean.
        truth: bool,
    },
    /// A union.
    Union(Box<Union>),
    /// A pointer to a NUL-terminated string.
    Str(CType),
    /// A pointer to elements.
    Many(Box<Many>),
    /// A pointer to one struct, or NULL: the index of the record.
    Pointed(usize),
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
    /// The index of the record with the first members of what it points to.
    pub members: Option<usize>,
    /// How a handle gets one more owner, if C counts them.
    pub retain: Option<Retain>,
}

/// How C counts the owners of a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retain {
    /// The index of the function that takes the handle and counts one more.
    pub function: usize,
    /// The index of the way to free, which counts one less.
    pub free: usize,
}

impl Field {
    /// Whether it is a pointer that is dereferenced and may be NULL.
    #[must_use]
    pub fn may_be_null(&self) -> bool {
        match &self.of {
            FieldType::Str(_) | FieldType::Pointed(_) => true,
            FieldType::Many(many) => many.nullable,
            _ => false,
        }
    }

    /// Whether it is a buffer that C fills, so that a caller only gets it.
    #[must_use]
    pub fn is_room(&self) -> bool {
        matches!(&self.of, FieldType::Many(many) if many.room.is_some())
    }

    /// The struct that it points to.
    pub(crate) fn pointee(&self) -> Option<usize> {
        match &self.of {
            FieldType::Pointed(record) => Some(*record),
            FieldType::Many(many) => many.record(),
            _ => None,
        }
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
        self.any(records, &|field| match &field.of {
            FieldType::Str(_) => true,
            FieldType::Union(union) => union.seen().any(|member| matches!(member.of, FieldType::Str(_))),
            _ => false,
        })
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

    /// The type of its memory in Rust.
    #[must_use]
    pub fn memory(&self) -> &str {
        self.memory.as_deref().unwrap_or(&self.ident)
    }

    /// Replaces the index of a struct that was still being lowered.
    pub(crate) fn settle(&mut self, pending: usize, index: usize) {
        let Body::Fields(fields) = &mut self.body else { return };
        for field in fields {
            match &mut field.of {
                FieldType::Pointed(record) if *record == pending => *record = index,
                FieldType::Many(many) => match &mut many.of {
                    Item::Record(record) | Item::Pointers(record) if *record == pending => *record = index,
                    _ => {}
                },
                _ => {}
            }
        }
    }

    /// Whether callers have another type than its memory: it has a union, or points to text, elements or structs that
    /// belong to the value, directly or in nested structs.
    #[must_use]
    pub fn is_deep(&self, records: &[Self]) -> bool {
        let is_it = |field: &Field| {
            matches!(
                field.of,
                FieldType::Str(_) | FieldType::Many(_) | FieldType::Pointed(_) | FieldType::Union(_)
            )
        };
        self.any(records, &is_it)
    }

    /// Whether C can leave something in it that is not a value: a NULL that should be an array, or a cycle.
    #[must_use]
    pub fn must_be_checked(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.of, FieldType::Many(_) | FieldType::Pointed(_)))
    }

    /// Whether a typed caller has to vouch for pointers in it, and whether some of them are text, and some not described.
    #[must_use]
    pub fn raw_pointers(&self, records: &[Self]) -> (bool, bool) {
        let is_raw = |record: &Self| record.memory.is_none();
        (
            self.reaches(records, &|record| is_raw(record) && record.has_text(records)),
            self.reaches(records, &|record| is_raw(record) && record.has_opaque_members(records)),
        )
    }

    /// Whether it has buffers that C fills, directly or in nested structs.
    #[must_use]
    pub fn has_rooms(&self, records: &[Self]) -> bool {
        self.any(records, &Field::is_room)
    }

    /// Whether this or a struct in it, or one that it points to, is such a one.
    #[must_use]
    pub fn reaches(&self, records: &[Self], is_it: &dyn Fn(&Self) -> bool) -> bool {
        let mut open = vec![self];
        let mut seen: Vec<*const Self> = vec![self];
        while let Some(record) = open.pop() {
            if is_it(record) {
                return true;
            }
            for field in record.fields() {
                let inner = match &field.of {
                    FieldType::Record(inner) | FieldType::Array { element: Element::Record(inner), .. } => {
                        Some(*inner)
                    }
                    _ => field.pointee(),
                };
                let Some(inner) = inner.map(|inner| &records[inner]) else { continue };
                if !seen.contains(&std::ptr::from_ref(inner)) {
                    seen.push(inner);
                    open.push(inner);
                }
            }
        }
        false
    }

    /// Whether it has bit fields of its own.
    #[must_use]
    pub fn has_bits(&self) -> bool {
        self.fields().any(|field| matches!(field.of, FieldType::Bits { .. }))
    }

    /// Whether it has unions, directly or in nested structs.
    #[must_use]
    pub fn has_unions_in_place(&self, records: &[Self]) -> bool {
        self.any(records, &|field| matches!(field.of, FieldType::Union(_)))
    }

    /// Whether it is a union, or has one of its own.
    #[must_use]
    pub fn has_union(&self) -> bool {
        self.overlap.is_some() || self.fields().any(|field| matches!(field.of, FieldType::Union(_)))
    }

    /// Whether it is something that a struct of Python cannot be, directly or in nested structs.
    #[must_use]
    pub fn is_odd(&self, records: &[Self]) -> bool {
        self.reaches(records, &|record| record.complex.is_some() || record.has_bits() || record.has_union())
    }

    fn any(&self, records: &[Self], is_it: &dyn Fn(&Field) -> bool) -> bool {
        self.fields().any(|field| match &field.of {
            FieldType::Record(record) | FieldType::Array { element: Element::Record(record), .. } => {
                records[*record].any(records, is_it)
            }
            _ => is_it(field),
        })
    }
}
