//! What shelves show of a document: what it is for, and its version.

use opendyn_codegen::description::Description;

use crate::failure::{Failure, Outcome};

/// What the library is for, in one line; the title if the document does not say it.
pub(super) fn about(description: &Description) -> String {
    let said = description.description.as_deref().unwrap_or_default();
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    if said.is_empty() { format!("The functions of {}.", description.title) } else { said }
}

/// A semantic version: `1.2` is `1.2.0`, and `1.2.13` stays.
pub(super) fn semantic(description: &Description) -> Outcome<String> {
    let version = description.version.trim();
    three(version).ok_or_else(|| {
        Failure::fault(format!(
            "the version `{version}` of the document is not one of numbers, such as 1.2.13"
        ))
        .help("write it as \"version\" in `info`")
    })
}

fn three(version: &str) -> Option<String> {
    let (numbers, rest) = match version.find(['-', '+']) {
        Some(at) => version.split_at(at),
        None => (version, ""),
    };
    let mut parts: Vec<&str> = numbers.split('.').collect();
    // A leading zero is not allowed, and a fourth number neither.
    let is_number = |part: &&str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && (*part == "0" || !part.starts_with('0'))
    };
    let rest_fits = rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-+.".contains(&byte));
    if parts.len() > 3 || !parts.iter().all(is_number) || !rest_fits || rest.len() == 1 {
        return None;
    }
    parts.resize(3, "0");
    Some(format!("{}{rest}", parts.join(".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_has_three_numbers() {
        for (version, expected) in [
            ("1.2.13", Some("1.2.13")),
            ("0", Some("0.0.0")),
            ("1.2", Some("1.2.0")),
            ("1.0.0-rc.1", Some("1.0.0-rc.1")),
            ("1.2.3.4", None),
            ("01.2.3", None),
            ("latest", None),
            ("1.x", None),
            ("1.2.3-", None),
            ("", None),
        ] {
            assert_eq!(three(version).as_deref(), expected, "{version}");
        }
    }
}
