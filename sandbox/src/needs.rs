//! What a library needs before anything else: the files that the loader opens, and a process with one thread.

use std::path::{Path, PathBuf};

/// Fails if this process has other threads: Landlock would restrict only this one.
#[cfg(target_os = "linux")]
pub(crate) fn one_thread() -> Result<(), crate::SandboxError> {
    // Without /proc nothing can be said.
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return Ok(()) };
    match threads.count() {
        0 | 1 => Ok(()),
        count => Err(crate::SandboxError::Threads(count)),
    }
}

/// The library itself, the shared libraries in its folder, and the folders of `LD_LIBRARY_PATH`. What the system's folders have is
/// readable anyway.
pub(crate) fn of_library(library: &Path) -> Vec<PathBuf> {
    let mut needed = library_path();
    // The loader searches a name without a folder, in folders that are readable anyway.
    if library.parent().is_none_or(|folder| folder.as_os_str().is_empty()) {
        return needed;
    }
    // A link may lead to another folder, in which the library's neighbours are.
    let real = library.canonicalize().ok();
    for file in std::iter::once(library).chain(real.as_deref()) {
        if file.exists() {
            needed.push(file.to_owned());
        }
        let folder = file.parent().unwrap_or(Path::new("/"));
        let Ok(entries) = folder.read_dir() else { continue };
        needed.extend(entries.flatten().map(|entry| entry.path()).filter(|path| is_shared_library(path)));
    }
    let system = crate::SYSTEM_FILES.iter().filter_map(|folder| Path::new(folder).canonicalize().ok());
    let system: Vec<PathBuf> = system.collect();
    // Wherever links lead. A folder of thousands of libraries is one rule.
    let is_of_the_system = |real: PathBuf| system.iter().any(|folder| real.starts_with(folder));
    needed.retain(|path| !path.canonicalize().is_ok_and(is_of_the_system));
    needed.sort();
    needed.dedup();
    needed
}

/// The folders of `LD_LIBRARY_PATH`.
pub(crate) fn library_path() -> Vec<PathBuf> {
    let folders = std::env::var_os("LD_LIBRARY_PATH");
    let folders = folders.iter().flat_map(std::env::split_paths);
    folders.filter(|folder| folder.is_absolute() && folder.is_dir()).collect()
}

/// `libz.so`, `libz.so.1.2.13`: by name, and a file that is there.
fn is_shared_library(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    (name.ends_with(".so") || name.contains(".so.")) && path.is_file()
}
