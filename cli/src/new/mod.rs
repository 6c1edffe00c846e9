//! The crate that `opendyn new` writes: a document with its compiled bindings, as a program that serves them.

mod files;
mod name;

use std::path::Path;

use opendyn_codegen::description::Description;

use crate::failure::{Failure, Outcome};
use crate::output;

pub(crate) use name::legal;

/// The files that every such crate has, besides its document.
pub(crate) const FILES: [&str; 5] = [".gitignore", "Cargo.lock", "Cargo.toml", "README.md", "src"];

/// A crate.
pub(crate) struct Crate {
    pub(crate) name: String,
    /// The file name of the document.
    pub(crate) document: String,
    /// The text of the document.
    pub(crate) source: String,
    pub(crate) described: Description,
    /// Whether the binding is not named after the title.
    pub(crate) is_renamed: bool,
    pub(crate) library: CrateLibrary,
    pub(crate) dependency: Dependency,
    /// Whether a folder above has a crate or a workspace, which it would belong to.
    pub(crate) is_nested: bool,
}

/// The library that the program opens.
pub(crate) enum CrateLibrary {
    /// The one that the document names.
    OfDocument,
    /// The one at this path, or of this name.
    Named(String),
    /// The one in an environment variable.
    Variable,
}

/// Where the crate gets `opendyn` from.
pub(crate) enum Dependency {
    /// The release with the version of this command.
    Released,
    /// The folder of the crate `opendyn`.
    Folder(String),
}

impl Dependency {
    /// The crate in `folder`, or in the workspace there.
    pub(crate) fn at(folder: &Path) -> Outcome<Self> {
        let is_it = |folder: &Path| {
            let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
            manifest.lines().any(|line| line.trim() == r#"name = "opendyn""#)
        };
        let shown = folder.display();
        let found = [folder.to_owned(), folder.join("runtime")].into_iter().find(|folder| is_it(folder));
        let found = found.ok_or_else(|| {
            Failure::new(format!("`{shown}` does not have the sources of opendyn"))
                .help("name the folder that has `runtime/Cargo.toml`")
        })?;
        let found = found.canonicalize().map_err(|error| Failure::new(format!("`{shown}`: {error}")))?;
        match found.to_str() {
            Some(path) => Ok(Self::Folder(path.to_owned())),
            None => Err(Failure::new(format!("the name `{shown}` is not text"))),
        }
    }
}

impl Crate {
    /// How many functions the document has.
    pub(crate) fn functions(&self) -> usize {
        self.described.functions.len()
    }

    /// Writes all files to `folder`.
    pub(crate) fn write(&self, folder: &Path) -> Outcome<()> {
        let source = folder.join("src");
        std::fs::create_dir_all(&source).map_err(|error| {
            Failure::new(format!("cannot make the folder `{}`: {error}", source.display()))
        })?;
        for (file, text) in [
            ("Cargo.toml", files::manifest(self)),
            ("README.md", files::readme(self)),
            (".gitignore", "/target\n".to_owned()),
            ("src/main.rs", files::program(self)),
            (&self.document, self.source.clone()),
        ] {
            output::write(&folder.join(file), &text)?;
        }
        Ok(())
    }
}
