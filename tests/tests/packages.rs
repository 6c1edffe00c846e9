//! Every crate that can be published has what a registry shows and what its users need. `.ci/package` compiles the
//! packages themselves.

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use opendyn_tests::root;
use serde_json::Value;

/// Folders whose crates are for this repository alone.
const PRIVATE: [&str; 3] = ["tests", "examples", "benchmarks"];

struct Package {
    name: String,
    folder: PathBuf,
    /// As `cargo metadata` writes it.
    manifest: Value,
}

impl Package {
    fn is_publishable(&self) -> bool {
        self.manifest["publish"].is_null()
    }

    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }
}

fn packages() -> Vec<Package> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version=1"]).current_dir(root());
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("Cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("packages is an array");
    let package = |manifest: &Value| Package {
        name: manifest["name"].as_str().expect("a package has a name").to_owned(),
        folder: Path::new(manifest["manifest_path"].as_str().expect("a package has a manifest"))
            .parent()
            .expect("a manifest is in a folder")
            .to_owned(),
        manifest: manifest.clone(),
    };
    packages.iter().map(package).collect()
}

fn publishable() -> impl Iterator<Item = Package> {
    packages().into_iter().filter(Package::is_publishable)
}

#[test]
fn tests_examples_and_benchmarks_cannot_be_published() {
    let root = root().canonicalize().expect("the repository is there");
    for package in packages() {
        let folder = package.folder.canonicalize().expect("the crate is there");
        let below = folder.strip_prefix(&root).expect("the crate is in the repository");
        let is_private = below.iter().any(|part| PRIVATE.iter().any(|private| part == *private));
        assert_eq!(package.is_publishable(), !is_private, "{}: `publish` in Cargo.toml", package.name);
    }
}

#[test]
fn manifests_say_what_a_registry_shows() {
    for Package { name, manifest, .. } in publishable() {
        for key in ["description", "license", "readme", "rust_version"] {
            let value = manifest[key].as_str().unwrap_or_default();
            assert!(!value.is_empty(), "{name}: `{key}` is missing");
        }
        for (key, most) in [("keywords", 5), ("categories", 5)] {
            let count = manifest[key].as_array().map_or(0, Vec::len);
            assert!((1..=most).contains(&count), "{name}: {count} {key}, expected 1 to {most}");
        }
        let documented = &manifest["metadata"]["docs"]["rs"]["all-features"];
        assert_eq!(documented, true, "{name}: `all-features` of `package.metadata.docs.rs`");
    }
}

#[test]
fn packages_have_a_readme_and_both_licences() {
    let licences = ["LICENSE-MIT", "LICENSE-APACHE"];
    let originals = licences.map(|file| std::fs::read_to_string(root().join(file)).expect(file));
    for package in publishable() {
        let name = &package.name;
        assert_eq!(package.manifest["readme"], "README.md", "{name}");
        assert!(
            package.file("README.md").starts_with(&format!("# {name}\n")),
            "{name}: the title of README.md"
        );
        for (file, original) in licences.iter().zip(&originals) {
            assert!(package.file(file) == *original, "{name}: {file} differs from the one of the repository");
        }
        let manifest = package.file("Cargo.toml");
        let include = manifest.lines().find(|line| line.starts_with("include = ")).unwrap_or_default();
        for file in ["\"/src\"", "\"/README.md\"", "\"/LICENSE-*\""] {
            assert!(include.contains(file), "{name}: `include` lacks {file}");
        }
    }
}

#[test]
fn dependencies_in_the_workspace_have_a_version() {
    let published: BTreeSet<String> = publishable().map(|package| package.name).collect();
    for Package { name, manifest, .. } in publishable() {
        let dependencies = manifest["dependencies"].as_array().expect("dependencies is an array");
        // Cargo removes development dependencies without a version from a package.
        for dependency in dependencies.iter().filter(|it| it["kind"] != "dev" && !it["path"].is_null()) {
            let on = dependency["name"].as_str().expect("a dependency has a name");
            assert_ne!(dependency["req"], "*", "{name}: the dependency on {on} has no version");
            assert!(published.contains(on), "{name} depends on {on}, which cannot be published");
        }
    }
}

#[test]
fn ci_packages_every_crate_that_can_be_published() {
    let script = std::fs::read_to_string(root().join(".ci/package")).expect("the script is there");
    let (_, list) = script.split_once("crates=(\n").expect("the script has a list");
    let (list, _) = list.split_once("\n)").expect("the list ends");
    let listed: BTreeSet<String> = list.lines().map(|line| line.trim().to_owned()).collect();
    assert_eq!(listed, publishable().map(|package| package.name).collect());
}
