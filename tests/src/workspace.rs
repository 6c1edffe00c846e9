//! Crates as users have them, written to a folder of the target directory.

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A workspace with crates of their own, which share what they depend on.
#[derive(Debug)]
pub struct Workspace {
    folder: PathBuf,
}

impl Workspace {
    /// Files are written anew, so that Cargo looks at them anew.
    ///
    /// # Panics
    ///
    /// The files cannot be written.
    #[must_use]
    pub fn new(name: &str, crates: &[&str]) -> Self {
        Self::with_features(name, crates, &[])
    }

    /// The same, with features of `opendyn` that `opendyn-codegen` has under the same names.
    ///
    /// # Panics
    ///
    /// The files cannot be written.
    #[must_use]
    pub fn with_features(name: &str, crates: &[&str], features: &[&str]) -> Self {
        let folder = target_folder().join("opendyn_tests").join(name);
        let workspace = Self { folder };
        let members: Vec<String> = crates.iter().map(|name| format!("{name:?}")).collect();
        workspace.write(
            "Cargo.toml",
            &format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", members.join(", ")),
        );
        // Without it Cargo would ask the registry for versions.
        let lock = root().join("Cargo.lock");
        workspace.write("Cargo.lock", &std::fs::read_to_string(lock).expect("the lock file is there"));
        for name in crates {
            let manifest = format!(
                "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
                 [dependencies]\nopendyn = {{ path = {:?}, features = {features:?} }}\n\n\
                 [build-dependencies]\nopendyn-codegen = {{ path = {:?}, features = {features:?} }}\n",
                root().join("runtime"),
                root().join("codegen"),
            );
            workspace.write(&format!("{name}/Cargo.toml"), &manifest);
        }
        workspace
    }

    /// Writes a file.
    ///
    /// # Panics
    ///
    /// It cannot be written.
    pub fn write(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }

    /// Runs Cargo in it, offline.
    ///
    /// # Panics
    ///
    /// Cargo does not start.
    #[must_use]
    pub fn cargo(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("cargo runs")
    }

    /// Cargo in it, offline, ready to run.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO"));
        command
            .args(arguments)
            .args(["--offline", "--color=never"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.target())
            .env("OPENDYN_DEBUG", "1")
            .env("RUSTDOCFLAGS", "-Dwarnings")
            .env_remove("RUSTFLAGS");
        command
    }

    /// The folder of the workspace.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where Cargo puts what it builds.
    #[must_use]
    pub fn target(&self) -> PathBuf {
        self.folder.with_file_name("target")
    }
}

/// The folder of the repository.
///
/// # Panics
///
/// The tests are not a folder of it.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the workspace")
}

/// A folder of the target directory: beside the executable of the test.
fn target_folder() -> PathBuf {
    let executable = std::env::current_exe().expect("it runs");
    executable.parent().expect("it is in a folder").with_file_name("tmp")
}
