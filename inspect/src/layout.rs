//! Size and alignment of C types on a target. Records keep what their source says; the rest follows from the
//! target.

use std::cell::Cell;

use crate::target::Target;
use crate::types::{RecordKind, Type, TypeId, Types};

/// Types nest by value only a few levels deep; this limits how far a malformed, cyclic source is followed.
#[derive(Clone, Copy)]
struct Depth<'s> {
    left: u32,
    /// How many types may still be visited in total: a cycle can branch at every level.
    steps: &'s Cell<u32>,
}

impl<'s> Depth<'s> {
    fn new(steps: &'s Cell<u32>) -> Self {
        Self { left: 64, steps }
    }

    fn deeper(self) -> Option<Self> {
        self.steps.set(self.steps.get().checked_sub(1)?);
        Some(Self { left: self.left.checked_sub(1)?, ..self })
    }
}

const MOST_STEPS: u32 = 20_000;

impl Types {
    /// The size of the type in bytes; `None` if unknown: a function, `void`, an opaque struct, an array
    /// without a length.
    #[must_use]
    pub fn size(&self, id: TypeId, target: &Target) -> Option<u64> {
        self.size_within(id, target, Depth::new(&Cell::new(MOST_STEPS)))
    }

    /// The alignment of the type in bytes, as a parameter or member; `None` if unknown.
    #[must_use]
    pub fn align(&self, id: TypeId, target: &Target) -> Option<u64> {
        self.align_within(id, target, Depth::new(&Cell::new(MOST_STEPS)))
    }

    fn size_within(&self, id: TypeId, target: &Target, depth: Depth<'_>) -> Option<u64> {
        let depth = depth.deeper()?;
        match self.get(id) {
            Type::Void | Type::Function(_) => None,
            Type::Bool => Some(1),
            Type::Integer(integer) | Type::Enum { integer, .. } => Some(integer.size),
            Type::Float { size, .. } | Type::Complex(size) => Some(*size),
            Type::Pointer { .. } => Some(target.pointer),
            Type::Array { of, length } => self.size_within(*of, target, depth)?.checked_mul((*length)?),
            Type::Record(record) => record.size,
            Type::Alias { of, .. } => self.size_within(*of, target, depth),
            Type::Other { size, .. } => *size,
        }
    }

    fn align_within(&self, id: TypeId, target: &Target, depth: Depth<'_>) -> Option<u64> {
        let depth = depth.deeper()?;
        match self.get(id) {
            Type::Void | Type::Function(_) | Type::Other { size: None, .. } => None,
            Type::Bool => Some(1),
            Type::Integer(integer) | Type::Enum { integer, .. } => Some(of_scalar(integer.size, target)),
            Type::Float { size, .. } | Type::Other { size: Some(size), .. } => Some(of_scalar(*size, target)),
            Type::Complex(size) => Some(of_scalar(size / 2, target)),
            Type::Pointer { .. } => Some(target.pointer),
            Type::Array { of, .. } | Type::Alias { of, .. } => self.align_within(*of, target, depth),
            Type::Record(record) => record.align.or_else(|| self.align_of_members(id, target, depth)),
        }
    }

    /// The alignment that the members of a record require. If a member or the size does not fit it, the
    /// record is packed and the result is 1. If the padding after the last member is larger than required,
    /// the record has a larger alignment of its own.
    fn align_of_members(&self, id: TypeId, target: &Target, depth: Depth<'_>) -> Option<u64> {
        let Type::Record(record) = self.get(id) else { return None };
        let mut align: u64 = 1;
        let mut packed = false;
        let mut end = Some(0);
        for member in &record.members {
            let own = self.align_within(member.of, target, depth)?;
            let offset = if record.kind == RecordKind::Union { Some(0) } else { member.offset };
            // A bit field may begin anywhere in the aligned unit of its type.
            if member.bits.is_none() && offset.is_some_and(|offset| offset % own != 0) {
                packed = true;
            }
            align = align.max(own);
            let size = self.size_within(member.of, target, depth);
            let own_end = offset.zip(size).and_then(|(offset, size)| offset.checked_add(size));
            end = end.zip(own_end).map(|(end, own): (u64, u64)| end.max(own));
        }
        let size = record.size?;
        packed |= size % align != 0;
        if packed {
            return Some(1);
        }
        let asked = end.filter(|end| *end > 0).and_then(|end| {
            let mut wider = std::iter::successors(Some(align), |align| align.checked_mul(2));
            wider.find(|align| end.checked_next_multiple_of(*align).is_none_or(|end| end >= size))
        });
        Some(asked.filter(|asked| size % asked == 0).unwrap_or(align))
    }
}

/// Scalars are aligned to their size, except large ones on 32-bit x86.
fn of_scalar(size: u64, target: &Target) -> u64 {
    match size {
        0 | 1 => 1,
        // The 80-bit `long double` of 32-bit x86 on Linux.
        12 => 4,
        8 => target.align_of_8,
        size if size.is_power_of_two() => size.min(16),
        size => 1 << size.trailing_zeros().min(4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Integer, Record, RecordMember};

    fn integer(types: &mut Types, size: u64) -> TypeId {
        types.add(Type::Integer(Integer { size, signed: true, spelling: format!("int{size}") }))
    }

    fn record(types: &mut Types, size: u64, members: &[(TypeId, u64)]) -> TypeId {
        let member = |&(of, offset)| RecordMember {
            name: None,
            of,
            offset: Some(offset),
            bits: None,
            comment: None,
            counted: None,
        };
        let members = members.iter().map(member).collect();
        let (name, size) = (None, Some(size));
        types.add(Type::Record(Record { kind: RecordKind::Struct, name, size, align: None, members }))
    }

    #[test]
    fn records_are_aligned_as_their_members() {
        let linux = Target::of_triple("x86_64-unknown-linux-gnu").expect("a target");
        let old = Target::of_triple("i686-unknown-linux-gnu").expect("a target");
        let mut types = Types::new();
        let (byte, long) = (integer(&mut types, 1), integer(&mut types, 8));
        let plain = record(&mut types, 16, &[(byte, 0), (long, 8)]);
        let packed = record(&mut types, 9, &[(byte, 0), (long, 1)]);
        let outer = record(&mut types, 24, &[(byte, 0), (plain, 8)]);
        assert_eq!(types.align(plain, &linux), Some(8));
        assert_eq!(types.align(packed, &linux), Some(1));
        let wide = record(&mut types, 32, &[(byte, 0), (long, 8)]);
        assert_eq!(types.align(outer, &linux), Some(8));
        assert_eq!(types.align(wide, &linux), Some(32));
        assert_eq!(types.align(long, &old), Some(4));
    }

    #[test]
    fn an_array_is_as_large_as_its_elements() {
        let target = Target::of_triple("x86_64-unknown-linux-gnu").expect("a target");
        let mut types = Types::new();
        let short = integer(&mut types, 2);
        let row = types.add(Type::Array { of: short, length: Some(3) });
        let rows = types.add(Type::Array { of: row, length: Some(4) });
        let open = types.add(Type::Array { of: row, length: None });
        assert_eq!(types.size(rows, &target), Some(24));
        assert_eq!(types.size(open, &target), None);
        assert_eq!(types.align(rows, &target), Some(2));
    }

    #[test]
    fn a_type_that_holds_itself_has_no_size() {
        let target = Target::host();
        let mut types = Types::new();
        let id = types.add(Type::Void);
        types.set(id, Type::Array { of: id, length: Some(2) });
        assert_eq!(types.size(id, &target), None);
        assert_eq!(types.align(id, &target), None);
    }

    #[test]
    fn a_record_that_holds_itself_many_times_is_given_up_soon() {
        let target = Target::host();
        let mut types = Types::new();
        let id = types.add(Type::Void);
        let member =
            RecordMember { name: None, of: id, offset: Some(0), bits: None, comment: None, counted: None };
        let members = vec![member; 9];
        let (kind, name, size) = (RecordKind::Struct, None, Some(8));
        types.set(id, Type::Record(Record { kind, name, size, align: None, members }));
        assert_eq!(types.align(id, &target), None);
    }
}
