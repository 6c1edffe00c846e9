//! Finds a library by the name that programs use, such as `libz.so.1`. The search is that of the system's
//! loader, without the directories that a program adds itself.

mod cache;

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Why a library was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// The name that was asked for.
    pub name: String,
    /// The places searched, in order.
    pub tried: Vec<PathBuf>,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no library {} was found", self.name)?;
        if self.tried.is_empty() {
            return Ok(());
        }
        let tried: Vec<String> = self.tried.iter().map(|path| path.display().to_string()).collect();
        write!(f, "; looked in {}", tried.join(", "))
    }
}

impl std::error::Error for NotFound {}

/// The file of a library: an existing path as it is, or a bare name as the system's loader finds it.
pub fn locate(name_or_path: impl AsRef<Path>) -> Result<PathBuf, NotFound> {
    let path = name_or_path.as_ref();
    if path.is_file() {
        return Ok(path.to_owned());
    }
    let name = path.display().to_string();
    if !is_bare(path) {
        return Err(NotFound { name, tried: vec![path.to_owned()] });
    }
    search(path, &Places::of_system()).map_err(|tried| NotFound { name, tried })
}

/// The file that a program gets by this name or path. Unlike [`locate`], a bare name is not a file of the current folder,
/// where the system's loader does not look.
pub fn locate_as_loaded(name_or_path: impl AsRef<Path>) -> Result<PathBuf, NotFound> {
    let path = name_or_path.as_ref();
    if !is_bare(path) {
        return locate(path);
    }
    search(path, &Places::of_system()).map_err(|tried| NotFound { name: path.display().to_string(), tried })
}

fn is_bare(path: &Path) -> bool {
    path.file_name().is_some_and(|file| file == path.as_os_str())
}

/// Where the loader searches.
struct Places {
    /// Directories before the cache, from the environment.
    first: Vec<PathBuf>,
    /// The cache of Linux: its path and content.
    cache: Option<(PathBuf, Vec<u8>)>,
    /// Directories after the cache.
    last: Vec<PathBuf>,
}

impl Places {
    fn of_system() -> Self {
        match std::env::consts::OS {
            "windows" => Self { first: Vec::new(), cache: None, last: windows_directories() },
            "macos" => Self {
                first: from_environment("DYLD_LIBRARY_PATH"),
                cache: None,
                last: ["/usr/local/lib", "/opt/homebrew/lib", "/usr/lib"].map(PathBuf::from).to_vec(),
            },
            _ => {
                let path = PathBuf::from("/etc/ld.so.cache");
                let cache = fs::read(&path).ok().map(|bytes| (path, bytes));
                let configured = cache::configured_directories(Path::new("/etc/ld.so.conf"));
                Self {
                    first: from_environment("LD_LIBRARY_PATH"),
                    cache,
                    last: configured.into_iter().chain(standard_directories()).collect(),
                }
            }
        }
    }
}

fn search(name: &Path, places: &Places) -> Result<PathBuf, Vec<PathBuf>> {
    let mut tried = Vec::new();
    let within = |directories: &[PathBuf], tried: &mut Vec<PathBuf>| {
        directories.iter().find_map(|directory| {
            if !tried.contains(directory) {
                tried.push(directory.clone());
            }
            Some(directory.join(name)).filter(|file| is_for_this_machine(file))
        })
    };
    if let Some(found) = within(&places.first, &mut tried) {
        return Ok(found);
    }
    if let Some((path, bytes)) = &places.cache {
        tried.push(path.clone());
        let entries = cache::entries(bytes, name.as_os_str().as_encoded_bytes());
        if let Some(found) = entries.into_iter().find(|file| is_for_this_machine(file)) {
            return Ok(found);
        }
    }
    within(&places.last, &mut tried).ok_or(tried)
}

/// Whether the file exists and, if it is ELF, is for the architecture of this machine; the loader skips
/// others.
fn is_for_this_machine(path: &Path) -> bool {
    let mut start = [0; 20];
    let Ok(mut file) = fs::File::open(path) else { return false };
    if file.read_exact(&mut start).is_err() || !start.starts_with(b"\x7fELF") {
        return path.is_file();
    }
    let machine = if start[5] == 1 { [start[18], start[19]] } else { [start[19], start[18]] };
    let expected: Option<u16> = match std::env::consts::ARCH {
        "x86_64" => Some(62),
        "x86" => Some(3),
        "aarch64" => Some(183),
        "arm" => Some(40),
        "riscv32" | "riscv64" => Some(243),
        "powerpc64" => Some(21),
        "s390x" => Some(22),
        "loongarch64" => Some(258),
        _ => None,
    };
    let width = if start[4] == 2 { 8 } else { 4 };
    width == size_of::<usize>() && expected.is_none_or(|expected| u16::from_le_bytes(machine) == expected)
}

fn from_environment(variable: &str) -> Vec<PathBuf> {
    let value = std::env::var_os(variable).unwrap_or_default();
    std::env::split_paths(&value).filter(|path| !path.as_os_str().is_empty()).collect()
}

fn windows_directories() -> Vec<PathBuf> {
    let system = std::env::var_os("SystemRoot").map(|root| Path::new(&root).join("System32"));
    system.into_iter().chain(from_environment("PATH")).collect()
}

/// The loader's default directories, those of Debian's multiarch first.
fn standard_directories() -> Vec<PathBuf> {
    let architecture = match std::env::consts::ARCH {
        "x86" => "i386",
        "powerpc64" if cfg!(target_endian = "little") => "powerpc64le",
        other => other,
    };
    let system = match std::env::consts::ARCH {
        "arm" => "linux-gnueabihf",
        _ => "linux-gnu",
    };
    let multiarch = format!("{architecture}-{system}");
    let mut directories = Vec::new();
    for root in ["/lib", "/usr/lib"] {
        directories.push(Path::new(root).join(&multiarch));
    }
    directories.extend(["/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"].map(PathBuf::from));
    directories.retain(|directory| directory.is_dir());
    directories
}

/// Bytes from a file as a path, on systems where paths are bytes.
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(|text| PathBuf::from(OsStr::new(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_exists_is_taken_as_it_is() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert_eq!(locate(&path), Ok(path));
    }

    #[test]
    fn the_loader_does_not_find_a_file_of_the_current_folder_by_its_name() {
        // Tests run in the folder of the crate.
        assert!(locate("Cargo.toml").is_ok() && locate_as_loaded("Cargo.toml").is_err());
        assert!(locate_as_loaded("./Cargo.toml").is_ok());
    }

    #[test]
    fn a_path_that_does_not_exist_is_not_searched_for() {
        let error = locate("./no/libz.so.1").expect_err("no such file");
        assert_eq!(error.tried, [PathBuf::from("./no/libz.so.1")]);
    }

    #[test]
    fn a_name_that_is_nowhere_lists_the_places() {
        let places = Places { first: vec!["/a".into()], cache: None, last: vec!["/b".into(), "/a".into()] };
        let tried = search(Path::new("libno.so"), &places).expect_err("no such library");
        let error = NotFound { name: "libno.so".to_owned(), tried };
        assert_eq!(error.to_string(), "no library libno.so was found; looked in /a, /b");
    }

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn the_c_library_is_found_by_name() {
        let path = locate("libc.so.6").expect("every program here has it");
        assert!(path.is_absolute() && path.ends_with("libc.so.6"), "{}", path.display());
    }
}
