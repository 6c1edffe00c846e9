//! What each document is compared with; or why there is nothing to compare it with, in the words of the
//! command.

use opendyn_inspect::contract::{Evidence, Library, Sources};

/// What a document is compared with, and where the library comes from if the document names it.
pub(crate) fn evidence<'s>(sources: &'s Sources, document: &str) -> (Evidence<'s>, Option<String>) {
    let header = match &sources.header {
        Some((names, interface)) => Ok((names.clone(), interface)),
        None => Err("no header was given (--header)".to_owned()),
    };
    let nothing = |reason: String| Evidence {
        exports: Err(reason.clone()),
        header: header.clone(),
        debug_info: Err(reason),
    };
    match sources.library(document) {
        Library::Given(library) => (Evidence { header, ..library.evidence() }, None),
        Library::Named(name, library) => {
            let note = format!("the library is the document's own, `{name}`: {}", library.path.display());
            (Evidence { header, ..library.evidence() }, Some(note))
        }
        Library::Unreadable(reason) => (nothing(reason), None),
        Library::Unnamed(system) => {
            let reason =
                format!("no library was given (--library), and the document names none for {system}");
            (nothing(reason), None)
        }
    }
}
