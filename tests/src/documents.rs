//! The documents of this crate, and the options that their bindings are generated with.
//!
//! `build.rs` is another crate that needs them: it has this file as a module, so nothing else of this crate is named
//! here.

use std::io;
use std::path::{Path, PathBuf};

use opendyn_codegen::{Options, Strings, Unchecked};

/// A document of `fixtures/` or `goldens/`.
#[derive(Debug)]
pub struct Document {
    /// Its path in the folder of this crate, with `/`.
    pub file: String,
    /// Its text.
    pub source: String,
    /// The options that it is generated with.
    pub options: Options,
}

/// Every document of `fixtures/` and `goldens/`, sorted by path.
///
/// # Errors
///
/// A folder or a document cannot be read.
pub fn documents() -> io::Result<Vec<Document>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = json_files(&root.join("goldens"))?;
    for folder in std::fs::read_dir(root.join("fixtures"))? {
        files.extend(json_files(&folder?.path())?);
    }
    files.sort();
    files.iter().map(|path| document(root, path)).collect()
}

fn json_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    Ok(files)
}

fn document(root: &Path, path: &Path) -> io::Result<Document> {
    let file = path.strip_prefix(root).unwrap_or(path);
    let file = file.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
    let source = std::fs::read_to_string(path)?;
    Ok(Document { options: options(&file), file, source })
}

/// Some documents are about options.
fn options(file: &str) -> Options {
    let mut options = Options::default();
    match file {
        "fixtures/names/tool.json" | "goldens/names.json" => {
            options.strip_prefix = Some("gfx_".to_owned());
            options.rename.insert("old_name".to_owned(), "new_name".to_owned());
        }
        "fixtures/optional/tool.json" | "goldens/optional-functions.json" => {
            options.optional.insert("plain".to_owned());
        }
        "fixtures/keys-lengths/chosen.json" | "fixtures/unchecked/tool.json" | "goldens/unchecked.json" => {
            options.unchecked = Unchecked::Allow
        }
        "goldens/strs.json" => options.strings = Strings::Str,
        _ => {}
    }
    if file == "fixtures/names/tool.json" {
        options.rename.insert("old_keyword".to_owned(), "yield".to_owned());
    }
    options
}
