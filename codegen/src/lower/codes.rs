//! The codes of a document, sorted, each with a name.

use std::collections::HashMap;

use super::identifier;
use crate::diagnostic::Findings;
use crate::ir::Code;
use crate::rule::Rule;
use crate::span::Spanned;

/// A text longer than this is a sentence, and makes no good name.
const NAME_LENGTH: usize = 32;

pub(super) fn lower(codes: &[(Spanned<String>, String)], findings: &Findings) -> Vec<Code> {
    let mut values: HashMap<i64, &str> = HashMap::new();
    let mut lowered = Vec::new();
    for (key, text) in codes {
        let Ok(value) = key.value.parse::<i64>() else {
            findings.report(
                Rule::CodeKey,
                key.span,
                format!("the code {:?} is not an integer of 64 bits in decimal", key.value),
                "write the number that the functions return as the key, for example \"-1\"",
            );
            continue;
        };
        if let Some(first) = values.insert(value, &key.value) {
            // Equal keys are reported as such; here `7` meets `+7` or `07`.
            if first != key.value {
                findings.report(
                    Rule::DuplicateName,
                    key.span,
                    format!("the codes {first:?} and {:?} are the same number", key.value),
                    "remove one of the two",
                );
            }
            continue;
        }
        lowered.push(Code { ident: String::new(), value, text: text.clone() });
    }
    lowered.sort_by_key(|code| code.value);
    name(&mut lowered);
    lowered
}

/// A short text that no other code has is the name; otherwise the number is.
fn name(codes: &mut [Code]) {
    let from_text: Vec<Option<String>> = codes.iter().map(|code| constant(&code.text)).collect();
    for (index, code) in codes.iter_mut().enumerate() {
        let unique = from_text[index]
            .as_ref()
            .filter(|name| from_text.iter().flatten().filter(|other| other == name).count() == 1);
        code.ident = unique.cloned().unwrap_or_else(|| {
            let sign = if code.value < 0 { "MINUS_" } else { "" };
            format!("CODE_{sign}{}", code.value.unsigned_abs())
        });
    }
}

fn constant(text: &str) -> Option<String> {
    let plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, ' ' | '_' | '-');
    let begins = text.starts_with(|first: char| first.is_ascii_alphabetic());
    // `CODE_…` is how the numbers are named, and `ALL` is the table.
    let name = identifier::snake_case(text).to_uppercase();
    (begins
        && text.len() <= NAME_LENGTH
        && text.chars().all(plain)
        && !name.starts_with("CODE_")
        && name != "ALL")
        .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    fn idents(codes: &[(&str, &str)]) -> Vec<String> {
        let codes: Vec<_> = codes
            .iter()
            .map(|(key, text)| {
                (Spanned { value: (*key).to_owned(), span: Span::default() }, (*text).to_owned())
            })
            .collect();
        lower(&codes, &Findings::new()).into_iter().map(|code| code.ident).collect()
    }

    #[test]
    fn short_texts_are_names() {
        assert_eq!(idents(&[("0", "success"), ("-2", "Out of memory")]), ["OUT_OF_MEMORY", "SUCCESS"]);
    }

    #[test]
    fn other_texts_leave_the_number() {
        assert_eq!(
            idents(&[
                ("1", "busy"),
                ("2", "Busy"),
                ("-3", "内存不足"),
                ("4", "the file is not a database at all, sorry")
            ]),
            ["CODE_MINUS_3", "CODE_1", "CODE_2", "CODE_4"]
        );
    }
}
