//! What all functions of a document share: the types, which of them are handles, and which functions free
//! what.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use serde_json::json;

use super::evidence::Evidence;
use super::frees::Frees;
use super::function::Entry;
use super::gir::Gir;
use super::names::{Names, words};
use super::records::{OPAQUE, Records, Role, says_handle};
use super::scalar::{Object, Scalar, peel, scalar};
use super::schemas::{Schemas, Source, object};
use super::seen::{self, Seen};
use crate::{AttributeKind, Constant, Interface, Place, Signature, Target, Type, TypeId, Types};

pub(super) struct Context<'i> {
    pub(super) types: &'i Types,
    pub(super) target: &'i Target,
    records: Records,
    pub(super) schemas: RefCell<Schemas>,
    /// Whether the types are those of debug info.
    is_debug_info: bool,
    /// The functions that free, and those that may.
    pub(super) frees: Frees,
    type_comments: &'i HashMap<String, (String, Place)>,
    /// Functions that take only integers and return one: they can compute a length.
    bounds: Vec<(String, usize)>,
    /// The names of all functions.
    functions: HashSet<&'i str>,
    constants: &'i [Constant],
    gir: &'i [Gir],
    /// The machine code of the library.
    pub(super) seen: Seen,
    /// The types of which the library frees objects, with what proves it.
    made: HashMap<String, Evidence>,
    /// The structs that hold pointers in what looks like numbers.
    hiding: HashMap<String, Evidence>,
}

/// The target of a pointer.
pub(super) enum Pointee<'i> {
    Function(&'i Signature),
    Handle(String),
    Fields(String),
    State(String),
    Void,
    Scalar(Scalar),
    Pointer {
        to: TypeId,
        constant: bool,
        aliases: Vec<&'i str>,
    },
    /// A target that no key can describe.
    Raw,
}

impl<'i> Context<'i> {
    pub(super) fn new(
        entries: &[Entry<'i>],
        interface: &'i Interface,
        is_debug_info: bool,
        gir: &'i [Gir],
        seen: Seen,
    ) -> Self {
        let Interface { types, target, constants, type_comments, .. } = interface;
        let mut names = Names::of_types();
        let signatures = entries.iter().map(|entry| entry.signature);
        seen.declare(entries, types);
        let made = seen.made(entries, types);
        let is_made = |of: &str| made.contains_key(of) || gir.iter().any(|gir| gir.makes(of).is_some());
        let hiding = seen.hiding(entries, types);
        let is_hiding = |of: &str| hiding.contains_key(of);
        let records = Records::survey(signatures, interface, &mut names, [&is_made, &is_hiding]);
        let mut context = Self {
            types,
            target,
            records,
            schemas: RefCell::new(Schemas::new(names)),
            is_debug_info,
            frees: Frees::default(),
            type_comments,
            bounds: Vec::new(),
            // Those that are not imported too.
            functions: interface.functions.iter().map(|function| function.name.as_str()).collect(),
            constants,
            gir,
            seen,
            made,
            hiding,
        };
        context.bounds = context.bounds(entries);
        context.frees = Frees::learn(entries, &context, gir);
        context
    }

    /// Whether the library has a function with this name.
    pub(super) fn has_function(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    /// Whether the headers have an option that speaks of a parameter with this name as memory that C keeps:
    /// `JSON_C_OBJECT_ADD_CONSTANT_KEY` for `key`.
    pub(super) fn has_option_to_keep(&self, parameter: &str) -> bool {
        const KEPT: [&str; 5] = ["borrow", "const", "constant", "nocopy", "static"];
        let parameter = parameter.to_lowercase();
        parameter.len() > 2
            && self.constants.iter().any(|constant| {
                let words = words(&constant.name);
                words.contains(&parameter) && words.iter().any(|word| KEPT.contains(&word.as_str()))
            })
    }

    /// Functions that take only integers and return one.
    fn bounds(&self, entries: &[Entry<'i>]) -> Vec<(String, usize)> {
        let is_integer = |id: TypeId| matches!(self.types.resolve(id), Type::Integer(_));
        let is_bound = |signature: &Signature| {
            is_integer(signature.returns)
                && signature.parameters.iter().all(|parameter| is_integer(parameter.of))
        };
        let bounds = entries.iter().filter(|entry| is_bound(entry.signature));
        bounds.map(|entry| (entry.name.clone(), entry.signature.parameters.len())).collect()
    }

    /// What proves that the target of a pointer, or of a pointer to one, is a handle.
    pub(super) fn handle_says(&self, entry: &Entry<'_>, id: TypeId) -> Evidence {
        let mut peeled = peel(self.types, id);
        let mut aliases = peeled.aliases.clone();
        for _ in 0..2 {
            if let Type::Pointer { to, .. } = peeled.of {
                peeled = peel(self.types, *to);
                aliases.extend(&peeled.aliases);
            }
        }
        let spelling = self.types.spelling(peeled.id);
        match peeled.of {
            Type::Record(record) if record.size.is_some() => {
                let comment = aliases.iter().find_map(|alias| self.type_comments.get(*alias));
                let freed = || {
                    let mut names = aliases.iter().copied().chain(record.name.as_deref());
                    names.find_map(|of| self.made.get(of).or_else(|| self.hiding.get(of)).cloned())
                };
                let gir = || aliases.iter().find_map(|of| self.gir.iter().find_map(|gir| gir.makes(of)));
                let made = || gir().or_else(freed);
                let standard = aliases.iter().find(|alias| OPAQUE.contains(alias));
                match comment {
                    _ if standard.is_some() => {
                        self.types_say(entry, format!("`{spelling}`, which its standard leaves opaque"))
                    }
                    Some((text, place)) => {
                        let sentence = says_handle(text, self.types, peeled.id);
                        let said = || Evidence::documentation(sentence.unwrap_or(text), Some(place.clone()));
                        made().filter(|_| sentence.is_none()).unwrap_or_else(said)
                    }
                    _ => made().unwrap_or_else(|| self.types_say(entry, format!("`{spelling}`"))),
                }
            }
            Type::Void => self.types_say(entry, "a type of its own whose content is `void`"),
            _ => self.types_say(entry, format!("`{spelling}` is not defined")),
        }
    }

    /// The handle that a `void*` is stated to point to.
    pub(super) fn handle_behind(&self, entry: &Entry<'_>, position: usize) -> Option<(String, Evidence)> {
        let (handle, says) = entry.stated(|of| match of {
            AttributeKind::PointsTo(at, of) if *at == position => Some(of.clone()),
            _ => None,
        })?;
        self.records.is_handle(&handle).then_some((handle, says))
    }

    /// What says that the owners of a handle are counted.
    pub(super) fn counts(&self, handle: &str) -> Option<Evidence> {
        self.gir.iter().find_map(|gir| gir.counts(handle))
    }

    /// The function of another library that frees a handle.
    pub(super) fn freed_by(&self, handle: &str) -> Option<(&str, Evidence)> {
        self.gir.iter().find_map(|gir| gir.freed_by(handle))
    }

    /// What says that a handle is an object, which `g_object_unref` frees.
    pub(super) fn is_object(&self, handle: &str) -> Option<Evidence> {
        self.gir.iter().find_map(|gir| gir.is_object(handle))
    }

    /// Whether a pointer to `char` may be something other than a text: a typedef names the pointer, and no comment of
    /// the typedef calls it a text.
    pub(super) fn may_be_no_text(&self, id: TypeId) -> bool {
        let aliases = peel(self.types, id).aliases;
        let is_text = |alias: &&str| {
            self.type_comments.get(*alias).is_some_and(|(text, _)| {
                let text = text.to_lowercase();
                ["string", "text", "terminated"].iter().any(|word| text.contains(word))
            })
        };
        !aliases.is_empty() && !aliases.iter().any(is_text)
    }

    /// What says that a pointer to `scalar` points to the bytes of a text: its type, `char`, or the comment of a typedef
    /// that calls such a byte a part of a string.
    pub(super) fn text_says(&self, entry: &Entry<'_>, id: TypeId, scalar: Scalar) -> Option<Evidence> {
        if scalar.is_char() {
            return Some(self.spelling(entry, id));
        }
        let Type::Pointer { to, .. } = peel(self.types, id).of else { return None };
        let mut comments =
            peel(self.types, *to).aliases.into_iter().filter_map(|of| self.type_comments.get(of));
        comments.find_map(|(text, place)| {
            let sentence = text.split(['\n', '.']).find(|part| calls_string(part))?;
            scalar.is_byte().then(|| Evidence::documentation(sentence, Some(place.clone())))
        })
    }

    /// What the types say by themselves.
    pub(super) fn types_say(&self, entry: &Entry<'_>, text: impl Into<String>) -> Evidence {
        Evidence::of_type(text, entry.function, self.is_debug_info)
    }

    /// A type, as evidence shows it.
    pub(super) fn spelling(&self, entry: &Entry<'_>, id: TypeId) -> Evidence {
        self.types_say(entry, format!("`{}`", self.types.spelling(id)))
    }

    pub(super) fn source(&self) -> Source<'_> {
        Source { types: self.types, target: self.target, records: &self.records, gir: self.gir }
    }

    /// The target of the pointer `id`, and whether it is `const`; `None` if `id` is not a pointer.
    pub(super) fn pointee(&self, id: TypeId) -> Option<(Pointee<'i>, bool)> {
        let outer = peel(self.types, id);
        let Type::Pointer { to, constant } = outer.of else { return None };
        Some((self.target_of(*to, &outer.aliases), *constant))
    }

    /// The kind of target at `to`, behind a pointer with these aliases.
    pub(super) fn target_of(&self, to: TypeId, pointer_aliases: &[&str]) -> Pointee<'i> {
        let inner = peel(self.types, to);
        match inner.of {
            Type::Function(signature) => Pointee::Function(signature),
            // `typedef void CURL` is a type of its own, `typedef void *voidp` is any pointer.
            Type::Void => match inner.aliases.last() {
                Some(alias) => Pointee::Handle(self.schemas.borrow_mut().handle(alias)),
                None => Pointee::Void,
            },
            Type::Record(_) => match self.records.role_behind(self.types, to, pointer_aliases) {
                Role::Handle(name) => Pointee::Handle(name),
                Role::Fields(name) => Pointee::Fields(name),
                Role::State(name) => Pointee::State(name),
                Role::Raw => Pointee::Raw,
            },
            Type::Pointer { to, constant } => {
                Pointee::Pointer { to: *to, constant: *constant, aliases: inner.aliases }
            }
            _ => scalar(self.types, to, self.target).map_or(Pointee::Raw, Pointee::Scalar),
        }
    }

    /// The handle type of a parameter that is a handle, or a pointer to one (then with `true`).
    pub(super) fn handle_of(&self, id: TypeId) -> Option<(String, bool)> {
        match self.pointee(id)?.0 {
            Pointee::Handle(name) => Some((name, false)),
            Pointee::Pointer { to, aliases, .. } => match self.target_of(to, &aliases) {
                Pointee::Handle(name) => Some((name, true)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The function that computes how large a result of `function` can be: `compressBound` for `compress2`.
    pub(super) fn bound_of(&self, function: &str) -> Option<&str> {
        self.bounds
            .iter()
            .filter(|(_, parameters)| *parameters == 1)
            .map(|(name, _)| name.as_str())
            .filter(|name| {
                let stem = name.strip_suffix("Bound").or_else(|| name.strip_suffix("_bound"));
                stem.is_some_and(|stem| function.starts_with(stem))
            })
            .max_by_key(|name| name.len())
    }

    /// Constants that may be the size of something in `function`; only those with the closest names:
    /// `crypto_box_KEYBYTES` for `crypto_box_open`.
    pub(super) fn sizes_of(&self, function: &str) -> Vec<&'i Constant> {
        let mut stem = function;
        loop {
            let found: Vec<&Constant> = self
                .constants
                .iter()
                .filter(|constant| {
                    let rest = constant.name.get(stem.len()..).filter(|_| {
                        constant.name.get(..stem.len()).is_some_and(|start| start.eq_ignore_ascii_case(stem))
                    });
                    let is_size =
                        |rest: &str| ["BYTES", "SIZE", "LEN", "LENGTH"].iter().any(|end| rest.ends_with(end));
                    rest.and_then(|rest| rest.strip_prefix('_'))
                        .is_some_and(|rest| !rest.contains('_') && is_size(rest))
                        && (1..=1 << 16).contains(&constant.value)
                })
                .collect();
            if !found.is_empty() {
                return found;
            }
            match stem.rsplit_once('_') {
                Some((shorter, _)) if shorter.len() >= 3 => stem = shorter,
                _ => return Vec::new(),
            }
        }
    }

    /// The schema of a value that is passed or returned by value, or why it has none.
    pub(super) fn by_value(&self, id: TypeId) -> Result<Object, String> {
        let peeled = peel(self.types, id);
        match peeled.of {
            Type::Record(_) => match self.records.role(self.types, id) {
                Role::Fields(name) => {
                    self.write_schema(&name, id);
                    let by_value = json!({ "type": "void", "isPointer": false });
                    Ok(super::schemas::reference(&name, Some(by_value)))
                }
                _ => Err(super::records::describable(self.types, id, self.target)
                    .err()
                    .unwrap_or_else(|| self.types.spelling(id))),
            },
            _ => self.schemas.borrow_mut().scalar(id, self.source()),
        }
    }

    /// The members of a struct, as a schema has them.
    pub(super) fn properties(&self, id: TypeId) -> Option<Object> {
        self.schemas.borrow_mut().properties(id, self.source())
    }

    /// What is stated about a value with this schema: an enum has no other values than those of its schema.
    pub(super) fn of_value(schema: &Object) -> &'static str {
        let is_enum = schema.contains_key("$ref") && !schema.contains_key("cType");
        if is_enum { "by value, one of its enumerators" } else { "by value" }
    }

    pub(super) fn write_schema(&self, name: &str, id: TypeId) {
        let is_hiding = seen::names(self.types, id).any(|of| self.hiding.contains_key(of));
        let id = self.records.defined(name).unwrap_or(id);
        self.schemas.borrow_mut().write(name, id, self.source(), is_hiding);
    }

    /// The schema of a handle; with `depth` 2, of a pointer to one.
    pub(super) fn handle_schema(handle: &str, depth: u64) -> Object {
        let mut c_type = object(json!({ "type": "void", "isPointer": true }));
        if depth == 2 {
            c_type.insert("x-pointerDepth".to_owned(), depth.into());
        }
        c_type.insert("x-handle".to_owned(), handle.into());
        object(json!({ "type": "object", "cType": c_type }))
    }
}

/// Whether a sentence about a type of one byte says that strings consist of it.
fn calls_string(sentence: &str) -> bool {
    const DENIES: [&str; 6] = ["not", "no", "never", "binary", "buffer", "array"];
    const UNITS: [&str; 4] = ["byte", "bytes", "character", "characters"];
    let words: Vec<String> = sentence
        .split(|of: char| !of.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    has(&["string", "strings"]) && has(&UNITS) && !has(&DENIES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_of_a_string_is_called_one() {
        assert!(calls_string("This is a basic byte in an UTF-8 encoded string"));
        assert!(calls_string("One character of the strings of this library"));
        for other in ["8 bits", "A byte, not a string", "A binary string of bytes", "A string", ""] {
            assert!(!calls_string(other), "{other}");
        }
    }
}
