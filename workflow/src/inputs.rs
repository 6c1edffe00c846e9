//! `x-inputs`: what a workflow is given when it runs. Each input has a schema, and is required unless it has a default.

use opendyn_source::json::{Member, Node, Value as Written};
use opendyn_source::object::{Object, members};
use opendyn_source::span::Spanned;
use opentool::{Map, OpenTool, Parameter, Schema, ToolError, Value, conform};

use crate::finding::{Findings, Rule, did_you_mean};
use crate::read::{self, Draft, plain};
use crate::reference::Reference;

/// The key of the inputs, in the document and in references.
pub(super) const INPUTS: &str = "x-inputs";

/// An input of a [`Workflow`](crate::Workflow).
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The name, as in `#/x-inputs/NAME`.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// The shape of the value.
    pub schema: Schema,
    /// The value if none is given; without a default, one must be.
    pub default: Option<Value>,
}

impl Input {
    /// The input as a parameter of a function. Parameters have no default, so the description says it.
    pub(super) fn parameter(&self) -> Parameter {
        let description = match (&self.description, &self.default) {
            (description, None) => description.clone(),
            (None, Some(default)) => Some(format!("{default} if absent.")),
            (Some(text), Some(default)) => Some(format!("{text} {default} if absent.")),
        };
        let required = self.default.is_none();
        Parameter { name: self.name.clone(), description, schema: self.schema.clone(), required, ends: false }
    }
}

/// The readable parts of an input.
#[derive(Debug)]
pub(super) struct DraftInput<'n> {
    pub(super) name: &'n str,
    description: Option<&'n str>,
    /// `None` if it is missing or wrong, which is reported.
    pub(super) schema: Option<Schema>,
    default: Option<Value>,
}

impl DraftInput<'_> {
    pub(super) fn input(&self) -> Option<Input> {
        Some(Input {
            name: self.name.to_owned(),
            description: self.description.map(str::to_owned),
            schema: self.schema.clone()?,
            default: self.default.clone(),
        })
    }
}

/// The inputs of a document, in order.
pub(super) fn read_all<'n>(document: &Object<'n, '_, Rule>, findings: &Findings) -> Vec<DraftInput<'n>> {
    let Some(inputs) = document.optional(INPUTS) else { return Vec::new() };
    members(inputs, "`x-inputs`", findings).iter().filter_map(|member| input(member, findings)).collect()
}

fn input<'n>(member: &'n Member, findings: &Findings) -> Option<DraftInput<'n>> {
    let fields = Object::new(&member.value, format!("input `{}`", member.key), findings)?;
    let schema = fields.required("schema").and_then(|node| schema(node, findings));
    let default = fields.member("default").map(|node| Spanned { value: plain(node), span: node.span });
    if let (Some(schema), Some(default)) = (&schema, &default)
        && let Err(why) = conform::member("default", &default.value, schema, &OpenTool::default())
    {
        findings.report_line(Rule::Schema, default.span, why);
    }
    Some(DraftInput {
        name: &member.key,
        description: fields.optional_string("description").map(|text| text.value),
        schema,
        default: default.map(|default| default.value),
    })
}

/// A schema that stands in a workflow, which has no `schemas` to refer to.
pub(super) fn schema(node: &Node, findings: &Findings) -> Option<Schema> {
    let written = plain(node);
    if refers(&written) {
        findings.report_line(Rule::Schema, node.span, "a schema of a workflow has no `$ref`: write it out");
        return None;
    }
    match serde_json::from_value(written) {
        Ok(schema) => Some(schema),
        Err(error) => {
            findings.report_line(Rule::Schema, node.span, format!("not a schema of OpenTool: {error}"));
            None
        }
    }
}

fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.contains_key("$ref") || members.values().any(refers),
        Value::Array(elements) => elements.iter().any(refers),
        _ => false,
    }
}

/// Reports a reference to an input that the document does not have.
pub(super) fn known(draft: &Draft<'_>, reference: &Reference, node: &Node, findings: &Findings) {
    let name = reference.path.first().map_or("", String::as_str);
    if draft.inputs.iter().any(|input| input.name == name) {
        return;
    }
    let near = did_you_mean(name, draft.inputs.iter().map(|input| input.name));
    let message = format!("there is no input `{name}` in `{INPUTS}`{near}");
    findings.report_line(Rule::UnknownInput, node.span, message);
}

/// A JSON object as text, in which no key occurs twice and every number is exact.
pub(super) fn object(text: &str) -> Result<Map<String, Value>, ToolError> {
    let findings = Findings::new();
    let tree = read::tree(text, &findings);
    if let Some(first) = findings.finish("", text).errors().next() {
        return Err(ToolError::invalid_arguments("", format!("{}: {}", first.place(), first.message)));
    }
    match tree.map(|tree| tree.value) {
        Some(Written::Object(members)) => Ok(read::object(&members)),
        _ => Err(ToolError::invalid_arguments("", "not a JSON object")),
    }
}

/// The inputs of a run: those given, checked, and the defaults of the others.
pub(super) fn complete(
    inputs: &[Input],
    given: &Map<String, Value>,
) -> Result<Map<String, Value>, ToolError> {
    let function = opentool::Function {
        parameters: inputs.iter().map(Input::parameter).collect(),
        ..opentool::Function::default()
    };
    conform::arguments(given, &function, &OpenTool::default())?;
    let value = |input: &Input| given.get(&input.name).or(input.default.as_ref()).cloned();
    Ok(inputs.iter().filter_map(|input| Some((input.name.clone(), value(input)?))).collect())
}
