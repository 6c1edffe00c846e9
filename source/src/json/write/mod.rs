//! JSON text that is made here: objects keep the order in which their keys were set.
//!
//! ```
//! use opendyn_source::json::write::Value;
//! use opendyn_source::object;
//!
//! let mut schema = object! { "type": "integer", "enum": [1, 2] };
//! schema.set("description", format!("{} is red.", 1));
//! if schema.get("minimum").is_none() {
//!     schema.set("minimum", Value::Null);
//! }
//! let text = object! { "name": "colour", "schema": schema }.to_string();
//! assert_eq!(
//!     text,
//!     r#"{"name":"colour","schema":{"type":"integer","enum":[1,2],"description":"1 is red.","minimum":null}}"#,
//! );
//! ```
//!
//! `to_string()` writes one line, `format!("{value:#}")` indents by two spaces. The text is the one that serde_json
//! writes; only where two shortest forms of a fraction are equally near, either may be chosen.

mod print;

use std::borrow::Cow;

/// A value that will be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without a fraction.
    Integer(i128),
    /// A number with a fraction; NaN and the infinities are written as `null`.
    Number(f64),
    /// A string.
    String(Cow<'static, str>),
    /// The elements.
    Array(Vec<Value>),
    /// The members.
    Object(Object),
}

impl Value {
    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }
}

/// The members of an object, in order. [`object!`](crate::object!) makes one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    members: Vec<(Cow<'static, str>, Value)>,
}

impl Object {
    /// An object without members.
    #[must_use]
    pub const fn new() -> Self {
        Self { members: Vec::new() }
    }

    /// Gives `key` a value: a new one at the end, a known one where it stands.
    pub fn set(&mut self, key: impl Into<Cow<'static, str>>, value: impl Into<Value>) {
        self.set_value(key.into(), value.into());
    }

    fn set_value(&mut self, key: Cow<'static, str>, value: Value) {
        match self.members.iter_mut().find(|member| member.0 == key) {
            Some(member) => member.1 = value,
            None => self.members.push((key, value)),
        }
    }

    /// Adds a member at the end, without looking whether the object has the key already: it must not.
    pub fn push(&mut self, key: impl Into<Cow<'static, str>>, value: impl Into<Value>) {
        self.members.push((key.into(), value.into()));
    }

    /// The value of `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.iter().find(|member| member.0 == key).map(|member| member.1)
    }

    /// Every key with its value, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.members.iter().map(|(key, value)| (&**key, value))
    }

    /// Whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

/// Keys must be distinct, as for [`Object::push`].
impl<K: Into<Cow<'static, str>>, V: Into<Value>> FromIterator<(K, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Self {
        Self { members: members.into_iter().map(|(key, value)| (key.into(), value.into())).collect() }
    }
}

/// An [`Object`](crate::json::write::Object) from distinct keys and their values: `object! { "type": "integer" }`.
#[macro_export]
macro_rules! object {
    ($($key:literal: $value:expr),* $(,)?) => {{
        #[allow(unused_mut)]
        let mut object = $crate::json::write::Object::new();
        $(object.push($key, $value);)*
        object
    }};
}

macro_rules! from {
    ($($from:ty => |$value:ident| $into:expr;)*) => {
        $(impl From<$from> for Value {
            fn from($value: $from) -> Self {
                $into
            }
        })*
    };
}

from! {
    bool => |value| Self::Bool(value);
    i32 => |value| Self::Integer(value.into());
    i64 => |value| Self::Integer(value.into());
    i128 => |value| Self::Integer(value);
    u32 => |value| Self::Integer(value.into());
    u64 => |value| Self::Integer(value.into());
    // No target has more than 64 bits.
    usize => |value| Self::Integer(value as i128);
    f64 => |value| Self::Number(value);
    &'static str => |value| Self::String(Cow::Borrowed(value));
    String => |value| Self::String(Cow::Owned(value));
    &String => |value| Self::String(Cow::Owned(value.clone()));
    Object => |value| Self::Object(value);
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(elements: Vec<T>) -> Self {
        elements.into_iter().collect()
    }
}

impl<T: Into<Self>, const N: usize> From<[T; N]> for Value {
    fn from(elements: [T; N]) -> Self {
        elements.into_iter().collect()
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// An array.
impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self::Array(elements.into_iter().map(Into::into).collect())
    }
}
