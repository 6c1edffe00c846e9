//! A loaded library and the addresses of its functions.
//!
//! Generated bindings own a [`Library`] and reach every function through its position in the
//! table; the signatures are not known here.

use std::borrow::Cow;
use std::fmt;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::ptr;

use crate::CallError;
use crate::begun::{End, EndCall, Init};
use crate::in_use::{InUse, Sharing};
use crate::load_error::LoadError;

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

    /// The same, where the library ends with the last of its bindings, among them this one.
    #[must_use]
    pub fn counted(self, sharing: Sharing) -> Self {
        let Self { symbols, library, path, in_use } = self;
        let (library, handle) = handle(ManuallyDrop::into_inner(library));
        let in_use = in_use.or_else(|| Some(InUse::counted(handle, sharing)));
        Self { symbols, library: ManuallyDrop::new(library), path, in_use }
    }

    /// Begins the library with `call`, a call of the function `name` at `index` with `args`, unless a binding has begun
    /// it so. It ends with the function at the index in `end` when its last binding is dropped.
    ///
    /// # Errors
    ///
    /// `call` failed.
    pub fn begin(
        &self,
        (name, index): (&'static str, usize),
        args: &[i128],
        end: Option<(usize, EndCall)>,
        call: impl FnOnce() -> Result<(), CallError>,
    ) -> Result<(), LoadError> {
        let address = |index: usize| self.symbols.get(index).map_or(0, |symbol| symbol.addr());
        let end = end.map(|(index, call)| End { address: address(index), call });
        let init = Init { address: address(index), args: args.to_vec(), end };
        let begun = match &self.in_use {
            Some(in_use) => in_use.begin(init, call),
            // It is not counted, and so does not end.
            None => call(),
        };
        begun.map_err(|error| LoadError::init(self.path.as_deref(), name, error))
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
    #[cfg(feature = "server")]
    crate::sought::note(&[path])?;
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
pub(crate) fn handle(library: libloading::Library) -> (libloading::Library, usize) {
    use libloading::os::unix::Library;
    let handle = Library::from(library).into_raw();
    // SAFETY: the handle is that of the library that was just taken apart.
    (unsafe { Library::from_raw(handle) }.into(), handle.addr())
}

/// The number by which the loader of the system knows the library: each `load` of one file has the same.
#[cfg(windows)]
pub(crate) fn handle(library: libloading::Library) -> (libloading::Library, usize) {
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
