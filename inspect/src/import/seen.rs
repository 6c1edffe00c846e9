//! What the machine code of the library proves about a parameter.

use std::cell::RefCell;
use std::collections::HashMap;

use super::contents::{DEPTH, add_bytes, has_pointers, has_room, holds_data, may_lead_on, size};
use super::context::Pointee;
use super::evidence::Evidence;
use super::function::Entry;
use super::lengths::{self, Counter, Length, is_count};
use super::scalar::peel;
use super::site::Site;
use crate::code::{self, Code, Extent, Returned, Use};
use crate::{Direction, Type, TypeId, Types};

/// The machine code of the library, if there is one that can be followed.
#[derive(Debug, Default)]
pub(super) struct Seen {
    code: RefCell<Option<Code>>,
    library: String,
}

impl Seen {
    pub(super) fn new(code: Option<Code>, library: String) -> Self {
        Self { code: RefCell::new(code), library }
    }

    /// Learns what functions the library has, before any of them is followed.
    pub(super) fn declare(&self, entries: &[Entry<'_>], types: &Types) {
        if let Some(code) = self.code.borrow_mut().as_mut() {
            let taken =
                entries.iter().map(|entry| (entry.symbol.as_str(), code::taken(entry.signature, types)));
            code.declare(taken);
        }
    }

    /// What the code of a function does with its parameter at `index`.
    pub(super) fn of(&self, entry: &Entry<'_>, types: &Types, index: usize) -> Option<Use> {
        let place = place(entry, types, index)?;
        self.code.borrow_mut().as_mut()?.of(&entry.symbol, place)
    }

    /// Whether the code reads the parameter at `index` up to a NUL whenever it reads it.
    fn is_text(&self, entry: &Entry<'_>, types: &Types, index: usize) -> bool {
        let place = place(entry, types, index);
        let mut code = self.code.borrow_mut();
        place.zip(code.as_mut()).is_some_and(|(place, code)| code.is_text(&entry.symbol, place))
    }

    /// What a function returns.
    pub(super) fn returned(&self, entry: &Entry<'_>) -> Option<Returned> {
        self.code.borrow_mut().as_mut()?.returned(&entry.symbol)
    }

    /// The places of the arguments that have to be 1 at least, so that a function accesses no more behind an argument than the
    /// product of others says.
    pub(super) fn fits(&self, symbol: &str, place: usize, size: u64, factors: &[usize]) -> Option<u16> {
        self.code.borrow_mut().as_mut()?.fits(symbol, place, size, factors)
    }

    fn gives_new(&self, entry: &Entry<'_>) -> bool {
        self.code.borrow_mut().as_mut().is_none_or(|code| code.gives_new(&entry.symbol))
    }

    pub(super) fn says(&self, text: &str) -> Evidence {
        Evidence::code(format!("{text} ({})", self.library))
    }

    /// What proves that a function frees what its only parameter points to.
    pub(super) fn frees(&self, entry: &Entry<'_>, types: &Types) -> Option<Evidence> {
        let [_] = entry.signature.parameters.as_slice() else { return None };
        let place = place(entry, types, 0)?;
        let frees = self.code.borrow_mut().as_mut()?.frees(&entry.symbol, place);
        frees.then(|| self.says(&format!("`{}` frees it", entry.symbol)))
    }

    /// What proves that a function frees what its only parameter points to, or gives up an owner of it: a path frees it, and
    /// nothing tells the caller whether it was taken.
    pub(super) fn ends(&self, entry: &Entry<'_>, types: &Types) -> Option<Evidence> {
        let ([_], Type::Void) =
            (entry.signature.parameters.as_slice(), types.resolve(entry.signature.returns))
        else {
            return None;
        };
        let place = place(entry, types, 0)?;
        let ends = self.code.borrow_mut().as_mut()?.may_end(&entry.symbol, place);
        ends.then(|| self.says(&format!("`{}` may free it, and does not tell whether it did", entry.symbol)))
    }

    /// The names of the types of which the library frees objects: those it made itself.
    pub(super) fn made(&self, entries: &[Entry<'_>], types: &Types) -> HashMap<String, Evidence> {
        let mut made = HashMap::new();
        for entry in entries {
            let [only] = entry.signature.parameters.as_slice() else { continue };
            let Type::Pointer { to, constant: false } = peel(types, only.of).of else { continue };
            let Type::Record(record) = peel(types, *to).of else { continue };
            if record.size.is_none() || matches!(types.resolve(entry.signature.returns), Type::Pointer { .. })
            {
                continue;
            }
            if let Some(evidence) = self.frees(entry, types) {
                for name in names(types, *to) {
                    made.entry(name.to_owned()).or_insert_with(|| evidence.clone());
                }
            }
        }
        for entry in entries {
            if let Some((of, evidence)) = made_and_freed(entry, entries, types) {
                for name in names(types, of) {
                    made.entry(name.to_owned()).or_insert_with(|| evidence.clone());
                }
            }
        }
        // What a function takes several of is no object, but memory for as many as the caller says. Neither is what it fills:
        // `device_info(device, &info)`, although another function frees a list of them.
        for entry in entries {
            for (index, parameter) in entry.signature.parameters.iter().enumerate() {
                let Type::Pointer { to, .. } = peel(types, parameter.of).of else { continue };
                let names: Vec<&str> = names(types, *to).filter(|name| made.contains_key(*name)).collect();
                if !names.is_empty()
                    && (self.may_be_several(entry, types, index, *to)
                        || self.is_filled(entry, types, index, *to))
                {
                    names.into_iter().for_each(|name| {
                        made.remove(name);
                    });
                }
            }
        }
        made
    }

    /// Whether the parameter at `index` is memory of the caller's that the function fills: the code writes all of it, and reads
    /// nothing there.
    fn is_filled(&self, entry: &Entry<'_>, types: &Types, index: usize, to: TypeId) -> bool {
        let mut bytes = Vec::new();
        add_bytes(types, to, 0, DEPTH, &mut bytes);
        !bytes.is_empty() && self.of(entry, types, index).is_some_and(|seen| seen.is_only_filled(&bytes))
    }

    /// The names of the structs of which the library uses what their bytes hold as addresses, although none of their members is a
    /// pointer: what they point to, only C knows.
    pub(super) fn hiding(&self, entries: &[Entry<'_>], types: &Types) -> HashMap<String, Evidence> {
        let mut hiding = HashMap::new();
        for entry in entries {
            for (index, parameter) in entry.signature.parameters.iter().enumerate() {
                let Type::Pointer { to, .. } = peel(types, parameter.of).of else { continue };
                let Type::Record(record) = peel(types, *to).of else { continue };
                if record.size.is_none()
                    || has_pointers(types, *to, DEPTH)
                    || !has_room(types, *to, DEPTH)
                    || names(types, *to).any(|name| hiding.contains_key(name))
                {
                    continue;
                }
                if self.of(entry, types, index).is_some_and(|seen| seen.is_address()) {
                    let of = types.spelling(*to);
                    let evidence = self.says(&format!(
                        "`{}` uses what the bytes of `{of}` hold as an address",
                        entry.symbol
                    ));
                    hiding.extend(names(types, *to).map(|name| (name.to_owned(), evidence.clone())));
                }
            }
        }
        hiding
    }

    /// Whether the parameter at `index` may be an array: a number beside it may count it, and the code accesses more than one.
    fn may_be_several(&self, entry: &Entry<'_>, types: &Types, index: usize, to: TypeId) -> bool {
        let is_counted = entry.parameters.get(index + 1).is_some_and(|(name, is_named)| {
            let next = entry.signature.parameters.get(index + 1).map(|next| types.resolve(next.of));
            matches!(next, Some(Type::Integer(_))) && (!is_named || is_count(name))
        });
        let Some(size) = size(types.resolve(to), types).filter(|_| is_counted) else { return false };
        self.of(entry, types, index).is_none_or(|seen| {
            let (reads, writes) = seen.accesses();
            !reads.is_within(size) || !writes.is_within(size)
        })
    }
}

/// The struct that a function makes, if the documentation says so with the function that frees it.
fn made_and_freed(entry: &Entry<'_>, entries: &[Entry<'_>], types: &Types) -> Option<(TypeId, Evidence)> {
    let Type::Pointer { to, constant: false } = peel(types, entry.signature.returns).of else { return None };
    let Type::Record(record) = peel(types, *to).of else { return None };
    record.size?;
    let is_alike = |id: TypeId| match peel(types, id).of {
        Type::Pointer { to: other, constant: false } => {
            names(types, *other).any(|name| names(types, *to).any(|of| of == name))
        }
        _ => false,
    };
    let frees = |name: &str| {
        let mut named = entries.iter().filter(|other| other.function.name == name);
        named.any(|other| {
            let returns = types.resolve(other.signature.returns);
            let [only] = other.signature.parameters.as_slice() else { return false };
            is_alike(only.of) && matches!(returns, Type::Void)
        })
    };
    let (_, evidence) = entry.said.freed_with(&entry.function.name, None, frees)?;
    Some((*to, evidence))
}

/// The names of a struct: that of its typedef, and its tag.
pub(super) fn names(types: &Types, id: TypeId) -> impl Iterator<Item = &str> {
    let target = peel(types, id);
    let tag = match target.of {
        Type::Record(record) => record.name.as_deref(),
        _ => None,
    };
    target.aliases.last().copied().into_iter().chain(tag)
}

/// Where a parameter is when the function is called.
pub(super) fn place(entry: &Entry<'_>, types: &Types, index: usize) -> Option<usize> {
    *code::places(entry.signature, types).get(index)?
}

impl Site<'_, '_> {
    /// What the code does with the parameter.
    pub(super) fn seen(&self) -> Option<Use> {
        self.context.seen.of(self.entry, self.context.types, self.index)
    }

    fn code_says(&self, text: &str) -> Evidence {
        self.context.seen.says(text)
    }

    /// What proves that neither the pointer nor what it points to is stored or freed.
    pub(super) fn is_lent(&self) -> Option<Evidence> {
        let is_lent = self.seen()?.is_lent(self.numbers());
        is_lent.then(|| {
            self.code_says(match self.result_holds_numbers() {
                true => "it neither stores nor frees it, nor what it points to, but for what it returns",
                false => "it neither stores nor frees it, nor what it points to",
            })
        })
    }

    /// What proves that a handle is neither stored nor freed, and that nothing else depends on what it holds. This is less than
    /// [`Site::is_lent`]: what the handle holds may be freed, as a setter does with the old value, or given to code that cannot
    /// be read, such as its own method. That ends nothing that the caller has but what was read through the handle, and
    /// such a child is only stated for handles of which no function frees what they hold (`owner`). Code that gets two
    /// arguments, or what they hold, could make one depend on the other, and new memory that it gets could outlive the handle.
    pub(super) fn is_used(&self) -> Option<Evidence> {
        let seen = self.seen()?;
        if !seen.is_used(self.numbers()) {
            return None;
        }
        if seen.gives_content() {
            let signature = self.entry.signature;
            let others = (0..signature.parameters.len()).filter(|index| *index != self.index);
            // Numbers and code hold nothing, but memory of the caller's may be what the handle needs from now on.
            let mut pointers = others.filter(|index| {
                let types = self.context.types;
                match types.resolve(signature.parameters[*index].of) {
                    Type::Pointer { to, .. } => !matches!(types.resolve(*to), Type::Function(_)),
                    _ => self.leads_on(*index),
                }
            });
            let is_given = |index| {
                self.context.seen.of(self.entry, self.context.types, index).is_none_or(|of| of.is_given())
            };
            let returns_pointers = may_lead_on(self.context.types, signature.returns)
                && !matches!(self.context.types.resolve(signature.returns), Type::Void);
            if pointers.any(is_given) || returns_pointers && self.context.seen.gives_new(self.entry) {
                return None;
            }
        }
        Some(self.code_says("it neither stores nor frees it, and stores nothing elsewhere that it points to"))
    }

    /// The places of the parameters that hold no pointers, and cannot keep what is read through this one.
    fn numbers(&self) -> u16 {
        (0..self.entry.signature.parameters.len())
            .filter(|index| *index != self.index && !self.leads_on(*index))
            .filter_map(|index| place(self.entry, self.context.types, index))
            .fold(u16::from(self.result_holds_numbers()), |set, place| set | 1 << place)
    }

    /// Whether the function gets, as its first argument, where it leaves a struct that holds no text and nothing that a member
    /// counts: only unsafe code can use the pointers in it.
    fn result_holds_numbers(&self) -> bool {
        let (signature, types) = (self.entry.signature, self.context.types);
        code::returns_in_memory(signature, types) && !holds_data(types, signature.returns, DEPTH)
    }

    fn leads_on(&self, index: usize) -> bool {
        may_lead_on(self.context.types, self.entry.signature.parameters[index].of)
    }

    /// What proves that the pointer is not used after the call.
    pub(super) fn is_not_kept(&self) -> Option<Evidence> {
        self.seen()?.is_not_kept().then(|| self.code_says("it neither stores nor frees it"))
    }

    /// What proves that C reads a text there, which ends at its NUL.
    pub(super) fn is_read_as_text(&self) -> Option<Evidence> {
        let is_text = self.context.seen.is_text(self.entry, self.context.types, self.index);
        is_text.then(|| self.code_says("it reads it up to its NUL, if it reads it"))
    }

    /// What suggests that the pointer is used after the call, or freed.
    pub(super) fn may_be_kept(&self) -> Option<Evidence> {
        let seen = self.seen().filter(Use::may_be_kept)?;
        Some(self.code_says(if seen.may_be_freed() { "it may free it" } else { "it may store it" }))
    }

    /// What proves that there is one value behind the pointer, and what C does with it.
    pub(super) fn is_one(&self) -> Option<(Direction, Evidence)> {
        let size = self.pointee_size()?;
        if self.has_count_beside() {
            return None;
        }
        let seen = self.seen().filter(|seen| seen.is_not_kept() && !self.may_be_returned())?;
        let (reads, writes) = seen.accesses();
        if !reads.is_within(size) || !writes.is_within(size) {
            return None;
        }
        let bytes = format!("of {size} bytes");
        let (direction, text) = match (reads, writes) {
            (Extent::Nothing, Extent::Nothing) => return None,
            (_, Extent::Nothing) => (Direction::In, format!("it only reads it, no more than one {bytes}")),
            // What it does not write at all, it may be meant to leave as it was.
            _ if seen.is_only_filled(&self.pointee_bytes()) => {
                (Direction::Out, format!("it writes it before it reads it, no more than one {bytes}"))
            }
            _ if seen.is_taken_and_written() => {
                (Direction::InOut, format!("it reads it and writes it, no more than one {bytes}"))
            }
            // On a path that is never taken, what is read may not be written.
            _ => return None,
        };
        Some((direction, self.code_says(&text)))
    }

    /// Whether a number beside it may count it: what this version uses one of may be meant to be as many. Only for
    /// questions.
    fn has_count_beside(&self) -> bool {
        let is_number = self.candidates.get(self.index).is_some_and(|of| of.counter != Counter::None);
        match lengths::of(self.candidates, self.index) {
            Length::Certain(count) | Length::Likely(count) if !is_number => {
                self.is_integer(count) && is_count(self.name_of(count))
            }
            _ => false,
        }
    }

    /// Whether the result may point into what the parameter points to, or behind it: then the caller goes on from there.
    fn may_be_returned(&self) -> bool {
        self.returned_from().is_none_or(|(is_into, _)| is_into)
    }

    /// Whether the code is known to return a pointer into what the parameter points to, or behind it.
    pub(super) fn is_returned(&self) -> bool {
        self.returned_from().is_some_and(|(is_into, is_known)| is_into && is_known)
    }

    fn returned_from(&self) -> Option<(bool, bool)> {
        let types = self.context.types;
        let returns = self.entry.signature.returns;
        if matches!(types.resolve(returns), Type::Void) || !has_pointers(types, returns, DEPTH) {
            return Some((false, true));
        }
        let place = place(self.entry, types, self.index)?;
        let registers = if matches!(types.resolve(returns), Type::Record(_)) { 2 } else { 1 };
        self.context.seen.code.borrow_mut().as_mut()?.returns_into(&self.entry.symbol, place, registers)
    }

    /// What proves that C reads what the caller left behind the pointer, changes it, and does not use it after the call.
    pub(super) fn is_changed_in_place(&self) -> Option<Evidence> {
        self.seen().filter(Use::is_taken_and_written)?;
        self.is_lent()?;
        Some(self.code_says("it reads it before it writes it, and neither stores nor frees it"))
    }

    /// Whether it is a place in what another parameter points to: only how far it is from there matters.
    pub(super) fn is_only_measured(&self) -> bool {
        self.seen().is_some_and(|seen| seen.is_only_measured())
    }

    /// Whether C accesses more than one value behind the pointer.
    pub(super) fn is_certainly_several(&self) -> bool {
        let (Some(size), Some(seen)) = (self.pointee_size(), self.seen()) else { return false };
        let (reads, writes) = seen.accesses();
        [reads, writes].iter().any(|extent| matches!(extent, Extent::Bytes(..)) && !extent.is_within(size))
    }

    /// Whether C reads a value there that it has not written before.
    pub(super) fn is_read_first(&self) -> bool {
        self.seen().is_some_and(|seen| seen.is_read_first())
    }

    /// Whether what it points to holds pointers.
    pub(super) fn holds_pointers(&self) -> bool {
        match peel(self.context.types, self.parameter().of).of {
            Type::Pointer { to, .. } => has_pointers(self.context.types, *to, DEPTH),
            _ => true,
        }
    }

    /// Whether the function takes structs whose members the caller fills.
    pub(super) fn has_structs(&self) -> bool {
        let is_struct = |id| matches!(self.context.pointee(id), Some((Pointee::Fields(_), _)));
        self.entry.signature.parameters.iter().any(|parameter| is_struct(parameter.of))
    }

    /// The bytes of what it points to that hold something.
    fn pointee_bytes(&self) -> Vec<(u64, u64)> {
        let types = self.context.types;
        let mut bytes = Vec::new();
        if let Type::Pointer { to, .. } = peel(types, self.parameter().of).of {
            add_bytes(types, *to, 0, DEPTH, &mut bytes);
        }
        bytes
    }

    pub(super) fn pointee_size(&self) -> Option<u64> {
        let Type::Pointer { to, .. } = peel(self.context.types, self.parameter().of).of else { return None };
        size(self.context.types.resolve(*to), self.context.types)
    }
}
