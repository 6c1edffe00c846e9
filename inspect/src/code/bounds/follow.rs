//! Follows a function with its loops: what a loop adds to a value in each turn is known after some passes, and how often it
//! turns is what its condition says.

use std::collections::{BTreeMap, BTreeSet};

use iced_x86::{FlowControl, Instruction, InstructionInfoFactory};

use super::graph::Graph;
use super::limit::{Condition, Limit};
use super::polynomial::{Polynomial, Symbol};
use super::state::{FRAME, Location, OF_FRAME, State, Value, symbol};
use super::{Access, Bounds, Finder};
use crate::code::known;
use crate::code::state::{ARGUMENT_REGISTERS, CHANGED, RSP};
use crate::code::value::{ARGUMENTS, IN_REGISTERS, Set, members};
use crate::code::walk;

/// Stands for how often the first loop was repeated; the others follow.
pub(super) const TURNS: Symbol = FRAME + 1;

/// Stands for what a loop changes, before it is known how.
const FRESH: Symbol = 48;

/// The most passes until all loops are known.
const PASSES: usize = 12;

/// What a loop does with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// It is not known yet.
    Open,
    /// It adds this in each turn.
    Adds(Polynomial),
    /// Something else.
    Other,
}

/// What holds at the beginning of a loop, and what each turn leaves.
struct Turn {
    before: State,
    head: State,
    back: Option<State>,
}

/// An access to memory that a value points to, from an address up to another.
struct Touched {
    block: usize,
    of: Set,
    range: Option<(Polynomial, Polynomial)>,
}

/// A function that is followed.
pub(super) struct Follow<'f, 'i> {
    pub(super) graph: &'f Graph,
    finder: &'f mut Finder<'i>,
    pub(super) state: State,
    pub(super) compared: Option<(Polynomial, Polynomial)>,
    pub(super) instructions: InstructionInfoFactory,
    pub(super) found: Bounds,
    steps: BTreeMap<(usize, Location), (Step, Set)>,
    fresh: BTreeMap<(usize, Location), Symbol>,
    pub(super) conditions: BTreeMap<usize, Condition>,
    touched: Vec<Touched>,
    block: usize,
}

impl<'f, 'i> Follow<'f, 'i> {
    /// What a function does with the memory behind its arguments; `None` if it cannot be followed.
    pub(super) fn run(graph: &'f Graph, finder: &'f mut Finder<'i>) -> Option<Bounds> {
        if TURNS + Symbol::try_from(graph.loops.len()).ok()? >= FRESH {
            return None;
        }
        let mut follow = Self {
            graph,
            finder,
            state: State::entry(),
            compared: None,
            instructions: InstructionInfoFactory::new(),
            found: Bounds::default(),
            steps: BTreeMap::new(),
            fresh: BTreeMap::new(),
            conditions: BTreeMap::new(),
            touched: Vec::new(),
            block: 0,
        };
        for _ in 0..PASSES {
            let turns = follow.pass()?;
            if !follow.learn(&turns)? {
                return Some(follow.finish(&turns));
            }
        }
        None
    }

    /// Follows all blocks once.
    fn pass(&mut self) -> Option<BTreeMap<usize, Turn>> {
        (self.found, self.touched) = (Bounds::default(), Vec::new());
        self.conditions.clear();
        let graph = self.graph;
        let mut turns: BTreeMap<usize, Turn> = BTreeMap::new();
        let mut entries: Vec<Option<State>> = graph.blocks.iter().map(|_| None).collect();
        *entries.first_mut()? = Some(State::entry());
        for (number, block) in graph.blocks.iter().enumerate() {
            let Some(before) = entries[number].take() else { continue };
            self.block = number;
            self.state = before;
            if let Some(of) = graph.loops.iter().position(|of| of.head == number) {
                let before = self.state.clone();
                self.begin(of)?;
                turns.insert(of, Turn { before, head: self.state.clone(), back: None });
            }
            self.compared = None;
            for instruction in &block.instructions {
                self.follow_one(instruction)?;
            }
            if let Some(tail) = block.tail {
                if self.state.registers[RSP].place() != Some(0) {
                    return None;
                }
                self.call(Some(tail))?;
                self.end();
            }
            for (index, next) in block.next.iter().enumerate() {
                let mut state = self.state.clone();
                if let ([_, _], Some(condition)) = (block.next.as_slice(), self.conditions.get(&number)) {
                    state.positive.extend(condition.says(index == 1));
                }
                let to = if *next > number {
                    &mut entries[*next]
                } else {
                    let of = graph.loops.iter().position(|of| of.head == *next)?;
                    &mut turns.get_mut(&of)?.back
                };
                match to {
                    Some(other) => other.join(&state),
                    None => *to = Some(state),
                }
            }
        }
        Some(turns)
    }

    fn follow_one(&mut self, instruction: &Instruction) -> Option<()> {
        match instruction.flow_control() {
            FlowControl::Next => self.step(instruction),
            FlowControl::Call => {
                let target = walk::target(self.finder.image, instruction.near_branch_target())?;
                // The address of the next instruction.
                if target == instruction.next_ip() {
                    return None;
                }
                self.call(Some(target))
            }
            FlowControl::IndirectCall => {
                self.access_memory(instruction)?;
                self.call(None)
            }
            FlowControl::ConditionalBranch => {
                if let Some((first, second)) = self.compared.take() {
                    let condition = Condition { mnemonic: instruction.mnemonic(), first, second };
                    self.conditions.insert(self.block, condition);
                }
                Some(())
            }
            FlowControl::Return => {
                self.end();
                Some(())
            }
            _ => Some(()),
        }
    }

    fn end(&mut self) {
        self.found.returned |= self.state.registers[0].of | self.state.registers[2].of;
    }

    /// What holds in each turn of a loop.
    fn begin(&mut self, of: usize) -> Option<()> {
        let mut locations: BTreeSet<Location> =
            self.state.slots.keys().map(|at| Location::Slot(*at)).collect();
        locations.extend(self.steps.keys().filter(|(loop_, _)| *loop_ == of).map(|(_, location)| *location));
        locations.extend((0..16).filter(|number| *number != RSP).map(Location::Register));
        let turn = Polynomial::symbol(TURNS + Symbol::try_from(of).ok()?);
        for location in locations {
            let before = self.state.get(location);
            let (step, set) = self.steps.entry((of, location)).or_insert((Step::Open, 0));
            let form = match step {
                Step::Open => {
                    let count = self.fresh.len();
                    let symbol = match self.fresh.get(&(of, location)) {
                        Some(symbol) => *symbol,
                        None => FRESH.checked_add(Symbol::try_from(count).ok()?)?,
                    };
                    self.fresh.insert((of, location), symbol);
                    Some(Polynomial::symbol(symbol))
                }
                Step::Adds(by) => before.form.and_then(|form| form.plus(&turn.times(by)?)),
                Step::Other => None,
            };
            let of = before.of | *set;
            self.state.set(location, Value { of, form });
        }
        Some(())
    }

    /// Learns what loops do; whether there is something new. `None` if a loop moves the stack pointer.
    fn learn(&mut self, turns: &BTreeMap<usize, Turn>) -> Option<bool> {
        let mut is_new = false;
        let mut open = Vec::new();
        for (of, Turn { before, head, back }) in turns {
            let Some(back) = back else { continue };
            if back.registers[RSP] != head.registers[RSP] {
                return None;
            }
            let turn = TURNS + Symbol::try_from(*of).ok()?;
            for at in back.slots.keys() {
                self.steps.entry((*of, Location::Slot(*at))).or_insert_with(|| {
                    is_new = true;
                    (Step::Open, 0)
                });
            }
            for ((_, location), (step, set)) in self.steps.iter_mut().filter(|((number, _), _)| number == of)
            {
                let (value, after) = (head.get(*location), back.get(*location));
                is_new |= *set | after.of != *set;
                *set |= after.of;
                let is_unknown = before.get(*location).form.is_none() && *step != Step::Open;
                if *step == Step::Other || is_unknown {
                    continue;
                }
                let by = value.form.zip(after.form).and_then(|(value, after)| after.minus(&value));
                let next = match by {
                    Some(by) if by.has_any(|symbol| symbol >= FRESH) => {
                        open.push((*of, *location));
                        continue;
                    }
                    Some(by) if !by.has_any(|symbol| symbol >= turn) => Step::Adds(by),
                    _ => Step::Other,
                };
                is_new |= *step != next;
                *step = next;
            }
        }
        if !is_new && !open.is_empty() {
            is_new = true;
            for key in open {
                self.steps.entry(key).and_modify(|(step, _)| *step = Step::Other);
            }
        }
        Some(is_new)
    }

    /// Records an access.
    pub(super) fn access(&mut self, address: &Value, size: Option<i64>) {
        let range = address
            .form
            .as_ref()
            .zip(size)
            .and_then(|(from, size)| Some((from.clone(), from.plus(&Polynomial::constant(size))?)));
        self.touch(address.of, range);
    }

    fn touch(&mut self, of: Set, range: Option<(Polynomial, Polynomial)>) {
        if of & !OF_FRAME != 0 {
            self.touched.push(Touched { block: self.block, of, range });
        }
    }

    fn call(&mut self, target: Option<u64>) -> Option<()> {
        self.compared = None;
        let top = self.state.registers[RSP].place()?;
        let passed: Vec<Value> = (0..ARGUMENTS)
            .map(|index| match ARGUMENT_REGISTERS.get(index) {
                Some(register) => self.state.registers[*register].clone(),
                None => {
                    let word = i64::try_from(index - IN_REGISTERS).unwrap_or(0);
                    self.state.load(top + word * 8, 8)
                }
            })
            .collect();
        let outside = target.and_then(|target| self.finder.image.outside(target));
        let known = outside.and_then(known::known);
        let counted = outside.filter(|_| known.is_some()).and_then(known::counted);
        let inside = target.filter(|_| outside.is_none()).and_then(|target| self.finder.find(target));
        let mut result = 0;
        match (counted, known, inside) {
            (Some((places, factors)), ..) => {
                let one = Some(Polynomial::constant(1));
                let size =
                    factors.iter().fold(one, |size, factor| size?.times(passed[*factor].form.as_ref()?));
                for place in places {
                    let value = &passed[*place];
                    if value.of & OF_FRAME != 0 {
                        // What it holds may be copied.
                        self.escape(&Value::made_of(self.state.held()))?;
                        self.state.smear(0);
                    }
                    let range = value.form.as_ref().zip(size.as_ref());
                    let range = range.and_then(|(from, size)| Some((from.clone(), from.plus(size)?)));
                    self.touch(value.of, range);
                }
                result = passed[0].of;
            }
            (None, Some(known), _) => {
                for (value, one) in passed.iter().zip(&known.uses) {
                    if *one != Default::default() {
                        self.escape(value)?;
                        self.found.escaped |= self.state.held() & !OF_FRAME;
                    }
                }
            }
            (None, None, Some(bounds)) => {
                result = self.apply(&bounds, &passed)?;
            }
            _ => {
                for value in &passed[..IN_REGISTERS] {
                    self.escape(value)?;
                }
                self.found.escaped |= self.state.held() & !OF_FRAME;
                if self.state.held() & OF_FRAME != 0 {
                    return None;
                }
            }
        }
        // A function of the library may leave registers alone that others change.
        for register in CHANGED {
            self.state.registers[register].form = None;
            if matches!(register, 0 | 2) {
                self.state.registers[register].of |= result;
            }
        }
        Some(())
    }

    /// Does what a function does that is called; what its result is made of.
    fn apply(&mut self, bounds: &Bounds, passed: &[Value]) -> Option<Set> {
        let all = |set: Set| members(set & !OF_FRAME).fold(0, |of, index| of | passed[index].of);
        let form = |of: Symbol| passed.get(usize::from(of).checked_sub(1)?)?.form.as_ref();
        for access in &bounds.accesses {
            let of = all(access.of);
            if of & OF_FRAME != 0 {
                self.found.escaped |= self.state.held() & !OF_FRAME;
                self.state.smear(passed.iter().fold(0, |of, value| of | value.of));
            }
            let range = access.range.as_ref();
            let range = range.and_then(|(from, to)| Some((from.with_all(form)?, to.with_all(form)?)));
            self.touch(of, range);
        }
        for index in members(bounds.escaped & !OF_FRAME) {
            self.escape(&passed[index])?;
        }
        for index in members(bounds.assumed) {
            let value = passed[index].form.as_ref()?;
            let less = value.minus(&Polynomial::constant(1))?;
            if !State::is_natural(&self.state.positive, &less) {
                let own = (0..ARGUMENTS).find(|own| *value == Polynomial::symbol(symbol(*own)))?;
                self.found.assumed |= 1 << own;
            }
        }
        Some(all(bounds.returned))
    }

    /// What is found, in terms of the arguments.
    fn finish(mut self, turns: &BTreeMap<usize, Turn>) -> Bounds {
        let limits: Vec<Option<Limit>> = (0..self.graph.loops.len())
            .map(|of| turns.get(&of).and_then(|turn| self.limit(of, &turn.before.positive)))
            .collect();
        for touched in std::mem::take(&mut self.touched) {
            let range = touched.range.and_then(|range| self.reduced(range, touched.block, &limits));
            let access = Access { of: touched.of, range };
            if !self.found.accesses.contains(&access) {
                self.found.accesses.push(access);
            }
        }
        self.found
    }
}
