//! `x-lends`: members of a state that are arguments and results of one call.
//!
//! Each becomes a parameter behind those of C, as if C took it there. Before the call the members are set to what these
//! parameters pass; afterwards what C left is taken back, and they are NULL and 0.

use super::meaning::{Lends, Param, Passing, StateRole};
use super::site::Site;
use crate::c_type::CType;
use crate::document::Keys;
use crate::plan::{
    Amount, Content, Element, Field, FieldType, Item, Lent, LentMember, Limits, Many, ManyLength, Place,
    Scalar, Written,
};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// A member that is a parameter.
struct Member {
    field: usize,
    key: String,
    ident: String,
    description: Option<String>,
    limits: Limits,
    of: FieldType,
}

/// Adds the members that `x-lends` names to the parameters.
pub(super) fn lower(params: &mut Vec<Param>, keys: &mut Vec<Keys>, site: &Site<'_>) -> Option<Vec<Lends>> {
    let mut lends = Vec::new();
    for (state, parameter) in site.function.parameters.iter().enumerate() {
        let Some(names) = &parameter.lends else { continue };
        let fault = |message: &str, help: &str| {
            site.findings().report(Rule::Lends, names.span, message, help);
            None
        };
        let Passing::State { record, role: StateRole::Used } = params[state].passing else {
            return fault(
                "`x-lends` is for a state that the function uses, and neither begins nor ends",
                "remove it, or describe the parameter as an input with a state",
            );
        };
        if !params[state].required || site.function.variadic.is_some() {
            return fault(
                "`x-lends` needs a state that every call passes, to a function without `...`",
                "write \"required\": true, or remove `x-lends`",
            );
        }
        let Some(record) = site.registry.state_members(record) else {
            return fault(
                "the document does not say which members this state has",
                "write \"x-state\": true in its schema, and its first members in `properties`",
            );
        };
        let mut adding = Adding { params, record, members: Vec::new(), site };
        for name in &names.value {
            adding.add(name)?;
        }
        let members = adding.members;
        keys.resize_with(params.len(), Keys::default);
        lends.push(Lends { state, members });
    }
    Some(lends)
}

struct Adding<'a> {
    params: &'a mut Vec<Param>,
    /// The members of the state.
    record: usize,
    members: Vec<LentMember>,
    site: &'a Site<'a>,
}

impl Adding<'_> {
    fn add(&mut self, name: &Spanned<String>) -> Option<()> {
        let Some(member) = self.member(|field| field.key == name.value) else {
            let known = self.site.registry.with_fields(self.record, |fields| {
                fields.iter().map(|field| field.key.as_str()).collect::<Vec<_>>().join(", ")
            });
            return self.fault(
                name.span,
                format!("`x-lends` names {:?}, which is not a property of the state", name.value),
                &format!("its properties are {known}"),
            );
        };
        if self.params.iter().any(|param| param.ident == member.ident) {
            return self.fault(
                name.span,
                format!("`{}` is lent already, or has the name of a parameter", name.value),
                "name each member once, and give the parameter another name",
            );
        }
        let FieldType::Many(many) = &member.of else { return self.not_lent(name) };
        let ManyLength::Field(length) = many.length else { return self.not_lent(name) };
        let element = match many.of {
            Item::Text(_) => None,
            Item::Scalar(scalar) => Some(Element::Scalar(scalar)),
            Item::Record(_) | Item::Strings(_) | Item::Pointers(_) => return self.not_lent(name),
        };
        match many.room {
            None => self.input(member, element, length, name.span),
            Some(written) => self.room(member, element, length, written, name.span),
        }
    }

    /// An array that C reads. Its length comes back: C may count it down.
    fn input(&mut self, member: Member, element: Option<Element>, length: usize, span: Span) -> Option<()> {
        let FieldType::Many(many) = &member.of else { return None };
        // Arrays can share their length.
        let of = self.params.len();
        let known = self.members.iter().find(|known| known.field == length).map(|known| known.param);
        let counted = known.unwrap_or(of + 1);
        let amount = Amount::Param(counted);
        let passing = match (element, &many.of) {
            (Some(element), _) => Passing::Slice { element, length: Some(amount), inout: false },
            (None, Item::Text(encoding)) => {
                Passing::Counted { c_type: unit(many), encoding: *encoding, length: amount, inout: false }
            }
            (None, _) => return None,
        };
        let required = !many.nullable;
        self.push(member, passing, required, Lent::Pointer);
        if known.is_none() {
            let (member, c_type) = self.integer(length, span)?;
            let passing = Passing::Length { c_type, pointer: true, of, shown: true };
            self.push(member, passing, true, Lent::Count);
        }
        Some(())
    }

    /// A buffer that C fills.
    fn room(
        &mut self,
        member: Member,
        element: Option<Element>,
        length: usize,
        written: Written,
        span: Span,
    ) -> Option<()> {
        let FieldType::Many(many) = &member.of else { return None };
        let of = self.params.len();
        let content = match (element, &many.of) {
            (Some(element), _) => Content::Elements(element),
            (None, Item::Text(encoding)) => Content::Text { c_type: unit(many), encoding: *encoding },
            (None, _) => return None,
        };
        let (place, holds, counter) = match written {
            Written::Left(field) if field == length => (Some(of + 1), Lent::Left, None),
            Written::Field(field) if field == length => (Some(of + 1), Lent::Count, None),
            Written::Field(field) => (Some(of + 2), Lent::Size, Some(field)),
            Written::All => (None, Lent::Size, None),
            Written::Left(_) => {
                let message = "the member in `left` must be the one in `x-length`, which C counts down";
                return self.fault(span, message.to_owned(), "write the same name in both");
            }
        };
        let passing = Passing::Buffer {
            content,
            capacity: Some(Amount::Param(of + 1)),
            written: place.map(Place::Param),
            items: None,
        };
        self.push(member, passing, true, Lent::Pointer);
        let (member, c_type) = self.integer(length, span)?;
        let passing = Passing::Capacity { c_type, pointer: holds != Lent::Size, of, given: true };
        self.push(member, passing, true, holds);
        if let Some(counter) = counter {
            let (member, c_type) = self.integer(counter, span)?;
            self.push(member, Passing::Count { c_type }, true, Lent::Count);
        }
        Some(())
    }

    fn push(&mut self, member: Member, passing: Passing, required: bool, holds: Lent) {
        let (record, field, param) = (self.record, member.field, self.params.len());
        self.members.push(LentMember { record, field, param, holds });
        self.params.push(Param {
            key: member.key,
            ident: member.ident,
            description: member.description,
            passing,
            required,
            disposed: None,
            default: None,
            limits: member.limits,
            kept: None,
            taken: None,
        });
    }

    /// An integer of the state that is not a parameter yet.
    fn integer(&self, index: usize, span: Span) -> Option<(Member, CType)> {
        let member = self.nth(index)?;
        if self.params.iter().any(|param| param.ident == member.ident) {
            return self.fault(
                span,
                format!("`{}` counts two arrays, or has the name of a parameter", member.key),
                "give each array a member of its own that counts it, and the parameter another name",
            );
        }
        // `deep` has checked that it is one.
        let FieldType::Scalar(Scalar { c_type, .. }) = member.of else { return None };
        Some((member, c_type))
    }

    fn nth(&self, index: usize) -> Option<Member> {
        self.site.registry.with_fields(self.record, |fields| Some(of_field(index, fields.get(index)?)))
    }

    fn member(&self, is_it: impl Fn(&Field) -> bool) -> Option<Member> {
        self.site.registry.with_fields(self.record, |fields| {
            let index = fields.iter().position(is_it)?;
            Some(of_field(index, &fields[index]))
        })
    }

    fn not_lent(&self, name: &Spanned<String>) -> Option<()> {
        self.fault(
            name.span,
            format!("`{}` is not an array of numbers, text or bytes whose length is a member", name.value),
            "write `x-length` with the name of another member on the property; a plain member is read by a function with \
             `x-member`",
        )
    }

    fn fault<T>(&self, span: Span, message: String, help: &str) -> Option<T> {
        self.site.findings().report(Rule::Lends, span, message, help);
        None
    }
}

fn of_field(index: usize, field: &Field) -> Member {
    Member {
        field: index,
        key: field.key.clone(),
        ident: field.ident.clone(),
        description: field.description.clone(),
        limits: field.limits,
        of: field.of.clone(),
    }
}

/// The type of the units of text: of `void*`, bytes.
fn unit(many: &Many) -> CType {
    if many.c_type == CType::Void { CType::UnsignedChar } else { many.c_type }
}
