//! Checks that the library exports every function of a document.

use std::collections::BTreeMap;
use std::path::Path;

use opendyn_model::diagnostic::Findings;
use opendyn_model::lower::{Declaration, Lowered};
use opendyn_model::plan::{CSignature, Convention, Types};
use opendyn_model::rule::Rule;
use opendyn_source::nearest::nearest_few;

use super::comparison::Told;
use super::frees;
use super::layout;
use super::report::{Coverage, Gap};
use crate::{Convention as Called, Export, Exports, Format, Target};

pub(super) fn compare(
    document: &Lowered,
    (path, exports): (&str, &Exports),
    findings: &Findings,
    told: &Told,
) -> Coverage {
    let exported = || document.functions.iter().filter(|function| function.is_exported);
    let mut checked = Coverage { of: exported().count(), ..Coverage::default() };
    let mut left: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for function in exported() {
        match find(exports, &function.symbol.value) {
            Some(export) if export.kind.is_function() => {
                checked.functions += 1;
                let found = decoration(function, export, document, exports.target);
                for (rule, message, help) in found {
                    // Debug info does not repeat it.
                    told.borrow_mut().insert((rule, function.name.span));
                    findings.report(rule, function.name.span, message, help);
                }
            }
            None if !function.is_required => {
                let reason = "not exported, which `x-optional` allows";
                left.entry(reason).or_default().push(function.name.value.clone());
            }
            found => {
                checked.functions += 1;
                report(function, found, exports, findings);
            }
        }
    }
    checked.unchecked =
        left.into_iter().map(|(reason, functions)| Gap { reason: reason.to_owned(), functions }).collect();
    checked.unchecked.extend(frees::compare(document, (Path::new(path), exports), findings));
    checked
}

/// The export that the loader finds by this name: a decorated symbol is only found by its full name.
fn find<'e>(exports: &'e Exports, symbol: &str) -> Option<&'e Export> {
    let whole = |export: &&Export| export.default && export.symbol.as_deref() == Some(symbol);
    match exports.format {
        Format::Elf | Format::MachO => exports.get(symbol),
        Format::Pe => exports
            .get(symbol)
            .filter(|export| export.symbol.is_none())
            .or_else(|| exports.all().iter().find(whole)),
    }
}

fn report(function: &Declaration, found: Option<&Export>, exports: &Exports, findings: &Findings) {
    let symbol = &function.symbol.value;
    let decorated = exports.get(symbol).and_then(|export| export.symbol.as_deref());
    let (message, help) = if found.is_some() {
        (
            format!("the library exports `{symbol}` as data, and the document calls it"),
            "remove the function: a document describes only functions".to_owned(),
        )
    } else if let Some(decorated) = decorated.filter(|_| exports.format == Format::Pe) {
        (
            format!("the library exports `{symbol}` only under the name `{decorated}`"),
            format!("add \"x-symbol\": \"{decorated}\" to the function"),
        )
    } else if let [only, ..] = exports.versions(symbol) {
        let version = only.version.as_deref().unwrap_or("an old one");
        (
            format!(
                "the library has `{symbol}` only in the version {version}, which new programs cannot find"
            ),
            "remove the function, or write \"x-optional\": true if other builds export it".to_owned(),
        )
    } else {
        let near = nearest_few(symbol, exports.functions().map(|export| export.name.as_str()), 3);
        let help = if near.is_empty() {
            "write its name in the library as \"x-symbol\", or \"x-optional\": true if only some builds have it"
                .to_owned()
        } else {
            format!("the library exports {}; write that as \"x-symbol\" if you mean it", near.join(", "))
        };
        (format!("the library does not export `{symbol}`"), help)
    };
    findings.report(Rule::NotExported, function.symbol.span, message, help);
}

/// Checks the decoration of 32-bit Windows: the convention, and the size of the arguments.
fn decoration(
    function: &Declaration,
    export: &Export,
    document: &Lowered,
    target: Target,
) -> Vec<(Rule, String, &'static str)> {
    let name = &function.name.value;
    let shown = export.symbol.as_deref().unwrap_or(&export.name);
    let mut found = Vec::new();
    if export.convention == Some(Called::Stdcall) && document.convention == Some(Convention::Cdecl) {
        found.push((
            Rule::ConventionMismatch,
            format!(
                "the calling convention of {name}: the document says cdecl, the name `{shown}` says stdcall"
            ),
            "write \"callingConvention\": \"stdcall\" in `info`",
        ));
    } else if export.convention == Some(Called::Other) {
        found.push((
            Rule::ConventionMismatch,
            format!("the calling convention of {name}: the name `{shown}` says fastcall"),
            "remove the function: a document can only express `cdecl` and `stdcall`",
        ));
    }
    let own = function.signature().map(|signature| argument_bytes(signature, &document.types, &target));
    if let (Some(own), Some(library)) = (own, export.argument_bytes.map(u64::from))
        && own != library
    {
        found.push((
            Rule::Arity,
            format!(
                "{name}: the parameters of the document take {own} bytes, the name `{shown}` says {library}"
            ),
            "describe all parameters, with their C types; each takes a multiple of 4 bytes",
        ));
    }
    found
}

/// The size of the arguments on the stack: each is a multiple of 4.
fn argument_bytes(signature: &CSignature, types: &Types, target: &Target) -> u64 {
    let params = signature.params.iter();
    params
        .map(|value| layout::of_value(value, types, target).size)
        .filter_map(|size| size.checked_next_multiple_of(4))
        .fold(0, u64::saturating_add)
}
