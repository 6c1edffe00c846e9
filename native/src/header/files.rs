//! The files that a preprocessed unit is made of, and which of them are the library's own.
//!
//! A header includes those of its library, and those of others. The preprocessor repeats every
//! `#include` line (`-dI`) before it enters the file, and how it is written tells the two apart.

use std::path::{Path, PathBuf};

/// A file of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct FileId(usize);

#[derive(Debug, Default)]
pub(super) struct Files {
    files: Vec<File>,
    /// The `#include` that was read last, and not entered yet.
    pending: Option<Include>,
}

#[derive(Debug)]
struct File {
    name: String,
    /// By which file it was included first, and how. A file that the preprocessor skips, because it was
    /// there already, is not entered again.
    included: Vec<(FileId, Include)>,
}

#[derive(Clone, Debug)]
struct Include {
    quoted: bool,
    path: String,
}

impl Files {
    /// An `#include` line, of which `rest` is what follows the word.
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

    /// A line marker names `name`: from here on it is that file.
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

    /// Which files are the library's own: those that were given, and those that they include as a
    /// part of themselves; with `also`, whatever is in one of these folders.
    pub(super) fn own(&self, also: &[PathBuf]) -> Own {
        let mut own: Vec<bool> = self.files.iter().map(|file| within_any(&file.name, also)).collect();
        // Includes lead from files that are entered earlier to later ones, but not always: repeat
        // until nothing is added.
        loop {
            let before = own.iter().filter(|&&own| own).count();
            for (id, file) in self.files.iter().enumerate() {
                let counts = file.included.iter().any(|(from, include)| match self.name(*from) {
                    "<stdin>" => true,
                    from_name => {
                        own.get(from.0).copied().unwrap_or(false) && is_part(from_name, &file.name, include)
                    }
                });
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

/// Which files are the library's own.
#[derive(Debug)]
pub(super) struct Own(Vec<bool>);

impl Own {
    pub(super) fn has(&self, id: FileId) -> bool {
        self.0.get(id.0).copied().unwrap_or(false)
    }
}

fn within_any(name: &str, folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| Path::new(name).starts_with(folder))
}

/// Whether `file`, which `from` includes, is a part of the same library.
fn is_part(from: &str, file: &str, include: &Include) -> bool {
    let folder = Path::new(from).parent().unwrap_or(Path::new(""));
    if include.quoted {
        // `#include "zconf.h"` beside it, or below; another library's header is found elsewhere.
        let below = if folder.as_os_str().is_empty() {
            Path::new(file).is_relative()
        } else {
            Path::new(file).starts_with(folder)
        };
        return below || same(&folder.join(&include.path), Path::new(file));
    }
    let Some((first, _)) = include.path.split_once('/') else {
        // The C libraries of Apple and others keep the parts of `<stdio.h>` in `<_stdio.h>`.
        return include.path.starts_with('_');
    };
    // `<curl/easy.h>` in `curl/curl.h`, `<glib/galloca.h>` in `glib.h`, and what glibc keeps in `bits`.
    folder.file_name().is_some_and(|name| name == first)
        || Path::new(from).file_stem().is_some_and(|name| name == first)
        || first == "bits"
}

fn same(a: &Path, b: &Path) -> bool {
    let plain =
        |path: &Path| -> PathBuf { path.components().filter(|part| part.as_os_str() != ".").collect() };
    plain(a) == plain(b)
}
