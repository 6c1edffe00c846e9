//! The structs, enums and handles that the schemas of a document describe, each once.

use std::cell::RefCell;
use std::collections::HashMap;

use super::identifier;
use super::prefix::Prefix;
use super::record::Lowered;
use super::schema::{JsonType, Resolved, Schemas};
use super::{complex, default, enumeration, record, union};
use crate::c_type::CType;
use crate::diagnostic::Findings;
use crate::document::{InlineSchema, UnionOf};
use crate::plan::{
    Allocator, Body, Default, Enumeration, Field, FieldType, Free, FreeBy, HandleType, LinkedSymbol, Types,
    Values, View,
};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// Indices from here on are those of structs that are being lowered, by how deep they are.
const PENDING: usize = usize::MAX / 2;

/// No real struct nests deeper than this.
const MAX_NESTING: usize = 32;

/// The types that are known so far.
pub(super) struct Registry<'d> {
    pub(super) schemas: &'d Schemas<'d>,
    pub(super) findings: &'d Findings,
    pub(super) prefix: Prefix<'d>,
    types: RefCell<Known>,
    /// The structs that contain the current one.
    around: RefCell<Vec<*const InlineSchema>>,
}

#[derive(Default)]
struct Known {
    types: Types,
    /// By the schema that describes it, which several references can lead to.
    records: HashMap<*const InlineSchema, Registered>,
    /// The structs that stand for a union by one member.
    by_member: HashMap<ByMember, Registered>,
    enums: HashMap<*const InlineSchema, Option<usize>>,
    handles: HashMap<String, usize>,
    /// The handle types with `x-retain`, and the functions that it names.
    retains: Vec<(usize, Spanned<String>)>,
    /// The Rust name, the name in the document and the place of every type.
    idents: Vec<(String, String, Span)>,
}

/// A union, and the member that it is used by.
type ByMember = (*const InlineSchema, String);

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

fn by_member(schema: &Resolved<'_>) -> Option<ByMember> {
    let member = match &schema.keys.union.as_ref()?.value {
        UnionOf::Member(name) => name.clone(),
        UnionOf::Unknown | UnionOf::Tag { .. } => String::new(),
    };
    Some((std::ptr::from_ref(schema.schema), member))
}

impl<'d> Registry<'d> {
    pub(super) fn new(schemas: &'d Schemas<'d>, prefix: Prefix<'d>, findings: &'d Findings) -> Self {
        Self { schemas, findings, prefix, types: RefCell::default(), around: RefCell::default() }
    }

    /// The struct that an object with `properties` or `x-size` describes. If the schema has no name, the struct
    /// is named after `path`.
    pub(super) fn record(&self, schema: &Resolved<'_>, path: &str) -> Option<usize> {
        match self.registered(schema) {
            Registered::As(index) => return Some(index),
            Registered::WithErrors(_) | Registered::InVain => return None,
            Registered::Never => {}
        }
        if schema.keys.union.is_some() {
            return self.of_one_member(schema, path);
        }
        match self.add_record(schema, schema.name.unwrap_or(path), false) {
            Registered::As(index) => Some(index),
            Registered::WithErrors(_) | Registered::InVain | Registered::Never => None,
        }
    }

    /// The union that a schema describes, with its members as C has them.
    pub(super) fn union(&self, schema: &Resolved<'_>, path: &str) -> Option<usize> {
        let address = std::ptr::from_ref(schema.schema);
        let known = self.types.borrow().records.get(&address).copied();
        match known.unwrap_or_else(|| self.add_record(schema, schema.name.unwrap_or(path), false)) {
            Registered::As(index) => Some(index),
            Registered::WithErrors(_) | Registered::InVain | Registered::Never => None,
        }
    }

    /// The struct that stands for a union by one member.
    fn of_one_member(&self, schema: &Resolved<'_>, path: &str) -> Option<usize> {
        let union = self.union(schema, path)?;
        let record = union::of_one_member(schema, union, self);
        let mut known = self.types.borrow_mut();
        let index = known.types.records.len();
        let registered = if record.is_some() { Registered::As(index) } else { Registered::InVain };
        if let Some(record) = record {
            for ident in [Some(&record.ident), record.memory.as_ref()].into_iter().flatten() {
                known.idents.push((ident.clone(), record.name.clone(), schema.schema.span));
            }
            known.types.records.push(record);
        }
        known.by_member.insert(by_member(schema)?, registered);
        match registered {
            Registered::As(index) => Some(index),
            Registered::WithErrors(_) | Registered::InVain | Registered::Never => None,
        }
    }

    /// Takes a name for a type.
    pub(super) fn name_type(&self, ident: &str, name: &str, span: Span) {
        self.types.borrow_mut().idents.push((ident.to_owned(), name.to_owned(), span));
    }

    /// The name of a struct in the document.
    pub(super) fn name_of(&self, record: usize) -> String {
        self.types.borrow().types.records[record].name.clone()
    }

    /// The value of an enum with this name.
    pub(super) fn value_named(&self, of: usize, name: &str) -> Option<i64> {
        match &self.types.borrow().types.enums[of].of {
            Values::Integers { variants, .. } => {
                let named = variants.iter().find(|variant| !name.is_empty() && variant.name == name);
                named.map(|variant| variant.value)
            }
            Values::Strings(_) => None,
        }
    }

    /// The struct that a pointer leads to. It may be one of those that contain the pointer.
    pub(super) fn pointee(&self, schema: &Resolved<'_>, path: &str) -> Option<usize> {
        let address = std::ptr::from_ref(schema.schema);
        let around = self.around.borrow().iter().position(|outer| *outer == address);
        match around {
            // Its index is known when it has been lowered.
            Some(depth) => Some(PENDING + depth),
            None => self.record(schema, path),
        }
    }

    /// Lowers a struct under this name; it may be `behind` handles.
    fn add_record(&self, schema: &Resolved<'_>, name: &str, behind: bool) -> Registered {
        let address = std::ptr::from_ref(schema.schema);
        if self.around.borrow().contains(&address) {
            self.findings.report(
                Rule::Struct,
                schema.c_type_span,
                format!("the struct `{name}` contains itself"),
                "write \"isPointer\": true here: a struct can only contain a pointer to itself",
            );
            return Registered::InVain;
        }
        if self.around.borrow().len() >= MAX_NESTING {
            self.findings.report(
                Rule::Struct,
                schema.type_span,
                format!("structs nest deeper than {MAX_NESTING} levels"),
                "describe a member as a `void*`, or its bytes as an array",
            );
            return Registered::InVain;
        }
        self.around.borrow_mut().push(address);
        let lowered = record::lower(schema, name, behind, self);
        self.around.borrow_mut().pop();
        let pending = PENDING + self.around.borrow().len();
        let mut known = self.types.borrow_mut();
        let index = known.types.records.len();
        let registered = match lowered {
            Some(Lowered { mut record, is_whole }) => {
                let records = &known.types.records;
                let has_bits = record.fields().any(|field| matches!(field.of, FieldType::Bits { .. }));
                let is_described = !has_bits && !record.has_opaque_pointers(records);
                let is_union = record.overlap.is_some();
                if !behind && !is_union && record.is_deep(records) && is_described {
                    let memory = format!("{}Raw", record.ident);
                    known.idents.push((memory.clone(), record.name.clone(), schema.schema.span));
                    record.memory = Some(memory);
                }
                if is_whole {
                    known.idents.push((record.ident.clone(), record.name.clone(), schema.schema.span));
                }
                known.types.records.push(record);
                known.types.records.iter_mut().for_each(|record| record.settle(pending, index));
                if is_whole { Registered::As(index) } else { Registered::WithErrors(index) }
            }
            None => Registered::InVain,
        };
        known.records.insert(address, registered);
        registered
    }

    /// Whether a struct, or one in it, has bit fields.
    pub(super) fn has_bits(&self, record: usize) -> bool {
        let known = self.types.borrow();
        let records = &known.types.records;
        records[record].reaches(records, &|record| record.has_bits())
    }

    /// The record of complex numbers with parts of this type.
    pub(super) fn complex(&self, part: CType) -> usize {
        let mut known = self.types.borrow_mut();
        let records = &mut known.types.records;
        records.iter().position(|record| record.complex == Some(part)).unwrap_or_else(|| {
            records.push(complex::record(part));
            records.len() - 1
        })
    }

    /// What [`Self::record`] made of a schema.
    pub(super) fn registered(&self, schema: &Resolved<'_>) -> Registered {
        let known = self.types.borrow();
        let found = if schema.keys.union.is_some() {
            by_member(schema).and_then(|key| known.by_member.get(&key))
        } else {
            known.records.get(&std::ptr::from_ref(schema.schema))
        };
        found.copied().unwrap_or(Registered::Never)
    }

    /// Whether callers have another type for a struct than its memory, or would have it.
    pub(super) fn is_deep(&self, record: usize) -> bool {
        let known = self.types.borrow();
        known.types.records[record].is_deep(&known.types.records)
    }

    /// Whether members of a struct have limits.
    pub(super) fn has_limits(&self, record: usize) -> bool {
        let known = self.types.borrow();
        known.types.records[record].has_limits(&known.types.records)
    }

    /// Whether a struct has pointers that the document does not describe.
    pub(super) fn has_opaque_members(&self, record: usize) -> bool {
        let known = self.types.borrow();
        known.types.records[record].has_opaque_members(&known.types.records)
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
        let lowered = enumeration::lower(schema, path, self);
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

    /// The handle type of a schema with `x-handle`. Its `properties`, if it has some, are what is behind the handle.
    pub(super) fn handle(&self, schema: &Resolved<'_>) -> Option<usize> {
        let name = schema.declared.handle.as_ref()?;
        let index = self.handle_named(name)?;
        if let Some(retain) = &schema.declared.retain {
            self.types.borrow_mut().retains.push((index, retain.clone()));
        }
        if schema.schema.properties.is_none() {
            return Some(index);
        }
        let registered = self.registered(schema);
        let other = self.types.borrow().types.handles[index].members;
        let is_other = |other: usize| !matches!(registered, Registered::As(record) if record == other);
        if other.is_some_and(is_other) {
            self.findings.report(
                Rule::Struct,
                schema.type_span,
                format!("two schemas say what is behind `{}`", name.value),
                "describe it in one schema of `schemas`, and refer to that with `$ref`",
            );
            return None;
        }
        let record = match registered {
            Registered::Never => self.add_record(schema, &name.value, true),
            known => known,
        };
        let Registered::As(record) = record else { return None };
        self.types.borrow_mut().types.handles[index].members = Some(record);
        Some(index)
    }

    /// The struct of the first members of a state, which is being lowered.
    pub(super) fn members_of_state(&self, schema: &Resolved<'_>, name: &str) -> Option<usize> {
        let Lowered { record, is_whole } = record::lower(schema, name, true, self)?;
        let mut known = self.types.borrow_mut();
        known.idents.push((record.ident.clone(), record.name.clone(), schema.schema.span));
        known.types.records.push(record);
        is_whole.then(|| known.types.records.len() - 1)
    }

    /// The struct of the first members of the state at this index.
    pub(super) fn state_members(&self, state: usize) -> Option<usize> {
        match self.types.borrow().types.records[state].body {
            Body::State { members, .. } => members,
            Body::Fields(_) => None,
        }
    }

    /// The struct behind the handles of a type.
    pub(super) fn members_of(&self, handle: &str) -> Option<usize> {
        let known = self.types.borrow();
        known.types.handles[*known.handles.get(handle)?].members
    }

    /// Asks about the members of a struct.
    pub(super) fn with_fields<T>(&self, record: usize, ask: impl FnOnce(&[Field]) -> T) -> T {
        match &self.types.borrow().types.records[record].body {
            Body::Fields(fields) => ask(fields),
            Body::State { .. } => ask(&[]),
        }
    }

    fn handle_named(&self, name: &Spanned<String>) -> Option<usize> {
        if let Some(known) = self.types.borrow().handles.get(&name.value) {
            return Some(*known);
        }
        let stripped = identifier::for_type(self.prefix.strip_type(&name.value));
        let ident =
            if identifier::is_type_name(&stripped) { stripped } else { identifier::for_type(&name.value) };
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
        let name_of = name.value.clone();
        known.types.handles.push(HandleType { ident, constant, name: name_of, members: None, retain: None });
        let index = known.types.handles.len() - 1;
        known.handles.insert(name.value.clone(), index);
        Some(index)
    }

    /// The index of a way to free. Ways without captured arguments are shared.
    pub(super) fn free(&self, by: FreeBy, captures: Vec<usize>) -> usize {
        let frees = &mut self.types.borrow_mut().types.frees;
        let is_it = |free: &Free| free.by == by && free.captures.is_empty();
        let known = if captures.is_empty() { frees.iter().position(is_it) } else { None };
        known.unwrap_or_else(|| {
            // Names are given when all functions are known.
            frees.push(Free { constant: String::new(), by, captures });
            frees.len() - 1
        })
    }

    /// The index of what allocates memory that C frees.
    pub(super) fn allocator(&self, symbol: usize) -> usize {
        let allocators = &mut self.types.borrow_mut().types.allocators;
        allocators.iter().position(|known| known.symbol == symbol).unwrap_or_else(|| {
            // Names are given when all functions are known.
            allocators.push(Allocator { constant: String::new(), symbol });
            allocators.len() - 1
        })
    }

    /// The index of a symbol that frees or allocates, which `key` names.
    pub(super) fn linked_symbol(
        &self,
        key: &'static str,
        name: &Spanned<String>,
        is_variable: bool,
    ) -> usize {
        let symbols = &mut self.types.borrow_mut().types.symbols;
        let is_it = |known: &LinkedSymbol| known.name.value == name.value && known.is_variable == is_variable;
        symbols.iter().position(is_it).unwrap_or_else(|| {
            let variant = identifier::with_start(identifier::pascal_case(&name.value));
            let variant = identifier::raw_if_keyword(variant).unwrap_or_else(|| "Symbol_".to_owned());
            symbols.push(LinkedSymbol { name: name.clone(), variant, is_variable, key });
            symbols.len() - 1
        })
    }

    /// How the value with this way to free is freed.
    pub(super) fn freed_by(&self, free: usize) -> FreeBy {
        self.types.borrow().types.frees[free].by.clone()
    }

    /// The captured arguments of a way to free.
    pub(super) fn captured_by(&self, free: usize) -> Vec<usize> {
        self.types.borrow().types.frees[free].captures.clone()
    }

    /// Whether a struct has buffers that C fills.
    pub(super) fn has_rooms(&self, record: usize) -> bool {
        let known = self.types.borrow();
        // One that is still being lowered contains this one.
        known.types.records.get(record).is_some_and(|record| record.has_rooms(&known.types.records))
    }

    /// Whether a struct holds pointers to text for which nobody but the caller vouches.
    pub(super) fn has_text(&self, record: usize) -> bool {
        let known = self.types.borrow();
        let record = &known.types.records[record];
        record.memory.is_none() && record.has_text(&known.types.records)
    }

    /// Whether C is passed the very memory that a caller has for a struct, and that memory has no pointers.
    pub(super) fn is_flat(&self, record: usize) -> bool {
        let is_own = self.types.borrow().types.records[record].memory.is_none();
        is_own && !self.has_text(record) && !self.has_opaque_pointers(record)
    }

    /// Whether a struct holds pointers that JSON cannot express and must not omit.
    pub(super) fn has_opaque_pointers(&self, record: usize) -> bool {
        let known = self.types.borrow();
        let records = &known.types.records;
        records[record].reaches(records, &|record| record.has_opaque_pointers(records))
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

    /// The handle types with `x-retain`, once for each value.
    pub(super) fn retains(&self) -> Vec<(usize, Spanned<String>)> {
        self.types.borrow().retains.clone()
    }

    /// All types, and for each its Rust name, its name in the document and its place.
    pub(super) fn finish(self) -> (Types, Vec<(String, String, Span)>) {
        let known = self.types.into_inner();
        (known.types, known.idents)
    }
}
