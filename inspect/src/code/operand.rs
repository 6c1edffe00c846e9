//! The operands of instructions: registers and memory.

use iced_x86::{Instruction, OpKind, Register};

use super::instruction::{general, is_immediate, is_number, size, vector};
use super::value::{Known, Origin, Value};
use super::walk::Walk;

impl Walk<'_> {
    /// The value of an operand.
    pub(super) fn operand(&mut self, instruction: &Instruction, index: u32) -> Value {
        match instruction.op_kind(index) {
            OpKind::Register => self.read(instruction.op_register(index)),
            OpKind::Memory => {
                let address = self.address(instruction);
                let value = self.load(address, size(instruction.memory_size()));
                if is_number(instruction) { Value::other() } else { value }
            }
            kind if is_immediate(kind) => Value::constant(instruction.immediate(index).cast_signed()),
            _ => Value::other(),
        }
    }

    /// The address of the operand in memory.
    pub(super) fn address(&self, instruction: &Instruction) -> Value {
        if instruction.is_ip_rel_memory_operand() {
            return Value::constant(instruction.ip_rel_memory_address().cast_signed());
        }
        // Memory of the thread is memory of nobody here.
        if matches!(instruction.segment_prefix(), Register::FS | Register::GS) {
            return Value::other();
        }
        let displacement = Value::constant(instruction.memory_displacement64().cast_signed());
        let base = match general(instruction.memory_base()) {
            Some(base) => self.state.registers[base].plus(displacement),
            None => displacement,
        };
        match general(instruction.memory_index()) {
            Some(index) => {
                let index = self.state.registers[index];
                let scale = instruction.memory_index_scale();
                match index.known {
                    Known::Constant(index) => {
                        base.plus(Value::constant(index.wrapping_mul(i64::from(scale))))
                    }
                    // What is multiplied is a number.
                    _ if scale == 1 => Value::of(base.origin | index.origin),
                    _ => Value::of(base.origin),
                }
            }
            None => base,
        }
    }

    pub(super) fn read(&self, register: Register) -> Value {
        match general(register) {
            Some(number) if register.size() == 8 => self.state.registers[number],
            Some(number) => match self.state.registers[number].known {
                Known::Constant(value) if register.size() == 4 => Value::constant(value & 0xffff_ffff),
                _ => Value::other(),
            },
            None => {
                vector(register).map_or_else(Value::other, |number| Value::of(self.state.vectors[number]))
            }
        }
    }

    /// Writes the first operand.
    pub(super) fn set(&mut self, instruction: &Instruction, value: Value) {
        self.put(instruction, 0, value);
    }

    pub(super) fn put(&mut self, instruction: &Instruction, index: u32, value: Value) {
        match instruction.op_kind(index) {
            OpKind::Register => self.write(instruction.op_register(index), value),
            OpKind::Memory => {
                let address = self.address(instruction);
                self.store(address, size(instruction.memory_size()), value);
            }
            _ => {}
        }
    }

    pub(super) fn write(&mut self, register: Register, value: Value) {
        if let Some(number) = general(register) {
            self.changed.general |= 1 << number;
            if self.state.bound.is_some_and(|(bound, _)| bound == number) {
                self.state.bound = None;
            }
            let before = self.state.registers[number];
            self.state.registers[number] = match register.size() {
                8 => value,
                4 => match value.known {
                    Known::Constant(constant) => Value::constant(constant & 0xffff_ffff),
                    _ => Value::other(),
                },
                _ => Value::of(before.origin | Origin::OTHER),
            };
        } else if let Some(number) = vector(register) {
            self.changed.vectors |= 1 << number;
            self.state.vectors[number] = value.origin;
        }
    }
}
