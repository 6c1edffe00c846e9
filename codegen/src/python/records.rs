//! C structs: a class of `ctypes` for each, and the kind that reads and shows it.

use std::fmt::Write;

use super::literals::{encoding, literal, text};
use super::parts::Part;
use super::refusal::{self, Refusal};
use super::script::Script;
use opendyn_model::plan::{Body, CValue, Default, Element, Field, FieldType, Kind};
use opendyn_source::span::Spanned;

impl Script<'_> {
    /// The name of the kind of a struct, which the script defines from now on.
    pub(super) fn record_kind(&mut self, record: usize) -> String {
        self.define(record);
        unlike_parts(format!("_{}", self.types().records[record].constant.to_uppercase()))
    }

    /// The name of the class of a struct, which the script defines from now on.
    pub(super) fn record_class(&mut self, record: usize) -> String {
        self.define(record);
        unlike_parts(format!("_{}", self.types().records[record].ident.trim_start_matches("r#")))
    }

    fn define(&mut self, record: usize) {
        if self.records.contains(&record) {
            return;
        }
        for field in self.types().records[record].fields() {
            match field.of {
                FieldType::Record(inner) | FieldType::Array { element: Element::Record(inner), .. } => {
                    self.define(inner);
                }
                FieldType::Bits { .. }
                | FieldType::Union(_)
                | FieldType::Many(_)
                | FieldType::Pointed(_)
                | FieldType::Scalar(_)
                | FieldType::Array { element: Element::Scalar(_), .. }
                | FieldType::Text { .. }
                | FieldType::Str(_)
                | FieldType::Pointer { .. } => {}
            }
        }
        self.records.push(record);
    }

    /// Lines that compare the sizes that the document promises with those on this machine.
    pub(super) fn size_checks(&mut self) -> Vec<String> {
        let types = self.types();
        let promised = self.records.clone().into_iter().filter(|record| {
            let record = &types.records[*record];
            record.size.is_some() || record.align.is_some()
        });
        promised.map(|record| format!("{}.check()", self.record_kind(record))).collect()
    }

    /// The classes of the structs, and their kinds.
    pub(super) fn structs(&mut self) -> Result<String, Refusal> {
        let structs: Result<Vec<String>, Refusal> =
            self.records.clone().into_iter().map(|record| self.record(record)).collect();
        Ok(structs?.join("\n\n"))
    }

    fn record(&mut self, index: usize) -> Result<String, Refusal> {
        let record = &self.types().records[index];
        let fields = match &record.body {
            Body::Fields(fields) => fields,
            Body::State { .. } => return Err(refusal::state(&record.name, &record.name)),
        };
        let (class, kind) = (self.record_class(index), self.record_kind(index));
        let (mut types, mut members) = (String::new(), String::new());
        for field in fields {
            let (of, c_type) = self.member(field)?;
            let (key, attribute) = (text(&field.key), attribute(field));
            let required = if field.required { "True" } else { "False" };
            let default =
                field.default.as_ref().map_or_else(|| "None".to_owned(), |default| stand_in(default, &of));
            // Writing to a string does not fail.
            let _ = writeln!(types, "        ({attribute}, {c_type}),");
            let _ = writeln!(members, "    ({key}, {attribute}, {of}, {required}, {default}),");
        }
        let promise = |name: &str, promised: Option<Spanned<u64>>| {
            promised.map(|promised| format!(", {name}={}", promised.value)).unwrap_or_default()
        };
        let promises = promise("size", record.size) + &promise("align", record.align);
        let (base, part) = (self.ctypes("Structure"), self.part(Part::Record));
        Ok(format!(
            "class {class}({base}):\n    _fields_ = [\n{types}    ]\n\n\n{kind} = {part}({class}, [\n{members}]{promises})\n"
        ))
    }

    /// The kind of a member, and its type.
    fn member(&mut self, field: &Field) -> Result<(String, String), Refusal> {
        Ok(match &field.of {
            FieldType::Text { count, encoding: of, .. } => {
                let (unit, count) = (self.unit_type(*of), count.to_string());
                (self.call(Part::InPlace, &[encoding(*of), &count]), format!("{unit} * {count}"))
            }
            FieldType::Str(_) => (self.call(Part::StringPointer, &[]), self.ctypes("c_char_p")),
            FieldType::Bits { .. } | FieldType::Union(_) | FieldType::Many(_) | FieldType::Pointed(_) => {
                return Err(refusal::member(&field.key));
            }
            other @ (FieldType::Scalar(_)
            | FieldType::Record(_)
            | FieldType::Array { .. }
            | FieldType::Pointer { .. }) => {
                (self.kind(&Kind::field(other), &field.key)?, self.memory_type(&CValue::field(other)))
            }
        })
    }
}

/// A name for a struct: its own, unless a part has that.
fn unlike_parts(mut name: String) -> String {
    if Part::ALL.iter().any(|part| part.name() == name) {
        name.push('_');
    }
    name
}

fn attribute(field: &Field) -> String {
    let name = field.ident.trim_start_matches("r#");
    text(&if name.starts_with('_') { format!("m{name}") } else { name.to_owned() })
}

/// What stands for an absent value of this kind, as the kind reads values.
pub(super) fn stand_in(default: &Default, kind: &str) -> String {
    match default {
        Default::Text(value) => format!("{kind}.read({}, '')", text(value)),
        Default::Bool(_) | Default::Integer(_) | Default::Number(_) => literal(default),
    }
}
