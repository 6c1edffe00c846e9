//! C signatures, as the document has them: derived here and nowhere else. Plans take them from here. Functions with
//! errors have a signature too, so that they can be compared with a library.

use super::schema::{JsonType, Resolved};
use super::types::{Registered, Registry};
use crate::c_type::CType;
use crate::document::{self, InlineSchema, Keys, Schema};
use crate::plan::{CBase, CCallback, CSignature, CValue, Convention};
use crate::span::{Span, Spanned};

/// The C signature of a function. `const`, and the types that bindings declare, are not set: they follow from how
/// values travel. `None` if a C type is unknown, which is reported.
pub(super) fn of_function(
    function: &document::Function,
    convention: Convention,
    has_errors: bool,
    registry: &Registry<'_>,
) -> Option<CSignature> {
    let name = function.name.as_ref().map_or("", |name| &name.value);
    let scope = Scope { registry, path: has_errors.then_some(name) };
    let params: Vec<CValue> =
        function.parameters.iter().map(|parameter| scope.parameter(parameter)).collect::<Option<_>>()?;
    let returns = match &function.returns {
        Some(returned) => Some(scope.value(returned.schema.as_ref()?, &returned.keys)?),
        None => None,
    };
    let variadic = function.variadic.map(|Spanned { value, span }| {
        let fixed = usize::try_from(value).unwrap_or(params.len());
        Spanned { value: fixed, span }
    });
    Some(CSignature { convention, params, variadic, returns })
}

/// What a value is, or its pointers lead to; `None` for a struct whose layout is unknown.
pub(super) fn base(schema: &Resolved<'_>, registry: &Registry<'_>) -> Option<CBase> {
    Scope { registry, path: None }.base(schema)
}

struct Scope<'s> {
    registry: &'s Registry<'s>,
    /// The name for structs of a function with errors that are not registered yet. Bindings have a type for each
    /// registered struct, so functions without errors register only those that they use.
    path: Option<&'s str>,
}

impl Scope<'_> {
    fn parameter(&self, parameter: &document::Parameter) -> Option<CValue> {
        let schema = parameter.schema.as_ref()?;
        let is_in = parameter.is_in.or(self.registry.schemas.resolve(schema)?.declared.is_in);
        let inout = parameter.keys.inout.filter(|flag| flag.value);
        let written = is_in.filter(|is_in| !is_in.value).or(inout);
        let written_place = written.map(|written| written.span);
        Some(CValue { written_place, ..self.value(schema, &parameter.keys)? })
    }

    fn value(&self, schema: &Schema, keys: &Keys) -> Option<CValue> {
        let resolved = self.registry.schemas.resolve(schema)?;
        let place = place(schema, &resolved);
        if let (true, Some(callback)) = (resolved.is_pointer, &resolved.declared.callback) {
            let callback = self.callback(callback)?;
            let stars = usize::from(resolved.is_double);
            return Some(CValue { stars, place, ..CValue::new(CBase::Function(Box::new(callback))) });
        }
        let stars = usize::from(resolved.is_pointer) + usize::from(resolved.is_double);
        let base = self.base(&resolved)?;
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

    fn base(&self, schema: &Resolved<'_>) -> Option<CBase> {
        if let (true, Some(handle)) = (schema.is_pointer, &schema.declared.handle) {
            return Some(CBase::Handle(handle.value.clone()));
        }
        if schema.declared.complex.is_some() && matches!(schema.c_type, CType::Float | CType::Double) {
            return Some(CBase::Record(self.registry.complex(schema.c_type)));
        }
        let has_members = |schema: &InlineSchema| schema.properties.is_some();
        let registered = match (schema.json, schema.c_type, &schema.schema.items) {
            (JsonType::Object, CType::Void, _) if has_members(schema.schema) => self.registered(schema),
            // The memory of a state.
            (JsonType::Object, CType::Void, _) if schema.is_pointer && schema.schema.size.is_some() => {
                self.registered(schema)
            }
            (JsonType::Array, CType::Void, Some(items)) => {
                let items = self.registry.schemas.resolve(items)?;
                if let (true, Some(handle)) = (schema.is_double, &items.declared.handle) {
                    return Some(CBase::Handle(handle.value.clone()));
                }
                if has_members(items.schema) { self.registered(&items) } else { Registered::Never }
            }
            _ => Registered::Never,
        };
        match registered {
            Registered::As(record) | Registered::WithErrors(record) => Some(CBase::Record(record)),
            Registered::Never => Some(CBase::Scalar(schema.c_type)),
            Registered::InVain => None,
        }
    }

    fn registered(&self, schema: &Resolved<'_>) -> Registered {
        if let (Registered::Never, Some(path)) = (self.registry.registered(schema), self.path) {
            self.registry.record(schema, path);
        }
        self.registry.registered(schema)
    }

    fn callback(&self, callback: &document::Callback) -> Option<CCallback> {
        let params = callback.parameters.iter().map(|parameter| {
            let name = parameter.name.as_ref().map_or_else(String::new, |name| name.value.clone());
            Some((name, self.value(parameter.schema.as_ref()?, &parameter.keys)?))
        });
        let returns = match &callback.returns {
            Some(schema) => Some(self.value(schema, &Keys::default())?),
            None => None,
        };
        Some(CCallback {
            params: params.collect::<Option<_>>()?,
            returns,
            has_user_data: callback.user_data.is_some(),
            place: callback.span,
        })
    }
}

/// Where the document has the C type of a value: there, or where it refers to the schema with it.
fn place(schema: &Schema, resolved: &Resolved<'_>) -> Span {
    match schema {
        Schema::Reference(reference) if reference.c_type.is_none() => reference.target.span,
        _ => resolved.c_type_span,
    }
}
