//! Checks a document against the rules and reports every violation in one run.

use std::collections::{HashMap, HashSet};

use super::Function;
use super::finding::{Findings, Invalid, Rule};
use super::references::{circles, referred};
use super::schema::SchemaType;
use opendyn_source::json::{Failure, Node, Value, parse};
use opendyn_source::nearest::nearest;
use opendyn_source::object::{Object, elements, members, wrong_type};
use opendyn_source::span::{Span, Spanned};

/// All findings in the text of a document.
pub(super) fn check(text: &str) -> Invalid {
    let findings = Findings::new();
    match parse(text) {
        Ok(root) => document(&root, &findings),
        Err(Failure::Syntax { at, message }) => findings.report(
            Rule::Json,
            Span { start: at, end: at },
            format!("the document is not JSON: {message}"),
            "correct the JSON here; the rest of the document is checked after that",
        ),
        Err(Failure::TooDeep { span }) => findings.report(
            Rule::Json,
            span,
            "nested deeper than 64 levels",
            "an OpenTool document does not need this depth",
        ),
    }
    findings.finish("", text)
}

fn document(root: &Node, findings: &Findings) {
    let Some(object) = Object::new(root, "the document", findings) else { return };
    if let Some(version) = object.required_string("opentool")
        && !matches!(version.value.split('.').next(), Some("1" | "2"))
    {
        findings.report(
            Rule::Version,
            version.span,
            format!("version {:?} of OpenTool is not supported; 1 and 2 are", version.value),
            "write \"opentool\": \"1.0.0\"",
        );
    }
    if let Some(info) = object.required_object("info", "`info`") {
        info.required_string("title");
        info.required_string("version");
        info.optional_string("description");
    }
    if let Some(server) = object.optional_object("server", "`server`") {
        server.required_string("url");
        server.optional_string("description");
    }
    let schemas = object.optional("schemas").map_or(&[][..], |node| members(node, "`schemas`", findings));
    let named: HashMap<&str, &Node> =
        schemas.iter().map(|member| (member.key.as_str(), &member.value)).collect();
    let checker = Checker { schemas: &named, findings };
    if let Some(functions) = object.required("functions") {
        let functions = elements(functions, "`functions`", findings);
        let names = functions.iter().filter_map(|node| checker.function(node));
        duplicates(names, Rule::DuplicateFunction, "functions", findings);
    }
    for member in schemas {
        checker.schema(&member.value, &format!("schema `{}`", member.key));
    }
    for (name, reference) in circles(&named) {
        findings.report(
            Rule::CyclicReference,
            reference.span,
            format!("schema `{name}` contains itself through this reference"),
            "describe the value without the reference, to the depth that calls need",
        );
    }
}

/// Reports every name that occurs a second time.
fn duplicates<'n>(
    names: impl Iterator<Item = Spanned<&'n str>>,
    rule: Rule,
    what: &str,
    findings: &Findings,
) {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name.value) {
            findings.report(
                rule,
                name.span,
                format!("two {what} are called `{}`", name.value),
                "give one of them another name",
            );
        }
    }
}

struct Checker<'c, 'n> {
    schemas: &'c HashMap<&'n str, &'n Node>,
    findings: &'c Findings,
}

impl Checker<'_, '_> {
    fn function<'n>(&self, node: &'n Node) -> Option<Spanned<&'n str>> {
        let mut object = Object::new(node, "a function", self.findings)?;
        let name = object.required_string("name");
        if let Some(Spanned { value: name, span: at }) = name {
            object.what = format!("function `{name}`");
            if !Function::is_valid_name(name) {
                self.findings.report(
                    Rule::Name,
                    at,
                    format!("{name:?} is not a valid name for a function"),
                    "use 1 to 64 of a-z, A-Z, 0-9, - and _",
                );
            }
        }
        object.required_string("description");
        if let Some(parameters) = object.required("parameters") {
            let parameters = elements(parameters, &format!("`parameters` of {}", object.what), self.findings);
            let names = parameters.iter().filter_map(|node| self.parameter(node));
            let what = format!("parameters of {}", object.what);
            duplicates(names, Rule::DuplicateParameter, &what, self.findings);
        }
        if let Some(node) = object.optional("return") {
            self.returned(node, &format!("the return value of {}", object.what));
        }
        if let Some(node) = object.optional("stream") {
            for member in members(node, &format!("`stream` of {}", object.what), self.findings) {
                self.returned(&member.value, &format!("event `{}` of {}", member.key, object.what));
            }
        }
        if let Some(hints) = object.optional_object("x-annotations", "`x-annotations`") {
            for key in ["readOnly", "destructive", "idempotent"] {
                hints.optional_bool(key);
            }
        }
        name
    }

    fn parameter<'n>(&self, node: &'n Node) -> Option<Spanned<&'n str>> {
        let mut object = Object::new(node, "a parameter", self.findings)?;
        let name = self.name(&mut object, "parameter");
        object.optional_string("description");
        if let Some(schema) = object.required("schema") {
            self.schema(schema, &format!("the schema of {}", object.what));
        }
        object.optional_bool("required");
        if object.optional("required").is_none() {
            self.findings.report(
                Rule::MissingRequired,
                object.span(),
                format!("{} has no `required`; true is assumed", object.what),
                "add \"required\": true",
            );
        }
        name
    }

    fn returned(&self, node: &Node, what: &str) {
        let Some(mut object) = Object::new(node, what, self.findings) else { return };
        self.name(&mut object, "result");
        object.optional_string("description");
        if let Some(schema) = object.required("schema") {
            self.schema(schema, &format!("the schema of {}", object.what));
            self.spread(&object, schema);
        }
    }

    /// `x-spread` makes the keys of an object the keys of the reply, so it requires an object.
    fn spread(&self, object: &Object<'_, '_, Rule>, schema: &Node) {
        if let Some(spread) = object.optional_bool("x-spread")
            && spread.value
            && !self.is_object(schema)
        {
            self.findings.report(
                Rule::Spread,
                spread.span,
                format!("`x-spread` of {}, which is not an object", object.what),
                "make the schema an object whose `properties` are the values of the reply, or remove `x-spread`",
            );
        }
    }

    /// Whether a schema, with its references followed, describes an object. Missing parts are reported elsewhere.
    fn is_object<'s>(&'s self, schema: &'s Node) -> bool {
        let mut schema: &'s Node = schema;
        // A chain with more references than there are schemas is a cycle.
        for _ in 0..=self.schemas.len() {
            let Some(reference) = string(schema, "$ref") else {
                return string(schema, "type").is_none_or(|kind| kind == SchemaType::Object.name());
            };
            let Some(next) = referred(reference).and_then(|name| self.schemas.get(name.as_str()).copied())
            else {
                return true;
            };
            schema = next;
        }
        true
    }

    /// The name of a parameter or a result. It is a key in JSON, so any name but the empty one is allowed.
    fn name<'n>(&self, object: &mut Object<'n, '_, Rule>, noun: &str) -> Option<Spanned<&'n str>> {
        let name = object.required_string("name")?;
        object.what = format!("{noun} `{}`", name.value);
        if name.value.is_empty() {
            self.findings.report(
                Rule::Name,
                name.span,
                format!("the name of a {noun} is empty"),
                "give it a name",
            );
        }
        Some(name)
    }

    fn schema(&self, node: &Node, what: &str) {
        let Some(object) = Object::new(node, what, self.findings) else { return };
        object.optional_string("description");
        if object.optional("$ref").is_some() {
            if let Some(reference) = object.optional_string("$ref") {
                self.reference(reference.value, reference.span);
            }
            return;
        }
        object.optional_string("format");
        object.optional_bool("x-nullable");
        object.optional_string("x-handle");
        let kind = object.required_string("type").and_then(|name| self.kind(name.value, name.span));
        let properties = object.optional("properties");
        let members = properties
            .map_or(&[][..], |node| members(node, &format!("`properties` of {what}"), self.findings));
        for member in members {
            self.schema(&member.value, &format!("property `{}`", member.key));
        }
        let items = object.optional("items");
        if let Some(items) = items {
            self.schema(items, &format!("`items` of {what}"));
        }
        let any_of = object.optional("anyOf");
        if let Some(any_of) = any_of {
            for shape in elements(any_of, &format!("`anyOf` of {what}"), self.findings) {
                self.schema(shape, &format!("an element of `anyOf` of {what}"));
            }
        }
        if kind == Some(SchemaType::Object) && properties.is_none() && any_of.is_none() {
            self.findings.report(
                Rule::MissingProperties,
                object.span(),
                format!("{what} is an object without `properties`"),
                "describe its members; {} means that it has none",
            );
        }
        if kind == Some(SchemaType::Array) && items.is_none() {
            self.findings.report(
                Rule::MissingItems,
                object.span(),
                format!("{what} is an array without `items`"),
                "describe its elements, for example {\"type\": \"string\"}",
            );
        }
        if let Some(values) = object.optional("enum") {
            self.values(values, kind, what);
        }
        if let Some(required) = object.optional("required") {
            for name in elements(required, &format!("`required` of {what}"), self.findings) {
                let Value::String(text) = &name.value else {
                    wrong_type(
                        name,
                        &format!("an element of `required` of {what}"),
                        "a string",
                        self.findings,
                    );
                    continue;
                };
                if properties.is_some() && !members.iter().any(|member| member.key == *text) {
                    self.findings.report(
                        Rule::UnknownProperty,
                        name.span,
                        format!("{what} requires `{text}`, which is not one of its properties"),
                        suggestion(text, members.iter().map(|member| member.key.as_str()))
                            .unwrap_or_else(|| "describe it in `properties`, or remove it here".to_owned()),
                    );
                }
            }
        }
    }

    fn kind(&self, name: &str, at: Span) -> Option<SchemaType> {
        let kind = SchemaType::ALL.into_iter().find(|kind| kind.name() == name);
        if kind.is_none() {
            let names = SchemaType::ALL.map(SchemaType::name);
            let known = format!("the types are {}", names.join(", "));
            // Names from other languages.
            let near = match name {
                "int" | "long" | "int32" | "int64" => Some("integer"),
                "float" | "double" => Some("number"),
                "bool" => Some("boolean"),
                "list" => Some("array"),
                "map" | "dict" => Some("object"),
                _ => nearest(name, names),
            };
            let help = near.map_or(known.clone(), |near| format!("did you mean \"{near}\"? {known}"));
            self.findings.report(Rule::UnknownType, at, format!("there is no type {name:?}"), help);
        }
        kind
    }

    fn reference(&self, reference: &str, at: Span) {
        let (message, help) = match referred(reference) {
            None => (
                format!("{reference:?} is not a reference to a schema of this document"),
                "write \"#/schemas/\" followed by the name of the schema".to_owned(),
            ),
            Some(name) if self.schemas.contains_key(name.as_str()) => return,
            Some(name) => (
                format!("the document has no schema `{name}`"),
                suggestion(&name, self.schemas.keys().copied())
                    .unwrap_or_else(|| format!("add {name:?} to \"schemas\"")),
            ),
        };
        self.findings.report(Rule::UnresolvedReference, at, message, help);
    }

    fn values(&self, node: &Node, kind: Option<SchemaType>, what: &str) {
        let values = elements(node, &format!("`enum` of {what}"), self.findings);
        if values.is_empty() && matches!(node.value, Value::Array(_)) {
            self.findings.report(
                Rule::EnumValue,
                node.span,
                format!("`enum` of {what} is empty"),
                "list the allowed values, or remove it",
            );
        }
        let Some(kind) = kind else { return };
        for value in values.iter().filter(|value| !is_of(kind, &value.value)) {
            self.findings.report(
                Rule::EnumValue,
                value.span,
                format!("`enum` of {what} has {} among values of type {}", value.value.noun(), kind.name()),
                "write a value of this type, or change the type",
            );
        }
    }
}

/// The string that a member of an object has.
fn string<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    let Value::Object(members) = &node.value else { return None };
    match &members.iter().find(|member| member.key == key)?.value.value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn suggestion<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    nearest(name, candidates).map(|near| format!("did you mean `{near}`?"))
}

fn is_of(kind: SchemaType, value: &Value) -> bool {
    match (kind, value) {
        (SchemaType::Boolean, Value::Bool(_))
        | (SchemaType::Number, Value::Number(_))
        | (SchemaType::String, Value::String(_))
        | (SchemaType::Array, Value::Array(_))
        | (SchemaType::Object, Value::Object(_)) => true,
        // In JSON Schema 1.0 is an integer.
        (SchemaType::Integer, Value::Number(text)) => {
            text.parse::<f64>().is_ok_and(|number| number.fract() == 0.0)
        }
        _ => false,
    }
}
