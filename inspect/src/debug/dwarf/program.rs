//! The debug info as a whole: the main file, its supplement and its split units, with their entries and the
//! references between them.

use std::collections::HashMap;

use gimli::{
    AbbreviationsCacheStrategy, AttributeValue, DebuggingInformationEntry, DwLang, Dwarf, EndianSlice,
    RunTimeEndian, Section, Unit, UnitHeader, UnitOffset, UnitType, constants as c,
};

use super::sections::{Sections, Slice};

/// An entry of debug info.
pub(super) type Entry<'a> = DebuggingInformationEntry<Slice<'a>>;

/// The value of an attribute.
pub(super) type Value<'a> = AttributeValue<Slice<'a>>;

/// The position of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Die {
    pub file: u32,
    pub unit: u32,
    pub offset: usize,
}

/// One file, or one unit of a package.
pub(super) struct DebugFile<'a> {
    pub dwarf: Dwarf<Slice<'a>>,
    pub units: Vec<Unit<Slice<'a>>>,
    /// The start of each unit in `.debug_info`, ascending.
    starts: Vec<(usize, u32)>,
    /// How many file names the units may still hold in total.
    names: usize,
}

/// All files. The main file is the first.
pub(super) struct Program<'a> {
    pub files: Vec<DebugFile<'a>>,
    signatures: HashMap<u64, Die>,
    supplement: Option<u32>,
    pub little_endian: bool,
}

impl<'a> Program<'a> {
    pub fn new(
        main: &'a Sections<'_>,
        supplement: Option<&'a Sections<'_>>,
        endian: RunTimeEndian,
    ) -> gimli::Result<Self> {
        let borrow = |section: &'a std::borrow::Cow<'_, [u8]>| EndianSlice::new(section, endian);
        let little_endian = endian == RunTimeEndian::Little;
        let mut program =
            Self { files: Vec::new(), signatures: HashMap::new(), supplement: None, little_endian };
        program.add(main.borrow_with_sup(supplement, borrow), None)?;
        if let Some(supplement) = supplement {
            program.supplement = Some(1);
            program.add(supplement.borrow(borrow), None)?;
        }
        Ok(program)
    }

    /// Adds a file; the units of a split file take addresses from their skeleton unit in the main file.
    pub fn add(&mut self, mut dwarf: Dwarf<Slice<'a>>, skeleton: Option<u32>) -> gimli::Result<()> {
        dwarf.populate_abbreviations_cache(AbbreviationsCacheStrategy::Duplicates);
        let number = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        // Each name takes at least one byte. Units may share a table, and each would hold its own copy of it.
        let names = dwarf.debug_line.reader().len();
        let mut file = DebugFile { dwarf, units: Vec::new(), starts: Vec::new(), names };
        let mut failure = None;
        let mut headers = file.dwarf.units();
        loop {
            match headers.next() {
                Ok(Some(header)) => {
                    failure = self.add_unit(&mut file, header, number, skeleton).err().or(failure)
                }
                Ok(None) => break,
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
        }
        let mut headers = file.dwarf.type_units();
        while let Ok(Some(header)) = headers.next() {
            failure = self.add_unit(&mut file, header, number, skeleton).err().or(failure);
        }
        match failure {
            // One damaged unit does not make the others unusable.
            Some(error) if file.units.is_empty() => Err(error),
            _ => {
                self.files.push(file);
                Ok(())
            }
        }
    }

    fn add_unit(
        &mut self,
        file: &mut DebugFile<'a>,
        header: UnitHeader<Slice<'a>>,
        number: u32,
        skeleton: Option<u32>,
    ) -> gimli::Result<()> {
        let start = header.debug_info_offset();
        let kind = header.type_();
        let mut unit = file.dwarf.unit(header)?;
        let names = unit.line_program.as_ref().map_or(0, |program| {
            program.header().file_names().len() + program.header().include_directories().len()
        });
        match file.names.checked_sub(names) {
            Some(left) => file.names = left,
            None => unit.line_program = None,
        }
        if let Some(skeleton) = skeleton.and_then(|index| self.files.first()?.units.get(index as usize)) {
            unit.copy_relocated_attributes(skeleton);
            if unit.line_program.is_none() {
                unit.line_program.clone_from(&skeleton.line_program);
            }
        }
        let index = u32::try_from(file.units.len()).unwrap_or(u32::MAX);
        if let Some(start) = start {
            file.starts.push((start.0, index));
        }
        if let UnitType::Type { type_signature, type_offset }
        | UnitType::SplitType { type_signature, type_offset } = kind
        {
            let die = Die { file: number, unit: index, offset: type_offset.0 };
            self.signatures.entry(type_signature.0).or_insert(die);
        }
        file.units.push(unit);
        Ok(())
    }

    pub fn file(&self, die: Die) -> Option<&DebugFile<'a>> {
        self.files.get(die.file as usize)
    }

    pub fn unit(&self, die: Die) -> Option<&Unit<Slice<'a>>> {
        self.file(die)?.units.get(die.unit as usize)
    }

    /// The entry at a position.
    pub fn entry(&self, die: Die) -> Option<Entry<'a>> {
        self.unit(die)?.entry(UnitOffset(die.offset)).ok()
    }

    /// The target of a reference.
    pub fn follow(&self, from: Die, value: &Value<'a>) -> Option<Die> {
        match *value {
            AttributeValue::UnitRef(offset) => Some(Die { offset: offset.0, ..from }),
            AttributeValue::DebugInfoRef(offset) => self.at(from.file, offset.0),
            AttributeValue::DebugInfoRefSup(offset) => self.at(self.supplement?, offset.0),
            AttributeValue::DebugTypesRef(signature) => self.signatures.get(&signature.0).copied(),
            _ => None,
        }
    }

    /// The target of an attribute of an entry.
    pub fn target(&self, from: Die, entry: &Entry<'a>, attribute: gimli::DwAt) -> Option<Die> {
        self.follow(from, &entry.attr_value(attribute)?)
    }

    fn at(&self, file: u32, offset: usize) -> Option<Die> {
        let starts = &self.files.get(file as usize)?.starts;
        let index = starts.partition_point(|(start, _)| *start <= offset).checked_sub(1)?;
        let (start, unit) = *starts.get(index)?;
        Some(Die { file, unit, offset: offset - start })
    }

    /// The text of an attribute.
    pub fn text(&self, die: Die, entry: &Entry<'a>, attribute: gimli::DwAt) -> Option<&'a [u8]> {
        let value = entry.attr_value(attribute)?;
        let file = self.file(die)?;
        Some(file.dwarf.attr_string(self.unit(die)?, value).ok()?.slice())
    }

    /// The name of an entry.
    pub fn name(&self, die: Die, entry: &Entry<'a>) -> Option<String> {
        let name = self.text(die, entry, c::DW_AT_name).filter(|name| !name.is_empty())?;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    /// Visits the children of an entry until `visit` returns false.
    pub fn children(&self, die: Die, mut visit: impl FnMut(Die, &Entry<'a>) -> bool) {
        let Some(unit) = self.unit(die) else { return };
        let Ok(mut entries) = unit.entries_raw(Some(UnitOffset(die.offset))) else { return };
        let mut entry = Entry::null();
        if !matches!(entries.read_entry(&mut entry), Ok(true)) || !entry.has_children() {
            return;
        }
        let mut level = entries.next_depth();
        while !entries.is_empty() {
            let offset = entries.next_offset();
            let depth = entries.next_depth();
            match entries.read_entry(&mut entry) {
                Ok(true) => {}
                Ok(false) if entries.next_depth() < level => return,
                Ok(false) => continue,
                Err(_) => return,
            }
            if depth != level {
                continue;
            }
            if !visit(Die { offset: offset.0, ..die }, &entry) {
                return;
            }
            if entry.has_children()
                && let Some(AttributeValue::UnitRef(next)) = entry.attr_value(c::DW_AT_sibling)
                && next > entries.next_offset()
                && let Ok(skipped) = unit.entries_raw(Some(next))
            {
                entries = skipped;
                level = 0;
            }
        }
    }

    /// The language of the unit that the entry is in.
    pub fn language(&self, die: Die) -> Option<DwLang> {
        let unit = self.unit(die)?;
        let root = unit.entry(unit.header.root_offset()).ok()?;
        match root.attr_value(c::DW_AT_language)? {
            AttributeValue::Language(language) => Some(language),
            _ => None,
        }
    }
}
