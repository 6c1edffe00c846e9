//! From the tree to the document: missing fields, wrong JSON types, unknown and doubled keys.
//!
//! What cannot be read is reported and left out, so that the rest is still looked at.

mod object;

use crate::diagnostic::Findings;
use crate::document::{CType, Document, Function, Info, InlineSchema, Parameter, Return, Schema};
use crate::json::{Failure, Member, Node, Value};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

use object::{Object, report_duplicates, wrong_type};

/// The versions of OpenDyn that are understood: every patch of 1.0.
const VERSION: &str = "1.0.";

/// Reads a document; `None` where too little of it is there to go on.
pub(crate) fn read(source: &str, findings: &Findings) -> Option<Document> {
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
    let mut object = Object::new(&root, "the document", findings)?;
    check_version(&mut object, root.span, findings)?;

    let info = object.required("info").and_then(|node| read_info(node, findings));
    let functions_node = object.required("functions");
    let functions = functions_node.and_then(|node| array(node, "`functions`", findings));
    let none = functions.filter(|functions| functions.is_empty()).and(functions_node).map(|node| node.span);
    let schemas = object.optional("schemas");
    let codes = object.optional("code");
    object.finish();

    let functions =
        functions.unwrap_or_default().iter().filter_map(|node| read_function(node, findings)).collect();
    let schemas = schemas.map_or_else(Vec::new, |node| read_schemas(node, findings));
    let codes = codes.map_or_else(Vec::new, |node| read_codes(node, findings));
    Some(Document { info, functions, no_functions: none, schemas, codes })
}

/// First of all: in a document of another version nothing else need be wrong.
fn check_version(object: &mut Object<'_>, root: Span, findings: &Findings) -> Option<()> {
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
    let mut object = Object::new(node, "`info`", findings)?;
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
    let Some(mut object) = Object::new(node, "`x-library`", findings) else { return Vec::new() };
    let names = ["linux", "macos", "windows"].map(|system| {
        let name = object.optional(system).and_then(|node| object.string(node, system));
        name.map(|name| (Some(system), name))
    });
    object.finish();
    names.into_iter().flatten().collect()
}

fn read_function(node: &Node, findings: &Findings) -> Option<Function> {
    let mut object = Object::new(node, "a function", findings)?;
    let name = object.required_string("name");
    if let Some(name) = &name {
        object.what = format!("function `{}`", name.value);
    }
    let description = object.required_string("description");
    let parameters = object.required("parameters").and_then(|node| array(node, "`parameters`", findings));
    let returns = object.optional("return");
    let symbol = object.optional("x-symbol").and_then(|node| object.string(node, "x-symbol"));
    let optional = object.optional_bool("x-optional");
    object.finish();

    Some(Function {
        name,
        description: description.map(|description| description.value),
        parameters: parameters
            .unwrap_or_default()
            .iter()
            .filter_map(|node| read_parameter(node, findings))
            .collect(),
        returns: returns.and_then(|node| read_return(node, findings)),
        symbol,
        optional: optional.is_some_and(|flag| flag.value),
    })
}

fn read_parameter(node: &Node, findings: &Findings) -> Option<Parameter> {
    let mut object = Object::new(node, "a parameter", findings)?;
    let name = object.required_string("name");
    if let Some(name) = &name {
        object.what = format!("parameter `{}`", name.value);
    }
    let description = object.optional_string("description");
    let schema = object.required("schema");
    // Not `true` or `false` is reported; it is there all the same.
    let is_in_span = object.optional("isIn").map(|node| node.span);
    let is_in = object.optional_bool("isIn").or(is_in_span.map(|span| Spanned { value: true, span }));
    let required = object.bool_or_default("required", true);
    object.finish();
    let schema = schema.and_then(|node| read_schema(node, findings));
    Some(Parameter { name, description, schema, is_in, required, span: node.span })
}

fn read_return(node: &Node, findings: &Findings) -> Option<Return> {
    let mut object = Object::new(node, "the return value", findings)?;
    let name = object.required_string("name");
    let description = object.optional_string("description");
    let schema = object.required("schema");
    object.finish();
    let schema = schema.and_then(|node| read_schema(node, findings));
    Some(Return { name, description, schema })
}

fn read_schema(node: &Node, findings: &Findings) -> Option<Schema> {
    let mut object = Object::new(node, "a schema", findings)?;
    if let Some(reference) = object.optional("$ref") {
        let target = object.string(reference, "$ref");
        let description = object.optional_string("description");
        object.finish();
        return target.map(|target| Schema::Reference { target, description });
    }
    let kind = object.required_string("type");
    let description = object.optional_string("description");
    let c_type = object.optional("cType");
    object.finish();
    let c_type = c_type.map(|node| read_c_type(node, findings));
    Some(Schema::Inline(InlineSchema { kind, description, c_type, span: node.span }))
}

fn read_c_type(node: &Node, findings: &Findings) -> CType {
    let Some(mut object) = Object::new(node, "`cType`", findings) else {
        return CType { name: None, is_pointer: false, spelling: None, is_in: None, span: node.span };
    };
    let name = object.required_string("type");
    let is_pointer = object.bool_or_default("isPointer", false);
    let spelling = object.optional("x-cType").and_then(|node| object.string(node, "x-cType"));
    let is_in = object.optional_bool("isIn");
    object.finish();
    CType { name, is_pointer: is_pointer.value, spelling, is_in, span: node.span }
}

fn read_schemas(node: &Node, findings: &Findings) -> Vec<(Spanned<String>, Option<Schema>)> {
    entries(node, "`schemas`", findings)
        .iter()
        .map(|member| (key(member), read_schema(&member.value, findings)))
        .collect()
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
