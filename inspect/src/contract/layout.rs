//! Sizes of declared types, and offsets of struct members, on a target.

use opendyn_model::c_type::CType;
use opendyn_model::data_model::Sign;
use opendyn_model::plan::{CBase, CValue, Overlap, Record, Types};

use crate::Target;

/// Size and alignment in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) size: u64,
    pub(super) align: u64,
}

pub(super) fn of_scalar(c_type: CType, target: &Target) -> Layout {
    let size = u64::from(c_type.on(target.data_model()).bits / 8);
    Layout { size, align: if size == 8 { target.align_of_8 } else { size } }
}

/// Whether an integer is signed.
pub(super) fn is_signed(c_type: CType, target: &Target) -> bool {
    match c_type.on(target.data_model()).sign {
        Sign::Signed => true,
        Sign::Unsigned => false,
        Sign::OfTarget => target.char_signed,
    }
}

/// One value; of an array in place, one element.
pub(super) fn of_value(of: &CValue, types: &Types, target: &Target) -> Layout {
    match (&of.base, of.stars) {
        (CBase::Scalar(c_type), 0) => of_scalar(*c_type, target),
        (CBase::Record(record), 0) => of_record(&types.records[*record], types, target).0,
        _ => Layout { size: target.pointer, align: target.pointer },
    }
}

/// The size of a member of a struct, with all its elements.
pub(super) fn size_of_member(of: &CValue, types: &Types, target: &Target) -> u64 {
    of_value(of, types, target).size.saturating_mul(of.count.unwrap_or(1))
}

/// The layout of the whole struct, and the offset of each member.
pub(super) fn of_record(record: &Record, types: &Types, target: &Target) -> (Layout, Vec<u64>) {
    let mut whole = Layout { size: 0, align: 1 };
    let mut offsets = Vec::new();
    for field in record.fields() {
        let of = CValue::field(&field.of);
        let align = of_value(&of, types, target).align;
        if record.overlap == Some(Overlap::Members) {
            offsets.push(0);
            whole.size = whole.size.max(size_of_member(&of, types, target));
            whole.align = whole.align.max(align);
            continue;
        }
        let offset = whole.size.checked_next_multiple_of(align.max(1)).unwrap_or(whole.size);
        offsets.push(offset);
        whole.size = offset.saturating_add(size_of_member(&of, types, target));
        whole.align = whole.align.max(align);
    }
    whole.size = whole.size.checked_next_multiple_of(whole.align).unwrap_or(whole.size);
    (whole, offsets)
}
