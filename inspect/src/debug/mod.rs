//! Prototypes from a library's debug info: DWARF in the library or next to it, or a PDB. `check` compares a
//! document with them, and `import` takes parameter names from them.

mod compressed;
mod dwarf;
mod error;
mod find;
mod integer;
mod pdb;
mod wanted;

use std::path::{Path, PathBuf};

use crate::exports::{Exports, Image};
use crate::interface::Interface;
use crate::read_error::ReadError;
pub use error::{Attempt, DebugError};
use find::Found;
use wanted::Wanted;

/// What to read, and where from.
#[derive(Default)]
pub struct Options<'a> {
    /// The file with the debug info. If absent, the places that debuggers search are searched.
    pub file: Option<&'a Path>,
    /// The directories with separate debug info, if not the usual `/usr/lib/debug`.
    pub directories: Vec<PathBuf>,
    /// The functions to read. Only their types are read; if absent, all exported functions are read.
    pub wanted: Option<&'a dyn Fn(&str) -> bool>,
    /// The architecture to read from a library for several.
    pub triple: Option<&'a str>,
}

/// Reads what the debug info of a library says about its exported functions. The result has every requested
/// function that is exported, with a reason if its signature is unknown.
pub fn read(library: &Path, options: &Options<'_>) -> Result<Interface, DebugError> {
    let bytes = std::fs::read(library).map_err(|source| ReadError::io(library, source))?;
    let image = Image::parse(library, &bytes, options.triple)?;
    let exports = Exports::of_image(&image)?;
    let wanted = Wanted::new(&exports, options.wanted);
    match find::find(&image, &exports, options)? {
        Found::Inline => dwarf::read(&image, library, &exports, &wanted, options),
        Found::Separate { path, bytes } => {
            let image = Image::parse_any(&path, &bytes, options.triple)?;
            dwarf::read(&image, library, &exports, &wanted, options)
        }
        Found::Pdb { path, bytes } => pdb::read(&path, &bytes, &exports, &wanted, image.image_base()),
    }
}
