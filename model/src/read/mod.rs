//! From the tree to the document: missing fields, wrong JSON types, unknown and doubled keys.
//!
//! What cannot be read is reported and left out, so that the rest is still looked at.

mod object;
mod schema;
mod slip;

use crate::diagnostic::Findings;
use crate::document::{Annotations, Document, Function, Info, Parameter, Return};
use crate::json::{Failure, Member, Node, Value};
use crate::keys::Place;
use crate::rule::Rule;
use crate::span::{Span, Spanned};

use object::{Object, report_duplicates, wrong_type};
use schema::{read_keys, read_schema, read_schemas};

/// The versions of OpenDyn that are understood: every patch of 1.0.
const VERSION: &str = "1.0.";

/// Reads a document; `None` where too little of it is there to go on.
pub fn read(source: &str, findings: &Findings) -> Option<Document> {
    let root = match crate::json::parse(source) {
        Ok(root) => root,
        Err(Failure::Syntax { at, message }) => {
            let end = at + source[at..].chars().next().map_or(0, char::len_utf8);
            findings.report(
                Rule::NotJson,
                Span { start: at, end },
                format!("the document is not JSON: {message}"),
                "mend the JSON here; everything else is looked at after that",
            );
            return None;
        }
        Err(Failure::TooDeep { span }) => {
            findings.report(
                Rule::TooDeep,
                span,
                "nested deeper than 64 levels",
                "no OpenDyn document needs to nest like this",
            );
            return None;
        }
    };
    let object = Object::new(&root, Place::Document, findings)?;
    check_version(&object, root.span, findings)?;

    let info = object.required("info").and_then(|node| read_info(node, findings));
    let functions_node = object.required("functions");
    let functions = functions_node.and_then(|node| array(node, "`functions`", findings));
    let none = functions.filter(|functions| functions.is_empty()).and(functions_node).map(|node| node.span);
    let schemas = object.optional("schemas");
    let codes = object.optional("code");
    let success = object.strings("x-success");
    // For editors; here only its form counts.
    object.optional_string("$schema");
    object.finish();

    let functions =
        functions.unwrap_or_default().iter().filter_map(|node| read_function(node, findings)).collect();
    let schemas = schemas.map_or_else(Vec::new, |node| read_schemas(node, "`schemas`", findings));
    let codes = codes.map_or_else(Vec::new, |node| read_codes(node, findings));
    Some(Document {
        info,
        functions,
        no_functions: none,
        schemas,
        codes,
        success: success.map(|codes| codes.value),
    })
}

/// First of all: in a document of another version nothing else need be wrong.
fn check_version(object: &Object<'_>, root: Span, findings: &Findings) -> Option<()> {
    const HELP: &str = "write \"opendyn\": \"1.0.0\"";
    let Some(node) = object.optional("opendyn") else {
        let start = Span { start: root.start, end: root.start + 1 };
        findings.report(
            Rule::Version,
            start,
            "the document does not say which version of OpenDyn it follows",
            HELP,
        );
        return None;
    };
    match &node.value {
        Value::String(version) if version == "1.0" || version.starts_with(VERSION) => Some(()),
        Value::String(version) => {
            findings.report(
                Rule::Version,
                node.span,
                format!("version {version:?} of OpenDyn is not supported; 1.0 is"),
                HELP,
            );
            None
        }
        other => {
            findings.report(
                Rule::Version,
                node.span,
                format!("the version is {}, not a string", other.noun()),
                HELP,
            );
            None
        }
    }
}

fn read_info(node: &Node, findings: &Findings) -> Option<Info> {
    let object = Object::new(node, Place::Info, findings)?;
    let title = object.required_string("title");
    let description = object.optional_string("description");
    let version = object.required_string("version");
    let calling_convention = object.required_string("callingConvention");
    let thread_safe = object.optional_bool("x-threadSafe");
    let library = object.optional("x-library");
    object.finish();
    Some(Info {
        libraries: library.map_or_else(Vec::new, |node| read_library(node, findings)),
        title,
        description,
        version: version.map(|version| version.value),
        calling_convention,
        thread_safe: thread_safe.is_some_and(|flag| flag.value),
    })
}

/// `x-library`: a file name, or one for each system.
fn read_library(node: &Node, findings: &Findings) -> Vec<(Option<&'static str>, Spanned<String>)> {
    if let Value::String(name) = &node.value {
        return vec![(None, Spanned { value: name.clone(), span: node.span })];
    }
    let Value::Object(_) = &node.value else {
        wrong_type(findings, node, "`x-library` of `info`", "a file name, or an object of them", &node.value);
        return Vec::new();
    };
    let Some(object) = Object::new(node, Place::Library, findings) else { return Vec::new() };
    let names = ["linux", "macos", "windows"].map(|system| {
        let name = object.optional(system).and_then(|node| object.string(node, system));
        name.map(|name| (Some(system), name))
    });
    object.finish();
    names.into_iter().flatten().collect()
}

fn read_function(node: &Node, findings: &Findings) -> Option<Function> {
    let mut object = Object::new(node, Place::Function, findings)?;
    let name = object.required_string("name");
    if let Some(name) = &name {
        object.what = format!("function `{}`", name.value);
    }
    let description = object.required_string("description");
    let parameters = object.required("parameters").and_then(|node| array(node, "`parameters`", findings));
    let returns = object.optional("return");
    let symbol = object.optional_spanned("x-symbol");
    let switches = object.switches();
    let variadic = object.count("x-variadic");
    let annotations = object.optional("x-annotations");
    object.finish();
    let annotations = annotations.and_then(|node| read_annotations(node, findings));

    Some(Function {
        name,
        description: description.map(|description| description.value),
        parameters: parameters
            .unwrap_or_default()
            .iter()
            .filter_map(|node| read_parameter(node, Of::Function, findings))
            .collect(),
        returns: returns.and_then(|node| read_return(node, findings)),
        symbol,
        switches,
        variadic,
        annotations: annotations.unwrap_or_default(),
    })
}

fn read_annotations(node: &Node, findings: &Findings) -> Option<Annotations> {
    let object = Object::new(node, Place::Annotations, findings)?;
    let hint = |key| object.optional_bool(key).map(|flag| flag.value);
    let annotations = Annotations {
        read_only: hint("readOnly"),
        destructive: hint("destructive"),
        idempotent: hint("idempotent"),
    };
    object.finish();
    Some(annotations)
}

/// Whose parameter: a function's has to say `isIn` and `required`, a callback's need not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Function,
    Callback,
}

fn read_parameter(node: &Node, of: Of, findings: &Findings) -> Option<Parameter> {
    let place = match of {
        Of::Function => Place::Parameter,
        Of::Callback => Place::CallbackParameter,
    };
    let mut object = Object::new(node, place, findings)?;
    let name = object.required_string("name");
    if let Some(name) = &name {
        object.what = format!("parameter `{}`", name.value);
    }
    let description = object.optional_string("description");
    let schema = object.required("schema");
    // Not `true` or `false` is reported; it is there all the same.
    let is_in_span = object.optional("isIn").map(|node| node.span);
    let is_in = object.optional_bool("isIn").or(is_in_span.map(|span| Spanned { value: true, span }));
    let required = match of {
        Of::Function => object.bool_or_default("required", true),
        Of::Callback => object.optional_bool("required").unwrap_or(Spanned { value: true, span: node.span }),
    };
    let keys = read_keys(&object, findings);
    object.finish();
    let schema = schema.and_then(|node| read_schema(node, findings));
    Some(Parameter { name, description, schema, is_in, required, keys, span: node.span })
}

fn read_return(node: &Node, findings: &Findings) -> Option<Return> {
    let mut object = Object::new(node, Place::Return, findings)?;
    object.what = "the return value".to_owned();
    let name = object.required_string("name");
    let description = object.optional_string("description");
    let schema = object.required("schema");
    let keys = read_keys(&object, findings);
    let code = object.optional_bool("x-code");
    let success = object.strings("x-success");
    object.finish();
    let schema = schema.and_then(|node| read_schema(node, findings));
    Some(Return { name, description, schema, keys, code, success })
}

fn read_codes(node: &Node, findings: &Findings) -> Vec<(Spanned<String>, String)> {
    entries(node, "`code`", findings)
        .iter()
        .filter_map(|member| match &member.value.value {
            Value::String(text) => Some((key(member), text.clone())),
            other => {
                wrong_type(
                    findings,
                    &member.value,
                    &format!("the text of code {:?}", member.key),
                    "a string",
                    other,
                );
                None
            }
        })
        .collect()
}

fn key(member: &Member) -> Spanned<String> {
    Spanned { value: member.key.clone(), span: member.key_span }
}

/// The members of an object that is a map, whose keys are the document's own.
fn entries<'n>(node: &'n Node, what: &str, findings: &Findings) -> &'n [Member] {
    match &node.value {
        Value::Object(members) => {
            report_duplicates(members, findings);
            members
        }
        other => {
            wrong_type(findings, node, what, "an object", other);
            &[]
        }
    }
}

fn array<'n>(node: &'n Node, what: &str, findings: &Findings) -> Option<&'n [Node]> {
    match &node.value {
        Value::Array(elements) => Some(elements),
        other => {
            wrong_type(findings, node, what, "an array", other);
            None
        }
    }
}
