//! `x-callback`: the signature of a function that C calls.

use std::collections::HashMap;

use super::collect;
use super::default;
use super::identifier;
use super::misuse;
use super::progress;
use super::scalar;
use super::schema::{JsonType, Resolved};
use super::site::Site;
use crate::c_type::{CType, Class};
use crate::diagnostic::Findings;
use crate::document::{self, Length};
use crate::plan::{Callback, CallbackLength, CallbackParam, CallbackValue, Scalar};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// `is_in` must be true: a callback is passed to C.
pub(super) fn lower(callback: &document::Callback, is_in: bool, site: &Site<'_>) -> Option<Callback> {
    let findings = site.findings();
    if !is_in {
        fault(
            callback.span,
            "a callback is an input, but the parameter is an output (`isIn: false`)",
            "write \"isIn\": true, or remove `x-callback`",
            findings,
        );
        return None;
    }
    check_names(callback, findings);
    let params: Vec<Option<CallbackParam>> =
        callback.parameters.iter().map(|parameter| lower_parameter(parameter, callback, site)).collect();
    let returns = callback.returns.as_ref().map(|returned| lower_return(returned, callback, site));
    let user_data = callback.user_data.as_ref().map(|name| user_data(name, callback, site));
    let until = callback.until.as_ref().map(|name| site.parameter("until", name));
    if let (Some(until), None) = (&callback.until, &callback.user_data) {
        fault(
            until.span,
            "a callback that C keeps (`until`) needs `userData`, which leads to the closure",
            "add `userData`, or remove `until`",
            findings,
        );
        return None;
    }

    if callback.by_handle {
        let handle = callback.user_data.as_ref().map(|name| &name.value);
        if callback.until.as_ref().map(|name| &name.value) != handle {
            fault(
                callback.user_data.as_ref().map_or(callback.span, |name| name.span),
                "closures are found by the address of a handle only until that handle is freed",
                "name the same handle in `until`",
                findings,
            );
            return None;
        }
    }

    let mut params: Vec<CallbackParam> = params.into_iter().collect::<Option<_>>()?;
    hide_lengths(&mut params, callback, findings)?;
    let collect = match &callback.collect {
        Some(collect) => Some(collect::lower(collect, callback, site)?),
        None => None,
    };
    let progress = match &callback.progress {
        Some(progress) => Some(progress::lower(progress, callback, &params, site)?),
        None => None,
    };
    let (returns, on_panic) = match returns {
        Some(returned) => {
            let (scalar, on_panic) = returned?;
            (Some(scalar), on_panic)
        }
        None => {
            if let Some(value) = &callback.on_panic {
                fault(
                    value.span,
                    "`onPanic` is a return value, but the callback returns nothing",
                    "remove `onPanic`, or describe the return value in `return`",
                    findings,
                );
                return None;
            }
            (None, None)
        }
    };
    let user_data = match user_data {
        Some(index) => Some(index?),
        None => None,
    };
    if let Some(index) = user_data {
        params[index].value = CallbackValue::UserData;
    }
    let until = match until {
        Some(index) => Some(index?),
        None => None,
    };
    Some(Callback {
        params,
        returns,
        user_data,
        by_handle: callback.by_handle,
        until,
        shared: site.shared,
        on_panic,
        collect: collect.map(Box::new),
        progress: progress.map(Box::new),
    })
}

fn check_names(callback: &document::Callback, findings: &Findings) {
    let mut names: HashMap<&str, Span> = HashMap::new();
    for name in callback.parameters.iter().filter_map(|parameter| parameter.name.as_ref()) {
        if let Some(first) = names.insert(&name.value, name.span) {
            findings.report_second(
                Rule::DuplicateName,
                [first, name.span],
                format!("the callback has two parameters named `{}`", name.value),
                "rename one of them",
            );
        }
    }
}

pub(super) fn fault(span: Span, message: &str, help: &str, findings: &Findings) {
    findings.report(Rule::Callback, span, message, help);
}

/// The index of the user data among the parameters of the callback. The function has a parameter of the same
/// name, which `lengths` finds.
fn user_data(name: &Spanned<String>, callback: &document::Callback, site: &Site<'_>) -> Option<usize> {
    site.parameter("userData", name)?;
    let index = callback
        .parameters
        .iter()
        .position(|parameter| parameter.name.as_ref().is_some_and(|given| given.value == name.value));
    if index.is_none() {
        fault(
            name.span,
            &format!("the callback has no parameter {:?}", name.value),
            "use the same name for the parameter of the callback and that of the function",
            site.findings(),
        );
    }
    index
}

fn lower_parameter(
    parameter: &document::Parameter,
    callback: &document::Callback,
    site: &Site<'_>,
) -> Option<CallbackParam> {
    let findings = site.findings();
    let name = parameter.name.as_ref()?;
    let ident = identifier::of_value(name, "parameter", findings)?;
    let schema = site.registry.schemas.resolve(parameter.schema.as_ref()?)?;
    let keys = parameter.keys.clone().or(&schema.keys);
    let nullable = keys.nullable.is_some_and(|flag| flag.value);
    let length = match keys.length.as_ref() {
        None => None,
        Some(length) => {
            let is_strings = schema.is_double && schema.c_type.class() == Class::Character;
            Some(lower_length(length, callback, is_strings, findings)?)
        }
    };
    let encoding = match schema.json == JsonType::String && schema.is_pointer {
        true => Some(scalar::encoding(&schema, findings)?),
        false => None,
    };
    let string = schema.json == JsonType::String && schema.c_type.class() == Class::Character;
    let value = match (schema.is_pointer, schema.is_double, length) {
        (false, _, _) if schema.c_type != CType::Void => {
            CallbackValue::Scalar(scalar::scalar(&schema, &site.path, site.registry)?)
        }
        (false, _, _) => {
            fault(
                schema.c_type_span,
                "a callback cannot take a struct by value",
                "write \"isPointer\": true if C passes a pointer; a struct by value cannot be described here",
                findings,
            );
            return None;
        }
        (true, true, Some(length)) if schema.c_type.class() == Class::Character => {
            CallbackValue::Strings { length }
        }
        (true, false, None) if string => {
            CallbackValue::Str { c_type: schema.c_type, encoding: encoding?, nullable }
        }
        (true, false, Some(length)) if schema.c_type != CType::Void => {
            let element = scalar::element(&schema, &site.path, site.registry)?;
            CallbackValue::Slice { element, text: encoding, length }
        }
        (true, false, None) if schema.json == JsonType::Object && schema.has_members() => {
            CallbackValue::Record { record: site.registry.record(&schema, &site.path)?, nullable }
        }
        _ => CallbackValue::Opaque,
    };
    misuse::of_callback(&value, &schema, &keys, findings);
    let description = parameter.description.clone();
    Some(CallbackParam { key: name.value.clone(), ident, description, value })
}

fn lower_length(
    length: &Spanned<Length>,
    callback: &document::Callback,
    is_strings: bool,
    findings: &Findings,
) -> Option<CallbackLength> {
    match &length.value {
        Length::Const { count, .. } => super::site::constant(count, findings).map(CallbackLength::Const),
        Length::Parameter(name) => {
            let is_it = |parameter: &document::Parameter| {
                parameter.name.as_ref().is_some_and(|given| given.value == *name)
            };
            let index = callback.parameters.iter().position(is_it);
            if index.is_none() {
                fault(
                    length.span,
                    &format!("the callback has no parameter {name:?}"),
                    "name another parameter of the callback",
                    findings,
                );
            }
            index.map(CallbackLength::Param)
        }
        Length::Terminated if is_strings => Some(CallbackLength::Terminated),
        Length::Call { .. }
        | Length::Member(_)
        | Length::Product(_)
        | Length::Sum(_)
        | Length::Argument(_)
        | Length::Terminated => {
            fault(
                length.span,
                "a length in a callback must be a parameter of the callback, or a constant",
                "name another parameter of the callback, or write {\"const\": 16}; only strings can be terminated",
                findings,
            );
            None
        }
    }
}

/// Hides the length parameters: the closure gets slices, which know their lengths.
fn hide_lengths(
    params: &mut [CallbackParam],
    callback: &document::Callback,
    findings: &Findings,
) -> Option<()> {
    let lengths: Vec<usize> = params
        .iter()
        .filter_map(|param| match param.value {
            CallbackValue::Slice { length: CallbackLength::Param(index), .. }
            | CallbackValue::Strings { length: CallbackLength::Param(index) } => Some(index),
            _ => None,
        })
        .collect();
    for index in lengths {
        match params[index].value {
            CallbackValue::Scalar(Scalar { c_type, .. }) if c_type.counts() => {
                params[index].value = CallbackValue::Length { c_type };
            }
            CallbackValue::Length { .. } => {}
            _ => {
                let name = callback.parameters[index].name.as_ref();
                fault(
                    name.map_or(callback.parameters[index].span, |name| name.span),
                    "this parameter of the callback is a length, so it must be an integer by value",
                    "write \"type\": \"integer\", a C integer type, and \"isPointer\": false",
                    findings,
                );
                return None;
            }
        }
    }
    Some(())
}

fn lower_return(
    returned: &document::Schema,
    callback: &document::Callback,
    site: &Site<'_>,
) -> Option<(Scalar, Option<crate::plan::Default>)> {
    let schema: Resolved<'_> = site.registry.schemas.resolve(returned)?;
    if schema.is_pointer || schema.c_type == CType::Void {
        fault(
            schema.c_type_span,
            &format!("a callback cannot return `{}`", schema.spelled()),
            "describe a scalar by value; for `void`, write \"return\": null",
            site.findings(),
        );
        return None;
    }
    misuse::of_callback_return(&schema, site.findings());
    let scalar = scalar::scalar(&schema, &site.path, site.registry)?;
    let on_panic = match &callback.on_panic {
        Some(literal) => Some(default::value(literal, &schema, site.findings())?),
        None => None,
    };
    Some((scalar, on_panic))
}
