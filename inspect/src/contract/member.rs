//! Members of structs: their types and offsets.

use opendyn_model::plan::{self, CBase, CValue, Field};
use opendyn_model::rule::Rule;

use super::comparison::{Comparison, Place};
use super::layout;
use super::record::Memory;
use super::verdict::Verdict;
use super::wording;
use crate::{Record, RecordMember, Type, TypeId};

/// Structs nest only a few levels; this limits how far a malformed, cyclic source is followed.
const MAX_NESTING: usize = 32;

impl Comparison<'_> {
    /// Compares a member with C and reports differences. Returns whether it fits.
    #[expect(clippy::too_many_arguments, reason = "a member of two structs at once")]
    pub(super) fn member(
        &self,
        record: &plan::Record,
        field: &Field,
        offset: u64,
        id: TypeId,
        library: &Record,
        name: &str,
        place: &Place<'_>,
    ) -> bool {
        let what = format!("member `{}` of {}", field.key, wording::record(record));
        let place = Place { what, span: field.place, function: place.function };
        let member = &CValue::field(&field.of);
        if let Some((found, at)) = self.named(library, &field.key, 0) {
            if found.bits.is_some() {
                self.leave("bit fields of a struct".to_owned(), place.function);
                return true;
            }
            let verdict = self.member_type(member, found.of, &place);
            let wrong = verdict.is_error();
            self.judge(verdict, Rule::StructLayout, &place, &self.in_place(member), found.of);
            if !wrong && at.is_some_and(|at| at != offset) {
                let (what, says, at) = (&place.what, self.says, at.unwrap_or_default());
                self.report(
                    Rule::StructLayout,
                    place.span,
                    format!(
                        "{what}: the document has it at byte {offset}, {says} says that {name} has it at {at}"
                    ),
                    "describe all members, in the order of C".to_owned(),
                );
                return false;
            }
            return !wrong;
        }
        self.unnamed(member, offset, id, library, name, &place)
    }

    /// A member with a name that C does not have is compared with what C has at its offset.
    fn unnamed(
        &self,
        member: &CValue,
        offset: u64,
        id: TypeId,
        library: &Record,
        name: &str,
        place: &Place<'_>,
    ) -> bool {
        let blurred = library.members.iter().any(|member| member.bits.is_some() || member.offset.is_none());
        if blurred {
            self.leave("bit fields of a struct".to_owned(), place.function);
            return true;
        }
        let target = &self.interface.target;
        let size = layout::size_of_member(member, &self.document.types, target);
        let within = library.members.iter().find(|found| {
            let begin = found.offset.unwrap_or_default();
            let end = begin.saturating_add(self.types().size(found.of, target).unwrap_or_default());
            begin < offset.saturating_add(size) && offset < end
        });
        // C has only padding there, which a document may name.
        let Some(within) = within else { return true };
        if let CBase::Record(_) = member.base {
            return match self.types().resolve(within.of) {
                Type::Record(_) if within.offset == Some(offset) => {
                    let verdict = self.member_type(member, within.of, place);
                    !verdict.is_error()
                }
                // A struct over several members of C: its own members are compared one by one.
                _ => true,
            };
        }
        let candidates = self.leaves(id, offset);
        let fits = |leaf: &&TypeId| !self.value(member, Memory::Ours, **leaf, place).is_error();
        if candidates.iter().any(|leaf| fits(&leaf)) {
            return true;
        }
        let (what, says) = (&place.what, self.says);
        let shown = within.name.as_deref().unwrap_or("without a name");
        let of = wording::explained(within.of, self.types());
        let at = within.offset.unwrap_or_default();
        self.report(
            Rule::StructLayout,
            place.span,
            format!(
                "{what}: the document has {} at byte {offset}, {says} says that {name} has {of} `{shown}` at {at}",
                self.in_place(member)
            ),
            format!("describe all members, in the order of C; for this one {}", wording::help(within.of, self.interface)),
        );
        false
    }

    /// Compares the type of a member with that of the C member of the same name.
    fn member_type(&self, member: &CValue, id: TypeId, place: &Place<'_>) -> Verdict {
        let types = self.types();
        let (element, length) = self.flattened(id);
        match (member.count, length) {
            (None, None) => self.value(member, Memory::Ours, id, place),
            (Some(own), Some(length)) if own == length => self.value(member, Memory::Ours, element, place),
            (None, Some(1)) => self.value(member, Memory::Ours, element, place),
            (Some(1), None) => self.value(member, Memory::Ours, id, place),
            // `[]` at the end of a struct has no size of its own.
            (_, Some(0)) => Verdict::Unknown("a flexible array at the end of a struct".to_owned()),
            (own, length) => match types.resolve(element) {
                Type::Other { spelling, .. } => {
                    Verdict::Unknown(format!("`{spelling}` is a type that cannot be compared"))
                }
                _ => {
                    Verdict::error(format!("{} against {}", elements(own.unwrap_or(1)), length.unwrap_or(1)))
                }
            },
        }
    }

    /// The type of a member with its number of elements.
    fn in_place(&self, member: &CValue) -> String {
        let of = wording::declared(member, &self.document.types);
        match member.count {
            Some(count) => format!("{of}[{count}]"),
            None => of,
        }
    }

    /// An array of arrays as one array: its elements and their number.
    pub(super) fn flattened(&self, mut id: TypeId) -> (TypeId, Option<u64>) {
        let mut count = None;
        for _ in 0..MAX_NESTING {
            let Type::Array { of, length } = self.types().resolve(id) else { break };
            count = Some(count.unwrap_or(1u64).saturating_mul(length.unwrap_or(0)));
            id = *of;
        }
        (id, count)
    }

    /// The member with this name, including members of unnamed structs; and its offset.
    fn named<'r>(
        &'r self,
        record: &'r Record,
        name: &str,
        nesting: usize,
    ) -> Option<(&'r RecordMember, Option<u64>)> {
        if nesting > MAX_NESTING {
            return None;
        }
        record.members.iter().find_map(|member| {
            if member.name.as_deref() == Some(name) {
                return Some((member, member.offset));
            }
            let Type::Record(inner) = self.types().resolve(member.of) else { return None };
            if member.name.is_some() {
                return None;
            }
            let (found, at) = self.named(inner, name, nesting + 1)?;
            let offset = member.offset.zip(at).map(|(outer, inner)| outer.saturating_add(inner));
            Some((found, offset))
        })
    }

    /// The scalars and pointers that begin at a byte of a type; several in a union.
    pub(super) fn leaves(&self, id: TypeId, offset: u64) -> Vec<TypeId> {
        let mut found = Vec::new();
        self.collect_leaves(id, offset, &mut found, 0);
        found
    }

    fn collect_leaves(&self, id: TypeId, offset: u64, found: &mut Vec<TypeId>, nesting: usize) {
        if nesting > MAX_NESTING {
            return;
        }
        let target = &self.interface.target;
        match self.types().resolve(id) {
            Type::Record(record) => {
                for member in &record.members {
                    let Some(begin) = member.offset.filter(|begin| *begin <= offset) else { continue };
                    let size = self.types().size(member.of, target).unwrap_or_default();
                    if offset - begin < size {
                        self.collect_leaves(member.of, offset - begin, found, nesting + 1);
                    }
                }
            }
            Type::Array { of, .. } => match self.types().size(*of, target) {
                None | Some(0) => {}
                Some(size) => self.collect_leaves(*of, offset % size, found, nesting + 1),
            },
            _ if offset == 0 => found.push(id),
            _ => {}
        }
    }
}

fn elements(count: u64) -> String {
    if count == 1 { "1 element".to_owned() } else { format!("{count} elements") }
}
