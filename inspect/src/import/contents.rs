//! What the bytes of a type can hold: pointers, room for them, and gaps.

use crate::{RecordKind, Type, TypeId, Types};

/// How deep structs in structs are searched for pointers.
pub(super) const DEPTH: usize = 8;

pub(super) fn size(of: &Type, types: &Types) -> Option<u64> {
    match of {
        Type::Bool => Some(1),
        Type::Integer(integer) | Type::Enum { integer, .. } => Some(integer.size),
        Type::Float { size, .. } | Type::Complex(size) => Some(*size),
        Type::Record(record) => record.size,
        // Only code for x86-64 is read.
        Type::Pointer { .. } => Some(8),
        Type::Array { of, length } => size(types.resolve(*of), types)?.checked_mul((*length)?),
        _ => None,
    }
}

/// Adds the bytes of a value at `offset` that hold something: not the gaps between the members of a struct.
pub(super) fn add_bytes(types: &Types, id: TypeId, offset: u64, depth: usize, bytes: &mut Vec<(u64, u64)>) {
    match types.resolve(id) {
        Type::Record(record) if depth > 0 && record.kind == RecordKind::Struct => {
            for member in &record.members {
                // Where a bit field is, only its neighbours tell.
                if let (Some(at), None) = (member.offset, member.bits) {
                    add_bytes(types, member.of, offset + at, depth - 1, bytes);
                } else {
                    bytes.push((0, record.size.unwrap_or(u64::MAX)));
                }
            }
        }
        of => bytes.push((offset, size(of, types).map_or(u64::MAX, |size| offset.saturating_add(size)))),
    }
}

/// Whether pointers can be found through a parameter.
pub(super) fn may_lead_on(types: &Types, id: TypeId) -> bool {
    match types.resolve(id) {
        // Code holds nothing.
        Type::Pointer { to, .. } if matches!(types.resolve(*to), Type::Function(_)) => false,
        Type::Pointer { to, .. } => has_pointers(types, *to, DEPTH),
        of => !matches!(of, Type::Integer(_) | Type::Enum { .. } | Type::Bool | Type::Float { .. }),
    }
}

/// Whether a struct has a pointer to what is read with it: a text, or what a member counts.
pub(super) fn holds_data(types: &Types, id: TypeId, depth: usize) -> bool {
    match types.resolve(id) {
        Type::Record(record) => {
            depth == 0
                || record.size.is_none()
                || record
                    .members
                    .iter()
                    .any(|member| member.counted.is_some() || holds_data(types, member.of, depth - 1))
        }
        Type::Array { of, .. } => depth == 0 || holds_data(types, *of, depth - 1),
        Type::Pointer { to, .. } => {
            matches!(types.resolve(*to), Type::Integer(integer) if integer.size == 1)
        }
        _ => false,
    }
}

/// Whether a type has bytes that can be those of a pointer: an integer as wide, or an array of integers.
pub(super) fn has_room(types: &Types, id: TypeId, depth: usize) -> bool {
    match types.resolve(id) {
        Type::Integer(integer) => integer.size >= 8,
        Type::Array { of, .. } => {
            matches!(types.resolve(*of), Type::Integer(_)) || depth > 0 && has_room(types, *of, depth - 1)
        }
        Type::Record(record) if depth > 0 => {
            record.size.is_none() || record.members.iter().any(|member| has_room(types, member.of, depth - 1))
        }
        _ => false,
    }
}

/// Whether a type holds pointers, or nobody knows what it holds. Integers as wide as a pointer are not counted.
pub(super) fn has_pointers(types: &Types, id: TypeId, depth: usize) -> bool {
    match types.resolve(id) {
        Type::Bool | Type::Integer(_) | Type::Enum { .. } | Type::Float { .. } | Type::Complex(_) => false,
        Type::Array { of, .. } => depth == 0 || has_pointers(types, *of, depth - 1),
        Type::Record(record) => {
            record.size.is_none()
                || depth == 0
                || record.members.iter().any(|member| has_pointers(types, member.of, depth - 1))
        }
        _ => true,
    }
}
