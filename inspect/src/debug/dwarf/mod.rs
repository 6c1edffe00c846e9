//! Prototypes from DWARF 2 to 5. The bytes are gathered first (the file, its supplement, its split units),
//! then the functions are found, and then the types that they need are read.

mod declared;
mod program;
mod record;
mod scan;
mod sections;
mod signature;
mod split;
mod supplement;
mod types;

use std::path::Path;

use object::Object;

use super::Options;
use super::error::DebugError;
use super::wanted::{self, Wanted};
use crate::exports::{Exports, Image};
use crate::interface::{Function, Interface};
use program::Program;
use types::Reader;

/// Reads the wanted functions from the file with the debug info of `library`.
pub(super) fn read(
    image: &Image<'_>,
    library: &Path,
    exports: &Exports,
    wanted: &Wanted<'_>,
    options: &Options<'_>,
) -> Result<Interface, DebugError> {
    let endian = sections::byte_order(image.file.is_little_endian());
    let main = sections::load(&image.file).map_err(|error| DebugError::malformed(image.path, error))?;
    let supplement = supplement::find(image, options)?;
    let supplement_image = match &supplement {
        Some((path, bytes)) => Some(Image::parse_any(path, bytes, options.triple)?),
        None => None,
    };
    let supplement = match &supplement_image {
        Some(image) => {
            Some(sections::load(&image.file).map_err(|error| DebugError::malformed(image.path, error))?)
        }
        None => None,
    };

    let mut program = Program::new(&main, supplement.as_ref(), endian)
        .map_err(|error| DebugError::malformed(image.path, error))?;
    let bytes = split::find(&program, library, image.path);
    let files = split::parse(&bytes);
    let packaged = split::package(&files, endian);
    split::add(&mut program, &bytes, &files, packaged, endian);

    let scan = scan::scan(&program, wanted);
    let mut reader = Reader::new(&program, exports.target);
    let mut functions = Vec::with_capacity(wanted.functions.len());
    for (id, export) in wanted.functions.iter().enumerate() {
        let found = scan.choose(id, export, &mut reader);
        let (signature, place) = match found {
            Some((signature, place)) => (signature, place),
            None => (Err(absent(export, &bytes)), None),
        };
        functions.push(Function {
            name: export.name.clone(),
            symbol: None,
            signature,
            comment: None,
            attributes: Vec::new(),
            place,
        });
    }
    let types = reader.finish();
    Ok(Interface {
        target: exports.target,
        functions,
        types,
        constants: Vec::new(),
        skipped: Vec::new(),
        type_comments: std::collections::HashMap::new(),
    })
}

fn absent(export: &crate::exports::Export, bytes: &split::Bytes) -> String {
    let reason = wanted::absent(export);
    match bytes.missing.as_slice() {
        [] => reason,
        [only] => format!("{reason}; the split file {only} is missing"),
        [first, rest @ ..] => {
            format!("{reason}; the split file {first} and {} others are missing", rest.len())
        }
    }
}
