//! Types as people write them in docstrings, as schemas.

use serde_json::Value;

use super::docstring::split_outside;
use opentool::{Schema, SchemaType};

/// Real types are shorter, and a longer one could nest deep.
const MAX_LENGTH: usize = 200;

/// What a docstring says about a parameter besides its name.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Stated {
    /// The type; `None` if there is none, or an unknown one.
    pub(super) schema: Option<Schema>,
    /// Whether the value is optional.
    pub(super) is_optional: bool,
    /// Whether the value is required.
    pub(super) is_required: bool,
    /// The text of an unknown type.
    pub(super) unknown: Option<String>,
}

/// `str, optional`, `List[int]`, `{'a', 'b'}, default 'a'`, `字符串`.
pub(super) fn stated(text: &str) -> Stated {
    let mut stated = Stated::default();
    let mut rest = Some(text).filter(|text| text.len() <= MAX_LENGTH);
    while let Some(text) = rest {
        let (part, after) =
            split_outside(text, &[',', '，']).map_or((text, None), |(part, after)| (part, Some(after)));
        rest = after;
        let part = part.trim().trim_matches('`');
        let lower = part.to_lowercase();
        if ["optional", "可选", "选填", "非必填"].contains(&lower.as_str())
            || lower.starts_with("default")
            || lower.starts_with("默认")
        {
            stated.is_optional = true;
        } else if ["required", "必填", "必选", "必须"].contains(&lower.as_str()) {
            stated.is_required = true;
        } else if lower.is_empty() || stated.schema.is_some() {
            // This part has no information.
        } else {
            stated.schema = schema(part);
            stated.unknown = stated.schema.is_none().then(|| part.to_owned());
        }
    }
    stated
}

fn schema(text: &str) -> Option<Schema> {
    let text = text.trim();
    if let Some(values) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        return enumeration(values);
    }
    if let Some((left, right)) = split_outside(text, &['|']).or_else(|| text.split_once(" or ")) {
        return nullable(left, right);
    }
    if let Some(open) = text.find('[').filter(|open| *open > 0 && text.ends_with(']')) {
        let inner = &text[open + 1..text.len() - 1];
        let name = text[..open].rsplit('.').next().unwrap_or_default();
        return match name {
            "Optional" => nullable(inner, "None"),
            "Union" => split_outside(inner, &[',']).and_then(|(left, right)| nullable(left, right)),
            "Literal" => enumeration(inner),
            _ if inner.is_empty() => Some(array(schema(name))),
            _ => {
                let outer = plain(name)?;
                Some(if outer == SchemaType::Array { array(schema(inner)) } else { Schema::of(outer) })
            }
        };
    }
    if let Some((outer, inner)) = text.split_once(" of ") {
        return (plain(outer)? == SchemaType::Array).then(|| array(schema(inner)));
    }
    plain(text.rsplit('.').next().unwrap_or_default()).map(Schema::of)
}

fn array(items: Option<Schema>) -> Schema {
    Schema { items: items.map(Box::new), ..Schema::of(SchemaType::Array) }
}

/// The other type of a union with `None`.
fn nullable(left: &str, right: &str) -> Option<Schema> {
    let is_none = |text: &str| text.trim().eq_ignore_ascii_case("none");
    let other = if is_none(right) { left } else { Some(right).filter(|_| is_none(left))? };
    schema(other).map(|schema| Schema { nullable: true, ..schema })
}

/// Literal values of one type: quoted strings, or integers.
fn enumeration(text: &str) -> Option<Schema> {
    let values: Option<Vec<Value>> = text.split([',', '，']).map(str::trim).map(value).collect();
    let values = values?;
    let kind = if values.iter().all(Value::is_string) {
        SchemaType::String
    } else {
        Some(SchemaType::Integer).filter(|_| values.iter().all(Value::is_i64))?
    };
    Some(Schema { values: Some(values), ..Schema::of(kind) })
}

fn value(text: &str) -> Option<Value> {
    for quote in ['\'', '"'] {
        if let Some(text) = text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote)) {
            return Some(text.into());
        }
    }
    text.parse::<i64>().ok().map(Value::from)
}

/// A type without arguments, by any of its names.
pub(super) fn plain(name: &str) -> Option<SchemaType> {
    let name = name.trim().to_lowercase();
    Some(match name.as_str() {
        "str" | "string" | "text" | "字符串" | "文本" => SchemaType::String,
        "int" | "integer" | "整数" | "整型" => SchemaType::Integer,
        "float" | "number" | "double" | "decimal" | "数字" | "数值" | "浮点数" => SchemaType::Number,
        "bool" | "boolean" | "布尔" | "布尔值" => SchemaType::Boolean,
        "list" | "array" | "tuple" | "set" | "sequence" | "iterable" | "列表" | "数组" => {
            SchemaType::Array
        }
        "dict" | "object" | "mapping" | "字典" | "对象" => SchemaType::Object,
        _ => return None,
    })
}
