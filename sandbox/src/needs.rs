//! What a library or a program needs before anything else: the files that the loader opens, and a process with one thread.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
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

/// The loader that a 64-bit little-endian ELF program names (`PT_INTERP`), which the kernel executes too.
pub(crate) fn loader_of(program: &Path) -> Option<PathBuf> {
    const INTERP: u32 = 3;
    /// Longer paths do not exist.
    const LONGEST: u64 = 4096;

    let mut file = File::open(program).ok()?;
    let mut header = [0; 64];
    file.read_exact(&mut header).ok()?;
    if header[..6] != *b"\x7fELF\x02\x01" {
        return None;
    }
    let table = u64::from_le_bytes(header[32..40].try_into().ok()?);
    let size = u16::from_le_bytes(header[54..56].try_into().ok()?);
    let count = u16::from_le_bytes(header[56..58].try_into().ok()?);
    for index in 0..u64::from(count) {
        let mut entry = [0; 56];
        file.seek(SeekFrom::Start(table.checked_add(index * u64::from(size))?)).ok()?;
        file.read_exact(&mut entry).ok()?;
        if u32::from_le_bytes(entry[..4].try_into().ok()?) == INTERP {
            let start = u64::from_le_bytes(entry[8..16].try_into().ok()?);
            let length = u64::from_le_bytes(entry[32..40].try_into().ok()?).min(LONGEST);
            file.seek(SeekFrom::Start(start)).ok()?;
            let mut path = Vec::new();
            file.take(length).read_to_end(&mut path).ok()?;
            let path = path.split(|byte| *byte == 0).next().unwrap_or_default();
            return Some(PathBuf::from(std::str::from_utf8(path).ok()?));
        }
    }
    None
}
