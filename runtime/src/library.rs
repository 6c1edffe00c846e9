//! A loaded library and the addresses of its functions.
//!
//! Generated bindings own a [`Library`] and reach every function through its position in
//! the table; nothing here knows what a function takes.

use std::fmt;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::ptr;

/// A library, loaded for as long as the process runs, and the addresses of `N` functions.
///
/// The table is part of the value, not behind a pointer: a call is one load and one jump, as
/// with a function pointer that was looked up and stored by hand.
pub struct Library<const N: usize> {
    symbols: [*const (); N],
    /// Never unloaded: threads, exit handlers and thread-local destructors of the library may
    /// run code in it until the process ends.
    library: ManuallyDrop<libloading::Library>,
    path: Option<PathBuf>,
}

// SAFETY: the table holds addresses of code, which are the same in every thread and are never
// written after loading. Whether the code may run in several threads at once is for the
// binding to say (`ShareThroughSerial`).
unsafe impl<const N: usize> Send for Library<N> {}
// SAFETY: as above; `Library` itself calls nothing.
unsafe impl<const N: usize> Sync for Library<N> {}

impl<const N: usize> Library<N> {
    /// Loads the library at `path` and looks up `symbols`; those at the positions in
    /// `optional` may be absent.
    ///
    /// # Errors
    ///
    /// The path is relative, the library cannot be loaded, or it lacks symbols: all that are
    /// missing are listed.
    ///
    /// # Safety
    ///
    /// Loading runs the library's initialisers, which must be sound to run here and now.
    pub unsafe fn open(
        path: &Path,
        symbols: &[&'static str; N],
        optional: &[usize],
    ) -> Result<Self, LoadError> {
        if is_relative(path) {
            return Err(LoadError::RelativePath { path: path.to_owned() });
        }
        // SAFETY: the caller vouches for the library's initialisers.
        let library =
            unsafe { load(path) }.map_err(|source| LoadError::Open { path: path.to_owned(), source })?;
        Self::resolve(library, Some(path.to_owned()), symbols, optional)
    }

    /// Looks up `symbols` in a library that is loaded already.
    ///
    /// # Errors
    ///
    /// The library lacks symbols: all that are missing are listed.
    pub fn from_loaded(
        library: libloading::Library,
        symbols: &[&'static str; N],
        optional: &[usize],
    ) -> Result<Self, LoadError> {
        Self::resolve(library, None, symbols, optional)
    }

    fn resolve(
        library: libloading::Library,
        path: Option<PathBuf>,
        names: &[&'static str; N],
        optional: &[usize],
    ) -> Result<Self, LoadError> {
        let mut symbols = [ptr::null(); N];
        let mut missing = Vec::new();
        for (index, name) in names.iter().enumerate() {
            // SAFETY: the address is only kept; `symbol` says what its caller owes before use.
            match unsafe { library.get::<*const ()>(*name) } {
                Ok(symbol) if !symbol.is_null() => symbols[index] = *symbol,
                _ if optional.contains(&index) => {}
                _ => missing.push(*name),
            }
        }
        if missing.is_empty() {
            Ok(Self { symbols, library: ManuallyDrop::new(library), path })
        } else {
            Err(LoadError::MissingSymbols { path, symbols: missing, checked: None })
        }
    }

    /// The function at `index`, as a function pointer of type `F`.
    ///
    /// # Safety
    ///
    /// `index` is below `N`, the symbol there was found ([`Library::has`] is true, or it was
    /// not optional), and `F` is the type of a function pointer with the signature that the
    /// symbol has in the library.
    #[inline(always)]
    #[must_use]
    pub unsafe fn symbol<F: Copy>(&self, index: usize) -> F {
        const { assert!(size_of::<F>() == size_of::<*const ()>(), "F is a function pointer") };
        debug_assert!(self.has(index));
        // SAFETY: the caller vouches for the index and for `F`, and `F` is as large as an address.
        unsafe { std::mem::transmute_copy(self.symbols.get_unchecked(index)) }
    }

    /// Whether the symbol at `index` was found.
    #[inline]
    #[must_use]
    pub fn has(&self, index: usize) -> bool {
        self.symbols.get(index).is_some_and(|symbol| !symbol.is_null())
    }

    /// The loaded library, for symbols that the document does not describe.
    #[must_use]
    pub fn loaded(&self) -> &libloading::Library {
        &self.library
    }
}

impl<const N: usize> fmt::Debug for Library<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").field("path", &self.path).field("symbols", &N).finish_non_exhaustive()
    }
}

/// A path with a directory in it that does not say from where. What it means depends on the
/// current directory, which an attacker or an accident may choose.
fn is_relative(path: &Path) -> bool {
    !path.is_absolute() && path.components().count() != 1
        || path.as_os_str() == "."
        || path.as_os_str() == ".."
}

/// # Safety
///
/// As for [`Library::open`].
#[cfg(unix)]
unsafe fn load(path: &Path) -> Result<libloading::Library, libloading::Error> {
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
    // Symbols that the library itself lacks are an error now, not a crash at the first call.
    // SAFETY: the caller vouches for the library's initialisers.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(Into::into)
}

/// # Safety
///
/// As for [`Library::open`].
#[cfg(windows)]
unsafe fn load(path: &Path) -> Result<libloading::Library, libloading::Error> {
    use libloading::os::windows::{
        LOAD_LIBRARY_SEARCH_DEFAULT_DIRS, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR, LOAD_LIBRARY_SEARCH_SYSTEM32,
        Library,
    };
    // A bare name would otherwise be looked for in the current directory.
    let flags = if path.is_absolute() {
        LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32
    } else {
        LOAD_LIBRARY_SEARCH_DEFAULT_DIRS
    };
    // SAFETY: the caller vouches for the library's initialisers.
    unsafe { Library::load_with_flags(path, flags) }.map(Into::into)
}

/// Why a library could not be bound.
#[non_exhaustive]
pub enum LoadError {
    /// The path names a directory relative to the current one.
    RelativePath {
        /// The path as given.
        path: PathBuf,
    },
    /// The system could not load the library.
    Open {
        /// The path as given.
        path: PathBuf,
        /// What the system answered.
        source: libloading::Error,
    },
    /// The library that the document names is in none of the places where it may be.
    NotFound {
        /// The environment variable that can name it.
        variable: &'static str,
        /// What was tried, and what the system answered.
        tried: Vec<LoadError>,
    },
    /// The document names no library for this system.
    NoDefault {
        /// The environment variable that can name it.
        variable: &'static str,
    },
    /// The library lacks functions that the document describes.
    MissingSymbols {
        /// The path as given; `None` for a library that was loaded already.
        path: Option<PathBuf>,
        /// Every symbol that is missing.
        symbols: Vec<&'static str>,
        /// The library that the document was checked against when the bindings were generated, if it
        /// was. That one has all of them.
        checked: Option<&'static Checked>,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RelativePath { path } => write!(
                f,
                "cannot load `{}`: the path depends on the current directory; \
                 give an absolute path (`std::path::absolute` makes one) or a bare file name",
                path.display()
            ),
            // What the system said is in the source of libloading's error.
            Self::Open { path, source } => match std::error::Error::source(source) {
                Some(answer) => write!(f, "cannot load `{}`: {answer}", path.display()),
                None => write!(f, "cannot load `{}`: {source}", path.display()),
            },
            Self::NotFound { variable, tried } => {
                f.write_str("the library is not found")?;
                for error in tried {
                    write!(f, "; {error}")?;
                }
                write!(f, "; the environment variable {variable} can name it")
            }
            Self::NoDefault { variable } => write!(
                f,
                "the document names no library for {}; the environment variable {variable} can",
                std::env::consts::OS
            ),
            Self::MissingSymbols { path, symbols, checked } => {
                match path {
                    Some(path) => write!(f, "`{}`", path.display())?,
                    None => f.write_str("the loaded library")?,
                }
                let noun = if symbols.len() == 1 { "function" } else { "functions" };
                write!(f, " lacks {} {noun} of the document: {}", symbols.len(), symbols.join(", "))?;
                match checked {
                    Some(checked) => {
                        let them = if symbols.len() == 1 { "it" } else { "them" };
                        write!(
                            f,
                            "; this is not the build that the document was checked against, {checked}, "
                        )?;
                        write!(f, "which has {them}")
                    }
                    None => Ok(()),
                }
            }
        }
    }
}

/// As `Display`: it is what a program ends with whose `main` returns the error.
impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Open { source, .. } => Some(source),
            Self::RelativePath { .. }
            | Self::NotFound { .. }
            | Self::NoDefault { .. }
            | Self::MissingSymbols { .. } => None,
        }
    }
}

/// A library that a document was checked against when its bindings were generated: every function of the
/// document that is not optional was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Its file name.
    pub library: &'static str,
    /// What tells its build from others, in hex: the build ID of ELF, the UUID of Mach-O.
    pub build: Option<&'static str>,
    /// The size of its file in bytes.
    pub size: u64,
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { library, build, size } = self;
        match build {
            Some(build) => write!(f, "`{library}` (build {build}, {size} bytes)"),
            None => write!(f, "`{library}` ({size} bytes)"),
        }
    }
}

/// The error, with what the document was checked against.
#[cold]
#[must_use]
pub fn checked(error: LoadError, checked: &'static Checked) -> LoadError {
    match error {
        LoadError::MissingSymbols { path, symbols, .. } => {
            LoadError::MissingSymbols { path, symbols, checked: Some(checked) }
        }
        other => other,
    }
}

impl From<LoadError> for opentool::ToolError {
    fn from(error: LoadError) -> Self {
        Self::LibraryMissing { message: error.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_absolute_paths_and_bare_names_are_taken() {
        for refused in ["./libm.so.6", "lib/libm.so.6", "../libm.so.6", ".", ".."] {
            assert!(is_relative(Path::new(refused)), "{refused}");
        }
        for taken in ["/usr/lib/libm.so.6", "libm.so.6"] {
            #[cfg(unix)]
            assert!(!is_relative(Path::new(taken)), "{taken}");
        }
    }

    #[test]
    fn a_relative_path_is_refused_before_anything_is_loaded() {
        // SAFETY: nothing is loaded.
        let error = unsafe { Library::open(Path::new("./libm.so.6"), &["cos"], &[]) }.expect_err("relative");
        assert!(error.to_string().contains("depends on the current directory"), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn every_missing_symbol_is_listed() {
        // SAFETY: the C library is loaded already.
        let error =
            unsafe { Library::open(Path::new("libc.so.6"), &["nope_1", "abs", "nope_2", "nope_3"], &[3]) }
                .expect_err("two are missing");
        assert_eq!(error.to_string(), "`libc.so.6` lacks 2 functions of the document: nope_1, nope_2");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_optional_symbol_may_be_absent() {
        // SAFETY: the C library is loaded already.
        let library =
            unsafe { Library::open(Path::new("libc.so.6"), &["abs", "nope"], &[1]) }.expect("abs is there");
        assert!(library.has(0) && !library.has(1) && !library.has(2));
        // SAFETY: `int abs(int)` is what the C standard says.
        let abs = unsafe { library.symbol::<unsafe extern "C" fn(i32) -> i32>(0) };
        // SAFETY: abs is defined for -7.
        assert_eq!(unsafe { abs(-7) }, 7);
    }
}
