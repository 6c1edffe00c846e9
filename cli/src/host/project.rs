//! The crate of a host: its manifest, its program, and the bindings of the documents.

use std::path::Path;

use opendyn_codegen::Generated;

use super::cache::About;
use super::source::Source;
use super::{HostRole, Wanted};
use crate::failure::{Failure, Outcome};

/// The files of a crate.
pub(super) struct Project {
    pub(super) role: HostRole,
    /// The documents, as the user named them.
    pub(super) documents: Vec<String>,
    /// Whether it runs scripts.
    pub(super) scripts: bool,
    files: Vec<(String, String)>,
}

impl Project {
    /// The crate of a host with `bindings`, those of the wanted documents.
    pub(super) fn new(wanted: &Wanted<'_>, source: &Source, bindings: &[Generated]) -> Outcome<Self> {
        let documents: Vec<String> = wanted.documents.iter().map(|document| document.name.clone()).collect();
        let about = About {
            documents: documents.clone(),
            role: wanted.role.name().to_owned(),
            scripts: !wanted.scripts.is_empty(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let mut files = vec![
            ("Cargo.toml".to_owned(), manifest(wanted.role.features(!wanted.scripts.is_empty()), source)),
            ("Cargo.lock".to_owned(), source.lock()),
            ("src/main.rs".to_owned(), program(bindings)),
            // Every key is a string, so this cannot fail.
            ("host.json".to_owned(), serde_json::to_string_pretty(&about).unwrap_or_default()),
        ];
        for (index, binding) in bindings.iter().enumerate() {
            let text = binding.to_file().map_err(|error| {
                Failure::new(format!(
                    "the bindings of `{}` are not valid Rust, which is a bug in opendyn: {error}",
                    documents[index]
                ))
            })?;
            files.push((format!("src/document_{index}.rs"), text));
        }
        Ok(Self { role: wanted.role, documents, scripts: !wanted.scripts.is_empty(), files })
    }

    /// Writes all files to `folder`.
    pub(super) fn write(&self, folder: &Path) -> Outcome<()> {
        for (name, text) in &self.files {
            let path = folder.join(name);
            std::fs::write(&path, text)
                .map_err(|error| Failure::new(format!("cannot write `{}`: {error}", path.display())))?;
        }
        Ok(())
    }
}

/// A workspace of its own, wherever the cache is.
fn manifest(features: &[&str], source: &Source) -> String {
    format!(
        r#"# Written by `opendyn`, which compiles it once. Changes are lost.
[package]
name = "opendyn-host"
version = "{version}"
edition = "2024"
publish = false

[dependencies]
{dependency}

[profile.release]
strip = true

[workspace]
"#,
        version = env!("CARGO_PKG_VERSION"),
        dependency = source.dependency(features),
    )
}

fn program(bindings: &[Generated]) -> String {
    let mut modules = String::new();
    let mut members = String::new();
    for (index, binding) in bindings.iter().enumerate() {
        let path = format!("document_{index}::{}", binding.name());
        let shared = if binding.is_thread_safe() { "at_once" } else { "in_turn" };
        let open_default = match binding.has_default_library() {
            true => format!("Some(|| unsafe {{ {path}::open_default() }}.map(host::{shared}))"),
            false => "None".to_owned(),
        };
        modules += &format!("mod document_{index};\n");
        members += &format!(
            "        HostedDocument {{
            open: |path| unsafe {{ {path}::open(path) }}.map(host::{shared}),
            open_default: {open_default},
            at_once: {},
        }},
",
            binding.is_thread_safe()
        );
    }
    format!(
        "//! Calls and serves the functions of documents. Written by `opendyn`, which compiles it once.

use opendyn::host::{{self, HostedDocument}};

{modules}
fn main() -> std::process::ExitCode {{
    // SAFETY: the user who gives the command a document and a library asserts that one describes the other.
    host::run(&[
{members}    ])
}}
"
    )
}
