//! Finds functions in one pass over the outermost entries of every unit that reads as little as possible, and
//! chooses between the entries found for each function.

use std::collections::HashMap;

use gimli::{AttributeValue, EntriesRaw, Unit, constants as c};

use super::super::wanted::{FunctionId, Wanted};
use super::declared;
use super::program::{DebugFile, Die, Program};
use super::sections::Slice;
use super::types::Reader;
use crate::exports::{Export, SymbolKind};
use crate::interface::Place;
use crate::types::Signature;

/// The entries found for the wanted functions.
pub(super) struct Scan {
    /// By name: definitions, then declarations.
    named: Vec<Named>,
    /// Definitions by address, for names that the debug info does not have.
    placed: HashMap<u64, Vec<Die>>,
}

#[derive(Clone, Default)]
struct Named {
    definitions: Vec<(Die, Option<u64>)>,
    declarations: Vec<Die>,
}

/// One signature is enough, but some declarations have none.
const MOST_DECLARATIONS: usize = 8;

/// The signature, or why it is unknown; and its place.
pub(super) type Told = (Result<Signature, String>, Option<Place>);

/// Searches all units.
pub(super) fn scan(program: &Program<'_>, wanted: &Wanted<'_>) -> Scan {
    let mut scan = Scan { named: vec![Named::default(); wanted.functions.len()], placed: HashMap::new() };
    for (file, number) in program.files.iter().zip(0..) {
        for (unit, index) in file.units.iter().zip(0..) {
            let place = Die { file: number, unit: index, offset: 0 };
            // Entries found before the damage are kept.
            let _ = scan.unit(file, unit, place, wanted);
        }
    }
    scan
}

/// The attributes of a function that decide whether it is wanted.
#[derive(Default)]
struct Subprogram<'a> {
    name: Option<AttributeValue<Slice<'a>>>,
    linkage_name: Option<AttributeValue<Slice<'a>>>,
    external: bool,
    declaration: bool,
    says_something: bool,
    address: Option<u64>,
    sibling: Option<usize>,
}

impl Scan {
    fn unit<'a>(
        &mut self,
        file: &DebugFile<'a>,
        unit: &Unit<Slice<'a>>,
        place: Die,
        wanted: &Wanted<'_>,
    ) -> gimli::Result<()> {
        let mut entries = unit.entries_raw(None)?;
        while !entries.is_empty() {
            let offset = entries.next_offset().0;
            let level = entries.next_depth();
            let Some(abbreviation) = entries.read_abbreviation()? else { continue };
            let sibling = match abbreviation.tag() {
                c::DW_TAG_compile_unit
                | c::DW_TAG_partial_unit
                | c::DW_TAG_skeleton_unit
                | c::DW_TAG_namespace
                | c::DW_TAG_module => {
                    entries.skip_attributes(abbreviation.attributes())?;
                    continue;
                }
                c::DW_TAG_subprogram => {
                    let mut found = subprogram(&mut entries, abbreviation, file, unit)?;
                    found.says_something |= abbreviation.has_children();
                    self.add(&found, Die { offset, ..place }, file, unit, wanted);
                    found.sibling
                }
                _ if !abbreviation.has_children() => {
                    entries.skip_attributes(abbreviation.attributes())?;
                    continue;
                }
                _ => sibling_of(&mut entries, abbreviation)?,
            };
            if abbreviation.has_children() {
                skip_children(&mut entries, unit, sibling, level)?;
            }
        }
        Ok(())
    }

    fn add<'a>(
        &mut self,
        found: &Subprogram<'a>,
        die: Die,
        file: &DebugFile<'a>,
        unit: &Unit<Slice<'a>>,
        wanted: &Wanted<'_>,
    ) {
        if let Some(address) = found.address.filter(|address| wanted.is_at(*address)) {
            self.placed.entry(address).or_default().push(die);
        }
        // The linkage name is the symbol; the name is that in the source, which may differ.
        let Some(name) = found.linkage_name.or(found.name) else { return };
        let Ok(name) = file.dwarf.attr_string(unit, name) else { return };
        let Some(named) = wanted.by_name(name.slice()).and_then(|id| self.named.get_mut(id)) else { return };
        if found.declaration {
            // Calls of built-in functions leave empty declarations.
            if found.says_something && named.declarations.len() < MOST_DECLARATIONS {
                named.declarations.push(die);
            }
        } else if found.external {
            named.definitions.push((die, found.address));
        }
    }

    /// The signature of a function, from the best entry; `None` if there is none.
    pub fn choose(&self, id: FunctionId, export: &Export, reader: &mut Reader<'_, '_>) -> Option<Told> {
        let named = self.named.get(id)?;
        let placed =
            export.address.and_then(|address| self.placed.get(&address)).map_or(&[][..], Vec::as_slice);
        let is_ifunc = export.kind == SymbolKind::Ifunc;
        let mut candidates = if is_ifunc { named.elsewhere(export) } else { named.here(export) };
        if !is_ifunc {
            let same = agree(placed, reader);
            let by_address = if same { placed } else { &[] };
            // If the name belongs to another version in the source, the address decides.
            let is_another = named.definitions.iter().all(|(_, address)| address.is_some());
            if candidates.is_empty() && is_another {
                candidates.extend(by_address);
            }
            candidates.extend(named.elsewhere(export));
            candidates.extend(by_address);
        }
        candidates.extend(&named.declarations);

        let mut first_failure = None;
        for die in candidates {
            let is_declaration = named.declarations.contains(&die);
            match reader.function(die, is_declaration, export) {
                Ok(signature) => return Some((Ok(signature), declared::place(reader.program, die))),
                Err(reason) => {
                    first_failure.get_or_insert_with(|| (Err(reason), declared::place(reader.program, die)));
                }
            }
        }
        if is_ifunc {
            let mut chosen = placed.iter().filter_map(|die| reader.chosen(*die));
            if let Some((spelling, signature)) = chosen.next()
                && chosen.all(|(other, _)| other == spelling)
            {
                return Some((Ok(signature), None));
            }
        }
        if first_failure.is_none() && !is_ifunc && placed.len() > 1 {
            let reason = "several functions with different types share its code, and none has its name";
            return Some((Err(reason.to_owned()), None));
        }
        first_failure
    }
}

impl Named {
    /// The definitions at the address of the symbol.
    fn here(&self, export: &Export) -> Vec<Die> {
        let is_here = |address: &Option<u64>| address.is_some() && *address == export.address;
        self.definitions.iter().filter(|(_, address)| is_here(address)).map(|(die, _)| *die).collect()
    }

    /// The definitions at other addresses.
    fn elsewhere(&self, export: &Export) -> Vec<Die> {
        let here = self.here(export);
        self.definitions.iter().map(|(die, _)| *die).filter(|die| !here.contains(die)).collect()
    }
}

/// Whether all functions at one address have the same type. Linkers fold identical code of functions with
/// different types.
fn agree(placed: &[Die], reader: &mut Reader<'_, '_>) -> bool {
    let [first, rest @ ..] = placed else { return !placed.is_empty() };
    rest.is_empty() || {
        let first = reader.spelled(*first);
        rest.iter().all(|die| reader.spelled(*die) == first)
    }
}

fn subprogram<'a>(
    entries: &mut EntriesRaw<'_, Slice<'a>>,
    abbreviation: &gimli::Abbreviation,
    file: &DebugFile<'a>,
    unit: &Unit<Slice<'a>>,
) -> gimli::Result<Subprogram<'a>> {
    let mut found = Subprogram::default();
    for specification in abbreviation.attributes() {
        let attribute = entries.read_attribute(*specification)?;
        let value = attribute.value();
        match attribute.name() {
            c::DW_AT_name => found.name = Some(value),
            c::DW_AT_linkage_name | c::DW_AT_MIPS_linkage_name => found.linkage_name = Some(value),
            c::DW_AT_external => found.external = value == AttributeValue::Flag(true),
            c::DW_AT_declaration => found.declaration = value == AttributeValue::Flag(true),
            c::DW_AT_type | c::DW_AT_prototyped => found.says_something = true,
            c::DW_AT_sibling => {
                if let AttributeValue::UnitRef(offset) = value {
                    found.sibling = Some(offset.0);
                }
            }
            c::DW_AT_low_pc | c::DW_AT_entry_pc => {
                found.address = file.dwarf.attr_address(unit, value).ok().flatten().or(found.address);
            }
            // A function in several ranges begins with the first.
            c::DW_AT_ranges if found.address.is_none() => {
                if let Ok(Some(mut ranges)) = file.dwarf.attr_ranges(unit, value)
                    && let Ok(Some(range)) = ranges.next()
                {
                    found.address = Some(range.begin);
                }
            }
            _ => {}
        }
    }
    // Functions that the linker dropped have address 0.
    found.address = found.address.filter(|address| *address != 0);
    Ok(found)
}

fn sibling_of(
    entries: &mut EntriesRaw<'_, Slice<'_>>,
    abbreviation: &gimli::Abbreviation,
) -> gimli::Result<Option<usize>> {
    let is_sibling = |specification: &gimli::AttributeSpecification| specification.name() == c::DW_AT_sibling;
    if !abbreviation.attributes().iter().any(is_sibling) {
        entries.skip_attributes(abbreviation.attributes())?;
        return Ok(None);
    }
    let mut sibling = None;
    for specification in abbreviation.attributes() {
        let attribute = entries.read_attribute(*specification)?;
        if let (c::DW_AT_sibling, AttributeValue::UnitRef(offset)) = (attribute.name(), attribute.value()) {
            sibling = Some(offset.0);
        }
    }
    Ok(sibling)
}

/// Continues after the children of an entry at `level`.
fn skip_children<'u, 'a>(
    entries: &mut EntriesRaw<'u, Slice<'a>>,
    unit: &'u Unit<Slice<'a>>,
    sibling: Option<usize>,
    level: isize,
) -> gimli::Result<()> {
    if let Some(next) = sibling.filter(|next| *next > entries.next_offset().0) {
        *entries = unit.entries_raw(Some(gimli::UnitOffset(next)))?;
        return Ok(());
    }
    while entries.next_depth() > level && !entries.is_empty() {
        if let Some(abbreviation) = entries.read_abbreviation()? {
            entries.skip_attributes(abbreviation.attributes())?;
        }
    }
    Ok(())
}
