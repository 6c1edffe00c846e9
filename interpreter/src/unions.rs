//! Unions by value. libffi has no unions: it is given a struct that C passes in the same way.
//!
//! C on x86-64 passes a value of at most 16 bytes by its two halves, each in a register for floating-point numbers if it has only
//! such numbers, and otherwise in one for integers; larger values, and all values on 32-bit x86, are on the stack. So a
//! struct of the same size and alignment, with an integer wherever a member of the union has one, is passed alike.

use libffi::middle::Type;
use opendyn_model::plan::{CBase, CValue, Types};

use crate::layout;
use crate::number::{Form, Number};

/// The struct for the union at this index.
pub(crate) fn by_value(union: usize, types: &Types) -> Type {
    let layout = layout::of_record(&types.records[union], types);
    let unit = layout.align.clamp(1, 8);
    let mut integers = vec![false; layout.size.min(MOST) / unit];
    for field in types.records[union].fields() {
        mark(&CValue::field(&field.of), 0, unit, &mut integers, types);
    }
    // Of more, only the size counts.
    let rest = layout.size / unit - integers.len();
    let members = integers.into_iter().map(|is_integer| of_unit(unit, is_integer));
    let rest = std::iter::repeat_n((), rest.min(1 << 16)).map(|()| of_unit(unit, true));
    Type::structure(members.chain(rest).collect::<Vec<Type>>())
}

/// The bytes in registers.
const MOST: usize = 16;

/// A member of the struct. Numbers of fewer than four bytes are integers.
fn of_unit(unit: usize, is_integer: bool) -> Type {
    match (unit, is_integer) {
        (1, _) => Type::u8(),
        (2, _) => Type::u16(),
        (4, true) => Type::u32(),
        (4, false) => Type::f32(),
        (_, true) => Type::u64(),
        (_, false) => Type::f64(),
    }
}

/// Marks the units in which a value at byte `at` has integers.
fn mark(value: &CValue, at: usize, unit: usize, integers: &mut [bool], types: &Types) {
    let count = value.count.map_or(1, |count| usize::try_from(count).unwrap_or(usize::MAX)).min(MOST);
    match &value.base {
        CBase::Record(record) if value.stars == 0 => {
            let layout = layout::of_record(&types.records[*record], types);
            for index in 0..count {
                let at = at.saturating_add(index.saturating_mul(layout.size));
                for (field, offset) in types.records[*record].fields().zip(&layout.offsets) {
                    if at.saturating_add(*offset) < MOST {
                        mark(&CValue::field(&field.of), at + offset, unit, integers, types);
                    }
                }
            }
        }
        base => {
            let number = match base {
                CBase::Scalar(c_type) if value.stars == 0 => Number::of(*c_type),
                _ => Number::POINTER,
            };
            if number.form == Form::Floating {
                return;
            }
            for byte in at..at.saturating_add(number.size * count).min(MOST) {
                if let Some(is_integer) = integers.get_mut(byte / unit) {
                    *is_integer = true;
                }
            }
        }
    }
}
