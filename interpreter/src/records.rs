//! The runtime's tables of structs. A struct can point to its own kind, so the addresses of all tables are known before
//! the first is made.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;

use opendyn::generated::{Beside, Extent, Kind, Many, Member, Record, Target, Union, Wrote};
use opendyn_model::plan::{self, Alive, Body, Element, Field, FieldType, Item, ManyLength, Written};

use crate::kinds::{Kinds, encoding};
use crate::number;
use crate::store::Store;

/// Room for the tables of all structs of a document.
#[derive(Debug)]
pub(crate) struct Places(Box<[UnsafeCell<MaybeUninit<Record>>]>);

// SAFETY: each place is written once, by the thread that makes the tables, before any other thread has them.
unsafe impl Sync for Places {}

impl Places {
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count).map(|_| UnsafeCell::new(MaybeUninit::uninit())).collect())
    }

    /// The table that will be at `index`.
    fn target(&self, index: usize) -> Target {
        // SAFETY: `Kinds` fills every place that a table leads to before it is used, and the store keeps them.
        unsafe { Target::later(self.0[index].get().cast()) }
    }

    /// Puts the table of the struct at `index`.
    pub(crate) fn put(&'static self, index: usize, record: Record) -> &'static Record {
        let place = self.0[index].get();
        // SAFETY: only this thread has the place, and it is written once; nothing refers to it yet.
        unsafe {
            (*place).write(record);
            (*place).assume_init_ref()
        }
    }
}

impl Kinds {
    /// What the runtime calls a member of a struct, whose offset is `at`.
    pub(crate) fn member(&self, record: usize, field: &'static Field, at: usize, store: &Store) -> Kind {
        match &field.of {
            FieldType::Many(many) => Kind::Many(store.keep(self.many(record, many, at, store))),
            FieldType::Pointed(record) => Kind::Pointed(self.places.target(*record)),
            FieldType::Union(union) => match &union.alive {
                Alive::Tag(tagged) => Kind::Union(store.keep(self.union(record, union, tagged, at, store))),
                Alive::Member(_) | Alive::Nothing => self.of(&field.kind(), store),
            },
            _ => self.of(&field.kind(), store),
        }
    }

    /// A union with a tag, whose offset is `at`.
    fn union(
        &self,
        record: usize,
        union: &'static plan::Union,
        tagged: &'static plan::Tagged,
        at: usize,
        store: &Store,
    ) -> Union {
        let member = |member: &'static plan::UnionMember| {
            Member::required(&member.key, self.of(&plan::Kind::field(&member.of), store), 0)
        };
        let members: Vec<Member> = tagged.members.iter().map(|(_, of)| member(of)).collect();
        let tags: Vec<i64> = tagged.members.iter().map(|(tag, _)| *tag).collect();
        let layout = &self.layouts[union.record];
        let (name, size, align) = (tagged.name.as_str(), layout.size, layout.align);
        let of = Record { name, size, align, members: store.keep(members) };
        let offset = self.layouts[record].offsets[tagged.field];
        let tag = Beside { by: offset.wrapping_sub(at).cast_signed(), of: number::kind(tagged.c_type) };
        let unknown = Member::required("unknown", tag.of, 0);
        Union { of, tags: store.keep(tags), empty: tagged.empty, tag, unknown }
    }

    fn many(&self, record: usize, many: &'static plan::Many, at: usize, store: &Store) -> Many {
        let beside = |index: usize| {
            let field = self.types().records[record].fields().nth(index);
            let of = field.map_or(Kind::Opaque, |field| self.of(&plan::Kind::field(&field.of), store));
            let offset = self.layouts[record].offsets[index];
            Beside { by: offset.wrapping_sub(at).cast_signed(), of }
        };
        Many {
            of: match many.of {
                Item::Text(_) => Kind::UINT8_T,
                Item::Scalar(scalar) => self.of(&plan::Kind::element(Element::Scalar(scalar)), store),
                Item::Strings(_) => Kind::Str,
                Item::Record(record) => Kind::Nested(self.places.target(record)),
                Item::Pointers(record) => Kind::Pointed(self.places.target(record)),
            },
            text: match many.of {
                Item::Text(of) => Some(encoding(of)),
                _ => None,
            },
            length: match many.length {
                ManyLength::Field(index) => Extent::Beside(beside(index)),
                ManyLength::Const(count) => Extent::Const(usize::try_from(count).unwrap_or(usize::MAX)),
                ManyLength::Terminated => Extent::Terminated,
            },
            nullable: many.nullable,
            nullable_items: matches!(many.of, Item::Strings(true)),
            room: many.room.map(|written| match written {
                Written::All => Wrote::All,
                Written::Field(index) => Wrote::Beside(beside(index)),
                Written::Left(index) => Wrote::Left(beside(index)),
            }),
        }
    }

    /// The fields of a struct that callers see, with their offsets.
    pub(crate) fn seen(&self, record: usize) -> Vec<(&'static Field, usize)> {
        let Body::Fields(fields) = &self.types().records[record].body else { return Vec::new() };
        let offsets = self.layouts[record].offsets.iter().copied();
        fields.iter().zip(offsets).filter(|(field, _)| !field.hidden).collect()
    }
}
