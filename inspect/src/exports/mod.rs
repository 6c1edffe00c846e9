//! The symbols that a library exports, in ELF, PE and Mach-O. `check` looks up each function of a document in
//! them, and `import` each function of a header.

mod image;
mod name;
mod symbol;

use std::path::Path;

use object::{Architecture, Object};

use crate::read_error::ReadError;
use crate::target::Target;
pub(crate) use image::Image;
pub use symbol::{Export, SymbolKind};

/// What a library exports.
#[derive(Clone, Debug)]
pub struct Exports {
    /// The format of the file.
    pub format: Format,
    /// The sizes of C types for it.
    pub target: Target,
    /// The name of its target, such as `x86_64-pc-windows-msvc`.
    pub triple: String,
    /// The name that the library gives itself: the soname, the install name, or the name of the DLL.
    pub soname: Option<String>,
    /// The identifier that connects the library with its debug info: the build ID of ELF, the UUID of Mach-O.
    pub build_id: Option<Vec<u8>>,
    /// The names of the libraries that it links; only of ELF.
    pub needed: Vec<String>,
    /// The folders in which the loader looks for these first, with `$ORIGIN` as it is in the file; only of ELF.
    pub folders: Vec<String>,
    /// Sorted by name, the default version of each first.
    symbols: Vec<Export>,
}

/// The format of a library file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Linux and most other systems.
    Elf,
    /// Windows.
    Pe,
    /// macOS.
    MachO,
}

impl Exports {
    /// Reads what the library exports. From a library for several architectures, the part for this machine is
    /// read.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        Self::read_for(path, None)
    }

    /// Reads what the library exports. From a library for several architectures, the part for `triple` is
    /// read.
    pub fn read_for(path: &Path, triple: Option<&str>) -> Result<Self, ReadError> {
        let bytes = std::fs::read(path).map_err(|source| ReadError::io(path, source))?;
        Self::of_image(&Image::parse(path, &bytes, triple)?)
    }

    pub(crate) fn of_image(image: &Image<'_>) -> Result<Self, ReadError> {
        let damaged = |error: object::Error| ReadError::malformed(image.path, error);
        let (triple, target) = image.target().ok_or_else(|| {
            let architecture = image.file.architecture();
            ReadError::not_a_library(image.path, format!("its architecture is unknown: {architecture:?}"))
        })?;
        let build_id = match image.format {
            Format::MachO => image.file.mach_uuid().map_err(damaged)?.map(|uuid| uuid.to_vec()),
            _ => image.file.build_id().map_err(damaged)?.map(<[u8]>::to_vec),
        };
        let symbols = symbol::read(image).map_err(|reason| ReadError::malformed(image.path, reason))?;
        let (needed, folders) = image.links();
        let soname = image.own_name();
        Ok(Self { format: image.format, target, triple, soname, build_id, needed, folders, symbols })
    }

    /// All exports, sorted by name.
    #[must_use]
    pub fn all(&self) -> &[Export] {
        &self.symbols
    }

    /// The functions that can be looked up by name, each name once.
    pub fn functions(&self) -> impl Iterator<Item = &Export> {
        let mut last = None;
        self.symbols.iter().filter(move |export| {
            let first = last != Some(export.name.as_str());
            let found = export.default && export.kind.is_function() && first;
            if found {
                last = Some(export.name.as_str());
            }
            found
        })
    }

    /// Whether a function of this name can be looked up.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some_and(|export| export.kind.is_function())
    }

    /// The function or data that a lookup of this name finds, in its default version.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Export> {
        self.versions(name).iter().find(|export| export.default)
    }

    /// All versions of this name, the default first. The others are for programs that were linked against
    /// them, and a lookup by name does not find them.
    #[must_use]
    pub fn versions(&self, name: &str) -> &[Export] {
        let start = self.symbols.partition_point(|export| export.name.as_str() < name);
        let rest = self.symbols.get(start..).unwrap_or_default();
        let count = rest.iter().take_while(|export| export.name == name).count();
        rest.get(..count).unwrap_or_default()
    }
}

impl Target {
    /// The target of an object file, as a name and as sizes; `None` for an unknown architecture.
    pub(crate) fn of_object(architecture: Architecture, format: Format, gnu: bool) -> Option<(String, Self)> {
        let (name, narrow) = match architecture {
            Architecture::Aarch64 => ("aarch64", false),
            Architecture::Aarch64_Ilp32 => ("aarch64", true),
            Architecture::Arm => ("arm", false),
            Architecture::I386 => ("i686", false),
            Architecture::X86_64 => ("x86_64", false),
            Architecture::X86_64_X32 => ("x86_64", true),
            Architecture::LoongArch64 => ("loongarch64", false),
            Architecture::Mips => ("mips", false),
            Architecture::Mips64 => ("mips64", false),
            Architecture::Mips64_N32 => ("mips64", true),
            Architecture::PowerPc => ("powerpc", false),
            Architecture::PowerPc64 => ("powerpc64", false),
            Architecture::Riscv32 => ("riscv32", false),
            Architecture::Riscv64 => ("riscv64", false),
            Architecture::S390x => ("s390x", false),
            _ => return None,
        };
        let system = match format {
            Format::Elf => "unknown-linux-gnu",
            Format::Pe if gnu => "pc-windows-gnu",
            Format::Pe => "pc-windows-msvc",
            Format::MachO => "apple-darwin",
        };
        let triple = format!("{name}-{system}");
        let mut target = Self::of_triple(&triple)?;
        if narrow {
            target.pointer = 4;
            target.long = 4;
        }
        Some((triple, target))
    }
}
