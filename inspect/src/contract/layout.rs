//! Sizes of declared types, and offsets of struct members, on a target.

use opendyn_model::c_type::{CType, Class};

use super::declared::{DeclaredMember, DeclaredRecord, DeclaredType};
use crate::Target;

/// Size and alignment in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) size: u64,
    pub(super) align: u64,
}

pub(super) fn of_scalar(c_type: CType, target: &Target) -> Layout {
    let size = match c_type {
        CType::Void | CType::Bool | CType::Char | CType::UnsignedChar | CType::Int8 | CType::Uint8 => 1,
        CType::Short | CType::UnsignedShort | CType::Int16 | CType::Uint16 => 2,
        CType::Int | CType::UnsignedInt | CType::Int32 | CType::Uint32 | CType::Float => 4,
        CType::Long | CType::UnsignedLong => target.long,
        CType::LongLong | CType::UnsignedLongLong | CType::Int64 | CType::Uint64 | CType::Double => 8,
        CType::Size | CType::SignedSize | CType::PtrDiff | CType::IntPtr | CType::UintPtr => target.pointer,
    };
    Layout { size, align: if size == 8 { target.align_of_8 } else { size } }
}

/// Whether an integer is signed.
pub(super) fn is_signed(c_type: CType, target: &Target) -> bool {
    match c_type {
        CType::Char => target.char_signed,
        other => other.class() != Class::Boolean && !other.is_unsigned(),
    }
}

pub(super) fn of_type(of: &DeclaredType<'_>, target: &Target) -> Layout {
    match of {
        DeclaredType::Scalar(c_type) => of_scalar(*c_type, target),
        DeclaredType::Record(record) => of_record(record, target).0,
        DeclaredType::Pointer(_) => Layout { size: target.pointer, align: target.pointer },
    }
}

/// The layout of the whole struct, and the offset of each member.
pub(super) fn of_record(record: &DeclaredRecord<'_>, target: &Target) -> (Layout, Vec<u64>) {
    let mut whole = Layout { size: 0, align: 1 };
    let mut offsets = Vec::with_capacity(record.members.len());
    for member in &record.members {
        let Layout { size, align } = of_type(&member.of, target);
        let offset = whole.size.checked_next_multiple_of(align.max(1)).unwrap_or(whole.size);
        offsets.push(offset);
        whole.size = offset.saturating_add(size.saturating_mul(count(member)));
        whole.align = whole.align.max(align);
    }
    whole.size = whole.size.checked_next_multiple_of(whole.align).unwrap_or(whole.size);
    (whole, offsets)
}

/// The number of elements of a member.
pub(super) fn count(member: &DeclaredMember<'_>) -> u64 {
    member.count.unwrap_or(1)
}
