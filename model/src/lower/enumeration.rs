//! `enum`, with its names.

use std::collections::HashSet;

use super::identifier;
use super::limits;
use super::schema::{JsonType, Resolved};
use super::types::Registry;
use crate::diagnostic::Findings;
use crate::document::Literal;
use crate::plan::{Enumeration, Values, Variant};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// The enum of `schema`, which has one. If the schema has no name, the enum is named after `path`.
pub(super) fn lower(schema: &Resolved<'_>, path: &str, registry: &Registry<'_>) -> Option<Enumeration> {
    let findings = registry.findings;
    let values = schema.schema.enumeration.as_ref()?;
    let fault = |span: Span, message: String, help: &str| {
        findings.report(Rule::Enumeration, span, message, help);
    };
    if values.value.is_empty() {
        fault(values.span, "`enum` lists no values".to_owned(), "list the values, or remove it");
        return None;
    }
    let encoding = schema.schema.encoding.as_ref().map(|encoding| encoding.value.as_str());
    let is_other = |of: &&Spanned<Literal>| matches!(&of.value, Literal::String(text) if !text.is_ascii());
    if let (Some("latin-1"), Some(other)) = (encoding, values.value.iter().find(is_other)) {
        // Values are constants in Rust, in UTF-8, which equals latin-1 only for ASCII.
        let help = "write ASCII values, or remove `enum`";
        fault(other.span, "with latin-1, the values of `enum` must be ASCII".to_owned(), help);
        return None;
    }
    let names = schema.schema.enum_names.as_ref();
    if let Some(names) = names
        && names.value.len() != values.value.len()
    {
        let message =
            format!("`enum` has length {}, but `x-enumNames` {}", values.value.len(), names.value.len());
        fault(names.span, message, "write one name per value, in the same order");
        return None;
    }
    let of = match schema.json {
        JsonType::String => strings(values, names, &fault)?,
        // `misuse` has rejected all other types but integers.
        _ => integers(schema, values, names, &fault, findings)?,
    };
    let name = schema.name.unwrap_or(path);
    let ident = identifier::with_start(identifier::for_type(registry.prefix.strip_type(name)));
    Some(Enumeration {
        constant: identifier::type_constant(name, "_ENUM"),
        ident,
        name: name.to_owned(),
        description: schema.schema.description.clone(),
        of,
        // Set later, if a caller passes or gets a value of it.
        is_shown: false,
    })
}

fn integers(
    schema: &Resolved<'_>,
    values: &Spanned<Vec<Spanned<Literal>>>,
    names: Option<&Spanned<Vec<Spanned<String>>>>,
    fault: &impl Fn(Span, String, &str),
    findings: &Findings,
) -> Option<Values> {
    let (lowest, highest) = schema.c_type.widest();
    let mut seen = HashSet::new();
    let mut variants = Vec::new();
    for (index, literal) in values.value.iter().enumerate() {
        let value = match literal.value {
            Literal::Integer(value) if (lowest..=highest).contains(&value) => i64::try_from(value).ok(),
            _ => None,
        };
        let Some(value) = value else {
            let message = format!("this is not a supported value of `{}`", schema.c_type.name());
            let highest = highest.min(i64::MAX.into());
            fault(literal.span, message, &format!("write an integer from {lowest} to {highest}"));
            return None;
        };
        if !limits::allows(schema, value.into(), literal.span, "`enum`", findings) {
            return None;
        }
        if !seen.insert(value) {
            fault(literal.span, format!("{value} occurs twice in `enum`"), "remove one of them");
            return None;
        }
        let name = names.map(|names| &names.value[index]);
        variants.push(Variant {
            ident: name.map_or_else(String::new, |name| variant_ident(&name.value)),
            name: name.map_or_else(String::new, |name| name.value.clone()),
            value,
        });
    }
    if let Some(names) = names {
        check_idents(variants.iter().map(|variant| variant.ident.as_str()), &names.value, fault)?;
    }
    Some(Values::Integers { c_type: schema.c_type, variants })
}

fn strings(
    values: &Spanned<Vec<Spanned<Literal>>>,
    names: Option<&Spanned<Vec<Spanned<String>>>>,
    fault: &impl Fn(Span, String, &str),
) -> Option<Values> {
    let mut seen = HashSet::new();
    let mut texts = Vec::new();
    for literal in &values.value {
        let Literal::String(text) = &literal.value else {
            fault(literal.span, "this is not a string".to_owned(), "write a string: `type` is \"string\"");
            return None;
        };
        if text.contains('\0') {
            fault(literal.span, format!("{text:?} contains a NUL"), "remove the NUL");
            return None;
        }
        if !seen.insert(text.clone()) {
            fault(literal.span, format!("{text:?} occurs twice in `enum`"), "remove one of them");
            return None;
        }
        texts.push(Spanned { value: text.clone(), span: literal.span });
    }
    let names = names.map_or(&texts, |names| &names.value);
    let variants: Vec<Variant<String>> = texts
        .iter()
        .zip(names)
        .map(|(text, name)| Variant {
            ident: variant_ident(&name.value),
            name: name.value.clone(),
            value: text.value.clone(),
        })
        .collect();
    check_idents(variants.iter().map(|variant| variant.ident.as_str()), names, fault)?;
    Some(Values::Strings(variants))
}

/// `out_of_memory`, `OUT_OF_MEMORY` and `out of memory` as `OutOfMemory`.
pub(super) fn variant_ident(name: &str) -> String {
    let lower = name.chars().any(char::is_lowercase);
    let name = if lower { name.to_owned() } else { name.to_lowercase() };
    identifier::with_start(identifier::pascal_case(&name))
}

fn check_idents<'v>(
    idents: impl Iterator<Item = &'v str>,
    names: &[Spanned<String>],
    fault: &impl Fn(Span, String, &str),
) -> Option<()> {
    let mut seen: HashSet<&str> = HashSet::new();
    for (ident, name) in idents.zip(names) {
        let problem = if !identifier::is_identifier(ident) {
            "cannot be turned into a Rust name"
        } else if ident == "Unknown" {
            "is reserved for values that are not listed"
        } else if !seen.insert(ident) {
            "becomes the same Rust name as another value"
        } else {
            continue;
        };
        let message = format!("{:?} {problem}", name.value);
        fault(name.span, message, "give the values distinct names in `x-enumNames`");
        return None;
    }
    Some(())
}
