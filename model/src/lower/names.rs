//! The Rust names of a binding: methods, types and statics.

use super::meaning::Function;
use std::collections::{HashMap, HashSet};

use super::identifier;
use super::receiver::Of;
use crate::diagnostic::Findings;
use crate::document::Document;
use crate::plan::{FreeBy, Receiver, Tables, Types};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// Reports functions with the same name, in the document or in Rust.
pub(super) fn check_functions(
    document: &Document,
    functions: &[Option<Function>],
    binding: Option<&str>,
    findings: &Findings,
) {
    let mut names: HashMap<&str, Span> = HashMap::new();
    let mut idents: HashMap<(Option<Of>, &str), &str> = HashMap::new();
    let mut types: HashMap<&str, &str> = HashMap::new();
    for (described, lowered) in document.functions.iter().zip(functions) {
        let Some(Spanned { value: name, span }) = &described.name else { continue };
        if let Some(first) = names.insert(name, *span) {
            findings.report_second(
                Rule::DuplicateName,
                [first, *span],
                format!("two functions are named `{name}`"),
                "remove or rename one of them",
            );
            continue;
        }
        let Some(function) = lowered else { continue };
        let collision = |first: &str, what: &str, ident: &str| {
            let method = identifier::unraw(&function.names.method);
            findings.report(
                Rule::RustNameCollision,
                *span,
                format!("`{name}` and {first} become the same {what} `{ident}` in Rust"),
                format!("rename one with the option: rename = {{ \"{name}\" = {method}_2 }}"),
            );
        };
        let quoted = |name: &str| format!("`{name}`");
        let of = Of::receiver(function.receiver);
        if let Some(first) = idents.insert((of, &function.names.method), name) {
            collision(&quoted(first), "method", &function.names.method);
            continue;
        }
        if !function.is_required()
            && let Some(first) = idents.insert((None, &function.names.has), name)
        {
            collision(&quoted(first), "method", &function.names.has);
        }
        if function.results() > 1 {
            if let Some(first) = types.insert(&function.names.outputs, name) {
                collision(&quoted(first), "struct", &function.names.outputs);
            } else if binding == Some(&function.names.outputs) {
                collision("the binding", "struct", &function.names.outputs);
            }
        }
    }
}

/// Reports types with the same Rust name as another type, the binding or a struct of results.
pub(super) fn check_types(
    types: &[(String, String, Span)],
    functions: &[Option<Function>],
    binding: Option<&str>,
    findings: &Findings,
) {
    let mut taken: HashMap<String, String> = HashMap::new();
    if let Some(binding) = binding {
        taken.insert(binding.to_owned(), "the binding".to_owned());
        taken.insert(format!("{binding}Code"), "the type of the codes".to_owned());
    }
    for function in functions.iter().flatten().filter(|function| function.results() > 1) {
        taken.insert(function.names.outputs.clone(), format!("the results of `{}`", function.name));
    }
    for (ident, name, span) in types {
        if let Some(first) = taken.insert(ident.clone(), format!("`{name}`")) {
            findings.report(
                Rule::RustNameCollision,
                *span,
                format!("`{name}` and {first} become the same type `{ident}` in Rust"),
                "rename one of them; the option `name` renames the binding",
            );
        }
    }
}

/// Makes the names of statics unique. With `rename`, the names of methods can differ only in case.
pub(super) fn make_constants_unique(functions: &mut [Option<Function>], types: &mut Types) {
    let mut taken: HashSet<String> = HashSet::new();
    for function in functions.iter_mut().flatten() {
        while !taken.insert(function.names.table.clone()) {
            function.names.table.push_str("_FN");
        }
    }
    let mut symbols: HashSet<String> = HashSet::new();
    for function in functions.iter_mut().flatten() {
        while !symbols.insert(function.names.symbol.clone()) {
            function.names.symbol.push('_');
        }
    }
    for symbol in &mut types.symbols {
        while !symbols.insert(symbol.variant.clone()) {
            symbol.variant.push('_');
        }
    }
    for free in &mut types.frees {
        let of = match &free.by {
            FreeBy::Function { function, .. } => {
                let named = functions[*function].as_ref().map(|function| function.names.method.as_str());
                identifier::constant_case(named.unwrap_or_default())
            }
            FreeBy::Symbol(symbol) | FreeBy::Variable(symbol) => {
                identifier::constant_case(&types.symbols[*symbol].name.value)
            }
        };
        free.constant = format!("FREE_BY_{of}");
    }
    for allocator in &mut types.allocators {
        let of = identifier::constant_case(&types.symbols[allocator.symbol].name.value);
        allocator.constant = format!("ALLOCATE_BY_{of}");
    }
    let frees = types.frees.iter_mut().map(|free| &mut free.constant);
    let allocators = types.allocators.iter_mut().map(|allocator| &mut allocator.constant);
    let records = types.records.iter_mut().map(|record| &mut record.constant);
    let enums = types.enums.iter_mut().map(|of| &mut of.constant);
    let handles = types.handles.iter_mut().map(|handle| &mut handle.constant);
    for constant in frees.chain(allocators).chain(records).chain(enums).chain(handles) {
        while !taken.insert(constant.clone()) {
            constant.push('_');
        }
    }
}

/// The function that loads the library at a path.
pub(super) fn open(functions: &[Option<Function>]) -> &'static str {
    let is_taken =
        |function: &Function| function.receiver == Receiver::Binding && function.names.method == "open";
    if functions.iter().flatten().any(is_taken) { "open_library" } else { "open" }
}

/// The module of a binding. Its name is unlikely to be taken in a crate.
pub(super) fn module(binding: &str) -> String {
    format!("opendyn_{}", identifier::snake_case(binding))
}

pub(super) fn tables(functions: &[Option<Function>], types: &Types, binding: &str) -> Tables {
    let taken: HashSet<&str> = functions
        .iter()
        .flatten()
        .map(|function| &function.names.table)
        .chain(types.records.iter().map(|record| &record.constant))
        .chain(types.enums.iter().map(|of| &of.constant))
        .chain(types.handles.iter().map(|handle| &handle.constant))
        .map(String::as_str)
        .collect();
    let fresh = |name: &str| {
        let mut name = name.to_owned();
        while taken.contains(name.as_str()) {
            name.push('_');
        }
        name
    };
    Tables {
        functions: fresh("FUNCTIONS"),
        symbols: fresh("SYMBOLS"),
        optional: fresh("OPTIONAL"),
        codes: fresh("CODES"),
        checked: fresh("CHECKED"),
        positions: positions(functions, types, binding),
    }
}

/// The name of the enum of positions in the table of symbols. No other type has it.
fn positions(functions: &[Option<Function>], types: &Types, binding: &str) -> String {
    let mut name = "Symbol".to_owned();
    let is_taken = |name: &str| {
        binding == name
            || functions.iter().flatten().any(|function| function.names.outputs == name)
            || types.records.iter().any(|record| record.ident == name)
            || types.enums.iter().any(|of| of.ident == name)
            || types.handles.iter().any(|handle| handle.ident == name)
    };
    while is_taken(&name) {
        name.push('_');
    }
    name
}
