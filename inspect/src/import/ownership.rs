//! Which functions may free a handle, take it over or keep it. The words here only raise questions: only
//! attributes and documentation answer them.

use serde_json::json;

use super::context::Pointee;
use super::described::Described;
use super::names::{fold, words};
use super::question::Question;
use super::schemas::{object, raw};
use super::site::Site;

/// Words of functions that may free what they take.
const RELEASES: [&str; 38] = [
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
    "kill",
    "pop",
    "quit",
    "release",
    "remove",
    "shutdown",
    "steal",
    "teardown",
    "term",
    "terminate",
    "uninit",
    "unlink",
    "unref",
    "unregister",
];

/// Words of functions that may take over, or keep, what they make something of.
const MAKES: [&str; 8] = ["adopt", "create", "give", "make", "new", "own", "transfer", "wrap"];

/// Words of functions that may give one handle to another.
const GIVES: [&str; 18] = [
    "add", "append", "assign", "attach", "connect", "enqueue", "insert", "join", "link", "merge", "move",
    "prepend", "push", "put", "replace", "set", "store", "take",
];

fn has(name: &str, list: &[&str]) -> bool {
    words(name).iter().any(|word| {
        list.iter().any(|of| word == of || of.len() >= 4 && (word.ends_with(of) || word.starts_with(of)))
    })
}

/// Whether a function with this name may free what it takes.
pub(super) fn may_release(name: &str) -> bool {
    has(name, &RELEASES) || words(name).last().is_some_and(|word| word == "end")
}

/// The question whether C frees, takes over or keeps a handle that it can change; `None` if nothing suggests it.
/// Of several handles, the last one has the question.
pub(super) fn doubt(handle: &str, site: &Site<'_, '_>) -> Option<Described> {
    let function = site.entry.name.as_str();
    let said = site.entry.said.takes(site.raw_name());
    let parameters = &site.entry.signature.parameters;
    let handles: Vec<usize> = (0..parameters.len())
        .filter(|index| match site.context.pointee(parameters[*index].of) {
            Some((Pointee::Handle(_), is_constant)) => !is_constant || may_release(function),
            _ => false,
        })
        .collect();
    let is_last = handles.last() == Some(&site.index);
    let is_first = handles.first() == Some(&site.index);
    let releases = may_release(function) && is_last;
    let gives = has(function, &GIVES) && !is_first;
    let is_pointer = |id| site.context.pointee(id).is_some();
    let is_double = |id| matches!(site.context.pointee(id), Some((Pointee::Pointer { .. }, _)));
    let makes = has(function, &MAKES)
        && (is_pointer(site.entry.signature.returns) || parameters.iter().any(|of| is_double(of.of)));
    let takes = is_last && (makes || gives);
    if !releases && !takes && said.is_none() {
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
            "Does C take over or keep the `{handle}` in `{name}`?{because} (If it takes it over, write \"x-free\": \
             \"{function}\" too; if another handle uses it from now on, \"x-keeps\" with its name.) If it does \
             neither,"
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
    Described::undescribed(raw(), question)
}

/// What the documentation may call a handle: its parameter, its type, and the last word of the type.
pub(super) fn objects(parameter: &str, handle: &str) -> Vec<String> {
    let bare = handle.strip_suffix("_t").unwrap_or(handle);
    let last = bare.rsplit('_').next().unwrap_or(bare);
    let mut objects: Vec<String> =
        [parameter, handle, bare, last].iter().map(|name| name.to_lowercase()).collect();
    objects.retain(|name| name.len() > 1 && !name.is_empty());
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
