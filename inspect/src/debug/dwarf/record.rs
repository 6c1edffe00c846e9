//! Composite types: structs, unions, enums and arrays.

use gimli::{AttributeValue, Encoding, Expression, Operation, constants as c};

use super::super::integer::{integer, with_sign};
use super::program::{Die, Entry};
use super::sections::Slice;
use super::types::{Reader, size, unknown};
use crate::types::{Enumerator, Integer, Record, RecordKind, RecordMember, Type, TypeId};

impl<'a> Reader<'_, 'a> {
    pub(super) fn record(&mut self, die: Die, entry: &Entry<'a>, name: Option<String>, id: TypeId) -> Type {
        let kind = match entry.tag() {
            c::DW_TAG_union_type => RecordKind::Union,
            _ => RecordKind::Struct,
        };
        if entry.has_attr(c::DW_AT_declaration) {
            return Type::Record(Record { kind, name, size: None, align: None, members: Vec::new() });
        }
        let mut found = Vec::new();
        self.program.children(die, |child, entry| {
            let is_member = matches!(entry.tag(), c::DW_TAG_member | c::DW_TAG_inheritance);
            // A static member of C++ is a variable.
            if is_member && !entry.has_attr(c::DW_AT_external) {
                found.push((child, entry.clone()));
            }
            true
        });
        let mut least = 1;
        let mut members = Vec::with_capacity(found.len());
        for (child, entry) in &found {
            let of = self.type_of(*child, entry).unwrap_or_else(|| self.unreadable());
            let bits = entry.attr(c::DW_AT_bit_size).and_then(|bits| bits.udata_value());
            let offset = self.offset(*child, entry, bits);
            let name = self.program.name(*child, entry);
            least = least.max(alignment(entry).unwrap_or(1));
            members.push(RecordMember { name, of, offset, bits, comment: None, counted: None });
        }
        let align = alignment(entry);
        if align.is_none() {
            self.unaligned.push((id, least));
        }
        Type::Record(Record { kind, name, size: size(entry), align, members })
    }

    /// The offset of a member, in whole bytes.
    fn offset(&self, die: Die, entry: &Entry<'a>, bits: Option<u64>) -> Option<u64> {
        if let Some(position) = entry.attr(c::DW_AT_data_bit_offset).and_then(|offset| offset.udata_value()) {
            return Some(position / 8);
        }
        let encoding = self.program.unit(die)?.encoding();
        let start = match entry.attr_value(c::DW_AT_data_member_location) {
            // Optional for a member at the start, and for every member of a union.
            None => 0,
            Some(AttributeValue::Exprloc(expression)) => constant(expression, encoding)?,
            Some(AttributeValue::Block(block)) => constant(Expression(block), encoding)?,
            Some(value) => value.udata_value()?,
        };
        // Until DWARF 4, counted from the most significant bit of the unit that holds the field.
        let Some(before) = entry.attr(c::DW_AT_bit_offset).and_then(|offset| offset.udata_value()) else {
            return Some(start);
        };
        let start = start.checked_mul(8)?;
        let position = if self.program.little_endian {
            let unit = size(entry).or_else(|| self.size_of_type(die, entry))?.checked_mul(8)?;
            start.checked_add(unit)?.checked_sub(before.checked_add(bits?)?)?
        } else {
            start.checked_add(before)?
        };
        Some(position / 8)
    }

    /// The size of the type of an entry, with aliases resolved.
    fn size_of_type(&self, die: Die, entry: &Entry<'a>) -> Option<u64> {
        let (_, entry) = self.behind_names(die, entry)?;
        size(&entry)
    }

    /// The type of an entry, without aliases and qualifiers.
    fn behind_names(&self, die: Die, entry: &Entry<'a>) -> Option<(Die, Entry<'a>)> {
        let mut next = self.program.target(die, entry, c::DW_AT_type)?;
        for _ in 0..64 {
            let entry = self.program.entry(next)?;
            match entry.tag() {
                c::DW_TAG_typedef | c::DW_TAG_const_type | c::DW_TAG_volatile_type => {
                    next = self.program.target(next, &entry, c::DW_AT_type)?;
                }
                _ => return Some((next, entry)),
            }
        }
        None
    }

    pub(super) fn enumeration(&mut self, die: Die, entry: &Entry<'a>, name: Option<String>) -> Type {
        let mut values = Vec::new();
        self.program.children(die, |child, entry| {
            if entry.tag() == c::DW_TAG_enumerator
                && let Some(name) = self.program.name(child, entry)
                && let Some(value) = entry.attr_value(c::DW_AT_const_value).and_then(|value| number(&value))
            {
                values.push(Enumerator { name, value, comment: None });
            }
            true
        });
        let Some(integer) = self.stored_as(die, entry, &values) else {
            return unknown(Some((format!("enum {}", name.unwrap_or_default()), size(entry))));
        };
        for value in &mut values {
            value.value = with_sign(value.value, &integer);
        }
        Type::Enum { name, integer, values }
    }

    fn stored_as(&self, die: Die, entry: &Entry<'a>, values: &[Enumerator]) -> Option<Integer> {
        if let Some((die, base)) = self.behind_names(die, entry)
            && base.tag() == c::DW_TAG_base_type
        {
            let signed = matches!(
                base.attr_value(c::DW_AT_encoding),
                Some(AttributeValue::Encoding(c::DW_ATE_signed | c::DW_ATE_signed_char))
            );
            let name = self.program.name(die, &base).unwrap_or_default();
            return Some(integer(&name, size(&base)?, signed, &self.target));
        }
        // Older debug info has only the size.
        let signed = values.iter().any(|value| value.value < 0);
        Some(integer("", size(entry)?, signed, &self.target)).map(|found| Integer {
            spelling: spelled(found.size, signed).map_or(found.spelling, str::to_owned),
            ..found
        })
    }

    pub(super) fn array(&mut self, die: Die, entry: &Entry<'a>) -> Type {
        let Some(of) = self.type_of(die, entry) else { return unknown(None) };
        if entry.has_attr(c::DW_AT_GNU_vector) {
            return unknown(Some(("a vector".to_owned(), size(entry))));
        }
        let mut lengths = Vec::new();
        self.program.children(die, |_, entry| {
            if entry.tag() == c::DW_TAG_subrange_type {
                lengths.push(length(entry));
            }
            true
        });
        // `int a[2][3]` is an array of 2 whose elements are arrays of 3.
        let Some((first, rest)) = lengths.split_first() else { return Type::Array { of, length: None } };
        let element =
            rest.iter().rev().fold(of, |of, length| self.types.add(Type::Array { of, length: *length }));
        Type::Array { of: element, length: *first }
    }
}

fn spelled(size: u64, signed: bool) -> Option<&'static str> {
    match (size, signed) {
        (4, true) => Some("int"),
        (4, false) => Some("unsigned int"),
        _ => None,
    }
}

fn alignment(entry: &Entry<'_>) -> Option<u64> {
    entry.attr(c::DW_AT_alignment)?.udata_value().filter(|align| align.is_power_of_two())
}

/// The number of elements of a dimension.
fn length(entry: &Entry<'_>) -> Option<u64> {
    if let Some(count) = entry.attr(c::DW_AT_count) {
        return count.udata_value();
    }
    let last = entry.attr_value(c::DW_AT_upper_bound)?;
    let first = entry.attr(c::DW_AT_lower_bound).and_then(|first| first.sdata_value()).unwrap_or(0);
    // The last index of `int a[0]` is -1, whatever the form.
    let last = match last {
        AttributeValue::Data1(value) => i128::from(value),
        AttributeValue::Data2(value) => i128::from(value),
        AttributeValue::Data4(u32::MAX)
        | AttributeValue::Data8(u64::MAX)
        | AttributeValue::Udata(u64::MAX) => -1,
        value => number(&value)?,
    };
    u64::try_from(last - i128::from(first) + 1).ok()
}

/// A number as stored. Forms of fixed size are read as unsigned.
fn number(value: &AttributeValue<Slice<'_>>) -> Option<i128> {
    match *value {
        AttributeValue::Data1(value) => Some(value.into()),
        AttributeValue::Data2(value) => Some(value.into()),
        AttributeValue::Data4(value) => Some(value.into()),
        AttributeValue::Data8(value) | AttributeValue::Udata(value) => Some(value.into()),
        AttributeValue::Sdata(value) => Some(value.into()),
        AttributeValue::Data16(value) => i128::try_from(value).ok(),
        _ => None,
    }
}

/// The offset that DWARF 2 writes as an expression.
fn constant(expression: Expression<Slice<'_>>, encoding: Encoding) -> Option<u64> {
    let mut bytes = expression.0;
    match Operation::parse(&mut bytes, encoding).ok()? {
        Operation::PlusConstant { value } | Operation::UnsignedConstant { value } => Some(value),
        Operation::SignedConstant { value } => u64::try_from(value).ok(),
        _ => None,
    }
}
