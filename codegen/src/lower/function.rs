//! One function: its parameters, its results, and whether JSON can call it.

use std::collections::HashMap;

use super::links::{self, Link};
use super::schema::Resolved;
use super::site::{Names, Site};
use super::types::Registry;
use super::{codes, handles, identifier, json, lengths, passing};
use crate::diagnostic::Findings;
use crate::document::{self, Keys};
use crate::ir::{
    Constant, Default, Direction, Element, Function, Param, Passing, Returned, Scalar, Text, View,
};
use crate::options::Options;
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// What the functions of a document have in common.
pub(super) struct Context<'c> {
    pub(super) options: &'c Options,
    pub(super) registry: &'c Registry<'c>,
    pub(super) names: &'c Names<'c>,
    /// The codes that are success unless a function says otherwise.
    pub(super) success: &'c [i64],
    pub(super) stdcall: bool,
}

impl<'c> Context<'c> {
    /// The place of a value in a function; types that it needs are named after both.
    fn site(&self, function: &'c document::Function, value: Option<&Spanned<String>>) -> Site<'c> {
        let name = |name: Option<&Spanned<String>>| name.map_or_else(String::new, |name| name.value.clone());
        let path = format!("{}_{}", name(function.name.as_ref()), name(value));
        Site { registry: self.registry, names: self.names, function, path }
    }
}

/// Lowers a function; what it refers to in other functions goes to `links`.
pub(super) fn lower(
    function: &document::Function,
    context: &Context<'_>,
    links: &mut Vec<Link>,
) -> Option<Function> {
    let Context { options, registry, .. } = *context;
    let findings = registry.findings;
    let legal = function.name.as_ref().filter(|name| identifier::check_function_name(name, findings));
    let ident = legal.and_then(|name| method_ident(name, options, findings));
    let values: Vec<Option<(Param, Keys)>> = function
        .parameters
        .iter()
        .map(|parameter| lower_parameter(parameter, &context.site(function, parameter.name.as_ref())))
        .collect();
    let returned = function.returns.as_ref().map(|returned| {
        lower_return(returned, context.success, &context.site(function, returned.name.as_ref()))
    });
    check_names(function, &values, findings);
    let symbol = symbol(function, findings);

    let values: Vec<(Param, Keys)> = values.into_iter().collect::<Option<_>>()?;
    let (mut params, keys): (Vec<Param>, Vec<Keys>) = values.into_iter().unzip();
    let (mut returned, returned_keys) = match returned {
        Some(returned) => {
            let (returned, keys) = returned?;
            (Some(returned), Some(keys))
        }
        None => (None, None),
    };
    let site = context.site(function, None);
    lengths::assign(&mut params, returned.as_mut(), (&keys, returned_keys.as_ref()), &site)?;
    check_results(function, &params, returned.as_ref(), findings);
    handles::check(&params, returned.as_ref(), (&keys, returned_keys.as_ref()), findings)?;
    for param in &mut params {
        param.is_unsafe = is_unsafe(&param.passing, registry);
    }
    let variadic = variadic(function, &params, context)?;
    let ident = ident?;
    let name = function.name.as_ref()?.value.clone();
    links::collect(&name, &params, returned.as_ref(), (&keys, returned_keys.as_ref()), links);
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
        free_constant: format!("FREE_BY_{}", identifier::constant_case(&ident)),
        outputs_ident,
        description: function.description.clone()?,
        required: !function.optional && !options.optional.contains(&name),
        json: json::judge(&params, returned.as_ref(), options.unchecked, registry),
        name,
        ident,
        params,
        variadic,
        returned,
        annotations: function.annotations,
    })
}

/// Whether a caller of the method can break memory with it.
fn is_unsafe(passing: &Passing, registry: &Registry<'_>) -> bool {
    match passing {
        Passing::Slice { length: None, .. }
        | Passing::Buffer { capacity: None, .. }
        | Passing::Opaque { .. } => true,
        Passing::Slice { element: Element::Record(record), .. } => registry.has_pointers(*record),
        Passing::Record { record, direction } => {
            *direction != Direction::Out && registry.has_pointers(*record)
        }
        _ => false,
    }
}

/// `x-variadic`.
fn variadic(function: &document::Function, params: &[Param], context: &Context<'_>) -> Option<Option<usize>> {
    let Some(Spanned { value, span }) = function.variadic else { return Some(None) };
    let findings = context.registry.findings;
    let fixed = usize::try_from(value).ok().filter(|fixed| (1..=params.len()).contains(fixed));
    let Some(fixed) = fixed else {
        findings.report(
            Rule::Variadic,
            span,
            format!("{value} of {} parameters cannot stand before `...`", params.len()),
            "write how many are fixed: at least one, at most all",
        );
        return None;
    };
    if context.stdcall {
        findings.report(
            Rule::Variadic,
            span,
            "a `stdcall` function takes a fixed number of arguments",
            "remove `x-variadic`, or write \"cdecl\" as the calling convention",
        );
        return None;
    }
    let by_value =
        |param: &Param| matches!(param.passing, Passing::Record { direction: Direction::Value, .. });
    if params[fixed..].iter().any(by_value) {
        findings.report(
            Rule::Variadic,
            span,
            "a struct cannot go through `...` by value",
            "pass a pointer to it",
        );
        return None;
    }
    Some(Some(fixed))
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

fn lower_parameter(parameter: &document::Parameter, site: &Site<'_>) -> Option<(Param, Keys)> {
    let findings = site.findings();
    let name = parameter.name.as_ref();
    let shown = name.map_or("", |name| &name.value);
    let ident = name.and_then(|name| value_ident(name, "parameter", findings));
    let schema = site.registry.schemas.resolve(parameter.schema.as_ref()?)?;
    let is_in = is_in(parameter, shown, &schema, findings);
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
            document::Schema::Reference(reference) => reference.target.span,
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
    let keys = parameter.keys.clone().or(&schema.keys);
    let passing = passing::of_parameter(&schema, &keys, is_in, site).map(|passing| constant(passing, site));
    let default = parameter_default(parameter, &schema, passing.as_ref(), site);
    let param = Param {
        key: shown.to_owned(),
        ident: ident?,
        description: description(parameter.description.as_deref(), schema.description),
        passing: passing?,
        required: parameter.required.value,
        default: default?,
        is_unsafe: false,
    };
    Some((param, keys))
}

fn is_in(parameter: &document::Parameter, shown: &str, schema: &Resolved<'_>, findings: &Findings) -> bool {
    match (&parameter.is_in, &schema.declared.is_in) {
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
    }
}

/// A value of which there is only one is not asked for.
fn constant(passing: Passing, site: &Site<'_>) -> Passing {
    let (index, of) = match &passing {
        Passing::Value(scalar @ Scalar { view: View::Enum(index), .. }) => {
            (*index, Constant::Scalar(*scalar))
        }
        Passing::Str(text @ Text { one_of: Some(index), .. }) => (*index, Constant::Str(*text)),
        _ => return passing,
    };
    match site.registry.only_value(index) {
        Some(value) => Passing::Constant { of, value },
        None => passing,
    }
}

/// `default`, which only a parameter that may be absent has.
fn parameter_default(
    parameter: &document::Parameter,
    schema: &Resolved<'_>,
    passing: Option<&Passing>,
    site: &Site<'_>,
) -> Option<Option<Default>> {
    let of_enum = match passing {
        Some(Passing::Value(Scalar { view: View::Enum(index), .. })) => Some(*index),
        Some(Passing::Str(text)) => text.one_of,
        _ => None,
    };
    let default = site.registry.default(schema, of_enum)?;
    if let (Some(literal), true, Some(Passing::Value(_) | Passing::Str(_))) =
        (schema.default, parameter.required.value, passing)
    {
        site.findings().report(
            Rule::DefaultRequired,
            literal.span,
            "every call gives this parameter, so its `default` is never taken",
            "write \"required\": false, or remove `default`",
        );
    }
    let taken = matches!(passing, Some(Passing::Value(_) | Passing::Str(_)));
    Some(default.filter(|_| taken && !parameter.required.value))
}

fn lower_return(returned: &document::Return, success: &[i64], site: &Site<'_>) -> Option<(Returned, Keys)> {
    let findings = site.findings();
    let name = returned.name.as_ref();
    let ident = name.and_then(|name| value_ident(name, "return value", findings));
    let schema = site.registry.schemas.resolve(returned.schema.as_ref()?)?;
    let keys = returned.keys.clone().or(&schema.keys);
    let form = passing::of_return(&schema, &keys, site);
    let role = codes::role(returned, form.as_ref(), success, findings);
    let returned = Returned {
        key: name?.value.clone(),
        ident: ident?,
        description: description(returned.description.as_deref(), schema.description),
        form: form?,
        role: role?,
    };
    Some((returned, keys))
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
fn check_names(function: &document::Function, params: &[Option<(Param, Keys)>], findings: &Findings) {
    let of =
        function.name.as_ref().map_or_else(|| "the function".to_owned(), |name| format!("`{}`", name.value));
    let mut names: HashMap<&str, Span> = HashMap::new();
    let mut idents: HashMap<&str, &str> = HashMap::new();
    for (parameter, param) in function.parameters.iter().zip(params) {
        let Some(name) = &parameter.name else { continue };
        if let Some(first) = names.insert(&name.value, name.span) {
            duplicate(first, name, &of, "parameters", findings);
            continue;
        }
        let Some((param, _)) = param else { continue };
        if let Some(first) = idents.insert(&param.ident, &param.key) {
            findings.report(
                Rule::RustNameCollision,
                name.span,
                format!("`{}` and `{first}` are both the parameter `{}` in Rust", param.key, param.ident),
                "give one of the two a name that differs in more than case and punctuation",
            );
        }
    }
}

fn duplicate(first: Span, name: &Spanned<String>, of: &str, what: &str, findings: &Findings) {
    findings.report_second(
        Rule::DuplicateName,
        [first, name.span],
        format!("`{}` stands twice among the {what} of {of}", name.value),
        "give one of the two another name",
    );
}

/// The return value has a name that no output has: in the document, and in Rust.
fn check_results(
    function: &document::Function,
    params: &[Param],
    lowered: Option<&Returned>,
    findings: &Findings,
) {
    let Some(returned) = function.returns.as_ref().and_then(|returned| returned.name.as_ref()) else {
        return;
    };
    if lowered.is_none_or(|lowered| !lowered.is_result()) {
        return;
    }
    let of =
        function.name.as_ref().map_or_else(|| "the function".to_owned(), |name| format!("`{}`", name.value));
    let ident = identifier::for_value(&returned.value);
    for (parameter, param) in function.parameters.iter().zip(params) {
        let output = param.is_result() || matches!(param.passing, Passing::Buffer { .. } | Passing::InOut(_));
        if !output || Some(&param.ident) != ident.as_ref() {
            continue;
        }
        if param.key == returned.value {
            let output = parameter.name.as_ref().map_or(returned.span, |name| name.span);
            duplicate(output, returned, &of, "results", findings);
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
