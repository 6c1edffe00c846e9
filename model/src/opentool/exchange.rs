//! What a JSON call gives and gets, with exact JSON Schemas.

use opendyn_source::json::write::{Object, Value};

use super::schema::{Direction, Form, Schemas};
use super::{offered, outcome_schema};
use crate::plan::{Default, Field, Function, Types, View};

/// One value of a JSON call.
#[derive(Debug)]
pub struct Exchange<'f> {
    /// Its key.
    pub key: &'f str,
    /// What it means.
    pub description: Option<&'f str>,
    /// Its JSON Schema. Ranges and lengths are keys of it, and a struct, a handle and an enum have their name as
    /// `title`.
    pub schema: Object,
    /// Whether every call has it.
    pub required: bool,
    /// The value that stands for it if it is absent.
    pub default: Option<Value>,
}

/// What a call gives, and what it gets.
#[must_use]
pub fn exchange<'f>(function: &'f Function, types: &Types) -> (Vec<Exchange<'f>>, Vec<Exchange<'f>>) {
    let schemas = |direction| Schemas::new(types, &function.params, Form::Exact, direction);
    let given = offered(function).map(|offer| Exchange {
        key: &offer.param.key,
        description: offer.param.description.as_deref(),
        schema: schemas(Direction::Given).of(offer.kind),
        required: !offer.argument.may_be_left_out(),
        default: offer.argument.default().map(|default| default_value(default, offer.kind.view())),
    });
    let got = function.outcomes.iter().map(|outcome| Exchange {
        key: &outcome.key,
        description: outcome.description.as_deref(),
        schema: outcome_schema(outcome, function, schemas(Direction::Returned)),
        required: true,
        default: None,
    });
    (given.collect(), got.collect())
}

/// The schema of a member of a struct; `None` for a pointer that is not followed.
#[must_use]
pub fn field_schema(field: &Field, types: &Types) -> Option<Object> {
    Schemas::new(types, &[], Form::Exact, Direction::Given).member(&field.kind())
}

/// A default as a JSON caller would give it.
#[must_use]
pub fn default_value(value: &Default, view: View) -> Value {
    match value {
        Default::Bool(value) => (*value).into(),
        Default::Integer(value) if view == View::Character => {
            char::from(u8::try_from(*value).unwrap_or_default()).to_string().into()
        }
        Default::Integer(value) => (*value).into(),
        Default::Number(value) => (*value).into(),
        Default::Text(text) => text.into(),
    }
}
