//! The files of a preprocessed unit, and which of them belong to the library.
//!
//! A header includes headers of its own library and of others. The preprocessor repeats every `#include` line
//! (`-dI`) before it enters the file, and the form of that line tells the two apart.

use std::path::{Component, Path, PathBuf};

use super::token::Token;

/// A file of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct FileId(usize);

#[derive(Debug, Default)]
pub(super) struct Files {
    files: Vec<File>,
    /// The last `#include` read, whose file is not yet entered.
    pending: Option<Include>,
}

#[derive(Debug)]
struct File {
    name: String,
    /// The file that included it first, and how. The preprocessor does not enter a file again that it skips.
    included: Vec<(FileId, Include)>,
}

#[derive(Clone, Debug)]
struct Include {
    quoted: bool,
    path: String,
}

impl Files {
    /// An `#include` line; `rest` is the text after the word.
    pub(super) fn includes(&mut self, rest: &str) {
        let rest = rest.trim();
        let between = |close: char| {
            let inner = rest.get(1..)?;
            Some(inner.get(..inner.find(close)?)?.to_owned())
        };
        self.pending = match rest.chars().next() {
            Some('"') => between('"').map(|path| Include { quoted: true, path }),
            Some('<') => between('>').map(|path| Include { quoted: false, path }),
            _ => None,
        };
    }

    /// A line marker with `name`: that file begins or continues here.
    pub(super) fn switch(&mut self, name: &str, from: FileId, entered: bool) -> FileId {
        let found = self.files.iter().rposition(|file| file.name == name);
        let id = found.unwrap_or_else(|| {
            self.files.push(File { name: name.to_owned(), included: Vec::new() });
            self.files.len() - 1
        });
        if entered && let Some(include) = self.pending.take() {
            let file = self.files.get_mut(id);
            file.into_iter().for_each(|file| file.included.push((from, include.clone())));
        }
        FileId(id)
    }

    pub(super) fn name(&self, id: FileId) -> &str {
        self.files.get(id.0).map_or("", |file| file.name.as_str())
    }

    /// The files that belong to the library: those that were given, those that they include as their own
    /// parts, and everything in the folders of `also`.
    pub(super) fn own(&self, also: &[PathBuf], tokens: &[Token<'_>]) -> Own {
        let included_by =
            |file: &File, by: &dyn Fn(FileId) -> bool| file.included.iter().any(|(from, _)| by(*from));
        let given = |id: FileId| {
            self.files.get(id.0).is_some_and(|file| included_by(file, &|from| self.name(from) == "<stdin>"))
        };
        let also: Vec<PathBuf> = also.iter().map(normal).collect();
        let named = |(id, file): (usize, &File)| given(FileId(id)) || is_within(&normal(&file.name), &also);
        let own = self.with_parts(self.files.iter().enumerate().map(named).collect());
        if tokens.iter().any(|token| own.has(token.file)) {
            return own;
        }
        // `<poll.h>` only consists of `#include <sys/poll.h>`.
        let through = |(id, file): (usize, &File)| given(FileId(id)) || included_by(file, &given);
        self.with_parts(self.files.iter().enumerate().map(through).collect())
    }

    /// Adds the files that those in `own` include as their own parts.
    fn with_parts(&self, mut own: Vec<bool>) -> Own {
        let folder = |file: &File| normal(&file.name).parent().map(Path::to_owned).unwrap_or_default();
        let first = self.files.iter().zip(&own).filter(|(_, own)| **own);
        let folders: Vec<PathBuf> = first.map(|(file, _)| folder(file)).collect();
        // Files usually include files that are entered later, but not always: repeat until nothing is added.
        loop {
            let before = own.iter().filter(|&&own| own).count();
            for (id, file) in self.files.iter().enumerate() {
                let part = |(from, include): &(FileId, Include)| {
                    own.get(from.0).copied().unwrap_or(false)
                        && is_part(self.name(*from), &normal(&file.name), include, &folders)
                };
                let counts = file.included.iter().any(part);
                if let Some(own) = own.get_mut(id) {
                    *own |= counts;
                }
            }
            if own.iter().filter(|&&own| own).count() == before {
                return Own(own);
            }
        }
    }
}

/// Which files belong to the library.
#[derive(Debug)]
pub(super) struct Own(Vec<bool>);

impl Own {
    pub(super) fn has(&self, id: FileId) -> bool {
        self.0.get(id.0).copied().unwrap_or(false)
    }
}

/// Whether `file`, which `from` includes, is a part of the same library. `folders` are those of the given
/// headers.
fn is_part(from: &str, file: &Path, include: &Include, folders: &[PathBuf]) -> bool {
    if include.quoted {
        // `#include "zconf.h"`: next to the header or below; headers of other libraries are elsewhere.
        return is_within(file, folders);
    }
    let Some((first, _)) = include.path.split_once('/') else {
        // The C libraries of Apple and others keep the parts of `<stdio.h>` in `<_stdio.h>`.
        return include.path.starts_with('_');
    };
    // `<curl/easy.h>` in `curl/curl.h`, `<glib/galloca.h>` in `glib.h`, and the `bits` folder of glibc.
    let from = Path::new(from);
    from.parent().and_then(Path::file_name).is_some_and(|name| name == first)
        || from.file_stem().is_some_and(|name| name == first)
        || first == "bits"
}

fn is_within(file: &Path, folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| {
        // A header without a folder is in the current one.
        let here = folder.as_os_str().is_empty() && file.is_relative() && !file.starts_with("..");
        here || (!folder.as_os_str().is_empty() && file.starts_with(folder))
    })
}

/// The path without `.` and `name/..`, by text only: links are not followed.
fn normal(path: impl AsRef<Path>) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.as_ref().components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}
