//! C signatures, as the document has them: derived here and nowhere else. Plans take them from here, and functions
//! whose values have errors have one all the same, so that they can be compared with a library.

use super::schema::{JsonType, Resolved};
use super::types::{Registered, Registry};
use crate::c_type::CType;
use crate::document::{self, Keys, Schema};
use crate::plan::{CBase, CCallback, CSignature, CValue, Convention};
use crate::span::{Span, Spanned};

/// The C signature of a function, whose structs are registered. Whether C only reads behind a pointer, and what
/// bindings declare, follows from how values travel, and is not set. `None` if a C type is not known; the reason is
/// reported.
pub(super) fn signature(
    function: &document::Function,
    convention: Convention,
    registry: &Registry<'_>,
) -> Option<CSignature> {
    let params: Vec<CValue> =
        function.parameters.iter().map(|described| parameter(described, registry)).collect::<Option<_>>()?;
    let returns = match &function.returns {
        Some(returned) => Some(value(returned.schema.as_ref()?, &returned.keys, registry)?),
        None => None,
    };
    let variadic = function.variadic.map(|Spanned { value, span }| Spanned {
        value: usize::try_from(value).unwrap_or(params.len()),
        span,
    });
    Some(CSignature { convention, params, variadic, returns })
}

fn parameter(parameter: &document::Parameter, registry: &Registry<'_>) -> Option<CValue> {
    let schema = parameter.schema.as_ref()?;
    let is_in = parameter.is_in.or(registry.schemas.resolve(schema)?.declared.is_in);
    let inout = parameter.keys.inout.filter(|flag| flag.value);
    let written = is_in.filter(|is_in| !is_in.value).or(inout);
    let written_place = written.map(|written| written.span);
    Some(CValue { written_place, ..value(schema, &parameter.keys, registry)? })
}

fn value(schema: &Schema, keys: &Keys, registry: &Registry<'_>) -> Option<CValue> {
    let resolved = registry.schemas.resolve(schema)?;
    let place = place(schema, &resolved);
    if let (true, Some(callback)) = (resolved.is_pointer, &resolved.declared.callback) {
        let callback = self::callback(callback, registry)?;
        let stars = usize::from(resolved.is_double);
        return Some(CValue { stars, place, ..CValue::new(CBase::Function(Box::new(callback))) });
    }
    let stars = usize::from(resolved.is_pointer) + usize::from(resolved.is_double);
    let base = base(&resolved, registry)?;
    let is_value = stars > 0 || base != CBase::Scalar(CType::Void);
    is_value.then(|| CValue {
        stars,
        many: matches!(resolved.json, JsonType::Array | JsonType::String)
            || keys.length.is_some()
            || resolved.keys.length.is_some(),
        place,
        ..CValue::new(base)
    })
}

/// What a value is, or its pointers lead to; `None` for a struct whose layout is not known.
pub(super) fn base(schema: &Resolved<'_>, registry: &Registry<'_>) -> Option<CBase> {
    if let (true, Some(handle)) = (schema.is_pointer, &schema.declared.handle) {
        return Some(CBase::Handle(handle.value.clone()));
    }
    let has_members = |schema: &document::InlineSchema| schema.properties.is_some();
    let described = match (schema.json, schema.c_type, &schema.schema.items) {
        // Without members, it is the memory of a state.
        (JsonType::Object, CType::Void, _) if has_members(schema.schema) || schema.is_pointer => {
            Some(schema.schema)
        }
        (JsonType::Array, CType::Void, Some(items)) => {
            Some(registry.schemas.resolve(items)?.schema).filter(|items| has_members(items))
        }
        _ => None,
    };
    match described.map_or(Registered::Never, |schema| registry.registered(schema)) {
        Registered::As(record) | Registered::WithErrors(record) => Some(CBase::Record(record)),
        // A struct that bindings do not follow.
        Registered::Never => Some(CBase::Scalar(schema.c_type)),
        Registered::InVain => None,
    }
}

fn callback(callback: &document::Callback, registry: &Registry<'_>) -> Option<CCallback> {
    let params = callback.parameters.iter().map(|parameter| {
        let name = parameter.name.as_ref().map_or_else(String::new, |name| name.value.clone());
        Some((name, value(parameter.schema.as_ref()?, &parameter.keys, registry)?))
    });
    let returns = match &callback.returns {
        Some(schema) => Some(value(schema, &Keys::default(), registry)?),
        None => None,
    };
    Some(CCallback {
        params: params.collect::<Option<_>>()?,
        returns,
        has_user_data: callback.user_data.is_some(),
        place: callback.span,
    })
}

/// Where the document has the C type of a value: there, or where it refers to the schema with it.
fn place(schema: &Schema, resolved: &Resolved<'_>) -> Span {
    match schema {
        Schema::Reference(reference) if reference.c_type.is_none() => reference.target.span,
        _ => resolved.c_type_span,
    }
}
