//! Where the parameters of a C function are when it is called, on x86-64 Linux.

use super::value::{ARGUMENTS, IN_REGISTERS, Set};
use crate::{Signature, Type, TypeId, Types};

/// How many floating-point parameters come in registers.
const IN_VECTORS: usize = 8;

/// The size of what is returned in registers.
const RETURNED: u64 = 16;

/// The place of each parameter: the registers for integers and pointers in order, then words on the stack; `None` if it is in
/// another register, or its place is not known here.
pub(crate) fn places(signature: &Signature, types: &Types) -> Vec<Option<usize>> {
    located(signature, types).0
}

/// The places of all that a function is given; `None` if one of them is not known here, or further arguments follow.
pub(crate) fn taken(signature: &Signature, types: &Types) -> Option<Set> {
    let (places, is_known) = located(signature, types);
    // Where the result goes is an argument, too.
    let first = Set::from(returns_in_memory(signature, types));
    let taken = places.iter().flatten().fold(first, |set, place| set | 1 << place);
    (is_known && !signature.variadic).then_some(taken)
}

/// Whether the caller passes where the result goes.
pub(crate) fn returns_in_memory(signature: &Signature, types: &Types) -> bool {
    match types.resolve(signature.returns) {
        Type::Record(record) => record.size.is_some_and(|size| size > RETURNED),
        _ => false,
    }
}

/// The places, and whether all of them are known.
fn located(signature: &Signature, types: &Types) -> (Vec<Option<usize>>, bool) {
    let (mut integers, mut vectors, mut stack) = (0, 0, 0);
    let mut is_known = !matches!(types.resolve(signature.returns), Type::Complex(_) | Type::Other { .. });
    if returns_in_memory(signature, types) {
        integers = 1;
    }
    let mut place = |id: TypeId| {
        match types.resolve(id) {
            Type::Float { size: 4 | 8, .. } => {
                if vectors < IN_VECTORS {
                    vectors += 1;
                } else {
                    stack += 1;
                }
                return None;
            }
            Type::Bool
            | Type::Pointer { .. }
            | Type::Enum { .. }
            | Type::Array { .. }
            | Type::Function(_) => {}
            Type::Integer(integer) if integer.size <= 8 => {}
            _ => is_known = false,
        }
        if !is_known {
            return None;
        }
        if integers < IN_REGISTERS {
            integers += 1;
            return Some(integers - 1);
        }
        stack += 1;
        Some(IN_REGISTERS + stack - 1).filter(|place| *place < ARGUMENTS)
    };
    let places = signature.parameters.iter().map(|parameter| place(parameter.of)).collect();
    (places, is_known)
}
