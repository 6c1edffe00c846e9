//! Structs: sizes, alignments, and the offsets of members.

use opendyn_model::c_type::{CType, Class};
use opendyn_model::plan::{self, CBase, CValue, Field, Overlap};
use opendyn_model::rule::Rule;
use opendyn_source::span::Spanned;

use super::comparison::{Comparison, Place};
use super::layout::{self, Layout};
use super::scalar::{self, Where};
use super::verdict::{Verdict, bytes};
use super::wording;
use crate::{Record, RecordKind, Type, TypeId};

/// Who owns the memory of a struct.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    /// The caller: C reads and writes the whole struct as it knows it.
    Ours,
    /// C: the document may describe only the beginning.
    OfC,
}

impl Comparison<'_> {
    /// A struct behind a pointer, or `many` of them.
    pub(super) fn pointed_record(
        &self,
        record: &plan::Record,
        to: TypeId,
        memory: Memory,
        many: bool,
        place: &Place<'_>,
    ) -> Verdict {
        let types = self.types();
        let (to, length) = self.flattened(to);
        let many = many || length.is_some();
        let leaves_fit = |id: TypeId| {
            record.fields().all(|field| in_place(field).is_some_and(|c_type| self.fits(c_type, id)))
        };
        match types.resolve(to) {
            Type::Record(_) => self.record(record, to, memory, many, place),
            Type::Pointer { .. } => Verdict::error("a pointer against a pointer to a pointer"),
            Type::Function(_) => Verdict::error("a pointer to a struct against a pointer to a function"),
            Type::Integer(integer) if integer.size == 1 => Verdict::Fits,
            Type::Complex(size) if self.is_pair(record, *size) => Verdict::Fits,
            // Three equal numbers are an array of three.
            _ if leaves_fit(to) => Verdict::Fits,
            _ => Verdict::error("a struct against a scalar"),
        }
    }

    fn fits(&self, c_type: CType, id: TypeId) -> bool {
        scalar::compare(c_type, id, self.model(), Where::Value).is_some_and(|verdict| !verdict.is_error())
    }

    /// Whether a struct is two floating-point numbers with a total of `size` bytes.
    pub(super) fn is_pair(&self, record: &plan::Record, size: u64) -> bool {
        let is_half = |field: &Field| {
            in_place(field).is_some_and(|c_type| {
                c_type.class() == Class::Floating
                    && layout::of_scalar(c_type, &self.interface.target).size * 2 == size
            })
        };
        record.fields().count() == 2 && record.fields().all(is_half)
    }

    /// Memory that only C reads.
    pub(super) fn state(&self, state: &plan::Record, to: TypeId, place: &Place<'_>) -> Verdict {
        let types = self.types();
        let target = &self.interface.target;
        match types.resolve(to) {
            Type::Pointer { .. } => return Verdict::error("a pointer against a pointer to a pointer"),
            Type::Function(_) => return Verdict::error("a state against a pointer to a function"),
            Type::Record(record) if record.size.is_none() => {
                self.leave("an opaque struct of unknown size".to_owned(), place.function);
            }
            _ => {}
        }
        let library = wording::explained(to, types);
        let says = self.says;
        if let (Some(size), Some(whole)) = (state.size, types.size(to, target))
            && size.value < whole
        {
            let (own, what) = (bytes(size.value), &place.what);
            self.report(
                Rule::StructLayout,
                size.span,
                format!("{what}: the document gives the state {own}, {says} says that {library} has {whole}"),
                format!("write \"x-size\": {whole}"),
            );
        }
        if let (Some(align), Some(whole)) = (state.align, types.align(to, target))
            && align.value < whole
        {
            self.misaligned(align, whole, &library);
        }
        match (&state.body, types.resolve(to)) {
            // The document may list only the first members.
            (plan::Body::State { members: Some(members), .. }, Type::Record(_)) => {
                self.record(self.declared(*members), to, Memory::OfC, false, place)
            }
            _ => Verdict::Fits,
        }
    }

    fn misaligned(&self, align: Spanned<u64>, library: u64, name: &str) {
        let (own, says) = (align.value, self.says);
        self.report(
            Rule::StructLayout,
            align.span,
            format!(
                "the alignment: the document says {own}, {says} says that {name} is aligned to {library}"
            ),
            format!("write \"x-align\": {library}"),
        );
    }

    /// A struct against one of the library. Differences are reported at the member.
    pub(super) fn record(
        &self,
        record: &plan::Record,
        id: TypeId,
        memory: Memory,
        many: bool,
        place: &Place<'_>,
    ) -> Verdict {
        // In C it is the union that stands for it.
        if let Some(Overlap::One(union)) = record.overlap {
            return self.record(&self.document.types.records[union], id, memory, many, place);
        }
        let Type::Record(library) = self.types().resolve(id) else { return Verdict::Fits };
        let Some(size) = library.size else {
            self.leave("an opaque struct with unknown members".to_owned(), place.function);
            return Verdict::Fits;
        };
        let name = wording::explained(id, self.types());
        let (whole, offsets) = layout::of_record(record, &self.document.types, &self.interface.target);
        let mut fits = true;
        // Where bit fields begin is a rule of the compiler; its members are not compared.
        let records = &self.document.types.records;
        if record.reaches(records, &plan::Record::has_bits) {
            self.leave("a struct with bit fields".to_owned(), place.function);
            return Verdict::Fits;
        }
        let is_union = record.overlap == Some(Overlap::Members);
        if is_union && library.kind == RecordKind::Struct {
            return Verdict::error("a union (`x-union`) against a struct");
        }
        if is_union {
            for member in record.fields() {
                fits &= self.member(record, member, 0, id, library, &name, place);
            }
        } else if library.kind == RecordKind::Struct {
            for (member, offset) in record.fields().zip(&offsets) {
                // A wrong member moves all the members after it.
                fits = self.member(record, member, *offset, id, library, &name, place);
                if !fits {
                    break;
                }
            }
            fits = fits && (memory == Memory::OfC || self.complete(record, &offsets, library, &name));
        }
        if let Some(own) = record.size.filter(|own| own.value != size) {
            fits = false;
            let says = self.says;
            self.report(
                Rule::StructLayout,
                own.span,
                format!(
                    "the size: the document says {}, {says} says that {name} has {size}",
                    bytes(own.value)
                ),
                format!("write \"x-size\": {size}"),
            );
        }
        if let (Some(align), Some(library)) = (record.align, self.types().align(id, &self.interface.target))
            && align.value != library
        {
            fits = false;
            self.misaligned(align, library, &name);
        }
        if fits {
            self.whole(record, whole, (size, id, &name), memory, many);
        }
        Verdict::Fits
    }

    /// Whether the document lists every member. A member that fits into the padding without it moves none of
    /// the others.
    fn complete(&self, record: &plan::Record, offsets: &[u64], library: &Record, name: &str) -> bool {
        let (declared, target) = (&self.document.types, &self.interface.target);
        let end = |begin: u64, size: u64| begin.saturating_add(size);
        let is_described = |begin: u64, size: u64| {
            record.fields().zip(offsets).any(|(field, offset)| {
                let own = layout::size_of_member(&CValue::field(&field.of), declared, target);
                *offset < end(begin, size) && begin < end(*offset, own)
            })
        };
        // Members after the end show in the size.
        let whole = layout::of_record(record, declared, target).0.size;
        for member in library.members.iter().filter(|member| member.bits.is_none() && member.name.is_some()) {
            let (Some(begin), Some(size)) = (member.offset, self.types().size(member.of, target)) else {
                continue;
            };
            if size == 0 || begin >= whole {
                continue;
            }
            if !is_described(begin, size) {
                let of = wording::explained(member.of, self.types());
                let (what, says) = (wording::record(record), self.says);
                let left_out = member.name.as_deref().unwrap_or_default();
                self.report(
                    Rule::StructLayout,
                    record.place,
                    format!("{what}: {says} says that {name} has {of} `{left_out}` at byte {begin}, which the document leaves out"),
                    format!("describe it in `properties`, in the order of C; {}", wording::help(member.of, self.interface)),
                );
                return false;
            }
        }
        true
    }

    /// The size and alignment that result from the members.
    fn whole(
        &self,
        record: &plan::Record,
        own: Layout,
        (size, id, name): (u64, TypeId, &str),
        memory: Memory,
        many: bool,
    ) {
        let says = self.says;
        let begins = memory == Memory::OfC && !many && own.size < size;
        if own.size != size && !begins {
            let help = if own.size < size {
                "describe all its members, in the order of C"
            } else {
                "remove the members that C does not have"
            };
            let what = wording::record(record);
            self.report(
                Rule::StructLayout,
                record.place,
                format!(
                    "{what}: its members in the document take {}, {says} says that {name} has {size}",
                    bytes(own.size)
                ),
                help.to_owned(),
            );
        } else if let Some(align) = self.types().align(id, &self.interface.target)
            && own.align < align
            && memory == Memory::Ours
        {
            let what = wording::record(record);
            self.report(
                Rule::StructLayout,
                record.place,
                format!(
                    "{what}: its members in the document are aligned to {}, {says} says that {name} is aligned \
                     to {align}",
                    own.align
                ),
                "pass it as a state: `x-size` and `x-align` without `properties`".to_owned(),
            );
        }
    }
}

/// The scalar that a member of a struct is, or several of.
fn in_place(field: &Field) -> Option<CType> {
    match CValue::field(&field.of) {
        CValue { base: CBase::Scalar(c_type), stars: 0, .. } => Some(c_type),
        _ => None,
    }
}
