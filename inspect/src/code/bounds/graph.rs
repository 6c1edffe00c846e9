//! The blocks of a function, and its loops.

use std::collections::{BTreeMap, BTreeSet};

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, OpKind};

use crate::code::image::Image;
use crate::code::walk;

/// The most instructions of a function whose loops are followed.
const MOST: usize = 3_000;

/// Instructions without a jump between them.
pub(super) struct Block {
    pub(super) instructions: Vec<Instruction>,
    /// Where it goes on: behind it, or where a condition leads, in this order.
    pub(super) next: Vec<usize>,
    /// The function that it jumps to at its end.
    pub(super) tail: Option<u64>,
}

/// The instructions of a block, the addresses where it goes on, and the function that it jumps to.
type Piece = (Vec<Instruction>, Vec<u64>, Option<u64>);

/// A loop with one beginning.
pub(super) struct Loop {
    pub(super) head: usize,
    pub(super) body: BTreeSet<usize>,
    /// The blocks that go back to the beginning.
    latches: Vec<usize>,
}

/// The blocks of a function; each is before those that follow it, but for loops.
pub(super) struct Graph {
    pub(super) blocks: Vec<Block>,
    /// An outer loop is before an inner one.
    pub(super) loops: Vec<Loop>,
}

impl Graph {
    /// The function that begins at `start`; `None` if its jumps are not plain.
    pub(super) fn read(image: &Image, start: u64) -> Option<Self> {
        let mut instructions: BTreeMap<u64, Instruction> = BTreeMap::new();
        let mut leaders = BTreeSet::from([start]);
        let mut tails: BTreeMap<u64, u64> = BTreeMap::new();
        let mut queue = vec![start];
        while let Some(address) = queue.pop() {
            let mut decoder = Decoder::with_ip(64, image.code(address)?, address, DecoderOptions::NONE);
            loop {
                let instruction = decoder.decode();
                if instruction.is_invalid() || instructions.len() > MOST {
                    return None;
                }
                if instructions.insert(instruction.ip(), instruction).is_some() {
                    break;
                }
                match instruction.flow_control() {
                    FlowControl::Next | FlowControl::IndirectCall => {}
                    FlowControl::Call if instruction.op0_kind() == OpKind::NearBranch64 => {}
                    FlowControl::ConditionalBranch => {
                        let target = instruction.near_branch_target();
                        leaders.extend([target, instruction.next_ip()]);
                        queue.push(target);
                    }
                    FlowControl::UnconditionalBranch => {
                        let target = walk::target(image, instruction.near_branch_target())?;
                        if image.outside(target).is_some() || image.is_start(target) && target != start {
                            tails.insert(instruction.ip(), target);
                        } else {
                            leaders.insert(target);
                            queue.push(target);
                        }
                        break;
                    }
                    FlowControl::Return | FlowControl::Exception | FlowControl::Interrupt => break,
                    _ => return None,
                }
            }
        }
        Self::of(start, &instructions, &leaders, &tails)
    }

    fn of(
        start: u64,
        instructions: &BTreeMap<u64, Instruction>,
        leaders: &BTreeSet<u64>,
        tails: &BTreeMap<u64, u64>,
    ) -> Option<Self> {
        let mut addresses: BTreeMap<u64, Piece> = BTreeMap::new();
        for leader in leaders {
            let mut own = Vec::new();
            let mut next = Vec::new();
            let mut at = *leader;
            loop {
                let instruction = *instructions.get(&at)?;
                own.push(instruction);
                at = instruction.next_ip();
                match instruction.flow_control() {
                    FlowControl::ConditionalBranch => next = vec![at, instruction.near_branch_target()],
                    FlowControl::UnconditionalBranch if !tails.contains_key(&instruction.ip()) => {
                        next = vec![instruction.near_branch_target()];
                    }
                    FlowControl::UnconditionalBranch
                    | FlowControl::Return
                    | FlowControl::Exception
                    | FlowControl::Interrupt => {}
                    _ if leaders.contains(&at) => next = vec![at],
                    _ => continue,
                }
                break;
            }
            let tail = own.last().and_then(|last| tails.get(&last.ip())).copied();
            addresses.insert(*leader, (own, next, tail));
        }
        // In the order in which all paths come to them.
        let mut order: Vec<u64> = Vec::new();
        let mut seen = BTreeSet::from([start]);
        let mut path: Vec<(u64, usize)> = vec![(start, 0)];
        while let Some((block, index)) = path.last_mut() {
            let (_, next, _) = addresses.get(block)?;
            match next.get(*index) {
                Some(target) => {
                    *index += 1;
                    if seen.insert(*target) {
                        path.push((*target, 0));
                    }
                }
                None => {
                    order.push(*block);
                    path.pop();
                }
            }
        }
        order.reverse();
        let numbers: BTreeMap<u64, usize> =
            order.iter().enumerate().map(|(number, of)| (*of, number)).collect();
        let mut blocks = Vec::new();
        for address in &order {
            let (instructions, next, tail) = addresses.remove(address)?;
            let next = next.iter().map(|of| numbers.get(of).copied()).collect::<Option<_>>()?;
            blocks.push(Block { instructions, next, tail });
        }
        let loops = loops(&blocks)?;
        Some(Self { blocks, loops })
    }

    /// Whether every turn of a loop comes through a block.
    pub(super) fn is_in_every_turn(&self, of: &Loop, block: usize) -> bool {
        of.latches.iter().all(|latch| self.comes_through(of, *latch, block))
    }

    /// Whether a turn of a loop comes to `block` only through `other`.
    pub(super) fn comes_through(&self, of: &Loop, block: usize, other: usize) -> bool {
        if block == other || of.head == other {
            return true;
        }
        let mut seen = BTreeSet::from([of.head]);
        let mut queue = vec![of.head];
        while let Some(one) = queue.pop() {
            if one == block {
                return false;
            }
            for next in self.blocks[one].next.iter().filter(|next| of.body.contains(next) && **next != other)
            {
                if seen.insert(*next) {
                    queue.push(*next);
                }
            }
        }
        true
    }
}

/// The loops of a function; `None` if one can be entered in its middle.
fn loops(blocks: &[Block]) -> Option<Vec<Loop>> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    for (number, block) in blocks.iter().enumerate() {
        block.next.iter().for_each(|next| before[*next].push(number));
    }
    let mut found: BTreeMap<usize, Loop> = BTreeMap::new();
    for (number, block) in blocks.iter().enumerate() {
        for head in block.next.iter().filter(|next| **next <= number) {
            let of = found.entry(*head).or_insert_with(|| Loop {
                head: *head,
                body: BTreeSet::from([*head]),
                latches: Vec::new(),
            });
            of.latches.push(number);
            let mut queue = vec![number];
            while let Some(one) = queue.pop() {
                if of.body.insert(one) {
                    queue.extend(&before[one]);
                }
            }
        }
    }
    let is_plain = |of: &Loop| {
        let inner = of.body.iter().filter(|block| **block != of.head);
        // What comes before the beginning is not in the loop.
        of.body.iter().all(|block| *block >= of.head)
            && inner.flat_map(|block| &before[*block]).all(|block| of.body.contains(block))
    };
    found.values().all(is_plain).then(|| found.into_values().collect())
}
