//! The structs and unions behind pointers, and what each is in the document: a handle, a struct with its
//! members, or a state that only C reads.

use std::collections::HashMap;

use super::names::{Names, words};
use super::scalar::{Peeled, peel, scalar};
use crate::{Record, RecordKind, Signature, Target, Type, TypeId, Types};

/// The largest struct that a document may describe, in bytes.
const LARGEST: u64 = 64 << 20;

/// What a struct or union is in the document, with the name of the handle type or schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Handle(String),
    Fields(String),
    State(String),
    /// No key can describe it: a pointer to it stays a `void*`.
    Raw,
}

/// How the functions use a record.
struct Uses {
    id: TypeId,
    alias: Option<String>,
    pointer_alias: Option<String>,
    tag: Option<String>,
    is_complete: bool,
    is_given: bool,
    is_taken: bool,
    is_by_value: bool,
    /// It is taken by a function whose name says that it begins something.
    is_begun: bool,
}

/// All records, by [`key`].
pub(super) struct Records {
    roles: HashMap<String, Role>,
}

/// The position of a type in a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Taken,
    Returned,
}

impl Records {
    /// Examines all uses. Names of types are taken from `names`.
    pub(super) fn survey<'i>(
        functions: impl Iterator<Item = (&'i str, &'i Signature)>,
        types: &Types,
        target: &Target,
        names: &mut Names,
    ) -> Self {
        let mut survey = Survey { types, order: Vec::new(), uses: HashMap::new() };
        for (name, signature) in functions {
            let begins = begins(name);
            for parameter in &signature.parameters {
                survey.visit(parameter.of, Position::Taken, begins);
            }
            survey.visit(signature.returns, Position::Returned, false);
        }
        let mut roles = HashMap::new();
        for key in &survey.order {
            if let Some(uses) = survey.uses.get(key) {
                roles.insert(key.clone(), role(uses, types, target, names));
            }
        }
        Self { roles }
    }

    pub(super) fn role(&self, types: &Types, id: TypeId) -> Role {
        key(&peel(types, id)).and_then(|key| self.roles.get(&key).cloned()).unwrap_or(Role::Raw)
    }
}

/// Whether a function with this name begins a state.
pub(super) fn begins(name: &str) -> bool {
    words(name).iter().any(|word| word == "init" || word == "start" || word == "begin")
}

/// The identity of a struct: its tag, or else its alias.
pub(super) fn key(peeled: &Peeled<'_>) -> Option<String> {
    let Type::Record(record) = peeled.of else { return None };
    Some(match (&record.name, peeled.aliases.last()) {
        (Some(tag), _) => format!("tag {tag}"),
        (None, Some(alias)) => format!("alias {alias}"),
        (None, None) => format!("{:?}", peeled.id),
    })
}

struct Survey<'t> {
    types: &'t Types,
    order: Vec<String>,
    uses: HashMap<String, Uses>,
}

impl Survey<'_> {
    fn visit(&mut self, id: TypeId, position: Position, begins: bool) {
        let outer = peel(self.types, id);
        let Type::Pointer { to, .. } = outer.of else {
            if let Some(uses) = self.uses_of(id, None) {
                uses.is_by_value = true;
            }
            return;
        };
        let inner = peel(self.types, *to);
        match inner.of {
            Type::Record(_) => {
                let alias = outer.aliases.last().map(|alias| (*alias).to_owned());
                if let Some(uses) = self.uses_of(*to, alias) {
                    uses.is_given |= position == Position::Returned;
                    uses.is_taken |= position == Position::Taken;
                    uses.is_begun |= begins;
                }
            }
            Type::Pointer { to, .. } => {
                let alias = inner.aliases.last().map(|alias| (*alias).to_owned());
                if let Some(uses) = self.uses_of(*to, alias) {
                    uses.is_given = true;
                }
            }
            _ => {}
        }
    }

    fn uses_of(&mut self, id: TypeId, pointer_alias: Option<String>) -> Option<&mut Uses> {
        let peeled = peel(self.types, id);
        let Type::Record(record) = peeled.of else { return None };
        let key = key(&peeled)?;
        let alias = peeled.aliases.last().map(|alias| (*alias).to_owned());
        if !self.uses.contains_key(&key) {
            self.order.push(key.clone());
        }
        let uses = self.uses.entry(key).or_insert_with(|| Uses {
            id: peeled.id,
            alias: None,
            pointer_alias: None,
            tag: record.name.clone(),
            is_complete: record.size.is_some(),
            is_given: false,
            is_taken: false,
            is_by_value: false,
            is_begun: false,
        });
        // One unit may define what another only declares.
        if record.size.is_some() && !uses.is_complete {
            uses.id = peeled.id;
            uses.is_complete = true;
        }
        uses.alias = uses.alias.take().or(alias);
        uses.pointer_alias = uses.pointer_alias.take().or(pointer_alias);
        Some(uses)
    }
}

fn role(uses: &Uses, types: &Types, target: &Target, names: &mut Names) -> Role {
    let wanted = [&uses.alias, &uses.pointer_alias, &uses.tag].into_iter().flatten().next();
    let mut name = || names.take(wanted.map_or("Struct", String::as_str), "Struct");
    let fields = describable(types, uses.id, target);
    if uses.is_by_value {
        return if fields.is_ok() { Role::Fields(name()) } else { Role::Raw };
    }
    // A struct that is returned and passed back has an identity: a copy would not work.
    if !uses.is_complete || uses.is_given && (uses.is_taken || fields.is_err()) {
        return Role::Handle(name());
    }
    let Type::Record(record) = types.resolve(uses.id) else { return Role::Raw };
    let is_state = wanted
        .and_then(|name| words(name).into_iter().rfind(|word| word != "t"))
        .is_some_and(|word| ["state", "ctx", "context"].contains(&word.as_str()));
    match fields {
        Ok(()) if is_state && uses.is_begun => Role::State(name()),
        Ok(()) => Role::Fields(name()),
        Err(_) if is_sized(record, types) => Role::State(name()),
        Err(_) => Role::Raw,
    }
}

/// Whether a caller can allocate it: it has a size, and no flexible array.
fn is_sized(record: &Record, types: &Types) -> bool {
    let is_open = |id| matches!(types.resolve(id), Type::Array { length: None | Some(0), .. });
    record.size.is_some_and(|size| {
        (1..=LARGEST).contains(&size)
            && record.align.is_none_or(|align| align.is_power_of_two() && size % align == 0)
    }) && !record.members.iter().any(|member| is_open(member.of))
}

/// Whether the members of a struct can be listed with the layout of C; otherwise why not.
pub(super) fn describable(types: &Types, id: TypeId, target: &Target) -> Result<(), String> {
    within(types, id, target, 16)
}

fn within(types: &Types, id: TypeId, target: &Target, depth: u32) -> Result<(), String> {
    let Type::Record(record) = types.resolve(id) else { return Err("it is not a struct".to_owned()) };
    let Some(depth) = depth.checked_sub(1) else { return Err("it nests too deep".to_owned()) };
    if record.kind == RecordKind::Union {
        return Err("a union".to_owned());
    }
    let Some(size) = record.size.filter(|size| (1..=LARGEST).contains(size)) else {
        return Err("a struct with unknown members".to_owned());
    };
    if record.members.is_empty() {
        return Err("a struct without members".to_owned());
    }
    let (mut end, mut most) = (0_u64, 1_u64);
    for member in &record.members {
        if member.bits.is_some() {
            return Err("a struct with bit fields".to_owned());
        }
        if member.name.is_none() {
            return Err("a struct with unnamed members".to_owned());
        }
        member_fits(types, member.of, target, depth)?;
        let layout = types.size(member.of, target).zip(types.align(member.of, target));
        let Some((size, align)) = layout.filter(|(_, align)| align.is_power_of_two()) else {
            return Err("a struct with a member of unknown size".to_owned());
        };
        let begin = end.checked_next_multiple_of(align).unwrap_or(u64::MAX);
        if member.offset.is_some_and(|offset| offset != begin) {
            return Err("a struct with a layout of its own".to_owned());
        }
        end = begin.saturating_add(size);
        most = most.max(align);
    }
    let whole = end.checked_next_multiple_of(most) == Some(size);
    if !whole || record.align.is_some_and(|align| align != most) {
        return Err("a struct with a layout of its own".to_owned());
    }
    Ok(())
}

fn member_fits(types: &Types, id: TypeId, target: &Target, depth: u32) -> Result<(), String> {
    match types.resolve(id) {
        Type::Pointer { .. } => Ok(()),
        Type::Record(record) if record.kind == RecordKind::Union => Err("a struct with a union".to_owned()),
        Type::Record(_) => within(types, id, target, depth),
        Type::Array { of, length: Some(1..) } => match types.resolve(*of) {
            Type::Pointer { .. } => Err("a struct with an array of pointers".to_owned()),
            _ => match depth.checked_sub(1) {
                Some(depth) => member_fits(types, *of, target, depth),
                None => Err("it nests too deep".to_owned()),
            },
        },
        Type::Array { .. } => Err("a struct with an array that has no length".to_owned()),
        _ => match scalar(types, id, target) {
            Ok(_) => Ok(()),
            Err(what) => Err(format!("a struct with {what}")),
        },
    }
}
