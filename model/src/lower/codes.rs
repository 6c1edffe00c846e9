//! The codes of a document, sorted, each with a name.

use std::collections::HashMap;

use super::identifier;
use super::meaning::{Form, Function, ReturnRole};
use crate::diagnostic::Findings;
use crate::document;
use crate::plan::{Code, Scalar, Types, Values, View};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// A longer text is a sentence, not a name.
const NAME_LENGTH: usize = 32;

/// The codes of `code` and `x-codeNames`, sorted, without their names in Rust.
pub(super) fn lower(
    codes: &[(Spanned<String>, String)],
    names: &[(Spanned<String>, Spanned<String>)],
    findings: &Findings,
) -> Vec<Code> {
    let texts = distinct(codes.iter().map(|(key, text)| (key, text.as_str())), findings);
    let mut lowered: Vec<Code> = texts
        .into_iter()
        .map(|(value, text)| Code { ident: String::new(), value, text: text.to_owned(), name: None })
        .collect();
    let mut idents: HashMap<String, &str> = HashMap::new();
    for (value, name) in distinct(names.iter().map(|(key, name)| (key, name)), findings) {
        let Some(ident) = constant_of_name(&name.value) else {
            findings.report(
                Rule::NoIdentifier,
                name.span,
                format!("the name {:?} of code {value} cannot be turned into a Rust constant", name.value),
                "write a name of letters, digits and underscores, such as \"BUSY\"",
            );
            continue;
        };
        if let Some(first) = idents.insert(ident, &name.value) {
            findings.report(
                Rule::RustNameCollision,
                name.span,
                format!("the names {first:?} and {:?} of codes are the same constant in Rust", name.value),
                "write a different name for one of them",
            );
        }
        add(&mut lowered, value, &name.value);
    }
    sort(&mut lowered);
    lowered
}

/// `x-hints`, by code.
pub(super) fn hints(hints: &[(Spanned<String>, String)], findings: &Findings) -> Vec<(i64, String)> {
    let hints = distinct(hints.iter().map(|(key, text)| (key, text)), findings);
    hints.into_iter().map(|(code, text)| (code, text.clone())).collect()
}

/// The keys as integers. Keys that are none, or that are the same number, are reported.
fn distinct<'c, T>(
    entries: impl Iterator<Item = (&'c Spanned<String>, T)>,
    findings: &Findings,
) -> Vec<(i64, T)> {
    let mut values: HashMap<i64, &str> = HashMap::new();
    let mut distinct = Vec::new();
    for (key, of) in entries {
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
        distinct.push((value, of));
    }
    distinct
}

/// Names a code, unless it has a name. Returns the name that it has.
fn add<'c>(codes: &'c mut Vec<Code>, value: i64, name: &str) -> &'c str {
    let index = codes.iter().position(|code| code.value == value).unwrap_or_else(|| {
        codes.push(Code { ident: String::new(), value, text: String::new(), name: None });
        codes.len() - 1
    });
    codes[index].name.get_or_insert_with(|| name.to_owned())
}

/// Names the codes that functions return as an enum.
pub(super) fn add_enums(
    codes: &mut Vec<Code>,
    document: &document::Document,
    functions: &[Option<Function>],
    types: &Types,
    findings: &Findings,
) {
    for (declared, function) in document.functions.iter().zip(functions) {
        let Some(returned) = function.as_ref().and_then(|function| function.returned.as_ref()) else {
            continue;
        };
        if !matches!(returned.role, ReturnRole::Code(_)) {
            continue;
        }
        let Form::Value(Scalar { view: View::Enum(index), .. }) = returned.form else { continue };
        let Values::Integers { variants, .. } = &types.enums[index].of else { continue };
        for variant in variants.iter().filter(|variant| !variant.ident.is_empty()) {
            let known = add(codes, variant.value, &variant.name);
            if known != variant.name {
                findings.report(
                    Rule::Code,
                    declared
                        .returns
                        .as_ref()
                        .and_then(|it| it.code)
                        .map(|flag| flag.span)
                        .unwrap_or_default(),
                    format!("code {} is both {known:?} and {:?}", variant.value, variant.name),
                    "give it the same name in `x-codeNames` and in every enum of codes, or remove `x-code`",
                );
                break;
            }
        }
    }
    sort(codes);
}

fn sort(codes: &mut [Code]) {
    codes.sort_by_key(|code| code.value);
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
        && !matches!(form, Form::Value(Scalar { c_type, view: View::Plain | View::Enum(_) }) if c_type.counts())
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

/// Names each code in Rust: after its name, or else after its text if that is short and unique, otherwise after its
/// number.
pub(super) fn name(codes: &mut [Code]) {
    let constants: Vec<Option<String>> = codes
        .iter()
        .map(|code| match &code.name {
            Some(name) => constant_of_name(name),
            None => constant(&code.text),
        })
        .collect();
    let named: Vec<bool> = codes.iter().map(|code| code.name.is_some()).collect();
    for (index, code) in codes.iter_mut().enumerate() {
        let is_other = |(other, constant): (usize, &Option<String>)| {
            // A name is stronger than a text.
            other != index && *constant == constants[index] && (named[other] || !named[index])
        };
        let unique = constants[index].as_ref().filter(|_| !constants.iter().enumerate().any(is_other));
        code.ident = unique.cloned().unwrap_or_else(|| {
            let sign = if code.value < 0 { "MINUS_" } else { "" };
            format!("{NUMBERED}{sign}{}", code.value.unsigned_abs())
        });
    }
}

/// The constant for a text that is short and plain enough for a name.
fn constant(text: &str) -> Option<String> {
    let plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, ' ' | '_' | '-');
    let name = upper_case(text);
    (begins(text)
        && text.len() <= NAME_LENGTH
        && text.chars().all(plain)
        && !name.starts_with(NUMBERED)
        && !is_table(&name))
    .then_some(name)
}

/// The constant for a name of the document.
fn constant_of_name(name: &str) -> Option<String> {
    let plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let constant = upper_case(name);
    let is_numbered = constant.strip_prefix(NUMBERED).is_some_and(|rest| {
        rest.trim_start_matches("MINUS_").chars().all(|character| character.is_ascii_digit())
    });
    (begins(name) && name.chars().all(plain) && !is_numbered && !is_table(&constant)).then_some(constant)
}

/// How the constants of codes without a name begin.
const NUMBERED: &str = "CODE_";

/// Whether the type of the codes has a table of this name.
fn is_table(constant: &str) -> bool {
    matches!(constant, "ALL" | "NAMES")
}

fn begins(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// `tooLate` and `too late` as `TOO_LATE`. A constant stays unchanged.
fn upper_case(text: &str) -> String {
    let is_constant =
        |character: char| character.is_ascii_uppercase() || character.is_ascii_digit() || character == '_';
    match text.chars().all(is_constant) {
        true => text.to_owned(),
        false => identifier::snake_case(text).to_uppercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(codes: &[(&str, &str)], names: &[(&str, &str)]) -> Vec<String> {
        let codes: Vec<_> = codes
            .iter()
            .map(|(key, text)| {
                (Spanned { value: (*key).to_owned(), span: Span::default() }, (*text).to_owned())
            })
            .collect();
        let names: Vec<_> = names
            .iter()
            .map(|(key, name)| {
                let spanned = |text: &str| Spanned { value: text.to_owned(), span: Span::default() };
                (spanned(key), spanned(name))
            })
            .collect();
        let mut lowered = lower(&codes, &names, &Findings::new());
        name(&mut lowered);
        lowered.into_iter().map(|code| code.ident).collect()
    }

    fn idents(codes: &[(&str, &str)]) -> Vec<String> {
        named(codes, &[])
    }

    #[test]
    fn a_name_of_the_document_is_the_constant() {
        assert_eq!(
            named(&[("5", "busy"), ("6", "locked"), ("7", "gone")], &[("6", "BUSY"), ("9", "tooLate")]),
            ["CODE_5", "BUSY", "GONE", "TOO_LATE"]
        );
        let long = "SQLITE_CONSTRAINT_FOREIGN_KEY_OF_A_TABLE2D";
        assert_eq!(named(&[], &[("787", long), ("0", "CODE_OK")]), ["CODE_OK", long]);
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
