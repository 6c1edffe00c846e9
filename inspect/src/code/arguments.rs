//! Where the parameters of a C function are when it is called, on x86-64 Linux.

use super::value::{ARGUMENTS, IN_REGISTERS};
use crate::{Signature, Type, TypeId, Types};

/// How many floating-point parameters come in registers.
const IN_VECTORS: usize = 8;

/// The size of what is returned in registers.
const RETURNED: u64 = 16;

/// The place of each parameter: the registers for integers and pointers in order, then words on the stack; `None` if it is in
/// another register, or its place is not known here.
pub(crate) fn places(signature: &Signature, types: &Types) -> Vec<Option<usize>> {
    let (mut integers, mut vectors, mut stack) = (0, 0, 0);
    let mut is_known = match types.resolve(signature.returns) {
        // The caller passes where the result goes.
        Type::Record(record) if record.size.is_some_and(|size| size > RETURNED) => {
            integers = 1;
            true
        }
        Type::Complex(_) | Type::Other { .. } => false,
        _ => true,
    };
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
    signature.parameters.iter().map(|parameter| place(parameter.of)).collect()
}
