//! What one instruction does with values.

use iced_x86::{Instruction, Mnemonic, OpAccess, OpKind, Register};

use super::instruction::{comparison, general, is_read, is_same, is_written, keeps_pointers};
use super::state::RSP;
use super::value::{Known, Origin, Value};
use super::walk::Walk;

/// The gap that stands for the unknown number of bytes by which a frame is aligned.
const ALIGNMENT: i64 = 1 << 16;

/// The most operands of an instruction.
const MOST_OPERANDS: usize = 5;

/// Memory that an instruction accesses without naming it.
struct Implied {
    address: Value,
    size: i64,
    is_read: bool,
    is_written: bool,
}

impl Walk<'_> {
    /// Carries out an instruction that neither jumps nor calls.
    pub(super) fn step(&mut self, instruction: &Instruction) {
        self.is_irregular |= self.reads_entry(instruction);
        let compared = self.compared.take();
        let tested = std::mem::take(&mut self.tested);
        match instruction.mnemonic() {
            Mnemonic::Nop | Mnemonic::Endbr64 | Mnemonic::Pause => {
                (self.compared, self.tested) = (compared, tested);
            }
            // The flags stay as they are.
            Mnemonic::Mov => {
                self.copy(instruction, true);
                self.tested = tested;
            }
            Mnemonic::Test if is_same(instruction) => {
                self.tested = self.operand(instruction, 0).known;
            }
            Mnemonic::Movzx => self.copy(instruction, false),
            Mnemonic::Lea => {
                let address = self.address(instruction);
                self.point(instruction, address);
            }
            Mnemonic::Movsxd => self.widen(instruction),
            Mnemonic::Add => {
                let sum = self.operand(instruction, 0).plus(self.operand(instruction, 1));
                self.point(instruction, sum);
            }
            Mnemonic::Sub if is_same(instruction) => self.set(instruction, Value::constant(0)),
            Mnemonic::Sub => {
                let (first, second) = (self.operand(instruction, 0), self.operand(instruction, 1));
                if let (Known::Argument(one, _), Known::Argument(other, _)) = (first.known, second.known) {
                    self.summary.uses[one].is_measured = true;
                    self.summary.uses[other].is_measured = true;
                }
                self.set(instruction, first.minus(second));
            }
            Mnemonic::Inc | Mnemonic::Dec => {
                let by = Value::constant(if instruction.mnemonic() == Mnemonic::Inc { 1 } else { -1 });
                let value = self.operand(instruction, 0).plus(by);
                self.set(instruction, value);
            }
            Mnemonic::Xor | Mnemonic::Pxor | Mnemonic::Xorps | Mnemonic::Xorpd if is_same(instruction) => {
                self.set(instruction, Value::constant(0));
            }
            Mnemonic::And if instruction.op0_register() == Register::RSP => {
                let top = match self.state.registers[RSP].known {
                    Known::Frame(top) => Value::frame((top - ALIGNMENT) & -4096),
                    _ => Value::of(self.state.registers[RSP].origin),
                };
                self.state.registers[RSP] = top;
            }
            Mnemonic::Push => {
                let value = self.operand(instruction, 0);
                self.grow(-8);
                let top = self.state.registers[RSP];
                self.store(top, 8, value);
            }
            Mnemonic::Pop => {
                let top = self.state.registers[RSP];
                let value = self.load(top, 8);
                self.grow(8);
                self.set(instruction, value);
            }
            Mnemonic::Leave => {
                let frame = self.state.registers[5];
                self.state.registers[5] = self.load(frame, 8);
                self.state.registers[RSP] = frame;
                self.grow(8);
            }
            Mnemonic::Cmp => {
                let second = self.operand(instruction, 1);
                let first = self.operand(instruction, 0);
                if second.known == Known::Constant(0) {
                    self.tested = first.known;
                }
                self.compared = comparison(instruction);
            }
            Mnemonic::Xchg => {
                // It may be meant to write alone, at once.
                let read = self.state.read;
                let (first, second) = (self.operand(instruction, 0), self.operand(instruction, 1));
                self.state.read = read;
                self.set(instruction, second);
                self.put(instruction, 1, first);
            }
            // They store registers that are no operands.
            Mnemonic::Cmpxchg8b | Mnemonic::Cmpxchg16b => self.is_irregular = true,
            Mnemonic::Cmpxchg => {
                let (found, new) = (self.operand(instruction, 0), self.operand(instruction, 1));
                self.set(instruction, found.or(new));
                self.state.registers[0] = Value::of(self.state.registers[0].origin | found.origin);
                self.changed.general |= 1;
            }
            _ => self.other(instruction),
        }
    }

    /// Whether an instruction uses what a register held at entry that carries no argument, other than to save it.
    fn reads_entry(&mut self, instruction: &Instruction) -> bool {
        let is_entry = |register: Register| {
            register.size() >= 4
                && general(register).is_some_and(|of| self.state.registers[of].known == Known::Entry)
        };
        let is_address = is_entry(instruction.memory_base()) || is_entry(instruction.memory_index());
        let is_saved = match instruction.mnemonic() {
            Mnemonic::Push | Mnemonic::Nop | Mnemonic::Endbr64 => true,
            Mnemonic::Mov => instruction.op0_kind() == OpKind::Memory,
            _ => is_same(instruction),
        };
        let mut is_operand = (1..instruction.op_count()).any(|index| {
            instruction.op_kind(index) == OpKind::Register && is_entry(instruction.op_register(index))
        });
        if instruction.op_count() > 0
            && instruction.op0_kind() == OpKind::Register
            && is_entry(instruction.op0_register())
        {
            is_operand |= is_read(self.instructions.info(instruction).op_access(0));
        }
        is_address && instruction.mnemonic() != Mnemonic::Nop || is_operand && !is_saved
    }

    /// Sets a register to an address.
    fn point(&mut self, instruction: &Instruction, address: Value) {
        let is_behind = matches!(address.known, Known::Frame(at) if at >= 8);
        if is_behind && instruction.op0_register() != Register::RSP {
            self.state.passed = Origin::ON_STACK;
        }
        self.set(instruction, address);
    }

    /// Copies a register, or memory.
    fn copy(&mut self, instruction: &Instruction, is_whole: bool) {
        let value = self.operand(instruction, 1);
        let bound = self.state.bound;
        self.set(instruction, if is_whole { value } else { Value::other() });
        // The copy has the same bound.
        if instruction.op0_kind() == OpKind::Register
            && instruction.op1_kind() == OpKind::Register
            && let Some((register, most)) = bound
            && general(instruction.op1_register()) == Some(register)
            && let Some(copy) = general(instruction.op0_register())
        {
            self.state.bound = Some((copy, most));
        }
    }

    /// `movsxd` reads the entries of jump tables.
    fn widen(&mut self, instruction: &Instruction) {
        let value = self.operand(instruction, 1);
        let index = general(instruction.memory_index()).filter(|_| instruction.op1_kind() == OpKind::Memory);
        let base = general(instruction.memory_base()).map(|base| self.state.registers[base].known);
        let known = match (base, index, self.state.bound) {
            (Some(Known::Constant(table)), Some(index), Some((register, most)))
                if index == register
                    && instruction.memory_index_scale() == 4
                    && instruction.memory_displacement64() == 0 =>
            {
                Known::Target { table, entries: most.saturating_add(1) }
            }
            _ => Known::Nothing,
        };
        self.set(instruction, Value { known, ..value });
    }

    /// Moves the stack pointer.
    fn grow(&mut self, by: i64) {
        self.state.registers[RSP] = self.state.registers[RSP].plus(Value::constant(by));
    }

    /// Any other instruction: what it reads may be in all that it writes.
    fn other(&mut self, instruction: &Instruction) {
        let keeps = keeps_pointers(instruction);
        let mut accesses = [OpAccess::None; MOST_OPERANDS];
        let info = self.instructions.info(instruction);
        for (index, access) in (0..instruction.op_count()).zip(&mut accesses) {
            *access = info.op_access(index);
        }
        let mut origin = Origin::default();
        for (index, access) in accesses.iter().enumerate() {
            if is_read(*access) {
                origin |= self.operand(instruction, index as u32).origin;
            }
        }
        let origin = if keeps { origin } else { Origin::OTHER };
        let (implied, memory) = self.implied(instruction);
        let mut all = origin;
        for of in memory.iter().filter(|of| of.is_read) {
            all |= self.load(of.address, of.size).origin;
        }
        for of in memory.iter().filter(|of| of.is_written) {
            self.store(of.address, of.size, Value::of(all));
        }
        for register in implied {
            self.write(
                register,
                Value::of(if keeps {
                    all | self.read(register).origin | Origin::OTHER
                } else {
                    Origin::OTHER
                }),
            );
        }
        for (index, access) in accesses.iter().enumerate() {
            if is_written(*access) {
                let index = index as u32;
                // What may be left as it was.
                let before = match access {
                    OpAccess::CondWrite | OpAccess::ReadCondWrite => self.operand(instruction, index).origin,
                    _ => Origin::default(),
                };
                self.put(instruction, index, Value::of(origin | before));
            }
        }
    }

    /// The registers that an instruction writes, and the memory that it accesses, without being operands: string
    /// instructions do.
    fn implied(&mut self, instruction: &Instruction) -> (Vec<Register>, Vec<Implied>) {
        let is_operand = |register: Register| {
            (0..instruction.op_count()).any(|index| {
                instruction.op_kind(index) == OpKind::Register
                    && instruction.op_register(index).full_register() == register.full_register()
            })
        };
        let has_memory =
            (0..instruction.op_count()).any(|index| instruction.op_kind(index) == OpKind::Memory);
        let info = self.instructions.info(instruction);
        let registers = info.used_registers().iter();
        let written: Vec<Register> = registers
            .filter(|used| is_written(used.access()) && !is_operand(used.register()))
            .map(iced_x86::UsedRegister::register)
            .collect();
        let used: Vec<_> = if has_memory { Vec::new() } else { info.used_memory().to_vec() };
        let memory = used.iter().map(|used| {
            let base = general(used.base()).map_or_else(Value::other, |base| self.state.registers[base]);
            // How often it is repeated, nobody knows.
            let address = Value::of(base.origin);
            let size = i64::try_from(used.memory_size().size()).unwrap_or(8).max(8);
            Implied { address, size, is_read: is_read(used.access()), is_written: is_written(used.access()) }
        });
        let memory = memory.collect();
        (written, memory)
    }
}
