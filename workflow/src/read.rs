//! Reads the steps from the text. Missing fields and wrong types are reported and the rest is kept, so that one
//! mistake does not hide the next.

use std::collections::HashSet;

use crate::finding::{Findings, Rule};
use crate::inputs::{self, DraftInput};
use crate::outputs::{self, DraftOutput};
use opendyn_source::json::{Failure, Member, Node, Value, parse};
use opendyn_source::object::{Object, members};
use opendyn_source::span::{Span, Spanned};
use opentool::Info;

/// The readable parts of a document.
#[derive(Debug, Default)]
pub(super) struct Draft<'n> {
    pub(super) info: Info,
    pub(super) inputs: Vec<DraftInput<'n>>,
    /// `None` if the document does not say what it returns.
    pub(super) outputs: Option<Vec<DraftOutput<'n>>>,
    pub(super) steps: Vec<DraftStep<'n>>,
    /// The place of `workflow`, if the document has it.
    pub(super) place: Option<Span>,
}

/// The readable parts of a step.
#[derive(Debug)]
pub(super) struct DraftStep<'n> {
    pub(super) name: Spanned<&'n str>,
    pub(super) description: Option<&'n str>,
    pub(super) function: Option<Spanned<&'n str>>,
    pub(super) arguments: Option<Spanned<&'n [Member]>>,
    pub(super) results: Option<Spanned<&'n [Member]>>,
    pub(super) next: Option<Spanned<Next<'n>>>,
}

/// What follows a step.
#[derive(Debug)]
pub(super) enum Next<'n> {
    /// The step with this name, or the end if there is none.
    Step(&'n str),
    /// The end: JSON's null, which some documents have instead of the name `null`.
    End,
}

/// The tree of a document, without duplicate keys. A text that is not JSON is reported.
pub(super) fn tree(source: &str, findings: &Findings) -> Option<Node> {
    match parse(source) {
        Ok(mut root) => {
            holds(&mut root, findings);
            Some(root)
        }
        Err(failure) => {
            let (at, message) = match failure {
                Failure::Syntax { at, message } => (at, format!("not JSON: {message}")),
                Failure::TooDeep { span } => (span.start, "nested too deep".to_owned()),
            };
            findings.report_line(Rule::Json, Span { start: at, end: at }, message);
            None
        }
    }
}

/// The steps in a tree.
pub(super) fn draft<'n>(root: &'n Node, findings: &Findings) -> Draft<'n> {
    let mut draft = Draft::default();
    let Some(document) = Object::new(root, "the document", findings) else { return draft };
    if let Some(version) = document.required_string("openworkflow")
        && version.value.split('.').next() != Some("1")
    {
        let message = format!("OpenWorkflow {} is not supported; the supported version is 1", version.value);
        findings.report_line(Rule::Version, version.span, message);
    }
    if let Some(info) = document.required_object("info", "`info`") {
        let text = |key| info.required_string(key).map_or("", |text| text.value).to_owned();
        draft.info.title = text("title");
        draft.info.version = text("version");
        draft.info.description = info.optional_string("description").map(|text| text.value.to_owned());
    }
    draft.inputs = inputs::read_all(&document, findings);
    draft.outputs = outputs::read(&document, findings);
    if let Some(workflow) = document.present("workflow") {
        draft.place = Some(workflow.span);
        draft.steps = members(workflow, "`workflow`", findings)
            .iter()
            .filter_map(|member| step(member, findings))
            .collect();
    }
    draft
}

fn step<'n>(member: &'n Member, findings: &Findings) -> Option<DraftStep<'n>> {
    let fields = Object::new(&member.value, format!("step `{}`", member.key), findings)?;
    let object = |key| {
        let node = fields.present(key)?;
        let object = Object::new(node, format!("`{key}` of {}", fields.what), findings)?;
        Some(Spanned { value: object.members(), span: node.span })
    };
    let next = fields.present("next").and_then(|node| {
        let value = match &node.value {
            Value::String(name) => Next::Step(name),
            Value::Null => Next::End,
            _ => {
                fields.wrong(node, "next", "the name of a step");
                return None;
            }
        };
        Some(Spanned { value, span: node.span })
    });
    Some(DraftStep {
        name: Spanned { value: &member.key, span: member.key_span },
        description: fields.optional_string("description").map(|text| text.value),
        function: fields.required_string("function"),
        arguments: object("arguments"),
        results: object("results"),
        next,
    })
}

/// Checks every value of the document: keys must be unique, and numbers must be representable.
fn holds(node: &mut Node, findings: &Findings) {
    match &mut node.value {
        Value::Object(members) => {
            let mut seen = HashSet::new();
            members.retain(|member| {
                let is_first = seen.insert(member.key.clone());
                if !is_first {
                    let message = format!("`{}` occurs twice in this object", member.key);
                    findings.report_line(Rule::DuplicateKey, member.key_span, message);
                }
                is_first
            });
            members.iter_mut().for_each(|member| holds(&mut member.value, findings));
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| holds(element, findings)),
        Value::Number(text) => {
            if let Err(message) = number(text) {
                findings.report_line(Rule::Number, node.span, message);
            }
        }
        _ => {}
    }
}

/// The number as a JSON value, unless its value would change.
fn number(text: &str) -> Result<serde_json::Number, String> {
    let number: serde_json::Number =
        serde_json::from_str(text).map_err(|_| format!("{text} is too large for a number"))?;
    if number.is_f64() && !text.contains(['.', 'e', 'E']) && text != "-0" {
        return Err(format!("{text} does not fit 64 bits; pass a larger integer as a string"));
    }
    Ok(number)
}

/// The value without places.
pub(super) fn plain(node: &Node) -> serde_json::Value {
    use serde_json::Value as Plain;
    match &node.value {
        Value::Null => Plain::Null,
        Value::Bool(value) => Plain::Bool(*value),
        // A number that is not representable is reported already.
        Value::Number(text) => number(text).map_or(Plain::Null, Plain::Number),
        Value::String(text) => Plain::String(text.clone()),
        Value::Array(elements) => Plain::Array(elements.iter().map(plain).collect()),
        Value::Object(members) => Plain::Object(object(members)),
    }
}

/// An object without places.
pub(super) fn object(members: &[Member]) -> serde_json::Map<String, serde_json::Value> {
    members.iter().map(|member| (member.key.clone(), plain(&member.value))).collect()
}
