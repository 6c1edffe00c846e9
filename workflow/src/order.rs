//! The order in which the steps run. Reports unreachable steps, loops, and references to steps that have not run.

use std::collections::HashMap;

use crate::finding::{Findings, Rule, did_you_mean};
use crate::inputs;
use crate::read::{Draft, DraftStep, Next};
use crate::reference::{Origin, Reference};
use opendyn_source::json::{Node, Value};
use opendyn_source::nearest::nearest;

/// The step that runs first.
const START: &str = "start";

/// The order in which the steps run.
pub(super) struct Order<'d> {
    steps: &'d [DraftStep<'d>],
    by_name: HashMap<&'d str, usize>,
    /// The indices of the steps that run, in order.
    pub(super) chain: Vec<usize>,
    /// The position of each step in the chain.
    places: Vec<Option<usize>>,
}

impl<'d> Order<'d> {
    pub(super) fn of(draft: &'d Draft<'d>, findings: &Findings) -> Self {
        let steps = draft.steps.as_slice();
        let by_name = steps.iter().enumerate().map(|(index, step)| (step.name.value, index)).collect();
        let mut order = Self { steps, by_name, chain: Vec::new(), places: vec![None; steps.len()] };
        match order.find(START) {
            Some(start) => {
                if order.walk(start, findings) {
                    order.unreachable(findings);
                }
            }
            None => {
                if let Some(place) = draft.place {
                    let near = nearest(START, steps.iter().map(|step| step.name.value));
                    let near =
                        near.map(|near| format!("; is `{near}` a misspelling of it?")).unwrap_or_default();
                    findings.report_line(Rule::NoStart, place, format!("there is no step `{START}`{near}"));
                }
            }
        }
        for (step, named) in steps.iter().enumerate() {
            for argument in named.arguments.iter().flat_map(|arguments| arguments.value) {
                order.references(draft, Some(step), &argument.value, findings);
            }
        }
        for output in draft.outputs.iter().flatten() {
            order.references(draft, None, output.value, findings);
        }
        order
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Whether `earlier` has run when `step` does; `None` is the end.
    pub(super) fn has_run(&self, earlier: usize, step: Option<usize>) -> bool {
        let Some(earlier) = self.places[earlier] else { return false };
        step.is_none_or(|step| self.places[step].is_some_and(|step| earlier < step))
    }

    /// Follows `next` from step to step. Returns `false` if the `next` of a step is missing.
    fn walk(&mut self, start: usize, findings: &Findings) -> bool {
        let mut step = start;
        loop {
            self.places[step] = Some(self.chain.len());
            self.chain.push(step);
            let Some(next) = &self.steps[step].next else { return false };
            let Next::Step(name) = &next.value else { return true };
            match self.find(name) {
                None => return true,
                Some(following) if self.places[following].is_some() => {
                    let message = format!(
                        "step `{}` leads back to `{name}`, so it would never end",
                        self.steps[step].name.value
                    );
                    findings.report_line(Rule::Loop, next.span, message);
                    return true;
                }
                Some(following) => step = following,
            }
        }
    }

    fn unreachable(&self, findings: &Findings) {
        let last = self.chain.last().map(|last| &self.steps[*last]);
        for (index, step) in self.steps.iter().enumerate() {
            if self.places[index].is_some() {
                continue;
            }
            let name = step.name.value;
            let mut message = format!("step `{name}` is never reached");
            // A misspelled `next` ends the workflow early.
            if let Some(DraftStep { name: last, next: Some(next), .. }) = last
                && let Next::Step(next) = &next.value
                && self.find(next).is_none()
                && nearest(next, [name]).is_some()
            {
                message += &format!("; `next` of `{}` is `{next}`, did you mean `{name}`?", last.value);
            }
            findings.report_line(Rule::Unreachable, step.name.span, message);
        }
    }

    /// Checks what the values in a step refer to, or those of an output.
    fn references(&self, draft: &Draft<'_>, step: Option<usize>, node: &Node, findings: &Findings) {
        let text = match &node.value {
            Value::String(text) => text,
            Value::Array(elements) => {
                return elements.iter().for_each(|element| self.references(draft, step, element, findings));
            }
            Value::Object(members) => {
                return members
                    .iter()
                    .for_each(|member| self.references(draft, step, &member.value, findings));
            }
            _ => return,
        };
        let reference = match Reference::parse(text) {
            None => return,
            Some(Ok(reference)) => reference,
            Some(Err(message)) => return findings.report_line(Rule::BadReference, node.span, message),
        };
        let name = match &reference.origin {
            Origin::Inputs => return inputs::known(draft, &reference, node, findings),
            Origin::Step(name) => name,
        };
        let Some(earlier) = self.find(name) else {
            let near = did_you_mean(name, self.by_name.keys().copied());
            return findings.report_line(
                Rule::UnknownStep,
                node.span,
                format!("there is no step `{name}`{near}"),
            );
        };
        // An unreachable step is reported as such.
        if step.is_some_and(|step| self.places[step].is_none()) || self.has_run(earlier, step) {
            return;
        }
        let message = match step {
            Some(step) if earlier == step => format!("step `{name}` cannot refer to its own results"),
            Some(step) if self.places[earlier].is_some() => {
                format!("step `{name}` runs only after `{}`", self.steps[step].name.value)
            }
            _ => format!("step `{name}` never runs"),
        };
        findings.report_line(Rule::NotRunYet, node.span, message);
    }
}
