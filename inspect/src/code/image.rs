//! The code of a library: where its functions are, and what its jumps through tables mean.

use std::collections::{HashMap, HashSet};

use gimli::{BaseAddresses, CieOrFde, EhFrame, LittleEndian, Pointer, UnwindSection};
use object::elf;
use object::read::{RelocationFlags, RelocationTarget};
use object::{
    Architecture, File, Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, SectionKind, SymbolFlags,
};

use super::addresses::Addresses;
use super::landing;

/// Where functions of other libraries are taken to be: no library has code there.
const OUTSIDE: u64 = 0x7000_0000_0000_0000;

/// Functions of the C library for memory, for which a library may let its user choose others.
const ALLOCATORS: [&str; 5] = ["calloc", "free", "malloc", "realloc", "strdup"];

/// The code of a library.
#[derive(Debug)]
pub(super) struct Image {
    /// What does not change while the library runs: code and constants, sorted by address.
    sections: Vec<Section>,
    /// The beginnings of functions.
    starts: Vec<u64>,
    landings: Landings,
    /// What the loader writes to tables: the addresses of functions.
    linked: Addresses<u64>,
    /// Variables that hold a function of the C library for memory when the library is loaded.
    allocators: Addresses<u64>,
    /// Other variables that hold a function of the library itself when it is loaded.
    replaceable: Addresses<u64>,
    /// The functions of other libraries.
    outside: Vec<String>,
    exports: HashMap<String, u64>,
}

/// Where functions go on after an exception, by their beginnings.
type Landings = Addresses<Vec<u64>>;

#[derive(Debug)]
struct Section {
    address: u64,
    bytes: Vec<u8>,
    is_code: bool,
}

impl Image {
    /// The code of an ELF library for x86-64; `None` for others.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let file = File::parse(bytes).ok()?;
        if !matches!(file, File::Elf64(_))
            || file.architecture() != Architecture::X86_64
            || !file.is_little_endian()
        {
            return None;
        }
        let sections = file.sections().filter_map(|section| {
            let is_code = section.kind() == SectionKind::Text;
            let is_constant =
                matches!(section.kind(), SectionKind::ReadOnlyData | SectionKind::ReadOnlyString);
            let bytes = section.data().ok().filter(|_| is_code || is_constant)?.to_vec();
            Some(Section { address: section.address(), bytes, is_code })
        });
        let mut sections: Vec<Section> = sections.collect();
        sections.sort_by_key(|section| section.address);
        let (starts, landings) = unwinding(&file).unwrap_or_default();
        let mut image = Self {
            sections,
            starts,
            landings,
            linked: Addresses::default(),
            allocators: Addresses::default(),
            replaceable: Addresses::default(),
            outside: Vec::new(),
            exports: HashMap::new(),
        };
        image.exports = exports(&file);
        image.link(&file);
        image.starts.extend(image.exports.values().copied());
        image.starts.sort_unstable();
        image.starts.dedup();
        Some(image)
    }

    /// Reads what the loader will write to tables of functions.
    fn link(&mut self, file: &File<'_>) -> Option<()> {
        let symbols = file.dynamic_symbol_table()?;
        let mut numbers: HashMap<String, u64> = HashMap::new();
        // Nothing changes these after the library is loaded, unlike variables that hold functions.
        let tables: Vec<(u64, u64)> = file
            .sections()
            .filter(|section| {
                section.name().is_ok_and(|name| name.starts_with(".got") || name.starts_with(".data.rel.ro"))
            })
            .map(|section| (section.address(), section.address() + section.size()))
            .collect();
        let is_fixed = |place: u64| tables.iter().any(|(from, to)| (*from..*to).contains(&place));
        let variables = variables(file);
        for (place, relocation) in file.dynamic_relocations()? {
            let is_fixed = is_fixed(place);
            let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
            let target = match (r_type, relocation.target()) {
                (
                    elf::R_X86_64_GLOB_DAT | elf::R_X86_64_JUMP_SLOT | elf::R_X86_64_64,
                    RelocationTarget::Symbol(of),
                ) => {
                    let symbol = symbols.symbol_by_index(of).ok();
                    let Some(name) = symbol.and_then(|symbol| Some(symbol.name().ok()?.to_owned())) else {
                        continue;
                    };
                    if !is_fixed && !ALLOCATORS.contains(&name.as_str()) {
                        if let Some(address) = self.exports.get(&name) {
                            self.replaceable.insert(place, *address);
                        }
                        continue;
                    }
                    match self.exports.get(&name).or(variables.get(&name)) {
                        Some(address) => *address,
                        None => *numbers.entry(name).or_insert_with_key(|name| {
                            self.outside.push(name.clone());
                            OUTSIDE + self.outside.len() as u64 - 1
                        }),
                    }
                }
                (elf::R_X86_64_RELATIVE, _) if is_fixed => relocation.addend().cast_unsigned(),
                (elf::R_X86_64_RELATIVE, _) => {
                    self.replaceable.insert(place, relocation.addend().cast_unsigned());
                    continue;
                }
                // Functions that are chosen when the library is loaded, and variables of threads.
                _ => continue,
            };
            let places = if is_fixed { &mut self.linked } else { &mut self.allocators };
            places.insert(place, target);
        }
        Some(())
    }

    /// The address of an exported function.
    pub(super) fn export(&self, name: &str) -> Option<u64> {
        self.exports.get(name).copied()
    }

    /// The names of the exported functions, by their addresses.
    pub(super) fn names(&self) -> HashMap<u64, HashSet<&str>> {
        let mut names: HashMap<u64, HashSet<&str>> = HashMap::new();
        for (name, address) in &self.exports {
            names.entry(*address).or_default().insert(name);
        }
        names
    }

    /// The name of the function of another library that this address stands for.
    pub(super) fn outside(&self, address: u64) -> Option<&str> {
        let index = usize::try_from(address.checked_sub(OUTSIDE)?).ok()?;
        self.outside.get(index).map(String::as_str)
    }

    /// All functions of other libraries, with the addresses that stand for them.
    pub(super) fn all_outside(&self) -> impl Iterator<Item = (u64, &str)> {
        (OUTSIDE..).zip(self.outside.iter().map(String::as_str))
    }

    /// What the loader writes to this place, which only tables of functions have.
    pub(super) fn linked(&self, place: u64) -> Option<u64> {
        self.linked.get(&place).copied()
    }

    /// The function of the C library for memory that a variable holds at this place when the library is loaded. Another may be
    /// stored there, which then does the same.
    pub(super) fn allocator(&self, place: u64) -> Option<u64> {
        self.allocators.get(&place).copied()
    }

    /// Whether a variable at this place holds `function` when the library is loaded. Where the function itself asks whether
    /// another is stored there by now, that one was put in its stead, and does the same.
    pub(super) fn is_replaceable(&self, place: u64, function: u64) -> bool {
        self.replaceable.get(&place) == Some(&function)
    }

    /// Where the function that begins there goes on after an exception.
    pub(super) fn landings(&self, start: u64) -> &[u64] {
        self.landings.get(&start).map_or(&[], Vec::as_slice)
    }

    /// Whether a function begins there.
    pub(super) fn is_start(&self, address: u64) -> bool {
        self.starts.binary_search(&address).is_ok()
    }

    /// The code from this address on.
    pub(super) fn code(&self, address: u64) -> Option<&[u8]> {
        let section = self.section(address).filter(|section| section.is_code)?;
        section.bytes.get(usize::try_from(address - section.address).ok()?..)
    }

    /// The targets in a jump table, whose entries are relative to it; `None` if one is not code.
    pub(super) fn targets(&self, table: u64, entries: u32) -> Option<Vec<u64>> {
        let section = self.section(table).filter(|section| !section.is_code)?;
        let start = usize::try_from(table - section.address).ok()?;
        let bytes = section.bytes.get(start..start.checked_add(entries as usize * 4)?)?;
        let (offsets, _) = bytes.as_chunks::<4>();
        let targets = offsets.iter().map(|offset| {
            let target = table.wrapping_add_signed(i64::from(i32::from_le_bytes(*offset)));
            self.code(target).map(|_| target)
        });
        targets.collect()
    }

    fn section(&self, address: u64) -> Option<&Section> {
        let index = self.sections.partition_point(|section| section.address <= address).checked_sub(1)?;
        let section = &self.sections[index];
        (address - section.address < section.bytes.len() as u64).then_some(section)
    }
}

/// The functions that the library exports, but not those that are chosen when it is loaded.
fn exports(file: &File<'_>) -> HashMap<String, u64> {
    let is_function = |flags: SymbolFlags<_, _>| match flags {
        SymbolFlags::Elf { st_info, .. } => st_info.st_type() == elf::STT_FUNC,
        _ => false,
    };
    let symbols =
        file.dynamic_symbols().filter(|symbol| symbol.is_definition() && is_function(symbol.flags()));
    let mut exports: HashMap<String, Vec<u64>> = HashMap::new();
    for symbol in symbols {
        if let Ok(name) = symbol.name() {
            exports.entry(name.to_owned()).or_default().push(symbol.address());
        }
    }
    // Of several versions, nobody knows here which one is called.
    let only = |(name, addresses): (String, Vec<u64>)| match addresses.as_slice() {
        [only] => Some((name, *only)),
        _ => None,
    };
    exports.into_iter().filter_map(only).collect()
}

/// The addresses of the variables that the library exports.
fn variables(file: &File<'_>) -> HashMap<String, u64> {
    let is_variable = |flags: SymbolFlags<_, _>| match flags {
        SymbolFlags::Elf { st_info, .. } => st_info.st_type() == elf::STT_OBJECT,
        _ => false,
    };
    let symbols =
        file.dynamic_symbols().filter(|symbol| symbol.is_definition() && is_variable(symbol.flags()));
    symbols.filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol.address()))).collect()
}

/// The beginnings of functions, and where they go on after an exception, from the tables for unwinding.
fn unwinding(file: &File<'_>) -> Option<(Vec<u64>, Landings)> {
    let section = file.section_by_name(".eh_frame")?;
    let bytes = section.data().ok()?;
    let mut bases = BaseAddresses::default().set_eh_frame(section.address());
    if let Some(text) = file.section_by_name(".text") {
        bases = bases.set_text(text.address());
    }
    let tables = file.section_by_name(".gcc_except_table");
    let tables = tables.and_then(|tables| Some((tables.address(), tables.data().ok()?)));
    let frame = EhFrame::new(bytes, LittleEndian);
    let mut entries = frame.entries(&bases);
    let (mut starts, mut landings) = (Vec::new(), Landings::default());
    while let Ok(Some(entry)) = entries.next() {
        if let CieOrFde::Fde(partial) = entry
            && let Ok(fde) = partial.parse(EhFrame::cie_from_offset)
        {
            let start = fde.initial_address();
            starts.push(start);
            if let Some(Pointer::Direct(table)) = fde.lsda() {
                // A table that cannot be read leads nowhere that can be read.
                let read = tables.and_then(|(address, bytes)| {
                    landing::places(bytes.get(usize::try_from(table.checked_sub(address)?).ok()?..)?, start)
                });
                landings.insert(start, read.unwrap_or_else(|| vec![u64::MAX]));
            }
        }
    }
    Some((starts, landings))
}
