//! One value from any serde format: an argument, or a value inside one.

use std::fmt;

use serde_core::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::arena::Arena;
use super::convert;
use super::fault::Fault;
use super::from_serde::{Name, carry, stop};
use super::kind::Kind;
use super::record::{Filling, Record};
use super::{MAX_ARGUMENTS, MAX_DEPTH};
use crate::encoding::Encoding;

/// Reads a value of `kind`: the word of its slot, or 0 if it is written to the arena; `None` for
/// null.
pub(super) struct Value<'c> {
    pub(super) kind: Kind,
    pub(super) nullable: bool,
    /// The byte offset in the arena, if it is inside a list or a record.
    pub(super) at: Option<usize>,
    /// How many arrays and objects enclose it.
    pub(super) depth: usize,
    pub(super) arena: &'c mut Arena,
    pub(super) fault: &'c mut Option<Fault>,
    pub(super) text: bool,
}

/// The result of reading a value.
pub(super) type Word = Option<u64>;

impl Value<'_> {
    fn end<E: Error>(self, word: Result<u64, Fault>) -> Result<Word, E> {
        match (word, self.at) {
            (Ok(word), None) => Ok(Some(word)),
            (Ok(word), Some(at)) => {
                self.arena.put_as(self.kind, at, word);
                Ok(Some(0))
            }
            (Err(fault), _) => Err(stop(self.fault, fault)),
        }
    }

    /// A value inside this one, for byte offset `at`.
    pub(super) fn inner<'i>(&'i mut self, kind: Kind, at: usize, fault: &'i mut Option<Fault>) -> Value<'i> {
        Value {
            kind,
            nullable: false,
            at: Some(at),
            depth: self.depth + 1,
            arena: self.arena,
            fault,
            text: self.text,
        }
    }

    /// A value of `kind` inside this one, in an arena that the caller sets.
    fn inner_of<'i>(&'i mut self, kind: Kind) -> Value<'i> {
        Value {
            kind,
            nullable: false,
            at: None,
            depth: self.depth,
            arena: self.arena,
            fault: self.fault,
            text: self.text,
        }
    }

    fn wrong_type<E: Error>(self, is: &str) -> E {
        stop(self.fault, Fault::wrong_type("the value", is, self.kind))
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = Word;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Word, D::Error> {
        if self.depth > MAX_DEPTH {
            return Err(stop(self.fault, Fault::too_deep()));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = Word;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Word, E> {
        let word = convert::boolean(self.kind, value);
        self.end(word)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Word, E> {
        let word = convert::integer(self.kind, value < 0, value.unsigned_abs());
        self.end(word)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Word, E> {
        let word = convert::integer(self.kind, false, value);
        self.end(word)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Word, E> {
        let word = convert::float(self.kind, value, self.text);
        self.end(word)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Word, E> {
        if value.len() > MAX_ARGUMENTS {
            return Err(stop(self.fault, Fault::too_long(value.len(), MAX_ARGUMENTS)));
        }
        let word = match self.at {
            None => convert::string(self.kind, value, self.arena),
            Some(at) => convert::string_in_place(self.kind, value, at, self.arena).map(|()| 0),
        };
        word.map(Some).map_err(|fault| stop(self.fault, fault))
    }

    /// Binary formats have bytes, where JSON has their text in base64 or hex.
    fn visit_bytes<E: Error>(self, value: &[u8]) -> Result<Word, E> {
        if value.len() > MAX_ARGUMENTS {
            return Err(stop(self.fault, Fault::too_long(value.len(), MAX_ARGUMENTS)));
        }
        let word = match self.at {
            None => convert::bytes(self.kind, value, self.arena),
            Some(at) => convert::bytes_in_place(self.kind, value, at, self.arena).map(|()| 0),
        };
        word.map(Some).map_err(|fault| stop(self.fault, fault))
    }

    fn visit_unit<E: Error>(self) -> Result<Word, E> {
        if self.nullable {
            return Ok(None);
        }
        Err(stop(self.fault, Fault::wrong_type("null", "null", self.kind)))
    }

    fn visit_none<E: Error>(self) -> Result<Word, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Word, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, elements: A) -> Result<Word, A::Error> {
        match (self.kind, self.at) {
            (Kind::List(element), None) => {
                let mut list = self.arena.begin_list();
                let nullable = matches!(element, Kind::Nullable(_));
                self.elements(elements, (*element, nullable), |arena, _| {
                    arena.extend(&mut list, element.size())
                })?;
                Ok(Some(self.arena.end_list(list)))
            }
            (Kind::Fixed((element, count)), place) => {
                let (kind, size) = (self.kind, element.size());
                let (at, word) = match place {
                    Some(at) => (at, 0),
                    None => {
                        self.arena.reserve(kind.size(), *count).map_err(|fault| stop(self.fault, fault))?
                    }
                };
                let found = self.elements(elements, (*element, false), |_, index| {
                    if index < *count { Ok(at + index * size) } else { Err(Fault::one_too_many(kind)) }
                })?;
                if found < *count {
                    return Err(stop(self.fault, Fault::too_few(found, kind)));
                }
                Ok(Some(word))
            }
            (Kind::Many(many), Some(at)) if many.text.is_none() => {
                let mut inner = self.arena.inner();
                let mut list = inner.begin_list();
                let mut nested = Value { arena: &mut inner, ..self.inner_of(many.of) };
                let size = many.of.size();
                let count = nested.elements(elements, (many.of, many.nullable_items), |arena, _| {
                    arena.extend(&mut list, size)
                })?;
                // What ends at a zero has one more.
                let adopted =
                    inner.extend(&mut list, size).and_then(|_| many.adopt(inner, count, at, self.arena));
                adopted.map(|()| Some(0)).map_err(|fault| stop(self.fault, fault))
            }
            _ => Err(self.wrong_type("an array")),
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, map: A) -> Result<Word, A::Error> {
        let record = match (self.kind.resolved(), self.at) {
            (Kind::Record(record), _) => record,
            (Kind::Union(union), Some(at)) => return self.union(map, union, at),
            (Kind::Pointed(target), Some(at)) => {
                let record = target.get();
                let mut inner = self.arena.inner();
                let (place, _) = inner.reserve(record.size, 1).map_err(|fault| stop(self.fault, fault))?;
                let mut nested = Value { arena: &mut inner, ..self.inner_of(self.kind) };
                nested.record(map, record, place)?;
                let adopted = self.arena.adopt(at, inner);
                return adopted.map(|()| Some(0)).map_err(|fault| stop(self.fault, fault));
            }
            (kind, _) => {
                return match kind.of_bytes() {
                    Some(encoding) => self.respelled(map, encoding),
                    None => Err(self.wrong_type("an object")),
                };
            }
        };
        let (at, word) = match self.at {
            Some(at) => (at, 0),
            None => self.arena.reserve(record.size, 1).map_err(|fault| stop(self.fault, fault))?,
        };
        self.record(map, record, at)?;
        Ok(Some(word))
    }
}

impl Value<'_> {
    /// Reads bytes that are spelled in another way.
    fn respelled<'de, A: MapAccess<'de>>(self, mut map: A, encoding: Encoding) -> Result<Word, A::Error> {
        let Some((key, value)) = map.next_entry::<String, String>()? else {
            return Err(self.wrong_type("an object"));
        };
        match (encoding.respelled(&key, &value), map.next_key::<IgnoredAny>()?) {
            (Some(Ok(text)), None) => self.visit_str(&text),
            (Some(Err(message)), None) => Err(stop(self.fault, Fault::new(message))),
            _ => Err(self.wrong_type("an object")),
        }
    }

    /// Reads the elements of an array, each to the byte offset that `place` returns, and returns their
    /// number.
    fn elements<'de, A: SeqAccess<'de>>(
        &mut self,
        mut elements: A,
        (kind, nullable): (Kind, bool),
        mut place: impl FnMut(&mut Arena, usize) -> Result<usize, Fault>,
    ) -> Result<usize, A::Error> {
        for index in 0.. {
            let mut fault = None;
            let mut value = self.inner(kind, 0, &mut fault);
            value.nullable = nullable;
            let element = Element { value, place: &mut place, index };
            match elements.next_element_seed(element) {
                Ok(Some(_)) => {}
                Ok(None) => return Ok(index),
                Err(error) => return Err(carry(self.fault, fault, error, index)),
            }
        }
        Ok(usize::MAX)
    }

    /// Reads the members of an object to byte offset `at`.
    fn record<'de, A: MapAccess<'de>>(
        &mut self,
        mut map: A,
        record: &'static Record,
        at: usize,
    ) -> Result<(), A::Error> {
        let mut filling = Filling::new(record, at);
        while let Some(key) = map.next_key_seed(Name(|key: &str| record.position(key)))? {
            let member = match key {
                Ok(index) => filling.see(index),
                Err(unknown) => Err(Fault::unknown_member(&unknown, record)),
            };
            let member = member.map_err(|fault| stop(self.fault, fault))?;
            let mut fault = None;
            let mut seed = self.inner(member.kind, at + member.offset, &mut fault);
            seed.nullable = member.takes_null();
            if let Err(error) = map.next_value_seed(seed).and_then(|word| match word {
                Some(_) => Ok(()),
                None => member.leave_out(at, self.arena).map_err(A::Error::custom),
            }) {
                return Err(carry(self.fault, fault, error, member.key.name));
            }
        }
        filling.finish(self.arena).map_err(|fault| stop(self.fault, fault))
    }
}

/// An element of an array. Memory is reserved only once the element exists.
struct Element<'c, P> {
    value: Value<'c>,
    place: P,
    index: usize,
}

impl<'de, P: FnMut(&mut Arena, usize) -> Result<usize, Fault>> DeserializeSeed<'de> for Element<'_, P> {
    type Value = Word;

    fn deserialize<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<Word, D::Error> {
        match (self.place)(self.value.arena, self.index) {
            Ok(at) => Value { at: Some(at), ..self.value }.deserialize(deserializer),
            Err(fault) => Err(stop(self.value.fault, fault)),
        }
    }
}
