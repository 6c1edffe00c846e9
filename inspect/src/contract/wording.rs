//! Types in messages: the document's, the library's, and the JSON that would describe the library's.

use opendyn_model::c_type::CType;
use opendyn_model::plan::{self, Body, CBase, CValue};

use super::scalar;
use crate::{Integer, Interface, Type, TypeId, Types};

/// A declared type, as written in C.
pub(super) fn declared(of: &CValue, types: &plan::Types) -> String {
    let stars = if of.stars == 0 { String::new() } else { format!(" {}", "*".repeat(of.stars)) };
    match &of.base {
        CBase::Scalar(c_type) => format!("{}{stars}", c_type.name()),
        CBase::Handle(handle) => format!("void{stars} (the handle {handle})"),
        CBase::Record(record) => match &types.records[*record] {
            plan::Record { body: Body::State { size, .. }, .. } => format!("a state of {size} bytes"),
            record => format!("{}{stars}", self::record(record)),
        },
        CBase::Function(_) => "a callback".to_owned(),
    }
}

pub(super) fn record(record: &plan::Record) -> String {
    let kind = if record.overlap.is_some() { "union" } else { "struct" };
    if record.is_named { format!("{kind} {}", record.name) } else { kind.to_owned() }
}

/// A type of the library, and its resolved form: `uLong (unsigned long)`.
pub(super) fn explained(id: TypeId, types: &Types) -> String {
    let (spelled, full) = (types.spelling(id), expanded(id, types, 8));
    if spelled == full { spelled } else { format!("{spelled} ({full})") }
}

/// A type without aliases, if that is short.
fn expanded(id: TypeId, types: &Types, depth: u8) -> String {
    match types.get(id) {
        _ if depth == 0 => types.spelling(id),
        // The alias is its only name.
        Type::Alias { of, .. } if is_unnamed(*of, types) => types.spelling(id),
        Type::Alias { of, .. } => expanded(*of, types, depth - 1),
        Type::Pointer { to, constant } => match types.resolve(*to) {
            Type::Function(_) => types.spelling(id),
            _ => {
                let to = expanded(*to, types, depth - 1);
                let space = if to.ends_with('*') { "" } else { " " };
                format!("{}{to}{space}*", if *constant { "const " } else { "" })
            }
        },
        _ => types.spelling(id),
    }
}

fn is_unnamed(id: TypeId, types: &Types) -> bool {
    matches!(types.get(id), Type::Record(record) if record.name.is_none())
        || matches!(types.get(id), Type::Enum { name: None, .. })
}

/// What to write for a type of the library.
pub(super) fn help(id: TypeId, interface: &Interface) -> String {
    match c_type(id, interface) {
        Ok(json) => format!("write \"cType\": {json}"),
        Err(reason) => reason,
    }
}

fn c_type(id: TypeId, interface: &Interface) -> Result<String, String> {
    let types = &interface.types;
    let mut depth = 0;
    let mut at = id;
    // Arrays nest only a few levels; this limits how far a malformed, cyclic source is followed.
    for _ in 0..64 {
        match types.resolve(at) {
            Type::Pointer { to, .. } => {
                depth += 1;
                at = *to;
            }
            Type::Array { of, .. } if depth > 0 => at = *of,
            _ => break,
        }
        if depth > 2 {
            return Err("a pointer of more than two levels cannot be described: write \"cType\": { \"type\": \"void\", \"isPointer\": true }".to_owned());
        }
    }
    let json = |name: &str, keys: &str| {
        let deep = if depth == 2 { ", \"x-pointerDepth\": 2" } else { "" };
        format!("{{ \"type\": \"{name}\", \"isPointer\": {}{deep}{keys} }}", depth > 0)
    };
    Ok(match types.resolve(at) {
        Type::Bool => json("bool", ""),
        Type::Integer(integer) => scalar_json(at, integer, types, json)?,
        Type::Enum { integer, .. } => match CType::parse(&integer.spelling) {
            Some(c_type) => json(c_type.name(), ""),
            None => json(if integer.signed { "int" } else { "unsigned int" }, ""),
        },
        Type::Float { size: 4, .. } => json("float", ""),
        Type::Float { size: 8, .. } => json("double", ""),
        Type::Void if depth > 0 => json("void", ""),
        Type::Record(record) if depth > 0 && record.size.is_none() => json("void", ""),
        Type::Record(_) => format!("{} and the members as `properties`", json("void", "")),
        Type::Function(_) if depth <= 1 => {
            "{ \"type\": \"void\", \"isPointer\": true } with an `x-callback`".to_owned()
        }
        _ if depth > 0 => json("void", ""),
        _ => return Err(no_type(&types.spelling(at))),
    })
}

fn scalar_json(
    at: TypeId,
    integer: &Integer,
    types: &Types,
    json: impl Fn(&str, &str) -> String,
) -> Result<String, String> {
    let of_name = scalar::spelling(at, types).0.or_else(|| CType::parse(&integer.spelling));
    match of_name.or_else(|| CType::of_size(integer.size, integer.signed)) {
        Some(c_type) if c_type.is_spelling() => {
            let spelling = format!(", \"x-cType\": \"{}\"", c_type.name());
            Ok(json(c_type.of_specification().name(), &spelling))
        }
        Some(c_type) => Ok(json(c_type.name(), "")),
        None => Err(no_type(&integer.spelling)),
    }
}

fn no_type(name: &str) -> String {
    format!("OpenDyn has no type for `{name}`: remove the function from the document")
}

/// Parameters are counted from 1 in messages.
pub(super) fn ordinal(index: usize) -> usize {
    index + 1
}
