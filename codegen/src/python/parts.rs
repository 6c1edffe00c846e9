//! The parts that code is made of: those of `values.py` and `memory.py` that it names, and what they name in turn.

use std::collections::BTreeSet;

/// What reads and shows values, and what moves them to C and back.
const PARTS: [&str; 2] = [include_str!("values.py"), include_str!("memory.py")];

/// The modules that parts use.
const MODULES: [&str; 6] = ["base64", "ctypes", "math", "os", "platform", "sys"];
/// What parts raise.
const RAISED: [&str; 3] = ["_Refused", "_Failed", "_Code"];

/// The parts that `code` needs, in the order of the files.
pub(super) fn used(code: &str) -> String {
    let parts: Vec<(&str, &str)> = parts().collect();
    let mut wanted = BTreeSet::new();
    let mut unread = vec![code];
    while let Some(text) = unread.pop() {
        for (index, (name, part)) in parts.iter().enumerate() {
            if names(text, name) && wanted.insert(index) {
                unread.push(part);
            }
        }
    }
    wanted.into_iter().map(|index| parts[index].1).collect::<Vec<_>>().join("\n\n\n") + "\n"
}

/// The modules that `code` names.
pub(super) fn imports(code: &str) -> Vec<&'static str> {
    let uses = |module: &str| {
        let named = format!("{module}.");
        // Not `sys.platform.`, nor the end of a name.
        let is_other = |before: char| before.is_alphanumeric() || matches!(before, '_' | '.');
        code.match_indices(&named).any(|(at, _)| !code[..at].chars().next_back().is_some_and(is_other))
    };
    MODULES.into_iter().filter(|module| uses(module)).collect()
}

/// The exceptions that `code` defines.
pub(super) fn raised(code: &str) -> Vec<&'static str> {
    RAISED.into_iter().filter(|name| code.contains(&format!("class {name}("))).collect()
}

/// Every class, function and constant of the files: its name and its text.
fn parts() -> impl Iterator<Item = (&'static str, &'static str)> {
    PARTS.iter().flat_map(|file| file.split("\n\n\n")).map(str::trim).filter_map(|part| {
        let head = part.trim_start_matches("class ").trim_start_matches("def ");
        let end = head.find(|character: char| !character.is_ascii_alphanumeric() && character != '_')?;
        Some((&head[..end], part))
    })
}

/// Whether a text has a name, as a whole word.
fn names(text: &str, name: &str) -> bool {
    let is_part = |character: Option<char>| character.is_some_and(|it| it.is_alphanumeric() || it == '_');
    text.match_indices(name).any(|(at, _)| {
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + name.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_a_name_of_its_own() {
        let names: Vec<&str> = parts().map(|(name, _)| name).collect();
        assert!(names.iter().all(|name| name.starts_with('_')), "{names:?}");
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        assert!(names.len() > 30, "{names:?}");
    }

    #[test]
    fn a_part_brings_what_it_names_and_nothing_else() {
        let used = used("_Choice('int', ctypes.c_int, [1])");
        for name in ["class _Choice", "class _Integer", "class _Refused"] {
            assert!(used.contains(name), "{name}");
        }
        assert!(!used.contains("class _Record") && !used.contains("_Buffer"), "{used}");
        assert!(!names("_Integers(_xInteger)", "_Integer"));
    }
}
