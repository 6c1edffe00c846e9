//! The table of types while it is filled: equal types are stored once, and sizes follow the target.

use std::collections::{HashMap, HashSet};

use super::target::Rules;
use crate::{Integer, Record, Target, Type, TypeId, Types};

/// A type, and whether it is `const`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Qualified {
    pub(super) id: TypeId,
    pub(super) constant: bool,
}

#[derive(Debug)]
pub(super) struct Table {
    pub(super) types: Types,
    pub(super) target: Target,
    pub(super) rules: Rules,
    pointers: HashMap<Qualified, TypeId>,
    arrays: HashMap<(TypeId, Option<u64>), TypeId>,
    named: HashMap<String, TypeId>,
    /// Aliases with an alignment of their own from `aligned`.
    aligned: HashMap<TypeId, u64>,
    /// Unions that are passed like their first member.
    transparent: HashSet<TypeId>,
}

impl Table {
    pub(super) fn new(target: Target, rules: Rules) -> Self {
        Self {
            types: Types::new(),
            target,
            rules,
            pointers: HashMap::new(),
            arrays: HashMap::new(),
            named: HashMap::new(),
            aligned: HashMap::new(),
            transparent: HashSet::new(),
        }
    }

    /// A basic type of C, stored once.
    pub(super) fn basic(&mut self, spelling: &str, of: impl FnOnce() -> Type) -> TypeId {
        if let Some(&id) = self.named.get(spelling) {
            return id;
        }
        let id = self.types.add(of());
        self.named.insert(spelling.to_owned(), id);
        id
    }

    pub(super) fn integer(&mut self, spelling: &str, size: u64, signed: bool) -> TypeId {
        self.basic(spelling, || Type::Integer(Integer { size, signed, spelling: spelling.to_owned() }))
    }

    pub(super) fn float(&mut self, spelling: &str, size: u64) -> TypeId {
        self.basic(spelling, || Type::Float { size, spelling: spelling.to_owned() })
    }

    pub(super) fn other(&mut self, spelling: &str, size: Option<u64>) -> TypeId {
        self.basic(spelling, || Type::Other { spelling: spelling.to_owned(), size })
    }

    pub(super) fn pointer(&mut self, to: Qualified) -> TypeId {
        let Self { types, pointers, .. } = self;
        *pointers.entry(to).or_insert_with(|| types.add(Type::Pointer { to: to.id, constant: to.constant }))
    }

    pub(super) fn array(&mut self, of: TypeId, length: Option<u64>) -> TypeId {
        let Self { types, arrays, .. } = self;
        *arrays.entry((of, length)).or_insert_with(|| types.add(Type::Array { of, length }))
    }

    /// Gives the alias `id` of the type `of` its own alignment; the type itself too, if it is a record
    /// without another name.
    pub(super) fn align(&mut self, id: TypeId, of: TypeId, to: u64) {
        self.aligned.insert(id, to);
        if let Type::Record(record @ Record { name: None, .. }) = self.types.get(of) {
            let record = Record { align: Some(to), ..record.clone() };
            self.types.set(of, Type::Record(record));
        }
    }

    pub(super) fn make_transparent(&mut self, id: TypeId) {
        self.transparent.insert(id);
    }

    /// The first member of a union that is passed like that member.
    pub(super) fn transparent(&self, mut id: TypeId) -> Option<TypeId> {
        for _ in 0..64 {
            if self.transparent.contains(&id)
                && let Type::Record(record) = self.types.resolve(id)
            {
                return record.members.first().map(|member| member.of);
            }
            match self.types.get(id) {
                Type::Alias { of, .. } => id = *of,
                _ => return None,
            }
        }
        None
    }

    /// The size and alignment of a type; `None` if it has none or they are unknown.
    pub(super) fn layout(&self, id: TypeId) -> Option<(u64, u64)> {
        self.layout_within(id, 64)
    }

    fn layout_within(&self, id: TypeId, depth: u32) -> Option<(u64, u64)> {
        let depth = depth.checked_sub(1)?;
        match self.types.get(id) {
            // `[]` at the end of a struct has size 0.
            Type::Array { of, length } => {
                let (size, align) = self.layout_within(*of, depth)?;
                Some((size.checked_mul(length.unwrap_or(0))?, align))
            }
            Type::Alias { of, .. } => {
                let (size, align) = self.layout_within(*of, depth)?;
                Some((size, self.aligned.get(&id).copied().unwrap_or(align)))
            }
            _ => {
                let align = self.types.align(id, &self.target)?;
                // The alignment from `aligned` may exceed the largest of the target; a record already
                // includes it.
                let scalar = !matches!(self.types.get(id), Type::Record(_));
                let align = if scalar { align.min(self.rules.largest) } else { align };
                Some((self.types.size(id, &self.target)?, align))
            }
        }
    }
}
