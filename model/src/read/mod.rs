//! From the tree to the document: missing fields, wrong JSON types, unknown and duplicate keys.
//!
//! Parts that cannot be read are reported and left out, so that the rest is still checked.

mod failure;
mod init;
mod length;
mod needed;
mod object;
mod questions;
mod schema;
mod slip;
mod takes;
mod union;

use opendyn_source::object::{elements, members, wrong_type};

use crate::diagnostic::Findings;
use crate::document::{Annotations, Document, Function, Info, Parameter, ReceiverOf, Return, ThreadSafe};
use crate::json::{Failure, Member, Node, Value};
use crate::keys::Place;
use crate::rule::Rule;
use crate::span::{Span, Spanned};

use failure::{read_error_of, read_errors};
use object::Object;
use schema::{read_keys, read_schema, read_schemas};

/// The supported versions of OpenDyn: every patch of 1.0.
const VERSION: &str = "1.0.";

/// Reads a document; `None` if it cannot be read at all.
pub fn read(source: &str, findings: &Findings) -> Option<Document> {
    read_some(source, None, findings)
}

/// Reads the function `function` of a document and what it needs: the functions that it names, and the schemas. The
/// other functions are only known by name, and what is wrong with them is not found.
pub fn read_for(source: &str, function: &str, findings: &Findings) -> Option<Document> {
    read_some(source, Some(function), findings)
}

fn read_some(source: &str, only: Option<&str>, findings: &Findings) -> Option<Document> {
    let root = match crate::json::parse(source) {
        Ok(root) => root,
        Err(Failure::Syntax { at, message }) => {
            let end = at + source[at..].chars().next().map_or(0, char::len_utf8);
            findings.report(
                Rule::NotJson,
                Span { start: at, end },
                format!("the document is not JSON: {message}"),
                "fix the JSON here; the rest of the document is checked after that",
            );
            return None;
        }
        Err(Failure::TooDeep { span }) => {
            findings.report(
                Rule::TooDeep,
                span,
                "the document nests deeper than 64 levels",
                "flatten it; OpenDyn documents do not need such nesting",
            );
            return None;
        }
    };
    let object = Object::new(&root, Place::Document, findings)?;
    check_version(&object, findings)?;

    let info = object.required("info").and_then(|node| read_info(node, findings));
    let functions = object.required("functions");
    let schemas = object.optional("schemas");
    let codes = object.optional("code");
    let code_names = object.optional("x-codeNames");
    let hints = object.optional("x-hints");
    let success = object.strings("x-success");
    let errors = object.optional("x-errors");
    // It is for editors; only its type is checked.
    object.optional_string("$schema");
    object.finish();

    let no_functions = functions.filter(|node| matches!(&node.value, Value::Array(all) if all.is_empty()));
    let functions = functions.map_or(&[][..], |node| elements(node, "`functions`", findings));
    let frees = needed::frees(functions, schemas);
    let init = info.as_ref().and_then(|info| info.init.as_ref());
    let (wanted, others) = needed::needed(functions, &[schemas, errors], init, only);
    let functions = wanted.into_iter().filter_map(|node| read_function(node, findings)).collect();
    let schemas = schemas.map_or_else(Vec::new, |node| read_schemas(node, "`schemas`", findings));
    let codes = codes.map_or_else(Vec::new, |node| read_codes(node, findings));
    let code_names =
        code_names.map_or_else(Vec::new, |node| read_texts(node, "`x-codeNames`", "name", findings));
    Some(Document {
        info,
        functions,
        others,
        frees,
        no_functions: no_functions.map(|node| node.span),
        schemas,
        codes,
        code_names,
        hints: read_hints(hints, findings),
        success: success.map(|codes| codes.value),
        errors: errors.map_or_else(Vec::new, |node| read_errors(node, findings)),
    })
}

/// Comes first: a document of another version may follow other rules.
fn check_version(object: &Object<'_>, findings: &Findings) -> Option<()> {
    const HELP: &str = "write \"opendyn\": \"1.0.0\"";
    let Some(node) = object.optional("opendyn") else {
        findings.report(
            Rule::Version,
            object.start(),
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
                format!("OpenDyn {version:?} is not supported, only 1.0"),
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
    let description = object.optional_string("description").map(|text| text.value);
    let version = object.required_string("version");
    let instructions = object.optional_string("x-instructions");
    let calling_convention = object.required_string("callingConvention");
    let thread_safe = object.optional("x-threadSafe").map(|node| match &node.value {
        Value::Bool(true) => ThreadSafe::Calls,
        Value::Bool(false) => ThreadSafe::No,
        Value::String(text) if text == "handles" => ThreadSafe::Handles,
        _ => {
            object.wrong(node, "x-threadSafe", "true, false or \"handles\"");
            ThreadSafe::No
        }
    });
    let library = object.optional("x-library");
    let init = object.optional("x-init");
    let prefix = object.optional_string("x-prefix");
    object.finish();
    Some(Info {
        init: init.and_then(|node| init::read_init(node, findings)),
        libraries: library.map_or_else(Vec::new, |node| read_library(node, findings)),
        title,
        description,
        version: version.map(|version| version.value),
        instructions: instructions.map(|text| text.value),
        calling_convention,
        thread_safe: thread_safe.unwrap_or_default(),
        prefix,
    })
}

/// `x-library`: a file name, or one per system.
fn read_library(node: &Node, findings: &Findings) -> Vec<(Option<&'static str>, Spanned<String>)> {
    if let Value::String(name) = &node.value {
        return vec![(None, Spanned { value: name.clone(), span: node.span })];
    }
    let Value::Object(_) = &node.value else {
        wrong_type(node, "`x-library` of `info`", "a file name, or an object of them", findings);
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
        object.call(format!("function `{}`", name.value));
    }
    let description = object.required_string("description");
    let parameters = object.required("parameters");
    let returns = object.optional("return");
    let symbol = object.optional_string("x-symbol");
    let member = object.optional_string("x-member");
    let switches = object.switches();
    let receiver = if object.is_null("x-receiver") {
        Some(ReceiverOf::Binding)
    } else {
        object.optional_string("x-receiver").map(ReceiverOf::Param)
    };
    let variadic = object.count("x-variadic");
    let error = object.optional("x-error");
    let cancel = object.optional_string("x-cancel");
    let annotations = object.optional("x-annotations");
    let tool = object.optional_bool("x-tool").map(|flag| flag.value);
    let hints = object.optional("x-hints");
    object.finish();
    let annotations = annotations.and_then(|node| read_annotations(node, findings));

    Some(Function {
        name,
        description: description.map(|description| description.value),
        parameters: parameters
            .map_or(&[][..], |node| elements(node, "`parameters`", findings))
            .iter()
            .filter_map(|node| read_parameter(node, Of::Function, findings))
            .collect(),
        returns: returns.and_then(|node| read_return(node, findings)),
        symbol,
        member,
        switches,
        receiver,
        variadic,
        error: error.map(|node| read_error_of(node, findings)),
        cancel,
        annotations: annotations.unwrap_or_default(),
        tool,
        hints: read_hints(hints, findings),
        questions: questions::of(node),
    })
}

/// `x-hints`
fn read_hints(node: Option<&Node>, findings: &Findings) -> Vec<(Spanned<String>, String)> {
    let hints = node.map_or_else(Vec::new, |node| read_texts(node, "`x-hints`", "hint", findings));
    hints.into_iter().map(|(key, text)| (key, text.value)).collect()
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

/// What a parameter belongs to. Parameters of functions must have `isIn` and `required`; those of callbacks may.
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
        object.call(format!("parameter `{}`", name.value));
    }
    let description = object.optional_string("description").map(|text| text.value);
    let schema = object.required("schema");
    // A non-boolean is reported, but does not count as absent.
    let is_in_span = object.optional("isIn").map(|node| node.span);
    let is_in = object.optional_bool("isIn").or(is_in_span.map(|span| Spanned { value: true, span }));
    let required = match of {
        Of::Function => object.bool_or_default("required", true),
        Of::Callback => object.optional_bool("required").unwrap_or(Spanned { value: true, span: node.span }),
    };
    let lends = object.has("x-lends").then(|| object.strings("x-lends")).flatten();
    let keys = read_keys(&object, findings);
    object.finish();
    let schema = schema.and_then(|node| read_schema(node, findings));
    Some(Parameter { name, description, schema, is_in, required, lends, keys, span: node.span })
}

fn read_return(node: &Node, findings: &Findings) -> Option<Return> {
    let mut object = Object::new(node, Place::Return, findings)?;
    object.call("the return value".to_owned());
    let name = object.required_string("name");
    let description = object.optional_string("description").map(|text| text.value);
    let schema = object.required("schema");
    let keys = read_keys(&object, findings);
    let code = object.optional_bool("x-code");
    let success = object.strings("x-success");
    object.finish();
    let schema = schema.and_then(|node| read_schema(node, findings));
    Some(Return { name, description, schema, keys, code, success })
}

fn read_codes(node: &Node, findings: &Findings) -> Vec<(Spanned<String>, String)> {
    let codes = read_texts(node, "`code`", "text", findings);
    codes.into_iter().map(|(key, text)| (key, text.value)).collect()
}

/// A map from codes to texts. `what` is the map in messages, `noun` one of the texts.
fn read_texts(
    node: &Node,
    what: &str,
    noun: &str,
    findings: &Findings,
) -> Vec<(Spanned<String>, Spanned<String>)> {
    members(node, what, findings)
        .iter()
        .filter_map(|member| match &member.value.value {
            Value::String(text) => {
                Some((key(member), Spanned { value: text.clone(), span: member.value.span }))
            }
            _ => {
                let what = format!("the {noun} of code {:?}", member.key);
                wrong_type(&member.value, &what, "a string", findings);
                None
            }
        })
        .collect()
}

fn key(member: &Member) -> Spanned<String> {
    Spanned { value: member.key.clone(), span: member.key_span }
}
