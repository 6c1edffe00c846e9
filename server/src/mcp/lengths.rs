//! How many bytes a result has where it has bytes: a model cannot count them in base64 or hex.
//!
//! Where that is comes from the schemas, once per document. The result of a function that returns bytes is read once more, as
//! text; that of any other costs one lookup of its name.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::executor::is_same;
use opentool::{Function, OpenTool, Schema, SchemaType, ToolError};

/// Schemas inside of each other, and all schemas of a function. What is beyond is not counted.
const DEPTH: usize = 16;
const SCHEMAS: usize = 10_000;
/// How many lengths a reply says.
const SHOWN: usize = 16;

/// The functions that return bytes, of the document that was seen last.
#[derive(Default)]
pub(super) struct Lengths {
    last: Mutex<(Option<Arc<OpenTool>>, Arc<Places>)>,
}

impl Lengths {
    /// The places of `document`.
    pub(super) fn know(&self, document: &Arc<OpenTool>) -> Arc<Places> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_same(last.0.as_ref(), Some(document)) {
            *last = (Some(Arc::clone(document)), Arc::new(Places::of(document)));
        }
        Arc::clone(&last.1)
    }

    /// Whether the function returned bytes when it was seen last.
    pub(super) fn has(&self, function: &str) -> bool {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.1.functions.contains_key(function)
    }
}

/// Where results have bytes, by the name of the function.
#[derive(Default)]
pub(super) struct Places {
    functions: HashMap<String, Place>,
}

enum Place {
    Bytes(Spelling),
    Members(Vec<(String, Place)>),
    Items(Box<Place>),
}

#[derive(Clone, Copy)]
enum Spelling {
    Base64,
    Hex,
}

impl Spelling {
    fn of(name: &str) -> Option<Self> {
        match name {
            "base64" => Some(Self::Base64),
            "hex" => Some(Self::Hex),
            _ => None,
        }
    }

    fn length(self, text: &str) -> usize {
        match self {
            Self::Base64 => text.trim_end_matches('=').len() * 3 / 4,
            Self::Hex => text.len() / 2,
        }
    }
}

impl Places {
    fn of(document: &OpenTool) -> Self {
        let of_function = |function: &Function| {
            let returned = function.returns.as_ref()?;
            let schema = &returned.schema;
            let mut finder = Finder { document, left: SCHEMAS };
            let place = finder.place(schema, DEPTH)?;
            let place = match place {
                Place::Members(_) if returned.spread => place,
                place => Place::Members(vec![(returned.name.clone(), place)]),
            };
            Some((function.name.clone(), place))
        };
        Self { functions: document.functions.iter().filter_map(of_function).collect() }
    }

    /// What a reply of the function says of its bytes: `` `dest`: 13 bytes``. A failed call may have outputs.
    pub(super) fn told(&self, function: &str, reply: &Result<Vec<u8>, ToolError>) -> Option<String> {
        let place = self.functions.get(function)?;
        match reply {
            Ok(text) => counted(place, str::from_utf8(text).ok()?),
            Err(ToolError::CallFailed { details: Some(details), .. }) if !details.outputs.is_empty() => {
                counted(place, &Value::Object(details.outputs.clone()).to_string())
            }
            Err(_) => None,
        }
    }
}

/// Looks for bytes in the schemas of a function.
struct Finder<'d> {
    document: &'d OpenTool,
    /// How many schemas are still looked at.
    left: usize,
}

impl Finder<'_> {
    fn place(&mut self, schema: &Schema, depth: usize) -> Option<Place> {
        let depth = depth.checked_sub(1)?;
        self.left = self.left.checked_sub(1)?;
        if let Some(reference) = &schema.reference {
            let document = self.document;
            return self.place(document.schemas.get(&Schema::referred(reference)?)?, depth);
        }
        match schema.kind {
            SchemaType::String => Spelling::of(schema.encoding.as_deref()?).map(Place::Bytes),
            SchemaType::Array => Some(Place::Items(Box::new(self.place(schema.items.as_deref()?, depth)?))),
            SchemaType::Object => {
                let mut members = Vec::new();
                for (key, member) in schema.properties.iter().flatten() {
                    members.extend(self.place(member, depth).map(|place| (key.clone(), place)));
                }
                for form in schema.any_of.iter().flatten() {
                    if let Some(Place::Members(of_form)) = self.place(form, depth) {
                        members.extend(of_form);
                    }
                }
                (!members.is_empty()).then_some(Place::Members(members))
            }
            SchemaType::Boolean | SchemaType::Integer | SchemaType::Number => None,
        }
    }
}

/// The lengths in a JSON text. `None` if it is not JSON, or has no bytes.
fn counted(place: &Place, text: &str) -> Option<String> {
    let mut told = Told::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    Reader { place, told: &mut told }.deserialize(&mut reader).and_then(|()| reader.end()).ok()?;
    if told.count > SHOWN {
        // A `String` takes everything.
        let _ = write!(told.text, ", and {} more", told.count - SHOWN);
    }
    (told.count > 0).then_some(told.text)
}

/// The lengths that were read.
#[derive(Default)]
struct Told {
    /// Where the reader is: `rows[0].key`.
    path: String,
    text: String,
    count: usize,
}

impl Told {
    fn add(&mut self, length: usize) {
        self.count += 1;
        if self.count <= SHOWN {
            let comma = if self.text.is_empty() { "" } else { ", " };
            let unit = if length == 1 { "byte" } else { "bytes" };
            let _ = write!(self.text, "{comma}`{}`: {length} {unit}", self.path);
        }
    }
}

/// Reads a value that has bytes at this place.
struct Reader<'p, 't> {
    place: &'p Place,
    told: &'t mut Told,
}

impl<'de> DeserializeSeed<'de> for Reader<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

/// A value of another type than its schema says has no length.
impl<'de> Visitor<'de> for Reader<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if let Place::Bytes(spelling) = self.place {
            self.told.add(spelling.length(text));
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Place::Items(place) = self.place else {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(());
        };
        let outside = self.told.path.len();
        for index in 0.. {
            let _ = write!(self.told.path, "[{index}]");
            let item = items.next_element_seed(Reader { place, told: self.told })?;
            self.told.path.truncate(outside);
            if item.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let places = match self.place {
            Place::Members(places) => places.as_slice(),
            Place::Bytes(_) | Place::Items(_) => &[],
        };
        let outside = self.told.path.len();
        while let Some(key) = members.next_key::<Cow<'de, str>>()? {
            let Some((_, place)) = places.iter().find(|(name, _)| *name == key) else {
                members.next_value::<IgnoredAny>()?;
                continue;
            };
            let dot = if outside == 0 { "" } else { "." };
            let _ = write!(self.told.path, "{dot}{key}");
            members.next_value_seed(Reader { place, told: self.told })?;
            self.told.path.truncate(outside);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn places(returned: &Value) -> Places {
        let document = json!({
            "opentool": "1.0.0", "info": {"title": "t", "version": "1"},
            "functions": [{"name": "f", "description": "d", "parameters": [], "return": returned}],
            "schemas": {
                "Key": {"type": "string", "x-encoding": "hex"},
                "Round": {"type": "object", "properties": {
                    "key": {"$ref": "#/schemas/Key"}, "left": {"$ref": "#/schemas/Round"}, "right": {"$ref": "#/schemas/Round"}
                }}
            }
        });
        Places::of(&serde_json::from_value(document).expect("a document"))
    }

    fn told(returned: &Value, reply: &str) -> Option<String> {
        places(returned).told("f", &Ok(reply.as_bytes().to_vec()))
    }

    #[test]
    fn bytes_in_base64_and_hex_are_counted() {
        let bytes =
            |encoding: &str| json!({"name": "dest", "schema": {"type": "string", "x-encoding": encoding}});
        for (encoding, text, expected) in [
            ("base64", "", "0 bytes"),
            ("base64", "YQ==", "1 byte"),
            ("base64", "YWI=", "2 bytes"),
            ("base64", "YWJj", "3 bytes"),
            ("base64", "YQ", "1 byte"),
            ("base64", "\\/+\\u0041A", "3 bytes"),
            ("hex", "0a0b", "2 bytes"),
        ] {
            let told = told(&bytes(encoding), &format!(r#"{{"n":1,"dest":"{text}"}}"#));
            assert_eq!(told, Some(format!("`dest`: {expected}")), "{text}");
        }
        for reply in [r#"{"dest":null}"#, r#"{"dest":7}"#, "{}", r#"{"dest":"YQ=="#, r#"{"dest":"YQ=="} x"#] {
            assert_eq!(told(&bytes("base64"), reply), None, "{reply}");
        }
        assert_eq!(told(&bytes("base32"), r#"{"dest":"YQ=="}"#), None);
        assert_eq!(places(&bytes("hex")).told("g", &Ok(br#"{"dest":"00"}"#.to_vec())), None);
    }

    #[test]
    fn bytes_inside_of_lists_and_objects_have_a_path() {
        let key = json!({"$ref": "#/schemas/Key"});
        let union = json!({"type": "object", "anyOf": [
            {"type": "object", "properties": {"number": {"type": "integer"}}},
            {"type": "object", "properties": {"blob": {"type": "string", "x-encoding": "base64"}}}
        ]});
        let members = json!({"type": "object", "properties": {
            "keys": {"type": "array", "items": key}, "value": union, "name": {"type": "string"}
        }});
        let reply = r#"{"name":"00","keys":["00",null,"0011"],"value":{"blob":"YWI="}}"#;
        let expected = "`keys[0]`: 1 byte, `keys[2]`: 2 bytes, `value.blob`: 2 bytes";
        let spread = json!({"name": "r", "schema": members, "x-spread": true});
        assert_eq!(told(&spread, reply).as_deref(), Some(expected));
        let expected = "`r.keys[0]`: 1 byte, `r.keys[2]`: 2 bytes, `r.value.blob`: 2 bytes";
        let whole = json!({"name": "r", "schema": members});
        assert_eq!(told(&whole, &format!(r#"{{"r":{reply}}}"#)).as_deref(), Some(expected));
    }

    #[test]
    fn many_lengths_are_cut() {
        let keys = json!({"type": "array", "items": {"$ref": "#/schemas/Key"}});
        let reply = json!({"keys": vec!["00"; SHOWN + 3]}).to_string();
        let told = told(&json!({"name": "keys", "schema": keys}), &reply).expect("lengths");
        assert!(told.ends_with("`keys[15]`: 1 byte, and 3 more"), "{told}");
    }

    #[test]
    fn a_schema_that_contains_itself_ends() {
        let round = json!({"name": "r", "schema": {"$ref": "#/schemas/Round"}});
        let told = told(&round, r#"{"r":{"left":{"key":"00"},"key":""}}"#);
        assert_eq!(told.as_deref(), Some("`r.left.key`: 1 byte, `r.key`: 0 bytes"));
    }

    #[test]
    fn the_outputs_of_a_failed_call_are_counted() {
        let places = places(&json!({"name": "dest", "schema": {"$ref": "#/schemas/Key"}}));
        let Value::Object(outputs) = json!({"dest": "0011"}) else { panic!("an object") };
        let failed = ToolError::call_failed_with(5, "come back");
        assert_eq!(places.told("f", &Err(failed.clone())), None);
        let failed = failed.with_details(None, outputs);
        assert_eq!(places.told("f", &Err(failed)).as_deref(), Some("`dest`: 2 bytes"));
    }
}
