//! The names that a crate can have.

use opendyn_model::rust_name;

use crate::failure::{Failure, Outcome};

/// Names that Cargo or Rust uses itself, and the crate that every such crate depends on.
const TAKEN: [&str; 10] =
    ["alloc", "build", "core", "deps", "examples", "incremental", "opendyn", "proc_macro", "std", "test"];

/// Refuses a name that a crate cannot have.
pub(crate) fn legal(name: &str) -> Outcome<()> {
    let refused = |why: &str| {
        Err(Failure::new(format!("a crate cannot be called `{name}`: {why}"))
            .help("the last part of NAME is the name of the crate, such as zlib-tools"))
    };
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || !name.chars().all(is_letter) {
        return refused("a name has letters, digits, - and _, and begins with a letter");
    }
    let ident = name.to_ascii_lowercase().replace('-', "_");
    if TAKEN.contains(&ident.as_str()) {
        return refused("the name is taken");
    }
    // The rules for values make keywords raw, or append an underscore.
    let value = rust_name::of_value(&ident);
    if value.is_none_or(|value| value.starts_with("r#") || value == format!("{ident}_")) {
        return refused("it is a keyword of Rust");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_has_a_name_that_cargo_and_rust_accept() {
        for name in ["zlib", "zlib-tools", "Zlib_2", "x"] {
            assert!(legal(name).is_ok(), "{name}");
        }
        for name in ["", "-a", "2d", "a b", "a.b", "é", "fn", "self", "Match", "test", "std", "opendyn"] {
            assert!(legal(name).is_err(), "{name}");
        }
    }
}
