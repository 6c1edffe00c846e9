//! One function: its parameters, its results, and whether JSON can call it.

use std::collections::HashMap;

use super::identifier;
use super::passing;
use super::schema::Schemas;
use crate::diagnostic::Findings;
use crate::document;
use crate::ir::{Form, Function, Json, Param, Passing, Returned};
use crate::options::{Options, Unchecked};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

pub(super) fn lower(
    function: &document::Function,
    schemas: &Schemas<'_>,
    options: &Options,
    findings: &Findings,
) -> Option<Function> {
    let legal = function.name.as_ref().filter(|name| identifier::check_function_name(name, findings));
    let ident = legal.and_then(|name| method_ident(name, options, findings));
    let params: Vec<Option<Param>> =
        function.parameters.iter().map(|parameter| lower_parameter(parameter, schemas, findings)).collect();
    let returned = function.returns.as_ref().map(|returned| lower_return(returned, schemas, findings));
    check_names(function, &params, findings);
    let symbol = symbol(function, findings);

    let params: Vec<Param> = params.into_iter().collect::<Option<_>>()?;
    let returned = match returned {
        Some(returned) => Some(returned?),
        None => None,
    };
    let ident = ident?;
    let name = function.name.as_ref()?.value.clone();
    let mut callee = identifier::snake_case(identifier::unraw(&ident));
    callee = identifier::raw_if_keyword(callee)?;
    while params.iter().any(|param| param.ident == callee) {
        callee = identifier::unraw(&callee).to_owned() + "_";
    }
    let outputs_ident =
        identifier::with_start(identifier::pascal_case(identifier::unraw(&ident)) + "Outputs");
    Some(Function {
        symbol: symbol?,
        has_ident: format!("has_{}", identifier::unraw(&ident)),
        callee,
        constant: identifier::constant_case(&ident),
        outputs_ident,
        description: function.description.clone()?,
        required: !function.optional && !options.optional.contains(&name),
        json: json(&params, returned.as_ref(), options.unchecked),
        name,
        ident,
        params,
        returned,
    })
}

/// The name in the library.
fn symbol(function: &document::Function, findings: &Findings) -> Option<String> {
    let Some(Spanned { value, span }) = &function.symbol else {
        return function.name.as_ref().map(|name| name.value.clone());
    };
    if value.is_empty() || value.contains('\0') {
        findings.report(
            Rule::IllegalName,
            *span,
            format!("no symbol of a library is called {value:?}"),
            "write the name that the library exports, or remove `x-symbol` where it is the function's",
        );
        return None;
    }
    Some(value.clone())
}

fn method_ident(name: &Spanned<String>, options: &Options, findings: &Findings) -> Option<String> {
    if let Some(renamed) = options.rename.get(&name.value) {
        // Reported with the options if it is no identifier.
        return identifier::raw_if_keyword(renamed.clone());
    }
    let stripped = options.strip_prefix.as_deref().and_then(|prefix| name.value.strip_prefix(prefix));
    let stripped = stripped.filter(|rest| !rest.is_empty()).unwrap_or(&name.value);
    let ident = identifier::for_method(stripped);
    if ident.is_none() {
        no_identifier(name, "function", findings);
    }
    ident
}

fn no_identifier(name: &Spanned<String>, what: &str, findings: &Findings) {
    findings.report(
        Rule::NoIdentifier,
        name.span,
        format!("the {what} name {:?} cannot be turned into a Rust identifier", name.value),
        if what == "function" {
            "give it another name in Rust with the option `rename`"
        } else {
            "use a name that has letters"
        },
    );
}

fn lower_parameter(
    parameter: &document::Parameter,
    schemas: &Schemas<'_>,
    findings: &Findings,
) -> Option<Param> {
    let name = parameter.name.as_ref();
    let shown = name.map_or("", |name| &name.value);
    let ident = name.and_then(|name| value_ident(name, "parameter", findings));
    let schema = schemas.resolve(parameter.schema.as_ref()?)?;
    let is_in = match (&parameter.is_in, schema.misplaced_is_in) {
        (Some(is_in), None) => is_in.value,
        (given, Some(misplaced)) => {
            let value = given.as_ref().map_or(misplaced.value, |given| given.value);
            findings.report(
                Rule::MisplacedIsIn,
                misplaced.span,
                format!("`isIn` belongs to the parameter, not to its `cType`; {value} is taken"),
                if given.is_some() { "remove it here" } else { "move it beside `schema`" },
            );
            value
        }
        (None, None) => {
            findings.report(
                Rule::MissingBoolean,
                Span { start: parameter.span.start, end: parameter.span.start + 1 },
                format!("parameter `{shown}` has no `isIn`; true is assumed"),
                "add \"isIn\": true, or false for a pointer through which C returns something",
            );
            true
        }
    };
    if !is_in && !parameter.required.value {
        findings.report(
            Rule::OptionalOutput,
            parameter.required.span,
            format!("parameter `{shown}` is an output, which is always asked for"),
            "write \"required\": true",
        );
    }
    if !is_in && !schema.is_pointer {
        let place = match parameter.schema.as_ref()? {
            document::Schema::Reference { target, .. } => target.span,
            document::Schema::Inline(_) => schema.c_type_span,
        };
        findings.report(
            Rule::OutputNotPointer,
            place,
            format!(
                "parameter `{shown}` is an output (`isIn: false`), but its C type is `{}` by value",
                schema.c_type.name()
            ),
            "write \"isPointer\": true, or make it an input with \"isIn\": true",
        );
        return None;
    }
    let passing = passing::of_parameter(&schema, is_in, findings);
    Some(Param {
        key: shown.to_owned(),
        ident: ident?,
        description: description(parameter.description.as_deref(), schema.description),
        passing: passing?,
        required: parameter.required.value,
    })
}

fn lower_return(returned: &document::Return, schemas: &Schemas<'_>, findings: &Findings) -> Option<Returned> {
    let name = returned.name.as_ref();
    let ident = name.and_then(|name| value_ident(name, "return value", findings));
    let schema = schemas.resolve(returned.schema.as_ref()?)?;
    let form = passing::of_return(&schema, findings);
    Some(Returned {
        key: name?.value.clone(),
        ident: ident?,
        description: description(returned.description.as_deref(), schema.description),
        form: form?,
    })
}

/// The description of a value, or else of its schema; an empty one is none.
fn description(own: Option<&str>, schema: Option<&str>) -> Option<String> {
    own.into_iter().chain(schema).find(|text| !text.trim().is_empty()).map(str::to_owned)
}

fn value_ident(name: &Spanned<String>, what: &str, findings: &Findings) -> Option<String> {
    if !identifier::check_value_name(name, what, findings) {
        return None;
    }
    let ident = identifier::for_value(&name.value);
    if ident.is_none() {
        no_identifier(name, what, findings);
    }
    ident
}

/// Parameters are distinct, and results are: in the document, and in Rust.
fn check_names(function: &document::Function, params: &[Option<Param>], findings: &Findings) {
    let of =
        function.name.as_ref().map_or_else(|| "the function".to_owned(), |name| format!("`{}`", name.value));
    let duplicate = |first: Span, name: &Spanned<String>, what: &str| {
        findings.report_second(
            Rule::DuplicateName,
            [first, name.span],
            format!("`{}` stands twice among the {what} of {of}", name.value),
            "give one of the two another name",
        );
    };
    let mut names: HashMap<&str, Span> = HashMap::new();
    let mut idents: HashMap<&str, &str> = HashMap::new();
    for (parameter, param) in function.parameters.iter().zip(params) {
        let Some(name) = &parameter.name else { continue };
        if let Some(first) = names.insert(&name.value, name.span) {
            duplicate(first, name, "parameters");
            continue;
        }
        let Some(param) = param else { continue };
        if let Some(first) = idents.insert(&param.ident, &param.key) {
            findings.report(
                Rule::RustNameCollision,
                name.span,
                format!("`{}` and `{first}` are both the parameter `{}` in Rust", param.key, param.ident),
                "give one of the two a name that differs in more than case and punctuation",
            );
        }
    }
    let Some(returned) = function.returns.as_ref().and_then(|returned| returned.name.as_ref()) else {
        return;
    };
    let ident = identifier::for_value(&returned.value);
    for param in params.iter().flatten() {
        let output = matches!(param.passing, Passing::Output(_) | Passing::Buffer { .. });
        if !output || Some(&param.ident) != ident.as_ref() {
            continue;
        }
        if param.key == returned.value {
            let output = names.get(param.key.as_str()).copied().unwrap_or(returned.span);
            duplicate(output, returned, "results");
        } else {
            findings.report(
                Rule::RustNameCollision,
                returned.span,
                format!(
                    "`{}` and `{}` are both the result `{}` in Rust",
                    returned.value, param.key, param.ident
                ),
                "give one of the two a name that differs in more than case and punctuation",
            );
        }
    }
}

/// Whether JSON can call a function, and if not, which keys are missing.
fn json(params: &[Param], returned: Option<&Returned>, unchecked: Unchecked) -> Json {
    let allowed = unchecked == Unchecked::Allow;
    let mut missing: Vec<String> = Vec::new();
    for param in params {
        let key = &param.key;
        match param.passing {
            Passing::Slice(_) if !allowed => {
                missing.push(format!("the document does not say how long the array `{key}` is (`x-length`)"));
            }
            Passing::Buffer { text, .. } if !(allowed && text) => {
                missing.push(format!(
                    "the document does not say how large the buffer `{key}` must be (`x-length`)"
                ));
            }
            Passing::Opaque { output } if output || param.required => {
                missing.push(format!("the document does not say what `{key}` points to (`x-handle`)"));
            }
            _ => {}
        }
    }
    match returned.map(|returned| (returned.form, &returned.key)) {
        Some((Form::Array(_), key)) => {
            missing.push(format!("the document does not say how long the array `{key}` is (`x-length`)"));
        }
        Some((Form::Opaque, key)) => {
            missing.push(format!("the document does not say what `{key}` points to (`x-handle`)"));
        }
        _ => {}
    }
    if missing.is_empty() { Json::Callable } else { Json::Refused(missing.join("; ")) }
}
