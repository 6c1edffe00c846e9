//! Names of types in a PDB: under which a definition is mentioned elsewhere, and which are made up.

use pdb2::{RawString, TypeData};

/// The name under which a definition is mentioned elsewhere.
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

/// The tag of a type; compilers make one up where there is none.
pub(super) fn tag(name: &RawString<'_>) -> Option<String> {
    let name = name.to_string();
    let is_made_up = name.is_empty() || name.contains('<') || name.starts_with("__unnamed");
    (!is_made_up).then(|| name.into_owned())
}
