//! The names of a call's variables.

use std::collections::HashSet;

use opendyn_model::plan::Function;

/// The variables of a call: one or two per parameter, none of which hides what the code uses.
pub(super) struct Names {
    of_params: Vec<String>,
    /// What C returned.
    pub(super) returned: String,
}

/// The keywords, the builtins and modules that the code uses, and its own variables.
#[rustfmt::skip]
const TAKEN: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    "ctypes", "function", "given", "len", "tool_input",
];

impl Names {
    pub(super) fn of(function: &Function) -> Self {
        let mut taken: HashSet<String> = TAKEN.iter().map(|&name| name.to_owned()).collect();
        let mut free = |name: &str| {
            let mut name = name.trim_start_matches("r#").to_owned();
            // Names of parts begin with `_`.
            if name.starts_with('_') {
                name.insert(0, 'p');
            }
            while !taken.insert(name.clone()) || taken.contains(&format!("{name}_memory")) {
                name.push('_');
            }
            taken.insert(format!("{name}_memory"));
            name
        };
        let of_params = function.params.iter().map(|param| free(&param.ident)).collect();
        Self { of_params, returned: free("returned") }
    }

    /// The Python value of the C parameter at `index`: what the caller gave, or what a step made.
    pub(super) fn param(&self, index: usize) -> &str {
        &self.of_params[index]
    }

    /// The memory that C is lent for it.
    pub(super) fn memory(&self, index: usize) -> String {
        format!("{}_memory", self.of_params[index])
    }
}
