//! Types, read on demand and once each. Types can refer to each other in cycles, so each gets its position in
//! the table first and is read from a queue: nothing here is recursive.

use std::collections::HashMap;

use gimli::{AttributeValue, constants as c};

use super::super::integer::integer;
use super::program::{Die, Entry, Program};
use crate::target::Target;
use crate::types::{Integer, Type, TypeId, Types};

/// Chains of qualifiers and aliases are short; this limits how far cyclic debug info is followed.
const LONGEST_CHAIN: usize = 64;

/// Reads types.
pub(super) struct Reader<'p, 'a> {
    pub program: &'p Program<'a>,
    pub target: Target,
    pub types: Types,
    known: HashMap<Die, TypeId>,
    queue: Vec<(Die, TypeId)>,
    void: Option<TypeId>,
    /// The records whose alignment follows from their members, with a lower bound.
    pub(super) unaligned: Vec<(TypeId, u64)>,
    pub(super) units_with_types: HashMap<(u32, u32), bool>,
}

impl<'p, 'a> Reader<'p, 'a> {
    pub fn new(program: &'p Program<'a>, target: Target) -> Self {
        Self {
            program,
            target,
            types: Types::new(),
            known: HashMap::new(),
            queue: Vec::new(),
            void: None,
            unaligned: Vec::new(),
            units_with_types: HashMap::new(),
        }
    }

    /// The types, with the alignment of records filled in.
    pub fn finish(mut self) -> Types {
        self.drain();
        for (id, least) in std::mem::take(&mut self.unaligned) {
            let align = self.types.align(id, &self.target).map(|align| align.max(least));
            if let Some(Type::Record(record)) = self.types.get_mut(id) {
                record.align = align;
            }
        }
        self.types
    }

    /// Reads the types in the queue.
    pub fn drain(&mut self) {
        while let Some((die, id)) = self.queue.pop() {
            let read = self.read(die, id);
            self.types.set(id, read);
        }
    }

    /// The type of an entry; `None` if its debug info cannot be followed.
    pub fn type_of(&mut self, die: Die, entry: &Entry<'a>) -> Option<TypeId> {
        let Some(value) = entry.attr_value(c::DW_AT_type) else {
            // A parameter of an instance has the type of its origin.
            return match self.program.target(die, entry, c::DW_AT_abstract_origin) {
                Some(origin) => {
                    let entry = self.program.entry(origin)?;
                    let target = self.program.target(origin, &entry, c::DW_AT_type)?;
                    self.at(target)
                }
                None => (entry.tag() != c::DW_TAG_formal_parameter).then(|| self.void()),
            };
        };
        let target = self.program.follow(die, &value)?;
        self.at(target)
    }

    /// `void`.
    pub fn void(&mut self) -> TypeId {
        *self.void.get_or_insert_with(|| self.types.add(Type::Void))
    }

    /// A type that the debug info refers to and does not have.
    pub fn unreadable(&mut self) -> TypeId {
        self.types.add(Type::Other { spelling: "a type that cannot be read".to_owned(), size: None })
    }

    /// The type at a position, without qualifiers.
    fn at(&mut self, mut die: Die) -> Option<TypeId> {
        for _ in 0..LONGEST_CHAIN {
            if let Some(id) = self.known.get(&die) {
                return Some(*id);
            }
            let entry = self.program.entry(die)?;
            let next = match entry.tag() {
                tag if is_qualifier(tag) => match entry.attr_value(c::DW_AT_type) {
                    Some(value) => self.program.follow(die, &value)?,
                    None => return Some(self.void()),
                },
                // The declaration of a type that has a unit of its own.
                _ => match entry.attr_value(c::DW_AT_signature) {
                    Some(value) => self.program.follow(die, &value)?,
                    None => {
                        let id = self.types.add(Type::Void);
                        self.known.insert(die, id);
                        self.queue.push((die, id));
                        return Some(id);
                    }
                },
            };
            die = next;
        }
        None
    }

    fn read(&mut self, die: Die, id: TypeId) -> Type {
        let Some(entry) = self.program.entry(die) else { return unknown(None) };
        let name = self.program.name(die, &entry);
        match entry.tag() {
            c::DW_TAG_base_type => self.base(&entry, name),
            c::DW_TAG_pointer_type | c::DW_TAG_reference_type | c::DW_TAG_rvalue_reference_type => {
                let constant =
                    self.is_constant(die, &entry) || name.as_deref().is_some_and(is_constant_in_rust);
                let to = self.type_of(die, &entry).unwrap_or_else(|| self.unreadable());
                Type::Pointer { to, constant }
            }
            c::DW_TAG_typedef | c::DW_TAG_template_alias => {
                let of = self.type_of(die, &entry).unwrap_or_else(|| self.unreadable());
                match name {
                    Some(name) => Type::Alias { name, of },
                    None => unknown(None),
                }
            }
            c::DW_TAG_structure_type
            | c::DW_TAG_class_type
            | c::DW_TAG_union_type
            | c::DW_TAG_interface_type => self.record(die, &entry, name, id),
            c::DW_TAG_enumeration_type => self.enumeration(die, &entry, name),
            c::DW_TAG_array_type => self.array(die, &entry),
            c::DW_TAG_subroutine_type => self.function_type(die, &entry),
            c::DW_TAG_atomic_type => self.atomic(die, &entry),
            c::DW_TAG_ptr_to_member_type => unknown(Some(("a pointer to a member".to_owned(), None))),
            _ => unknown(name.map(|name| (name, size(&entry)))),
        }
    }

    fn base(&self, entry: &Entry<'a>, name: Option<String>) -> Type {
        let name = name.unwrap_or_default();
        let Some(bytes) = size(entry) else { return unknown(Some((name, None))) };
        let encoding = match entry.attr_value(c::DW_AT_encoding) {
            Some(AttributeValue::Encoding(encoding)) => encoding,
            _ => return unknown(Some((name, Some(bytes)))),
        };
        let signed = match encoding {
            c::DW_ATE_boolean if bytes == 1 => return Type::Bool,
            c::DW_ATE_float => return Type::Float { size: bytes, spelling: float_spelling(&name, bytes) },
            c::DW_ATE_complex_float => return Type::Complex(bytes),
            c::DW_ATE_signed | c::DW_ATE_signed_char => true,
            c::DW_ATE_unsigned | c::DW_ATE_unsigned_char | c::DW_ATE_UTF => false,
            _ => return unknown(Some((name, Some(bytes)))),
        };
        if name.contains("_BitInt") || entry.has_attr(c::DW_AT_bit_size) {
            return unknown(Some((name, Some(bytes))));
        }
        Type::Integer(integer(&name, bytes, signed, &self.target))
    }

    /// Whether the target of a pointer is `const`, directly or through an alias.
    fn is_constant(&self, die: Die, entry: &Entry<'a>) -> bool {
        let mut next = self.program.target(die, entry, c::DW_AT_type);
        for _ in 0..LONGEST_CHAIN {
            let Some(die) = next else { return false };
            let Some(entry) = self.program.entry(die) else { return false };
            match entry.tag() {
                c::DW_TAG_const_type => return true,
                // An array is `const` if its elements are.
                c::DW_TAG_typedef | c::DW_TAG_array_type => {}
                tag if is_qualifier(tag) => {}
                _ => return false,
            }
            next = self.program.target(die, &entry, c::DW_AT_type);
        }
        false
    }

    fn atomic(&mut self, die: Die, entry: &Entry<'a>) -> Type {
        let target = self.program.target(die, entry, c::DW_AT_type);
        let inner = target.and_then(|die| Some((die, self.program.entry(die)?)));
        let Some((inner_die, inner)) = inner else { return unknown(None) };
        let name = self.program.name(inner_die, &inner);
        let plain = match inner.tag() {
            c::DW_TAG_base_type => self.base(&inner, name.clone()),
            _ => Type::Void,
        };
        let name = match plain {
            Type::Integer(Integer { spelling, .. }) | Type::Float { spelling, .. } => spelling,
            Type::Bool => "bool".to_owned(),
            _ if inner.tag() == c::DW_TAG_pointer_type => "pointer".to_owned(),
            _ => name.unwrap_or_else(|| "type without a name".to_owned()),
        };
        let bytes = match inner.tag() {
            c::DW_TAG_pointer_type => Some(self.target.pointer),
            _ => size(&inner),
        };
        Type::Other { spelling: format!("_Atomic {name}"), size: bytes }
    }
}

/// A type that the model cannot express.
pub(super) fn unknown(what: Option<(String, Option<u64>)>) -> Type {
    match what {
        Some((spelling, size)) if !spelling.is_empty() => Type::Other { spelling, size },
        Some((_, size)) => Type::Other { spelling: "a type without a name".to_owned(), size },
        None => Type::Other { spelling: "a type that cannot be read".to_owned(), size: None },
    }
}

/// The size of an entry.
pub(super) fn size(entry: &Entry<'_>) -> Option<u64> {
    entry.attr(c::DW_AT_byte_size)?.udata_value()
}

/// `double` as in C, whatever the language; `_Float128` stays.
fn float_spelling(name: &str, size: u64) -> String {
    match (name, size) {
        ("f32", _) => "float".to_owned(),
        ("f64", _) => "double".to_owned(),
        (name, 4) if name.contains('(') => "float".to_owned(),
        (name, 8) if name.contains('(') => "double".to_owned(),
        (name, _) => name.to_owned(),
    }
}

/// Rust writes it in the name of a pointer type, unlike C.
fn is_constant_in_rust(name: &str) -> bool {
    name.starts_with("*const ") || name.starts_with('&') && !name.starts_with("&mut ")
}

/// Whether a tag does not change how a value is passed.
fn is_qualifier(tag: gimli::DwTag) -> bool {
    matches!(
        tag,
        c::DW_TAG_const_type
            | c::DW_TAG_volatile_type
            | c::DW_TAG_restrict_type
            | c::DW_TAG_packed_type
            | c::DW_TAG_immutable_type
            | c::DW_TAG_shared_type
    )
}
