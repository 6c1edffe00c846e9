//! Function pointers.

use serde_json::{Value, json};

use super::context::{Context, Pointee};
use super::described::Described;
use super::lengths::Length;
use super::names::Names;
use super::question::Question;
use super::scalar::{Object, peel};
use super::schemas::{object, raw};
use super::site::Site;
use crate::{AttributeKind, Convention, Parameter, Signature, Type};

/// Describes a callback by its signature; if a document cannot describe it, it stays a `void*`.
pub(super) fn describe(signature: &Signature, site: &Site<'_, '_>) -> Described {
    if let Some(described) = during(signature, site) {
        return described;
    }
    if let Some(described) = later(signature, site) {
        return described;
    }
    let user_data = user_data(site);
    let handed = handed_back(signature, site.context);
    let named = user_data.map(|index| site.name_of(index)).zip(handed);
    let Some(callback) = callback(signature, named, site.context) else {
        return Described::bare(raw());
    };
    let mut schema = raw();
    if let Some(Value::Object(c_type)) = schema.get_mut("cType") {
        c_type.insert("x-callback".to_owned(), callback.into());
    }
    let Some(user_data) = user_data.filter(|_| handed.is_some()) else {
        return Described::input(schema, "a callback", site.type_says());
    };
    let name = site.name_of(user_data);
    let answer = json!({ "schema": { "cType": { "x-callback": { "userData": name } } } });
    let text = format!(
        "Does C pass `{name}` back to `{}`, and call it only while the function runs? (If it keeps it until a \
         handle is freed, write \"until\" with the name of that parameter too; if it may be NULL, \"required\": false.) \
         Then",
        site.name()
    );
    let question = Question::new(text, object(answer)).likely("yes, both");
    let parameters = &site.entry.signature.parameters;
    let is_handle = |index: &usize| {
        matches!(site.context.pointee(parameters[*index].of), Some((Pointee::Handle(_), false)))
    };
    let question = (0..parameters.len()).filter(is_handle).take(2).fold(question, |question, index| {
        let until = site.name_of(index);
        let label = format!("it passes it back, and keeps it until `{until}` is freed");
        let changes =
            json!({ "schema": { "cType": { "x-callback": { "userData": name, "until": until } } } });
        question.or(label, changes)
    });
    Described::undescribed(schema, question)
}

/// A callback that is stated to be called only during the call, with its user data.
fn during(signature: &Signature, site: &Site<'_, '_>) -> Option<Described> {
    let ((stated, handed_back), says) = site.entry.stated(|of| match of {
        AttributeKind::CalledDuring { callback, user_data, handed_back } if *callback == site.position() => {
            Some((*user_data, *handed_back))
        }
        _ => None,
    })?;
    // Of several pointers, nothing else says which one is passed back.
    let is_plain = |of: &Parameter| matches!(site.context.pointee(of.of), Some((Pointee::Void, _)));
    let handed_back = match handed_back {
        Some(index) => signature.parameters.get(index).filter(|of| is_plain(of)).map(|_| index)?,
        None if signature.parameters.iter().filter(|of| is_plain(of)).count() != 1 => return None,
        None => self::handed_back(signature, site.context)?,
    };
    let index = stated.map(|position| position - 1).or_else(|| user_data(site))?;
    let name = site.name_of(index);
    let mut callback = callback(signature, Some((name, handed_back)), site.context)?;
    callback.insert("userData".to_owned(), name.into());
    let mut schema = raw();
    if let Some(Value::Object(c_type)) = schema.get_mut("cType") {
        c_type.insert("x-callback".to_owned(), callback.into());
    }
    Some(Described::input(schema, "a callback that is called during the call", says))
}

/// A callback that is stated to be called after the call. Nothing says until when, so that Rust passes a function,
/// and its user data is a pointer for unsafe code.
fn later(signature: &Signature, site: &Site<'_, '_>) -> Option<Described> {
    let (_, says) =
        site.entry.stated(|of| (*of == AttributeKind::CalledLater(site.position())).then_some(()))?;
    let mut schema = raw();
    if let (Some(callback), Some(Value::Object(c_type))) =
        (callback(signature, None, site.context), schema.get_mut("cType"))
    {
        c_type.insert("x-callback".to_owned(), callback.into());
    }
    Some(Described::input(schema, "a callback that is called after the call", says))
}

/// Whether this parameter is the user data of the function's only callback, or stated to be one.
pub(super) fn is_user_data(site: &Site<'_, '_>) -> bool {
    let stated = site.entry.stated(|of| match of {
        AttributeKind::CalledDuring { user_data, .. } if *user_data == Some(site.position()) => Some(()),
        _ => None,
    });
    if stated.is_some() {
        return true;
    }
    let parameters = &site.entry.signature.parameters;
    let callback = parameters.iter().find_map(|parameter| match site.context.pointee(parameter.of) {
        Some((Pointee::Function(signature), _)) => Some(signature),
        _ => None,
    });
    user_data(site) == Some(site.index)
        && callback.is_some_and(|signature| {
            handed_back(signature, site.context).is_some()
                && self::callback(signature, None, site.context).is_some()
        })
}

/// The only `void*` of a function with a single callback.
fn user_data(site: &Site<'_, '_>) -> Option<usize> {
    let parameters = &site.entry.signature.parameters;
    let is_callback = |index: &usize| {
        matches!(site.context.pointee(parameters[*index].of), Some((Pointee::Function(_), _)))
    };
    let is_plain = |index: &usize| {
        matches!(site.context.pointee(parameters[*index].of), Some((Pointee::Void, false)))
            && super::lengths::of(site.candidates, *index) == Length::Unknown
    };
    let plain: Vec<usize> = (0..parameters.len()).filter(is_plain).collect();
    match ((0..parameters.len()).filter(is_callback).count(), plain.as_slice()) {
        (1, [only]) => Some(*only),
        _ => None,
    }
}

/// The parameter of the callback that can be the user data.
fn handed_back(signature: &Signature, context: &Context<'_>) -> Option<usize> {
    signature
        .parameters
        .iter()
        .position(|parameter| matches!(context.pointee(parameter.of), Some((Pointee::Void, false))))
}

/// The signature of a callback; with the name of its user data, and the position of that among its parameters.
fn callback(
    signature: &Signature,
    user_data: Option<(&str, usize)>,
    context: &Context<'_>,
) -> Option<Object> {
    if signature.variadic || signature.convention != Convention::Cdecl {
        return None;
    }
    let handed_back = user_data.map(|(_, index)| index);
    let mut names = Names::of_values();
    let reserved = user_data.map(|(name, _)| names.take(name, "arg"));
    let mut parameters = Vec::new();
    for (index, parameter) in signature.parameters.iter().enumerate() {
        let schema = match context.pointee(parameter.of) {
            Some(pointee) => {
                // A text with a count beside it may have no NUL.
                let next = signature.parameters.get(index + 1);
                let is_counted =
                    next.is_some_and(|next| matches!(context.types.resolve(next.of), Type::Integer(_)));
                pointer(pointee, is_counted)
            }
            None if matches!(peel(context.types, parameter.of).of, Type::Record(_)) => return None,
            None => context.by_value(parameter.of).ok()?,
        };
        let name = match (&reserved, parameter.name.as_deref()) {
            (Some(reserved), _) if handed_back == Some(index) => reserved.clone(),
            (_, name) => {
                let name = name.unwrap_or_default().trim_start_matches('_');
                names.take(name, &format!("arg{}", index + 1))
            }
        };
        let mut object = object(json!({ "name": name, "schema": schema }));
        if object.get("schema").is_some_and(|schema| schema["type"] == "string") {
            object.insert("x-nullable".to_owned(), true.into());
        }
        parameters.push(Value::Object(object));
    }
    let returned = match peel(context.types, signature.returns).of {
        Type::Void => Value::Null,
        Type::Pointer { .. } | Type::Record(_) => return None,
        _ => json!({ "schema": context.by_value(signature.returns).ok()? }),
    };
    Some(object(json!({ "parameters": parameters, "return": returned })))
}

/// A pointer that C passes to a callback: a string, or a raw pointer for unsafe code.
fn pointer(pointee: (Pointee<'_>, bool), is_counted: bool) -> Object {
    match pointee {
        (Pointee::Scalar(scalar), true) if scalar.is_char() && !is_counted => {
            object(json!({ "type": "string", "cType": scalar.c_type(true) }))
        }
        (Pointee::Scalar(scalar), _) => object(json!({ "type": "array", "cType": scalar.c_type(true) })),
        _ => raw(),
    }
}
