//! Documents as the interpreter reads them. Findings are shown here.

use opendyn_interpreter::{self as interpreter, Diagnostics, Options};

use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::findings;

/// The name of a binding if its own name is taken.
const NAME: &str = "DescribedLibrary";

/// Reads a document.
pub(crate) fn document(document: &Document) -> Outcome<interpreter::Document> {
    shown(either(|options| interpreter::Document::read(&document.name, &document.source, options)))
}

/// Reads what calls of `function` need.
pub(super) fn document_for(document: &Document, function: &str) -> Outcome<interpreter::Document> {
    shown(either(|options| {
        interpreter::Document::read_for(&document.name, &document.source, options, function)
    }))
}

fn shown<T>(read: Result<T, Diagnostics>) -> Outcome<T> {
    read.map_err(|found| {
        findings::show(&found);
        Failure::shown()
    })
}

/// With the usual options, or else with a name for the binding that no type of a document is likely to have:
/// a clash with a handle type only matters to Rust code.
fn either<T>(read: impl Fn(&Options) -> Result<T, Diagnostics>) -> Result<T, Diagnostics> {
    read(&Options::default()).or_else(|_| {
        let mut options = Options::default();
        options.name = Some(NAME.to_owned());
        read(&options)
    })
}

/// The prefix of a document's functions: its title, in characters that are legal in function names.
pub(super) fn prefix(title: &str) -> String {
    let letter = |character: char| if character.is_ascii_alphanumeric() { character } else { '_' };
    title.chars().map(|character| letter(character.to_ascii_lowercase())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_legal_in_a_function_name() {
        assert_eq!(prefix("Other Sums"), "other_sums");
        assert_eq!(prefix("z-lib 1.3é"), "z_lib_1_3_");
    }
}
