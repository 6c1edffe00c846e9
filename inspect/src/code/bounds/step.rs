//! What one instruction does.

use iced_x86::{Instruction, Mnemonic, OpAccess, OpKind, Register, UsedMemory};

use super::follow::Follow;
use super::polynomial::Polynomial;
use super::state::{OF_FRAME, Value};
use crate::code::instruction::{general, is_immediate, is_read, is_same, is_written};
use crate::code::state::RSP;
use crate::code::value::Set;

impl Follow<'_, '_> {
    /// Carries out an instruction that neither jumps nor calls; `None` if it cannot be followed.
    pub(super) fn step(&mut self, instruction: &Instruction) -> Option<()> {
        self.access_memory(instruction)?;
        if instruction.rflags_modified() != 0 {
            self.compared = None;
        }
        let is_wide = (0..instruction.op_count()).all(|index| match instruction.op_kind(index) {
            OpKind::Register => instruction.op_register(index).size() == 8,
            OpKind::Memory => {
                instruction.memory_size().size() == 8 || instruction.mnemonic() == Mnemonic::Lea
            }
            _ => true,
        });
        let is_zero = is_same(instruction)
            && matches!(instruction.mnemonic(), Mnemonic::Xor | Mnemonic::Sub)
            && general(instruction.op0_register()).is_some();
        if is_zero {
            return self.put(instruction, 0, Value::constant(0));
        }
        if instruction.mnemonic() == Mnemonic::Mov
            && instruction.op0_kind() == OpKind::Register
            && instruction.op0_register().size() == 4
            && is_immediate(instruction.op1_kind())
        {
            return self.put(instruction, 0, Value::constant(i64::from(instruction.immediate32())));
        }
        let of = |follow: &Self, index| follow.operand(instruction, index);
        match instruction.mnemonic() {
            Mnemonic::Nop | Mnemonic::Endbr64 | Mnemonic::Pause => Some(()),
            Mnemonic::And if instruction.op0_register() == Register::RSP => None,
            _ if !is_wide => self.other(instruction),
            Mnemonic::Mov => self.put(instruction, 0, of(self, 1)),
            Mnemonic::Lea => self.put(instruction, 0, self.address(instruction)),
            Mnemonic::Add => self.put(instruction, 0, of(self, 0).with(&of(self, 1), Polynomial::plus)),
            Mnemonic::Sub => self.put(instruction, 0, of(self, 0).with(&of(self, 1), Polynomial::minus)),
            Mnemonic::Inc => {
                self.put(instruction, 0, of(self, 0).with(&Value::constant(1), Polynomial::plus))
            }
            Mnemonic::Dec => {
                self.put(instruction, 0, of(self, 0).with(&Value::constant(1), Polynomial::minus))
            }
            Mnemonic::Imul if instruction.op_count() == 2 => {
                self.put(instruction, 0, of(self, 0).with(&of(self, 1), Polynomial::times))
            }
            Mnemonic::Imul if instruction.op_count() == 3 => {
                self.put(instruction, 0, of(self, 1).with(&of(self, 2), Polynomial::times))
            }
            Mnemonic::Shl
                if instruction.op1_kind() == OpKind::Immediate8 && instruction.immediate8() < 32 =>
            {
                let factor = Value::constant(1 << instruction.immediate8());
                self.put(instruction, 0, of(self, 0).with(&factor, Polynomial::times))
            }
            Mnemonic::Push => {
                let value = of(self, 0);
                self.grow(-8);
                let top = self.state.registers[RSP].place()?;
                self.state.store(top, 8, value);
                Some(())
            }
            Mnemonic::Pop => {
                let top = self.state.registers[RSP].place()?;
                let value = self.state.load(top, 8);
                self.grow(8);
                self.put(instruction, 0, value)
            }
            Mnemonic::Leave => {
                self.state.registers[RSP] = self.state.registers[5].clone();
                let top = self.state.registers[RSP].place()?;
                self.state.registers[5] = self.state.load(top, 8);
                self.grow(8);
                Some(())
            }
            Mnemonic::Cmp => {
                self.compared = of(self, 0).form.zip(of(self, 1).form);
                Some(())
            }
            Mnemonic::Test if is_same(instruction) => {
                self.compared = of(self, 0).form.map(|form| (form, Polynomial::default()));
                Some(())
            }
            _ => self.other(instruction),
        }
    }

    fn grow(&mut self, by: i64) {
        let top = self.state.registers[RSP].with(&Value::constant(by), Polynomial::plus);
        self.state.registers[RSP] = top;
    }

    fn address(&self, instruction: &Instruction) -> Value {
        if instruction.is_ip_rel_memory_operand() {
            return Value::default();
        }
        let index = self.register(instruction.memory_index());
        let scale = Value::constant(i64::from(instruction.memory_index_scale()));
        let displacement = Value::constant(instruction.memory_displacement64().cast_signed());
        let base = self.register(instruction.memory_base());
        base.with(&index.with(&scale, Polynomial::times), Polynomial::plus)
            .with(&displacement, Polynomial::plus)
    }

    /// What a register holds; none holds nothing.
    fn register(&self, register: Register) -> Value {
        match general(register) {
            Some(number) if register.size() == 8 => self.state.registers[number].clone(),
            Some(number) => Value::made_of(self.state.registers[number].of),
            None if register == Register::None => Value::constant(0),
            None => Value::default(),
        }
    }

    fn operand(&self, instruction: &Instruction, index: u32) -> Value {
        match instruction.op_kind(index) {
            OpKind::Register => self.register(instruction.op_register(index)),
            OpKind::Memory => {
                let address = self.address(instruction);
                self.loaded(&address, i64::try_from(instruction.memory_size().size()).unwrap_or(0))
            }
            kind if is_immediate(kind) => Value::constant(instruction.immediate(index).cast_signed()),
            _ => Value::default(),
        }
    }

    /// What is loaded: in memory of others, nothing is made of the arguments.
    fn loaded(&self, address: &Value, size: i64) -> Value {
        match address.place() {
            Some(at) => self.state.load(at, size),
            None if address.of & OF_FRAME != 0 => Value::made_of(self.state.held()),
            None => Value::default(),
        }
    }

    fn put(&mut self, instruction: &Instruction, index: u32, value: Value) -> Option<()> {
        match instruction.op_kind(index) {
            OpKind::Register => {
                let register = instruction.op_register(index);
                match general(register) {
                    Some(number) if register.size() >= 4 => self.state.registers[number] = value,
                    Some(number) => {
                        let before = self.state.registers[number].of;
                        self.state.registers[number] = Value::made_of(before | value.of);
                    }
                    // What other registers hold is not followed.
                    None => self.escape(&value)?,
                }
            }
            OpKind::Memory => {
                let address = self.address(instruction);
                let size = i64::try_from(instruction.memory_size().size()).unwrap_or(0);
                match address.place() {
                    Some(at) => self.state.store(at, size, value),
                    None if address.of & OF_FRAME != 0 => self.state.smear(value.of),
                    None if size < 8 => {}
                    None => self.escape(&value)?,
                }
            }
            _ => {}
        }
        Some(())
    }

    /// A value goes where it is not followed; `None` if it leads to the frame.
    pub(super) fn escape(&mut self, value: &Value) -> Option<()> {
        // An exact number that is made of an argument is not the argument.
        let of = match &value.form {
            Some(form) => {
                let has = |index: usize| form.has(super::state::symbol(index));
                (0..Set::BITS as usize).filter(|index| has(*index)).fold(0, |set, index| set | 1 << index)
            }
            None => value.of,
        };
        self.found.escaped |= of;
        (of & OF_FRAME == 0).then_some(())
    }

    /// Any other instruction: what it writes is made of what it reads.
    fn other(&mut self, instruction: &Instruction) -> Option<()> {
        let mut accesses = [OpAccess::None; 5];
        let info = self.instructions.info(instruction);
        for (index, access) in (0..instruction.op_count()).zip(&mut accesses) {
            *access = info.op_access(index);
        }
        let implied: Vec<Register> = info
            .used_registers()
            .iter()
            .filter(|used| is_written(used.access()))
            .map(iced_x86::UsedRegister::register)
            .collect();
        let mut all = Value::default();
        for (index, access) in (0..instruction.op_count()).zip(accesses) {
            if is_read(access) {
                all.of |= self.operand(instruction, index).of;
            }
        }
        all.form = None;
        // A part of a pointer is none, unless it is written to one.
        for register in implied {
            if register.full_register() == Register::RSP {
                return None;
            }
            if let Some(number) = general(register) {
                let before = self.state.registers[number].of;
                self.state.registers[number] = Value::made_of(before | all.of);
            }
        }
        for (index, access) in (0..instruction.op_count()).zip(accesses) {
            if is_written(access) {
                self.put(instruction, index, all.clone())?;
            }
        }
        Some(())
    }

    /// Records what memory an instruction accesses.
    pub(super) fn access_memory(&mut self, instruction: &Instruction) -> Option<()> {
        if matches!(instruction.mnemonic(), Mnemonic::Nop | Mnemonic::Lea) {
            return Some(());
        }
        let used: Vec<UsedMemory> = self.instructions.info(instruction).used_memory().to_vec();
        for of in used {
            let is_plain = !instruction.is_string_instruction()
                && general(of.base()).is_none_or(|_| of.base().size() == 8)
                && general(of.index()).is_none_or(|_| of.index().size() == 8)
                && (general(of.base()).is_some() || matches!(of.base(), Register::None | Register::RIP))
                && (general(of.index()).is_some() || of.index() == Register::None);
            let index = self.register(of.index());
            let scale = Value::constant(i64::from(of.scale()));
            let base = if of.base() == Register::RIP { Value::default() } else { self.register(of.base()) };
            let displacement = Value::constant(of.displacement().cast_signed());
            let mut address = base
                .with(&index.with(&scale, Polynomial::times), Polynomial::plus)
                .with(&displacement, Polynomial::plus);
            if !is_plain {
                address.form = None;
            }
            let size = i64::try_from(of.memory_size().size()).ok().filter(|size| *size > 0);
            match address.place() {
                Some(_) => {}
                // Somewhere in the frame, or behind an argument.
                None => self.access(&address, size),
            }
        }
        Some(())
    }
}
