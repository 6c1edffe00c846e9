//! One exported symbol, and how each file format describes it.

use object::elf::{STT_FUNC, STT_GNU_IFUNC, STT_NOTYPE};
use object::{Architecture, ExportFlags, ExportTarget, File, LittleEndian, NameOrOrdinal, Object};

use super::image::Image;
use super::{Format, name};
use crate::interface::Convention;

/// An exported symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Its name in C: without the underscore of Mach-O and the decoration of 32-bit Windows.
    pub name: String,
    /// Its name in the file, if that differs: `_add`, `add@8`.
    pub symbol: Option<String>,
    /// Its version, such as `GLIBC_2.14`.
    pub version: Option<String>,
    /// Whether a lookup by name finds it. A version that is not the default is not found.
    pub default: bool,
    /// Function or data.
    pub kind: SymbolKind,
    /// Its address, as in the debug info; `None` for a forwarder. Two names of one function have the same
    /// address.
    pub address: Option<u64>,
    /// The library and symbol that a forwarder leads to, such as `KERNEL32.Sleep`.
    pub forward: Option<String>,
    /// The calling convention according to the decorated name.
    pub convention: Option<Convention>,
    /// The size of the arguments according to the decorated name: 12 for `name@12`.
    pub argument_bytes: Option<u32>,
}

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A function.
    Function,
    /// A function that is chosen when the library is loaded. The address is that of the resolver.
    Ifunc,
    /// A variable or constant.
    Data,
    /// A thread-local variable.
    ThreadLocal,
    /// An absolute value, such as the name of a version.
    Absolute,
}

impl SymbolKind {
    /// Whether it can be called.
    #[must_use]
    pub fn is_function(self) -> bool {
        matches!(self, Self::Function | Self::Ifunc)
    }
}

/// All exported symbols, sorted by name, the default version first.
pub(super) fn read(image: &Image<'_>) -> Result<Vec<Export>, String> {
    if !has_sane_ordinals(image) {
        return Ok(Vec::new());
    }
    let mut symbols = Vec::new();
    let mut names = image.name_bytes();
    for export in image.file.exports().map_err(|error| error.to_string())? {
        let export = export.map_err(|error| error.to_string())?;
        // An export with only an ordinal cannot be looked up by name.
        let NameOrOrdinal::Name(raw) = export.name() else { continue };
        // Symbols may share the bytes of their names and the nodes of a trie, so a small file could expand to
        // a huge number of names.
        names = names.checked_sub(raw.len() + 1).ok_or("its symbols have more names than its size allows")?;
        let raw = String::from_utf8_lossy(raw).into_owned();
        let (kind, address, forward) = target(image, &export);
        let (version, default) = match export.flags() {
            ExportFlags::Elf { version, version_hidden, .. } => {
                (version.map(|version| String::from_utf8_lossy(version).into_owned()), !version_hidden)
            }
            _ => (None, true),
        };
        let decorated = match image.format {
            Format::Elf => name::Decorated::plain(&raw),
            Format::MachO => name::Decorated::plain(raw.strip_prefix('_').unwrap_or(&raw)),
            Format::Pe if image.file.architecture() == Architecture::I386 => name::Decorated::parse(&raw),
            Format::Pe => name::Decorated::plain(&raw),
        };
        symbols.push(Export {
            name: decorated.name.to_owned(),
            version,
            default,
            kind,
            address: address.map(|address| without_mode_bit(image, address)),
            forward,
            convention: decorated.convention,
            argument_bytes: decorated.argument_bytes,
            symbol: (decorated.name != raw).then_some(raw),
        });
    }
    symbols.sort_by(|a, b| (&a.name, !a.default, &a.version).cmp(&(&b.name, !b.default, &b.version)));
    Ok(symbols)
}

fn target(image: &Image<'_>, export: &object::Export<'_>) -> (SymbolKind, Option<u64>, Option<String>) {
    let kind_at = |address: u64| match export.flags() {
        ExportFlags::Elf { st_info, .. } => match st_info.st_type() {
            STT_FUNC => SymbolKind::Function,
            STT_GNU_IFUNC => SymbolKind::Ifunc,
            // From an assembler source without a type directive.
            STT_NOTYPE if image.is_code(address) => SymbolKind::Function,
            _ => SymbolKind::Data,
        },
        _ if image.is_code(address) => SymbolKind::Function,
        _ => SymbolKind::Data,
    };
    match export.target() {
        ExportTarget::Address { address } => (kind_at(address), Some(address), None),
        ExportTarget::Resolver { resolver, .. } => (SymbolKind::Ifunc, Some(resolver), None),
        ExportTarget::Absolute { .. } => (SymbolKind::Absolute, None, None),
        ExportTarget::Tls { .. } | ExportTarget::TlvDescriptor { .. } => {
            (SymbolKind::ThreadLocal, None, None)
        }
        ExportTarget::Reexport { library, name } => {
            let library = String::from_utf8_lossy(library);
            let name = match name {
                NameOrOrdinal::Name(name) => String::from_utf8_lossy(name).into_owned(),
                NameOrOrdinal::Ordinal(ordinal) => format!("#{ordinal}"),
            };
            // Nearly all forwarders are functions; the file does not say.
            (SymbolKind::Function, None, Some(format!("{library}.{name}")))
        }
        _ => (SymbolKind::Data, None, None),
    }
}

/// On 32-bit ARM the lowest bit of an address selects the instruction set.
fn without_mode_bit(image: &Image<'_>, address: u64) -> u64 {
    if image.file.architecture() == Architecture::Arm { address & !1 } else { address }
}

/// Ordinals have 16 bits; a table outside that range is malformed.
fn has_sane_ordinals(image: &Image<'_>) -> bool {
    let table = match &image.file {
        File::Pe32(file) => file.export_table(),
        File::Pe64(file) => file.export_table(),
        _ => return true,
    };
    let Ok(Some(table)) = table else { return true };
    let base = u64::from(table.directory().base.get(LittleEndian)) & 0xffff;
    base + table.addresses().len() as u64 <= 0x1_0000
}
