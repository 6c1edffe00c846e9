//! The functions that are proven to free something, and those of which a question asks it.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::context::{Context, Pointee};
use super::evidence::Evidence;
use super::function::Entry;
use super::gir::Gir;
use super::lent;
use super::names::words;
use super::ownership;
use crate::{AttributeKind, Type};

/// What is known about the functions of a document that free.
#[derive(Default)]
pub(super) struct Frees {
    /// The functions that take one handle of each type and may free it, most likely first: only for questions.
    may_free: HashMap<String, Vec<String>>,
    /// The functions that may free any pointer: only for questions.
    may_free_any: Vec<String>,
    /// The functions that take one `void*` and nothing else, by their names in C and in the document.
    takes_any: Vec<(String, String)>,
    /// The types of texts that nobody can change, and that a function may free: they do not say who owns the text.
    may_free_texts: HashSet<String>,
    /// The functions that are proven to free their only handle.
    proven: HashMap<String, Evidence>,
    /// Those of them that give up a reference.
    unrefs: Vec<String>,
    /// The functions that are proven to free a handle of each type.
    of_types: HashMap<String, Vec<(String, Evidence)>>,
    /// The types of handles of which a function may free something that they hold, while they live on.
    inside: HashSet<String>,
    /// The types of handles of which a function that frees them may free what they hold, too.
    whole: HashSet<String>,
    /// The types of the handles that functions get which return a handle of each type.
    givers: HashMap<String, HashSet<String>>,
    /// The functions that are proven to free the result, or an output, of a function.
    given: HashMap<(String, Option<String>), (String, Evidence)>,
}

/// Words of the documentation of a function that something else calls, such as a macro that counts owners.
const NOT_CALLED: [&str; 4] = ["do not call", "don't call", "never call", "not be called"];

impl Frees {
    pub(super) fn learn(entries: &[Entry<'_>], context: &Context<'_>, gir: &[Gir]) -> Self {
        let mut frees = Self::default();
        for entry in entries {
            frees.learn_names(entry, context);
        }
        let mut named: HashMap<&str, Vec<&Entry<'_>>> = HashMap::new();
        for entry in entries {
            named.entry(&entry.function.name).or_default().push(entry);
        }
        for entry in entries {
            frees.learn_proofs(entry, &named, context);
        }
        for entry in entries {
            if only_handle(entry, context).is_some()
                && let Some(evidence) = context.seen.frees(entry, context.types)
            {
                frees.proven.entry(entry.name.clone()).or_insert(evidence);
            }
        }
        for (of, free, evidence) in gir.iter().flat_map(Gir::frees) {
            let entry = entries.iter().find(|entry| entry.function.name == free);
            if let Some((entry, handle)) = entry.and_then(|entry| Some((entry, only_handle(entry, context)?)))
                && handle == of
            {
                frees.proven.entry(entry.name.clone()).or_insert_with(|| evidence.clone());
                frees.of_types.insert(handle, vec![(entry.name.clone(), evidence)]);
            }
        }
        for entry in entries {
            // A function that also gives something is no destructor.
            let gives = context.pointee(entry.signature.returns).is_some();
            if let (Some(handle), Some(evidence), false) =
                (only_handle(entry, context), frees.proven.get(&entry.name), gives)
            {
                let known = frees.of_types.entry(handle).or_default();
                if known.iter().all(|(free, _)| *free != entry.name) {
                    known.push((entry.name.clone(), evidence.clone()));
                }
            }
        }
        frees.learn_ends(entries, context);
        for entry in entries.iter().filter(|entry| frees.proven.contains_key(&entry.name)) {
            let frees_whole =
                || context.seen.of(entry, context.types, 0).is_none_or(|of| of.may_end_content());
            if let Some(handle) = only_handle(entry, context).filter(|_| frees_whole()) {
                frees.whole.insert(handle);
            }
        }
        for entry in entries.iter().filter(|entry| !frees.proven.contains_key(&entry.name)) {
            for (index, parameter) in entry.signature.parameters.iter().enumerate() {
                if let Some((handle, false)) = context.handle_of(parameter.of)
                    && !frees.inside.contains(&handle)
                    && context.seen.of(entry, context.types, index).is_none_or(|of| of.may_free_content())
                {
                    frees.inside.insert(handle);
                }
            }
        }
        for (handle, names) in &mut frees.may_free {
            // `gzclose` before `gzclose_r`: the plain name is the general function.
            names.sort_by_key(|name| {
                let is_proven = frees.proven.contains_key(name);
                (!is_proven, !ownership::is_named_after(name, handle), name.len(), name.clone())
            });
        }
        frees.may_free_any.sort_by_key(|name| (name.len(), name.clone()));
        frees
    }

    /// The only function that may free handles of a type, and which nothing tells whether it did: the caller has it no more,
    /// whether it was the last owner or not. If there were another, this one could give up what somebody else owned, and that
    /// one what the caller owns.
    fn learn_ends(&mut self, entries: &[Entry<'_>], context: &Context<'_>) {
        let mut enders: HashMap<String, Vec<&Entry<'_>>> = HashMap::new();
        for entry in entries.iter().filter(|entry| lent::may_end(&entry.name)) {
            for (index, parameter) in entry.signature.parameters.iter().enumerate() {
                if let Some((handle, _)) = context.handle_of(parameter.of)
                    && context
                        .seen
                        .of(entry, context.types, index)
                        .is_none_or(|of| of.may_be_freed() || of.is_given())
                {
                    enders.entry(handle).or_default().push(entry);
                }
            }
        }
        for (handle, entries) in enders {
            if let [only] = entries.as_slice()
                && !self.proven.contains_key(&only.name)
                && !self.of_types.contains_key(&handle)
                && only_handle(only, context).as_ref() == Some(&handle)
                && !only.said.mentions(&NOT_CALLED)
                && let Some(evidence) = context.seen.ends(only, context.types)
            {
                self.proven.insert(only.name.clone(), evidence.clone());
                self.of_types.insert(handle, vec![(only.name.clone(), evidence)]);
            }
        }
    }

    fn learn_names(&mut self, entry: &Entry<'_>, context: &Context<'_>) {
        self.may_free_texts.extend(freed_text(entry, context));
        if let Some((given, false)) = context.handle_of(entry.signature.returns) {
            let handles = entry.signature.parameters.iter().filter_map(|of| context.handle_of(of.of));
            let others = handles.map(|(of, _)| of).filter(|of| *of != given);
            self.givers.entry(given.clone()).or_default().extend(others);
        }
        let [parameter] = entry.signature.parameters.as_slice() else { return };
        if matches!(context.pointee(parameter.of), Some((Pointee::Void, false))) {
            self.takes_any.push((entry.function.name.clone(), entry.name.clone()));
            if words(&entry.name).last().is_some_and(|word| word.ends_with("free")) {
                self.may_free_any.push(entry.name.clone());
            }
        }
        if let Some((handle, false)) = context.handle_of(parameter.of)
            && entry.states_list(1).is_none()
            && entry.states_given(1).is_none()
            && ownership::may_release(&entry.name)
        {
            self.may_free.entry(handle).or_default().push(entry.name.clone());
        }
    }

    /// What `entry` says about functions that free: itself, and those of the `named` that free what it gives.
    fn learn_proofs(
        &mut self,
        entry: &Entry<'_>,
        named: &HashMap<&str, Vec<&Entry<'_>>>,
        context: &Context<'_>,
    ) {
        if let Some(handle) = only_handle(entry, context) {
            let parameter = entry.signature.parameters.first().and_then(|only| only.name.as_deref());
            let objects = ownership::objects(parameter.unwrap_or_default(), &handle);
            if entry.said.drops_reference(&objects) {
                self.unrefs.push(entry.name.clone());
            }
            let ends = || {
                let ends = || entry.said.ends(parameter.unwrap_or_default(), &objects);
                entry.said.frees_memory(&objects).or_else(ends).filter(|_| lent::may_end(&entry.name))
            };
            if let Some(evidence) = entry.said.frees(&objects).or_else(ends) {
                self.proven.entry(entry.name.clone()).or_insert(evidence);
            }
        }
        let mut given: Vec<(Option<&str>, String)> = Vec::new();
        if let Some((handle, false)) = context.handle_of(entry.signature.returns) {
            given.push((None, handle));
        }
        for parameter in &entry.signature.parameters {
            if let Some((handle, true)) = context.handle_of(parameter.of) {
                given.push((parameter.name.as_deref(), handle));
            }
        }
        for (parameter, handle) in given {
            let fits = |name: &str| {
                let known = named.get(name)?;
                known.iter().find(|known| only_handle(known, context).as_ref() == Some(&handle))
            };
            // What frees something is known whichever of its functions the sentence is about.
            if let Some((free, evidence)) = entry.said.named_frees(parameter, |name| fits(name).is_some())
                && let Some(free) = fits(&free)
            {
                self.proven.entry(free.name.clone()).or_insert(evidence);
            }
            let attribute = entry.function.attributes.iter().find_map(|attribute| match &attribute.of {
                AttributeKind::Malloc(free, 1) if parameter.is_none() => {
                    Some((free.clone(), Evidence::attribute(attribute)))
                }
                _ => None,
            });
            let said = || entry.said.freed_with(&entry.function.name, parameter, |name| fits(name).is_some());
            if let Some((free, evidence)) = attribute.or_else(said)
                && let Some(free) = fits(&free)
            {
                self.proven.entry(free.name.clone()).or_insert_with(|| evidence.clone());
                let given = (entry.name.clone(), parameter.map(str::to_owned));
                self.given.insert(given, (free.name.clone(), evidence));
            }
        }
    }

    /// What proves that a function frees its only handle.
    pub(super) fn proven(&self, function: &str) -> Option<&Evidence> {
        self.proven.get(function)
    }

    /// The function that is proven to free the result of `entry`, or its output `parameter`.
    pub(super) fn of(&self, entry: &Entry<'_>, parameter: Option<&str>) -> Option<&(String, Evidence)> {
        self.given.get(&(entry.name.clone(), parameter.map(str::to_owned)))
    }

    /// Whether a function may free something that handles of this type hold, other than with the handle.
    pub(super) fn frees_inside(&self, handle: &str) -> bool {
        self.inside.contains(handle)
    }

    /// Whether what handles of this type hold may be freed with them: then what they were given may be theirs.
    pub(super) fn frees_whole(&self, handle: &str) -> bool {
        self.whole.contains(handle)
    }

    /// Whether handles of this type come from handles of several types: then one of them may free it before another.
    pub(super) fn has_several_givers(&self, handle: &str) -> bool {
        self.givers.get(handle).is_some_and(|givers| givers.len() > 1)
    }

    /// Whether a function is proven to free handles of this type.
    pub(super) fn frees_any(&self, handle: &str) -> bool {
        self.of_types.contains_key(handle)
    }

    /// The only function that is proven to free handles of this type, or to give up a reference to them.
    pub(super) fn of_type(&self, handle: &str) -> Option<&(String, Evidence)> {
        match self.of_types.get(handle).map(Vec::as_slice) {
            Some([only]) => Some(only),
            Some(several) => {
                let mut unrefs = several.iter().filter(|(name, _)| self.unrefs.contains(name));
                unrefs.next().filter(|_| unrefs.next().is_none())
            }
            None => None,
        }
    }

    /// What frees handles of this type: the only function that is proven to, or that of all objects.
    pub(super) fn of_handle(&self, handle: &str, context: &Context<'_>) -> Option<(Value, Evidence)> {
        if let Some((free, says)) = self.of_type(handle) {
            return Some((free.as_str().into(), says.clone()));
        }
        if let Some((free, says)) = context.freed_by(handle) {
            return Some((json!({ "symbol": free }), says));
        }
        Some((json!({ "symbol": "g_object_unref" }), context.is_object(handle)?))
    }

    /// What frees memory that `g_malloc` gave: the function of the document, or the symbol.
    pub(super) fn symbol(&self, name: &str) -> Value {
        match self.takes_any.iter().find(|(in_c, _)| in_c == name) {
            Some((_, name)) => name.as_str().into(),
            None => json!({ "symbol": name }),
        }
    }

    /// The functions that may free a handle of this type.
    pub(super) fn may_free(&self, handle: &str) -> &[String] {
        self.may_free.get(handle).map_or(&[], Vec::as_slice)
    }

    /// The function that may free memory of the library.
    pub(super) fn may_free_any(&self) -> Option<&str> {
        self.may_free_any.first().map(String::as_str)
    }

    /// Whether the caller may have to free a text of this type that nobody can change.
    pub(super) fn may_free_text(&self, of: &str) -> bool {
        self.may_free_texts.contains(of)
    }

    /// The function that the documentation of `entry` names as what frees the memory that it returns.
    pub(super) fn of_memory(&self, entry: &Entry<'_>) -> Option<(String, Evidence)> {
        let known = |name: &str| self.takes_any.iter().find(|(in_c, _)| in_c == name);
        let (free, evidence) =
            entry.said.memory_freed_with(&entry.function.name, |name| known(name).is_some())?;
        Some((known(&free)?.1.clone(), evidence))
    }
}

/// Words of functions that free a text.
pub(super) const FREES: [&str; 4] = ["dealloc", "destroy", "free", "release"];

/// The type of the text that a function may do nothing but free: its last pointer, which nobody can change.
fn freed_text(entry: &Entry<'_>, context: &Context<'_>) -> Option<String> {
    let parameters = entry.signature.parameters.iter().rev();
    let (of, pointee) = parameters.filter_map(|last| Some((last.of, context.pointee(last.of)?))).next()?;
    let is_freed = matches!(pointee, (Pointee::Scalar(of), true) if of.is_char())
        && matches!(context.types.resolve(entry.signature.returns), Type::Void)
        && words(&entry.name).iter().any(|word| FREES.contains(&word.as_str()));
    is_freed.then(|| context.types.spelling(of))
}

/// The type of the only parameter of a function, if it is a handle that C can change.
fn only_handle(entry: &Entry<'_>, context: &Context<'_>) -> Option<String> {
    match entry.signature.parameters.as_slice() {
        [only] => match context.pointee(only.of)? {
            // A list is no handle: only unsafe code can pass it.
            (Pointee::Handle(handle), false) => Some(handle).filter(|_| entry.states_list(1).is_none()),
            _ => None,
        },
        _ => None,
    }
}
