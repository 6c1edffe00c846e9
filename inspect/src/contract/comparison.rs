//! Compares one source, a header or debug info, with the functions of a document.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use opendyn_model::diagnostic::Findings;
use opendyn_model::lower::{Declaration, Lowered};
use opendyn_model::plan;
use opendyn_model::rule::Rule;
use opendyn_source::span::Span;

use super::report::{Against, Coverage, Gap};
use super::scalar::Model;
use super::verdict::Verdict;
use super::wording;
use crate::{Function, Interface, TypeId, Types};

/// The findings of earlier sources: debug info does not repeat what a header has shown.
pub(super) type Told = RefCell<HashSet<(Rule, Span)>>;

pub(super) struct Comparison<'c> {
    pub(super) document: &'c Lowered,
    pub(super) interface: &'c Interface,
    /// The source in messages: `the library`, `the header`.
    pub(super) says: &'static str,
    /// Whether the source spells types as in the source code.
    spells: bool,
    findings: &'c Findings,
    told: &'c Told,
    telling: RefCell<Vec<(Rule, Span)>>,
    /// What could not be compared, and in which functions.
    unknown: RefCell<BTreeMap<String, BTreeSet<String>>>,
}

impl<'c> Comparison<'c> {
    pub(super) fn new(
        document: &'c Lowered,
        interface: &'c Interface,
        against: Against,
        findings: &'c Findings,
        told: &'c Told,
    ) -> Self {
        let (telling, unknown) = (RefCell::default(), RefCell::default());
        let (says, spells) = match against {
            Against::Header => ("the header", true),
            Against::DebugInfo | Against::Exports => ("the library", false),
        };
        Self { document, interface, says, spells, findings, told, telling, unknown }
    }

    pub(super) fn model(&self) -> Model<'c> {
        Model { types: &self.interface.types, target: &self.interface.target, spells: self.spells }
    }

    pub(super) fn types(&self) -> &'c Types {
        &self.interface.types
    }

    /// A struct of the document.
    pub(super) fn declared(&self, record: usize) -> &'c plan::Record {
        &self.document.types.records[record]
    }

    /// The struct that the document describes behind the handles of a type.
    pub(super) fn behind(&self, handle: &str) -> Option<&'c plan::Record> {
        let types = &self.document.types;
        let handle = types.handles.iter().find(|of| of.name == handle)?;
        handle.members.map(|record| &types.records[record])
    }

    /// Compares every function that both have.
    pub(super) fn run(self, absent: &str) -> Coverage {
        let functions = &self.document.functions;
        let mut checked = 0;
        let mut left: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut leave = |reason: &str, function: &Declaration| {
            left.entry(reason.to_owned()).or_default().insert(function.name.value.clone());
        };
        for function in functions.iter().filter(|function| function.is_exported) {
            let symbol = &function.symbol.value;
            let found = self.find(symbol).or_else(|| {
                // `x-symbol` may be the decorated name of 32-bit Windows.
                self.find(undecorated(symbol)?)
            });
            match (found.map(|found| &found.signature), function.signature()) {
                (_, None) => leave("the document has an error there", function),
                (None, _) => leave(absent, function),
                (Some(Err(reason)), _) => leave(reason, function),
                (Some(Ok(found)), Some(signature)) => {
                    checked += 1;
                    self.signature(function, signature, found);
                    self.convention(function, found.convention);
                }
            }
        }
        self.told.borrow_mut().extend(self.telling.into_inner());
        Coverage {
            functions: checked,
            of: functions.iter().filter(|function| function.is_exported).count(),
            unchecked: grouped(left),
            partly: grouped(self.unknown.into_inner()),
        }
    }

    /// The function with this symbol in the library. Its name in C may differ.
    fn find(&self, symbol: &str) -> Option<&'c Function> {
        let is_itself = |function: &&Function| function.symbol.as_deref().is_none_or(|of| of == symbol);
        let by_name = self.interface.function(symbol).filter(is_itself);
        let is_called = |function: &&Function| function.symbol.as_deref() == Some(symbol);
        by_name.or_else(|| self.interface.functions.iter().find(is_called))
    }

    /// Reports a finding, unless an earlier source has reported it at this place.
    pub(super) fn report(&self, rule: Rule, span: Span, message: String, help: String) {
        if !self.told.borrow().contains(&(rule, span)) {
            self.telling.borrow_mut().push((rule, span));
            self.findings.report(rule, span, message, help);
        }
    }

    /// Reports the result of comparing a value. `what` begins the sentence, `error` is the rule for its
    /// position.
    pub(super) fn judge(&self, verdict: Verdict, error: Rule, place: &Place<'_>, of: &str, id: TypeId) {
        match verdict {
            Verdict::Fits => {}
            Verdict::Unknown(reason) => self.leave(reason, place.function),
            Verdict::Differs { rule, note } => {
                let library = wording::explained(id, self.types());
                let says = self.says;
                let what = &place.what;
                self.report(
                    rule.unwrap_or(error),
                    place.span,
                    format!("{what}: the document says {of}, {says} says {library}: {note}"),
                    wording::help(id, self.interface),
                );
            }
        }
    }

    /// Records what cannot be compared.
    pub(super) fn leave(&self, reason: String, function: &str) {
        self.unknown.borrow_mut().entry(reason).or_default().insert(function.to_owned());
    }
}

/// A value of the document, for messages.
pub(super) struct Place<'p> {
    /// `parameter 2 of compress2`
    pub(super) what: String,
    pub(super) span: Span,
    pub(super) function: &'p str,
}

fn grouped(reasons: BTreeMap<String, BTreeSet<String>>) -> Vec<Gap> {
    let group = |(reason, functions): (String, BTreeSet<String>)| Gap {
        reason,
        functions: functions.into_iter().collect(),
    };
    reasons.into_iter().map(group).collect()
}

/// `sub` of `sub@8`, `_sub@8` and `@sub@8`.
pub(super) fn undecorated(symbol: &str) -> Option<&str> {
    let (name, bytes) = symbol.rsplit_once('@')?;
    let is_number = !bytes.is_empty() && bytes.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| name.strip_prefix(['_', '@']).unwrap_or(name))
}
