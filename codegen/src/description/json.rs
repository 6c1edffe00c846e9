//! Converts the JSON values that the model writes to values that can be inspected.

use opendyn_source::json::write;
use serde_json::{Map, Value};

/// The same value.
pub(super) fn value(of: &write::Value) -> Value {
    match of {
        write::Value::Null => Value::Null,
        write::Value::Bool(truth) => (*truth).into(),
        // 64 bits hold every integer of a C type.
        write::Value::Integer(integer) => u64::try_from(*integer)
            .map_or_else(|_| i64::try_from(*integer).unwrap_or(i64::MIN).into(), Value::from),
        write::Value::Number(number) => (*number).into(),
        write::Value::String(text) => text.as_ref().into(),
        write::Value::Array(elements) => elements.iter().map(value).collect(),
        write::Value::Object(members) => object(members),
    }
}

/// The same object.
pub(super) fn object(of: &write::Object) -> Value {
    let members: Map<String, Value> =
        of.iter().map(|(key, member)| (key.to_owned(), value(member))).collect();
    Value::Object(members)
}
