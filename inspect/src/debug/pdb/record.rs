//! Composite types of a PDB: structs, unions, enums and arrays.

use pdb2::{ArrayType, ClassType, EnumerationType, FieldList, TypeData, TypeIndex, UnionType, Variant};

use super::super::integer::with_sign;
use super::name::tag;
use super::types::{LONGEST_CHAIN, Reader};
use crate::types::{Enumerator, Record, RecordKind, RecordMember, Type, TypeId};

impl<'t> Reader<'t> {
    pub(super) fn class(&mut self, class: &ClassType<'_>, id: TypeId) -> Type {
        let size = (!class.properties.forward_reference()).then_some(class.size);
        let fields = size.and(class.fields);
        self.record(RecordKind::Struct, tag(&class.name), size, fields, id)
    }

    pub(super) fn union(&mut self, union: &UnionType<'_>, id: TypeId) -> Type {
        let size = (!union.properties.forward_reference()).then_some(union.size);
        self.record(RecordKind::Union, tag(&union.name), size, size.map(|_| union.fields), id)
    }

    fn record(
        &mut self,
        kind: RecordKind,
        name: Option<String>,
        size: Option<u64>,
        fields: Option<TypeIndex>,
        id: TypeId,
    ) -> Type {
        let mut members = Vec::new();
        for field in fields.map_or_else(Vec::new, |fields| self.fields(fields)) {
            match field {
                TypeData::Member(member) => {
                    let (of, bits, position) = match self.data(member.field_type) {
                        Some(TypeData::Bitfield(bits)) => {
                            (bits.underlying_type, Some(u64::from(bits.length)), u64::from(bits.position))
                        }
                        _ => (member.field_type, None, 0),
                    };
                    let name = Some(member.name.to_string().into_owned()).filter(|name| !name.is_empty());
                    let offset = member.offset.checked_add(position / 8);
                    members.push(RecordMember {
                        name,
                        of: self.at(of),
                        offset,
                        bits,
                        comment: None,
                        counted: None,
                    });
                }
                TypeData::BaseClass(base) => {
                    let offset = Some(base.offset.into());
                    let of = self.at(base.base_class);
                    members.push(RecordMember {
                        name: None,
                        of,
                        offset,
                        bits: None,
                        comment: None,
                        counted: None,
                    });
                }
                _ => {}
            }
        }
        if size.is_some() {
            self.records.push(id);
        }
        Type::Record(Record { kind, name, size, align: None, members })
    }

    /// All fields of a list, which may continue in another record.
    fn fields(&self, first: TypeIndex) -> Vec<TypeData<'t>> {
        let mut all = Vec::new();
        let mut next = Some(first);
        for _ in 0..LONGEST_CHAIN {
            let Some(TypeData::FieldList(FieldList { fields, continuation })) =
                next.and_then(|index| self.data(index))
            else {
                break;
            };
            all.extend(fields);
            next = continuation;
        }
        all
    }

    pub(super) fn enumeration(&self, data: &EnumerationType<'_>) -> Option<Type> {
        let integer = self.integer_of(data.underlying_type)?;
        let mut values = Vec::new();
        for field in self.fields(data.fields) {
            if let TypeData::Enumerate(value) = field {
                let name = value.name.to_string().into_owned();
                let value = with_sign(number(value.value), &integer);
                values.push(Enumerator { name, value, comment: None });
            }
        }
        Some(Type::Enum { name: tag(&data.name), integer, values })
    }

    /// An array. Its dimensions are stored in bytes, the innermost first.
    pub(super) fn array(&mut self, array: &ArrayType) -> Option<Type> {
        let mut of = self.at(array.element_type);
        let mut size = self.size(array.element_type, LONGEST_CHAIN)?;
        let (outermost, inner) = array.dimensions.split_last()?;
        for bytes in inner {
            of = self.types.add(Type::Array { of, length: u64::from(*bytes).checked_div(size) });
            size = u64::from(*bytes);
        }
        let length = u64::from(*outermost).checked_div(size);
        // An array without a length has size 0.
        Some(Type::Array { of, length: length.filter(|length| *length > 0) })
    }

    pub(super) fn is_constant_array(&self, index: TypeIndex) -> bool {
        match self.data(index) {
            Some(TypeData::Array(array)) => self.unmodified(array.element_type).1,
            _ => false,
        }
    }
}

fn number(value: Variant) -> i128 {
    match value {
        Variant::U8(value) => value.into(),
        Variant::U16(value) => value.into(),
        Variant::U32(value) => value.into(),
        Variant::U64(value) => value.into(),
        Variant::I8(value) => value.into(),
        Variant::I16(value) => value.into(),
        Variant::I32(value) => value.into(),
        Variant::I64(value) => value.into(),
    }
}
