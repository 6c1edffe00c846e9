//! A document: whether it can be used, its library (where it is, which version), and the library's debug info.

use std::path::{Path, PathBuf};

use opendyn_codegen::Options;
use opendyn_inspect::contract::{NativeLibrary, NativeOptions, check_contract, symbols};
use opendyn_inspect::locate_as_loaded;
use opendyn_interpreter::command::places;

use super::Finding;
use super::packages::Manager;
use crate::document::Document;
use crate::tool;

/// What was found about a document. `library` is the one that the user names.
pub(crate) fn of_document(document: &Document, library: Option<&Path>) -> Vec<Finding> {
    let name = document.name.as_str();
    let mut found = Vec::new();
    match opendyn_codegen::describe(name, &document.source, &Options::default()) {
        Ok(described) => {
            let callable = described.functions.iter().filter(|function| function.refused.is_none()).count();
            let all = described.functions.len();
            found.push(Finding::ok(
                "document",
                format!("{name}: {all} functions, {callable} of them callable with JSON"),
            ));
        }
        Err(wrong) => {
            let errors = wrong.errors().count();
            let noun = if errors == 1 { "error" } else { "errors" };
            let finding = Finding::failed("document", format!("{name}: {errors} {noun}"));
            found.push(finding.help(Some(format!("to see them: opendyn check {name}"))));
            return of(found, name);
        }
    }
    match file(document, library) {
        Ok(path) => of_library(document, &path, &mut found),
        Err(finding) => found.push(finding),
    }
    of(found, name)
}

fn of(found: Vec<Finding>, name: &str) -> Vec<Finding> {
    found.into_iter().map(|finding| finding.of(name)).collect()
}

/// The file of the library that a call would open.
fn file(document: &Document, library: Option<&Path>) -> Result<PathBuf, Finding> {
    const PART: &str = "library";
    let wanted = match library {
        Some(path) => vec![path.to_owned()],
        None => match tool::read(document) {
            Ok(read) if read.names_library() => places(&read),
            _ => {
                let message = format!("{} names none for {}", document.name, std::env::consts::OS);
                let help = "name it with --library, or in the document with `x-library`".to_owned();
                return Err(Finding::failed(PART, message).help(Some(help)));
            }
        },
    };
    let (mut bare, mut tried) = (None, Vec::new());
    for place in wanted {
        match locate_as_loaded(&place) {
            Ok(path) => return Ok(path),
            // Where it was looked for is a long list.
            Err(error) if place.components().count() == 1 => {
                tried.push(format!("no library {} was found", error.name));
                bare = Some(error.name);
            }
            // The folder of this command is tried too, but it has no libraries.
            Err(_) if is_beside_the_command(&place) => {}
            Err(error) => tried.push(format!("there is no {}", error.name)),
        }
    }
    let help = bare.and_then(|name| Manager::find()?.providing(&name));
    Err(Finding::failed(PART, tried.join("; ")).help(help))
}

fn is_beside_the_command(path: &Path) -> bool {
    let own = std::env::current_exe().ok();
    path.parent().is_some() && path.parent() == own.as_deref().and_then(Path::parent)
}

fn of_library(document: &Document, path: &Path, found: &mut Vec<Finding>) {
    let read = NativeLibrary::read(path, &symbols(&document.source), NativeOptions::default());
    let library = match read {
        Ok(library) => library,
        Err(error) => {
            found.push(Finding::failed("library", error.to_string()));
            return;
        }
    };
    let file = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let package = Manager::find().and_then(|manager| manager.owner(&file));
    let package = package.map(|package| format!(", of {package}")).unwrap_or_default();
    let link = if file == path { String::new() } else { format!(", which is {}", file.display()) };
    found.push(Finding::ok("library", format!("{}{link}{package}", path.display())));

    let report = check_contract(&document.name, &document.source, &Options::default(), &library.evidence());
    match report.diagnostics.errors().count() {
        0 => found
            .push(Finding::ok("contract", "no difference between the document and the library was found")),
        errors => {
            let noun = if errors == 1 { "place" } else { "places" };
            let finding = Finding::failed("contract", format!("the library differs in {errors} {noun}"));
            let command =
                format!("to see them: opendyn check {} --library {}", document.name, path.display());
            found.push(finding.help(Some(command)));
        }
    }
    found.push(match &library.debug_info {
        Ok(interface) => {
            Finding::ok("debug info", format!("of {} functions of the document", interface.functions.len()))
        }
        Err(reason) => Finding::lacking(
            "debug info",
            // Where it was looked for is a long list.
            if reason.contains(" has no debug info") { "the library has none" } else { reason.as_str() },
            "`check` compares types with C headers alone (--header)",
        ),
    });
}
