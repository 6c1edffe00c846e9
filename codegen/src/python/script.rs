//! A script while it is written. Whatever names a part, a module or a struct asks the script for the name, and so
//! the script knows what it needs.

use std::collections::BTreeSet;

use super::parts::{Module, Part, RAISED, texts};
use opendyn_model::plan::{Binding, Types};

/// What a script needs beside its own code.
pub(super) struct Script<'b> {
    pub(super) binding: &'b Binding,
    parts: BTreeSet<Part>,
    modules: BTreeSet<Module>,
    /// The structs, each after those that it holds.
    pub(super) records: Vec<usize>,
}

impl<'b> Script<'b> {
    pub(super) fn new(binding: &'b Binding) -> Self {
        Self { binding, parts: BTreeSet::new(), modules: BTreeSet::new(), records: Vec::new() }
    }

    pub(super) fn types(&self) -> &'b Types {
        &self.binding.types
    }

    /// The name of a part, which the script has from now on.
    pub(super) fn part(&mut self, part: Part) -> &'static str {
        self.need(part);
        part.name()
    }

    fn need(&mut self, part: Part) {
        if !self.parts.insert(part) {
            return;
        }
        self.modules.extend(part.modules());
        for needed in part.needs() {
            self.need(*needed);
        }
    }

    /// A part called with these arguments.
    pub(super) fn call(&mut self, part: Part, arguments: &[&str]) -> String {
        format!("{}({})", self.part(part), arguments.join(", "))
    }

    /// The name of a module, which the script imports from now on.
    pub(super) fn module(&mut self, module: Module) -> &'static str {
        self.modules.insert(module);
        module.name()
    }

    /// `ctypes.name`
    pub(super) fn ctypes(&mut self, name: &str) -> String {
        format!("{}.{name}", self.module(Module::Ctypes))
    }

    /// The modules to import, sorted.
    pub(super) fn imports(&self) -> Vec<&'static str> {
        self.modules.iter().map(|module| module.name()).collect()
    }

    /// The exceptions that its parts raise.
    pub(super) fn raises(&self) -> Vec<&'static str> {
        RAISED.iter().filter(|part| self.parts.contains(part)).map(|part| part.name()).collect()
    }

    /// The definitions of its parts.
    pub(super) fn definitions(&self) -> String {
        let parts = Part::ALL.iter().zip(texts()).filter(|(part, _)| self.parts.contains(part));
        parts.map(|(_, text)| text).collect::<Vec<_>>().join("\n\n\n") + "\n"
    }
}
