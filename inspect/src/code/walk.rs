//! Follows all paths through a function, until nothing new is found.

use std::collections::BTreeSet;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpKind};

use super::access::Sink;
use super::addresses::Addresses;
use super::image::Image;
use super::state::{CHANGED, RSP, State};
use super::summary::{Extent, Registers, Summary};
use super::value::{Known, Origin, Set, Value, members};

/// The most instructions that are followed in one function.
const LIMIT: usize = 60_000;

/// The most entries of a jump table.
const MOST_TARGETS: u32 = 1024;

/// A function that is followed.
pub(super) struct Walk<'a> {
    pub(super) image: &'a Image,
    /// Where the function begins.
    pub(super) start: u64,
    pub(super) summaries: &'a Addresses<Summary>,
    pub(super) state: State,
    pub(super) summary: Summary,
    /// The functions of the library that it calls.
    pub(super) callees: BTreeSet<u64>,
    /// The arguments that the frame held at some time, or what was read through them.
    pub(super) spilled: Set,
    /// Whether something outside may know an address in the frame.
    pub(super) is_frame_known: bool,
    pub(super) instructions: InstructionInfoFactory,
    /// The register and the number of the comparison before.
    pub(super) compared: Option<(usize, u32)>,
    /// What was compared with NULL before.
    pub(super) tested: Known,
    /// Whether it goes on after an exception.
    pub(super) may_land: bool,
    /// What holds when a call throws an exception.
    pub(super) thrown: Option<State>,
    /// Whether it does not keep to the calling convention, as functions in assembler may.
    pub(super) is_irregular: bool,
    /// The registers that are written somewhere.
    pub(super) changed: Registers,
    entry: State,
    states: Addresses<State>,
    queue: Vec<u64>,
    steps: usize,
}

/// What follows an instruction.
enum Next {
    /// The instruction behind it.
    Behind,
    /// Nothing: the path ends, or goes on elsewhere.
    End,
    /// Nobody knows.
    Unknown,
}

impl<'a> Walk<'a> {
    /// Follows the function at `start`, which has these arguments. What it calls does what `summaries` say.
    pub(super) fn run(
        image: &'a Image,
        summaries: &'a Addresses<Summary>,
        start: u64,
        arguments: Set,
    ) -> (Summary, BTreeSet<u64>) {
        let entry = State::entry(arguments);
        let mut walk = Self {
            image,
            start,
            summaries,
            state: entry.clone(),
            summary: Summary::nothing(),
            callees: BTreeSet::new(),
            spilled: 0,
            is_frame_known: false,
            instructions: InstructionInfoFactory::new(),
            compared: None,
            tested: Known::Nothing,
            may_land: !image.landings(start).is_empty(),
            thrown: None,
            is_irregular: false,
            changed: Registers::default(),
            states: Addresses::from_iter([(start, entry.clone())]),
            entry,
            queue: vec![start],
            steps: 0,
        };
        loop {
            while let Some(address) = walk.queue.pop() {
                if walk.path(address).is_none() || walk.is_irregular {
                    return (Summary::unknown(), BTreeSet::new());
                }
            }
            // Any call may throw.
            let Some(thrown) = walk.thrown.take() else { break };
            walk.state = thrown;
            // There, only the other registers are as they were.
            CHANGED.iter().for_each(|register| walk.state.registers[*register] = Value::other());
            walk.state.vectors = [Origin::OTHER; 32];
            for place in image.landings(start) {
                walk.go(*place);
            }
        }
        if walk.is_frame_known {
            walk.summary.bare |= walk.spilled;
            for index in members(walk.spilled) {
                let one = &mut walk.summary.uses[index];
                (one.pointer.unknown, one.content.unknown) = (true, true);
                (one.reads, one.takes, one.writes) = (Extent::Anything, Extent::Anything, Extent::Anything);
            }
        }
        walk.summary.limit_to(arguments);
        (walk.summary.finish(), walk.callees)
    }

    /// Follows one path to its end, or to where others were; `None` if the code cannot be read.
    fn path(&mut self, start: u64) -> Option<()> {
        self.state = self.states.get(&start)?.clone();
        (self.compared, self.tested) = (None, Known::Nothing);
        let mut decoder = Decoder::with_ip(64, self.image.code(start)?, start, DecoderOptions::NONE);
        loop {
            let instruction = decoder.decode();
            let address = instruction.ip();
            if address != start && self.states.contains_key(&address) {
                self.go(address);
                return Some(());
            }
            self.steps += 1;
            if self.steps > LIMIT || instruction.is_invalid() {
                return None;
            }
            match self.follow_one(&instruction) {
                Next::Behind => {}
                Next::End => return Some(()),
                Next::Unknown => return None,
            }
        }
    }

    fn follow_one(&mut self, instruction: &Instruction) -> Next {
        match instruction.flow_control() {
            FlowControl::Next => {
                self.step(instruction);
                Next::Behind
            }
            FlowControl::ConditionalBranch => {
                self.branch_if(instruction);
                Next::Behind
            }
            FlowControl::UnconditionalBranch => {
                self.branch(instruction.near_branch_target());
                Next::End
            }
            FlowControl::IndirectBranch => self.jump_through(instruction),
            FlowControl::Call if instruction.op0_kind() == OpKind::NearBranch64 => {
                match target(self.image, instruction.near_branch_target()) {
                    // The address of the next instruction, as position-independent code asks for it.
                    Some(target) if target == instruction.next_ip() => Next::Unknown,
                    target => self.called(target),
                }
            }
            FlowControl::IndirectCall => {
                let target = self.operand(instruction, 0);
                let target = match target.known {
                    Known::Constant(target) | Known::Allocator(target) => Some(target.cast_unsigned()),
                    _ => None,
                };
                self.called(target)
            }
            FlowControl::Return => {
                self.end();
                Next::End
            }
            // `ud2` is where no path comes.
            FlowControl::Exception | FlowControl::Interrupt => Next::End,
            FlowControl::Call | FlowControl::XbeginXabortXend => Next::Unknown,
        }
    }

    /// Goes on at both places, with what the condition says about each.
    fn branch_if(&mut self, instruction: &Instruction) {
        let (mnemonic, target) = (instruction.mnemonic(), instruction.near_branch_target());
        let says_bound = self.compared.is_some() && matches!(mnemonic, Mnemonic::Ja | Mnemonic::Jbe);
        let says_null = self.tested != Known::Nothing && matches!(mnemonic, Mnemonic::Je | Mnemonic::Jne);
        if !says_bound && !says_null {
            return self.branch(target);
        }
        let mut told = self.state.clone();
        match mnemonic {
            Mnemonic::Ja | Mnemonic::Jbe => told.bound = self.compared,
            _ => told.set_null(self.tested),
        }
        if matches!(mnemonic, Mnemonic::Jbe | Mnemonic::Je) {
            let behind = std::mem::replace(&mut self.state, told);
            self.branch(target);
            self.state = behind;
        } else {
            self.branch(target);
            self.state = told;
        }
    }

    fn called(&mut self, target: Option<u64>) -> Next {
        match self.call(target) {
            true => Next::Behind,
            false => Next::End,
        }
    }

    /// The function returns.
    fn end(&mut self) {
        let returned = [self.state.registers[0].origin, self.state.registers[2].origin];
        let returns = self.summary.returns.get_or_insert([Origin::default(); 2]);
        for (one, other) in returns.iter_mut().zip(returned) {
            *one |= other;
        }
        self.summary.is_null &= self.state.registers[0].known == Known::Constant(0);
        self.summary.freed &= self.state.freed;
        self.summary.text &= self.state.text;
        self.summary.bare |= self.state.bare;
        // What assembler saves and restores is not changed.
        let is_saved = |register: &usize| {
            let known = self.entry.registers[*register].known;
            known != Known::Nothing && self.state.registers[*register].known == known
        };
        let saved = CHANGED.iter().filter(|register| is_saved(register));
        let saved = saved.fold(0, |set, register| set | 1 << register);
        let general = self.changed.general & !saved;
        self.summary.clobbers.add(Registers { general, ..self.changed });
        self.summary.read &= self.state.read;
        for (one, other) in self.summary.written.iter_mut().zip(self.state.written) {
            *one = one.and(other);
        }
    }

    /// Goes on at `target`, or calls it if it is another function and the frame is empty.
    fn branch(&mut self, to: u64) {
        let Some(target) = target(self.image, to) else {
            self.summary = Summary::unknown();
            return;
        };
        let is_empty = self.state.registers[RSP] == Value::frame(0);
        // A part of the same function, which the compiler has put elsewhere, may need other registers.
        let others = [0, 3, 5, 10, 11, 12, 13, 14, 15];
        let is_clean = others.iter().all(|register| self.state.registers[*register].origin.is_foreign());
        let is_function = self.image.outside(target).is_some() || self.image.is_start(target);
        if is_function && is_empty && (is_clean || self.image.outside(target).is_some()) {
            let before = self.state.clone();
            if self.call(Some(target)) {
                self.end();
            }
            self.state = before;
        } else {
            self.go(target);
        }
    }

    /// Goes on at `address` with the present state, unless that brings nothing new.
    fn go(&mut self, address: u64) {
        let is_new = match self.states.get_mut(&address) {
            Some(state) => state.join(&self.state),
            None => {
                self.states.insert(address, self.state.clone());
                true
            }
        };
        if is_new && !self.queue.contains(&address) {
            self.queue.push(address);
        }
    }

    /// A jump through a table of the compiler's, or to a function that is not known here.
    fn jump_through(&mut self, instruction: &Instruction) -> Next {
        let value = self.operand(instruction, 0);
        match value.known {
            // Whatever function was put there needs no other registers than those of its arguments.
            Known::Allocator(target) if self.state.registers[RSP] == Value::frame(0) => {
                if self.call(Some(target.cast_unsigned())) {
                    self.end();
                }
                Next::End
            }
            Known::Constant(target) | Known::Allocator(target) => {
                self.branch(target.cast_unsigned());
                Next::End
            }
            Known::Target { table, entries } if entries <= MOST_TARGETS => {
                let Some(mut targets) = self.image.targets(table.cast_unsigned(), entries) else {
                    return Next::Unknown;
                };
                targets.sort_unstable();
                targets.dedup();
                targets.into_iter().for_each(|target| self.go(target));
                Next::End
            }
            // The last call of a function, through a pointer; or a jump in it, where any register may be used.
            Known::Nothing | Known::Read(_) if self.state.registers[RSP] == Value::frame(0) => {
                let frame = Value::of(self.state.frame());
                for value in self.state.registers.into_iter().chain([frame]) {
                    self.deliver(value, Sink::Unknown, false);
                }
                if self.call(None) {
                    self.end();
                }
                Next::End
            }
            _ => Next::Unknown,
        }
    }
}

/// Where a call or a jump to this address leads: not to the entry for a function of another library, but to that
/// function. `None` if it cannot be read.
pub(super) fn target(image: &Image, address: u64) -> Option<u64> {
    if image.outside(address).is_some() {
        return Some(address);
    }
    let code = image.code(address)?;
    if !may_jump_through(code) {
        return Some(address);
    }
    let mut decoder = Decoder::with_ip(64, code, address, DecoderOptions::NONE);
    let mut instruction = decoder.decode();
    if instruction.mnemonic() == Mnemonic::Endbr64 {
        instruction = decoder.decode();
    }
    let is_jump = instruction.mnemonic() == Mnemonic::Jmp && instruction.is_ip_rel_memory_operand();
    match is_jump.then(|| image.linked(instruction.ip_rel_memory_address())).flatten() {
        Some(target) => Some(target),
        None => Some(address),
    }
}

/// Whether the first instruction, apart from `endbr64`, may be a jump through memory: `false` is certain, and needs no
/// decoder.
fn may_jump_through(code: &[u8]) -> bool {
    let code = code.strip_prefix(b"\xf3\x0f\x1e\xfa").unwrap_or(code);
    let is_prefix = |byte: &u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3);
    code.iter().find(|byte| !is_prefix(byte)) == Some(&0xff)
}
