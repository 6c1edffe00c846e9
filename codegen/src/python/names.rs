//! Names and literals of Python.

use std::collections::HashSet;

use opendyn_model::ir::Function;

/// The variables of a call: one for each parameter, none of which hides what the code uses.
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
            // Names that begin so are those of the parts.
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

    /// The variable of the parameter so many.
    pub(super) fn param(&self, index: usize) -> &str {
        &self.of_params[index]
    }

    /// The variable for what C is given of it.
    pub(super) fn memory(&self, index: usize) -> String {
        format!("{}_memory", self.of_params[index])
    }
}

/// A string of Python.
pub(super) fn text(text: &str) -> String {
    let mut literal = "'".to_owned();
    for character in text.chars() {
        match character {
            '\'' | '\\' => literal.extend(['\\', character]),
            '\n' => literal += "\\n",
            '\r' => literal += "\\r",
            '\t' => literal += "\\t",
            control if control.is_control() => literal += &format!("\\u{:04x}", u32::from(control)),
            other => literal.push(other),
        }
    }
    literal + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_end_its_literal() {
        assert_eq!(text("it's \\ a\n\u{7}é"), "'it\\'s \\\\ a\\n\\u0007é'");
    }
}
