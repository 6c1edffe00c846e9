//! The C signature of a function. Every emitter prints it from here.

use crate::c_type::CType;
use crate::plan::{Body, Content, Convention, Element, FieldType, Overlap, Types};
use crate::span::{Span, Spanned};

/// What a C function takes and returns.
#[derive(Clone, Debug, PartialEq)]
pub struct CSignature {
    /// The calling convention.
    pub convention: Convention,
    /// The types of the parameters, in order.
    pub params: Vec<CValue>,
    /// The number of parameters before `...`.
    pub variadic: Option<Spanned<usize>>,
    /// The type of the return value; `None` for `void`.
    pub returns: Option<CValue>,
}

/// A C type: its base, and how many pointers lead to it.
#[derive(Clone, Debug, PartialEq)]
pub struct CValue {
    /// What the last pointer points to, or the value itself.
    pub base: CBase,
    /// `const` before the base: C only reads what is pointed to.
    pub constant: bool,
    /// How many pointers lead to the base.
    pub stars: usize,
    /// In a struct: the length of an array in place.
    pub count: Option<u64>,
    /// Whether a pointer may point to several elements.
    pub many: bool,
    /// The scalar and the stars that bindings declare instead: `unsigned char` for bytes behind a `void*`, `void*`
    /// for a pointer that they do not follow. [`CValue::bound`] applies it.
    pub bound: Option<(CType, usize)>,
    /// Where the document has this type.
    pub place: Span,
    /// Where the document says that C writes to the parameter.
    pub written_place: Option<Span>,
}

/// What a C type is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum CBase {
    /// A scalar, or `void`.
    Scalar(CType),
    /// A struct or the memory of a state: the index of the record.
    Record(usize),
    /// `void`, under the name that `x-handle` gives it.
    Handle(String),
    /// A function pointer, without a star for itself.
    Function(Box<CCallback>),
}

/// A function that C calls.
#[derive(Clone, Debug, PartialEq)]
pub struct CCallback {
    /// The names and types of the parameters, in order.
    pub params: Vec<(String, CValue)>,
    /// The type of the return value; `None` for `void`.
    pub returns: Option<CValue>,
    /// Whether C passes it user data.
    pub has_user_data: bool,
    /// Where the document describes it.
    pub place: Span,
}

impl CSignature {
    /// The type that C promotes the operand at `index` to when it is passed through `...`, if it does.
    #[must_use]
    pub fn promoted(&self, index: usize) -> Option<CType> {
        let value = self.params.get(index)?;
        match (&value.base, self.variadic) {
            (CBase::Scalar(c_type), Some(fixed)) if index >= fixed.value && value.stars == 0 => {
                Some(c_type.promoted()).filter(|promoted| promoted != c_type)
            }
            _ => None,
        }
    }
}

impl CValue {
    /// A value, without pointers.
    #[must_use]
    pub fn new(base: CBase) -> Self {
        Self {
            base,
            constant: false,
            stars: 0,
            count: None,
            many: false,
            bound: None,
            place: Span::default(),
            written_place: None,
        }
    }

    /// A scalar by value.
    #[must_use]
    pub fn scalar(c_type: CType) -> Self {
        Self::new(CBase::Scalar(c_type))
    }

    /// An element of an array.
    #[must_use]
    pub fn element(element: Element) -> Self {
        match element {
            Element::Scalar(scalar) => Self::scalar(scalar.c_type),
            Element::Record(record) => Self::new(CBase::Record(record)),
        }
    }

    /// An element of what a buffer holds.
    #[must_use]
    pub fn content(content: Content) -> Self {
        match content {
            Content::Elements(element) => Self::element(element),
            Content::Handles(_) => Self { stars: 1, ..Self::scalar(CType::Void) },
            Content::Text { c_type, .. } => Self::scalar(c_type),
        }
    }

    /// The same type with `const`: C only reads what is pointed to.
    #[must_use]
    pub fn constant(self) -> Self {
        Self { constant: true, ..self }
    }

    /// The same, where bindings declare `c_type` with that many stars.
    #[must_use]
    pub fn bound_to(self, c_type: CType, stars: usize) -> Self {
        let is_it = self.base == CBase::Scalar(c_type) && self.stars == stars;
        Self { bound: (!is_it).then_some((c_type, stars)), ..self }
    }

    /// The type that bindings declare.
    #[must_use]
    pub fn bound(&self) -> Self {
        match self.bound {
            Some((c_type, stars)) => Self { base: CBase::Scalar(c_type), stars, bound: None, ..*self },
            None => self.clone(),
        }
    }

    /// A member of a struct.
    #[must_use]
    pub fn field(field: &FieldType) -> Self {
        let pointer = |c_type: CType, stars: usize| Self { stars, many: true, ..Self::scalar(c_type) };
        match field {
            FieldType::Scalar(scalar) => Self::scalar(scalar.c_type),
            FieldType::Record(record) => Self::new(CBase::Record(*record)),
            FieldType::Array { element, count } => Self { count: Some(*count), ..Self::element(*element) },
            FieldType::Text { c_type, count, .. } => Self { count: Some(*count), ..Self::scalar(*c_type) },
            FieldType::Bits { c_type, .. } => Self::scalar(*c_type),
            FieldType::Union(union) => Self::new(CBase::Record(union.record)),
            FieldType::Str(c_type) => pointer(*c_type, 1),
            FieldType::Many(many) => {
                let of = match many.record() {
                    Some(record) => {
                        Self { stars: many.stars(), many: true, ..Self::new(CBase::Record(record)) }
                    }
                    None => pointer(many.c_type, many.stars()),
                };
                of.bound_to(CType::Void, 1)
            }
            FieldType::Pointed(record) => {
                Self { stars: 1, ..Self::new(CBase::Record(*record)) }.bound_to(CType::Void, 1)
            }
            FieldType::Pointer { to, stars: 1 } => pointer(*to, 1),
            FieldType::Pointer { to, stars } => pointer(*to, *stars).bound_to(CType::Void, 1),
        }
    }

    /// The name of the type of the handle or state that it is.
    #[must_use]
    pub fn handle<'t>(&'t self, types: &'t Types) -> Option<&'t str> {
        match &self.base {
            CBase::Handle(name) => Some(name),
            CBase::Record(record) if self.stars == 1 => {
                let record = &types.records[*record];
                matches!(record.body, Body::State { .. }).then_some(record.name.as_str())
            }
            CBase::Record(_) | CBase::Scalar(_) | CBase::Function(_) => None,
        }
    }

    /// Whether it is a complex number by value.
    #[must_use]
    pub fn is_complex(&self, types: &Types) -> bool {
        matches!(self.base, CBase::Record(record) if self.stars == 0 && types.records[record].complex.is_some())
    }

    /// Whether it is a union by value, or a struct with one.
    #[must_use]
    pub fn is_union(&self, types: &Types) -> bool {
        let records = &types.records;
        let has_union =
            |record: usize| records[record].overlap.is_some() || records[record].has_unions_in_place(records);
        matches!(self.base, CBase::Record(record) if self.stars == 0 && has_union(record))
    }

    /// A declaration of `name` in C; the type alone if `name` is empty.
    #[must_use]
    pub fn declare(&self, name: &str, types: &Types) -> String {
        let base = match &self.base {
            CBase::Scalar(c_type) => c_type.name(),
            CBase::Record(record) => &types.records[*record].name,
            CBase::Handle(_) => CType::Void.name(),
            CBase::Function(callback) => return declare_callback(callback, name, types),
        };
        let constant = if self.constant { "const " } else { "" };
        let stars = "*".repeat(self.stars);
        let count = self.count.map(|count| format!("[{count}]")).unwrap_or_default();
        format!("{constant}{base} {stars}{name}{count}").trim_end().to_owned()
    }

    /// The type for the ABI: without names and `const`. Types that are the same on every target have the same
    /// spelling.
    #[must_use]
    pub fn abi(&self, types: &Types) -> String {
        self.abi_within(&mut Vec::new(), types)
    }

    /// The same inside of the structs `around`, which it may point to again.
    fn abi_within(&self, around: &mut Vec<usize>, types: &Types) -> String {
        let base = match &self.base {
            CBase::Scalar(c_type) => c_type.abi().into_owned(),
            CBase::Record(record) => abi_of_record(*record, around, types),
            CBase::Handle(_) => CType::Void.abi().into_owned(),
            CBase::Function(callback) => {
                let params: Vec<String> =
                    callback.params.iter().map(|(_, value)| value.abi_within(around, types)).collect();
                let returns = callback
                    .returns
                    .as_ref()
                    .map_or("void".to_owned(), |value| value.abi_within(around, types));
                format!("fn({}) {returns}", params.join(", "))
            }
        };
        let count = self.count.map(|count| format!("[{count}]")).unwrap_or_default();
        format!("{}{base}{count}", "*".repeat(self.stars))
    }
}

fn declare_callback(callback: &CCallback, name: &str, types: &Types) -> String {
    let params: Vec<String> =
        callback.params.iter().map(|(name, value)| value.declare(name, types)).collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let returns = callback.returns.as_ref().map_or("void".to_owned(), |value| value.declare("", types));
    format!("{returns} (*{name})({params})")
}

fn abi_of_record(record: usize, around: &mut Vec<usize>, types: &Types) -> String {
    // A struct of its own kind is told by how many structs are between the two.
    if let Some(position) = around.iter().rposition(|other| *other == record) {
        return format!("{{{} up}}", around.len() - position);
    }
    match &types.records[record].body {
        Body::State { size, align, .. } => format!("[{size} bytes aligned {align}]"),
        Body::Fields(fields) => {
            around.push(record);
            let fields: Vec<String> =
                fields.iter().map(|field| CValue::field(&field.of).abi_within(around, types)).collect();
            around.pop();
            match types.records[record].overlap {
                Some(Overlap::Members) => format!("{{{}}}", fields.join(" | ")),
                // It is the union that it has.
                Some(Overlap::One(_)) => fields.concat(),
                None => format!("{{{}}}", fields.join(", ")),
            }
        }
    }
}
