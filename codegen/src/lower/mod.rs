//! From the document to what is generated: all judgement, all names.
//!
//! Every problem is reported, and lowering goes on with the rest; only a document without
//! errors is emitted.

mod codes;
mod function;
mod identifier;
mod passing;
mod schema;

use std::collections::{HashMap, HashSet};

use crate::diagnostic::Findings;
use crate::document::{self, Document};
use crate::ir::{Binding, Convention, DefaultLibrary, Function, Tables};
use crate::options::Options;
use crate::rule::Rule;
use crate::span::{Span, Spanned};

use schema::Schemas;

/// Lowers `document`. What comes back is whole only if `findings` has no errors.
pub(crate) fn lower(document: &Document, options: &Options, findings: &Findings) -> Option<Binding> {
    let info = document.info.as_ref();
    let title = info.and_then(|info| info.title.as_ref());
    let ident = binding_ident(title, options, findings);
    let convention =
        info.and_then(|info| info.calling_convention.as_ref()).and_then(|name| convention(name, findings));
    check_options(document, options, findings);

    let schemas = Schemas::new(&document.schemas, findings);
    let functions: Vec<Option<Function>> = document
        .functions
        .iter()
        .map(|function| function::lower(function, &schemas, options, findings))
        .collect();
    check_names(document, &functions, ident.as_deref(), findings);
    let codes = codes::lower(&document.codes, findings);
    let libraries = info.map_or(&[][..], |info| &info.libraries);
    let default_library = default_library(libraries, ident.as_deref().unwrap_or_default(), findings);
    if let Some(span) = document.no_functions {
        findings.report(
            Rule::NoFunctions,
            span,
            "the document describes no functions",
            "add an object to `functions` for each function of the library",
        );
    }

    let mut functions: Vec<Function> = functions.into_iter().collect::<Option<_>>()?;
    make_constants_unique(&mut functions);
    let info = info?;
    let ident = ident?;
    Some(Binding {
        code_ident: format!("{ident}Code"),
        ident,
        title: title?.value.clone(),
        description: info.description.clone(),
        version: info.version.clone()?,
        convention: convention?,
        thread_safe: info.thread_safe,
        default_library,
        tables: tables(&functions),
        functions,
        codes,
    })
}

/// Methods whose names differ only in case, as `rename` can have them, meet in one static.
fn make_constants_unique(functions: &mut [Function]) {
    let mut taken: HashSet<String> = HashSet::new();
    for function in functions {
        while !taken.insert(function.constant.clone()) {
            function.constant.push_str("_FN");
        }
    }
}

fn tables(functions: &[Function]) -> Tables {
    let fresh = |name: &str| {
        let mut name = name.to_owned();
        while functions.iter().any(|function| function.constant == name) {
            name.push('_');
        }
        name
    };
    Tables { functions: fresh("FUNCTIONS"), symbols: fresh("SYMBOLS"), optional: fresh("OPTIONAL") }
}

fn binding_ident(title: Option<&Spanned<String>>, options: &Options, findings: &Findings) -> Option<String> {
    if let Some(name) = &options.name {
        if identifier::is_type_name(name) {
            return Some(name.clone());
        }
        findings.report_option(
            Rule::NoIdentifier,
            format!("the option `name` is {name:?}, which cannot be the name of the struct"),
            "give a name such as `Calc`",
        );
        return None;
    }
    let title = title?;
    let ident = identifier::pascal_case(&title.value);
    if identifier::is_type_name(&ident) {
        return Some(ident);
    }
    findings.report(
        Rule::NoIdentifier,
        title.span,
        format!("the title {:?} gives no name for the struct", title.value),
        "give the option `name`, or a title that begins with a letter",
    );
    None
}

fn convention(name: &Spanned<String>, findings: &Findings) -> Option<Convention> {
    match name.value.as_str() {
        "cdecl" => Some(Convention::Cdecl),
        "stdcall" => Some(Convention::Stdcall),
        other => {
            findings.report(
                Rule::CallingConvention,
                name.span,
                format!("unknown calling convention {other:?}"),
                "write \"cdecl\" (every C library but some 32-bit Windows ones) or \"stdcall\"",
            );
            None
        }
    }
}

/// What `x-library` names. A folder in it would be one of the machine that wrote the document.
fn default_library(
    libraries: &[(Option<&str>, Spanned<String>)],
    binding: &str,
    findings: &Findings,
) -> Option<DefaultLibrary> {
    for (_, Spanned { value, span }) in libraries {
        if value.is_empty() || value.contains(['/', '\\', '\0']) || value == "." || value == ".." {
            findings.report(
                Rule::LibraryName,
                *span,
                format!("{value:?} is not the name of a file"),
                "write a name such as \"libcalc.so\"; the environment variable can give a path",
            );
        }
    }
    let name = |system: &str| {
        let fits = |(for_system, _): &&(Option<&str>, _)| for_system.is_none_or(|name| name == system);
        libraries.iter().find(fits).map(|(_, name)| name.value.clone())
    };
    (!libraries.is_empty()).then(|| DefaultLibrary {
        variable: format!("{}_LIBRARY", identifier::snake_case(binding).to_uppercase()),
        linux: name("linux"),
        macos: name("macos"),
        windows: name("windows"),
    })
}

/// Options that name a function must name one that there is.
fn check_options(document: &Document, options: &Options, findings: &Findings) {
    let named = options
        .rename
        .keys()
        .map(|name| ("rename", name))
        .chain(options.optional.iter().map(|name| ("optional", name)));
    for (option, name) in named {
        let is_name =
            |function: &document::Function| function.name.as_ref().is_some_and(|given| given.value == *name);
        if !document.functions.iter().any(is_name) {
            findings.report_option(
                Rule::UnknownFunction,
                format!("the option `{option}` names {name:?}, which is no function of the document"),
                "write the name as the document has it, or remove it from the option",
            );
        }
    }
    for (name, to) in &options.rename {
        let fault = if !identifier::is_identifier(to) {
            "is not a Rust identifier"
        } else if identifier::is_reserved_method(to) {
            "is a method that every binding has"
        } else {
            continue;
        };
        findings.report_option(
            Rule::NoIdentifier,
            format!("the option `rename` turns {name:?} into {to:?}, which {fault}"),
            "give a name such as `get_x`",
        );
    }
}

/// Names that are one in the document, or become one in Rust.
fn check_names(
    document: &Document,
    functions: &[Option<Function>],
    binding: Option<&str>,
    findings: &Findings,
) {
    let mut names: HashMap<&str, Span> = HashMap::new();
    let mut idents: HashMap<&str, &str> = HashMap::new();
    let mut types: HashMap<&str, &str> = HashMap::new();
    for (described, lowered) in document.functions.iter().zip(functions) {
        let Some(Spanned { value: name, span }) = &described.name else { continue };
        if let Some(first) = names.insert(name, *span) {
            findings.report_second(
                Rule::DuplicateName,
                [first, *span],
                format!("a second function is called `{name}`"),
                "remove one of the two, or give it another name",
            );
            continue;
        }
        let Some(function) = lowered else { continue };
        let collision = |first: &str, what: &str, ident: &str| {
            let method = identifier::unraw(&function.ident);
            findings.report(
                Rule::RustNameCollision,
                *span,
                format!("`{name}` and {first} are both the {what} `{ident}` in Rust"),
                format!("rename one: rename = {{ \"{name}\" = {method}_2 }}"),
            );
        };
        let quoted = |name: &str| format!("`{name}`");
        if let Some(first) = idents.insert(&function.ident, name) {
            collision(&quoted(first), "method", &function.ident);
            continue;
        }
        if !function.required
            && let Some(first) = idents.insert(&function.has_ident, name)
        {
            collision(&quoted(first), "method", &function.has_ident);
        }
        if function.results().len() > 1 {
            if let Some(first) = types.insert(&function.outputs_ident, name) {
                collision(&quoted(first), "struct", &function.outputs_ident);
            } else if binding == Some(&function.outputs_ident) {
                collision("the binding", "struct", &function.outputs_ident);
            }
        }
    }
}
