//! Legal names, unique both in the document and in Rust.

use std::collections::HashSet;

use opendyn_model::rust_name;

/// The maximum length of a name in a document.
const LONGEST: usize = 64;

/// The names of one kind that are in use, as they are in Rust.
pub(super) struct Names {
    taken: HashSet<String>,
    in_rust: fn(&str) -> Option<String>,
}

impl Names {
    pub(super) fn of_functions() -> Self {
        Self { taken: HashSet::new(), in_rust: rust_name::of_function }
    }

    pub(super) fn of_values() -> Self {
        Self { taken: HashSet::new(), in_rust: rust_name::of_value }
    }

    pub(super) fn of_types() -> Self {
        Self { taken: HashSet::new(), in_rust: rust_name::of_type }
    }

    /// `wanted` if it is legal and free, else a name close to it, else `otherwise`.
    pub(super) fn take(&mut self, wanted: &str, otherwise: &str) -> String {
        self.take_all(wanted, otherwise, |ident| vec![ident])
    }

    /// The same for a function that may have several results: the struct of its results is named after it
    /// too, without underscores.
    pub(super) fn take_with_outputs(&mut self, wanted: &str, otherwise: &str) -> String {
        let outputs = |method: &str| rust_name::of_type(&format!("{method}_outputs"));
        self.take_all(wanted, otherwise, |method| {
            let outputs = outputs(&method);
            [Some(method), outputs].into_iter().flatten().collect()
        })
    }

    fn take_all(&mut self, wanted: &str, otherwise: &str, all: impl Fn(String) -> Vec<String>) -> String {
        let legal: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let base = if (self.in_rust)(&legal).is_some() { legal.as_str() } else { otherwise };
        let mut name = cut(base, LONGEST).to_owned();
        for number in 2.. {
            match (self.in_rust)(&name).map(&all) {
                Some(idents) if idents.iter().all(|ident| !self.taken.contains(ident)) => {
                    self.taken.extend(idents);
                    break;
                }
                _ => {
                    let suffix = format!("_{number}");
                    name = format!("{}{suffix}", cut(base, LONGEST - suffix.len()));
                }
            }
        }
        name
    }

    /// Whether a type of the document already has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        (self.in_rust)(name).is_none_or(|ident| self.taken.contains(&ident))
    }
}

/// Legal names are ASCII.
fn cut(name: &str, length: usize) -> &str {
    name.get(..length).unwrap_or(name)
}

/// The words of a C name, in lower case: `LZ4_freeStream` is `lz4`, `free`, `stream`.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = '_';
    let mut rest = name.chars().peekable();
    while let Some(character) = rest.next() {
        if !character.is_alphanumeric() {
            before = '_';
            continue;
        }
        // `TIFFSetField`: the last capital of several begins the next word.
        let is_last = rest.peek().is_some_and(|next| next.is_lowercase());
        let begins = before == '_' || character.is_uppercase() && (!before.is_uppercase() || is_last);
        match words.last_mut() {
            Some(word) if !begins => word.extend(character.to_lowercase()),
            _ => words.push(character.to_lowercase().collect()),
        }
        before = character;
    }
    words
}

/// The name without case and underscores, for comparisons.
pub(super) fn fold(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_meet_in_rust_are_told_apart() {
        let mut names = Names::of_functions();
        assert_eq!(names.take("getX", "f"), "getX");
        assert_eq!(names.take("get_x", "f"), "get_x_2");
        assert_eq!(names.take_with_outputs("read_1", "f"), "read_1");
        assert_eq!(names.take_with_outputs("read1", "f"), "read1_2", "both would have `Read1Outputs`");
        assert_eq!(names.take("a$b", "f"), "a_b");
    }

    #[test]
    fn a_name_is_cut_to_what_the_document_allows() {
        let mut names = Names::of_functions();
        let long = "x".repeat(80);
        assert_eq!(names.take(&long, "f").len(), 64);
        assert!(names.take(&long, "f").ends_with("x_2"));
    }

    #[test]
    fn a_name_that_gives_none_in_rust_is_replaced() {
        assert_eq!(Names::of_values().take("_", "arg1"), "arg1");
    }

    #[test]
    fn words_end_at_underscores_and_capitals() {
        assert_eq!(words("LZ4_freeStream"), ["lz4", "free", "stream"]);
        assert_eq!(words("gzclose_r"), ["gzclose", "r"]);
        assert_eq!(words("TIFFSetFileName"), ["tiff", "set", "file", "name"]);
    }
}
