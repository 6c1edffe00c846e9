//! The functions to find signatures for: the exported ones that the caller requested, by name and by address.

use std::collections::{HashMap, HashSet};

use crate::exports::{Export, Exports, SymbolKind};

/// A function, by its position in [`Wanted::functions`].
pub(super) type FunctionId = usize;

/// The functions.
pub(super) struct Wanted<'e> {
    /// Sorted by name.
    pub functions: Vec<&'e Export>,
    names: HashMap<&'e [u8], FunctionId>,
    addresses: HashSet<u64>,
}

impl<'e> Wanted<'e> {
    pub fn new(exports: &'e Exports, asked: Option<&dyn Fn(&str) -> bool>) -> Self {
        let is_asked = |export: &&Export| asked.is_none_or(|asked| asked(&export.name));
        let functions: Vec<&Export> = exports.functions().filter(is_asked).collect();
        let mut names = HashMap::with_capacity(functions.len());
        let mut addresses = HashSet::with_capacity(functions.len());
        for (id, export) in functions.iter().enumerate() {
            // Debug info may use the name in the source or the name in the file.
            if let Some(symbol) = &export.symbol {
                names.insert(symbol.as_bytes(), id);
            }
            names.insert(export.name.as_bytes(), id);
            addresses.extend(export.address);
        }
        Self { functions, names, addresses }
    }

    /// The function with this symbol name.
    pub fn by_name(&self, name: &[u8]) -> Option<FunctionId> {
        self.names.get(name).copied()
    }

    /// Whether one of the functions is at this address.
    pub fn is_at(&self, address: u64) -> bool {
        self.addresses.contains(&address)
    }
}

/// The reason to report for a function that the debug info has neither by name nor by address.
pub(super) fn absent(export: &Export) -> String {
    match (&export.forward, export.kind) {
        (Some(forward), _) => format!("it is forwarded to {forward}, which another library describes"),
        (None, SymbolKind::Ifunc) => {
            "it is chosen when the library is loaded (IFUNC), and its resolver has no type for it".to_owned()
        }
        (None, _) => "the debug info does not describe it".to_owned(),
    }
}
