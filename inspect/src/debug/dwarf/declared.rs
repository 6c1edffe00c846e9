//! The place of a function in the source.

use std::path::Path;

use gimli::constants as c;

use super::program::{Die, Program};
use super::signature::chain;
use crate::interface::Place;

/// The file and line of a function.
pub(super) fn place(program: &Program<'_>, die: Die) -> Option<Place> {
    let (die, entry) = chain(program, die)
        .into_iter()
        .find(|(_, entry)| entry.has_attr(c::DW_AT_decl_line) && entry.has_attr(c::DW_AT_decl_file))?;
    let line = entry.attr(c::DW_AT_decl_line)?.udata_value()?;
    let index = match entry.attr_value(c::DW_AT_decl_file)? {
        gimli::AttributeValue::FileIndex(index) => index,
        value => value.udata_value()?,
    };
    let (file, unit) = (program.file(die)?, program.unit(die)?);
    let header = unit.line_program.as_ref()?.header();
    let entry = header.file(index)?;
    let text = |value| Some(file.dwarf.attr_string(unit, value).ok()?.to_string_lossy().into_owned());
    let name = text(entry.path_name())?;
    let directory = entry.directory(header).and_then(text);
    let path = match directory {
        Some(directory) => Path::new(&directory).join(&name).display().to_string(),
        None => name,
    };
    Some(Place { file: path, line })
}
