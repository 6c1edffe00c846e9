//! From the document to the plan: all validation and all names.
//!
//! Every problem is reported, and lowering continues with the rest. Only a document without errors becomes a
//! binding; the functions that have none are compared with a library all the same.

mod callback;
mod cancel;
mod codes;
mod collect;
mod complex;
mod deep;
mod default;
mod distinct;
mod enumeration;
mod events;
mod failure;
mod frees;
mod function;
mod handles;
mod identifier;
mod init;
mod items;
mod json;
mod lends;
mod lengths;
mod limits;
mod links;
mod lowered;
mod meaning;
mod member;
mod misuse;
mod names;
mod passing;
mod planned;
mod prefix;
mod progress;
mod receiver;
mod record;
mod retain;
mod rooms;
pub mod rust_name;
mod scalar;
mod schema;
mod signature;
mod site;
mod state;
mod taken_memory;
mod takes;
mod threads;
mod types;
mod union;
mod value;

use std::collections::HashMap;

use crate::diagnostic::Findings;
use crate::document::{self, Document, ThreadSafe};
use crate::options::Options;
use crate::plan::{Binding, CSignature, Convention, DefaultLibrary, Types};
use crate::rule::Rule;
use crate::span::Spanned;

pub(crate) use events::EVENT;
use function::Context;
use meaning::Function;
use planned::Common;
use prefix::Prefix;
use schema::Schemas;
use site::Names;
use types::Registry;

pub use lowered::{Declaration, Lowered};

/// Lowers `document`, and reports what is wrong with it.
pub fn lower(document: &Document, options: &Options, findings: &Findings) -> Lowered {
    let info = document.info.as_ref();
    let title = info.and_then(|info| info.title.as_ref());
    let ident = binding_ident(title, options, findings);
    let convention =
        info.and_then(|info| info.calling_convention.as_ref()).and_then(|name| convention(name, findings));
    check_options(document, options, findings);

    let schemas = Schemas::new(&document.schemas, findings);
    let of_document = info.and_then(|info| info.prefix.as_ref()).map(|prefix| prefix.value.as_str());
    let prefix = Prefix::new(options.strip_prefix.as_deref(), of_document);
    let registry = Registry::new(&schemas, prefix, findings);
    name_structs(document, &registry);
    let mut codes = codes::lower(&document.codes, &document.code_names, findings);
    let hints = codes::hints(&document.hints, findings);
    let success = match &document.success {
        Some(success) => codes::success(success, findings),
        None => Some(vec![0]),
    };
    let known = known(document);
    let context = Context {
        options,
        registry: &registry,
        names: &known,
        success: success.as_deref().unwrap_or_default(),
        stdcall: convention == Some(Convention::Stdcall),
        shared: info.is_some_and(|info| info.thread_safe != ThreadSafe::No),
    };
    let mut links = Vec::new();
    let mut functions: Vec<Option<Function>> =
        document.functions.iter().map(|function| function::lower(function, &context, &mut links)).collect();
    links::check(&links, &functions, findings);
    handles::set_ending(&mut functions);
    // If the document names an unknown one, that is reported, and there is no binding.
    let assumed = convention.unwrap_or(Convention::Cdecl);
    let signatures: Vec<Option<CSignature>> = document
        .functions
        .iter()
        .zip(&functions)
        .map(|(function, lowered)| signature::of_function(function, assumed, lowered.is_none(), &registry))
        .collect();
    let retains = registry.retains();
    let (mut types, type_names) = registry.finish();
    // A document that was read for one function may lack those that give the handle.
    let whole = document.others.is_empty() && functions.iter().all(Option::is_some);
    retain::assign(&retains, &mut functions, &known, &mut types, (whole, findings));
    events::check(&functions, findings);
    rooms::check(document, &functions, &types, findings);
    threads::check(document, &functions, &types, findings);
    let named = info.and_then(|info| info.init.as_ref());
    let init = named.and_then(|named| init::assign(named, &mut functions, &known, findings));
    failure::assign(document, &mut functions, &types, &known, findings);
    if let Some((init, named)) = init.as_ref().zip(named) {
        init::check_callers(init, named, &links, (&functions, &types), findings);
    }
    takes::assign(&mut functions, &types, findings);
    cancel::assign(document, &mut functions, &known, &types, findings);
    receiver::assign(document, &mut functions, &types, prefix, findings);
    handles::set_refusals(&functions, &mut types);
    frees::set_same(document, &mut functions, &types, findings);
    codes::add_enums(&mut codes, document, &functions, &types, findings);
    codes::name(&mut codes);
    names::check_functions(document, &functions, ident.as_deref(), findings);
    names::check_types(&type_names, &functions, ident.as_deref(), findings);
    let libraries = info.map_or(&[][..], |info| &info.libraries);
    let default_library = default_library(libraries, ident.as_deref().unwrap_or_default(), findings);
    if let Some(span) = document.no_functions {
        findings.report(
            Rule::NoFunctions,
            span,
            "the document describes no functions",
            "add one object per function to `functions`",
        );
    }

    names::make_constants_unique(&mut functions, &mut types);
    let is_whole = functions.iter().all(Option::is_some);
    let rest = info.zip(ident).filter(|_| is_whole).and_then(|(info, ident)| {
        Some(Box::new(Binding {
            open: names::open(&functions),
            code_ident: format!("{ident}Code"),
            module: names::module(&ident),
            tables: names::tables(&functions, &types, &ident),
            ident,
            title: title?.value.clone(),
            description: info.description.clone(),
            version: info.version.clone()?,
            instructions: info.instructions.clone(),
            hints,
            convention: convention?,
            thread_safe: info.thread_safe != ThreadSafe::No,
            shares_handles: info.thread_safe == ThreadSafe::Handles,
            default_library,
            codes,
            functions: Vec::new(),
            types: Types::default(),
            uses_handles: false,
            init,
            checked: None,
        }))
    });
    let lowered = functions.into_iter().zip(signatures).collect();
    let functions = declarations(document, options, lowered, &types);
    planned::show_enums(functions.iter().filter_map(|function| function.plan.as_ref().ok()), &mut types);
    Lowered { functions, types, convention, rest }
}

/// The functions that have a name, with the plans of those without errors.
fn declarations(
    document: &Document,
    options: &Options,
    lowered: Vec<(Option<Function>, Option<CSignature>)>,
    types: &Types,
) -> Vec<Declaration> {
    let mut functions = lowered.iter().filter_map(|(function, _)| function.as_ref());
    let keeps_closures = functions.any(Function::keeps_closure);
    let events = events::all(&lowered);
    let common = Common { types, strings: options.strings, keeps_closures, events };
    let declared = document.functions.iter().zip(lowered);
    declared
        .filter_map(|(function, (lowered, signature))| {
            let name = function.name.clone()?;
            Some(Declaration {
                symbol: function.symbol.clone().unwrap_or_else(|| name.clone()),
                is_exported: function.member.is_none(),
                is_required: function::is_required(function, options),
                plan: match (lowered, signature) {
                    (Some(lowered), Some(signature)) => Ok(planned::function(lowered, &signature, &common)),
                    (_, signature) => Err(signature),
                },
                name,
            })
        })
        .collect()
}

/// Registers the structs that the document names, including those that no function uses.
fn name_structs(document: &Document, registry: &Registry<'_>) {
    for (name, schema) in &document.schemas {
        let Some(schema) = schema else { continue };
        if let Some(resolved) = registry.schemas.peek(schema)
            && let Some(properties) = &resolved.schema.properties
            && !properties.is_empty()
        {
            let resolved = schema::Resolved { name: resolved.name.or(Some(&name.value)), ..resolved };
            if resolved.declared.handle.is_some() {
                registry.handle(&resolved);
            } else {
                if resolved.keys.union.is_some() {
                    registry.union(&resolved, &name.value);
                } else {
                    registry.record(&resolved, &name.value);
                }
            }
        }
    }
}

/// The functions by name, and those that free something.
fn known(document: &Document) -> Names<'_> {
    let mut functions: HashMap<&str, usize> = HashMap::new();
    for (index, function) in document.functions.iter().enumerate() {
        if let Some(name) = &function.name {
            functions.entry(&name.value).or_insert(index);
        }
    }
    Names { functions, all: &document.functions, frees: &document.frees }
}

fn binding_ident(title: Option<&Spanned<String>>, options: &Options, findings: &Findings) -> Option<String> {
    if let Some(name) = &options.name {
        if identifier::is_type_name(name) {
            return Some(name.clone());
        }
        findings.report_option(
            Rule::NoIdentifier,
            format!("the option `name` is {name:?}, which cannot be the name of the struct"),
            "use a name such as `Calc`",
        );
        return None;
    }
    let title = title?;
    let ident = rust_name::of_title(&title.value);
    if ident.is_some() {
        return ident;
    }
    findings.report(
        Rule::NoIdentifier,
        title.span,
        format!("the title {:?} cannot be turned into the name of the struct", title.value),
        "set the option `name`, or write a title that begins with a letter",
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
                "write \"cdecl\", or \"stdcall\" for some libraries of 32-bit Windows",
            );
            None
        }
    }
}

/// The library that `x-library` names. Folders are refused: they belong to the machine of the author.
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
                format!("{value:?} is not a plain file name"),
                "write a name such as \"libcalc.so\"; a path can be given in an environment variable",
            );
        }
    }
    let name = |system: &str| {
        let fits = |(for_system, _): &&(Option<&str>, _)| for_system.is_none_or(|name| name == system);
        libraries.iter().find(fits).map(|(_, name)| name.value.clone())
    };
    (!libraries.is_empty()).then(|| DefaultLibrary {
        variable: library_variable(binding),
        linux: name("linux"),
        macos: name("macos"),
        windows: name("windows"),
    })
}

/// The environment variable that names the library of a binding.
pub fn library_variable(binding: &str) -> String {
    format!("{}_LIBRARY", identifier::snake_case(binding).to_uppercase())
}

/// Reports options that name an unknown function, or an invalid method.
fn check_options(document: &Document, options: &Options, findings: &Findings) {
    let named = options
        .rename
        .keys()
        .map(|name| ("rename", name))
        .chain(options.optional.iter().map(|name| ("optional", name)));
    for (option, name) in named {
        let is_name =
            |function: &document::Function| function.name.as_ref().is_some_and(|given| given.value == *name);
        if !document.functions.iter().any(is_name) && !document.others.iter().any(|other| other.name == *name)
        {
            findings.report_option(
                Rule::UnknownFunction,
                format!("the option `{option}` names {name:?}, which is not a function of the document"),
                "write the name as in the document, or remove it from the option",
            );
        }
    }
    for (name, to) in &options.rename {
        let fault = if !identifier::is_identifier(to) {
            "is not a Rust identifier"
        } else if identifier::is_reserved_method(to) || identifier::is_reserved_handle_method(to) {
            "is the name of a method that every type or binding has"
        } else {
            continue;
        };
        findings.report_option(
            Rule::NoIdentifier,
            format!("the option `rename` turns {name:?} into {to:?}, which {fault}"),
            "use a name such as `get_x`",
        );
    }
}
