//! From the text to steps. What is missing or of the wrong type is reported, and what is there is
//! kept, so that one mistake does not hide the next.

use std::collections::HashSet;

use crate::finding::{Findings, Rule};
use opendyn_source::json::{Failure, Member, Node, Value, parse};
use opendyn_source::nearest::nearest;
use opendyn_source::span::{Span, Spanned};
use opentool::Info;

/// A document as far as it could be read.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) info: Info,
    pub(super) steps: Vec<DraftStep>,
    /// Where `workflow` stands, if it does.
    pub(super) place: Option<Span>,
}

/// A step as far as it could be read.
#[derive(Debug)]
pub(super) struct DraftStep {
    pub(super) name: Spanned<String>,
    pub(super) description: Option<String>,
    pub(super) function: Option<Spanned<String>>,
    pub(super) arguments: Option<Spanned<Vec<Member>>>,
    pub(super) results: Option<Spanned<Vec<Member>>>,
    pub(super) next: Option<Spanned<Next>>,
}

/// Where a step leads.
#[derive(Debug)]
pub(super) enum Next {
    /// To the step of that name, or to the end if there is none.
    Step(String),
    /// JSON's own null, which some write for the name `null`.
    End,
}

pub(super) fn read(source: &str, findings: &Findings) -> Draft {
    let mut root = match parse(source) {
        Ok(root) => root,
        Err(failure) => {
            let (at, message) = match failure {
                Failure::Syntax { at, message } => (at, format!("this is not JSON: {message}")),
                Failure::TooDeep { span } => (span.start, "this is nested too deep".to_owned()),
            };
            findings.report_line(Rule::Json, Span { start: at, end: at }, message);
            return Draft::default();
        }
    };
    holds(&mut root, findings);
    let mut draft = Draft::default();
    let Some(mut document) = Fields::of("the document", root, findings) else { return draft };
    if let Some(version) = document.text("openworkflow", findings)
        && version.value.split('.').next() != Some("1")
    {
        let message = format!("OpenWorkflow {} is not known; this reads version 1", version.value);
        findings.report_line(Rule::Version, version.span, message);
    }
    if let Some(info) = document.required("info", findings)
        && let Some(mut info) = Fields::of("`info`", info, findings)
    {
        let mut text = |key| info.text(key, findings).map(|text| text.value).unwrap_or_default();
        draft.info.title = text("title");
        draft.info.version = text("version");
        draft.info.description = info.optional_text("description", findings);
    }
    if let Some(workflow) = document.required("workflow", findings) {
        draft.place = Some(workflow.span);
        for member in members("`workflow`", workflow, findings).map(|all| all.value).unwrap_or_default() {
            draft.steps.extend(step(member, findings));
        }
    }
    draft
}

fn step(member: Member, findings: &Findings) -> Option<DraftStep> {
    let noun = format!("step `{}`", member.key);
    let name = Spanned { value: member.key, span: member.key_span };
    let mut fields = Fields::of(&noun, member.value, findings)?;
    let function = fields.text("function", findings);
    let mut object = |key| {
        let node = fields.required(key, findings)?;
        members(&format!("`{key}` of {noun}"), node, findings)
    };
    let (arguments, results) = (object("arguments"), object("results"));
    let next = fields.required("next", findings).and_then(|node| {
        let value = match node.value {
            Value::String(name) => Next::Step(name),
            Value::Null => Next::End,
            other => {
                let message = format!("`next` of {noun} is {}, not the name of a step", other.noun());
                findings.report_line(Rule::FieldType, node.span, message);
                return None;
            }
        };
        Some(Spanned { value, span: node.span })
    });
    let description = fields.optional_text("description", findings);
    Some(DraftStep { name, description, function, arguments, results, next })
}

/// The members of an object.
fn members(noun: &str, node: Node, findings: &Findings) -> Option<Spanned<Vec<Member>>> {
    match node.value {
        Value::Object(members) => Some(Spanned { value: members, span: node.span }),
        other => {
            findings.report_line(
                Rule::FieldType,
                node.span,
                format!("{noun} is {}, not an object", other.noun()),
            );
            None
        }
    }
}

/// What is to hold for every value of the document: each key once, and numbers that can be held.
fn holds(node: &mut Node, findings: &Findings) {
    match &mut node.value {
        Value::Object(members) => {
            let mut seen = HashSet::new();
            members.retain(|member| {
                let is_first = seen.insert(member.key.clone());
                if !is_first {
                    let message = format!("`{}` stands here twice", member.key);
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

/// A number as JSON values hold it, unless it would be another one then.
fn number(text: &str) -> Result<serde_json::Number, String> {
    let number: serde_json::Number =
        serde_json::from_str(text).map_err(|_| format!("{text} is beyond what a number can be"))?;
    if number.is_f64() && !text.contains(['.', 'e', 'E']) && text != "-0" {
        return Err(format!("{text} does not fit 64 bits; a larger integer is passed as a string"));
    }
    Ok(number)
}

/// The value without its places.
pub(super) fn plain(node: &Node) -> serde_json::Value {
    use serde_json::Value as Plain;
    match &node.value {
        Value::Null => Plain::Null,
        Value::Bool(value) => Plain::Bool(*value),
        // One that cannot be held has been reported.
        Value::Number(text) => number(text).map_or(Plain::Null, Plain::Number),
        Value::String(text) => Plain::String(text.clone()),
        Value::Array(elements) => Plain::Array(elements.iter().map(plain).collect()),
        Value::Object(members) => Plain::Object(object(members)),
    }
}

/// An object without its places.
pub(super) fn object(members: &[Member]) -> serde_json::Map<String, serde_json::Value> {
    members.iter().map(|member| (member.key.clone(), plain(&member.value))).collect()
}

/// The fields of an object that the specification describes.
struct Fields<'n> {
    noun: &'n str,
    members: Vec<Member>,
    whole: Span,
}

impl<'n> Fields<'n> {
    fn of(noun: &'n str, node: Node, findings: &Findings) -> Option<Self> {
        let members = members(noun, node, findings)?;
        Some(Self { noun, members: members.value, whole: members.span })
    }

    fn take(&mut self, key: &str) -> Option<Node> {
        let index = self.members.iter().position(|member| member.key == key)?;
        Some(self.members.swap_remove(index).value)
    }

    fn required(&mut self, key: &str, findings: &Findings) -> Option<Node> {
        let found = self.take(key);
        if found.is_none() {
            let near = nearest(key, self.members.iter().map(|member| member.key.as_str()));
            let near = near.map(|near| format!("; was that meant by `{near}`?")).unwrap_or_default();
            findings.report_line(
                Rule::MissingField,
                self.whole,
                format!("{} has no `{key}`{near}", self.noun),
            );
        }
        found
    }

    fn text(&mut self, key: &str, findings: &Findings) -> Option<Spanned<String>> {
        let node = self.required(key, findings)?;
        self.string(key, node, findings)
    }

    fn optional_text(&mut self, key: &str, findings: &Findings) -> Option<String> {
        let node = self.take(key).filter(|node| !matches!(node.value, Value::Null))?;
        self.string(key, node, findings).map(|text| text.value)
    }

    fn string(&self, key: &str, node: Node, findings: &Findings) -> Option<Spanned<String>> {
        match node.value {
            Value::String(value) => Some(Spanned { value, span: node.span }),
            other => {
                let message = format!("`{key}` of {} is {}, not a string", self.noun, other.noun());
                findings.report_line(Rule::FieldType, node.span, message);
                None
            }
        }
    }
}
