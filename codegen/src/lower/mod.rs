//! From the document to what is generated: all judgement, all names.
//!
//! Every problem is reported, and lowering goes on with the rest; only a document without
//! errors is emitted.

mod callback;
mod codes;
mod default;
mod enumeration;
mod function;
mod handles;
mod identifier;
mod json;
mod lengths;
mod links;
mod misuse;
mod passing;
mod record;
mod schema;
mod site;
mod types;

use std::collections::{HashMap, HashSet};

use crate::diagnostic::Findings;
use crate::document::{self, Document};
use crate::ir::{Binding, Convention, DefaultLibrary, Function, Tables, Types};
use crate::options::Options;
use crate::rule::Rule;
use crate::span::{Span, Spanned};

use function::Context;
use schema::Schemas;
use site::Names;
use types::Registry;

/// Lowers `document`. What comes back is whole only if `findings` has no errors.
pub(crate) fn lower(document: &Document, options: &Options, findings: &Findings) -> Option<Binding> {
    let info = document.info.as_ref();
    let title = info.and_then(|info| info.title.as_ref());
    let ident = binding_ident(title, options, findings);
    let convention =
        info.and_then(|info| info.calling_convention.as_ref()).and_then(|name| convention(name, findings));
    check_options(document, options, findings);

    let schemas = Schemas::new(&document.schemas, findings);
    let registry = Registry::new(&schemas, findings);
    name_structs(document, &registry);
    let codes = codes::lower(&document.codes, findings);
    let success = match &document.success {
        Some(success) => codes::success(success, findings),
        None => Some(vec![0]),
    };
    let names = names(document);
    let context = Context {
        options,
        registry: &registry,
        names: &names,
        success: success.as_deref().unwrap_or_default(),
        stdcall: convention == Some(Convention::Stdcall),
        shared: info.is_some_and(|info| info.thread_safe),
    };
    let mut links = Vec::new();
    let functions: Vec<Option<Function>> =
        document.functions.iter().map(|function| function::lower(function, &context, &mut links)).collect();
    links::check(&links, &functions, findings);
    let (types, type_names) = registry.finish();
    check_names(document, &functions, ident.as_deref(), findings);
    check_type_names(&type_names, &functions, ident.as_deref(), findings);
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
    let mut types = types;
    make_constants_unique(&mut functions, &mut types);
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
        tables: tables(&functions, &types),
        functions,
        codes,
        types,
    })
}

/// Methods whose names differ only in case, as `rename` can have them, meet in one static.
fn make_constants_unique(functions: &mut [Function], types: &mut Types) {
    let mut taken: HashSet<String> = HashSet::new();
    for function in &mut *functions {
        while !taken.insert(function.constant.clone()) {
            function.constant.push_str("_FN");
        }
    }
    let frees = functions.iter_mut().map(|function| &mut function.free_constant);
    let records = types.records.iter_mut().map(|record| &mut record.constant);
    let enums = types.enums.iter_mut().map(|of| &mut of.constant);
    let handles = types.handles.iter_mut().map(|handle| &mut handle.constant);
    for constant in frees.chain(records).chain(enums).chain(handles) {
        while !taken.insert(constant.clone()) {
            constant.push('_');
        }
    }
}

fn tables(functions: &[Function], types: &Types) -> Tables {
    let taken: HashSet<&str> = functions
        .iter()
        .map(|function| &function.constant)
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
    }
}

/// The structs that the document names, also those that no function uses.
fn name_structs(document: &Document, registry: &Registry<'_>) {
    for (name, schema) in &document.schemas {
        let Some(schema) = schema else { continue };
        if let Some(resolved) = registry.schemas.peek(schema)
            && let Some(properties) = &resolved.schema.properties
            && !properties.is_empty()
        {
            registry.record(
                &schema::Resolved { name: resolved.name.or(Some(&name.value)), ..resolved },
                &name.value,
            );
        }
    }
}

/// The functions by name, and those that free something.
fn names(document: &Document) -> Names<'_> {
    let mut functions: HashMap<&str, usize> = HashMap::new();
    let mut frees: HashSet<&str> = HashSet::new();
    for (index, function) in document.functions.iter().enumerate() {
        if let Some(name) = &function.name {
            functions.entry(&name.value).or_insert(index);
        }
        let of_params =
            function.parameters.iter().map(|parameter| (&parameter.keys, parameter.schema.as_ref()));
        let of_return = function.returns.iter().map(|returned| (&returned.keys, returned.schema.as_ref()));
        for (keys, schema) in of_params.chain(of_return) {
            frees.extend(keys.free.iter().map(|free| free.value.as_str()));
            frees.extend(schema.into_iter().flat_map(freed_by));
        }
    }
    frees.extend(document.schemas.iter().filter_map(|(_, schema)| schema.as_ref()).flat_map(freed_by));
    Names { functions, frees }
}

/// What `x-free` names in a schema.
fn freed_by(schema: &document::Schema) -> impl Iterator<Item = &str> {
    let (keys, c_type) = match schema {
        document::Schema::Reference(reference) => (&reference.keys, reference.c_type.as_ref()),
        document::Schema::Inline(inline) => (&inline.keys, inline.c_type.as_ref()),
    };
    keys.free.iter().chain(c_type.and_then(|c_type| c_type.free.as_ref())).map(|free| free.value.as_str())
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

/// Types that the document names are distinct from each other, from the binding and from the
/// structs of results.
fn check_type_names(
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
    for function in functions.iter().flatten().filter(|function| function.results().len() > 1) {
        taken.insert(function.outputs_ident.clone(), format!("the results of `{}`", function.name));
    }
    for (ident, name, span) in types {
        if let Some(first) = taken.insert(ident.clone(), format!("`{name}`")) {
            findings.report(
                Rule::RustNameCollision,
                *span,
                format!("`{name}` and {first} are both the type `{ident}` in Rust"),
                "give one of the two another name; the binding's is the option `name`",
            );
        }
    }
}
