//! One function: its parameters, its results, and whether JSON can call it.

use super::links::{self, Link};
use super::meaning::{Direction, Function, Param, Passing, Stem};
use super::site::{Names, Site};
use super::types::Registry;
use super::value::{lower_parameter, lower_return};
use super::{distinct, handles, identifier, json, lends, lengths, member, taken_memory, takes};
use crate::diagnostic::Findings;
use crate::document::{self, Keys};
use crate::options::Options;
use crate::plan::{Names as RustNames, Receiver};
use crate::rule::Rule;
use crate::span::Spanned;

/// What all functions of a document share.
pub(super) struct Context<'c> {
    pub(super) options: &'c Options,
    pub(super) registry: &'c Registry<'c>,
    pub(super) names: &'c Names<'c>,
    /// The codes for success, unless a function has its own.
    pub(super) success: &'c [i64],
    pub(super) stdcall: bool,
    /// Whether calls may run concurrently.
    pub(super) shared: bool,
}

impl<'c> Context<'c> {
    /// The site of a value in a function. Types without a name are named after both.
    fn site(&self, function: &'c document::Function, value: Option<&'c Spanned<String>>) -> Site<'c> {
        let name = |name: Option<&Spanned<String>>| name.map_or_else(String::new, |name| name.value.clone());
        let path = format!("{}_{}", name(function.name.as_ref()), name(value));
        Site { registry: self.registry, names: self.names, function, value, shared: self.shared, path }
    }
}

/// Lowers a function. Its references to other functions are added to `links`.
pub(super) fn lower(
    function: &document::Function,
    context: &Context<'_>,
    links: &mut Vec<Link>,
) -> Option<Function> {
    let Context { options, registry, .. } = *context;
    let findings = registry.findings;
    let legal = function.name.as_ref().filter(|name| identifier::check_function_name(name, findings));
    let method = legal.and_then(|name| method_ident(name, context, findings));
    let values: Vec<Option<(Param, Keys)>> = function
        .parameters
        .iter()
        .map(|parameter| lower_parameter(parameter, &context.site(function, parameter.name.as_ref())))
        .collect();
    let returned = function.returns.as_ref().map(|returned| {
        lower_return(returned, context.success, &context.site(function, returned.name.as_ref()))
    });
    distinct::check_parameters(function, &values, findings);
    let symbol = symbol(function, findings);

    let values: Vec<(Param, Keys)> = values.into_iter().collect::<Option<_>>()?;
    let (params, keys): (Vec<Param>, Vec<Keys>) = values.into_iter().unzip();
    let (mut returned, returned_keys) = match returned {
        Some(returned) => {
            let (returned, keys) = returned?;
            (Some(returned), Some(keys))
        }
        None => (None, None),
    };
    let site = context.site(function, None);
    let (mut params, mut keys) = (params, keys);
    for name in site.chosen() {
        params.push(lengths::chosen(&name, &params, &site)?);
        keys.push(Keys::default());
    }
    lengths::assign(&mut params, returned.as_mut(), (&keys, returned_keys.as_ref()), &site)?;
    lengths::check_unexplained(&params, returned.as_ref(), &keys, &site);
    let lends = lends::lower(&mut params, &mut keys, &site)?;
    distinct::check_results(function, &params, returned.as_ref(), findings);
    handles::check_kept(&mut params, returned.as_mut(), &keys, registry)?;
    handles::add_parents(&mut params, returned.as_mut(), registry);
    handles::check(&params, returned.as_ref(), (&keys, returned_keys.as_ref()), findings)?;
    takes::check(&params, returned.as_ref(), findings)?;
    taken_memory::check(&params, &keys, findings)?;
    let read = member::lower(&params, returned.as_ref(), &site)?;
    check_variadic(function, &params[..function.parameters.len()], context)?;
    if context.stdcall {
        check_stdcall(function, context.registry);
    }
    let (ident, stem) = method?;
    let name = function.name.as_ref()?.value.clone();
    links::collect(&name, &params, returned.as_ref(), (&keys, returned_keys.as_ref()), registry, links);
    let names = names(&ident, &params)?;
    Some(Function {
        symbol: symbol?,
        description: function.description.clone()?,
        switches: switches(function, options),
        refusal: json::refusal(&params, returned.as_ref(), options.unchecked, registry),
        name,
        stem,
        names,
        receiver: Receiver::default(),
        params,
        returned,
        // It is lowered when all functions are known.
        fail: None,
        // So are the functions that it frees for.
        same: None,
        // And the one that ends its calls.
        cancel: None,
        has_error: function.error.is_some(),
        lends,
        read,
        annotations: function.annotations,
        tool: function.tool,
        hints: super::codes::hints(&function.hints, findings),
        questions: function.questions.clone(),
    })
}

/// Whether the library must have a function.
pub(super) fn is_required(function: &document::Function, options: &Options) -> bool {
    !switches(function, options).has("x-optional")
}

/// The keys that are true; an option can make a function optional too.
fn switches(function: &document::Function, options: &Options) -> document::Switches {
    let named = function.name.as_ref().is_some_and(|name| options.optional.contains(&name.value));
    function.switches.clone().or("x-optional", named)
}

/// The Rust names that follow from the name of the method.
fn names(method: &str, params: &[Param]) -> Option<RustNames> {
    let plain = identifier::unraw(method);
    let fresh = |name: String| -> Option<String> {
        let mut name = identifier::raw_if_keyword(name)?;
        while params.iter().any(|param| param.ident == name) {
            name = identifier::unraw(&name).to_owned() + "_";
        }
        Some(name)
    };
    let callee = fresh(identifier::snake_case(plain))?;
    let mut returned = fresh("returned".to_owned())?;
    while returned == callee {
        returned.push('_');
    }
    let mut errno = fresh("errno".to_owned())?;
    while errno == callee {
        errno.push('_');
    }
    let mut binding = fresh("binding".to_owned())?;
    while binding == callee {
        binding.push('_');
    }
    let pascal = identifier::with_start(identifier::pascal_case(plain));
    Some(RustNames {
        method: method.to_owned(),
        has: format!("has_{plain}"),
        binding,
        callee,
        returned,
        errno,
        table: identifier::constant_case(method),
        // A name of only underscores has no words.
        symbol: identifier::raw_if_keyword(pascal.clone())
            .unwrap_or_else(|| identifier::constant_case(method)),
        outputs: pascal + "Outputs",
    })
}

/// `x-variadic`.
fn check_variadic(function: &document::Function, params: &[Param], context: &Context<'_>) -> Option<()> {
    let Some(Spanned { value, span }) = function.variadic else { return Some(()) };
    let findings = context.registry.findings;
    let fixed = usize::try_from(value).ok().filter(|fixed| (1..=params.len()).contains(fixed));
    let Some(fixed) = fixed else {
        findings.report(
            Rule::Variadic,
            span,
            format!(
                "`x-variadic` is {value}, but must be from 1 to the number of parameters ({})",
                params.len()
            ),
            "write the number of parameters before `...`",
        );
        return None;
    };
    if context.stdcall {
        findings.report(
            Rule::Variadic,
            span,
            "a `stdcall` function cannot be variadic",
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
            "a struct cannot be passed through `...` by value",
            "describe a pointer to the struct, if C takes one",
        );
        return None;
    }
    Some(())
}

/// A document does not say which convention callbacks have. In a `cdecl` document it is `cdecl`.
fn check_stdcall(function: &document::Function, registry: &Registry<'_>) {
    let schemas = function.parameters.iter().filter_map(|parameter| parameter.schema.as_ref());
    for schema in schemas.filter_map(|schema| registry.schemas.resolve(schema)) {
        if let Some(callback) = &schema.declared.callback {
            registry.findings.report(
                Rule::Callback,
                callback.span,
                "in a `stdcall` document, the calling convention of callbacks is unknown",
                "remove `x-callback`: the method then takes a raw `void*`",
            );
        }
    }
}

/// The name in the library.
fn symbol(function: &document::Function, findings: &Findings) -> Option<String> {
    if function.member.is_some() {
        return Some(String::new());
    }
    let Some(Spanned { value, span }) = &function.symbol else {
        return function.name.as_ref().map(|name| name.value.clone());
    };
    if value.is_empty() || value.contains('\0') {
        findings.report(
            Rule::IllegalName,
            *span,
            format!("{value:?} cannot be the name of a symbol"),
            "write the name that the library exports, or remove `x-symbol` if `name` is that name",
        );
        return None;
    }
    Some(value.clone())
}

fn method_ident(
    name: &Spanned<String>,
    context: &Context<'_>,
    findings: &Findings,
) -> Option<(String, Stem)> {
    if let Some(renamed) = context.options.rename.get(&name.value) {
        // Non-identifiers are reported with the options.
        return identifier::raw_if_keyword(renamed.clone()).map(|ident| (ident, Stem::Renamed));
    }
    let stem = context.registry.prefix.strip(&name.value);
    let ident = identifier::for_method(stem);
    if ident.is_none() {
        identifier::report_none(name, "function", findings);
    }
    ident.map(|ident| (ident, Stem::Name(stem.to_owned())))
}
