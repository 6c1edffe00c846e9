//! GIR files, in which GObject Introspection keeps what the annotations of a library say: who owns each value,
//! which may be NULL, the direction of each parameter, the lengths of arrays, and the documentation.
//!
//! [`Gir::apply`] adds this to the functions of headers, as statements and comments; nothing else of import knows
//! where they are from.

mod apply;
mod find;
mod read;
mod xml;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::evidence::Evidence;
use crate::{Attribute, AttributeKind, AttributeSource, Count, Direction, Place, ReadError, Transfer};
pub(super) use find::find;

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct Gir {
    /// The name of the file.
    file: String,
    /// The headers that it describes.
    includes: Vec<String>,
    /// By name in C.
    functions: HashMap<String, GirFunction>,
    /// The types in C that functions of the library make, with the line of the first one's element. Types that
    /// callers allocate are not among them.
    made: HashMap<String, u64>,
    /// A type in C, the function that frees it, and the attribute that says it, with its line.
    frees: Vec<(String, String, &'static str, u64)>,
}

/// One function.
#[derive(Debug, Default)]
struct GirFunction {
    doc: Option<(String, u64)>,
    returned: Described,
    /// With the instance of a method first.
    parameters: Vec<Described>,
    has_instance: bool,
    throws: bool,
    line: u64,
}

/// A parameter or return value.
#[derive(Debug, Default)]
struct Described {
    name: String,
    doc: Option<(String, u64)>,
    transfer: Option<Transfer>,
    directed: Directed,
    /// The name of its type.
    of: String,
    array: Option<Array>,
    /// Whether it is a `GPtrArray` or the like.
    is_container: bool,
    is_variadic: bool,
    is_called_during: bool,
    /// Whether the caller allocates what C fills.
    is_allocated: bool,
    /// The index of the user data of a callback, not counting the instance.
    user_data: Option<usize>,
    line: u64,
}

#[derive(Debug, Default)]
struct Directed {
    /// `None` where the file has none: an input, or not annotated.
    direction: Option<Direction>,
    is_nullable: bool,
    is_optional: bool,
}

#[derive(Debug)]
struct Array {
    /// The index of a parameter does not count the instance.
    count: Count,
    /// The name of the type of its elements.
    of: String,
}

impl Default for Array {
    fn default() -> Self {
        Self { count: Count::Terminated, of: String::new() }
    }
}

impl Gir {
    /// Reads a file.
    pub(super) fn open(path: &Path) -> Result<Self, ReadError> {
        let text = std::fs::read(path).map_err(|source| ReadError::io(path, source))?;
        let text = String::from_utf8_lossy(&text);
        if !text.contains("<repository") {
            return Err(ReadError::malformed(path, "it is not a GIR file: it has no element `repository`"));
        }
        let mut gir = read::read(&text);
        gir.file = path.display().to_string();
        Ok(gir)
    }

    /// The functions that free types, with what says it.
    pub(super) fn frees(&self) -> impl Iterator<Item = (&str, &str, Evidence)> {
        self.frees.iter().map(|(of, free, key, line)| {
            let attribute = self.attribute(AttributeKind::Throws, format!("{key}=\"{free}\""), *line);
            (of.as_str(), free.as_str(), Evidence::attribute(&attribute))
        })
    }

    /// What says that values of a type, by its name in C, are made by the library.
    pub(super) fn makes(&self, of: &str) -> Option<Evidence> {
        let line = self.made.get(of)?;
        let text = format!("<constructor> of {of}");
        Some(Evidence::attribute(&self.attribute(AttributeKind::Throws, text, *line)))
    }

    fn attribute(&self, of: AttributeKind, text: String, line: u64) -> Attribute {
        let place = Place { file: self.file.clone(), line };
        Attribute { of, text, place, source: AttributeSource::Gir }
    }
}

/// The files that the caller named, or those that describe the headers.
pub(super) fn open_all(named: &[PathBuf], headers: &[PathBuf]) -> Result<Vec<Gir>, ReadError> {
    let found = if named.is_empty() { find(headers) } else { named.to_vec() };
    found.iter().map(|path| Gir::open(path)).collect()
}
