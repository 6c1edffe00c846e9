//! Comments within a declaration that name its parameters: `int archive_open(struct archive *, int /* fd */)`.

use crate::{AttributeSource, Function};

/// Names the parameters without a name whose comment is one word that can be a name. `is_type` says whether a word is
/// the name of a type.
pub(in super::super) fn name_parameters(function: &mut Function, is_type: impl Fn(&str) -> bool) {
    let (Ok(signature), Some(place)) = (&mut function.signature, function.place.clone()) else { return };
    let mut names = Vec::new();
    for parameter in &mut signature.parameters {
        let is_name = |text: &String| is_name(text) && !is_type(text);
        let name = match &parameter.name {
            Some(_) => None,
            // The name says nothing about the parameter.
            None => parameter.comment.take_if(|text| is_name(text)),
        };
        names.push(name.unwrap_or_default());
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    function.name_parameters(&names, AttributeSource::Documentation, &place, |name| format!("/* {name} */"));
}

/// Whether a comment may be a name: one identifier, no remark on the direction or the use of a parameter.
fn is_name(text: &str) -> bool {
    const REMARKS: [&str; 16] = [
        "in",
        "out",
        "inout",
        "input",
        "output",
        "optional",
        "required",
        "unused",
        "ignored",
        "reserved",
        "nullable",
        "nonnull",
        "null",
        "none",
        "const",
        "deprecated",
    ];
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && !REMARKS.contains(&text)
        && !matches!(
            text,
            "int" | "char" | "long" | "short" | "double" | "float" | "unsigned" | "void" | "bool"
        )
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn one_word_that_is_no_remark_is_a_name() {
        for name in ["fd", "private_data", "_client"] {
            assert!(is_name(name), "{name}");
        }
        for other in ["out", "NULL", "unused", "the size", "colorspace = 3", "int", "optional"] {
            assert!(!is_name(other), "{other}");
        }
    }
}
