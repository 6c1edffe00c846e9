//! The file to which `dwz` moves what several files share.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use object::Object;

use super::super::error::{Attempt, DebugError};
use super::super::find;
use super::super::{Options, compressed};
use crate::exports::Image;

/// The supplement and its bytes, if the file has one.
pub(super) fn find(
    image: &Image<'_>,
    options: &Options<'_>,
) -> Result<Option<(PathBuf, Vec<u8>)>, DebugError> {
    let Some((name, id)) = link(image) else { return Ok(None) };
    let name = PathBuf::from(OsStr::new(String::from_utf8_lossy(&name).as_ref()));
    let real = fs::canonicalize(image.path).unwrap_or_else(|_| image.path.to_owned());
    let folder = real.parent().unwrap_or(Path::new("/"));
    let mut places = vec![folder.join(&name)];
    for directory in find::directories(options) {
        places.extend(find::build_id_file(&directory, &id));
        places.extend(name.file_name().map(|file| directory.join(".dwz").join(file)));
    }
    let mut tried = Vec::new();
    for path in places {
        let Ok(bytes) = fs::read(&path) else {
            tried.push(Attempt::at(&path, "the supplement of dwz was not found"));
            continue;
        };
        match Image::parse_any(&path, &bytes, options.triple) {
            Err(error) => tried.push(Attempt::new("the supplement of dwz", error.to_string())),
            Ok(found) if identifier(&found).is_some_and(|found| found != id) => {
                tried.push(Attempt::at(&path, "is the supplement of another build"));
            }
            Ok(_) => return Ok(Some((path, bytes))),
        }
    }
    Err(DebugError::Missing { library: image.path.to_owned(), tried })
}

/// The name and identifier of the supplement: from GNU's section, or that of DWARF 5.
fn link(image: &Image<'_>) -> Option<(Vec<u8>, Vec<u8>)> {
    if let Ok(Some((name, id))) = image.file.gnu_debugaltlink() {
        return Some((name.to_vec(), id.to_vec()));
    }
    let (is_supplement, name, id) = standard_section(image)?;
    (!is_supplement).then_some((name, id))
}

/// The identifier of a supplement.
fn identifier(image: &Image<'_>) -> Option<Vec<u8>> {
    if let Some((true, _, id)) = standard_section(image) {
        return Some(id);
    }
    image.file.build_id().ok()?.map(<[u8]>::to_vec)
}

/// `.debug_sup`: whether the file is a supplement, the name of the supplement, and its checksum.
fn standard_section(image: &Image<'_>) -> Option<(bool, Vec<u8>, Vec<u8>)> {
    let data = compressed::section(&image.file.section_by_name(".debug_sup")?).ok()?;
    let is_supplement = *data.get(2)? != 0;
    let rest = data.get(3..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    let (name, rest) = (rest.get(..end)?, rest.get(end + 1..)?);
    // The length is LEB128; a checksum of 128 bytes or more does not exist.
    let length = usize::from(*rest.first()?);
    Some((is_supplement, name.to_vec(), rest.get(1..1 + length)?.to_vec()))
}
