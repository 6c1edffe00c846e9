//! The DWARF sections of an object file, decompressed.

use std::borrow::Cow;

use gimli::{DwarfSections, EndianSlice, RunTimeEndian, SectionId};
use object::{Object, ObjectSection};

use super::super::compressed;

/// Bytes of a section, with the byte order of the file.
pub(super) type Slice<'a> = EndianSlice<'a, RunTimeEndian>;

/// All sections of a file.
pub(super) type Sections<'a> = DwarfSections<Cow<'a, [u8]>>;

pub(super) fn byte_order(little: bool) -> RunTimeEndian {
    if little { RunTimeEndian::Little } else { RunTimeEndian::Big }
}

/// The sections needed for prototypes. The ones that only debuggers need are not loaded, because they may be
/// large and compressed.
pub(super) fn load<'a>(file: &object::File<'a>) -> Result<Sections<'a>, String> {
    DwarfSections::load(|id| match id {
        SectionId::DebugLoc
        | SectionId::DebugLocLists
        | SectionId::DebugMacinfo
        | SectionId::DebugMacro
        | SectionId::DebugAranges
        | SectionId::DebugNames => Ok(Cow::Borrowed(&[][..])),
        id => data(file, id.name()),
    })
}

/// The sections of a file of split units.
pub(super) fn load_split<'a>(file: &object::File<'a>) -> Result<Sections<'a>, String> {
    DwarfSections::load(|id| match id {
        SectionId::DebugLoc | SectionId::DebugLocLists | SectionId::DebugMacinfo | SectionId::DebugMacro => {
            Ok(Cow::Borrowed(&[][..]))
        }
        id => id.dwo_name().map_or(Ok(Cow::Borrowed(&[][..])), |name| data(file, name)),
    })
}

/// One section; empty if the file does not have it. A split file is not linked and has one section per type
/// unit; concatenated, they are what a linker would have written.
pub(super) fn data<'a>(file: &object::File<'a>, name: &str) -> Result<Cow<'a, [u8]>, String> {
    let Some(first) = file.section_by_name(name) else { return Ok(Cow::Borrowed(&[])) };
    let first_index = first.index();
    let mut data = compressed::section(&first)?;
    if file.kind() == object::ObjectKind::Relocatable {
        for section in file.sections().filter(|section| section.index() != first_index) {
            if section.name() == Ok(name) {
                data.to_mut().extend_from_slice(&compressed::section(&section)?);
            }
        }
    }
    Ok(data)
}
