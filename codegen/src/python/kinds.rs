//! What values are: the classes of `values.py` that read and show them, and their types for `ctypes`.

use std::fmt::Write;

use super::names::text;
use opendyn_model::c_type::{CType, Class};
use opendyn_model::ir::{
    Binding, Body, Content, Default, Element, Encoding, Field, Form, Member, Scalar, Text, Values, View,
};

/// The kinds that a call uses, and the structs among them.
pub(super) struct Kinds<'b> {
    binding: &'b Binding,
    /// The records, each after those that it holds.
    records: Vec<usize>,
}

impl<'b> Kinds<'b> {
    pub(super) fn new(binding: &'b Binding) -> Self {
        Self { binding, records: Vec::new() }
    }

    pub(super) fn scalar(&self, scalar: Scalar) -> String {
        let (name, c_type) = (scalar.c_type.name(), c_type(scalar.c_type));
        match scalar.view {
            View::Truth => format!("_Boolean({c_type})"),
            View::Character => format!("_Character({c_type})"),
            View::Enum(index) => match &self.binding.types.enums[index].of {
                Values::Integers { variants, .. } => {
                    let values: Vec<String> =
                        variants.iter().map(|variant| variant.value.to_string()).collect();
                    format!("_Choice('{name}', {c_type}, [{}])", values.join(", "))
                }
                Values::Strings(_) => format!("_Integer('{name}', {c_type})"),
            },
            View::Plain => match scalar.c_type.class() {
                Class::Boolean => format!("_Boolean({c_type})"),
                Class::Floating => format!("_Number('{name}', {c_type})"),
                Class::Void | Class::Character | Class::Integer => format!("_Integer('{name}', {c_type})"),
            },
        }
    }

    pub(super) fn string(&self, of: Text) -> String {
        let one_of = match of.one_of.map(|index| &self.binding.types.enums[index].of) {
            Some(Values::Strings(variants)) => {
                let texts: Vec<String> = variants.iter().map(|variant| text(&variant.value)).collect();
                format!(", one_of=[{}]", texts.join(", "))
            }
            _ => String::new(),
        };
        format!("_Text({}{one_of})", encoding(of.encoding))
    }

    pub(super) fn element(&mut self, element: Element) -> String {
        match element {
            Element::Scalar(scalar) => self.scalar(scalar),
            Element::Record(record) => self.record(record),
        }
    }

    /// The name of the kind of a struct, which is defined below the code.
    pub(super) fn record(&mut self, record: usize) -> String {
        self.define(record);
        format!("_{}", self.binding.types.records[record].constant.to_uppercase())
    }

    pub(super) fn record_class(&mut self, record: usize) -> String {
        self.define(record);
        format!("_{}", self.binding.types.records[record].ident.trim_start_matches("r#"))
    }

    fn define(&mut self, record: usize) {
        if self.records.contains(&record) {
            return;
        }
        if let Body::Fields(fields) = &self.binding.types.records[record].body {
            for field in fields {
                if let Member::Record(inner) | Member::Array { element: Element::Record(inner), .. } =
                    &field.member
                {
                    self.define(*inner);
                }
            }
        }
        self.records.push(record);
    }

    /// The type of one element in memory.
    pub(super) fn element_type(&mut self, element: Element) -> String {
        match element {
            Element::Scalar(scalar) => c_type(scalar.c_type),
            Element::Record(record) => self.record_class(record),
        }
    }

    pub(super) fn content_type(&mut self, content: Content) -> String {
        match content {
            Content::Elements(element) => self.element_type(element),
            Content::Text { encoding, .. } => unit_type(encoding).to_owned(),
        }
    }

    /// What C returns.
    pub(super) fn restype(&mut self, form: &Form) -> String {
        match form {
            Form::Value(scalar) => c_type(scalar.c_type),
            Form::RecordValue(record) => self.record_class(*record),
            _ => "ctypes.c_void_p".to_owned(),
        }
    }

    /// What is to be looked at before the call: sizes that the document promises.
    pub(super) fn checks(&mut self) -> Vec<String> {
        let records = self.records.clone();
        let promised = records.into_iter().filter(|record| {
            let record = &self.binding.types.records[*record];
            record.size.is_some() || record.align.is_some()
        });
        let promised: Vec<usize> = promised.collect();
        promised.into_iter().map(|record| format!("{}.check()", self.record(record))).collect()
    }

    /// The classes of the structs, and their kinds.
    pub(super) fn definitions(&mut self) -> String {
        let records = self.records.clone();
        let definitions: Vec<String> = records.into_iter().map(|record| self.definition(record)).collect();
        definitions.join("\n\n")
    }

    fn definition(&mut self, index: usize) -> String {
        let record = &self.binding.types.records[index];
        let Body::Fields(fields) = &record.body else { return String::new() };
        let (class, kind) = (self.record_class(index), self.record(index));
        let mut types = String::new();
        let mut members = String::new();
        for field in fields {
            let (of, c_type) = self.member(&field.member);
            let attribute = attribute(field);
            // Writing to a string does not fail.
            let _ = writeln!(types, "        ({attribute}, {c_type}),");
            let required = if field.required { "True" } else { "False" };
            let default = field
                .default
                .as_ref()
                .map_or_else(|| "None".to_owned(), |default| given(default, &of, &field.member));
            let key = text(&field.key);
            let _ = writeln!(members, "    ({key}, {attribute}, {of}, {required}, {default}),");
        }
        let promise = |name: &str, value: Option<u64>| {
            value.map(|value| format!(", {name}={value}")).unwrap_or_default()
        };
        format!(
            "class {class}(ctypes.Structure):\n    _fields_ = [\n{types}    ]\n\n\n{kind} = _Record({class}, [\n{members}]{}{})\n",
            promise("size", record.size),
            promise("align", record.align)
        )
    }

    /// The kind of a member, and its type.
    fn member(&mut self, member: &Member) -> (String, String) {
        match member {
            Member::Scalar(scalar) => (self.scalar(*scalar), c_type(scalar.c_type)),
            Member::Record(record) => (self.record(*record), self.record_class(*record)),
            Member::Array { element, count } => {
                let (kind, of) = (self.element(*element), self.element_type(*element));
                (format!("_List({kind}, {count})"), format!("{of} * {count}"))
            }
            Member::Text { count, encoding: of, .. } => {
                (format!("_InPlace({}, {count})", encoding(*of)), format!("{} * {count}", unit_type(*of)))
            }
            Member::Str(_) => ("_StringPointer()".to_owned(), "ctypes.c_char_p".to_owned()),
            Member::Pointer(_) => ("_Nothing()".to_owned(), "ctypes.c_void_p".to_owned()),
        }
    }
}

fn attribute(field: &Field) -> String {
    let name = field.ident.trim_start_matches("r#");
    text(&if name.starts_with('_') { format!("m{name}") } else { name.to_owned() })
}

/// A default of a member, as it is put into the struct.
fn given(default: &Default, kind: &str, member: &Member) -> String {
    match (default, member) {
        (Default::Text(value), Member::Str(_)) => format!("{}.encode()", text(value)),
        (Default::Text(value), _) => format!("{kind}.read({}, '')", text(value)),
        _ => literal(default),
    }
}

/// A value that is given where the caller gives none.
pub(super) fn literal(default: &Default) -> String {
    match default {
        Default::Bool(value) => if *value { "1" } else { "0" }.to_owned(),
        Default::Integer(value) => value.to_string(),
        Default::Number(value) => format!("{value:?}"),
        Default::Text(value) => text(value),
    }
}

/// The type in memory, and by value of all but `bool`.
pub(super) fn c_type(c_type: CType) -> String {
    let name = match c_type {
        CType::Void => "void_p",
        CType::Bool | CType::UnsignedChar => "ubyte",
        CType::Char => return "_CHAR".to_owned(),
        CType::Short => "short",
        CType::UnsignedShort => "ushort",
        CType::Int => "int",
        CType::UnsignedInt => "uint",
        CType::Long => "long",
        CType::UnsignedLong => "ulong",
        CType::LongLong => "longlong",
        CType::UnsignedLongLong => "ulonglong",
        CType::Float => "float",
        CType::Double => "double",
        CType::Int8 => "int8",
        CType::Uint8 => "uint8",
        CType::Int16 => "int16",
        CType::Uint16 => "uint16",
        CType::Int32 => "int32",
        CType::Uint32 => "uint32",
        CType::Int64 => "int64",
        CType::Uint64 => "uint64",
        CType::Size | CType::UintPtr => "size_t",
        CType::SignedSize | CType::PtrDiff | CType::IntPtr => "ssize_t",
    };
    format!("ctypes.c_{name}")
}

/// The type of a parameter that is passed by value.
pub(super) fn by_value(of: CType) -> String {
    if of == CType::Bool { "ctypes.c_bool".to_owned() } else { c_type(of) }
}

fn unit_type(encoding: Encoding) -> &'static str {
    if encoding == Encoding::Utf16 { "ctypes.c_uint16" } else { "ctypes.c_ubyte" }
}

pub(super) fn encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Utf8 => "'utf-8'",
        Encoding::Utf8Lossy => "'utf-8-lossy'",
        Encoding::Latin1 => "'latin-1'",
        Encoding::Utf16 => "'utf-16'",
        Encoding::Base64 => "'base64'",
        Encoding::Hex => "'hex'",
    }
}
