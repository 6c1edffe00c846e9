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
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("c").join(name).with_extension("c");
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let file = format!(
        "{}opendyn_{stem}_{}_{}{}",
        std::env::consts::DLL_PREFIX,
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed),
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
