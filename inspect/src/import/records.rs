//! The structs and unions behind pointers, and what each is in the document: a handle, a struct with its
//! members, or a state that only C reads.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::elsewhere;
use super::names::Names;
use super::scalar::{peel, scalar};
use crate::{Interface, Record, RecordKind, Signature, Target, Type, TypeId, Types};

/// The largest struct that a document may describe, in bytes.
const LARGEST: u64 = 64 << 20;

/// The types of the C library and of POSIX that are opaque by their standard, although headers may define them.
pub(super) const OPAQUE: [&str; 2] = ["FILE", "DIR"];

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
    is_by_value: bool,
    /// Whether a function returns a pointer to one, or takes a pointer to such a pointer.
    is_given: bool,
}

/// All records, by [`Survey::key`].
pub(super) struct Records {
    roles: HashMap<String, Role>,
    apart: HashMap<String, Aliases>,
    /// The types of schemas, by name. Each is the definition, where one unit defines what another only declares.
    defined: HashMap<String, TypeId>,
}

/// The names that typedefs give to one struct, and to pointers to it.
#[derive(Default)]
struct Aliases {
    own: Vec<String>,
    of_pointers: Vec<String>,
}

impl Records {
    /// Examines all uses. Names of types are taken from `names`.
    pub(super) fn survey<'i>(
        signatures: impl Iterator<Item = &'i Signature> + Clone,
        interface: &Interface,
        names: &mut Names,
        [is_made, is_hiding]: [&dyn Fn(&str) -> bool; 2],
    ) -> Self {
        let types = &interface.types;
        let mut survey =
            Survey { types, order: Vec::new(), uses: HashMap::new(), apart: HashMap::new(), is_naming: true };
        for is_naming in [true, false] {
            survey.is_naming = is_naming;
            for signature in signatures.clone() {
                for parameter in &signature.parameters {
                    survey.visit(parameter.of, false);
                }
                survey.visit(signature.returns, true);
            }
        }
        // What no function gives has to come from the caller.
        let is_callers = |uses: &&Uses| !uses.is_complete && !uses.is_given;
        let tags: BTreeSet<&str> =
            survey.uses.values().filter(is_callers).filter_map(|uses| uses.tag.as_deref()).collect();
        let elsewhere = elsewhere::defined(&tags, interface);
        let (mut roles, mut defined) = (HashMap::new(), HashMap::new());
        for key in &survey.order {
            if let Some(uses) = survey.uses.get(key) {
                let role = role(uses, interface, names, &elsewhere, [is_made, is_hiding]);
                if let Role::Fields(name) | Role::State(name) = &role {
                    defined.insert(name.clone(), uses.id);
                }
                roles.insert(key.clone(), role);
            }
        }
        Self { roles, apart: survey.apart, defined }
    }

    /// The type of the schema `name`.
    pub(super) fn defined(&self, name: &str) -> Option<TypeId> {
        self.defined.get(name).copied()
    }

    /// Whether a handle has this name.
    pub(super) fn is_handle(&self, name: &str) -> bool {
        self.roles.values().any(|role| matches!(role, Role::Handle(known) if known == name))
    }

    pub(super) fn role(&self, types: &Types, id: TypeId) -> Role {
        self.role_behind(types, id, &[])
    }

    /// The role of a record behind a pointer with these aliases.
    pub(super) fn role_behind(&self, types: &Types, id: TypeId, pointer_aliases: &[&str]) -> Role {
        let key = key(types, id, pointer_aliases, &self.apart);
        key.and_then(|key| self.roles.get(&key).cloned()).unwrap_or(Role::Raw)
    }
}

/// The identity of a struct: its tag, or else its alias. If typedefs give one tag several names, each is a type
/// of its own.
fn key(
    types: &Types,
    id: TypeId,
    pointer_aliases: &[&str],
    apart: &HashMap<String, Aliases>,
) -> Option<String> {
    let peeled = peel(types, id);
    let Type::Record(record) = peeled.of else { return None };
    let own = peeled.aliases.last().copied();
    Some(match (&record.name, own) {
        (Some(tag), own) => {
            let aliases = apart.get(tag);
            let chosen = match aliases {
                Some(aliases) if aliases.own.len() > 1 => own,
                Some(aliases) if aliases.own.is_empty() && aliases.of_pointers.len() > 1 => {
                    pointer_aliases.last().copied()
                }
                _ => None,
            };
            match chosen {
                Some(alias) => format!("tag {tag} alias {alias}"),
                None => format!("tag {tag}"),
            }
        }
        (None, Some(alias)) => format!("alias {alias}"),
        (None, None) => format!("{:?}", peeled.id),
    })
}

struct Survey<'t> {
    types: &'t Types,
    order: Vec<String>,
    uses: HashMap<String, Uses>,
    apart: HashMap<String, Aliases>,
    /// Whether only the names are collected yet.
    is_naming: bool,
}

impl Survey<'_> {
    fn visit(&mut self, id: TypeId, is_returned: bool) {
        let outer = peel(self.types, id);
        let Type::Pointer { to, constant } = outer.of else {
            if let Some(uses) = self.uses_of(id, None) {
                uses.is_by_value = true;
            }
            return;
        };
        let inner = peel(self.types, *to);
        match inner.of {
            Type::Record(_) => {
                if let Some(uses) = self.uses_of(*to, outer.aliases.last().copied()) {
                    uses.is_given |= is_returned;
                }
            }
            Type::Pointer { to, .. } => {
                // C can leave a pointer there.
                if let Some(uses) = self.uses_of(*to, inner.aliases.last().copied()) {
                    uses.is_given |= !constant;
                }
            }
            _ => {}
        }
    }

    fn uses_of(&mut self, id: TypeId, pointer_alias: Option<&str>) -> Option<&mut Uses> {
        let peeled = peel(self.types, id);
        let Type::Record(record) = peeled.of else { return None };
        let alias = peeled.aliases.last().map(|alias| (*alias).to_owned());
        if self.is_naming {
            let aliases = self.apart.entry(record.name.clone()?).or_default();
            for (list, name) in
                [(&mut aliases.own, alias.as_deref()), (&mut aliases.of_pointers, pointer_alias)]
            {
                if let Some(name) = name.filter(|name| !list.iter().any(|known| known == name)) {
                    list.push(name.to_owned());
                }
            }
            return None;
        }
        let pointer_aliases: Vec<&str> = pointer_alias.into_iter().collect();
        let key = key(self.types, id, &pointer_aliases, &self.apart)?;
        if !self.uses.contains_key(&key) {
            self.order.push(key.clone());
        }
        let uses = self.uses.entry(key).or_insert_with(|| Uses {
            id: peeled.id,
            alias: None,
            pointer_alias: None,
            tag: record.name.clone(),
            is_complete: record.size.is_some(),
            is_by_value: false,
            is_given: false,
        });
        // One unit may define what another only declares.
        if record.size.is_some() && !uses.is_complete {
            uses.id = peeled.id;
            uses.is_complete = true;
        }
        uses.alias = uses.alias.take().or(alias);
        uses.pointer_alias = uses.pointer_alias.take().or(pointer_alias.map(str::to_owned));
        Some(uses)
    }
}

/// A struct that is defined is a struct, unless the documentation of its type says otherwise; one that is not
/// can only be passed around.
fn role(
    uses: &Uses,
    interface: &Interface,
    names: &mut Names,
    elsewhere: &HashSet<String>,
    [is_made, is_hiding]: [&dyn Fn(&str) -> bool; 2],
) -> Role {
    let wanted = [&uses.alias, &uses.pointer_alias, &uses.tag].into_iter().flatten().next();
    let mut name = || names.take(wanted.map_or("Struct", String::as_str), "Struct");
    let Interface { types, target, type_comments, .. } = interface;
    let fields = describable(types, uses.id, target);
    let is_called = |names: &[&str]| {
        [&uses.alias, &uses.tag].into_iter().flatten().any(|name| names.contains(&name.as_str()))
    };
    // What only its address says: `static const user_data_key_t key;`.
    if is_identity(uses, types) && !uses.is_by_value {
        return Role::Raw;
    }
    // The beginning of an address of any length.
    if is_called(&["sockaddr"]) && !uses.is_by_value {
        return Role::Raw;
    }
    // What its bytes lead to, only C knows.
    let is_hiding = [&uses.alias, &uses.tag].into_iter().flatten().any(|name| is_hiding(name));
    if uses.is_by_value {
        return if fields.is_ok() && !is_hiding { Role::Fields(name()) } else { Role::Raw };
    }
    let is_called_opaque = [&uses.alias, &uses.pointer_alias].into_iter().flatten().any(|alias| {
        type_comments.get(alias).is_some_and(|(text, _)| says_handle(text, types, uses.id).is_some())
    });
    let is_opaque = uses.alias.as_deref().is_some_and(|alias| OPAQUE.contains(&alias));
    // What only the library makes is handed back as it was. So is what it gives, if its bytes lead to more.
    let is_made = [&uses.alias, &uses.tag].into_iter().flatten().any(|name| is_made(name));
    let is_elsewhere = || uses.tag.as_deref().is_some_and(|tag| elsewhere.contains(tag));
    if !uses.is_complete && !uses.is_given && !is_made && is_elsewhere() {
        return Role::Raw;
    }
    if !uses.is_complete || (is_called_opaque || is_hiding) && uses.is_given || is_opaque || is_made {
        return Role::Handle(name());
    }
    let Type::Record(record) = types.resolve(uses.id) else { return Role::Raw };
    match fields {
        // The caller has its memory, and only C reads it.
        Ok(()) if (is_called_opaque || is_hiding) && is_sized(record, types) => Role::State(name()),
        Ok(()) => Role::Fields(name()),
        Err(_) if is_sized(record, types) => Role::State(name()),
        Err(_) => Role::Raw,
    }
}

/// Whether a struct has nothing but a member that nobody uses.
fn is_identity(uses: &Uses, types: &Types) -> bool {
    let Type::Record(record) = types.resolve(uses.id) else { return false };
    match record.members.as_slice() {
        [only] => {
            let name = only.name.as_deref().unwrap_or_default().trim_matches('_').to_lowercase();
            ["unused", "dummy", "reserved", "opaque", "private", "placeholder"].contains(&name.as_str())
        }
        _ => false,
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

/// The sentence of the documentation of a type that says that only C knows what is behind it. A sentence that names a member
/// is about the member: "The value 'handle' should be considered opaque".
pub(super) fn says_handle<'t>(text: &'t str, types: &Types, id: TypeId) -> Option<&'t str> {
    let members = match types.resolve(id) {
        Type::Record(record) => record.members.as_slice(),
        _ => &[],
    };
    let is_member = |word: &str| {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let bare = word.trim_matches(|c| !is_name(c));
        let is_marked = bare.len() < word.trim_end_matches(['.', ',', ';', ':']).len() || bare.contains('_');
        is_marked && members.iter().any(|member| member.name.as_deref() == Some(bare))
    };
    let says = |sentence: &&str| {
        let plain = sentence.to_lowercase();
        let is_said = ["opaque", "a handle to ", "handle to a "].iter().any(|words| plain.contains(words));
        is_said && !sentence.split_whitespace().any(is_member)
    };
    text.split(['\n', '.']).find(says)
}
