//! Finds the debug info of a library: inside it, or in one of the places that debuggers search.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use object::{Object, ObjectSection};

use super::error::{Attempt, DebugError};
use super::{Options, pdb};
use crate::exports::{Exports, Format, Image};

/// What was found.
pub(super) enum Found {
    /// DWARF in the library itself.
    Inline,
    /// A file with DWARF.
    Separate { path: PathBuf, bytes: Vec<u8> },
    /// A PDB file.
    Pdb { path: PathBuf, bytes: Vec<u8> },
}

/// Finds the debug info; the error lists the places searched.
pub(super) fn find(image: &Image<'_>, exports: &Exports, options: &Options<'_>) -> Result<Found, DebugError> {
    if let Some(path) = options.file {
        return named(image, exports, path, options.triple);
    }
    if has_dwarf(&image.file) {
        return Ok(Found::Inline);
    }
    let mut tried = vec![Attempt::new("the library", "has no section .debug_info")];
    let found = match image.format {
        Format::Elf => {
            by_build_id(exports, options, &mut tried).or_else(|| by_link(image, options, &mut tried))
        }
        Format::Pe => pdb::find(image, &mut tried).or_else(|| by_link(image, options, &mut tried)),
        Format::MachO => in_dsym(image, exports, options, &mut tried),
    };
    found.ok_or_else(|| DebugError::Missing { library: image.path.to_owned(), tried })
}

/// The directories of separate debug info.
pub(super) fn directories(options: &Options<'_>) -> Vec<PathBuf> {
    if options.directories.is_empty() {
        vec![PathBuf::from("/usr/lib/debug")]
    } else {
        options.directories.clone()
    }
}

/// The file for a build ID in a directory of debug info.
pub(super) fn build_id_file(directory: &Path, id: &[u8]) -> Option<PathBuf> {
    let hex: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    let (start, rest) = hex.split_at_checked(2).filter(|(_, rest)| !rest.is_empty())?;
    Some(directory.join(".build-id").join(start).join(format!("{rest}.debug")))
}

pub(super) fn has_dwarf(file: &object::File<'_>) -> bool {
    file.section_by_name(".debug_info").is_some_and(|section| section.size() > 0)
}

/// The file that the caller names: DWARF, a PDB, or a dSYM folder of macOS.
fn named(
    image: &Image<'_>,
    exports: &Exports,
    path: &Path,
    triple: Option<&str>,
) -> Result<Found, DebugError> {
    let other = |path: &Path, reason: String| DebugError::Other { path: path.to_owned(), reason };
    let path = if path.is_dir() { in_bundle(image.path, path) } else { path.to_owned() };
    let bytes = fs::read(&path).map_err(|error| other(&path, error.to_string()))?;
    if pdb::is_pdb(&bytes) {
        pdb::fits(image, &bytes).map_err(|reason| other(&path, reason))?;
        return Ok(Found::Pdb { path, bytes });
    }
    let file = Image::parse_any(&path, &bytes, triple)?;
    if !has_dwarf(&file.file) {
        return Err(other(&path, "it has no section .debug_info".to_owned()));
    }
    if file.file.architecture() != image.file.architecture() {
        return Err(other(&path, "it is for another architecture".to_owned()));
    }
    match (&exports.build_id, build_id(&file)) {
        (Some(wanted), Some(found)) if *wanted != found => {
            Err(other(&path, "it is from another build (the build ID differs)".to_owned()))
        }
        _ => Ok(Found::Separate { path, bytes }),
    }
}

fn build_id(image: &Image<'_>) -> Option<Vec<u8>> {
    match image.format {
        Format::MachO => image.file.mach_uuid().ok()?.map(|uuid| uuid.to_vec()),
        _ => image.file.build_id().ok()?.map(<[u8]>::to_vec),
    }
}

/// A file that has DWARF and, if both have one, the build ID of the library.
fn usable(path: PathBuf, id: Option<&[u8]>, triple: Option<&str>, tried: &mut Vec<Attempt>) -> Option<Found> {
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(_) => {
            tried.push(Attempt::at(&path, "does not exist"));
            return None;
        }
    };
    let outcome = match Image::parse_any(&path, &bytes, triple) {
        Err(error) => error.to_string(),
        Ok(image) if !has_dwarf(&image.file) => "has no section .debug_info".to_owned(),
        Ok(image) => match (id, build_id(&image)) {
            (Some(wanted), Some(found)) if wanted != found => "is from another build".to_owned(),
            _ => return Some(Found::Separate { path, bytes }),
        },
    };
    tried.push(Attempt::at(&path, outcome));
    None
}

fn by_build_id(exports: &Exports, options: &Options<'_>, tried: &mut Vec<Attempt>) -> Option<Found> {
    let Some(id) = &exports.build_id else {
        tried.push(Attempt::new("by build ID", "the library has none"));
        return None;
    };
    let below = directories(options);
    let files = below.iter().filter_map(|directory| build_id_file(directory, id));
    files.chain(downloaded(id)).find_map(|path| usable(path, Some(id), options.triple, tried))
}

/// The file in the cache of debuginfod, if present.
fn downloaded(id: &[u8]) -> Option<PathBuf> {
    let hex: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    let cache = std::env::var_os("DEBUGINFOD_CACHE_PATH").map(PathBuf::from).or_else(|| {
        let home = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cache")));
        home.map(|home| home.join("debuginfod_client"))
    })?;
    Some(cache.join(hex).join("debuginfo")).filter(|path| path.is_file())
}

/// The file that `.gnu_debuglink` names, next to the library or in the directories of debug info.
fn by_link(image: &Image<'_>, options: &Options<'_>, tried: &mut Vec<Attempt>) -> Option<Found> {
    let Ok(Some((name, sum))) = image.file.gnu_debuglink() else {
        tried.push(Attempt::new("by .gnu_debuglink", "the library has none"));
        return None;
    };
    let name = String::from_utf8_lossy(name).into_owned();
    let real = fs::canonicalize(image.path).unwrap_or_else(|_| image.path.to_owned());
    let folder = real.parent().unwrap_or(Path::new("/")).to_owned();
    let mut places = vec![folder.join(&name), folder.join(".debug").join(&name)];
    for directory in directories(options) {
        places.push(directory.join(folder.strip_prefix("/").unwrap_or(&folder)).join(&name));
    }
    places.into_iter().filter(|path| *path != real).find_map(|path| {
        let found = usable(path, None, options.triple, tried)?;
        match found {
            Found::Separate { path, bytes } if crc32(&bytes) != sum => {
                tried.push(Attempt::at(&path, "is from another build (the checksum differs)"));
                None
            }
            found => Some(found),
        }
    })
}

/// The folder that `dsymutil` makes next to a macOS library.
fn in_dsym(
    image: &Image<'_>,
    exports: &Exports,
    options: &Options<'_>,
    tried: &mut Vec<Attempt>,
) -> Option<Found> {
    let mut folder = OsString::from(image.path.as_os_str());
    folder.push(".dSYM");
    let path = in_bundle(image.path, Path::new(&folder));
    let found = usable(path, exports.build_id.as_deref(), options.triple, tried);
    if found.is_none() {
        tried.push(Attempt::new("the object files", "are not read: run dsymutil on the library"));
    }
    found
}

fn in_bundle(library: &Path, bundle: &Path) -> PathBuf {
    let inside = bundle.join("Contents/Resources/DWARF");
    let same = inside.join(library.file_name().unwrap_or_default());
    if same.is_file() {
        return same;
    }
    // If the library was renamed, the file in the folder still has the name that it was linked with.
    let mut files = fs::read_dir(&inside).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    files.next().unwrap_or(same)
}

/// The checksum of `.gnu_debuglink`.
fn crc32(bytes: &[u8]) -> u32 {
    let mut table = [0u32; 256];
    for (index, slot) in table.iter_mut().enumerate() {
        let mut value = u32::try_from(index).unwrap_or(0);
        for _ in 0..8 {
            value = if value & 1 == 1 { 0xedb8_8320 ^ (value >> 1) } else { value >> 1 };
        }
        *slot = value;
    }
    let step = |sum: u32, byte: &u8| table[usize::from(sum.to_le_bytes()[0] ^ byte)] ^ (sum >> 8);
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_build_id_names_a_file_below_its_first_byte() {
        let path = build_id_file(Path::new("/usr/lib/debug"), &[0x08, 0xa1, 0xff]);
        assert_eq!(path, Some(PathBuf::from("/usr/lib/debug/.build-id/08/a1ff.debug")));
        assert_eq!(build_id_file(Path::new("/d"), &[1]), None);
    }
}
