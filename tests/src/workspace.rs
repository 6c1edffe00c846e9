//! Crates like those of users, written to a folder of the target directory.

#![expect(clippy::expect_used, reason = "test code may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A workspace whose crates share their dependencies.
#[derive(Debug)]
pub struct Workspace {
    folder: PathBuf,
}

impl Workspace {
    /// Writes all files again, so that Cargo rebuilds the crates.
    ///
    /// # Panics
    ///
    /// The files cannot be written.
    #[must_use]
    pub fn new(name: &str, crates: &[&str]) -> Self {
        Self::with_features(name, crates, &[])
    }

    /// As [`Workspace::new`], with features that `opendyn` and `opendyn-codegen` both have.
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
        // Without a lock file, Cargo would ask the registry for versions.
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
    /// The file cannot be written.
    pub fn write(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }

    /// Runs Cargo in the workspace, offline.
    ///
    /// # Panics
    ///
    /// Cargo does not start.
    #[must_use]
    pub fn cargo(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("cargo runs")
    }

    /// A command that runs Cargo in the workspace, offline.
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

    /// The target folder of Cargo.
    #[must_use]
    pub fn target(&self) -> PathBuf {
        self.folder.with_file_name("target")
    }
}

/// The folder of the repository.
///
/// # Panics
///
/// The tests are not in a folder of the repository.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the workspace")
}

/// A folder of the target directory, next to the folder of the test's executable.
fn target_folder() -> PathBuf {
    let executable = std::env::current_exe().expect("it runs");
    executable.parent().expect("it is in a folder").with_file_name("tmp")
}
