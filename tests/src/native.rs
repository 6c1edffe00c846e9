//! C libraries, compiled by the tests that load them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A compiled library, whose file is removed when this is dropped. The library stays loaded.
#[derive(Debug)]
pub struct NativeLibrary {
    path: PathBuf,
}

impl NativeLibrary {
    /// Its absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A copy in another file: the system loads it as another library, with variables of its own.
    ///
    /// # Panics
    ///
    /// It cannot be copied.
    #[must_use]
    #[expect(clippy::panic, reason = "a test needs its library")]
    pub fn copied(&self) -> Self {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let file = format!("{stem}_{}{}", next_number(), std::env::consts::DLL_SUFFIX);
        let path = self.path.with_file_name(file);
        match std::fs::copy(&self.path, &path) {
            Ok(_) => Self { path },
            Err(error) => panic!("cannot copy {}: {error}", self.path.display()),
        }
    }
}

impl AsRef<Path> for NativeLibrary {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

impl Drop for NativeLibrary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Compiles `tests/c/NAME.c` to a shared library, with `CC` or `cc`. `NAME` may be a path to another
/// folder, such as `../../examples/…`. Every call makes a separate file, so tests do not share the
/// library's variables.
///
/// # Panics
///
/// There is no C compiler, or it reports an error.
#[must_use]
#[expect(clippy::panic, reason = "a test needs its library")]
pub fn shared_library(name: &str, flags: &[&str]) -> NativeLibrary {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("c").join(name).with_extension("c");
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let file = format!(
        "{}opendyn_{stem}_{}_{}{}",
        std::env::consts::DLL_PREFIX,
        std::process::id(),
        next_number(),
        std::env::consts::DLL_SUFFIX
    );
    let path = std::env::temp_dir().join(file);
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let status = Command::new(&compiler)
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-O1", "-o"])
        .arg(&path)
        .arg(&source)
        .args(flags)
        .status();
    match status {
        Ok(status) if status.success() => NativeLibrary { path },
        Ok(status) => panic!("`{compiler}` could not compile {}: {status}", source.display()),
        Err(error) => panic!("the tests need a C compiler; `{compiler}` (or CC) did not start: {error}"),
    }
}

/// A number that no other file of this process has.
fn next_number() -> u32 {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    COUNT.fetch_add(1, Ordering::Relaxed)
}

/// Two copies of a library.
#[derive(Debug)]
pub struct TwinLibrary {
    /// For the compiled binding.
    pub compiled: NativeLibrary,
    /// For the interpreter.
    pub interpreted: NativeLibrary,
}

impl TwinLibrary {
    /// Compiles `tests/c/NAME.c` once, as [`shared_library`] does, and copies it.
    ///
    /// # Panics
    ///
    /// As for [`shared_library`].
    #[must_use]
    pub fn new(name: &str, flags: &[&str]) -> Self {
        let compiled = shared_library(name, flags);
        Self { interpreted: compiled.copied(), compiled }
    }

    /// Two other copies, with variables of their own.
    ///
    /// # Panics
    ///
    /// They cannot be copied.
    #[must_use]
    pub fn copied(&self) -> Self {
        Self { compiled: self.compiled.copied(), interpreted: self.interpreted.copied() }
    }
}
