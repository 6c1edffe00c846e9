//! The C signature of a function. Every emitter prints it from here.

use crate::c_type::{CType, Class};
use crate::plan::{Body, Callback, CallbackValue, Content, Convention, Element, FieldType, Record, Types};

/// What a C function takes and returns.
#[derive(Clone, Debug, PartialEq)]
pub struct CSignature {
    /// The calling convention.
    pub convention: Convention,
    /// The types of the parameters, in order.
    pub params: Vec<CValue>,
    /// The number of parameters before `...`.
    pub variadic: Option<usize>,
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
}

/// What a C type is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum CBase {
    /// A scalar, or `void`.
    Scalar(CType),
    /// A struct or the memory of a state: the index of the record.
    Record(usize),
    /// A function pointer.
    Function(Box<Callback>),
}

impl CSignature {
    /// The type that C promotes the operand at `index` to when it is passed through `...`, if it does.
    #[must_use]
    pub fn promoted(&self, index: usize) -> Option<CType> {
        let value = &self.params[index];
        match (&value.base, self.variadic) {
            (CBase::Scalar(c_type), Some(fixed)) if index >= fixed && value.stars == 0 => {
                Some(c_type.promoted()).filter(|promoted| promoted != c_type)
            }
            _ => None,
        }
    }
}

impl CValue {
    /// A scalar by value.
    #[must_use]
    pub fn scalar(c_type: CType) -> Self {
        Self { base: CBase::Scalar(c_type), constant: false, stars: 0, count: None }
    }

    /// A struct by value.
    #[must_use]
    pub fn record(record: usize) -> Self {
        Self { base: CBase::Record(record), constant: false, stars: 0, count: None }
    }

    /// A function pointer.
    #[must_use]
    pub fn function(callback: Callback) -> Self {
        Self { base: CBase::Function(Box::new(callback)), constant: false, stars: 0, count: None }
    }

    /// An element of an array.
    #[must_use]
    pub fn element(element: Element) -> Self {
        match element {
            Element::Scalar(scalar) => Self::scalar(scalar.c_type),
            Element::Record(record) => Self::record(record),
        }
    }

    /// An element of what a buffer holds.
    #[must_use]
    pub fn content(content: Content) -> Self {
        match content {
            Content::Elements(element) => Self::element(element),
            Content::Text { c_type, .. } => Self::scalar(c_type),
        }
    }

    /// A pointer to it.
    #[must_use]
    pub fn pointer(self) -> Self {
        Self { stars: self.stars + 1, ..self }
    }

    /// The same type with `const`: C only reads what is pointed to.
    #[must_use]
    pub fn constant(self) -> Self {
        Self { constant: true, ..self }
    }

    /// A member of a struct.
    #[must_use]
    pub fn field(field: &FieldType) -> Self {
        match field {
            FieldType::Scalar(scalar) => Self::scalar(scalar.c_type),
            FieldType::Record(record) => Self::record(*record),
            FieldType::Array { element, count } => Self { count: Some(*count), ..Self::element(*element) },
            FieldType::Text { c_type, count, .. } => Self { count: Some(*count), ..Self::scalar(*c_type) },
            FieldType::Str(c_type) | FieldType::Pointer(c_type) => Self::scalar(*c_type).pointer(),
        }
    }

    /// A parameter of a callback.
    #[must_use]
    pub fn callback_param(value: &CallbackValue) -> Self {
        match value {
            CallbackValue::Scalar(scalar) => Self::scalar(scalar.c_type),
            CallbackValue::Length { c_type } => Self::scalar(*c_type),
            CallbackValue::Str { c_type, .. } => Self::scalar(*c_type).pointer().constant(),
            CallbackValue::Slice { element, .. } => Self::element(*element).pointer().constant(),
            CallbackValue::Strings { .. } => Self::scalar(CType::Char).pointer().pointer().constant(),
            CallbackValue::Record { record, .. } => Self::record(*record).pointer().constant(),
            CallbackValue::UserData | CallbackValue::Opaque => Self::scalar(CType::Void).pointer(),
        }
    }

    /// A declaration of `name` in C; the type alone if `name` is empty.
    #[must_use]
    pub fn declare(&self, name: &str, types: &Types) -> String {
        let base = match &self.base {
            CBase::Scalar(c_type) => c_type.name(),
            CBase::Record(record) => &types.records[*record].name,
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
        let base = match &self.base {
            CBase::Scalar(c_type) => abi_of(*c_type).to_owned(),
            CBase::Record(record) => abi_of_record(&types.records[*record], types),
            CBase::Function(callback) => {
                let params: Vec<String> = callback
                    .params
                    .iter()
                    .map(|param| Self::callback_param(&param.value).abi(types))
                    .collect();
                let returns = callback.returns.map_or("void", |scalar| abi_of(scalar.c_type));
                format!("fn({}) {returns}", params.join(", "))
            }
        };
        let count = self.count.map(|count| format!("[{count}]")).unwrap_or_default();
        format!("{}{base}{count}", "*".repeat(self.stars))
    }
}

fn declare_callback(callback: &Callback, name: &str, types: &Types) -> String {
    let params: Vec<String> = callback
        .params
        .iter()
        .map(|param| {
            let name = param.ident.trim_start_matches("r#");
            CValue::callback_param(&param.value).declare(name, types)
        })
        .collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let returns = callback.returns.map_or("void", |scalar| scalar.c_type.name());
    format!("{returns} (*{name})({params})")
}

fn abi_of_record(record: &Record, types: &Types) -> String {
    match &record.body {
        Body::State { size, align } => format!("[{size} bytes aligned {align}]"),
        Body::Fields(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|field| CValue::field(&field.of).abi(types)).collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}

fn abi_of(c_type: CType) -> &'static str {
    match (c_type, c_type.class()) {
        (CType::UnsignedChar, _) => "u8",
        (CType::Short, _) => "i16",
        (CType::UnsignedShort, _) => "u16",
        (CType::Int, _) => "i32",
        (CType::UnsignedInt, _) => "u32",
        (CType::LongLong, _) => "i64",
        (CType::UnsignedLongLong, _) => "u64",
        // The sign of `char` and the width of `long` depend on the target.
        (CType::Char | CType::Long | CType::UnsignedLong, _)
        | (_, Class::Void | Class::Boolean | Class::Floating) => c_type.name(),
        _ => c_type.ffi(),
    }
}
