//! The parameters of a script, from its docstring and from the keys that it reads.

use super::docstring::Documented;
use super::type_text::{Stated, plain, stated};
use super::{Entry, Key, Note};
use opentool::{Parameter, Schema, SchemaType};

/// The parameters: first those that are documented, then those that are read, each in order.
pub(super) fn parameters(
    entry: &Entry,
    documented: Vec<Documented>,
    notes: &mut Vec<Note>,
) -> Vec<Parameter> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for documented in documented {
        if parameters.iter().any(|parameter| parameter.name == documented.name) {
            continue;
        }
        let key = entry.keys.iter().find(|key| key.name == documented.name);
        let said = stated(&documented.kind);
        if key.is_none() && entry.open.is_empty() {
            notes.push(Note::new(None, format!("`{}` is documented, but not read", documented.name)));
        }
        if let Some(unknown) = &said.unknown {
            let message =
                format!("`{}` is documented as `{unknown}`, which is not a JSON type", documented.name);
            notes.push(Note::new(None, message));
        }
        parameters.push(parameter(key, Some((documented, said)), notes));
    }
    for key in &entry.keys {
        if key.name.is_empty() {
            notes.push(Note::new(
                Some(key.line),
                "the empty key is left out, because a parameter must have a name",
            ));
        } else if !parameters.iter().any(|parameter| parameter.name == key.name) {
            parameters.push(parameter(Some(key), None, notes));
        }
    }
    parameters
}

fn parameter(
    key: Option<&Key>,
    documented: Option<(Documented, Stated)>,
    notes: &mut Vec<Note>,
) -> Parameter {
    let (documented, said) = documented.unwrap_or_default();
    let name = key.map_or(documented.name, |key| key.name.clone());
    let read = key.and_then(|key| schema(key, notes));
    if let (Some(said), Some(read), Some(key)) = (&said.schema, &read, key)
        && !agree(said.kind, read.kind)
    {
        let (said, read) = (said.kind.name(), read.kind.name());
        let message = format!("`{name}` is documented as {said}, but read as {read}; the docstring is used");
        notes.push(Note::new(Some(key.line), message));
    }
    let schema = said.schema.or(read).unwrap_or_else(|| {
        let message = format!("the type of `{name}` is unknown; it is described as a string");
        notes.push(Note::new(key.map(|key| key.line), message));
        Schema::of(SchemaType::String)
    });
    let default = key.and_then(|key| key.default.as_deref()).filter(|default| *default != "None");
    let default = default.map(|default| format!("Default: {default}."));
    let description = [Some(documented.description).filter(|text| !text.is_empty()), default];
    let description: Vec<String> = description.into_iter().flatten().collect();
    Parameter {
        name,
        description: (!description.is_empty()).then(|| description.join(" ")),
        schema,
        // If the uses of the key do not show its type, the docstring does.
        required: !said.is_optional && key.map_or(said.is_required, |key| key.required),
        ends: false,
    }
}

fn agree(said: SchemaType, read: SchemaType) -> bool {
    use SchemaType::{Integer, Number};
    said == read || matches!((said, read), (Integer, Number) | (Number, Integer))
}

/// The type of a key by its uses, if they agree.
fn schema(key: &Key, notes: &mut Vec<Note>) -> Option<Schema> {
    let kind = one(&key.kinds);
    if kind.is_none() && key.kinds.len() > 1 {
        let message = format!("`{}` is read as {}", key.name, key.kinds.join(" and as "));
        notes.push(Note::new(Some(key.line), message));
    }
    let kind = kind?;
    let items = one(&key.items).map(Schema::of).map(Box::new);
    Some(Schema { items: items.filter(|_| kind == SchemaType::Array), ..Schema::of(kind) })
}

/// `integer` is more specific than `number`.
fn one(kinds: &[String]) -> Option<SchemaType> {
    let mut kinds = kinds.iter().filter_map(|kind| plain(kind));
    let first = kinds.next()?;
    kinds.try_fold(first, |one, other| {
        let is_integer = one == SchemaType::Integer || other == SchemaType::Integer;
        agree(one, other).then_some(if is_integer { SchemaType::Integer } else { one })
    })
}
