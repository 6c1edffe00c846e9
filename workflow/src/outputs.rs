//! `x-outputs`: what a workflow returns. Without it, the result is that of the last step.

use opendyn_source::json::{Member, Node, Value as Written};
use opendyn_source::object::{Object, members};
use opendyn_source::span::Spanned;
use opentool::{Function, IndexMap, OpenTool, Return, Schema, SchemaType, Value};
use serde_json::json;

use crate::check::Values;
use crate::finding::{Findings, Rule};
use crate::inputs;
use crate::order::Order;
use crate::read::{Draft, plain};
use crate::reference::Reference;
use crate::shape::{self, Shapes};

/// An output of a [`Workflow`](crate::Workflow).
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// The key in the result.
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// The value; strings in it that begin with `#/` are references.
    pub value: Value,
    /// The shape of the value, if the document says it.
    pub schema: Option<Schema>,
}

/// The readable parts of an output.
#[derive(Debug)]
pub(super) struct DraftOutput<'n> {
    name: Spanned<&'n str>,
    description: Option<&'n str>,
    pub(super) value: &'n Node,
    schema: Option<Schema>,
    /// Whether it has a `schema`, which may be wrong.
    is_typed: bool,
}

impl DraftOutput<'_> {
    pub(super) fn output(&self) -> Output {
        Output {
            name: self.name.value.to_owned(),
            description: self.description.map(str::to_owned),
            value: plain(self.value),
            schema: self.schema.clone(),
        }
    }

    /// The schema that the document says, or that of what the value refers to.
    fn shape(&self, values: &Values<'_>) -> Option<Schema> {
        if self.is_typed {
            return self.schema.clone();
        }
        let shape = match &self.value.value {
            Written::String(text) => match Reference::parse(text) {
                None => json!({"type": "string"}),
                Some(reference) => {
                    let reference = reference.ok()?;
                    let (_, schema) = values.origin(&reference)?;
                    values.shapes.at(schema, &reference.path).ok()??.clone()
                }
            },
            Written::Bool(_) => json!({"type": "boolean"}),
            Written::Number(_) if shape::is(self.value, "integer") => json!({"type": "integer"}),
            Written::Number(_) => json!({"type": "number"}),
            Written::Null | Written::Array(_) | Written::Object(_) => return None,
        };
        serde_json::from_value(shape).ok()
    }
}

/// The outputs of a document, in order; `None` if it has no `x-outputs`.
pub(super) fn read<'n>(document: &Object<'n, '_, Rule>, findings: &Findings) -> Option<Vec<DraftOutput<'n>>> {
    let outputs = members(document.optional("x-outputs")?, "`x-outputs`", findings);
    Some(outputs.iter().filter_map(|member| output(member, findings)).collect())
}

fn output<'n>(member: &'n Member, findings: &Findings) -> Option<DraftOutput<'n>> {
    let fields = Object::new(&member.value, format!("output `{}`", member.key), findings)?;
    let schema = fields.optional("schema");
    Some(DraftOutput {
        name: Spanned { value: &member.key, span: member.key_span },
        description: fields.optional_string("description").map(|text| text.value),
        value: fields.present("value")?,
        schema: schema.and_then(|node| inputs::schema(node, findings)),
        is_typed: schema.is_some(),
    })
}

/// Checks the outputs against the functions whose results they are.
pub(super) fn check(draft: &Draft<'_>, order: &Order<'_>, shapes: &Shapes, findings: &Findings) {
    let values = Values { step: None, draft, order, shapes, findings };
    for output in draft.outputs.iter().flatten() {
        if output.is_typed {
            let schema =
                output.schema.as_ref().map(|schema| serde_json::to_value(schema).unwrap_or_default());
            if let Some(schema) = schema {
                values.value(output.value, &schema);
            }
            continue;
        }
        values.untyped(output.value);
        if output.shape(&values).is_none() && !is_faulty(output.value, &values) {
            let message = format!("the type of `{}` is not known: give it a `schema`", output.name.value);
            findings.report_line(Rule::OutputType, output.name.span, message);
        }
    }
}

/// Whether the value is a reference that is reported already.
fn is_faulty(value: &Node, values: &Values<'_>) -> bool {
    let Written::String(text) = &value.value else { return false };
    match Reference::parse(text) {
        None => false,
        Some(Err(_)) => true,
        Some(Ok(reference)) => values
            .origin(&reference)
            .is_none_or(|(_, schema)| values.shapes.at(schema, &reference.path).is_err()),
    }
}

/// What the workflow returns, as a function of OpenTool does.
pub(super) fn returns(
    draft: &Draft<'_>,
    order: &Order<'_>,
    shapes: &Shapes,
    document: &OpenTool,
) -> Option<Return> {
    let Some(outputs) = &draft.outputs else {
        let last = draft.steps[*order.chain.last()?].function.as_ref()?;
        return document.function(last.value).and_then(|Function { returns, .. }| returns.clone());
    };
    if outputs.is_empty() {
        return None;
    }
    let nothing = Findings::new();
    let values = Values { step: None, draft, order, shapes, findings: &nothing };
    let properties: IndexMap<String, Schema> = outputs
        .iter()
        .filter_map(|output| {
            let mut schema = output.shape(&values)?;
            if let Some(description) = output.description {
                schema.description = Some(description.to_owned());
            }
            Some((output.name.value.to_owned(), schema))
        })
        .collect();
    let required = Some(properties.keys().cloned().collect());
    let schema = Schema { properties: Some(properties), required, ..Schema::of(SchemaType::Object) };
    Some(Return { name: "results".to_owned(), description: None, schema, spread: true })
}
