//! The synopsis of a manual page: its headers, its functions, and the names of their parameters.

use std::path::PathBuf;

use crate::{Function, Type, TypeId, Types};

/// Whether a synopsis includes one of the headers.
pub(super) fn includes(synopsis: &str, headers: &[PathBuf]) -> bool {
    synopsis.match_indices("#include").any(|(at, _)| {
        let rest = synopsis.get(at..).unwrap_or_default();
        let name = rest.split(['<', '>', '"']).nth(1).unwrap_or_default();
        let file = name.rsplit('/').next().unwrap_or_default();
        // `pcap.h` includes `pcap/pcap.h`, which the page names; `openssl/asn1t.h` is beside `openssl/x509.h`.
        let is_beside = |header: &PathBuf| {
            let folder = name.rsplit_once('/').map(|(folder, _)| folder);
            let beside =
                header.parent().filter(|parent| folder.is_some_and(|folder| parent.ends_with(folder)));
            beside.is_some_and(|parent| parent.join(file).is_file())
        };
        !name.is_empty()
            && headers
                .iter()
                .any(|header| header.ends_with(name) || header.ends_with(file) || is_beside(header))
    })
}

/// The functions that a synopsis declares.
pub(super) fn functions(synopsis: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for (at, _) in synopsis.match_indices('(') {
        let before = synopsis.get(..at).unwrap_or_default().trim_end();
        let start = before.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
        let name = before.get(start..).unwrap_or_default();
        // `void (*callback)(int)` is a parameter or a type.
        let is_pointer = synopsis.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with('*'));
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !is_pointer;
        if is_name && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Gives parameters without a name the names that they have in the synopsis. Each must fit its type: a page of another
/// version says nothing.
pub(super) fn names<'s>(
    function: &Function,
    synopsis: &'s str,
    types: &Types,
) -> Option<(Vec<&'s str>, &'s str)> {
    let signature = function.signature.as_ref().ok()?;
    let (prototype, list) = synopsis.match_indices(function.name.as_str()).find_map(|(at, name)| {
        let before = synopsis.get(..at)?.chars().next_back();
        let rest = synopsis.get(at + name.len()..)?;
        let list = in_parentheses(rest.trim_start())?;
        let end = at + name.len() + (rest.len() - rest.trim_start().len()) + list.len() + 2;
        before.is_none_or(|before| !is_word(before)).then_some((synopsis.get(at..end)?, list))
    })?;
    let parameters: Vec<&str> = split(list)
        .into_iter()
        .map(str::trim)
        .filter(|parameter| !matches!(*parameter, "" | "void" | "..."))
        .collect();
    if parameters.len() != signature.parameters.len() {
        return None;
    }
    let fits = parameters.iter().zip(&signature.parameters).all(|(text, of)| fits(text, of.of, types));
    fits.then(|| (parameters.into_iter().map(name_of).collect(), prototype))
}

/// What is between the parenthesis at the beginning and the one that closes it.
fn in_parentheses(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?;
    let mut depth = 1_usize;
    for (at, character) in inner.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return inner.get(..at);
        }
    }
    None
}

/// The parts between the commas that are not in parentheses.
fn split(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    list.split(move |character: char| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    })
    .collect()
}

/// The name of a parameter, empty if it has none.
fn name_of(parameter: &str) -> &str {
    if let Some((_, rest)) = parameter.split_once("(*") {
        let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        return rest.get(..end).unwrap_or_default();
    }
    let parameter = parameter.split('[').next().unwrap_or_default().trim_end();
    let start = parameter.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
    // `size_t` alone, and `struct archive *`, are types.
    let is_name = start > 0 && start < parameter.len() && parameter.get(..start).is_some_and(is_type);
    let name = parameter.get(start..).filter(|_| is_name).unwrap_or_default();
    let is_joined = parameter.get(..start).is_some_and(|of| lacks_space(of, name));
    if is_keyword(name) || is_joined { "" } else { name }
}

/// Whether a space may be missing before the name: `unsigned intflags`.
fn lacks_space(of: &str, name: &str) -> bool {
    const ADJECTIVES: [&str; 4] = ["unsigned", "signed", "long", "short"];
    const TYPES: [&str; 4] = ["int", "char", "long", "short"];
    of.split_whitespace().last().is_some_and(|last| ADJECTIVES.contains(&last))
        && TYPES.iter().any(|start| name.starts_with(start))
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "int" | "char" | "long" | "short" | "double" | "float" | "unsigned" | "signed" | "const" | "void"
    )
}

/// Whether the text before a name is a type by itself: not only `const`, `struct` or `unsigned`.
fn is_type(text: &str) -> bool {
    let words: Vec<&str> = text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
    text.contains('*')
        || words.last().is_some_and(|last| !matches!(*last, "const" | "struct" | "enum" | "union"))
            && !matches!(words.as_slice(), [.., "struct" | "enum" | "union"])
            && !matches!(
                words.as_slice(),
                ["struct" | "enum" | "union"] | ["const", "struct" | "enum" | "union"]
            )
}

/// Whether a parameter of the synopsis may have this type: a pointer where it has a star, and none where it is a
/// plain number.
fn fits(text: &str, of: TypeId, types: &Types) -> bool {
    let is_pointer = matches!(types.resolve(of), Type::Pointer { .. });
    if text.contains(['*', '[']) {
        return is_pointer;
    }
    let mut words = text.split(|c: char| !is_word(c)).filter(|word| !matches!(*word, "" | "const"));
    !(is_pointer && words.next().is_some_and(is_keyword))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_parameter_is_behind_its_type() {
        for (parameter, name) in [
            ("const char *argv[]", "argv"),
            ("void (*free)(void *, int)", "free"),
            ("size_t", ""),
            ("struct archive *", ""),
            ("unsigned int", ""),
            ("unsigned flags", "flags"),
            ("unsigned intflags", ""),
            ("int intflags", "intflags"),
            ("struct tm time", "time"),
            ("struct tm", ""),
        ] {
            assert_eq!(name_of(parameter), name, "{parameter}");
        }
    }

    #[test]
    fn functions_are_in_front_of_parentheses() {
        let text = "#include <a.h> int a_open(void (*f)(int), int n); void a_close (a *x);";
        assert_eq!(functions(text), ["a_open", "a_close"]);
        assert_eq!(split("void (*f)(int, int), int n"), ["void (*f)(int, int)", " int n"]);
    }
}
