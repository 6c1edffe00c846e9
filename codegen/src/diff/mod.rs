//! What changed between two versions of a document, by their meaning and not by their text.
//!
//! `functions`, `values` and `types` compare; `change` holds what they find. A change breaks C if it needs another
//! library, Rust if callers may not compile or may behave differently, and JSON if arguments are refused that
//! were accepted, or results are missing or have another form.

mod change;
mod functions;
mod types;
mod values;

use crate::description::Description;

pub use change::{Audience, Change};

use change::{Changes, quoted};

/// Every change from `old` to `new`, in the order of the new document.
#[must_use]
pub fn compare(old: &Description, new: &Description) -> Vec<Change> {
    let mut changes = Changes::default();
    document(old, new, &mut changes);
    functions::compare(&old.functions, &new.functions, &mut changes);
    types::compare(old, new, &mut changes);
    changes.finish()
}

fn document(old: &Description, new: &Description, changes: &mut Changes) {
    let mut changes = changes.of("document");
    changes.text("title", &old.title, &new.title);
    changes.text("description", &old.description, &new.description);
    changes.text("version", &old.version, &new.version);
    if old.binding != new.binding {
        let message = format!("the Rust struct is {}, was {}", quoted(&new.binding), quoted(&old.binding));
        changes.push(message, &[Audience::Rust]);
    }
    if old.convention != new.convention {
        let message = format!("the calling convention is {}, was {}", new.convention, old.convention);
        changes.push(message, &[Audience::C]);
    }
    match (old.thread_safe, new.thread_safe) {
        (true, false) => {
            let message = "calls may no longer run concurrently: the Rust struct is no longer `Sync`";
            changes.push(message, &[Audience::Rust]);
        }
        (false, true) => changes.push("calls may run concurrently", &[]),
        _ => {}
    }
    if old.init != new.init {
        let calls = |init: &Option<(String, Option<String>)>| match init {
            None => "nothing".to_owned(),
            Some((begin, None)) => quoted(begin),
            Some((begin, Some(end))) => format!("{}, and ended with {}", quoted(begin), quoted(end)),
        };
        let message =
            format!("the library is initialized with {}; before: {}", calls(&new.init), calls(&old.init));
        changes.push(message, &[]);
    }
    match (&old.library, &new.library) {
        (Some(_), None) => changes.push("names no library: `open_default` was removed", &[Audience::Rust]),
        (None, Some(_)) => changes.push("names a library", &[]),
        (Some(old), Some(new)) => {
            let systems = [
                ("Linux", &old.linux, &new.linux),
                ("macOS", &old.macos, &new.macos),
                ("Windows", &old.windows, &new.windows),
            ];
            for (system, old, new) in systems {
                if old != new {
                    let name = |name: &Option<String>| name.as_deref().map_or("none".to_owned(), quoted);
                    let breaks: &[Audience] = if new.is_none() { &[Audience::Rust] } else { &[] };
                    changes
                        .push(format!("the library on {system} is {}, was {}", name(new), name(old)), breaks);
                }
            }
        }
        (None, None) => {}
    }
}

#[cfg(test)]
mod tests;
