//! Where a binding looks for its library, without loading it: a server must know that before it starts a worker.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use crate::LoadError;

thread_local! {
    /// The places, while they are all that this thread asks for.
    static SOUGHT: RefCell<Option<Vec<PathBuf>>> = const { RefCell::new(None) };
}

/// The places where `open` looks for a library: paths, or names that the system's loader searches. None if there are none, which
/// is then the error of `open`.
///
/// `open` loads nothing here, and fails. So that what is told is what is opened, bindings say it by their own functions.
pub(crate) fn places<T, E>(open: impl FnOnce() -> Result<T, E>) -> Vec<PathBuf> {
    SOUGHT.set(Some(Vec::new()));
    let opened = open();
    let places = SOUGHT.take().unwrap_or_default();
    drop(opened);
    places
}

/// Before a library is loaded from one of these places.
///
/// # Errors
///
/// Only the places are asked for. Nobody sees the error.
pub(crate) fn note<P: AsRef<Path>>(places: &[P]) -> Result<(), LoadError> {
    SOUGHT.with_borrow_mut(|sought| match sought {
        None => Ok(()),
        Some(sought) => {
            sought.extend(places.iter().map(|place| place.as_ref().to_owned()));
            Err(LoadError::NotFound { variable: "".into(), tried: Vec::new() })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::{DefaultLibrary, Library, Sharing};

    const NOWHERE: DefaultLibrary<'_> = DefaultLibrary {
        variable: "OPENDYN_TEST_SOUGHT_LIBRARY",
        linux: Some("libsought.so"),
        macos: Some("libsought.so"),
        windows: Some("libsought.so"),
    };

    #[test]
    fn the_places_of_a_library_are_told_without_loading_it() {
        // It exists, and would be loaded.
        let libc = Path::new("libc.so.6");
        // SAFETY: nothing is loaded.
        let open = || unsafe { Library::open(libc, &["abs"], &[], Sharing::ThreadSafe) };
        assert_eq!(places(open), [libc]);
        // SAFETY: nothing is loaded, as there is no such library.
        let open = || unsafe { Library::open_default(&NOWHERE, &["abs"], &[], Sharing::ThreadSafe) };
        assert_eq!(places(open), NOWHERE.places().unwrap_or_default());
        let not_found = open().map(drop).map_err(|error| error.to_string());
        assert!(not_found.is_err_and(|error| error.contains("libsought.so")), "the next one is looked for");
        let relative = Path::new("./libc.so.6");
        // SAFETY: nothing is loaded.
        let open = || unsafe { Library::open(relative, &["abs"], &[], Sharing::ThreadSafe) };
        assert!(places(open).is_empty());
    }
}
