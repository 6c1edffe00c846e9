//! The interpreter without `Value`: serde_json streams the arguments into the frame and the results
//! out of it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};

use super::frame::{Datum, Frame, Kind, Word};
use super::interpreter::{Interpreter, Parameter};
use crate::Error;

impl Interpreter {
    /// Calls `name`, with serde_json's streaming on both sides.
    ///
    /// # Errors
    ///
    /// The function does not exist, or the arguments are invalid.
    pub fn call_streaming(&self, name: &str, arguments: &str) -> Result<String, Error> {
        let function = self.find(name)?;
        let mut frame = Frame::new();
        let mut deserializer = serde_json::Deserializer::from_str(arguments);
        let object = Object { parameters: &function.parameters, frame: &mut frame };
        deserializer.deserialize_map(object)?;
        deserializer.end()?;
        // SAFETY: `Object` set every input according to its kind.
        unsafe { function.call(&mut frame) };
        let mut out = Vec::with_capacity(64);
        let mut serializer = serde_json::Serializer::new(&mut out);
        let mut results = serializer.serialize_map(None)?;
        function.results(&frame, |name, datum| {
            match datum {
                Datum::Bool(value) => results.serialize_entry(name, &value)?,
                Datum::Signed(value) => results.serialize_entry(name, &value)?,
                Datum::Unsigned(value) => results.serialize_entry(name, &value)?,
                Datum::Double(value) => results.serialize_entry(name, &value)?,
                Datum::Text(text) => results.serialize_entry(name, text)?,
            }
            Ok(())
        })?;
        results.end()?;
        Ok(String::from_utf8(out)?)
    }
}

struct Object<'f> {
    parameters: &'f [Parameter],
    frame: &'f mut Frame,
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of arguments")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen = 0_u32;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            let found = |parameter: &Parameter| parameter.input && parameter.name == key;
            let Some(index) = self.parameters.iter().position(found) else {
                return Err(A::Error::custom("unknown argument"));
            };
            if seen & 1 << index != 0 {
                return Err(A::Error::custom("given twice"));
            }
            seen |= 1 << index;
            map.next_value_seed(Argument { kind: self.parameters[index].kind, index, frame: self.frame })?;
        }
        for (index, parameter) in self.parameters.iter().enumerate() {
            if parameter.input && seen & 1 << index == 0 {
                return Err(A::Error::custom("missing argument"));
            }
        }
        Ok(())
    }
}

struct Argument<'f> {
    kind: Kind,
    index: usize,
    frame: &'f mut Frame,
}

impl Argument<'_> {
    fn set<E: serde::de::Error>(self, word: Result<Word, Error>) -> Result<(), E> {
        self.frame.words[self.index] = word.map_err(E::custom)?;
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Argument<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Argument<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.kind)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<(), E> {
        let word = self.kind.boolean(value);
        self.set(word)
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<(), E> {
        let word = self.kind.integer(value);
        self.set(word)
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<(), E> {
        let word = value.try_into().map_err(Error::from).and_then(|value| self.kind.integer(value));
        self.set(word)
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        let word = self.kind.double(value);
        self.set(word)
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<(), E> {
        if self.kind != Kind::Str {
            return Err(E::custom("unexpected string"));
        }
        self.frame.set_text(self.index, value).map_err(E::custom)
    }
}
