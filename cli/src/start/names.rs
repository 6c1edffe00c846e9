//! The files of a new document, and the library as later commands name it.

use std::path::{Path, PathBuf};

use opendyn_inspect::locate_as_loaded;

/// Where things are.
pub(crate) struct Names {
    pub(crate) document: PathBuf,
    pub(crate) answers: PathBuf,
    /// The library for `--library`; `None` if the document's own name finds it.
    pub(crate) library: Option<PathBuf>,
}

impl Names {
    /// `foo.json` and `foo-answers.json` for `foo.h`, or for `libfoo.so` without a header.
    pub(crate) fn of(library: &Path, header: Option<&Path>, document: Option<PathBuf>) -> Self {
        let named = header.unwrap_or(library).file_name().unwrap_or_default().to_string_lossy();
        let document = document.unwrap_or_else(|| PathBuf::from(format!("{}.json", stem(&named))));
        let answers = document.file_stem().unwrap_or_default().to_string_lossy();
        let answers = document.with_file_name(format!("{answers}-answers.json"));
        Self { document, answers, library: Some(in_this_folder(library)) }
    }

    /// Leaves the library to the document where the system finds the same file by the name that the document has.
    pub(crate) fn without_library_if_found_as(self, name: Option<&str>) -> Self {
        let real = |path: PathBuf| path.canonicalize().ok();
        let found = name.and_then(|name| real(locate_as_loaded(name).ok()?));
        let given = self.library.as_ref().and_then(|path| real(locate_as_loaded(path).ok()?));
        if found.is_some() && found == given { Self { library: None, ..self } } else { self }
    }
}

/// A file of this folder as a path, because the loader searches for a bare name elsewhere.
fn in_this_folder(library: &Path) -> PathBuf {
    let is_bare = library.components().count() == 1;
    if is_bare && library.is_file() { Path::new(".").join(library) } else { library.to_owned() }
}

/// `foo` from `foo.h`, `libfoo.so.1` and `foo.dll`.
fn stem(file: &str) -> &str {
    let is_library = file.contains(".so") || file.ends_with(".dylib");
    let name = file.split('.').next().unwrap_or(file);
    let name = if is_library {
        name.strip_prefix("lib").filter(|rest| !rest.is_empty()).unwrap_or(name)
    } else {
        name
    };
    if name.is_empty() { "library" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_called_after_the_header_or_the_library() {
        for (file, expected) in [
            ("zlib.h", "zlib"),
            ("libz.so.1", "z"),
            ("libz.1.dylib", "z"),
            ("libz.h", "libz"),
            ("zlib1.dll", "zlib1"),
            (".so", "library"),
        ] {
            assert_eq!(stem(file), expected, "{file}");
        }
        let names = Names::of(Path::new("/usr/lib/libz.so.1"), Some(Path::new("/usr/include/zlib.h")), None);
        assert_eq!((names.document, names.answers), ("zlib.json".into(), "zlib-answers.json".into()));
        let named = Names::of(Path::new("libz.so.1"), None, Some("docs/z.json".into()));
        assert_eq!((named.answers, named.library), ("docs/z-answers.json".into(), Some("libz.so.1".into())));
    }

    #[test]
    fn a_file_of_this_folder_is_a_path() {
        assert_eq!(in_this_folder(Path::new("Cargo.toml")), Path::new("./Cargo.toml"));
        assert_eq!(in_this_folder(Path::new("libz.so.1")), Path::new("libz.so.1"));
    }
}
