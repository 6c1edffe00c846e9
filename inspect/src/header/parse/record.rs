//! The bodies of structs, unions and enums.

use super::super::comment;
use super::super::layout::{Field, Shape};
use super::super::token::TokenKind;
use super::super::value::Value;
use super::attributes::Attributes;
use super::memory::Statement;
use super::{Parser, Reason, Tag};
use crate::{Enumerator, Integer, Record, RecordKind, RecordMember, Type, TypeId};

impl<'s> Parser<'s> {
    /// A struct or union, after its keyword.
    pub(super) fn record(&mut self, kind: RecordKind, tag: Tag) -> Result<TypeId, Reason> {
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let name = self.tag_name();
        let opaque = |name: Option<&str>| {
            let name = name.map(str::to_owned);
            Type::Record(Record { kind, name, size: None, align: None, members: Vec::new() })
        };
        let known = name.and_then(|name| self.tags.get(&(tag, name)).copied());
        let id = known.unwrap_or_else(|| self.table.types.add(opaque(name)));
        if let Some(name) = name {
            self.tags.insert((tag, name), id);
        }
        if self.peek() != "{" {
            if name.is_none() {
                return Err("a struct without a name and without members".to_owned());
            }
            return Ok(id);
        }
        self.at += 1;
        let mut fields = Vec::new();
        while !self.eat("}") {
            self.deeper(|this| this.members(&mut fields))?;
        }
        let pack = self.unit.tokens.get(self.at.saturating_sub(1)).map_or(0, |brace| brace.pack.into());
        self.attributes(&mut attributes)?;
        let shape = Shape { kind, packed: attributes.packed, aligned: attributes.aligned, pack };
        let layout = self.table.lay_out(shape, &mut fields);
        let mut members: Vec<RecordMember> = fields.into_iter().map(|field| field.member).collect();
        if layout.is_none() {
            members.iter_mut().for_each(|member| member.offset = None);
        }
        // An unnamed bit field only moves the fields after it.
        members.retain(|member| member.name.is_some() || member.bits.is_none());
        let record = Record {
            kind,
            name: name.map(str::to_owned),
            size: layout.map(|(size, _)| size),
            align: layout.map(|(_, align)| align),
            members,
        };
        self.table.types.set(id, Type::Record(record));
        if attributes.transparent {
            self.table.make_transparent(id);
        }
        Ok(id)
    }

    fn tag_name(&mut self) -> Option<&'s str> {
        let token = self.token().filter(|token| token.kind == TokenKind::Identifier)?;
        self.at += 1;
        Some(token.text)
    }

    /// One declaration of members.
    fn members(&mut self, fields: &mut Vec<Field>) -> Result<(), Reason> {
        if self.eat(";") {
            return Ok(());
        }
        if matches!(self.peek(), "_Static_assert" | "static_assert") {
            self.at += 1;
            self.skip_group()?;
            return self.expect(";");
        }
        let first = self.at;
        let begin = fields.len();
        let specifiers = self.specifiers()?;
        let mut of_all = specifiers.attributes.clone();
        self.attributes(&mut of_all)?;
        let field = |name: Option<String>, of: TypeId, bits: Option<u64>, attributes: &Attributes| Field {
            member: RecordMember {
                name,
                of,
                offset: None,
                bits,
                comment: None,
                counted: attributes.memory.iter().find_map(Statement::of_member),
            },
            packed: attributes.packed,
            aligned: attributes.aligned,
        };
        if self.eat(";") {
            // `struct { … };` in a struct: its members belong to the outer struct.
            if matches!(self.table.types.resolve(specifiers.of.id), Type::Record(_)) {
                fields.push(field(None, specifiers.of.id, None, &of_all));
            }
            return Ok(());
        }
        loop {
            let declarator = self.declarator()?;
            let mut attributes = of_all.clone();
            let bits = if self.eat(":") {
                let width = self.constant()?;
                Some(u64::try_from(width.value).map_err(|_| "a bit field of a negative width".to_owned())?)
            } else {
                None
            };
            self.attributes(&mut attributes)?;
            attributes.memory.extend(declarator.memory.iter().cloned());
            let name = declarator.name.map(|name| self.text(name).to_owned());
            let of = self.build(specifiers.of, &declarator, &attributes);
            fields.push(field(name, of.id, bits, &attributes));
            if self.eat(";") {
                break;
            }
            self.expect(",")?;
        }
        let said = self.beside(first, self.at - 1);
        for field in fields.iter_mut().skip(begin) {
            field.member.comment.clone_from(&said);
        }
        Ok(())
    }

    /// An enum, after its keyword.
    pub(super) fn enumeration(&mut self) -> Result<TypeId, Reason> {
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let name = self.tag_name();
        let known = name.and_then(|name| self.tags.get(&(Tag::Enum, name)).copied());
        // C23: `enum color : unsigned char`.
        let mut fixed = None;
        if self.eat(":") {
            let of = self.specifiers()?.of;
            if let Type::Integer(integer) = self.table.types.resolve(of.id) {
                fixed = Some(integer.clone());
            }
        }
        let unsigned = || Integer { size: 4, signed: false, spelling: "unsigned int".to_owned() };
        let owned = name.map(str::to_owned);
        let id = known.unwrap_or_else(|| {
            let integer = fixed.clone().unwrap_or_else(unsigned);
            self.table.types.add(Type::Enum { name: owned.clone(), integer, values: Vec::new() })
        });
        if let Some(name) = name {
            self.tags.insert((Tag::Enum, name), id);
        }
        if self.peek() != "{" {
            return if name.is_some() {
                Ok(id)
            } else {
                Err("an enum without a name and without values".to_owned())
            };
        }
        self.at += 1;
        let mut values: Vec<Enumerator> = Vec::new();
        let mut next = Value::int(0);
        while !self.eat("}") {
            let first = self.at;
            let Some(name) = self.tag_name() else {
                return Err(format!("`{}` is not the name of an enumerator", self.peek()));
            };
            self.attributes(&mut attributes)?;
            if self.eat("=") {
                next = self.constant()?;
            }
            let comment = self.beside(first, self.at);
            let comment = comment.and_then(|text| comment::without_number(&text, next.value));
            values.push(Enumerator { name: name.to_owned(), value: next.value, comment });
            self.enumerators.insert(name, next);
            next = Value { value: next.value.wrapping_add(1), ..next };
            if !self.eat(",") && self.peek() != "}" {
                self.expect("}")?;
            }
        }
        self.attributes(&mut attributes)?;
        let integer = fixed.unwrap_or_else(|| storage(&values, attributes.packed, self.table.target.long));
        self.table.types.set(id, Type::Enum { name: owned, integer, values });
        Ok(id)
    }

    /// The comment next to a member, enumerator or parameter, which begins at the token `first`; `separator`
    /// is the comma, semicolon or bracket after it.
    pub(super) fn beside(&self, first: usize, separator: usize) -> Option<String> {
        let tokens = &self.unit.tokens;
        let (begin, last) = (tokens.get(first)?, tokens.get(separator.checked_sub(1)?)?);
        if !self.own.has(begin.file) {
            return None;
        }
        let leading = self.unit.comments_before(first).iter().rev().find(|comment| {
            let before = first.checked_sub(1).and_then(|before| tokens.get(before));
            let own_line = before.is_none_or(|before| {
                before.file != comment.file || before.line < comment.lines.0 || before.text == "("
            });
            own_line && comment.lines.1 + 1 >= begin.line && comment.file == begin.file
        });
        let within = self.unit.comments_before(separator).iter().find(|comment| comment.lines.0 == last.line);
        let closes = tokens.get(separator)?;
        let outside = matches!(closes.text, "," | ";")
            .then(|| {
                self.unit.comments_before(separator + 1).iter().find(|comment| comment.lines.0 == closes.line)
            })
            .flatten();
        let trailing = within.or(outside);
        let said = match (leading, trailing) {
            (Some(leading), _) if comment::is_documentation(leading.text) => leading,
            (_, Some(trailing)) => trailing,
            (Some(leading), None) => leading,
            (None, None) => return None,
        };
        if comment::points_back(said.text) && trailing.is_none() {
            return None;
        }
        comment::short(said.text)
    }
}

/// The integer in which compilers store the values of an enum.
fn storage(values: &[Enumerator], packed: bool, long: u64) -> Integer {
    let least = values.iter().map(|value| value.value).min().unwrap_or(0);
    let most = values.iter().map(|value| value.value).max().unwrap_or(0);
    let signed = least < 0;
    let sizes: &[(u64, &str)] = match (packed, long) {
        (true, _) => &[(1, "char"), (2, "short"), (4, "int"), (8, "long")],
        (false, 8) => &[(4, "int"), (8, "long")],
        (false, _) => &[(4, "int"), (8, "long long")],
    };
    let fits = |size: u64| {
        let bits = size * 8 - u64::from(signed);
        most < 1 << bits && least >= -(1 << bits)
    };
    let &(size, word) = sizes.iter().find(|(size, _)| fits(*size)).unwrap_or(&(8, "long long"));
    let spelling = match (signed, size) {
        (true, 1) => "signed char".to_owned(),
        (true, _) => word.to_owned(),
        (false, _) => format!("unsigned {word}"),
    };
    Integer { size, signed, spelling }
}
