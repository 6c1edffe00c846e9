//! The table of types while it is filled: equal types are one, and sizes follow the target.

use std::collections::{HashMap, HashSet};

use crate::{Integer, Member, Record, RecordKind, Target, Type, TypeId, Types};

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
    pointers: HashMap<Qualified, TypeId>,
    arrays: HashMap<(TypeId, Option<u64>), TypeId>,
    named: HashMap<String, TypeId>,
    /// Aliases that `aligned` gives another alignment.
    aligned: HashMap<TypeId, u64>,
    /// Unions that are passed as their first member is.
    transparent: HashSet<TypeId>,
}

impl Table {
    pub(super) fn new(target: Target) -> Self {
        Self {
            types: Types::new(),
            target,
            pointers: HashMap::new(),
            arrays: HashMap::new(),
            named: HashMap::new(),
            aligned: HashMap::new(),
            transparent: HashSet::new(),
        }
    }

    /// A type of the language, once.
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

    /// Gives the alias `id` of the type `of` an alignment of its own; and the type itself, if it is a
    /// record that has no other name.
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

    /// The first member of a union that is passed as that member is.
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

    /// The size and the alignment of a type; `None` where it has none, or none is known.
    pub(super) fn layout(&self, id: TypeId) -> Option<(u64, u64)> {
        self.layout_within(id, 64)
    }

    fn layout_within(&self, id: TypeId, depth: u32) -> Option<(u64, u64)> {
        let depth = depth.checked_sub(1)?;
        match self.types.get(id) {
            // `[]` at the end of a struct takes no room.
            Type::Array { of, length } => {
                let (size, align) = self.layout_within(*of, depth)?;
                Some((size.checked_mul(length.unwrap_or(0))?, align))
            }
            Type::Alias { of, .. } => {
                let (size, align) = self.layout_within(*of, depth)?;
                Some((size, self.aligned.get(&id).copied().unwrap_or(align)))
            }
            _ => Some((self.types.size(id, &self.target)?, self.types.align(id, &self.target)?)),
        }
    }
}

/// One member as it is declared.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) member: Member,
    pub(super) packed: bool,
    pub(super) aligned: Option<u64>,
}

/// How a record is declared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) kind: RecordKind,
    pub(super) packed: bool,
    pub(super) aligned: Option<u64>,
    /// What `#pragma pack` says; 0 for nothing.
    pub(super) pack: u64,
}

/// A run of bit fields that share their storage, as Microsoft lays them out.
struct Unit {
    size: u64,
    used: u64,
}

impl Table {
    /// The size and alignment of a record, and the offset of each field; `None` where the layout of a
    /// field is not known.
    pub(super) fn lay_out(&self, shape: Shape, fields: &mut [Field]) -> Option<(u64, u64)> {
        // The compilers of Windows, and those for it, start a new unit where the type changes.
        let microsoft = self.target.wide_char == 2;
        let (mut bits, mut size, mut align) = (0_u64, 0_u64, 1_u64);
        let mut unit: Option<Unit> = None;
        for field in fields.iter_mut() {
            let (field_size, natural) = self.layout(field.member.of)?;
            let mut field_align = if field.packed || shape.packed { 1 } else { natural };
            if let Some(aligned) = field.aligned {
                field_align = field_align.max(aligned);
            }
            if shape.pack != 0 {
                field_align = field_align.min(shape.pack);
            }
            if shape.kind == RecordKind::Union {
                bits = 0;
            }
            match field.member.bits {
                Some(width) if microsoft => {
                    let fits = unit.as_ref().is_some_and(|unit| {
                        unit.size == field_size && unit.used + width <= unit.size * 8 && width > 0
                    });
                    match &mut unit {
                        Some(unit) if fits => {
                            field.member.offset = Some((bits - unit.size * 8 + unit.used) / 8);
                            unit.used += width;
                        }
                        _ if width == 0 => unit = None,
                        _ => {
                            bits = up(bits, field_align * 8)?;
                            field.member.offset = Some(bits / 8);
                            bits = bits.checked_add(field_size * 8)?;
                            align = align.max(field_align);
                            unit = Some(Unit { size: field_size, used: width });
                        }
                    }
                }
                Some(0) => bits = up(bits, natural * 8)?,
                Some(width) => {
                    let limit = field_align.max(1) * 8;
                    let crosses = bits % limit + width > field_size * 8;
                    if field.aligned.is_some() || (crosses && field_align > 1) {
                        bits = up(bits, limit)?;
                    }
                    field.member.offset = Some(bits / 8);
                    bits = bits.checked_add(width)?;
                    // A field without a name keeps its place, and asks for no alignment.
                    if field.member.name.is_some() {
                        align = align.max(field_align);
                    }
                }
                None => {
                    unit = None;
                    bits = up(bits, field_align * 8)?;
                    field.member.offset = Some(bits / 8);
                    bits = bits.checked_add(field_size.checked_mul(8)?)?;
                    align = align.max(field_align);
                }
            }
            size = size.max(bits.div_ceil(8));
        }
        let align = align.max(shape.aligned.unwrap_or(1));
        Some((up(size, align)?, align))
    }
}

fn up(value: u64, to: u64) -> Option<u64> {
    value.checked_next_multiple_of(to.max(1))
}
