//! Handles that a GIR file lends to a function: when that says that they are still the caller's. The words here only raise
//! questions.

use super::context::Pointee;
use super::evidence::Evidence;
use super::names::words;
use super::ownership::{MAKES, READS, gives_handle, has, has_others};
use super::site::Site;
use crate::Parameter;

/// Words of functions that may free what they take which speak of the handle itself: others may be about what it holds.
const ENDS: [&str; 18] = [
    "close",
    "consume",
    "dealloc",
    "decref",
    "deinit",
    "delete",
    "destroy",
    "dispose",
    "exit",
    "finalise",
    "finalize",
    "fini",
    "free",
    "release",
    "teardown",
    "term",
    "terminate",
    "unref",
];

/// Whether a function with this name may end what it takes for good: names that do not speak of what is inside.
pub(super) fn may_end(name: &str) -> bool {
    let words = words(name);
    let is_end = |word: &String| ENDS.iter().any(|of| word == of || of.len() >= 4 && word.ends_with(of));
    // `set_free_func` and `is_destroyed` are about something that ends later, or has ended.
    let asks = words.iter().any(|word| matches!(word.as_str(), "get" | "set" | "is" | "has"));
    !asks && (words.iter().any(is_end) || words.last().is_some_and(|word| word == "end" || word == "wend"))
}

/// Whether the name of a function suggests that it gives up an owner of an object: no other ends what is counted.
fn gives_up_owner(name: &str) -> bool {
    words(name).last().is_some_and(|word| ["decref", "free", "unref"].contains(&word.as_str()))
}

/// Whether a file states that a handle is lent, and neither the name nor the documentation of the function speaks of
/// ending it: a file says of every instance that it is lent, also of one that is freed. What the words say of freeing
/// is then about what the handle holds. What is counted has one more owner if C keeps it.
pub(super) fn is_lent(handle: &str, site: &Site<'_, '_>) -> bool {
    let (function, said) = (&site.entry.name, &site.entry.said);
    if site.entry.states_lent(site.position()).is_none() || site.entry.function.comment.is_none() {
        return false;
    }
    if site.context.is_object(handle).is_some() {
        return !gives_to_struct(site) && !gives_up_owner(function);
    }
    if may_end(function) || begins(function) {
        return false;
    }
    if site.context.counts(handle).is_some() {
        return !gives_to_struct(site);
    }
    let is_told = said.takes(site.raw_name()).is_some()
        || said.begins_with_stem(&["free", "destroy", "delet", "dealloc"]);
    let is_instance = site.entry.states_instance(site.position()).is_some();
    let may_depend = gives_handle(site) && has(function, &MAKES);
    is_instance && !is_told && !has_others(site) && !may_depend
}

/// What states that C is lent a handle of a type whose owners are counted: if it keeps it, it is an owner too.
pub(super) fn shared(handle: &str, site: &Site<'_, '_>) -> Option<Evidence> {
    let says = site.entry.states_lent(site.position())?;
    site.context.counts(handle).filter(|_| !gives_to_struct(site) && !begins(&site.entry.name))?;
    Some(says)
}

/// Whether the function may put the handle into a struct or state of the caller's: `g_hash_table_iter_init`.
pub(super) fn gives_to_struct(site: &Site<'_, '_>) -> bool {
    let is_struct = |parameter: &Parameter| {
        matches!(
            site.context.pointee(parameter.of),
            Some((Pointee::State(_) | Pointee::Fields(_) | Pointee::Raw, false))
        )
    };
    let may_keep = begins(&site.entry.name) || !has(&site.entry.name, &READS);
    let is_instance = site.entry.states_instance(site.position()).is_some();
    may_keep && !is_instance && site.entry.signature.parameters.iter().any(is_struct)
}

/// Whether the name of a function suggests that it begins something: only for questions.
pub(super) fn begins(name: &str) -> bool {
    words(name).iter().any(|word| matches!(word.as_str(), "init" | "initialize" | "reinit"))
}
