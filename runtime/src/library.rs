//! A loaded library and the addresses of its functions.
//!
//! Generated bindings own a [`Library`] and reach every function through its position in the
//! table; the signatures are not known here.

use std::borrow::Cow;
use std::fmt;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::ptr;

use crate::in_use::{InUse, Sharing};

/// A library that stays loaded until the process ends, and the addresses of `N` functions.
///
/// The table is part of the value, not behind a pointer: a call is one load and one jump, as with
/// a function pointer that was looked up by hand.
pub struct Library<const N: usize> {
    symbols: [*const (); N],
    /// Never unloaded: threads, exit handlers and thread-local destructors of the library may
    /// run code in it until the process ends.
    library: ManuallyDrop<libloading::Library>,
    path: Option<PathBuf>,
    #[expect(dead_code, reason = "other bindings are refused while it is there")]
    in_use: Option<InUse>,
}

// SAFETY: the table holds addresses of code, which are valid in every thread and are never written
// after loading. The binding decides whether the code may run in several threads at once
// (`ShareThroughSerial`).
unsafe impl<const N: usize> Send for Library<N> {}
// SAFETY: as above; `Library` itself calls no function.
unsafe impl<const N: usize> Sync for Library<N> {}

impl<const N: usize> Library<N> {
    /// Loads the library at `path` and looks up `symbols`; those at the positions in `optional` may
    /// be absent.
    ///
    /// # Errors
    ///
    /// The path is relative, the library cannot be loaded, it is bound already in a way that does not agree with
    /// `sharing`, or it lacks symbols. The error lists all missing symbols.
    ///
    /// # Safety
    ///
    /// Loading runs the library's initialisers, which must be sound to run now.
    pub unsafe fn open(
        path: &Path,
        symbols: &[&'static str; N],
        optional: &[usize],
        sharing: Sharing,
    ) -> Result<Self, LoadError> {
        // SAFETY: the caller guarantees that the library's initialisers are sound to run.
        let (library, in_use) = unsafe { open(path, sharing)? };
        Self::resolve(library, Some((path.to_owned(), in_use)), symbols, optional)
    }

    /// Looks up `symbols` in a library that is already loaded. Other bindings of it are not looked for.
    ///
    /// # Errors
    ///
    /// The library lacks symbols. The error lists all of them.
    pub fn from_loaded(
        library: libloading::Library,
        symbols: &[&'static str; N],
        optional: &[usize],
    ) -> Result<Self, LoadError> {
        Self::resolve(library, None, symbols, optional)
    }

    fn resolve(
        library: libloading::Library,
        opened: Option<(PathBuf, InUse)>,
        names: &[&'static str; N],
        optional: &[usize],
    ) -> Result<Self, LoadError> {
        let mut symbols = [ptr::null(); N];
        let mut missing = Vec::new();
        for (index, name) in names.iter().enumerate() {
            symbols[index] = address(&library, name);
            if symbols[index].is_null() && !optional.contains(&index) {
                missing.push(Cow::Borrowed(*name));
            }
        }
        let (path, in_use) = opened.unzip();
        if missing.is_empty() {
            Ok(Self { symbols, library: ManuallyDrop::new(library), path, in_use })
        } else {
            Err(LoadError::MissingSymbols { path, symbols: missing, checked: None })
        }
    }

    /// The same, where the symbols at the positions `linked` are those that the library itself uses: of another library
    /// that it links, or of one that takes its place in this process.
    #[must_use]
    pub fn linked(mut self, names: &[&'static str; N], linked: &[usize]) -> Self {
        for &index in linked.iter().filter(|index| **index < N) {
            self.symbols[index] = linked_address(names[index], self.symbols[index]);
        }
        self
    }

    /// The function at `index`, as a function pointer of type `F`.
    ///
    /// # Safety
    ///
    /// `index` is below `N`, the symbol there was found ([`Library::has`] is true, or it was not
    /// optional), and `F` is a function pointer type with the signature of the symbol in the library.
    #[inline(always)]
    #[must_use]
    pub unsafe fn symbol<F: Copy>(&self, index: usize) -> F {
        const { assert!(size_of::<F>() == size_of::<*const ()>(), "F is a function pointer") };
        debug_assert!(self.has(index));
        // SAFETY: the caller guarantees that `index` is below `N` and that `F` is the type of the
        // function there; `F` has the size of an address.
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

/// Loads the library at `path`, to be used as `sharing` says.
///
/// # Safety
///
/// As for [`Library::open`].
pub(crate) unsafe fn open(path: &Path, sharing: Sharing) -> Result<(libloading::Library, InUse), LoadError> {
    if is_relative(path) {
        return Err(LoadError::RelativePath { path: path.to_owned() });
    }
    // SAFETY: the caller guarantees that the library's initialisers are sound to run.
    let library =
        unsafe { load(path) }.map_err(|source| LoadError::Open { path: path.to_owned(), source })?;
    let (library, handle) = handle(library);
    match InUse::new(handle, sharing) {
        Some(in_use) => Ok((library, in_use)),
        None => {
            // Another binding has it; nothing is ever unloaded.
            std::mem::forget(library);
            Err(LoadError::InUse { path: path.to_owned() })
        }
    }
}

/// The number by which the loader of the system knows the library: each `load` of one file has the same.
#[cfg(unix)]
fn handle(library: libloading::Library) -> (libloading::Library, usize) {
    use libloading::os::unix::Library;
    let handle = Library::from(library).into_raw();
    // SAFETY: the handle is that of the library that was just taken apart.
    (unsafe { Library::from_raw(handle) }.into(), handle.addr())
}

/// The number by which the loader of the system knows the library: each `load` of one file has the same.
#[cfg(windows)]
fn handle(library: libloading::Library) -> (libloading::Library, usize) {
    use libloading::os::windows::Library;
    let handle = Library::from(library).into_raw();
    // SAFETY: the handle is that of the library that was just taken apart.
    (unsafe { Library::from_raw(handle) }.into(), handle as usize)
}

/// The address of the symbol `name`; NULL if there is none. Functions that only read memory have an empty name.
pub(crate) fn address(library: &libloading::Library, name: &str) -> *const () {
    if name.is_empty() {
        return ptr::null();
    }
    // SAFETY: every symbol has an address, and it is only stored; whoever calls it guarantees its type.
    unsafe { library.get::<*const ()>(name) }.map_or(ptr::null(), |symbol| *symbol)
}

/// The address to which the loader binds the symbol `name` where a library only uses it; `found` is the one in the
/// library or in those that it links. A program that brings another `malloc`, or preloads one, has a `free` that comes
/// before that of libc: memory of the one must not get to the other.
#[cfg(all(unix, not(target_vendor = "apple")))]
pub(crate) fn linked_address(name: &str, found: *const ()) -> *const () {
    let process = libloading::os::unix::Library::this();
    // SAFETY: as for `address`.
    unsafe { process.get::<*const ()>(name) }.map_or(found, |symbol| *symbol)
}

/// On this system, a library uses the symbols of the libraries that it was linked with.
#[cfg(not(all(unix, not(target_vendor = "apple"))))]
pub(crate) fn linked_address(_: &str, found: *const ()) -> *const () {
    found
}

/// Whether the path has a directory and is not absolute. Its meaning depends on the current
/// directory, which an attacker may control.
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
    // With `RTLD_NOW`, symbols that the library itself needs and does not find are an error now, not a
    // crash at the first call.
    // SAFETY: the caller guarantees that the library's initialisers are sound to run.
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
    // Without flags, the system would search the current directory for a bare name.
    let flags = if path.is_absolute() {
        LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32
    } else {
        LOAD_LIBRARY_SEARCH_DEFAULT_DIRS
    };
    // SAFETY: the caller guarantees that the library's initialisers are sound to run.
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
        /// The error of the system.
        source: libloading::Error,
    },
    /// The library that the document names was not found.
    NotFound {
        /// The environment variable that can name it.
        variable: Cow<'static, str>,
        /// The error for each place that was tried.
        tried: Vec<LoadError>,
    },
    /// The document names no library for this system.
    NoDefault {
        /// The environment variable that can name it.
        variable: Cow<'static, str>,
    },
    /// Another binding of the library is there, and at least one of the two documents does not say that the library is
    /// thread-safe: two threads could run its code at the same time.
    InUse {
        /// The path as given.
        path: PathBuf,
    },
    /// The library lacks functions that the document describes.
    MissingSymbols {
        /// The path as given; `None` for a library that was already loaded.
        path: Option<PathBuf>,
        /// Every symbol that is missing.
        symbols: Vec<Cow<'static, str>>,
        /// The library that the document was checked against when the bindings were generated, if
        /// any. It has all the functions.
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
            // The message of the system is in the source of libloading's error.
            Self::Open { path, source } => match std::error::Error::source(source) {
                Some(answer) => write!(f, "cannot load `{}`: {answer}", path.display()),
                None => write!(f, "cannot load `{}`: {source}", path.display()),
            },
            Self::NotFound { variable, tried } => {
                f.write_str("the library was not found")?;
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
            Self::InUse { path } => write!(
                f,
                "`{}` is bound already, and the library is not thread-safe: two bindings could run it in two \
                 threads at once; share the first binding (between threads behind `opendyn::Serial`) or drop it; \
                 if the library is thread-safe, write \"x-threadSafe\": true into every document of it; \
                 `from_library` leaves the threads to you",
                path.display()
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

/// As `Display`: a program whose `main` returns the error shows this.
impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Open { source, .. } => Some(source),
            // Of the place where the system looked.
            Self::NotFound { tried, .. } => tried.last().map(|error| error as _),
            Self::RelativePath { .. }
            | Self::NoDefault { .. }
            | Self::InUse { .. }
            | Self::MissingSymbols { .. } => None,
        }
    }
}

/// A library that a document was checked against when its bindings were generated: it has every
/// function of the document that is not optional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Its file name.
    pub library: &'static str,
    /// The identifier of its build, in hex: the build ID of ELF, the UUID of Mach-O.
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

/// Adds the library that the document was checked against to the error.
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
    fn only_absolute_paths_and_bare_names_are_accepted() {
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
        let error = unsafe { Library::open(Path::new("./libm.so.6"), &["cos"], &[], Sharing::ThreadSafe) }
            .expect_err("relative");
        assert!(error.to_string().contains("depends on the current directory"), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn every_missing_symbol_is_listed() {
        // SAFETY: the C library is already loaded.
        let error = unsafe {
            Library::open(
                Path::new("libc.so.6"),
                &["nope_1", "abs", "nope_2", "nope_3"],
                &[3],
                Sharing::ThreadSafe,
            )
        }
        .expect_err("two are missing");
        assert_eq!(error.to_string(), "`libc.so.6` lacks 2 functions of the document: nope_1, nope_2");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_optional_symbol_may_be_absent() {
        // SAFETY: the C library is already loaded.
        let library =
            unsafe { Library::open(Path::new("libc.so.6"), &["abs", "nope"], &[1], Sharing::ThreadSafe) }
                .expect("abs is there");
        assert!(library.has(0) && !library.has(1) && !library.has(2));
        // SAFETY: `abs` was found, and `int abs(int)` is its type in the C standard.
        let abs = unsafe { library.symbol::<unsafe extern "C" fn(i32) -> i32>(0) };
        // SAFETY: abs is defined for -7.
        assert_eq!(unsafe { abs(-7) }, 7);
    }
}
