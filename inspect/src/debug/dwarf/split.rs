//! Split units: `.dwo` files, and the `.dwp` package that combines them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use gimli::{DwarfPackage, DwarfPackageSections, EndianSlice, RunTimeEndian};
use object::Object;

use super::program::Program;
use super::sections::{self, Sections, Slice};

/// The bytes of split files.
pub(super) struct Bytes {
    /// The package, if there is one.
    package: Option<Vec<u8>>,
    /// The files, each with its skeleton in the main file.
    files: Vec<(u32, Vec<u8>)>,
    /// The skeleton units whose split units can only be in the package.
    packaged: Vec<u32>,
    /// The names of the files that were not found.
    pub missing: Vec<String>,
}

/// The sections of split files.
pub(super) struct Files<'b> {
    package: Option<DwarfPackageSections<std::borrow::Cow<'b, [u8]>>>,
    split: Vec<(u32, Sections<'b>)>,
}

/// Finds the files that the skeleton units of the main file name.
pub(super) fn find(program: &Program<'_>, library: &Path, debug_file: &Path) -> Bytes {
    let mut bytes = Bytes { package: None, files: Vec::new(), packaged: Vec::new(), missing: Vec::new() };
    let Some(main) = program.files.first() else { return bytes };
    for (index, unit) in main.units.iter().enumerate() {
        let Ok(Some(name)) = unit.dwo_name() else { continue };
        let Ok(name) = main.dwarf.attr_string(unit, name) else { continue };
        let name = String::from_utf8_lossy(name.slice()).into_owned();
        let folder = unit.comp_dir.map(|folder| String::from_utf8_lossy(folder.slice()).into_owned());
        let skeleton = u32::try_from(index).unwrap_or(u32::MAX);
        if bytes.package.is_none() && bytes.packaged.is_empty() {
            bytes.package = [library, debug_file].into_iter().find_map(package_beside);
        }
        bytes.packaged.push(skeleton);
        let found =
            places(&name, folder.as_deref(), library).into_iter().find_map(|path| fs::read(path).ok());
        match found {
            Some(file) => bytes.files.push((skeleton, file)),
            None if bytes.package.is_some() => {}
            None => bytes.missing.push(name),
        }
    }
    bytes
}

fn package_beside(file: &Path) -> Option<Vec<u8>> {
    let mut name = OsString::from(file.as_os_str());
    name.push(".dwp");
    fs::read(&name).or_else(|_| fs::read(file.with_extension("dwp"))).ok()
}

/// Where the compiler wrote the file, and next to the library, where it may have been copied.
fn places(name: &str, folder: Option<&str>, library: &Path) -> Vec<PathBuf> {
    let written = folder.map_or_else(|| PathBuf::from(name), |folder| Path::new(folder).join(name));
    let beside = library.parent().unwrap_or(Path::new("."));
    let file = Path::new(name).file_name().unwrap_or_default();
    vec![written, beside.join(name), beside.join(file)]
}

/// Parses the files; a damaged one is treated as missing.
pub(super) fn parse(bytes: &Bytes) -> Files<'_> {
    let split = bytes.files.iter().filter_map(|(skeleton, file)| {
        let file = object::File::parse(file.as_slice()).ok()?;
        Some((*skeleton, sections::load_split(&file).ok()?))
    });
    let package = bytes.package.as_ref().and_then(|file| {
        let file = object::File::parse(file.as_slice()).ok()?;
        file.section_by_name(".debug_info.dwo")?;
        DwarfPackageSections::load(|id| {
            let name = id.dwo_name().unwrap_or(id.name());
            sections::data(&file, name).map_err(|_| gimli::Error::Io)
        })
        .ok()
    });
    Files { package, split: split.collect() }
}

/// The package, indexed.
pub(super) fn package<'b>(files: &'b Files<'_>, endian: RunTimeEndian) -> Option<DwarfPackage<Slice<'b>>> {
    let borrow = |section: &'b std::borrow::Cow<'_, [u8]>| EndianSlice::new(section, endian);
    files.package.as_ref()?.borrow(borrow, EndianSlice::new(&[], endian)).ok()
}

/// Adds everything that was found to the program.
pub(super) fn add<'b>(
    program: &mut Program<'b>,
    bytes: &Bytes,
    files: &'b Files<'_>,
    package: Option<DwarfPackage<Slice<'b>>>,
    endian: RunTimeEndian,
) {
    let mut done = Vec::new();
    for (skeleton, sections) in &files.split {
        let Some(main) = program.files.first() else { return };
        let Some(expected) = main.units.get(*skeleton as usize).and_then(|unit| unit.dwo_id) else {
            continue;
        };
        let mut split = sections.borrow(|section| EndianSlice::new(section, endian));
        split.make_dwo(&main.dwarf);
        // The file may have been compiled again since, and then does not match.
        let mut headers = split.units();
        let mut is_same = false;
        while let Ok(Some(header)) = headers.next() {
            is_same |= split.unit(header).is_ok_and(|unit| unit.dwo_id == Some(expected));
        }
        if is_same && program.add(split, Some(*skeleton)).is_ok() {
            done.push(*skeleton);
        }
    }
    let Some(package) = package else { return };
    for skeleton in bytes.packaged.iter().filter(|skeleton| !done.contains(skeleton)) {
        let Some(main) = program.files.first() else { return };
        let Some(id) = main.units.get(*skeleton as usize).and_then(|unit| unit.dwo_id) else { continue };
        if let Ok(Some(split)) = package.find_cu(id, &main.dwarf) {
            // A damaged unit is treated as missing.
            let _ = program.add(split, Some(*skeleton));
        }
    }
    for row in 1..=package.tu_index.unit_count() {
        let Some(main) = program.files.first() else { return };
        if let Ok(split) = package.tu_sections(row, &main.dwarf) {
            let _ = program.add(split, None);
        }
    }
}
