//! Unions in structs: which member is used.

use crate::c_type::CType;
use crate::plan::{FieldType, Kind};

/// A union in a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// The index of the record with all members, as C has them.
    pub record: usize,
    /// Which of them is used.
    pub alive: Alive,
}

/// Which member of a union is used.
#[derive(Clone, Debug, PartialEq)]
pub enum Alive {
    /// The document does not say: C gets zeros, and callers see nothing of it.
    Nothing,
    /// Always this one.
    Member(UnionMember),
    /// The one that a tag says.
    Tag(Box<Tagged>),
}

/// A union with a tag.
#[derive(Clone, Debug, PartialEq)]
pub struct Tagged {
    /// The enum in Rust that has a variant for each member.
    pub ident: String,
    /// The name of the union, for messages.
    pub name: String,
    /// The index of the tag among the members of the struct.
    pub field: usize,
    /// The C type of the tag.
    pub c_type: CType,
    /// The value of the tag if no member is used.
    pub empty: Option<i64>,
    /// The members, each with its value of the tag.
    pub members: Vec<(i64, UnionMember)>,
}

/// A member of a union that callers see.
#[derive(Clone, Debug, PartialEq)]
pub struct UnionMember {
    /// The name in JSON.
    pub key: String,
    /// The name in Rust.
    pub ident: String,
    /// The variant in Rust, if the union has a tag.
    pub variant: String,
    /// What it means.
    pub description: Option<String>,
    /// What it holds.
    pub of: FieldType,
}

/// What a record has to do with unions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// It is a union: all its members are at its beginning.
    Members,
    /// It is a struct of one member, which is the union with this index by one of its members. In C it is that union.
    One(usize),
}

impl Union {
    /// The members that callers see.
    pub fn seen(&self) -> impl Iterator<Item = &UnionMember> {
        let (one, several): (_, &[_]) = match &self.alive {
            Alive::Nothing => (None, &[]),
            Alive::Member(member) => (Some(member), &[]),
            Alive::Tag(tagged) => (None, &tagged.members),
        };
        one.into_iter().chain(several.iter().map(|(_, member)| member))
    }

    /// What it is in JSON.
    pub(super) fn kind(&self) -> Kind {
        match &self.alive {
            Alive::Nothing => Kind::Opaque,
            Alive::Member(member) => Kind::field(&member.of),
            Alive::Tag(tagged) => Kind::Union(Box::new((**tagged).clone())),
        }
    }
}
