//! What a bundle holds: this command, the document, and the library if it is a file of its own.

use std::path::{Path, PathBuf};

use opendyn_codegen::description::Description;

use super::zip::{Archive, Mode};
use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::tool;

/// A document and its library, as a server in a bundle needs them.
pub(crate) struct Contents<'d> {
    pub(super) document: &'d Document,
    pub(super) description: &'d Description,
    /// The functions to offer, if not all.
    pub(super) functions: &'d [String],
    library: Library,
}

/// The library of a bundle.
enum Library {
    /// The system finds the one that the document names.
    OfDocument,
    /// The system finds the one with this name.
    Named(String),
    /// The file is in the bundle.
    File(PathBuf),
}

/// The name of the document in a bundle.
pub(super) const DOCUMENT: &str = "document.json";

/// The name of this command in a bundle.
pub(super) const COMMAND: &str = if cfg!(windows) { "opendyn.exe" } else { "opendyn" };

impl<'d> Contents<'d> {
    /// `library` as for `--library`: the file at a path goes into the bundle, a bare name is left to the system.
    pub(crate) fn of(
        document: &'d Document,
        description: &'d Description,
        functions: &'d [String],
        library: Option<&Path>,
    ) -> Outcome<Self> {
        let library = match library.map_or(Ok(None), tool::located)? {
            Some(path) if path.is_absolute() => Library::File(path),
            Some(name) => Library::Named(text(&name)?.to_owned()),
            None if description.library.is_some() => Library::OfDocument,
            None => {
                return Err(Failure::new(format!("`{}` names no library", document.name))
                    .help("--library puts one into the bundle, or names one for the system to find"));
            }
        };
        let contents = Self { document, description, functions, library };
        for name in contents.words()? {
            // The OpenTool daemon joins the words to a line for a shell, and expands variables in them.
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.+@%/*?".contains(&byte);
            if name.is_empty() || !name.bytes().all(is_plain) {
                return Err(Failure::new(format!("`{name}` cannot be in the command line of a bundle"))
                    .help("rename it: letters, digits and -_.+@% are safe in every shell"));
            }
        }
        Ok(contents)
    }

    /// Names that the command line of the server has.
    fn words(&self) -> Outcome<Vec<String>> {
        let library = match &self.library {
            Library::OfDocument => None,
            Library::Named(name) => Some(name.clone()),
            Library::File(path) => Some(file_name(path)?.to_owned()),
        };
        Ok(self.functions.iter().cloned().chain(library).collect())
    }

    /// The arguments of the server after its first word, with the folder of the bundle before each file.
    pub(super) fn arguments(&self, first: &str, folder: &str) -> Outcome<Vec<String>> {
        let mut arguments = vec![first.to_owned(), format!("{folder}{DOCUMENT}")];
        match &self.library {
            Library::OfDocument => {}
            Library::Named(name) => arguments.extend(["--library".to_owned(), name.clone()]),
            Library::File(path) => {
                arguments.extend(["--library".to_owned(), format!("{folder}{}", file_name(path)?)]);
            }
        }
        for function in self.functions {
            arguments.extend(["--allow".to_owned(), function.clone()]);
        }
        Ok(arguments)
    }

    /// Puts this command, the document and the library into `folder` of an archive.
    pub(super) fn fill(&self, archive: &mut Archive, folder: &str) -> Outcome<()> {
        let command =
            std::env::current_exe().map_err(|error| Failure::new(format!("this command: {error}")))?;
        archive.add(&format!("{folder}{COMMAND}"), Mode::Program, &bytes(&command)?)?;
        archive.add(&format!("{folder}{DOCUMENT}"), Mode::File, self.document.source.as_bytes())?;
        if let Library::File(path) = &self.library {
            archive.add(&format!("{folder}{}", file_name(path)?), Mode::Program, &bytes(path)?)?;
        }
        Ok(())
    }

    /// What is in the bundle and what is not, for a message.
    pub(super) fn told(&self) -> String {
        let library = match &self.library {
            Library::OfDocument => {
                "the library is not in it: the system finds the one that the document names".to_owned()
            }
            Library::Named(name) => format!("the library is not in it: the system finds `{name}`"),
            Library::File(path) => {
                format!(
                    "with `{}`, but not with what that needs besides the system's libraries",
                    path.display()
                )
            }
        };
        format!("for {} on {}; {library}", std::env::consts::OS, std::env::consts::ARCH)
    }

    /// The title in the characters of a name: lower-case letters, digits and dashes.
    pub(super) fn name(&self) -> String {
        let letter = |character: char| if character.is_ascii_alphanumeric() { character } else { '-' };
        let name: String = self.description.title.to_ascii_lowercase().chars().map(letter).collect();
        let name: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).collect();
        if name.is_empty() { "opendyn".to_owned() } else { name.join("-") }
    }
}

fn bytes(path: &Path) -> Outcome<Vec<u8>> {
    std::fs::read(path).map_err(|error| Failure::new(format!("cannot read `{}`: {error}", path.display())))
}

fn file_name(path: &Path) -> Outcome<&str> {
    text(Path::new(path.file_name().unwrap_or_default()))
}

fn text(path: &Path) -> Outcome<&str> {
    path.to_str().ok_or_else(|| Failure::new(format!("the name `{}` is not text", path.display())))
}
