//! `enum`, with its names.

use std::collections::HashSet;

use super::identifier;
use super::schema::{JsonType, Resolved};
use crate::diagnostic::Findings;
use crate::document::Literal;
use crate::plan::{Enumeration, Values, Variant};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// The enum of `schema`, which has one. `path` names it where no schema does.
pub(super) fn lower(schema: &Resolved<'_>, path: &str, findings: &Findings) -> Option<Enumeration> {
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
        // Values are constants in Rust, in UTF-8, which is latin-1 for ASCII alone.
        let help = "write values of ASCII, or remove `enum`";
        fault(other.span, "a value of `enum` is not ASCII, beside latin-1".to_owned(), help);
        return None;
    }
    let names = schema.schema.enum_names.as_ref();
    if let Some(names) = names
        && names.value.len() != values.value.len()
    {
        let message =
            format!("`enum` has {} values, `x-enumNames` {}", values.value.len(), names.value.len());
        fault(names.span, message, "write one name for each value, in their order");
        return None;
    }
    let of = match schema.json {
        JsonType::String => strings(values, names, &fault)?,
        // `misuse` has seen to it that it is no other.
        _ => integers(schema, values, names, &fault)?,
    };
    let name = schema.name.unwrap_or(path);
    let ident = identifier::with_start(identifier::for_type(name));
    Some(Enumeration {
        constant: identifier::type_constant(name, "_ENUM"),
        ident,
        name: name.to_owned(),
        description: schema.schema.description.clone(),
        of,
        // Until a caller turns out to give or get a value of it.
        is_shown: false,
    })
}

fn integers(
    schema: &Resolved<'_>,
    values: &Spanned<Vec<Spanned<Literal>>>,
    names: Option<&Spanned<Vec<Spanned<String>>>>,
    fault: &impl Fn(Span, String, &str),
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
            let message = format!("this is not an integer that `{}` holds", schema.c_type.name());
            let highest = highest.min(i64::MAX.into());
            fault(literal.span, message, &format!("write an integer from {lowest} to {highest}"));
            return None;
        };
        if !seen.insert(value) {
            fault(literal.span, format!("{value} stands twice in `enum`"), "remove one of the two");
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
            fault(literal.span, "this is not a string".to_owned(), "the values of a string are strings");
            return None;
        };
        if text.contains('\0') || !seen.insert(text.clone()) {
            let problem = if text.contains('\0') { "holds a NUL" } else { "stands twice in `enum`" };
            fault(literal.span, format!("{text:?} {problem}"), "remove it");
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
            "is the name for values that are not listed"
        } else if !seen.insert(ident) {
            "becomes the Rust name of another value"
        } else {
            continue;
        };
        let message = format!("{:?} {problem}", name.value);
        fault(name.span, message, "give the values distinct names in `x-enumNames`");
        return None;
    }
    Some(())
}
