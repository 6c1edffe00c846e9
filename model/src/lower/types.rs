//! The structs, enums and handles that the schemas of a document describe, each once.

use std::cell::RefCell;
use std::collections::HashMap;

use super::identifier;
use super::record::Lowered;
use super::schema::{JsonType, Resolved, Schemas};
use super::{default, enumeration, record};
use crate::diagnostic::Findings;
use crate::document::InlineSchema;
use crate::plan::{Default, Enumeration, HandleType, Types, Values, View};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// No real struct nests deeper than this.
const MAX_NESTING: usize = 32;

/// The types that are known so far.
pub(super) struct Registry<'d> {
    pub(super) schemas: &'d Schemas<'d>,
    pub(super) findings: &'d Findings,
    types: RefCell<Known>,
    /// The structs that contain the current one.
    around: RefCell<Vec<*const InlineSchema>>,
}

#[derive(Default)]
struct Known {
    types: Types,
    /// By the schema that describes it, which several references can lead to.
    records: HashMap<*const InlineSchema, Registered>,
    enums: HashMap<*const InlineSchema, Option<usize>>,
    handles: HashMap<String, usize>,
    /// The Rust name, the name in the document and the place of every type.
    idents: Vec<(String, String, Span)>,
}

/// What is known of a struct.
#[derive(Clone, Copy)]
pub(super) enum Registered {
    /// It is the record with this index.
    As(usize),
    /// The same, but the document has errors there, so that only its layout in C counts.
    WithErrors(usize),
    /// Not even that is known; the reason is reported.
    InVain,
    /// No value needed it.
    Never,
}

impl<'d> Registry<'d> {
    pub(super) fn new(schemas: &'d Schemas<'d>, findings: &'d Findings) -> Self {
        Self { schemas, findings, types: RefCell::default(), around: RefCell::default() }
    }

    /// The struct that an object with `properties` or `x-size` describes. If the schema has no name, the struct
    /// is named after `path`.
    pub(super) fn record(&self, schema: &Resolved<'_>, path: &str) -> Option<usize> {
        let address = std::ptr::from_ref(schema.schema);
        match self.registered(schema.schema) {
            Registered::As(index) => return Some(index),
            Registered::WithErrors(_) | Registered::InVain => return None,
            Registered::Never => {}
        }
        if self.around.borrow().contains(&address) {
            self.findings.report(
                Rule::Struct,
                schema.c_type_span,
                format!("the struct `{}` contains itself", schema.name.unwrap_or(path)),
                "write \"isPointer\": true here: a struct can only contain a pointer to itself",
            );
            return None;
        }
        if self.around.borrow().len() >= MAX_NESTING {
            self.findings.report(
                Rule::Struct,
                schema.type_span,
                format!("structs nest deeper than {MAX_NESTING} levels"),
                "describe a member as a `void*`, or its bytes as an array",
            );
            return None;
        }
        self.around.borrow_mut().push(address);
        let lowered = record::lower(schema, path, self);
        self.around.borrow_mut().pop();
        let mut known = self.types.borrow_mut();
        let index = known.types.records.len();
        let registered = match lowered {
            Some(Lowered { record, is_whole }) => {
                if is_whole {
                    known.idents.push((record.ident.clone(), record.name.clone(), schema.schema.span));
                }
                known.types.records.push(record);
                if is_whole { Registered::As(index) } else { Registered::WithErrors(index) }
            }
            None => Registered::InVain,
        };
        known.records.insert(address, registered);
        matches!(registered, Registered::As(_)).then_some(index)
    }

    /// What [`Self::record`] made of a schema.
    pub(super) fn registered(&self, schema: &InlineSchema) -> Registered {
        let address = std::ptr::from_ref(schema);
        self.types.borrow().records.get(&address).copied().unwrap_or(Registered::Never)
    }

    /// The enum of a schema, if it has one.
    pub(super) fn enumeration(&self, schema: &Resolved<'_>, path: &str) -> Option<Option<usize>> {
        if schema.schema.enumeration.is_none() {
            if let Some(names) = &schema.schema.enum_names {
                self.findings.report(
                    Rule::Enumeration,
                    names.span,
                    "`x-enumNames` needs `enum`",
                    "add `enum` with one value per name",
                );
                return None;
            }
            return Some(None);
        }
        let address = std::ptr::from_ref(schema.schema);
        if let Some(known) = self.types.borrow().enums.get(&address) {
            return known.map(Some);
        }
        let lowered = enumeration::lower(schema, path, self.findings);
        let mut known = self.types.borrow_mut();
        let index = lowered.map(|lowered: Enumeration| {
            if lowered.is_named() {
                known.idents.push((lowered.ident.clone(), lowered.name.clone(), schema.schema.span));
            }
            known.types.enums.push(lowered);
            known.types.enums.len() - 1
        });
        known.enums.insert(address, index);
        index.map(Some)
    }

    pub(super) fn handle(&self, name: &Spanned<String>) -> Option<usize> {
        if let Some(known) = self.types.borrow().handles.get(&name.value) {
            return Some(*known);
        }
        let ident = identifier::for_type(&name.value);
        if !identifier::is_type_name(&ident) || name.value.contains(':') {
            self.findings.report(
                Rule::NoIdentifier,
                name.span,
                format!("the handle type {:?} cannot be turned into the name of a Rust struct", name.value),
                "write the name of the C type, such as \"sqlite3\"",
            );
            return None;
        }
        let mut known = self.types.borrow_mut();
        known.idents.push((ident.clone(), name.value.clone(), name.span));
        let constant = identifier::type_constant(&name.value, "_HANDLE");
        known.types.handles.push(HandleType { ident, constant, name: name.value.clone() });
        let index = known.types.handles.len() - 1;
        known.handles.insert(name.value.clone(), index);
        Some(index)
    }

    /// Whether a struct holds pointers to text.
    pub(super) fn has_text(&self, record: usize) -> bool {
        let known = self.types.borrow();
        known.types.records[record].has_text(&known.types.records)
    }

    /// Whether a struct holds pointers that JSON cannot express and must not omit.
    pub(super) fn has_opaque_pointers(&self, record: usize) -> bool {
        let known = self.types.borrow();
        known.types.records[record].has_opaque_pointers(&known.types.records)
    }

    /// The view of an integer with an `enum`. Without names, it is a plain integer in Rust.
    pub(super) fn enum_view(&self, schema: &Resolved<'_>, path: &str) -> Option<Option<View>> {
        if schema.json != JsonType::Integer {
            return Some(None);
        }
        Some(self.enumeration(schema, path)?.map(View::Enum))
    }

    /// The value of an enum that has only one.
    pub(super) fn only_value(&self, index: usize) -> Option<Default> {
        match &self.types.borrow().types.enums[index].of {
            Values::Integers { variants, .. } => match variants.as_slice() {
                [only] => Some(Default::Integer(only.value.into())),
                _ => None,
            },
            Values::Strings(variants) => match variants.as_slice() {
                [only] => Some(Default::Text(only.value.clone())),
                _ => None,
            },
        }
    }

    /// The default of a schema, which must be a value of the enum if there is one.
    pub(super) fn default(&self, schema: &Resolved<'_>, of_enum: Option<usize>) -> Option<Option<Default>> {
        let known = self.types.borrow();
        default::lower(schema, of_enum.map(|index| &known.types.enums[index]), self.findings)
    }

    /// All types, and for each its Rust name, its name in the document and its place.
    pub(super) fn finish(self) -> (Types, Vec<(String, String, Span)>) {
        let known = self.types.into_inner();
        (known.types, known.idents)
    }
}
