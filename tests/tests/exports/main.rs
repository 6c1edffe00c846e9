//! The tools of real documents, in every format for models: golden files, their meta-schemas, and the
//! packages of OpenAI, which must accept them unchanged.

#![expect(clippy::expect_used, clippy::panic, reason = "test code may panic")]

mod goldens;
mod meta;
mod python;
mod replies;
mod strict;

use std::path::{Path, PathBuf};

use opendyn_codegen::Options;
use opentool::OpenTool;

/// Every document of the fixtures and the examples, as its bindings describe it: the name of the file,
/// and the tools.
fn documents() -> Vec<(String, OpenTool)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of it");
    let folders = [root.join("tests/fixtures"), root.join("examples")];
    let mut files: Vec<PathBuf> =
        folders.iter().flat_map(|folder| entries(folder)).flat_map(|it| entries(&it)).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    let documents: Vec<_> = files.iter().filter_map(|file| document(root, file)).collect();
    for name in [
        "examples/quickstart/calc.json",
        "examples/sqlite/sqlite.json",
        "tests/fixtures/keys-structs/tool.json",
    ] {
        assert!(documents.iter().any(|(it, _)| it == name), "{name} is missing");
    }
    documents
}

/// `None` for a file that is not an OpenDyn document.
fn document(root: &Path, file: &Path) -> Option<(String, OpenTool)> {
    let name = file.strip_prefix(root).expect("it is in there").display().to_string();
    let source = std::fs::read_to_string(file).expect("it can be read");
    if !source.contains("\"opendyn\"") {
        return None;
    }
    let text = opendyn_codegen::opentool(&name, &source, &Options::default())
        .unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let document = OpenTool::parse(&text).unwrap_or_else(|invalid| panic!("{name}: {invalid}\n{text}"));
    Some((name, document))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}
