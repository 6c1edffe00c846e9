//! The libraries that the user names.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};

/// The library of each document: the nth argument for the nth document. An empty argument, or none, means the
/// document's own library.
pub(crate) fn libraries(documents: usize, given: &[PathBuf]) -> Outcome<Vec<Option<PathBuf>>> {
    if given.len() > documents {
        return Err(Failure::new(format!(
            "{} libraries were given for {documents} {}",
            given.len(),
            if documents == 1 { "document" } else { "documents" }
        ))
        .help("the first --library is for the first document, and so on"));
    }
    let given = given.iter().map(Some).chain(std::iter::repeat(None));
    given.take(documents).map(|path| path.map_or(Ok(None), |path| located(path))).collect()
}

/// A path in the form that the loader takes: absolute, or a bare file name to search for.
pub(crate) fn located(path: &Path) -> Outcome<Option<PathBuf>> {
    if path.as_os_str().is_empty() {
        return Ok(None);
    }
    let is_bare = path.components().count() == 1 && path.file_name() == Some(path.as_os_str());
    if is_bare {
        return Ok(Some(path.to_owned()));
    }
    let shown = path.display();
    if !path.is_file() {
        let what = if path.exists() { "is not a file" } else { "does not exist" };
        return Err(Failure::new(format!("the library `{shown}` {what}")));
    }
    let absolute = std::path::absolute(path);
    absolute.map(Some).map_err(|error| Failure::new(format!("the library `{shown}`: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bare_name_is_left_to_the_loader() {
        let located = |path: &str| located(Path::new(path)).map_err(|failure| failure.to_string());
        assert_eq!(located("libz.so.1"), Ok(Some("libz.so.1".into())));
        assert_eq!(located(""), Ok(None));
        assert_eq!(
            located("nowhere/libz.so"),
            Err("the library `nowhere/libz.so` does not exist".to_owned())
        );
        assert_eq!(located("./src"), Err("the library `./src` is not a file".to_owned()));
        let here = located("./Cargo.toml").expect("it is a file").expect("a path");
        assert!(here.is_absolute() && here.is_file(), "{}", here.display());
    }

    #[test]
    fn the_nth_library_is_that_of_the_nth_document() {
        let all = libraries(3, &["".into(), "libb.so".into()]).expect("fewer than documents");
        assert_eq!(all, [None, Some("libb.so".into()), None]);
        assert!(libraries(1, &["a".into(), "b".into()]).is_err());
    }
}
