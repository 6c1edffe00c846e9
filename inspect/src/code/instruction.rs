//! What kinds of instructions there are, as far as it matters here.

use iced_x86::{Instruction, MemorySize, Mnemonic, OpAccess, OpKind, Register};

/// The number of a general register.
pub(super) fn general(register: Register) -> Option<usize> {
    register.is_gpr().then(|| register.full_register().number())
}

/// The number of a vector register.
pub(super) fn vector(register: Register) -> Option<usize> {
    register.is_vector_register().then(|| register.number()).filter(|number| *number < 32)
}

pub(super) fn is_same(instruction: &Instruction) -> bool {
    instruction.op_count() == 2
        && instruction.op0_kind() == OpKind::Register
        && instruction.op1_kind() == OpKind::Register
        && instruction.op0_register() == instruction.op1_register()
}

pub(super) fn is_immediate(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::Immediate8
            | OpKind::Immediate16
            | OpKind::Immediate32
            | OpKind::Immediate64
            | OpKind::Immediate8to16
            | OpKind::Immediate8to32
            | OpKind::Immediate8to64
            | OpKind::Immediate32to64
    )
}

pub(super) fn is_read(access: OpAccess) -> bool {
    matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

pub(super) fn is_written(access: OpAccess) -> bool {
    matches!(access, OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

/// The bytes of an operand in memory; of unknown ones, more than any has.
pub(super) fn size(of: MemorySize) -> i64 {
    match of.size() {
        0 => 4096,
        size => i64::try_from(size).unwrap_or(4096),
    }
}

/// The register and the number of a comparison.
pub(super) fn comparison(instruction: &Instruction) -> Option<(usize, u32)> {
    let is_register = instruction.op0_kind() == OpKind::Register && is_immediate(instruction.op1_kind());
    let number = u32::try_from(instruction.try_immediate(1).ok()?).ok()?;
    Some((general(instruction.op0_register())?, number)).filter(|_| is_register)
}

/// Whether what an instruction writes may be a pointer that it reads. Products, shifts and floating-point numbers are none.
pub(super) fn keeps_pointers(instruction: &Instruction) -> bool {
    use Mnemonic as M;
    !matches!(
        instruction.mnemonic(),
        M::Imul
            | M::Mul
            | M::Div
            | M::Idiv
            | M::Shl
            | M::Shr
            | M::Sar
            | M::Neg
            | M::Not
            | M::Sbb
            | M::Adc
            | M::Popcnt
            | M::Bsf
            | M::Bsr
            | M::Tzcnt
            | M::Lzcnt
            | M::Bt
            | M::Cdq
            | M::Cqo
            | M::Cwde
            | M::Cbw
            | M::Cdqe
            | M::Movsx
            | M::Ucomisd
            | M::Ucomiss
            | M::Comisd
            | M::Comiss
    ) && !is_number(instruction)
}

/// Whether an instruction works with floating-point numbers.
pub(super) fn is_number(instruction: &Instruction) -> bool {
    use Mnemonic as M;
    // Instructions for strings have the same names.
    if instruction.is_string_instruction() {
        return false;
    }
    matches!(
        instruction.mnemonic(),
        M::Movsd
            | M::Movss
            | M::Addsd
            | M::Addss
            | M::Addpd
            | M::Addps
            | M::Subsd
            | M::Subss
            | M::Subpd
            | M::Subps
            | M::Mulsd
            | M::Mulss
            | M::Mulpd
            | M::Mulps
            | M::Divsd
            | M::Divss
            | M::Divpd
            | M::Divps
            | M::Sqrtsd
            | M::Sqrtss
            | M::Sqrtpd
            | M::Sqrtps
            | M::Maxsd
            | M::Maxss
            | M::Minsd
            | M::Minss
            | M::Maxpd
            | M::Minpd
            | M::Maxps
            | M::Minps
            | M::Cvtsi2sd
            | M::Cvtsi2ss
            | M::Cvttsd2si
            | M::Cvttss2si
            | M::Cvtsd2si
            | M::Cvtss2si
            | M::Cvtsd2ss
            | M::Cvtss2sd
            | M::Cvtps2pd
            | M::Cvtpd2ps
            | M::Cvtdq2pd
            | M::Cvtdq2ps
            | M::Cmpsd
            | M::Cmpss
            | M::Ucomisd
            | M::Ucomiss
            | M::Comisd
            | M::Comiss
            | M::Fld
            | M::Fild
            | M::Fstp
            | M::Fst
            | M::Fistp
            | M::Fadd
            | M::Fmul
            | M::Fsub
            | M::Fdiv
    )
}
