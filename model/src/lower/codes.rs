//! The codes of a document, sorted, each with a name.

use super::meaning::{Form, ReturnRole};
use std::collections::HashMap;

use super::identifier;
use crate::diagnostic::Findings;
use crate::document;
use crate::plan::{Code, Scalar, View};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// A longer text is a sentence, not a name.
const NAME_LENGTH: usize = 32;

pub(super) fn lower(codes: &[(Spanned<String>, String)], findings: &Findings) -> Vec<Code> {
    let mut values: HashMap<i64, &str> = HashMap::new();
    let mut lowered = Vec::new();
    for (key, text) in codes {
        let Ok(value) = key.value.parse::<i64>() else {
            findings.report(
                Rule::CodeKey,
                key.span,
                format!("the code {:?} is not a decimal 64-bit integer", key.value),
                "write the number that the functions return as the key, for example \"-1\"",
            );
            continue;
        };
        if let Some(first) = values.insert(value, &key.value) {
            // Equal keys are reported as duplicates; this is `7` beside `+7` or `07`.
            if first != key.value {
                findings.report(
                    Rule::DuplicateName,
                    key.span,
                    format!("the codes {first:?} and {:?} are the same number", key.value),
                    "remove one of them",
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

/// `x-success`: the codes for success. `None` if one is invalid.
pub(super) fn success(codes: &[Spanned<String>], findings: &Findings) -> Option<Vec<i64>> {
    let mut values: Vec<i64> = Vec::new();
    for code in codes {
        match code.value.parse::<i64>() {
            Ok(value) if !values.contains(&value) => values.push(value),
            Ok(_) => {}
            Err(_) => {
                findings.report(
                    Rule::Code,
                    code.span,
                    format!("the code {:?} is not a decimal 64-bit integer", code.value),
                    "write the number as in `code`, for example \"0\"",
                );
                return None;
            }
        }
    }
    Some(values)
}

/// Whether a return value is a code, and which codes mean success.
pub(super) fn role(
    returned: &document::Return,
    form: Option<&Form>,
    document_success: &[i64],
    findings: &Findings,
) -> Option<ReturnRole> {
    let is_code = returned.code.as_ref().is_some_and(|flag| flag.value);
    let own = returned.success.as_ref();
    if let (Some(codes), false) = (own, is_code) {
        findings.report(
            Rule::Code,
            codes.span,
            "`x-success` has no effect without `x-code`",
            "add \"x-code\": true to the return value",
        );
        return None;
    }
    if !is_code {
        return Some(ReturnRole::Result);
    }
    if let Some(form) = form
        && !matches!(form, Form::Value(Scalar { c_type, view: View::Plain }) if c_type.counts())
    {
        findings.report(
            Rule::Code,
            returned.code.as_ref().map_or_else(Span::default, |flag| flag.span),
            "only an integer by value can be a code",
            "remove `x-code`, or describe the return value as an \"integer\"",
        );
        return None;
    }
    let successes = match own {
        Some(codes) => success(&codes.value, findings)?,
        None => document_success.to_vec(),
    };
    if successes.is_empty() {
        findings.report(
            Rule::Code,
            own.map(|codes| codes.span).or(returned.code.as_ref().map(|flag| flag.span)).unwrap_or_default(),
            "no code means success, so every call would fail",
            "list the codes for success in `x-success`",
        );
        return None;
    }
    Some(ReturnRole::Code(successes))
}

/// A code is named after its text if that is short and unique, otherwise after its number.
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
    // `CODE_…` is for names from numbers, and `ALL` is the table.
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
