//! Which functions may free a handle, take it over or keep it. The words here only raise questions: only
//! attributes and documentation answer them.

use serde_json::json;

use super::context::Pointee;
use super::described::Described;
use super::evidence::Evidence;
use super::kept;
use super::lent;
use super::names::{fold, words};
use super::question::Question;
use super::schemas::{object, raw};
use super::site::Site;
use crate::Parameter;

/// Words of functions that may free what they take.
const RELEASES: [&str; 41] = [
    "abandon",
    "abort",
    "cancel",
    "cleanup",
    "clear",
    "close",
    "consume",
    "dealloc",
    "decref",
    "deinit",
    "delete",
    "destroy",
    "detach",
    "discard",
    "disconnect",
    "dispose",
    "done",
    "drop",
    "exit",
    "finalise",
    "finalize",
    "fini",
    "finish",
    "free",
    "halt",
    "kill",
    "pop",
    "quit",
    "release",
    "remove",
    "shutdown",
    "snatch",
    "steal",
    "stop",
    "teardown",
    "term",
    "terminate",
    "uninit",
    "unlink",
    "unref",
    "unregister",
];

/// Words of functions that may take over, or keep, what they make something of.
pub(super) const MAKES: [&str; 14] = [
    "accept", "adopt", "begin", "connect", "create", "give", "init", "make", "new", "open", "own", "start",
    "transfer", "wrap",
];

/// Words of functions that may give one handle to another.
const GIVES: [&str; 18] = [
    "add", "append", "assign", "attach", "connect", "enqueue", "insert", "join", "link", "merge", "move",
    "prepend", "push", "put", "replace", "set", "store", "take",
];

/// Words of functions that may keep what they cannot change.
const USES: [&str; 5] = ["create", "custom", "register", "use", "with"];

/// Words of functions that only look at what they take, so that two handles stay apart.
pub(super) const READS: [&str; 38] = [
    "calc",
    "check",
    "cmp",
    "compare",
    "compute",
    "contains",
    "convert",
    "copy",
    "count",
    "debug",
    "decode",
    "decrypt",
    "dump",
    "encode",
    "encrypt",
    "equal",
    "equals",
    "eval",
    "export",
    "find",
    "format",
    "get",
    "has",
    "hash",
    "intersects",
    "is",
    "len",
    "length",
    "lookup",
    "match",
    "print",
    "query",
    "search",
    "sign",
    "size",
    "test",
    "validate",
    "verify",
];

/// Words of functions that end what they answer.
const ANSWERS: [&str; 2] = ["reply", "respond"];

/// Words of functions that send what they take, and of handles that are sent once.
const SENDS: [&str; 4] = ["post", "queue", "send", "submit"];
const ONCE: [&str; 9] = ["job", "message", "msg", "packet", "req", "request", "response", "task", "transfer"];

/// Words of a sentence that suggest that what it speaks of is freed, or given away.
const FREED: [&str; 33] = [
    "ownership",
    "own",
    "owns",
    "owned",
    "destroying",
    "shutdown",
    "shuts",
    "discards",
    "free",
    "frees",
    "freed",
    "free'd",
    "freeing",
    "destroy",
    "destroys",
    "destroyed",
    "release",
    "releases",
    "released",
    "deallocate",
    "deallocates",
    "deallocated",
    "delete",
    "deletes",
    "deleted",
    "dispose",
    "disposes",
    "disposed",
    "invalidates",
    "invalidated",
    "consumes",
    "consumed",
    "responsibility",
];

/// Words of documentation about work that goes on after the call.
const THREADS: [&str; 3] = ["thread", "threads", "in the background"];
const STARTS: [&str; 8] = ["start", "starts", "create", "creates", "spawn", "spawns", "launch", "launches"];

const AFTERWARDS: [&str; 5] =
    ["after you call this function", "after this function", "after this call", "from now on", "from then on"];
const CALLED: [&str; 5] = ["will be called", "is called", "are called", "gets called", "will be invoked"];

/// The sentence that suggests that a function frees or takes one of `objects`.
pub(super) fn told_freed(site: &Site<'_, '_>, objects: &[String]) -> Option<Evidence> {
    let said = &site.entry.said;
    said.takes(site.raw_name()).or_else(|| said.suggests(&FREED, objects))
}

/// Whether the name of a function has one of the words.
pub(super) fn has(name: &str, list: &[&str]) -> bool {
    words(name).iter().any(|word| {
        list.iter().any(|of| word == of || of.len() >= 4 && (word.ends_with(of) || word.starts_with(of)))
    })
}

/// Whether a function with this name may give one thing to another.
pub(super) fn may_give(name: &str) -> bool {
    has(name, &GIVES)
}

/// Whether a function with this name may free what it takes.
pub(super) fn may_release(name: &str) -> bool {
    let words = words(name);
    let is_row = |row: [&str; 2]| words.windows(2).any(|of| of[0] == row[0] && of[1] == row[1]);
    has(name, &RELEASES)
        || words.last().is_some_and(|word| word == "end" || word == "wend")
        || is_row(["put", "ref"])
        || is_row(["ref", "put"])
}

/// Whether another argument may say that the function frees what it takes: `freesrc` of `SDL_LoadWAV_RW`.
pub(super) fn frees_if_told(site: &Site<'_, '_>) -> bool {
    const TOLD: [&str; 6] = ["autoclose", "autofree", "close", "delete", "destroy", "free"];
    let parameters = site.entry.signature.parameters.iter();
    parameters
        .filter(|of| site.context.pointee(of.of).is_none())
        .filter_map(|of| of.name.as_deref())
        .any(|name| words(name).iter().any(|word| TOLD.iter().any(|told| word.starts_with(told))))
}

/// Whether the documentation begins with giving up a reference: what is counted can be `const`, and end all the same.
pub(super) fn gives_up(site: &Site<'_, '_>) -> bool {
    let said = &site.entry.said;
    said.begins_with_stem(&["decrement", "decreas", "drop", "releas", "unref"])
        && said.mentions(&["reference", "references", "reference count", "refcount", "ref count"])
}

/// The question whether C frees, takes over or keeps a handle that it can change; `None` if nothing suggests it.
/// Of several handles, the last one has the question.
pub(super) fn doubt(handle: &str, site: &Site<'_, '_>) -> Option<Described> {
    let function = site.entry.name.as_str();
    if lent::is_lent(handle, site) {
        return None;
    }
    let said = told_freed(site, &objects(site.raw_name(), handle));
    let parameters = &site.entry.signature.parameters;
    let handles: Vec<usize> = (0..parameters.len())
        .filter(|index| match site.context.pointee(parameters[*index].of) {
            Some((Pointee::Handle(_), is_constant)) => !is_constant || may_release(function),
            _ => false,
        })
        .collect();
    let is_last = handles.last() == Some(&site.index);
    // What is given can be given to a struct or a state too.
    let is_receiving = |index: &usize| {
        matches!(
            site.context.pointee(parameters[*index].of),
            Some((Pointee::Handle(_) | Pointee::Fields(_) | Pointee::State(_), false))
        )
    };
    let is_first = (0..parameters.len()).find(is_receiving) == Some(site.index);
    // `commit` at the beginning is a noun: `git_commit_lookup`.
    let ends_transaction = words(function).last().is_some_and(|word| word == "commit" || word == "rollback");
    let is_sent = has(function, &SENDS) && has(handle, &ONCE);
    let answers =
        (has(function, &ANSWERS) || is_sent || ends_transaction) && handles.first() == Some(&site.index);
    let releases = may_release(function) && is_last;
    let gives = has(function, &GIVES) && !is_first;
    let is_pointer = |id| site.context.pointee(id).is_some();
    let is_double = |id| matches!(site.context.pointee(id), Some((Pointee::Pointer { .. }, _)));
    let makes = has(function, &MAKES)
        && (is_pointer(site.entry.signature.returns) || parameters.iter().any(|of| is_double(of.of)));
    let of = |index: usize| site.context.handle_of(parameters[index].of);
    // Handles of two types in one call: one may use the other from now on.
    let links = handles.iter().any(|index| of(*index) != of(site.index)) && !has(function, &READS);
    let goes_on = site.entry.said.mentions_both(&THREADS, &STARTS)
        || site.entry.said.mentions_both(&AFTERWARDS, &CALLED);
    // What is made may need all of them.
    let given = gives || links || lent::gives_to_struct(site) && lent::begins(function);
    let takes = makes || goes_on || is_last && given;
    if !releases && !answers && !takes && said.is_none() {
        return None;
    }
    let name = site.name();
    let because = said.as_ref().map(|said| format!(" ({said})")).unwrap_or_default();
    let schema = json!({ "cType": { "x-handle": handle } });
    let question = if releases {
        let text = format!(
            "Does `{function}` free the `{handle}` in `{name}`?{because} If it does not, only write \"x-handle\": \
             \"{handle}\" in `cType`. If it does,"
        );
        Question::new(text, object(json!({ "x-free": function, "schema": schema })))
            .likely("yes, it frees it")
            .or("no, it only uses it during the call", json!({ "schema": schema }))
            .or("no, but C owns it from now on", json!({ "x-takes": true, "schema": schema }))
    } else {
        let text = format!(
            "Does C free, take over or keep the `{handle}` in `{name}`?{because} (If it frees it, write \"x-free\": \
             \"{function}\" too; if it takes it over, \"x-takes\": true; if another handle uses it from now on, \"x-keeps\" \
             with its name.) If it does none of these,"
        );
        let question = Question::new(text, object(json!({ "schema": schema })))
            .likely("no, it only uses it during the call");
        let others = handles.iter().filter(|index| **index != site.index).take(OTHERS);
        let question = others.fold(question, |question, index| {
            let other = site.name_of(*index);
            question
                .or(
                    format!("`{other}` owns it from now on, and frees it"),
                    json!({ "x-takes": other, "schema": schema }),
                )
                .or(
                    format!("`{other}` uses it from now on, and the caller still frees it"),
                    json!({ "x-keeps": other, "schema": schema }),
                )
        });
        question
            .or("C owns it from now on, for good", json!({ "x-takes": true, "schema": schema }))
            .or("it frees it", json!({ "x-free": function, "schema": schema }))
    };
    Some(Described::undescribed(raw(), question.because(said)))
}

/// How many other handles of a function its answers name.
const OTHERS: usize = 2;

/// Whether the function has another pointer to something that C can change, and may put the handle into.
pub(super) fn has_others(site: &Site<'_, '_>) -> bool {
    let is_other = |(index, parameter): (usize, &Parameter)| {
        index != site.index
            && matches!(
                site.context.pointee(parameter.of),
                Some((Pointee::Handle(_) | Pointee::State(_) | Pointee::Fields(_) | Pointee::Raw, false))
            )
    };
    site.entry.signature.parameters.iter().enumerate().any(is_other)
}

/// Whether the function gives a handle: it returns one, or leaves one behind a parameter.
pub(super) fn gives_handle(site: &Site<'_, '_>) -> bool {
    let signature = site.entry.signature;
    site.context.handle_of(signature.returns).is_some_and(|(_, is_double)| !is_double)
        || signature
            .parameters
            .iter()
            .any(|parameter| site.context.handle_of(parameter.of).is_some_and(|(_, is_double)| is_double))
}

/// The question about a handle of which nothing says what C does with it.
pub(super) fn unknown(handle: &str, site: &Site<'_, '_>) -> Described {
    // The same words for every function, so that one answer can be given to all.
    let text = format!(
        "Does C only use the `{handle}` during the call? (If it frees it, write \"x-free\" with the name of the function \
         too; if it takes it over, \"x-takes\": true; if another handle uses it from now on, \"x-keeps\" with its name.) Then"
    );
    let schema = json!({ "cType": { "x-handle": handle } });
    let function = site.entry.name.as_str();
    let question = Question::new(text, object(json!({ "schema": schema })))
        .likely("yes, only during the call")
        .or("no, it frees it", json!({ "x-free": function, "schema": schema }))
        .or("no, C owns it from now on", json!({ "x-takes": true, "schema": schema }))
        .grouped(format!("functions only use a `{handle}` during the call"));
    Described::undescribed(raw(), question.because(site.may_be_kept()))
}

/// The question whether C keeps a handle that it cannot change, given to another that it can.
pub(super) fn doubt_of_constant(handle: &str, site: &Site<'_, '_>) -> Option<Described> {
    let function = site.entry.name.as_str();
    let earlier = site.entry.signature.parameters.iter().take(site.index);
    let is_lent = |index: &usize| {
        matches!(
            site.context.pointee(site.entry.signature.parameters[*index].of),
            Some((Pointee::Handle(_) | Pointee::Fields(_) | Pointee::State(_), false))
        )
    };
    // What is given to nobody is given to the library.
    let is_method = fold(function).starts_with(&fold(handle.strip_suffix("_t").unwrap_or(handle)));
    let is_alone = (0..site.entry.signature.parameters.len()).find(is_lent).is_none()
        && has(function, &GIVES)
        && !is_method
        && !has(function, &READS);
    let receives = earlier
        .filter_map(|parameter| match site.context.pointee(parameter.of) {
            Some((Pointee::Handle(other), false)) => Some(other),
            _ => None,
        })
        .any(|other| other != handle);
    let seen = site.may_be_kept();
    if seen.is_none() && !is_alone && !(receives && (has(function, &GIVES) || has(function, &USES))) {
        return None;
    }
    let because = seen.as_ref().map(|seen| format!(" ({seen})")).unwrap_or_default();
    let text = format!(
        "Does C use the `{handle}` in `{}` after the call?{because} (If it does, write \"x-keeps\" with the name of the parameter \
         that keeps it.) If it does not, or as well,",
        site.name()
    );
    let answer = object(json!({ "schema": { "cType": { "x-handle": handle } } }));
    let question = kept::keepers(Question::new(text, answer.clone()), site, &answer);
    Some(Described::undescribed(raw(), question.because(seen)))
}

/// What the documentation may call a handle: its parameter, its type, and the last word of the type.
pub(super) fn objects(parameter: &str, handle: &str) -> Vec<String> {
    let bare = handle.strip_suffix("_t").unwrap_or(handle);
    let last = bare.rsplit('_').next().unwrap_or(bare);
    let mut objects: Vec<String> =
        [parameter, handle, bare, last].iter().map(|name| name.to_lowercase()).collect();
    objects.retain(|name| !name.is_empty());
    objects
}

/// Whether the names of a function and of a type begin alike, so that a question may suggest the function:
/// `git_reference_free` for `git_reference`.
pub(super) fn is_named_after(function: &str, handle: &str) -> bool {
    let stem = fold(handle.strip_suffix("_t").unwrap_or(handle));
    let function = fold(function);
    let frees = ["free", "destroy", "unref", "release", "close", "finalize"];
    frees.iter().any(|end| function == format!("{stem}{end}") || function.strip_suffix(end) == Some(&stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_raise_the_question_whether_a_handle_is_freed() {
        for name in [
            "FT_Done_FreeType",
            "PQclear",
            "PQfinish",
            "GEOSPreparedGeom_destroy",
            "gzclose",
            "gzclose_r",
            "LZ4_freeStream",
            "curl_slist_free_all",
            "git_branch_delete",
            "cairo_surface_finish",
        ] {
            assert!(may_release(name), "{name}");
        }
        for name in ["gzopen", "sqlite3_step", "git_reference_name", "gzread"] {
            assert!(!may_release(name), "{name}");
        }
    }

    #[test]
    fn a_suggestion_is_named_after_its_type() {
        assert!(is_named_after("git_reference_free", "git_reference"));
        assert!(is_named_after("cairo_surface_destroy", "cairo_surface_t"));
        assert!(!is_named_after("git_branch_delete", "git_reference"));
        assert!(!is_named_after("git_reference_delete", "git_reference"));
    }
}
