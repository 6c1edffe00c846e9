//! Checks the symbols that `x-free` and `x-takes` name: the library exports them, or a library that it links, as what they are used
//! for.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use opendyn_model::diagnostic::Findings;
use opendyn_model::lower::Lowered;
use opendyn_model::plan::LinkedSymbol;
use opendyn_model::rule::Rule;
use opendyn_source::nearest::nearest_few;

use super::report::Gap;
use crate::{Exports, Format, SymbolKind, locate};

/// Compares the symbols that free and allocate with what the library at `path` exports. Returns those that could not be compared.
pub(super) fn compare(
    document: &Lowered,
    (path, exports): (&Path, &Exports),
    findings: &Findings,
) -> Option<Gap> {
    let symbols = &document.types.symbols;
    if symbols.is_empty() {
        return None;
    }
    let is_own = symbols.iter().all(|symbol| exports.get(&symbol.name.value).is_some());
    let linked = if is_own { Linked::default() } else { Linked::of(path, exports) };
    let mut left = Vec::new();
    for symbol in symbols {
        let name = &symbol.name.value;
        let all = std::iter::once(exports).chain(&linked.libraries);
        match all.filter_map(|library| library.get(name)).next() {
            Some(export) => {
                if let Some((message, help)) = misfit(symbol, export.kind) {
                    findings.report(Rule::NotExported, symbol.name.span, message, help);
                }
            }
            None if linked.missing.is_empty() => missing(symbol, exports, findings),
            None => left.push(format!("`{name}` of `{}`", symbol.key)),
        }
    }
    let reason = || format!("these libraries that it links were not found: {}", linked.missing.join(", "));
    (!left.is_empty()).then(|| Gap { reason: reason(), functions: left })
}

/// Why a symbol of this kind is not what the document says.
fn misfit(symbol: &LinkedSymbol, kind: SymbolKind) -> Option<(String, String)> {
    let (name, key) = (&symbol.name.value, symbol.key);
    match (symbol.is_variable, kind) {
        (false, kind) if kind.is_function() => None,
        (true, SymbolKind::Data) => None,
        (true, SymbolKind::ThreadLocal) => Some((
            format!("`{name}` is thread-local: every thread has its own, and `{key}` reads one of them"),
            format!(
                "name a function of the library that {}",
                if key == "x-free" { "frees the value" } else { "does the same" }
            ),
        )),
        (true, _) => Some((
            format!("`{name}` is not a variable, and `{key}` reads it as one"),
            format!("write {{\"symbol\": \"{name}\"}}"),
        )),
        (false, _) => Some((
            format!("`{name}` is not a function, and `{key}` calls it"),
            format!("write {{\"variable\": \"{name}\"}} if it holds the function"),
        )),
    }
}

fn missing(symbol: &LinkedSymbol, exports: &Exports, findings: &Findings) {
    let name = &symbol.name.value;
    let near = nearest_few(name, exports.all().iter().map(|export| export.name.as_str()), 3);
    let help = if near.is_empty() && symbol.key != "x-free" {
        "name a symbol that the library exports".to_owned()
    } else if near.is_empty() {
        "name a symbol that the library exports, or describe the function that frees the value".to_owned()
    } else {
        format!("the library exports {}; name that if you mean it", near.join(", "))
    };
    let who = if exports.format == Format::Pe {
        "the library does not export"
    } else {
        "neither the library nor one that it links exports"
    };
    findings.report(Rule::NotExported, symbol.name.span, format!("{who} `{name}`"), help);
}

/// The libraries that a library links, and those that they link.
#[derive(Default)]
struct Linked {
    libraries: Vec<Exports>,
    /// Names of libraries that were not found.
    missing: Vec<String>,
}

impl Linked {
    /// In the order in which the loader looks a symbol up: the nearest first.
    fn of(path: &Path, exports: &Exports) -> Self {
        let mut linked = Self::default();
        match exports.format {
            Format::Elf => {}
            // A DLL is asked alone.
            Format::Pe => return linked,
            Format::MachO => {
                linked.missing.push("those of macOS".to_owned());
                return linked;
            }
        }
        let mut seen = BTreeSet::new();
        let mut open: VecDeque<(PathBuf, Vec<String>, Vec<String>)> = VecDeque::new();
        open.push_back((path.to_owned(), exports.needed.clone(), exports.folders.clone()));
        while let Some((path, needed, folders)) = open.pop_front() {
            for name in needed {
                if !seen.insert(name.clone()) {
                    continue;
                }
                let found = find(&path, &folders, &name).and_then(|file| {
                    let library =
                        Exports::read(&file).ok().filter(|library| library.triple == exports.triple)?;
                    Some((file, library))
                });
                match found {
                    Some((file, library)) => {
                        open.push_back((file, library.needed.clone(), library.folders.clone()));
                        linked.libraries.push(library);
                    }
                    None => linked.missing.push(name),
                }
            }
        }
        linked
    }
}

/// The file of a library that the one at `path` links.
fn find(path: &Path, folders: &[String], name: &str) -> Option<PathBuf> {
    let origin = path.parent().map_or_else(String::new, |folder| folder.display().to_string());
    let folders =
        folders.iter().map(|folder| folder.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin));
    let mut files = folders.map(|folder| Path::new(&folder).join(name));
    files.find(|file| file.is_file()).or_else(|| locate(name).ok())
}
