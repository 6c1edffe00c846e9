//! How often loops turn at most, and so how far what they access reaches.

use iced_x86::Mnemonic;

use super::follow::{Follow, TURNS};
use super::graph::Loop;
use super::polynomial::{Polynomial, Symbol};
use super::state::{FRAME, State, symbol};
use crate::code::value::{ARGUMENTS, Set};

/// A comparison at the end of a block.
pub(super) struct Condition {
    pub(super) mnemonic: Mnemonic,
    pub(super) first: Polynomial,
    pub(super) second: Polynomial,
}

/// How often a loop is repeated at most.
pub(super) struct Limit {
    most: Polynomial,
    /// The block that ends it, behind which one turn less is made.
    exit: usize,
    /// The arguments that have to be 1 at least.
    assumed: Set,
}

impl Follow<'_, '_> {
    /// A range for all turns of the loops.
    pub(super) fn reduced(
        &mut self,
        (mut from, mut to): (Polynomial, Polynomial),
        block: usize,
        limits: &[Option<Limit>],
    ) -> Option<(Polynomial, Polynomial)> {
        for (number, limit) in limits.iter().enumerate().rev() {
            let turn = TURNS + Symbol::try_from(number).ok()?;
            if !from.has(turn) && !to.has(turn) {
                continue;
            }
            let (limit, of) = (limit.as_ref()?, &self.graph.loops[number]);
            let is_behind = block != limit.exit
                && of.body.contains(&block)
                && self.graph.comes_through(of, block, limit.exit);
            let most =
                if is_behind { limit.most.minus(&Polynomial::constant(1))? } else { limit.most.clone() };
            from = from.limit(turn, &most, false)?;
            to = to.limit(turn, &most, true)?;
            self.found.assumed |= limit.assumed;
        }
        let is_of_arguments = |of: &Polynomial| !of.has_any(|symbol| symbol >= FRAME);
        (is_of_arguments(&from) && is_of_arguments(&to)).then_some((from, to))
    }

    /// How often a loop is repeated at most, by a condition that is met in every turn.
    pub(super) fn limit(&self, number: usize, positive: &[Polynomial]) -> Option<Limit> {
        let of = &self.graph.loops[number];
        let turn = TURNS + Symbol::try_from(number).ok()?;
        of.body.iter().find_map(|block| self.limit_at(of, *block, turn, positive))
    }

    fn limit_at(&self, of: &Loop, block: usize, turn: Symbol, positive: &[Polynomial]) -> Option<Limit> {
        let condition = self.conditions.get(&block)?;
        let [behind, target] = self.graph.blocks[block].next.as_slice() else { return None };
        let is_taken = of.body.contains(target);
        if is_taken == of.body.contains(behind) || !self.graph.is_in_every_turn(of, block) {
            return None;
        }
        let distance = condition.distance(is_taken, turn)?;
        let step = distance.factor(turn)?.checked_neg().filter(|step| *step > 0)?;
        if !condition.is_equality() && step != 1 {
            return None;
        }
        let most = distance.with(turn, &Polynomial::default())?.divided(step)?;
        if State::is_natural(positive, &most) {
            return Some(Limit { most, exit: block, assumed: 0 });
        }
        let count = most.plus(&Polynomial::constant(1))?;
        let own = (0..ARGUMENTS).find(|own| count == Polynomial::symbol(symbol(*own)))?;
        Some(Limit { most, exit: block, assumed: 1 << own })
    }
}

impl Condition {
    fn is_equality(&self) -> bool {
        matches!(self.mnemonic, Mnemonic::Je | Mnemonic::Jne)
    }

    /// What is more than 0, unsigned, as long as the condition leads the same way.
    fn distance(&self, is_taken: bool, turn: Symbol) -> Option<Polynomial> {
        let up = || self.second.minus(&self.first);
        let down = || self.first.minus(&self.second);
        match (self.mnemonic, is_taken) {
            // Whichever of both is larger, it gets no larger.
            (Mnemonic::Jne, true) | (Mnemonic::Je, false) => {
                let shrinks = |of: &Polynomial| of.factor(turn).is_some_and(|factor| factor < 0);
                up().filter(shrinks).or_else(|| down().filter(shrinks))
            }
            (Mnemonic::Jb, true) | (Mnemonic::Jae, false) => up(),
            (Mnemonic::Ja, true) | (Mnemonic::Jbe, false) => down(),
            _ => None,
        }
    }

    /// What is at least 1 if the condition leads this way. What may be less than 0 may wrap.
    pub(super) fn says(&self, is_taken: bool) -> Option<Polynomial> {
        if !self.first.is_natural() || !self.second.is_natural() {
            return None;
        }
        match (self.mnemonic, is_taken) {
            (Mnemonic::Jne, true) | (Mnemonic::Je, false) if self.second.as_constant() == Some(0) => {
                Some(self.first.clone())
            }
            (Mnemonic::Jb, true) | (Mnemonic::Jae, false) => self.second.minus(&self.first),
            (Mnemonic::Ja, true) | (Mnemonic::Jbe, false) => self.first.minus(&self.second),
            _ => None,
        }
    }
}
