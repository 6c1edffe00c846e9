//! Checks a workflow against the document of the tool whose functions it calls.

use crate::finding::{Findings, Rule, did_you_mean};
use crate::order::Order;
use crate::outputs;
use crate::read::{Draft, DraftStep, plain};
use crate::reference::{Origin, Reference};
use crate::shape::{self, Shapes};
use opendyn_source::json::{Member, Node, Value as Written};
use opentool::values;
use opentool::{Map, OpenTool, Value};

pub(super) fn check(draft: &Draft<'_>, order: &Order<'_>, document: &OpenTool, findings: &Findings) {
    let shapes = Shapes::of(document, &draft.inputs);
    outputs::check(draft, order, &shapes, findings);
    for (index, step) in draft.steps.iter().enumerate() {
        let Some(name) = &step.function else { continue };
        let Some(function) = shapes.function(name.value) else {
            let near = did_you_mean(name.value, shapes.names());
            let message = format!("there is no function `{}`{near}", name.value);
            findings.report_line(Rule::UnknownFunction, name.span, message);
            continue;
        };
        let values = Values { step: Some(index), draft, order, shapes: &shapes, findings };
        let call = Call { values, step, name: name.value, shapes: &shapes, findings };
        call.arguments(function);
        call.results(function);
    }
}

/// One step whose function is known.
struct Call<'c> {
    values: Values<'c>,
    step: &'c DraftStep<'c>,
    name: &'c str,
    shapes: &'c Shapes,
    findings: &'c Findings,
}

impl Call<'_> {
    fn arguments(&self, function: &Value) {
        let Some(arguments) = &self.step.arguments else { return };
        let parameters = function["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
        let name = |parameter: &'_ Value| parameter["name"].as_str().unwrap_or_default().to_owned();
        for argument in arguments.value {
            let Some(parameter) = parameters.iter().find(|parameter| name(parameter) == argument.key) else {
                let names: Vec<String> = parameters.iter().map(name).collect();
                let near = did_you_mean(&argument.key, names.iter().map(String::as_str));
                let message = format!("`{}` has no parameter `{}`{near}", self.name, argument.key);
                self.findings.report_line(Rule::UnknownArgument, argument.key_span, message);
                continue;
            };
            let is_optional = parameter["required"] == Value::Bool(false);
            if is_optional && matches!(argument.value.value, Written::Null) {
                continue;
            }
            self.values.value(&argument.value, &parameter["schema"]);
        }
        for parameter in parameters.iter().filter(|parameter| parameter["required"] != Value::Bool(false)) {
            let name = name(parameter);
            if !arguments.value.iter().any(|argument| argument.key == name) {
                let message = format!("`{}` requires `{name}`", self.name);
                self.findings.report_line(Rule::MissingArgument, arguments.span, message);
            }
        }
        self.pause(arguments.value);
    }

    /// The built-in function takes no negative duration.
    fn pause(&self, arguments: &[Member]) {
        for argument in arguments.iter().filter(|_| self.name == crate::SLEEP) {
            if matches!(&argument.value.value, Written::Number(text) if text.starts_with('-')) {
                let message = format!("`{}` must be 0 or more", argument.key);
                self.findings.report_line(Rule::ArgumentType, argument.value.span, message);
            }
        }
    }

    fn results(&self, function: &Value) {
        let Some(results) = &self.step.results else { return };
        for result in results.value {
            match self.shapes.at(&function["reply"], std::slice::from_ref(&result.key)) {
                Err(why) => {
                    let message = format!("the result of `{}`: {why}", self.name);
                    self.findings.report_line(Rule::UnknownResult, result.key_span, message);
                }
                Ok(Some(schema)) => self.default(&result.value, schema),
                Ok(None) => {}
            }
        }
    }

    /// Checks a default, which stands for its type. Null stands for any type.
    fn default(&self, node: &Node, schema: &Value) {
        let Some(shape) = self.shapes.resolve(schema) else { return };
        let Some(kind) = shape::kind(shape) else { return };
        if matches!(node.value, Written::Null) {
            return;
        }
        if !shape::is(node, kind) {
            let message = format!(
                "`{}` returns {} here, not {}",
                self.name,
                values::with_article(kind),
                described(node)
            );
            return self.findings.report_line(Rule::ResultType, node.span, message);
        }
        match (&node.value, shape.get("items"), shape::properties(shape)) {
            (Written::Array(elements), Some(items), _) => {
                elements.iter().for_each(|element| self.default(element, items));
            }
            (Written::Object(members), _, Some(properties)) => {
                for member in members {
                    match properties.get(&member.key) {
                        Some(schema) => self.default(&member.value, schema),
                        None => {
                            let message = format!("`{}` returns no `{}` here", self.name, member.key);
                            self.findings.report_line(Rule::UnknownResult, member.key_span, message);
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

/// Values that are written in the document, with references in them.
pub(super) struct Values<'c> {
    /// The step that they are arguments of; `None` for outputs, where every step has run.
    pub(super) step: Option<usize>,
    pub(super) draft: &'c Draft<'c>,
    pub(super) order: &'c Order<'c>,
    pub(super) shapes: &'c Shapes,
    pub(super) findings: &'c Findings,
}

impl<'c> Values<'c> {
    /// Checks a value against its schema.
    pub(super) fn value(&self, node: &Node, schema: &Value) {
        if let Written::String(text) = &node.value
            && let Some(reference) = Reference::parse(text)
        {
            // An invalid reference is reported already.
            return reference.map_or((), |reference| self.reference(node, &reference, Some(schema)));
        }
        let Some(shape) = self.shapes.resolve(schema) else { return self.untyped(node) };
        let Some(kind) = shape::kind(shape) else { return self.untyped(node) };
        if matches!(node.value, Written::Null) && shape::takes_null(shape) {
            return;
        }
        if !shape::is(node, kind) {
            let message = format!("expected {}, got {}", values::with_article(kind), described(node));
            return self.findings.report_line(Rule::ArgumentType, node.span, message);
        }
        if let Some(choices) = shape::choices(shape) {
            let value = plain(node);
            if !choices.iter().any(|choice| values::same(choice, &value)) {
                let message = format!("{value} is not one of {}", values::list(choices));
                return self.findings.report_line(Rule::ArgumentType, node.span, message);
            }
        }
        match &node.value {
            Written::Array(elements) => match shape.get("items") {
                Some(items) => elements.iter().for_each(|element| self.value(element, items)),
                None => self.untyped(node),
            },
            Written::Object(members) => match shape::properties(shape) {
                Some(properties) => self.members(node, members, shape, properties),
                None => self.untyped(node),
            },
            _ => {}
        }
    }

    fn members(
        &self,
        node: &Node,
        members: &[Member],
        shape: &Map<String, Value>,
        properties: &Map<String, Value>,
    ) {
        for member in members {
            match properties.get(&member.key) {
                Some(schema) => self.value(&member.value, schema),
                None => {
                    let near = did_you_mean(&member.key, properties.keys().map(String::as_str));
                    let message = format!("the object has no `{}`{near}", member.key);
                    self.findings.report_line(Rule::UnknownArgument, member.key_span, message);
                }
            }
        }
        for name in shape::required(shape) {
            if !members.iter().any(|member| member.key == name) {
                let message = format!("the object requires `{name}`");
                self.findings.report_line(Rule::MissingArgument, node.span, message);
            }
        }
    }

    /// Checks a value without a schema: its references must resolve.
    pub(super) fn untyped(&self, node: &Node) {
        match &node.value {
            Written::String(text) => {
                if let Some(Ok(reference)) = Reference::parse(text) {
                    self.reference(node, &reference, None);
                }
            }
            Written::Array(elements) => elements.iter().for_each(|element| self.untyped(element)),
            Written::Object(members) => members.iter().for_each(|member| self.untyped(&member.value)),
            _ => {}
        }
    }

    fn reference(&self, node: &Node, reference: &Reference, wanted: Option<&Value>) {
        let Some((from, values)) = self.origin(reference) else { return };
        match self.shapes.at(values, &reference.path) {
            Err(why) => {
                self.findings.report_line(Rule::UnknownResult, node.span, format!("{from}: {why}"));
            }
            Ok(Some(given)) => {
                if let Some(Err(why)) = wanted.map(|wanted| self.shapes.fits(given, wanted)) {
                    let message = format!("{from} does not fit: {why}");
                    self.findings.report_line(Rule::ReferenceType, node.span, message);
                }
            }
            Ok(None) => {}
        }
    }

    /// What a reference leads into: its name for messages, and its schema. Problems with the input, with the step or with
    /// its function are reported elsewhere.
    pub(super) fn origin(&self, reference: &Reference) -> Option<(String, &'c Value)> {
        let step = match &reference.origin {
            Origin::Inputs => {
                let name = reference.path.first()?;
                self.draft.inputs.iter().find(|input| input.name == name && input.schema.is_some())?;
                return Some((format!("the input `{name}`"), self.shapes.inputs()));
            }
            Origin::Step(step) => self.order.find(step)?,
        };
        if !self.order.has_run(step, self.step) {
            return None;
        }
        let function = self.draft.steps[step].function.as_ref()?.value;
        Some((format!("the result of `{function}`"), &self.shapes.function(function)?["reply"]))
    }
}

/// The type of a value; for a number its text, because only the fraction may be wrong.
fn described(node: &Node) -> String {
    match &node.value {
        Written::Number(text) => text.clone(),
        other => other.noun().to_owned(),
    }
}
