//! Arguments from any serde format.
//!
//! Generic over the format, not over the function: the fields are read at run time. A refusal is
//! kept separately from the error of the format, which cannot hold the place.

use std::fmt;

use serde_core::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::arena::Arena;
use super::fault::Fault;
use super::function::{Field, required_are_seen};
use super::serde_value::Value;
use super::slots::Slot;

/// Checks the input of `deserializer` against `fields` and fills `slots`, one per field.
pub(crate) fn read<'de, D: Deserializer<'de>>(
    fields: &[Field],
    deserializer: D,
    slots: &mut [Slot],
    arena: &mut Arena,
) -> Result<(), Fault> {
    let mut fault = None;
    let text = deserializer.is_human_readable();
    let object = Object { fields, slots, arena, fault: &mut fault, text };
    if let Err(error) = deserializer.deserialize_map(object) {
        return Err(fault.unwrap_or_else(|| Fault::new(error.to_string())));
    }
    required_are_seen(fields, slots)
}

/// Keeps the fault of the member or element `step`.
pub(super) fn carry<E: Error>(
    place: &mut Option<Fault>,
    inner: Option<Fault>,
    error: E,
    step: impl fmt::Display,
) -> E {
    *place = Some(inner.unwrap_or_else(|| Fault::new(error.to_string())).inside(step));
    error
}

/// Keeps a fault, and returns an error of the format that stops it.
pub(super) fn stop<E: Error>(place: &mut Option<Fault>, fault: Fault) -> E {
    let error = E::custom(&fault);
    *place = Some(fault);
    error
}

/// The arguments as a whole.
struct Object<'c> {
    fields: &'c [Field],
    slots: &'c mut [Slot],
    arena: &'c mut Arena,
    fault: &'c mut Option<Fault>,
    text: bool,
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of arguments")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) =
            map.next_key_seed(Name(|key: &str| self.fields.iter().position(|field| field.key.name == key)))?
        {
            let index = match key {
                Ok(index) => index,
                Err(unknown) => return Err(stop(self.fault, Fault::unknown(&unknown, self.fields))),
            };
            let field = &self.fields[index];
            if self.slots[index].is_seen() {
                return Err(stop(self.fault, Fault::duplicate(field.key.name)));
            }
            let mut inner = None;
            let seed = Value {
                kind: field.kind,
                nullable: !field.required,
                at: None,
                depth: 1,
                arena: self.arena,
                fault: &mut inner,
                text: self.text,
            };
            match map.next_value_seed(seed) {
                Ok(Some(word)) => self.slots[index] = Slot::filled(field.kind, word),
                Ok(None) => self.slots[index] = Slot::NULL,
                Err(error) => return Err(carry(self.fault, inner, error, field.key.name)),
            }
        }
        Ok(())
    }
}

/// A key: the position of its field or member, or the key itself if it is unknown.
pub(super) struct Name<F>(pub(super) F);

impl<'de, F: Fn(&str) -> Option<usize>> DeserializeSeed<'de> for Name<F> {
    type Value = Result<usize, String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<F: Fn(&str) -> Option<usize>> Visitor<'_> for Name<F> {
    type Value = Result<usize, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok((self.0)(key).ok_or_else(|| key.to_owned()))
    }

    fn visit_bytes<E: Error>(self, key: &[u8]) -> Result<Self::Value, E> {
        self.visit_str(&String::from_utf8_lossy(key))
    }
}
