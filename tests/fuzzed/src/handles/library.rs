//! A library of the system with its document, and what a JSON caller is told about its functions.

use std::collections::{BTreeMap, BTreeSet};

use opendyn::Tool;
use opendyn_interpreter::{Document, Interpreted, Options};
use opentool::{Return, Schema, SchemaType};
use serde_json::Value;

/// One of the shipped documents, opened.
pub struct Library {
    pub opened: Interpreted,
    pub functions: Vec<Function>,
    /// For each type of handle, the functions that return one.
    pub creators: BTreeMap<String, Vec<usize>>,
    /// The functions that free a handle.
    pub ends: BTreeSet<String>,
}

pub struct Function {
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// Where handles are in the result, and their types.
    pub gives: Vec<(String, String)>,
    /// What a result must have.
    pub results: Vec<String>,
}

pub struct Parameter {
    pub name: String,
    pub is_required: bool,
    pub kind: Kind,
}

pub enum Kind {
    Handle(String),
    OneOf(Vec<Value>),
    Boolean,
    Integer,
    Number,
    Text,
}

impl Library {
    /// Opens the library that the document names.
    pub fn open(name: &str, source: &str) -> Self {
        let document =
            Document::read(name, source, &Options::default()).unwrap_or_else(|found| panic!("{found}"));
        // SAFETY: the shipped documents describe these libraries: that this is so is what is tested.
        let opened = unsafe { Interpreted::open_default(document) }.expect("it is installed");
        let described = Tool::load(&opened).expect("it describes itself");
        let functions: Vec<Function> = described.functions.iter().map(function).collect();
        let mut creators: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, function) in functions.iter().enumerate() {
            for (_, kind) in &function.gives {
                creators.entry(kind.clone()).or_default().push(index);
            }
        }
        let mut ends = BTreeSet::new();
        collect_ends(&serde_json::from_str(source).expect("it was read"), &mut ends);
        Self { opened, functions, creators, ends }
    }
}

fn function(described: &opentool::Function) -> Function {
    let parameters = described.parameters.iter().map(|parameter| Parameter {
        name: parameter.name.clone(),
        is_required: parameter.required,
        kind: kind(&parameter.schema),
    });
    let mut gives = Vec::new();
    let mut results = Vec::new();
    match &described.returns {
        Some(Return { schema, spread: true, .. }) => {
            for (name, schema) in schema.properties.iter().flatten() {
                gives.extend(schema.handle.clone().map(|kind| (name.clone(), kind)));
            }
            results.extend(schema.required.iter().flatten().cloned());
        }
        Some(Return { name, schema, .. }) => {
            gives.extend(schema.handle.clone().map(|kind| (name.clone(), kind)));
            results.push(name.clone());
        }
        None => {}
    }
    Function { name: described.name.clone(), parameters: parameters.collect(), gives, results }
}

fn kind(schema: &Schema) -> Kind {
    if let Some(handle) = &schema.handle {
        return Kind::Handle(handle.clone());
    }
    if let Some(values) = &schema.values {
        return Kind::OneOf(values.clone());
    }
    match schema.kind {
        SchemaType::Boolean => Kind::Boolean,
        SchemaType::Integer => Kind::Integer,
        SchemaType::Number => Kind::Number,
        SchemaType::String => Kind::Text,
        other => panic!("a parameter of type {}", other.name()),
    }
}

/// The functions that `x-free` names, anywhere.
fn collect_ends(value: &Value, ends: &mut BTreeSet<String>) {
    if let Some(free) = value.get("x-free") {
        ends.extend(free.as_str().or_else(|| free.get("call")?.as_str()).map(str::to_owned));
    }
    match value {
        Value::Object(members) => members.values().for_each(|member| collect_ends(member, ends)),
        Value::Array(items) => items.iter().for_each(|item| collect_ends(item, ends)),
        _ => {}
    }
}
