//! Names of types in a PDB: those that references use, and those that compilers invent.

use pdb2::{RawString, TypeData};

/// The name by which other types refer to a definition.
pub(super) fn defined_name(data: &TypeData<'_>) -> Option<String> {
    match data {
        TypeData::Class(data) if !data.properties.forward_reference() => {
            Some(key(&data.name, data.unique_name.as_ref()))
        }
        TypeData::Union(data) if !data.properties.forward_reference() => {
            Some(key(&data.name, data.unique_name.as_ref()))
        }
        TypeData::Enumeration(data) if !data.properties.forward_reference() => {
            Some(key(&data.name, data.unique_name.as_ref()))
        }
        _ => None,
    }
}

pub(super) fn key(name: &RawString<'_>, unique: Option<&RawString<'_>>) -> String {
    unique.unwrap_or(name).to_string().into_owned()
}

/// The tag of a type; compilers invent one if there is none.
pub(super) fn tag(name: &RawString<'_>) -> Option<String> {
    let name = name.to_string();
    let is_made_up = name.is_empty() || name.contains('<') || name.starts_with("__unnamed");
    (!is_made_up).then(|| name.into_owned())
}
