//! Results for any serde format.

use opentool::ToolError;
use serde_core::ser::{Serialize, SerializeMap, Serializer};

use super::EXACT;
use super::datum::{Datum, Flaw, finite, text_of, text_of_units};

/// Results that are kept until the call ends and they can be serialized.
pub(crate) struct Collected {
    results: Vec<(&'static str, Owned)>,
    /// Whether the format is text: as in JSON, wide integers are then strings and NaN is an error.
    text: bool,
}

#[derive(Debug)]
pub(crate) enum Owned {
    Boolean(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f32),
    Double(f64),
    Text(String),
    Null,
    List(Vec<Self>),
    Record(Vec<(&'static str, Self)>),
}

impl Collected {
    pub(crate) fn new(text: bool) -> Self {
        Self { results: Vec::new(), text }
    }

    pub(crate) fn push(&mut self, name: &'static str, datum: Datum<'_>) -> Result<(), Flaw> {
        let owned = self.owned(datum)?;
        self.results.push((name, owned));
        Ok(())
    }

    /// Adds a result that is a copy already.
    pub(crate) fn push_owned(&mut self, name: &'static str, value: Owned) {
        self.results.push((name, value));
    }

    /// Whether the format is text.
    pub(crate) fn is_text(&self) -> bool {
        self.text
    }

    /// All results, as one value.
    pub(crate) fn into_record(self) -> Owned {
        Owned::Record(self.results)
    }

    fn owned(&self, datum: Datum<'_>) -> Result<Owned, Flaw> {
        Ok(match datum {
            Datum::Boolean(value) => Owned::Boolean(value),
            Datum::Signed(value) if self.text && value.unsigned_abs() > EXACT => {
                Owned::Text(value.to_string())
            }
            Datum::Unsigned(value) if self.text && value > EXACT => Owned::Text(value.to_string()),
            Datum::Signed(value) => Owned::Signed(value),
            Datum::Unsigned(value) => Owned::Unsigned(value),
            Datum::Float(value) => {
                self.check(value.into())?;
                if self.text { Owned::Double(as_written(value)) } else { Owned::Float(value) }
            }
            Datum::Double(value) => {
                self.check(value)?;
                Owned::Double(value)
            }
            Datum::Text(text) => Owned::Text(text.to_owned()),
            Datum::Null => Owned::Null,
            Datum::Bytes(bytes, encoding) => Owned::Text(text_of(bytes, encoding)?.into_owned()),
            Datum::Units(units) => Owned::Text(text_of_units(units)?),
            Datum::List(list) => {
                let mut elements = Vec::with_capacity(list.len());
                for (index, element) in list.elements().enumerate() {
                    elements.push(self.owned(element).map_err(|flaw| flaw.inside(index))?);
                }
                Owned::List(elements)
            }
            Datum::Record(record) => {
                let mut members = Vec::new();
                for (name, member) in record.members() {
                    members.push((name, self.owned(member).map_err(|flaw| flaw.inside(name))?));
                }
                Owned::Record(members)
            }
        })
    }

    fn check(&self, value: f64) -> Result<(), Flaw> {
        if self.text { finite(value) } else { Ok(()) }
    }

    pub(crate) fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, ToolError> {
        let map = || -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(Some(self.results.len()))?;
            for (name, value) in &self.results {
                map.serialize_entry(name, value)?;
            }
            map.end()
        };
        map().map_err(|error| ToolError::call_failed(format!("the result cannot be written: {error}")))
    }
}

/// The double with the shortest digits of the float: 0.1 for 0.1, which widening would turn into
/// 0.10000000149011612.
fn as_written(value: f32) -> f64 {
    zmij::Buffer::new().format(value).parse().unwrap_or_else(|_| value.into())
}

impl Serialize for Owned {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::Signed(value) => serializer.serialize_i64(*value),
            Self::Unsigned(value) => serializer.serialize_u64(*value),
            Self::Float(value) => serializer.serialize_f32(*value),
            Self::Double(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Null => serializer.serialize_none(),
            Self::List(elements) => serializer.collect_seq(elements),
            Self::Record(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_formats_write_a_float_as_json_does() {
        let mut collected = Collected::new(true);
        collected.push("f", Datum::Float(0.1)).expect("finite");
        let value = collected.serialize(serde_json::value::Serializer).expect("a map");
        assert_eq!(value.to_string(), r#"{"f":0.1}"#);
    }
}
