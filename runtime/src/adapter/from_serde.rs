//! Arguments from any serde format.
//!
//! Generic over the format, not over the function: the fields are looked at while it runs.
//! What is refused is kept beside the format's own error, which could not carry the place.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::MAX_ARGUMENTS;
use super::arena::Arena;
use super::convert;
use super::fault::Fault;
use super::function::{Field, required_are_seen};
use super::kind::Kind;
use super::slots::Slot;

/// Checks what `deserializer` holds against `fields` and fills `slots`, one a field.
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

/// Keeps a fault, and gives the format an error of its own kind to stop with.
fn stop<E: Error>(place: &mut Option<Fault>, fault: Fault) -> E {
    let error = E::custom(&fault);
    *place = Some(fault);
    error
}

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
        while let Some(key) = map.next_key_seed(Key(self.fields))? {
            let index = match key {
                Ok(index) => index,
                Err(unknown) => return Err(stop(self.fault, Fault::unknown(&unknown, self.fields))),
            };
            let field = &self.fields[index];
            if self.slots[index].is_seen() {
                return Err(stop(self.fault, Fault::duplicate(field)));
            }
            let mut inner = None;
            let seed = Argument {
                kind: field.kind,
                required: field.required,
                arena: self.arena,
                fault: &mut inner,
                text: self.text,
            };
            match map.next_value_seed(seed) {
                Ok(slot) => self.slots[index] = slot,
                Err(error) => {
                    let fault = inner.unwrap_or_else(|| Fault::new(error.to_string()));
                    *self.fault = Some(fault.inside(field.key.name));
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

/// A key: the position of its field, or the key itself where no field has it.
struct Key<'c>(&'c [Field]);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Result<usize, String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Result<usize, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an argument")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|field| field.key.name == key).ok_or_else(|| key.to_owned()))
    }

    fn visit_bytes<E: Error>(self, key: &[u8]) -> Result<Self::Value, E> {
        self.visit_str(&String::from_utf8_lossy(key))
    }
}

/// A value for a field of `kind`.
struct Argument<'c> {
    kind: Kind,
    required: bool,
    arena: &'c mut Arena,
    fault: &'c mut Option<Fault>,
    text: bool,
}

impl Argument<'_> {
    fn end<E: Error>(self, word: Result<u64, Fault>) -> Result<Slot, E> {
        word.map(|word| Slot::filled(self.kind, word)).map_err(|fault| stop(self.fault, fault))
    }
}

impl<'de> DeserializeSeed<'de> for Argument<'_> {
    type Value = Slot;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Slot, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Argument<'_> {
    type Value = Slot;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Slot, E> {
        let word = convert::boolean(self.kind, value);
        self.end(word)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Slot, E> {
        let word = convert::integer(self.kind, value < 0, value.unsigned_abs());
        self.end(word)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Slot, E> {
        let word = convert::integer(self.kind, false, value);
        self.end(word)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Slot, E> {
        let word = convert::float(self.kind, value, self.text);
        self.end(word)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Slot, E> {
        if value.len() > MAX_ARGUMENTS {
            return Err(stop(self.fault, Fault::too_long(value.len(), MAX_ARGUMENTS)));
        }
        let word = convert::string(self.kind, value, self.arena);
        self.end(word)
    }

    fn visit_unit<E: Error>(self) -> Result<Slot, E> {
        if self.required {
            let fault = Fault::wrong_type("null", "null", self.kind);
            return Err(stop(self.fault, fault));
        }
        Ok(Slot::NULL)
    }

    fn visit_none<E: Error>(self) -> Result<Slot, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Slot, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Slot, A::Error> {
        let Kind::List(kind) = self.kind else {
            return Err(stop(self.fault, Fault::wrong_type("the value", "an array", self.kind)));
        };
        // Collected first: an element may itself use the arena.
        let mut words = Vec::new();
        loop {
            let mut inner = None;
            let seed = Argument {
                kind: *kind,
                required: true,
                arena: self.arena,
                fault: &mut inner,
                text: self.text,
            };
            match elements.next_element_seed(Word(seed)) {
                Ok(Some(word)) => words.push(word),
                Ok(None) => break,
                Err(error) => {
                    let fault = inner.unwrap_or_else(|| Fault::new(error.to_string()));
                    *self.fault = Some(fault.inside(words.len()));
                    return Err(error);
                }
            }
        }
        let size = kind.size();
        if words.len() * size > MAX_ARGUMENTS {
            return Err(stop(self.fault, Fault::too_long(words.len() * size, MAX_ARGUMENTS)));
        }
        let mut list = self.arena.begin_list();
        for word in words {
            self.arena.push_element(&mut list, word, size);
        }
        Ok(Slot::filled(self.kind, self.arena.end_list(list)))
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Slot, A::Error> {
        Err(stop(self.fault, Fault::wrong_type("the value", "an object", self.kind)))
    }
}

/// An element: the word of its slot.
struct Word<'c>(Argument<'c>);

impl<'de> DeserializeSeed<'de> for Word<'_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        self.0.deserialize(deserializer).map(Slot::word)
    }
}
