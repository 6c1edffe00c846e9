//! Documents that each differ from a correct one in one C fact.
//!
//! Changes that make no difference to a call are not mistakes and are left out; `equal` says why.

use serde_json::{Map, Value, json};

/// A document with one mistake.
pub(crate) struct Mutant {
    /// The kind of mistake.
    pub(crate) kind: &'static str,
    /// The place, and the new value.
    pub(crate) what: String,
    pub(crate) document: String,
}

/// Creates mutants of a document.
pub(crate) struct Maker {
    original: Value,
    pub(crate) made: Vec<Mutant>,
}

/// Integers by their width on 64-bit Linux.
const SIGNED: [(&str, u64); 4] = [("char", 1), ("short", 2), ("int", 4), ("long", 8)];
const UNSIGNED: [(&str, u64); 4] =
    [("unsigned char", 1), ("unsigned short", 2), ("unsigned int", 4), ("unsigned long", 8)];

impl Maker {
    pub(crate) fn new(document: &str) -> Self {
        Self { original: serde_json::from_str(document).expect("it is JSON"), made: Vec::new() }
    }

    /// All mutants.
    pub(crate) fn make(mut self) -> Vec<Mutant> {
        for pointer in pointers(&self.original, "") {
            let Some(object) = self.original.pointer(&pointer).and_then(Value::as_object).cloned() else {
                continue;
            };
            if pointer.ends_with("/cType") {
                self.c_type(&pointer, &object);
            }
            if object.contains_key("properties") {
                self.record(&pointer, &object);
            } else if object.contains_key("x-size") {
                self.change(
                    "struct",
                    &format!("{pointer}/x-size"),
                    json!(object["x-size"].as_u64().map(|size| size - 1)),
                );
                if object["x-align"] != json!(1) {
                    let half = object["x-align"].as_u64().map(|align| align / 2);
                    self.change("struct", &format!("{pointer}/x-align"), json!(half));
                }
            }
            if object.contains_key("x-callback") {
                self.parameters("callback", &format!("{pointer}/x-callback"));
                self.returned("callback", &format!("{pointer}/x-callback"));
            }
        }
        for index in 0..self.original["functions"].as_array().map_or(0, Vec::len) {
            self.function(&format!("/functions/{index}"));
        }
        self.made
    }

    /// The document with another value at a place.
    fn change(&mut self, kind: &'static str, pointer: &str, to: Value) {
        let mut document = self.original.clone();
        let what = format!("{} → {to}", self.name(pointer));
        if let Some(place) = document.pointer_mut(pointer) {
            *place = to;
        }
        // The other functions are unchanged and would only take time.
        let mut parts = pointer.split('/').skip(1);
        if let (Some("functions"), Some(Ok(index))) = (parts.next(), parts.next().map(str::parse::<usize>)) {
            let function = document["functions"][index].take();
            document["functions"] = json!([function]);
        }
        self.made.push(Mutant { kind, what, document: document.to_string() });
    }

    /// A place, with the name of the function in place of its index.
    fn name(&self, pointer: &str) -> String {
        let mut parts = pointer.split('/').skip(1);
        match (parts.next(), parts.next()) {
            (Some("functions"), Some(index)) => {
                let name = &self.original["functions"][index.parse::<usize>().unwrap_or_default()]["name"];
                let rest: Vec<&str> = parts.collect();
                format!("{}/{}", name.as_str().unwrap_or_default(), rest.join("/"))
            }
            _ => pointer.to_owned(),
        }
    }

    fn c_type(&mut self, pointer: &str, object: &Map<String, Value>) {
        if equal(&self.name(pointer), "everything").is_some() {
            return;
        }
        let name = object["type"].as_str().unwrap_or_default();
        let is_pointer = object["isPointer"] == json!(true);
        let with = |name: &str, spelling: Option<&str>| {
            let mut changed = object.clone();
            changed.insert("type".to_owned(), json!(name));
            changed.remove("x-cType");
            changed.extend(spelling.map(|spelling| ("x-cType".to_owned(), json!(spelling))));
            Value::Object(changed)
        };
        let own =
            SIGNED.iter().chain(&UNSIGNED).find(|(other, _)| *other == name.replace("long long", "long"));
        let place = self.name(pointer);
        if let Some((_, width)) = own {
            let (same, other) = match name.starts_with("unsigned") {
                true => (UNSIGNED, SIGNED),
                false => (SIGNED, UNSIGNED),
            };
            for (wrong, _) in same.iter().filter(|(_, other)| other != width) {
                self.change("width", pointer, with(wrong, None));
            }
            let signed = *width == 1 && object.get("x-cType").is_none() && name == "char";
            let flipped = other.iter().find(|(_, other)| other == width).map(|(name, _)| *name);
            if let (Some(flipped), None, false) = (flipped, equal(&place, "sign"), signed) {
                // The signedness of plain `char` is not specified.
                let spelling = (flipped == "char").then_some("int8_t");
                self.change("sign", pointer, with(flipped, spelling));
            }
            match width {
                4 => self.change("float", pointer, with("float", None)),
                8 => self.change("float", pointer, with("double", None)),
                _ => {}
            }
        }
        match name {
            "float" => {
                self.change("width", pointer, with("double", None));
                self.change("float", pointer, with("int", None));
            }
            "double" => {
                self.change("width", pointer, with("float", None));
                self.change("float", pointer, with("long", None));
            }
            "bool" => {
                self.change("width", pointer, with("int", None));
                self.change("sign", pointer, with("unsigned char", None));
            }
            _ => {}
        }
        let record = self
            .original
            .pointer(pointer.trim_end_matches("/cType"))
            .is_some_and(|of| of.get("properties").is_some());
        // `void` by value is no value, unless it stands for a struct.
        if !is_pointer || name != "void" || record {
            let mut changed = object.clone();
            changed.insert("isPointer".to_owned(), json!(!is_pointer));
            changed.remove("x-pointerDepth");
            self.change("pointer", pointer, Value::Object(changed));
        }
        if is_pointer && equal(&place, "depth").is_none() {
            let mut changed = object.clone();
            if changed.remove("x-pointerDepth").is_none() {
                changed.insert("x-pointerDepth".to_owned(), json!(2));
            }
            self.change("depth", pointer, Value::Object(changed));
        }
    }

    fn record(&mut self, pointer: &str, object: &Map<String, Value>) {
        for key in ["x-size", "x-align"] {
            if let Some(value) = object.get(key).and_then(Value::as_u64) {
                self.change("struct", &format!("{pointer}/{key}"), json!(value * 2));
                self.change("struct", &format!("{pointer}/{key}"), json!(value / 2));
            }
        }
        let members: Vec<(String, Value)> = object["properties"]
            .as_object()
            .map(|members| members.iter().map(|(name, of)| (name.clone(), of.clone())).collect())
            .unwrap_or_default();
        let place = format!("{pointer}/properties");
        for index in 0..members.len() {
            let mut fewer = members.clone();
            fewer.remove(index);
            if !fewer.is_empty() {
                self.change("struct", &place, Value::Object(fewer.into_iter().collect()));
            }
            if index > 0 {
                let mut swapped = members.clone();
                swapped.swap(index - 1, index);
                self.change("struct", &place, Value::Object(swapped.into_iter().collect()));
            }
            if let Some(length) = members[index].1["x-length"]["const"].as_u64() {
                let at = format!("{place}/{}/x-length/const", members[index].0);
                self.change("struct", &at, json!(length + 1));
                self.change("struct", &at, json!(length - 1));
            }
        }
        let mut more = members;
        more.push((
            "more".to_owned(),
            json!({ "type": "number", "cType": { "type": "double", "isPointer": false } }),
        ));
        self.change("struct", &place, Value::Object(more.into_iter().collect()));
    }

    fn parameters(&mut self, kind: &'static str, pointer: &str) {
        let place = format!("{pointer}/parameters");
        let Some(parameters) = self.original.pointer(&place).and_then(Value::as_array).cloned() else {
            return;
        };
        for index in 0..parameters.len() {
            if equal(&self.name(&format!("{place}/{index}/")), "everything").is_some() {
                continue;
            }
            let mut fewer = parameters.clone();
            fewer.remove(index);
            self.change(kind, &place, Value::Array(fewer));
        }
        if equal(&self.name(&place), "more").is_none() {
            let mut more = parameters;
            let schema = json!({ "type": "integer", "cType": { "type": "int", "isPointer": false } });
            more.push(json!({ "name": "more", "isIn": true, "required": true, "schema": schema }));
            self.change(kind, &place, Value::Array(more));
        }
    }

    /// A return value instead of none, and none instead of one.
    fn returned(&mut self, kind: &'static str, pointer: &str) {
        let place = format!("{pointer}/return");
        let schema = json!({ "type": "integer", "cType": { "type": "int", "isPointer": false } });
        match self.original.pointer(&place) {
            Some(Value::Null) | None => {
                self.change(kind, &place, json!({ "name": "result", "schema": schema }))
            }
            Some(_) => self.change(kind, &place, Value::Null),
        }
    }

    fn function(&mut self, pointer: &str) {
        self.parameters("arity", pointer);
        self.returned("return", pointer);
        let name = self
            .original
            .pointer(&format!("{pointer}/name"))
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        for wrong in [format!("{name}_"), name.to_uppercase(), name.replacen("t_", "u_", 1)] {
            self.change("name", &format!("{pointer}/name"), json!(wrong));
        }
        let variadic = format!("{pointer}/x-variadic");
        if self.original.pointer(&variadic).is_some() {
            self.change("variadic", &variadic, Value::Null);
            self.change("variadic", &variadic, json!(2));
        } else if let Some(of) = self.original.pointer(pointer).and_then(Value::as_object).cloned()
            && of["parameters"].as_array().is_some_and(|parameters| !parameters.is_empty())
        {
            let mut of = of;
            of.insert("x-variadic".to_owned(), json!(1));
            self.change("variadic", pointer, Value::Object(of));
        }
    }
}

/// Why a change at a place is not a mistake.
fn equal(place: &str, mistake: &str) -> Option<&'static str> {
    match (place, mistake) {
        ("t_variadic/parameters/1/" | "t_variadic/parameters/1/schema/cType", "everything")
        | ("t_variadic/parameters", "more") => Some("what goes through `...` is not in the signature"),
        (
            "t_enum/parameters/0/schema/cType"
            | "t_enum/return/schema/cType"
            | "t_negative_enum/parameters/0/schema/cType",
            "sign",
        ) => Some("which integer an enum is, is the compiler's choice"),
        (
            "t_pointer/parameters/0/schema/cType"
            | "t_pointer/parameters/1/schema/cType"
            | "t_pointer/return/schema/cType"
            | "t_callback/parameters/1/schema/cType"
            | "t_callback/parameters/0/schema/cType/x-callback/parameters/0/schema/cType"
            | "t_many/parameters/6/schema/cType",
            "depth",
        ) => Some("a `void *` of C takes every pointer"),
        _ => None,
    }
}

/// The places of all objects and arrays below a value.
fn pointers(value: &Value, at: &str) -> Vec<String> {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(key, value)| (format!("{at}/{key}"), value)).collect(),
        Value::Array(elements) => {
            elements.iter().enumerate().map(|(index, value)| (format!("{at}/{index}"), value)).collect()
        }
        _ => return Vec::new(),
    };
    let deeper = below.iter().flat_map(|(at, value)| pointers(value, at));
    std::iter::once(at.to_owned()).chain(deeper).collect()
}
