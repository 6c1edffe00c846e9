//! Types of a PDB, read on demand and once each, from a queue, because types can refer to themselves.

use std::collections::HashMap;

use pdb2::{
    FallibleIterator, PrimitiveKind, PrimitiveType, ProcedureType, TypeData, TypeFinder, TypeIndex,
    TypeInformation,
};

use super::super::integer::integer;
use super::name::{defined_name, key};
use crate::exports::Export;
use crate::interface::{Convention, Parameter};
use crate::target::Target;
use crate::types::{Integer, Signature, Type, TypeId, Types};

/// Chains of modifiers and of field lists are short.
pub(super) const LONGEST_CHAIN: usize = 64;

/// Reads types.
pub(super) struct Reader<'t> {
    finder: TypeFinder<'t>,
    /// The definitions of types that are elsewhere only forward references.
    defined: HashMap<String, TypeIndex>,
    pub(super) target: Target,
    pub(super) types: Types,
    known: HashMap<TypeIndex, TypeId>,
    queue: Vec<(TypeIndex, TypeId)>,
    pub(super) records: Vec<TypeId>,
}

impl<'t> Reader<'t> {
    pub fn new(information: &'t TypeInformation<'_>, target: Target) -> pdb2::Result<Self> {
        let mut finder = information.finder();
        let mut defined = HashMap::new();
        let mut items = information.iter();
        while let Some(item) = items.next()? {
            finder.update(&items);
            if let Ok(data) = item.parse()
                && let Some(name) = defined_name(&data)
            {
                defined.insert(name, item.index());
            }
        }
        let types = Types::new();
        let (known, queue, records) = (HashMap::new(), Vec::new(), Vec::new());
        Ok(Self { finder, defined, target, types, known, queue, records })
    }

    /// The types, with the alignment of records filled in.
    pub fn finish(mut self) -> Types {
        self.drain();
        for id in std::mem::take(&mut self.records) {
            let found = self.types.align(id, &self.target);
            if let Some(Type::Record(record)) = self.types.get_mut(id) {
                record.align = found;
            }
        }
        self.types
    }

    /// The signature of a function of this type.
    pub fn signature(
        &mut self,
        of: TypeIndex,
        names: &[String],
        export: &Export,
    ) -> Result<Signature, String> {
        let procedure = match self.data(of) {
            Some(TypeData::Procedure(procedure)) => procedure,
            Some(TypeData::MemberFunction(_)) => return Err("it is a member function of C++".to_owned()),
            _ => return Err("its PDB has no type for it".to_owned()),
        };
        let mut signature = self.procedure(&procedure).ok_or("its parameters cannot be read from its PDB")?;
        for (parameter, name) in signature.parameters.iter_mut().zip(names) {
            parameter.name = Some(name.clone()).filter(|name| !name.is_empty());
        }
        signature.convention = export.convention.unwrap_or(signature.convention);
        self.drain();
        Ok(signature)
    }

    pub(super) fn data(&self, index: TypeIndex) -> Option<TypeData<'t>> {
        self.finder.find(index).ok()?.parse().ok()
    }

    fn drain(&mut self) {
        while let Some((index, id)) = self.queue.pop() {
            let read = self.read(index, id).unwrap_or_else(unreadable);
            self.types.set(id, read);
        }
    }

    /// The type at an index, without modifiers.
    pub(super) fn at(&mut self, index: TypeIndex) -> TypeId {
        let (index, _) = self.unmodified(index);
        let index = self.definition(index);
        if let Some(id) = self.known.get(&index) {
            return *id;
        }
        let id = self.types.add(Type::Void);
        self.known.insert(index, id);
        self.queue.push((index, id));
        id
    }

    /// The type without `const` and `volatile`, and whether it was `const`.
    pub(super) fn unmodified(&self, mut index: TypeIndex) -> (TypeIndex, bool) {
        let mut constant = false;
        for _ in 0..LONGEST_CHAIN {
            match self.data(index) {
                Some(TypeData::Modifier(modifier)) => {
                    constant |= modifier.constant;
                    index = modifier.underlying_type;
                }
                // A pointer has its own `const` flag.
                Some(TypeData::Pointer(pointer)) => {
                    constant |= pointer.attributes.is_const();
                    break;
                }
                _ => break,
            }
        }
        (index, constant)
    }

    /// The definition of a type that may be a forward reference.
    fn definition(&self, index: TypeIndex) -> TypeIndex {
        let name = match self.data(index) {
            Some(TypeData::Class(data)) if data.properties.forward_reference() => {
                key(&data.name, data.unique_name.as_ref())
            }
            Some(TypeData::Union(data)) if data.properties.forward_reference() => {
                key(&data.name, data.unique_name.as_ref())
            }
            Some(TypeData::Enumeration(data)) if data.properties.forward_reference() => {
                key(&data.name, data.unique_name.as_ref())
            }
            _ => return index,
        };
        self.defined.get(&name).copied().unwrap_or(index)
    }

    fn read(&mut self, index: TypeIndex, id: TypeId) -> Option<Type> {
        Some(match self.data(index)? {
            TypeData::Primitive(primitive) => self.primitive(primitive),
            TypeData::Pointer(pointer) => {
                let (to, constant) = self.unmodified(pointer.underlying_type);
                Type::Pointer { constant: constant || self.is_constant_array(to), to: self.at(to) }
            }
            TypeData::Procedure(procedure) => Type::Function(Box::new(self.procedure(&procedure)?)),
            TypeData::Class(class) => self.class(&class, id),
            TypeData::Union(union) => self.union(&union, id),
            TypeData::Enumeration(data) => self.enumeration(&data)?,
            TypeData::Array(array) => self.array(&array)?,
            _ => return None,
        })
    }

    fn procedure(&mut self, procedure: &ProcedureType) -> Option<Signature> {
        let TypeData::ArgumentList(list) = self.data(procedure.argument_list)? else { return None };
        // For `...`, the list ends with an empty type.
        let variadic = list.arguments.last().is_some_and(|last| last.0 == 0);
        let count = list.arguments.len() - usize::from(variadic);
        let arguments = list.arguments.get(..count).unwrap_or_default();
        let parameters = arguments
            .iter()
            .map(|index| Parameter {
                name: None,
                of: self.at(*index),
                array: None,
                direction: None,
                is_array: false,
                nullable: None,
                comment: None,
            })
            .collect();
        let returns = self.at(procedure.return_type.unwrap_or(TypeIndex(0x3)));
        let convention = match procedure.attributes.calling_convention() {
            _ if !self.target.has_stdcall => Convention::Cdecl,
            0 => Convention::Cdecl,
            7 => Convention::Stdcall,
            _ => Convention::Other,
        };
        Some(Signature { parameters, returns, variadic, convention })
    }

    pub(super) fn integer_of(&self, index: TypeIndex) -> Option<Integer> {
        match self.data(index)? {
            TypeData::Primitive(primitive) => match self.scalar(primitive.kind) {
                Type::Integer(integer) => Some(integer),
                Type::Bool => Some(integer("unsigned char", 1, false, &self.target)),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn size(&self, index: TypeIndex, depth: usize) -> Option<u64> {
        let depth = depth.checked_sub(1)?;
        let (index, _) = self.unmodified(index);
        match self.data(self.definition(index))? {
            TypeData::Primitive(primitive) if primitive.indirection.is_some() => Some(self.target.pointer),
            TypeData::Primitive(primitive) => match self.scalar(primitive.kind) {
                Type::Integer(integer) => Some(integer.size),
                Type::Float { size, .. } | Type::Complex(size) => Some(size),
                Type::Bool => Some(1),
                Type::Other { size, .. } => size,
                _ => None,
            },
            TypeData::Pointer(_) => Some(self.target.pointer),
            TypeData::Class(class) => Some(class.size),
            TypeData::Union(union) => Some(union.size),
            TypeData::Enumeration(data) => self.size(data.underlying_type, depth),
            TypeData::Array(array) => array.dimensions.last().map(|bytes| u64::from(*bytes)),
            _ => None,
        }
    }

    fn primitive(&mut self, primitive: PrimitiveType) -> Type {
        let of = self.scalar(primitive.kind);
        if primitive.indirection.is_none() {
            return of;
        }
        Type::Pointer { to: self.types.add(of), constant: false }
    }

    fn scalar(&self, kind: PrimitiveKind) -> Type {
        use PrimitiveKind as P;
        let whole = |name: &str, size, signed| Type::Integer(integer(name, size, signed, &self.target));
        let float = |spelling: &str, size| Type::Float { size, spelling: spelling.to_owned() };
        match kind {
            P::Void => Type::Void,
            P::Bool8 => Type::Bool,
            P::RChar => whole("char", 1, self.target.char_signed),
            P::Char | P::I8 => whole("signed char", 1, true),
            P::UChar | P::U8 => whole("unsigned char", 1, false),
            P::WChar => whole("wchar_t", 2, false),
            P::Char8 => whole("char8_t", 1, false),
            P::RChar16 => whole("char16_t", 2, false),
            P::RChar32 => whole("char32_t", 4, false),
            P::Short | P::I16 => whole("short", 2, true),
            P::UShort | P::U16 => whole("unsigned short", 2, false),
            P::Long | P::HRESULT => whole("long", 4, true),
            P::ULong => whole("unsigned long", 4, false),
            P::I32 => whole("int", 4, true),
            P::U32 => whole("unsigned int", 4, false),
            P::Quad | P::I64 => whole("long long", 8, true),
            P::UQuad | P::U64 => whole("unsigned long long", 8, false),
            P::Octa | P::I128 => whole("__int128", 16, true),
            P::UOcta | P::U128 => whole("unsigned __int128", 16, false),
            P::F32 | P::F32PP => float("float", 4),
            P::F64 => float("double", 8),
            P::F80 => float("long double", self.target.long_double),
            P::F128 => float("_Float128", 16),
            P::Complex32 => Type::Complex(8),
            P::Complex64 => Type::Complex(16),
            other => Type::Other { spelling: format!("{other:?}"), size: None },
        }
    }
}

fn unreadable() -> Type {
    Type::Other { spelling: "a type that cannot be read".to_owned(), size: None }
}
