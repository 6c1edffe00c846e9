//! The schemas of the document: one for each struct, state and enum.

use std::collections::HashMap;

use opendyn_model::rust_name;
use serde_json::{Value, json};

use super::comment;
use super::gir::Gir;
use super::lengths::is_count;
use super::names::{Names, words};
use super::records::{Records, Role};
use super::scalar::{Object, peel, scalar};
use crate::{Counted, Enumerator, Record, RecordMember, Target, Type, TypeId, Types};

/// The schemas written so far.
pub(super) struct Schemas {
    written: Object,
    names: Names,
    /// The schemas of enums, by tag or alias; `None` for an enum that becomes a plain integer.
    enums: HashMap<String, Option<String>>,
    /// The names of handle types that are `void` in C.
    handles: HashMap<String, String>,
}

/// A reference to a schema; with its own C type if that differs from the schema's.
pub(super) fn reference(name: &str, c_type: Option<Value>) -> Object {
    let mut object = Object::new();
    object.insert("$ref".to_owned(), format!("#/schemas/{name}").into());
    if let Some(c_type) = c_type {
        object.insert("cType".to_owned(), c_type);
    }
    object
}

/// The source of the types.
#[derive(Clone, Copy)]
pub(super) struct Source<'i> {
    pub(super) types: &'i Types,
    pub(super) target: &'i Target,
    pub(super) records: &'i Records,
    pub(super) gir: &'i [Gir],
}

impl Schemas {
    pub(super) fn new(names: Names) -> Self {
        Self { written: Object::new(), names, enums: HashMap::new(), handles: HashMap::new() }
    }

    /// All schemas, sorted by name, and the names of types in use.
    pub(super) fn finish(self) -> (Object, Names) {
        let mut written: Vec<(String, Value)> = self.written.into_iter().collect();
        written.sort_by(|a, b| a.0.cmp(&b.0));
        (written.into_iter().collect(), self.names)
    }

    /// The name of the handle type for an alias of `void`.
    pub(super) fn handle(&mut self, alias: &str) -> String {
        let names = &mut self.names;
        self.handles.entry(alias.to_owned()).or_insert_with(|| names.take(alias, "Handle")).clone()
    }

    /// Writes the schema `name` of a struct or state, unless it exists. One that is hiding what its bytes lead to has no members
    /// that a caller could fill.
    pub(super) fn write(&mut self, name: &str, id: TypeId, source: Source<'_>, is_hiding: bool) {
        if self.written.contains_key(name) {
            return;
        }
        // Reserves a place before those of its members, and ends cycles.
        self.written.insert(name.to_owned(), Value::Null);
        let Type::Record(record) = source.types.resolve(id) else { return };
        let mut schema = Object::new();
        schema.insert("type".to_owned(), "object".into());
        if let Some(properties) = self.members(record, id, name, source).filter(|_| !is_hiding) {
            schema.insert("properties".to_owned(), properties.into());
        }
        schema.insert("cType".to_owned(), json!({ "type": "void", "isPointer": true }));
        let align = record.align.or_else(|| source.types.align(id, source.target));
        for (key, value) in [("x-size", record.size), ("x-align", align)] {
            if let Some(value) = value {
                schema.insert(key.to_owned(), value.into());
            }
        }
        self.written.insert(name.to_owned(), schema.into());
    }

    /// Writes the schema of a handle.
    pub(super) fn put(&mut self, name: &str, schema: Object) {
        self.written.insert(name.to_owned(), schema.into());
    }

    /// The members of a struct, if a document can list them.
    pub(super) fn properties(&mut self, id: TypeId, source: Source<'_>) -> Option<Object> {
        let Type::Record(record) = source.types.resolve(id) else { return None };
        let name = record.name.clone().unwrap_or_default();
        self.members(record, id, &name, source)
    }

    fn members(&mut self, record: &Record, id: TypeId, name: &str, source: Source<'_>) -> Option<Object> {
        super::records::describable(source.types, id, source.target).ok()?;
        let mut names = Names::of_values();
        let is_counted = record.members.iter().any(|member| {
            let of = peel(source.types, member.of);
            matches!(of.of, Type::Integer(_))
                && (of.aliases.contains(&"size_t") || member.name.as_deref().is_some_and(is_count))
                || matches!(of.of, Type::Pointer { .. }) && member.name.as_deref().is_some_and(is_place)
        });
        // Only a number that has its own name in the document can be a length.
        let has_count = |by: &str| {
            record.members.iter().any(|member| {
                member.name.as_deref() == Some(by)
                    && matches!(source.types.resolve(member.of), Type::Integer(integer) if integer.size > 1)
            })
        };
        let property = |(index, member): (usize, &RecordMember)| {
            let key = names.take(member.name.as_deref().unwrap_or_default(), &format!("member{}", index + 1));
            let mut value = self.property(member, &format!("{name}_{key}"), is_counted, source);
            if let Some(counted) = member.counted.as_ref().filter(|counted| has_count(&counted.by)) {
                count(&mut value, counted, member.of, source);
            }
            (key, Value::Object(value))
        };
        let mut properties: Object = record.members.iter().enumerate().map(property).collect();
        // A number whose name a document cannot have is no length.
        let keys: Vec<String> = properties.keys().cloned().collect();
        for value in properties.values_mut() {
            if value["x-length"].as_str().is_some_and(|by| !keys.iter().any(|key| key == by)) {
                *value = Value::Object(raw());
            }
        }
        Some(properties)
    }

    fn property(
        &mut self,
        member: &RecordMember,
        path: &str,
        is_counted: bool,
        source: Source<'_>,
    ) -> Object {
        let mut schema = self.member(member.of, path, source);
        // A text with a count beside it may have no NUL.
        let is_text =
            matches!(source.types.resolve(member.of), Type::Pointer { .. }) && schema["type"] == "string";
        if is_text && is_counted {
            schema.insert("type".to_owned(), "array".into());
        }
        if let Some(text) = member.comment.as_deref().map(comment::line).filter(|text| !text.is_empty()) {
            schema.insert("description".to_owned(), text.into());
        }
        schema
    }

    fn member(&mut self, id: TypeId, path: &str, source: Source<'_>) -> Object {
        let by_value = || json!({ "type": "void", "isPointer": false });
        match source.types.resolve(id) {
            Type::Pointer { to, constant } => pointer_member(*to, *constant, source),
            Type::Record(_) => reference(&self.nested(id, path, source), Some(by_value())),
            Type::Array { .. } => {
                let (of, count) = flat(source.types, id);
                let mut schema = match source.types.resolve(of) {
                    Type::Record(_) => {
                        let items = reference(&self.nested(of, path, source), Some(by_value()));
                        object(json!({ "type": "array", "items": items, "cType": by_value() }))
                    }
                    _ => match scalar(source.types, of, source.target) {
                        Ok(scalar) if scalar.is_char() => {
                            object(json!({ "type": "string", "cType": scalar.c_type(false) }))
                        }
                        Ok(scalar) => object(json!({ "type": "array", "cType": scalar.c_type(false) })),
                        Err(_) => Object::new(),
                    },
                };
                schema.insert("x-length".to_owned(), json!({ "const": count }));
                schema
            }
            _ => self.scalar(id, source).unwrap_or_default(),
        }
    }

    /// Writes the schema of a nested struct and returns its name.
    fn nested(&mut self, id: TypeId, path: &str, source: Source<'_>) -> String {
        let name = match source.records.role(source.types, id) {
            Role::Fields(name) => name,
            _ => {
                let peeled = peel(source.types, id);
                let tag = match peeled.of {
                    Type::Record(record) => record.name.clone(),
                    _ => None,
                };
                let key = peeled.aliases.last().map(|alias| (*alias).to_owned()).or(tag);
                let key = key.unwrap_or_else(|| path.to_owned());
                let names = &mut self.names;
                self.handles
                    .entry(format!("struct {key}"))
                    .or_insert_with(|| names.take(&key, "Struct"))
                    .clone()
            }
        };
        self.write(&name, id, source, false);
        name
    }

    /// The schema of a scalar by value; an enum by reference.
    pub(super) fn scalar(&mut self, id: TypeId, source: Source<'_>) -> Result<Object, String> {
        let scalar = scalar(source.types, id, source.target)?;
        Ok(match self.enumeration(id, source) {
            Some(name) => reference(&name, None),
            None => object(json!({ "type": scalar.json, "cType": scalar.c_type(false) })),
        })
    }

    /// The name of the schema of a closed enum.
    pub(super) fn enumeration(&mut self, id: TypeId, source: Source<'_>) -> Option<String> {
        let peeled = peel(source.types, id);
        let Type::Enum { name, values, .. } = peeled.of else { return None };
        let called = peeled.aliases.last().map(|alias| (*alias).to_owned()).or_else(|| name.clone())?;
        if let Some(known) = self.enums.get(&called) {
            return known.clone();
        }
        let is_named_flags =
            words(&called).iter().any(|word| ["flag", "flags", "mask", "bits"].contains(&word.as_str()));
        let is_flags = is_named_flags || source.gir.iter().any(|gir| gir.is_flags(&called));
        let schema = enumeration(values).filter(|_| !is_flags).map(|(values, names)| {
            let scalar = scalar(source.types, id, source.target).ok()?;
            let mut schema = object(json!({ "type": "integer", "enum": values }));
            if let Some(names) = names {
                schema.insert("x-enumNames".to_owned(), names.into());
            }
            schema.insert("cType".to_owned(), scalar.c_type(false));
            Some(schema)
        });
        let name = schema.flatten().map(|schema| {
            let name = self.names.take(&called, "Enum");
            self.written.insert(name.clone(), schema.into());
            name
        });
        self.enums.insert(called, name.clone());
        name
    }
}

/// Whether a pointer with this name may be a place in a text of another member, which then may have no NUL.
fn is_place(name: &str) -> bool {
    const PLACES: [&str; 13] = [
        "begin", "cur", "current", "cursor", "end", "last", "lastchar", "limit", "pos", "position", "ptr",
        "start", "stop",
    ];
    words(name).iter().any(|word| PLACES.contains(&word.as_str()))
}

/// An array of arrays has the layout of one array.
fn flat(types: &Types, id: TypeId) -> (TypeId, u64) {
    let (mut of, mut count) = (id, 1_u64);
    for _ in 0..16 {
        match types.resolve(of) {
            Type::Array { of: element, length: Some(length) } => {
                count = count.saturating_mul(*length);
                of = *element;
            }
            _ => break,
        }
    }
    (of, count)
}

/// Pointers in a struct are raw; only a string can be read through one.
fn pointer_member(to: TypeId, constant: bool, source: Source<'_>) -> Object {
    match scalar(source.types, to, source.target) {
        Ok(scalar) if scalar.is_char() && constant => {
            object(json!({ "type": "string", "cType": scalar.c_type(true) }))
        }
        Ok(scalar) => object(json!({ "type": "array", "cType": scalar.c_type(true) })),
        Err(_) => raw(),
    }
}

/// Describes what a pointer points to whose length another member has.
fn count(schema: &mut Object, counted: &Counted, id: TypeId, source: Source<'_>) {
    let Type::Pointer { to, .. } = source.types.resolve(id) else { return };
    let of = scalar(source.types, *to, source.target).ok();
    let is_void = matches!(source.types.resolve(*to), Type::Void);
    let is_byte = of.is_some_and(|of| of.is_byte()) || is_void && counted.is_bytes;
    if is_byte {
        schema.insert("type".to_owned(), "string".into());
        schema.insert("x-encoding".to_owned(), "base64".into());
    } else if of.is_none() || counted.is_bytes {
        return;
    }
    schema.insert("x-length".to_owned(), counted.by.as_str().into());
    if counted.is_nullable {
        schema.insert("x-nullable".to_owned(), true.into());
    }
}

/// A pointer without a description.
pub(super) fn raw() -> Object {
    object(json!({ "type": "object", "cType": { "type": "void", "isPointer": true } }))
}

/// The object of a literal.
pub(super) fn object(value: Value) -> Object {
    match value {
        Value::Object(object) => object,
        _ => Object::new(),
    }
}

/// The values of a closed enum, each once, and their names if Rust can have them. Flags, and enums with too
/// few values, become plain integers.
fn enumeration(values: &[Enumerator]) -> Option<(Vec<Value>, Option<Vec<String>>)> {
    let mut distinct: Vec<&Enumerator> = Vec::new();
    for value in values {
        if distinct.iter().all(|known| known.value != value.value) {
            distinct.push(value);
        }
    }
    if distinct.len() < 2 || are_flags(&distinct) || is_open(&distinct) {
        return None;
    }
    let numbers: Option<Vec<Value>> =
        distinct.iter().map(|value| i64::try_from(value.value).ok().map(Value::from)).collect();
    let names: Vec<&str> = distinct.iter().map(|value| value.name.as_str()).collect();
    let prefix = prefix(&names);
    let short: Vec<String> = names.iter().map(|name| name[prefix..].to_owned()).collect();
    let whole: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let names = [short, whole].into_iter().find(|names| are_variants(names));
    Some((numbers?, names))
}

/// Whether the values may be combined: single bits, and masks of them. A run of numbers is a choice, and the values
/// 1 and 2 are as often a choice as flags.
fn are_flags(values: &[&Enumerator]) -> bool {
    let named = |value: &&Enumerator| {
        words(&value.name)
            .iter()
            .any(|word| ["mask", "bit", "bits", "flag", "flags"].contains(&word.as_str()))
    };
    let numbers: Vec<i128> = values.iter().map(|value| value.value).collect();
    let bits: i128 = numbers.iter().filter(|value| **value > 0 && value.count_ones() == 1).sum();
    let (least, most) = (numbers.iter().min().copied(), numbers.iter().max().copied());
    let is_run = least.zip(most).is_some_and(|(least, most)| {
        most - least + 1 == i128::try_from(numbers.len()).unwrap_or(0) && (most > 4 || numbers.contains(&3))
    });
    let is_within = numbers.iter().all(|value| *value < 0 || value & !bits == 0);
    values.iter().any(named) || is_within && bits.count_ones() > 1 && bits > 3 && !is_run
}

/// Whether C may use other values too: the enum reserves room for more, its values are codes of four letters, which
/// anybody may make, or they are 1 and 2, which may be combined as well.
fn is_open(values: &[&Enumerator]) -> bool {
    let is_limit = |value: &&&Enumerator| {
        let words = words(&value.name);
        let below = values.iter().map(|of| of.value).filter(|of| *of < value.value).max();
        words.windows(2).any(|pair| pair == ["max", "value"])
            || words.iter().any(|word| word == "max") && below.is_some_and(|below| value.value > below + 1)
    };
    let is_code = |value: &&Enumerator| {
        let letters = u32::try_from(value.value).unwrap_or(0).to_be_bytes();
        letters.iter().all(|letter| letter.is_ascii_graphic() || *letter == b' ')
    };
    let mut numbers: Vec<i128> = values.iter().map(|value| value.value).collect();
    numbers.sort_unstable();
    numbers.iter().any(|value| matches!(value, 0x7fff | 0xffff | 0x7fff_ffff | 0xffff_ffff))
        || values.iter().any(|value| is_limit(&value))
        || values.iter().filter(|value| is_code(value)).count() > 1
        || numbers == [1, 2]
}

/// Where the names begin to differ, at a word boundary.
fn prefix(names: &[&str]) -> usize {
    let Some(first) = names.first() else { return 0 };
    let common = names.iter().fold(first.len(), |length, name| {
        first.bytes().zip(name.bytes()).take(length).take_while(|(a, b)| a == b).count()
    });
    first.get(..common).and_then(|common| common.rfind('_')).map_or(0, |underscore| underscore + 1)
}

fn are_variants(names: &[String]) -> bool {
    let mut idents: Vec<String> = Vec::new();
    names.iter().all(|name| {
        let begins = name.starts_with(|first: char| first.is_ascii_alphabetic());
        let Some(ident) = rust_name::of_enumerator(name).filter(|ident| ident != "Unknown" && begins) else {
            return false;
        };
        let is_new = !idents.contains(&ident);
        idents.push(ident);
        is_new
    })
}
