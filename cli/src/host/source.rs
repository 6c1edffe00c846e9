//! Where a host gets `opendyn` from: the sources that this command was compiled from, if they still exist, or
//! else the same version from the registry.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::fingerprint::Fingerprint;
use crate::failure::{Failure, Outcome};

/// Names the folder of other sources to use.
const VARIABLE: &str = "OPENDYN_SOURCE";
/// The crates that a host is made of.
const CRATES: [&str; 8] = ["codegen", "macros", "model", "opentool", "python", "runtime", "server", "source"];
/// The versions that were tested together.
const LOCK: &str = include_str!(concat!(env!("OUT_DIR"), "/Cargo.lock"));

/// The sources of `opendyn`.
pub(super) struct Source {
    /// A folder with our workspace; `None` for this version from the registry.
    folder: Option<PathBuf>,
    /// Identifies these sources.
    identity: String,
}

impl Source {
    pub(super) fn find() -> Outcome<Self> {
        if let Some(folder) = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) {
            let folder = PathBuf::from(folder);
            if !is_workspace(&folder) {
                return Err(Failure::new(format!(
                    "{VARIABLE} is `{}`, which does not have the sources of opendyn",
                    folder.display()
                ))
                .help("name the folder that has `runtime/Cargo.toml`"));
            }
            let folder = std::path::absolute(&folder)
                .map_err(|error| Failure::new(format!("{VARIABLE} is `{}`: {error}", folder.display())))?;
            return Ok(Self::new(Some(folder)));
        }
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
        // They may have changed since: another version is another crate.
        let same = own.filter(|folder| is_workspace(folder) && has_version(folder));
        Ok(Self::new(same.map(Path::to_owned)))
    }

    fn new(folder: Option<PathBuf>) -> Self {
        let identity = folder.as_deref().map_or_else(String::new, identity);
        Self { folder, identity }
    }

    pub(super) fn identity(&self) -> &str {
        &self.identity
    }

    /// The dependency line in the manifest of a host.
    pub(super) fn dependency(&self, features: &[&str]) -> String {
        let place = match &self.folder {
            // A path in TOML is a quoted string, with the escapes of JSON.
            Some(folder) => {
                let path = folder.join("runtime").to_string_lossy().into_owned();
                format!("path = {}", serde_json::Value::String(path))
            }
            None => format!("version = \"={}\"", env!("CARGO_PKG_VERSION")),
        };
        // The command writes the bindings, so a host does not need the macro and its dependencies.
        format!("opendyn = {{ {place}, default-features = false, features = {features:?} }}")
    }

    /// The versions of all dependencies.
    pub(super) fn lock(&self) -> String {
        let own =
            self.folder.as_deref().and_then(|folder| std::fs::read_to_string(folder.join("Cargo.lock")).ok());
        own.unwrap_or_else(|| LOCK.to_owned())
    }
}

/// The size and time of every file, which cargo uses too.
fn identity(folder: &Path) -> String {
    let mut fingerprint = Fingerprint::new();
    let mut files = vec![folder.join("Cargo.lock"), folder.join("Cargo.toml")];
    for name in CRATES {
        files.push(folder.join(name).join("Cargo.toml"));
        collect(&folder.join(name).join("src"), &mut files);
    }
    files.sort();
    for file in files {
        let Ok(metadata) = file.metadata() else { continue };
        let modified = metadata.modified().ok();
        let age = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        fingerprint.add(file.as_os_str().as_encoded_bytes());
        fingerprint.add(&metadata.len().to_le_bytes());
        fingerprint.add(&age.as_nanos().to_le_bytes());
    }
    fingerprint.to_string()
}

fn is_workspace(folder: &Path) -> bool {
    CRATES.iter().all(|name| folder.join(name).join("Cargo.toml").is_file())
}

fn has_version(folder: &Path) -> bool {
    let version = concat!("version = \"", env!("CARGO_PKG_VERSION"), "\"");
    std::fs::read_to_string(folder.join("Cargo.toml"))
        .is_ok_and(|manifest| manifest.lines().any(|line| line.trim() == version))
}

/// The files in a folder, recursively. Cargo will report what cannot be read.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&path, files),
            _ => files.push(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    /// If a crate of a host is not watched, the cache keeps an old host after that crate changes.
    #[test]
    fn every_crate_that_a_host_is_made_of_is_looked_at() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        let read = |file: PathBuf| std::fs::read_to_string(file).expect("a manifest");
        // Lines such as `opentool = { path = "opentool", version = "0.1.0" }`.
        let workspace = read(root.join("Cargo.toml"));
        let ours: Vec<(&str, &str)> = workspace
            .lines()
            .filter_map(|line| line.split_once(" = { path = \""))
            .filter_map(|(name, rest)| Some((name, rest.split('"').next()?)))
            .collect();
        assert!(ours.contains(&("opentool", "opentool")), "{ours:?}");
        for name in CRATES {
            let manifest = read(root.join(name).join("Cargo.toml"));
            let dependencies = manifest.split("\n[").find_map(|part| part.strip_prefix("dependencies]\n"));
            for line in dependencies.expect("dependencies").lines() {
                let dependency = line.split(['.', ' ']).next().unwrap_or_default();
                // `inspect` is for the feature `check`, which a host does not use.
                let folder = ours.iter().find(|(name, _)| *name == dependency).map(|(_, folder)| *folder);
                if let Some(folder) = folder.filter(|folder| *folder != "inspect") {
                    assert!(CRATES.contains(&folder), "`{name}` needs `{folder}`");
                }
            }
        }
    }

    #[test]
    fn sources_that_change_are_other_sources() {
        let folder = std::env::temp_dir().join(format!("opendyn-source-{}", std::process::id()));
        let file = folder.join("runtime/src/deep/lib.rs");
        std::fs::create_dir_all(folder.join("runtime/src/deep")).expect("a folder");
        std::fs::write(&file, "one").expect("it can be written");
        let first = identity(&folder);
        assert_eq!(identity(&folder), first);
        std::fs::write(&file, "longer").expect("it can be written");
        let second = identity(&folder);
        assert_ne!(second, first);
        let later = SystemTime::now() + Duration::from_secs(5);
        let touched =
            std::fs::File::options().append(true).open(&file).and_then(|file| file.set_modified(later));
        touched.expect("it is ours");
        assert_ne!(identity(&folder), second);
        std::fs::remove_dir_all(folder).expect("it is ours");
    }

    #[test]
    fn the_dependency_is_a_folder_or_this_very_version() {
        let registry = Source::new(None).dependency(&["host"]);
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            registry,
            format!(
                "opendyn = {{ version = \"={version}\", default-features = false, features = [\"host\"] }}"
            )
        );
        let folder = Source::new(Some(PathBuf::from("/a \"b\""))).dependency(&["host", "mcp"]);
        assert_eq!(
            folder,
            r#"opendyn = { path = "/a \"b\"/runtime", default-features = false, features = ["host", "mcp"] }"#
        );
    }
}
