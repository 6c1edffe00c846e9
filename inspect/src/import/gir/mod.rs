//! GIR files, in which GObject Introspection keeps what the annotations of a library say: who owns each value,
//! which may be NULL, the direction of each parameter, the lengths of arrays, and the documentation.
//!
//! [`Gir::apply`] adds this to the functions of headers, as statements and comments; nothing else of import knows
//! where they are from.

mod apply;
mod find;
mod read;
mod types;
mod xml;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::evidence::Evidence;
use crate::{Attribute, AttributeKind, AttributeSource, Count, Direction, Place, ReadError, Transfer};
pub(super) use find::find;
use types::{Hierarchy, Types};

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct Gir {
    /// The name of the file.
    file: String,
    /// The headers that it describes.
    includes: Vec<String>,
    /// By name in C.
    functions: HashMap<String, GirFunction>,
    types: Types,
    /// The types of the files that it uses, as far as they are needed.
    used: Vec<Types>,
}

/// One function.
#[derive(Debug, Default)]
struct GirFunction {
    doc: Option<(String, u64)>,
    returned: Described,
    /// With the instance of a method first.
    parameters: Vec<Described>,
    has_instance: bool,
    is_constructor: bool,
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
    /// Its type in C.
    c_type: String,
    array: Option<Array>,
    /// Whether an array has an element of zero behind the last one, whatever else tells its length.
    is_ended: bool,
    /// Whether it is a `GPtrArray` or the like.
    is_container: bool,
    is_variadic: bool,
    /// When a callback is called, if the file says it.
    scope: Option<Scope>,
    /// Whether the caller allocates what C fills.
    is_allocated: bool,
    /// The index of the user data of a callback, not counting the instance.
    user_data: Option<usize>,
    /// The index of the callback that frees the user data of a callback, not counting the instance.
    destroy: Option<usize>,
    line: u64,
}

impl Described {
    /// The name in C of what it points to, if C can change that.
    fn pointee(&self) -> Option<&str> {
        let of = self.c_type.strip_suffix('*')?.trim_end();
        let is_name = of.chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_name && !of.is_empty()).then_some(of)
    }
}

/// When C calls a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// While the function runs.
    Call,
    /// After it has returned.
    Later,
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
        gir.read_used(path);
        Ok(gir)
    }

    /// The functions that free types, with what says it.
    pub(super) fn frees(&self) -> impl Iterator<Item = (&str, &str, Evidence)> {
        self.types.frees.iter().map(|(of, free, key, line)| {
            (of.as_str(), free.as_str(), self.evidence(format!("{key}=\"{free}\""), *line))
        })
    }

    /// What says that values of a type, by its name in C, are made by the library.
    pub(super) fn makes(&self, of: &str) -> Option<Evidence> {
        let (text, line) = self.types.made.get(of)?;
        Some(self.evidence(text.clone(), *line))
    }

    /// What says that a type, by its name in C, is a class of objects, which `g_object_unref` frees.
    pub(super) fn is_object(&self, of: &str) -> Option<Evidence> {
        let (name, line) = self.types.classes.get(of)?;
        let files = std::iter::once(&self.types).chain(&self.used).collect();
        let is_object = Hierarchy { files }.is_object(&self.types.namespace, name);
        let text = format!("<class name=\"{name}\">, which is a GObject");
        is_object.unwrap_or(false).then(|| self.evidence(text, *line))
    }

    /// What says that the owners of a type, by its name in C, are counted.
    pub(super) fn counts(&self, of: &str) -> Option<Evidence> {
        let counted = self.types.counted.get(of);
        let counted = counted.map(|(text, line)| self.evidence(text.clone(), *line));
        counted.or_else(|| self.is_object(of))
    }

    /// Whether an enum, by its name in C, is one of flags.
    pub(super) fn is_flags(&self, of: &str) -> bool {
        self.types.flags.contains_key(of)
    }

    fn evidence(&self, text: String, line: u64) -> Evidence {
        Evidence::attribute(&self.attribute(AttributeKind::Throws, text, line))
    }

    /// Reads the types of the files that it uses, as far as its classes need them.
    fn read_used(&mut self, path: &Path) {
        loop {
            let files: Vec<&Types> = std::iter::once(&self.types).chain(&self.used).collect();
            let hierarchy = Hierarchy { files };
            let missing = self
                .types
                .classes
                .values()
                .find_map(|(name, _)| hierarchy.is_object(&self.types.namespace, name).err());
            let Some(missing) = missing else { return };
            let uses = std::iter::once(&self.types).chain(&self.used).flat_map(|types| &types.uses);
            let version =
                uses.filter(|(name, _)| *name == missing).map(|(_, version)| version.as_str()).next();
            let file = version.and_then(|version| find::used(path, &missing, version));
            let text = file.and_then(|file| std::fs::read(file).ok());
            let mut types =
                text.map(|text| read::read(&String::from_utf8_lossy(&text)).types).unwrap_or_default();
            // Also if it is missing, so that it is looked for once.
            types.namespace = missing;
            self.used.push(types);
        }
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
