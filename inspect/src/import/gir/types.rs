//! The types of GIR files: which of them only the library makes, what frees them, which are counted, and which
//! enums are flags.

use std::collections::{HashMap, HashSet};

use super::super::evidence::Evidence;
use super::xml::Element;
use crate::{Attribute, AttributeKind, AttributeSource, Place};

/// The types of one file. Names are those of the file (`Bytes`); names in C are those of headers (`GBytes`).
#[derive(Debug, Default)]
pub(super) struct Types {
    /// The name of the file.
    pub(super) file: String,
    /// The name of the namespace: `GLib`.
    pub(super) namespace: String,
    /// The namespaces that it uses, with their versions.
    pub(super) uses: Vec<(String, String)>,
    /// The names in C, by name.
    pub(super) names: HashMap<String, String>,
    /// The types in C that functions of the library make, with the text and line of what says so. Types that
    /// callers allocate are not among them.
    pub(super) made: HashMap<String, (String, u64)>,
    /// The names of the types that callers allocate.
    pub(super) allocated: HashSet<String>,
    /// A type in C, the function that frees it, and the attribute that says it, with its line.
    pub(super) frees: Vec<(String, String, &'static str, u64)>,
    /// The functions that are proven to free types in C, if the file is one that another uses.
    pub(super) freed: HashMap<String, Vec<(String, Evidence)>>,
    /// The parents of classes, and what interfaces require, by name; those of other namespaces have both names.
    pub(super) parents: HashMap<String, String>,
    /// The lines of classes and interfaces, by their names in C.
    pub(super) classes: HashMap<String, (String, u64)>,
    /// The types in C whose owners are counted, with the text and line of what says so.
    pub(super) counted: HashMap<String, (String, u64)>,
    /// The lines of the enums whose values are combined, by their names in C.
    pub(super) flags: HashMap<String, u64>,
    /// The position of the user data among the parameters of callbacks, by name.
    pub(super) callbacks: HashMap<String, usize>,
}

/// The class whose instances `g_object_unref` frees.
const OBJECT: &str = "GObject.Object";

impl Types {
    /// Reads the start of a record, class or interface, and returns its name in C.
    pub(super) fn add(&mut self, element: Element<'_>) -> Option<String> {
        let name = element.attribute("name").or_else(|| element.attribute("glib:name"))?.into_owned();
        let of = element.attribute("c:type").or_else(|| element.attribute("glib:type-name"))?.into_owned();
        self.names.insert(name.clone(), of.clone());
        let free = ["free-function", "glib:unref-func"]
            .into_iter()
            .find_map(|key| Some((key, element.attribute(key)?.into_owned())));
        if let Some((key, free)) = free {
            self.frees.push((of.clone(), free, key, element.line));
        }
        if let Some(count) = element.attribute("glib:ref-func") {
            self.counted.insert(of.clone(), (format!("glib:ref-func=\"{count}\""), element.line));
        }
        if matches!(element.name, "class" | "interface") {
            self.classes.insert(of.clone(), (name.clone(), element.line));
            self.made.insert(of.clone(), (format!("<{} name=\"{name}\">", element.name), element.line));
            if let Some(parent) = element.attribute("parent") {
                self.parents.insert(name, parent.into_owned());
            }
        }
        Some(of)
    }

    /// Whether a type, by its name in C, is an interface.
    pub(super) fn is_interface(&self, of: &str) -> bool {
        self.made.get(of).is_some_and(|(text, _)| text.starts_with("<interface"))
    }

    /// A statement of the file.
    pub(super) fn evidence(&self, text: String, line: u64) -> Evidence {
        let place = Place { file: self.file.clone(), line };
        let source = AttributeSource::Gir;
        Evidence::attribute(&Attribute { of: AttributeKind::Throws, text, place, source })
    }

    /// Leaves only the types of the file that no caller allocates among those that are made.
    pub(super) fn finish(&mut self) {
        let records: HashSet<&String> = self.names.values().collect();
        self.made.retain(|of, _| records.contains(of));
        for name in &self.allocated {
            if let Some(of) = self.names.get(name).filter(|of| !self.classes.contains_key(*of)) {
                self.made.remove(of);
            }
        }
    }
}

/// The types of the files that describe a library, and of those that they use.
pub(super) struct Hierarchy<'t> {
    pub(super) files: Vec<&'t Types>,
}

impl Hierarchy<'_> {
    /// Whether a class, or what an interface requires, is in the end a `GObject`.
    pub(super) fn is_object(&self, namespace: &str, name: &str) -> bool {
        let mut at = format!("{namespace}.{name}");
        // No chain of classes is as long; a broken file may have a cycle.
        for _ in 0..64 {
            if at == OBJECT {
                return true;
            }
            let Some((namespace, name)) = at.split_once('.') else { return false };
            let Some(file) = self.files.iter().find(|file| file.namespace == namespace) else {
                return false;
            };
            let Some(parent) = file.parents.get(name) else { return false };
            at = match parent.contains('.') {
                true => parent.clone(),
                false => format!("{namespace}.{parent}"),
            };
        }
        false
    }
}
