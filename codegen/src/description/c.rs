//! How C spells what the document describes, and what of it the ABI sees.

use opendyn_model::c_type::{CType, Class};
use opendyn_model::ir::{
    Body, Callback, CallbackValue, Constant, Content, Direction, Element, Form, Function, HandleRole, Member,
    Passing, Record, Scalar, Types,
};

/// A C type: what it points to in the end, and through how many pointers.
pub(super) struct Spelled {
    base: Base,
    /// `const` before the base: C only reads what is pointed to.
    constant: bool,
    stars: usize,
    /// In a struct, so many of them.
    count: Option<u64>,
}

enum Base {
    Scalar(CType),
    Record(usize),
    Callback(Box<Callback>),
}

impl Spelled {
    fn value(c_type: CType) -> Self {
        Self { base: Base::Scalar(c_type), constant: false, stars: 0, count: None }
    }

    fn pointer(c_type: CType) -> Self {
        Self { stars: 1, ..Self::value(c_type) }
    }

    fn record(record: usize, stars: usize) -> Self {
        Self { base: Base::Record(record), constant: false, stars, count: None }
    }

    fn element(element: Element) -> Self {
        match element {
            Element::Scalar(scalar) => Self::value(scalar.c_type),
            Element::Record(record) => Self::record(record, 0),
        }
    }

    fn content(content: Content) -> Self {
        match content {
            Content::Elements(element) => Self::element(element),
            Content::Text { c_type, .. } => Self::value(c_type),
        }
    }

    fn pointed(self) -> Self {
        Self { stars: self.stars + 1, ..self }
    }

    fn constant(self) -> Self {
        Self { constant: true, ..self }
    }

    pub(super) fn of_parameter(passing: &Passing) -> Self {
        match passing {
            Passing::Value(scalar) | Passing::Constant { of: Constant::Scalar(scalar), .. } => {
                Self::value(scalar.c_type)
            }
            Passing::Str(text) | Passing::Constant { of: Constant::Str(text), .. } => {
                Self::pointer(text.c_type).constant()
            }
            Passing::Counted { c_type, inout: false, .. } => Self::pointer(*c_type).constant(),
            Passing::Counted { c_type, .. } | Passing::Count { c_type } => Self::pointer(*c_type),
            Passing::Pointer(scalar) | Passing::InOut(scalar) | Passing::Output(scalar) => {
                Self::pointer(scalar.c_type)
            }
            Passing::Slice { element, length: Some(_), inout: false } => {
                Self::element(*element).pointed().constant()
            }
            Passing::Slice { element, .. } => Self::element(*element).pointed(),
            Passing::Strings { .. } => Self::pointer(CType::Char).pointed().constant(),
            Passing::Buffer { content, .. } => Self::content(*content).pointed(),
            Passing::Record { record, direction: Direction::In } => Self::record(*record, 1).constant(),
            Passing::Record { record, direction: Direction::Value } => Self::record(*record, 0),
            Passing::Record { record, .. } | Passing::State { record, .. } => Self::record(*record, 1),
            Passing::Handle { role: HandleRole::ConsumedThrough, .. } => Self::pointer(CType::Void).pointed(),
            Passing::Handle { .. } | Passing::UserData { .. } | Passing::Opaque { .. } => {
                Self::pointer(CType::Void)
            }
            Passing::Fetched(form) => Self::pointee(form).pointed().pointed(),
            Passing::Callback(callback) => Self {
                base: Base::Callback(Box::new(callback.clone())),
                constant: false,
                stars: 0,
                count: None,
            },
            Passing::Length { c_type, pointer, .. } | Passing::Capacity { c_type, pointer, .. } => {
                if *pointer { Self::pointer(*c_type) } else { Self::value(*c_type) }
            }
        }
    }

    pub(super) fn of_return(form: &Form) -> Self {
        match form {
            Form::Value(scalar) => Self::value(scalar.c_type),
            Form::RecordValue(record) => Self::record(*record, 0),
            // What nobody frees is not ours to write to.
            Form::Str { .. } if !form.is_freed() => Self::pointee(form).pointed().constant(),
            _ => Self::pointee(form).pointed(),
        }
    }

    fn pointee(form: &Form) -> Self {
        match form {
            Form::Value(Scalar { c_type, .. }) | Form::Pointed { scalar: Scalar { c_type, .. }, .. } => {
                Self::value(*c_type)
            }
            Form::Str { text, .. } => Self::value(text.c_type),
            Form::Array { content, .. } => Self::content(*content),
            Form::Strings { .. } => Self::pointer(CType::Char),
            Form::Record { record, .. } | Form::RecordValue(record) => Self::record(*record, 0),
            Form::Handle { .. } | Form::Opaque => Self::value(CType::Void),
        }
    }

    pub(super) fn of_member(member: &Member) -> Self {
        match member {
            Member::Scalar(scalar) => Self::value(scalar.c_type),
            Member::Record(record) => Self::record(*record, 0),
            Member::Array { element, count } => Self { count: Some(*count), ..Self::element(*element) },
            Member::Text { c_type, count, .. } => Self { count: Some(*count), ..Self::value(*c_type) },
            Member::Str(c_type) | Member::Pointer(c_type) => Self::pointer(*c_type),
        }
    }

    fn of_callback_parameter(value: &CallbackValue) -> Self {
        match value {
            CallbackValue::Scalar(scalar) => Self::value(scalar.c_type),
            CallbackValue::Length { c_type } => Self::value(*c_type),
            CallbackValue::Str { c_type, .. } => Self::pointer(*c_type).constant(),
            CallbackValue::Slice { element, .. } => Self::element(*element).pointed().constant(),
            CallbackValue::Strings { .. } => Self::pointer(CType::Char).pointed().constant(),
            CallbackValue::Record { record, .. } => Self::record(*record, 1).constant(),
            CallbackValue::UserData | CallbackValue::Opaque => Self::pointer(CType::Void),
        }
    }

    /// A declaration of `name`; of nothing, the type alone.
    pub(super) fn declare(&self, name: &str, types: &Types) -> String {
        let base = match &self.base {
            Base::Scalar(c_type) => c_type.name(),
            Base::Record(record) => &types.records[*record].name,
            Base::Callback(callback) => return declare_callback(callback, name, types),
        };
        let constant = if self.constant { "const " } else { "" };
        let stars = "*".repeat(self.stars);
        let count = self.count.map(|count| format!("[{count}]")).unwrap_or_default();
        format!("{constant}{base} {stars}{name}{count}").trim_end().to_owned()
    }

    /// The type as the ABI sees it: neither names nor `const`, and types that are the same everywhere are
    /// spelled the same.
    pub(super) fn abi(&self, types: &Types) -> String {
        let base = match &self.base {
            Base::Scalar(c_type) => abi_of(*c_type).to_owned(),
            Base::Record(record) => abi_of_record(&types.records[*record], types),
            Base::Callback(callback) => {
                let params: Vec<String> = callback
                    .params
                    .iter()
                    .map(|param| Self::of_callback_parameter(&param.value).abi(types))
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
            Spelled::of_callback_parameter(&param.value).declare(name, types)
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
                fields.iter().map(|field| Spelled::of_member(&field.member).abi(types)).collect();
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
        // The sign of `char` and the width of `long` are the target's.
        (CType::Char | CType::Long | CType::UnsignedLong, _)
        | (_, Class::Void | Class::Boolean | Class::Floating) => c_type.name(),
        _ => c_type.ffi(),
    }
}

/// `int add(int a, int b);`
pub(super) fn prototype(function: &Function, types: &Types, stdcall: bool) -> String {
    let mut params: Vec<String> = function
        .params
        .iter()
        .take(function.variadic.unwrap_or(usize::MAX))
        .map(|param| Spelled::of_parameter(&param.passing).declare(&param.key, types))
        .collect();
    if function.variadic.is_some() {
        params.push("...".to_owned());
    }
    let length: usize = params.iter().map(|param| param.len() + 2).sum();
    let params = match params.as_slice() {
        [] => "void".to_owned(),
        // As wide as a page is.
        params if length > 80 => format!("\n    {}", params.join(",\n    ")),
        params => params.join(", "),
    };
    let convention = if stdcall { "__stdcall " } else { "" };
    let name = format!("{convention}{}({params});", function.symbol);
    match &function.returned {
        None => format!("void {name}"),
        Some(returned) => Spelled::of_return(&returned.form).declare(&name, types),
    }
}
