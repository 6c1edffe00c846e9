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
use super::lent;
use super::ownership;
use super::said::Said;
use crate::{
    Attribute, AttributeKind, AttributeSource, Count, Direction, Function, Place, ReadError, Transfer,
};
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
    /// The types of the files that it uses.
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
    /// The attribute that keeps it from callers outside C.
    only_for_c: Option<&'static str>,
    is_documented: bool,
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
        gir.name(path);
        gir.read_used(path);
        Ok(gir)
    }

    /// The functions that free types, with what says it.
    pub(super) fn frees(&self) -> impl Iterator<Item = (&str, &str, Evidence)> {
        self.types.frees.iter().map(|(of, free, key, line)| {
            (of.as_str(), free.as_str(), self.types.evidence(format!("{key}=\"{free}\""), *line))
        })
    }

    /// The types of this file, and of those that it uses.
    fn all(&self) -> impl Iterator<Item = &Types> {
        std::iter::once(&self.types).chain(&self.used)
    }

    /// What says that values of a type, by its name in C, are made by the library.
    pub(super) fn makes(&self, of: &str) -> Option<Evidence> {
        let types = self.all().find(|types| types.made.contains_key(of))?;
        let is_allocated =
            self.types.allocated.iter().any(|name| types.names.get(name).is_some_and(|c| c == of));
        let (text, line) = types.made.get(of).filter(|_| !is_allocated || types.classes.contains_key(of))?;
        Some(types.evidence(text.clone(), *line))
    }

    /// What says that a type, by its name in C, is a class of objects, which `g_object_unref` frees.
    pub(super) fn is_object(&self, of: &str) -> Option<Evidence> {
        let types = self.all().find(|types| types.classes.contains_key(of))?;
        let (name, line) = types.classes.get(of)?;
        let hierarchy = Hierarchy { files: self.all().collect() };
        let text = format!("<class name=\"{name}\">, which is a GObject");
        hierarchy.is_object(&types.namespace, name).then(|| types.evidence(text, *line))
    }

    /// What says that the owners of a type, by its name in C, are counted.
    pub(super) fn counts(&self, of: &str) -> Option<Evidence> {
        let counted = |types: &Types| {
            let (text, line) = types.counted.get(of)?;
            Some(types.evidence(text.clone(), *line))
        };
        // Whatever has an interface is an instance of a class, whose owners are counted.
        let interface = |types: &Types| {
            let (name, line) = types.classes.get(of).filter(|_| types.is_interface(of))?;
            Some(types.evidence(format!("<interface name=\"{name}\">"), *line))
        };
        self.all().find_map(counted).or_else(|| self.is_object(of)).or_else(|| self.all().find_map(interface))
    }

    /// The only function of a used library that is proven to free a type of it, by their names in C.
    pub(super) fn freed_by(&self, of: &str) -> Option<(&str, Evidence)> {
        match self.used.iter().find_map(|types| types.freed.get(of)).map(Vec::as_slice) {
            Some([(free, says)]) => Some((free, says.clone())),
            _ => None,
        }
    }

    /// Whether an enum, by its name in C, is one of flags.
    pub(super) fn is_flags(&self, of: &str) -> bool {
        self.all().any(|types| types.flags.contains_key(of))
    }

    /// Reads the types of the files that it uses, and that those use.
    fn read_used(&mut self, path: &Path) {
        let mut wanted = self.types.uses.clone();
        let mut known = vec![self.types.namespace.clone()];
        while let Some((namespace, version)) = wanted.pop() {
            if known.contains(&namespace) {
                continue;
            }
            known.push(namespace.clone());
            let Some(file) = find::used(path, &namespace, &version) else { continue };
            let Ok(text) = std::fs::read(&file) else { continue };
            let mut used = read::read(&String::from_utf8_lossy(&text));
            used.name(&file);
            used.learn_freed();
            wanted.extend(used.types.uses.iter().cloned());
            self.used.push(used.types);
        }
    }

    fn name(&mut self, path: &Path) {
        self.file = path.display().to_string();
        self.types.file.clone_from(&self.file);
    }

    /// Finds the functions that free the records of the file, as their documentation says.
    fn learn_freed(&mut self) {
        let mut found: Vec<(String, String, Evidence)> = Vec::new();
        for (name, function) in self.functions.iter().filter(|(_, function)| function.is_documented) {
            let [only] = function.parameters.as_slice() else { continue };
            let Some(of) = only.pointee().filter(|of| !self.types.classes.contains_key(*of)) else {
                continue;
            };
            if function.returned.of != "none" || !lent::may_end(name) {
                continue;
            }
            let documented = Function {
                name: name.clone(),
                symbol: None,
                signature: Err(String::new()),
                comment: self.comment(function),
                attributes: Vec::new(),
                place: None,
            };
            let (said, objects) = (Said::of(&documented), ownership::objects(&only.name, of));
            if let Some(says) = said.frees(&objects).or_else(|| said.frees_memory(&objects)) {
                found.push((of.to_owned(), name.clone(), says));
            }
        }
        for (of, free, says) in found {
            self.types.freed.entry(of).or_default().push((free, says));
        }
        for (of, free, key, line) in &self.types.frees {
            let says = self.types.evidence(format!("{key}=\"{free}\""), *line);
            self.types.freed.insert(of.clone(), vec![(free.clone(), says)]);
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
