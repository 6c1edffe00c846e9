//! What all functions of a document share: the types, which of them are handles, and which functions free
//! what.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::json;

use super::function::Entry;
use super::names::{Names, fold, words};
use super::records::{Records, Role};
use super::scalar::{Object, Scalar, peel, scalar};
use super::schemas::{Schemas, Source, object};
use crate::{Constant, Interface, Signature, Target, Type, TypeId, Types};

pub(super) struct Context<'i> {
    pub(super) types: &'i Types,
    pub(super) target: &'i Target,
    records: Records,
    pub(super) schemas: RefCell<Schemas>,
    /// The functions that free a handle of each type, most likely first.
    frees: HashMap<String, Vec<String>>,
    /// The functions that free any pointer.
    frees_any: Vec<String>,
    /// The states that some function begins.
    begun: Vec<String>,
    /// Functions that take only integers and return one: they can compute a length.
    bounds: Vec<(String, usize)>,
    constants: &'i [Constant],
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
    pub(super) fn new(entries: &[Entry<'i>], interface: &'i Interface) -> Self {
        let Interface { types, target, constants, .. } = interface;
        let mut names = Names::of_types();
        let functions = entries.iter().map(|entry| (entry.name.as_str(), entry.signature));
        let records = Records::survey(functions, types, target, &mut names);
        let mut context = Self {
            types,
            target,
            records,
            schemas: RefCell::new(Schemas::new(names)),
            frees: HashMap::new(),
            frees_any: Vec::new(),
            begun: Vec::new(),
            bounds: Vec::new(),
            constants,
        };
        for entry in entries {
            context.learn(entry);
        }
        // `gzclose` before `gzclose_r`: the plain name is the general function.
        context.frees.values_mut().for_each(|names| names.sort_by_key(|name| (name.len(), name.clone())));
        context.frees_any.sort_by_key(|name| (name.len(), name.clone()));
        context
    }

    fn learn(&mut self, entry: &Entry<'i>) {
        let parameters = &entry.signature.parameters;
        if let [parameter] = parameters.as_slice()
            && is_free(&entry.name)
        {
            match self.handle_of(parameter.of) {
                Some((handle, _)) => self.frees.entry(handle).or_default().push(entry.name.clone()),
                None if matches!(self.pointee(parameter.of), Some((Pointee::Void, false))) => {
                    self.frees_any.push(entry.name.clone());
                }
                None => {}
            }
        }
        if super::records::begins(&entry.name) {
            for parameter in parameters {
                if let Some((Pointee::State(name), false)) = self.pointee(parameter.of) {
                    self.begun.push(name);
                }
            }
        }
        let is_integer = |id: TypeId| matches!(self.types.resolve(id), Type::Integer(_));
        if is_integer(entry.signature.returns) && parameters.iter().all(|parameter| is_integer(parameter.of))
        {
            self.bounds.push((entry.name.clone(), parameters.len()));
        }
    }

    pub(super) fn source(&self) -> Source<'_> {
        Source { types: self.types, target: self.target, records: &self.records }
    }

    /// The target of the pointer `id`, and whether it is `const`; `None` if `id` is not a pointer.
    pub(super) fn pointee(&self, id: TypeId) -> Option<(Pointee<'i>, bool)> {
        let outer = peel(self.types, id);
        let Type::Pointer { to, constant } = outer.of else { return None };
        Some((self.target_of(*to, &outer.aliases), *constant))
    }

    /// The kind of target at `to`, behind a pointer with these aliases.
    pub(super) fn target_of(&self, to: TypeId, aliases: &[&str]) -> Pointee<'i> {
        let inner = peel(self.types, to);
        match inner.of {
            Type::Function(signature) => Pointee::Function(signature),
            Type::Void => match void_handle(aliases, &inner.aliases) {
                Some(alias) => Pointee::Handle(self.schemas.borrow_mut().handle(alias)),
                None => Pointee::Void,
            },
            Type::Record(_) => match self.records.role(self.types, to) {
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

    /// The functions that free a handle of this type.
    pub(super) fn frees_of(&self, handle: &str) -> &[String] {
        self.frees.get(handle).map_or(&[], Vec::as_slice)
    }

    /// The function that frees memory of the library.
    pub(super) fn frees_any(&self) -> Option<&str> {
        self.frees_any.first().map(String::as_str)
    }

    pub(super) fn is_begun(&self, state: &str) -> bool {
        self.begun.iter().any(|begun| begun == state)
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

    /// Whether a struct contains pointers, so that only unsafe code can pass it.
    pub(super) fn has_pointers(&self, id: TypeId) -> bool {
        fn within(types: &Types, id: TypeId, depth: u32) -> bool {
            let Some(depth) = depth.checked_sub(1) else { return true };
            match types.resolve(id) {
                Type::Pointer { .. } => true,
                Type::Array { of, .. } => within(types, *of, depth),
                Type::Record(record) => record.members.iter().any(|member| within(types, member.of, depth)),
                _ => false,
            }
        }
        within(self.types, id, 16)
    }

    pub(super) fn write_schema(&self, name: &str, id: TypeId) {
        self.schemas.borrow_mut().write(name, id, self.source());
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

/// The alias that makes `void` or `void*` a type of its own: `CURL`, `iconv_t`, but not `voidp`.
fn void_handle<'i>(of_pointer: &[&'i str], of_void: &[&'i str]) -> Option<&'i str> {
    let named = of_void.first().or_else(|| of_pointer.last().filter(|_| of_void.is_empty()))?;
    let folded = fold(named);
    let is_plain = ["void", "ptr", "pointer"].iter().any(|word| folded.contains(word));
    (!is_plain).then_some(named)
}

/// Whether a function with this name frees what it takes.
pub(super) fn is_free(name: &str) -> bool {
    const FREES: [&str; 5] = ["free", "destroy", "delete", "dispose", "dealloc"];
    const ENDS: [&str; 9] =
        ["close", "cleanup", "finalize", "finalise", "finish", "release", "unref", "deinit", "fini"];
    let words = words(name);
    let last = words.iter().rfind(|word| word.len() > 2 && *word != "all");
    let frees = |word: &String| FREES.iter().any(|free| word.ends_with(free) || word.starts_with(free));
    // `free_x`, `LZ4_freeStream` and `curl_slist_free_all`, but not `jit_free_unused_memory`.
    words.iter().take(2).any(frees)
        || last.is_some_and(|last| frees(last) || ENDS.iter().any(|end| last.ends_with(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_free_are_known_by_their_names() {
        for name in ["gzclose", "gzclose_r", "sqlite3_close_v2", "LZ4_freeStream", "curl_slist_free_all"] {
            assert!(is_free(name), "{name}");
        }
        for name in ["sqlite3_db_release_memory", "gzopen", "pcre2_jit_free_unused_memory_8", "sqlite3_step"]
        {
            assert!(!is_free(name), "{name}");
        }
    }

    #[test]
    fn an_alias_of_void_is_a_handle_unless_it_says_void() {
        assert_eq!(void_handle(&[], &["CURL"]), Some("CURL"));
        assert_eq!(void_handle(&["iconv_t"], &[]), Some("iconv_t"));
        assert_eq!(void_handle(&["voidpc"], &[]), None);
        assert_eq!(void_handle(&[], &[]), None);
    }
}
