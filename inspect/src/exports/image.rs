//! The file of a library: its format, and the part for one architecture.

use std::path::Path;

use object::read::macho::{FatArch, MachOFatFile32, MachOFatFile64};
use object::{Architecture, File, FileKind, LittleEndian, Object, ObjectKind, ObjectSection};

use super::Format;
use crate::read_error::ReadError;
use crate::target::Target;

/// A parsed library.
pub(crate) struct Image<'data> {
    pub path: &'data Path,
    pub file: File<'data>,
    pub format: Format,
    size: usize,
}

impl<'data> Image<'data> {
    /// Parses a library; if the file is not one, the error says what it is.
    pub fn parse(path: &'data Path, bytes: &'data [u8], triple: Option<&str>) -> Result<Self, ReadError> {
        let image = Self::parse_any(path, bytes, triple)?;
        match image.file.kind() {
            ObjectKind::Dynamic => Ok(image),
            // A macOS bundle, which is loaded in the same way.
            ObjectKind::Unknown if image.format == Format::MachO => Ok(image),
            // A position-independent program has the type of a library, and a DLL may lack the flag.
            ObjectKind::Executable if image.format == Format::Pe => Ok(image),
            ObjectKind::Executable => Err(ReadError::not_a_library(path, "it is a program")),
            ObjectKind::Relocatable => {
                Err(ReadError::not_a_library(path, "it is an object file that is not linked"))
            }
            ObjectKind::Core => Err(ReadError::not_a_library(path, "it is a memory dump")),
            _ => Err(ReadError::not_a_library(path, "it is another kind of object file")),
        }
    }

    /// Parses any object file, such as a separate file with debug info.
    pub fn parse_any(path: &'data Path, bytes: &'data [u8], triple: Option<&str>) -> Result<Self, ReadError> {
        let damaged = |error: object::Error| ReadError::malformed(path, error);
        let Ok(kind) = FileKind::parse(bytes) else { return Err(unknown(path, bytes)) };
        let bytes = match kind {
            FileKind::Archive => return Err(ReadError::Archive { path: path.to_owned() }),
            FileKind::MachOFat32 => {
                let fat = MachOFatFile32::parse(bytes).map_err(damaged)?;
                slice(path, fat.arches(), bytes, triple)?
            }
            FileKind::MachOFat64 => {
                let fat = MachOFatFile64::parse(bytes).map_err(damaged)?;
                slice(path, fat.arches(), bytes, triple)?
            }
            _ => bytes,
        };
        let file = File::parse(bytes).map_err(damaged)?;
        let format = match &file {
            File::Elf32(_) | File::Elf64(_) => Format::Elf,
            File::Pe32(_) | File::Pe64(_) => Format::Pe,
            File::MachO32(_) | File::MachO64(_) => Format::MachO,
            _ => return Err(ReadError::not_a_library(path, "it is an object file that is not linked")),
        };
        Ok(Self { path, file, format, size: bytes.len() })
    }

    /// The target of the library, by name and data model.
    pub fn target(&self) -> Option<(String, Target)> {
        Target::of_object(self.file.architecture(), self.format, self.is_of_gnu_linker())
    }

    /// Whether a DLL was made by GNU tools, whose `long double` differs from Microsoft's.
    fn is_of_gnu_linker(&self) -> bool {
        let linker = match &self.file {
            File::Pe32(file) => file.nt_headers().optional_header.major_linker_version,
            File::Pe64(file) => file.nt_headers().optional_header.major_linker_version,
            _ => return false,
        };
        // GNU's linker writes its own version, 2.x; those of Microsoft and LLVM write 14.
        linker == 2 || self.file.section_by_name(".debug_info").is_some()
    }

    /// The name that the library gives itself.
    pub fn own_name(&self) -> Option<String> {
        let name = match &self.file {
            File::Elf32(file) => soname(&file.elf_dynamic_table().ok()?)?,
            File::Elf64(file) => soname(&file.elf_dynamic_table().ok()?)?,
            File::MachO32(file) => install_name(file.macho_load_commands().ok()?, file.endian())?,
            File::MachO64(file) => install_name(file.macho_load_commands().ok()?, file.endian())?,
            File::Pe32(file) => dll_name(&file.export_table().ok()??)?,
            File::Pe64(file) => dll_name(&file.export_table().ok()??)?,
            _ => return None,
        };
        Some(String::from_utf8_lossy(name).into_owned())
    }

    /// The names of the libraries that an ELF file links, and the folders in which they are searched first.
    pub fn links(&self) -> (Vec<String>, Vec<String>) {
        let found = match &self.file {
            File::Elf32(file) => file.elf_dynamic_table().map(|table| links(&table)),
            File::Elf64(file) => file.elf_dynamic_table().map(|table| links(&table)),
            _ => return Default::default(),
        };
        found.unwrap_or_default()
    }

    /// The preferred load address; addresses in a PDB are relative to it.
    pub fn image_base(&self) -> u64 {
        self.file.relative_address_base()
    }

    /// An upper bound for the total length of the names in a file of this size. Linkers share the ends of
    /// names, and Mach-O shares their beginnings.
    pub fn name_bytes(&self) -> usize {
        self.size.saturating_mul(16)
    }

    /// Whether there is code at the address, for formats whose exports do not distinguish functions from
    /// data.
    pub fn is_code(&self, address: u64) -> bool {
        let mut sections = self.file.sections();
        let section = sections.find(|section| {
            let end = section.address().saturating_add(section.size());
            (section.address()..end).contains(&address)
        });
        section.is_some_and(|section| section.kind() == object::SectionKind::Text)
    }
}

fn soname<'data, Elf: object::read::elf::FileHeader>(
    table: &object::read::elf::DynamicTable<'data, Elf>,
) -> Option<&'data [u8]> {
    let entry = table.iter().find(|entry| entry.tag == object::elf::DT_SONAME)?;
    table.string(entry).ok()
}

fn links<Elf: object::read::elf::FileHeader>(
    table: &object::read::elf::DynamicTable<'_, Elf>,
) -> (Vec<String>, Vec<String>) {
    let strings = |tags: &[_]| -> Vec<String> {
        let entries = table.iter().filter(|entry| tags.contains(&entry.tag));
        let strings = entries.filter_map(|entry| table.string(entry).ok());
        strings.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
    };
    let folders = strings(&[object::elf::DT_RPATH, object::elf::DT_RUNPATH]);
    let folders = folders.iter().flat_map(|list| list.split(':')).map(str::to_owned).collect();
    (strings(&[object::elf::DT_NEEDED]), folders)
}

fn install_name<'data, E: object::Endian>(
    mut commands: object::read::macho::LoadCommandIterator<'data, E>,
    endian: E,
) -> Option<&'data [u8]> {
    while let Ok(Some(command)) = commands.next() {
        if let Ok(object::read::macho::LoadCommandVariant::IdDylib(id)) = command.variant() {
            return command.string(endian, id.dylib.name).ok();
        }
    }
    None
}

fn dll_name<'data>(table: &object::read::pe::ExportTable<'data>) -> Option<&'data [u8]> {
    table.name_from_pointer(table.directory().name.get(LittleEndian)).ok()
}

/// The part of a fat file for one architecture: the requested one, else that of this machine, else the only
/// one.
fn slice<'data, Fat: FatArch>(
    path: &Path,
    parts: &[Fat],
    bytes: &'data [u8],
    triple: Option<&str>,
) -> Result<&'data [u8], ReadError> {
    let asked = triple.map_or(std::env::consts::ARCH, |triple| triple.split('-').next().unwrap_or(triple));
    let wanted = match asked {
        "x86_64" | "amd64" => Architecture::X86_64,
        "aarch64" | "arm64" | "arm64e" => Architecture::Aarch64,
        "x86" | "i386" | "i686" => Architecture::I386,
        name if name.starts_with("arm") => Architecture::Arm,
        _ => Architecture::Unknown,
    };
    let part = parts.iter().find(|part| part.architecture() == wanted);
    let part = match (part, parts) {
        (Some(part), _) => part,
        (None, [only]) => only,
        _ => {
            let names: Vec<String> = parts.iter().map(|part| format!("{:?}", part.architecture())).collect();
            let reason = format!("it has no part for {asked}, only for {}", names.join(", "));
            return Err(ReadError::not_a_library(path, reason));
        }
    };
    part.data(bytes).map_err(|error| ReadError::malformed(path, error))
}

/// The error for a file that is not an object file.
fn unknown(path: &Path, bytes: &[u8]) -> ReadError {
    if bytes.is_empty() {
        return ReadError::not_a_library(path, "it is empty");
    }
    let start = bytes.get(..bytes.len().min(64 * 1024)).unwrap_or(bytes);
    match std::str::from_utf8(start) {
        Ok(text) if is_linker_script(text) => {
            ReadError::LinkerScript { path: path.to_owned(), names: script_libraries(text) }
        }
        Ok(text) if text.trim_start().starts_with('{') => {
            ReadError::not_a_library(path, "it is a JSON document")
        }
        Ok(_) => ReadError::not_a_library(path, "it is a text"),
        Err(_) if bytes.starts_with(b"\x7fELF") => ReadError::malformed(path, "its ELF header is invalid"),
        Err(_) if bytes.starts_with(b"MZ") => ReadError::malformed(path, "its DLL header is invalid"),
        Err(_) => ReadError::not_a_library(path, "it is not ELF, PE or Mach-O"),
    }
}

fn is_linker_script(text: &str) -> bool {
    ["GNU ld script", "GROUP", "INPUT", "OUTPUT_FORMAT"].iter().any(|word| text.contains(word))
}

/// The files that a linker script names, shared libraries first.
fn script_libraries(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || "(),".contains(c));
    let is_file = |word: &&str| word.contains(".so") || word.ends_with(".a");
    let mut names: Vec<String> = words.filter(is_file).map(str::to_owned).collect();
    names.sort_by_key(|name| name.ends_with(".a"));
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linker_script_names_the_library_itself() {
        let script = "/* GNU ld script */\nOUTPUT_FORMAT(elf64-x86-64)\nGROUP ( /usr/lib/libc_nonshared.a \
                      /lib/libc.so.6 AS_NEEDED ( /lib64/ld-linux-x86-64.so.2 ) )";
        let error = unknown(Path::new("libc.so"), script.as_bytes()).to_string();
        assert!(error.contains("is a linker script"), "{error}");
        assert!(error.ends_with("name the library itself: /lib/libc.so.6"), "{error}");
    }

    #[test]
    fn what_is_no_library_is_said() {
        for (bytes, expected) in [
            (&b""[..], "it is empty"),
            (b"hello there, this is a text", "it is a text"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\0\0\0\0\0", "it is not ELF, PE or Mach-O"),
            (b"!<arch>\ndebian-binary   ", "is a static library"),
        ] {
            let error = Image::parse(Path::new("f"), bytes, None).err().expect("an error").to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
