//! Signatures: the number of parameters, the return value, the calling convention.

use opendyn_model::lower::Declaration;
use opendyn_model::plan::{CBase, CCallback, CSignature, CValue, Convention};
use opendyn_model::rule::Rule;
use opendyn_source::span::{Span, Spanned};

use super::comparison::{Comparison, Place};
use super::record::Memory;
use super::verdict::Verdict;
use super::wording::{self, ordinal};
use crate::{Convention as Called, Signature, Type, TypeId};

impl Comparison<'_> {
    pub(super) fn signature(&self, function: &Declaration, declared: &CSignature, found: &Signature) {
        let name = &function.name.value;
        let fixed = self.variadic(function, declared, found);
        if !is_without_prototype(found) {
            let misfits = fixed != found.parameters.len() && declared.variadic.is_none() && !found.variadic;
            if misfits {
                self.arity(Rule::Arity, name, function.name.span, declared.params.len(), found);
            }
            // It is unknown which parameter is missing or extra, so comparing the others would only give
            // wrong findings.
            let fixed = if misfits { 0 } else { fixed };
            let params = declared.params.iter().take(fixed).zip(&found.parameters);
            for (index, (value, parameter)) in params.enumerate() {
                let what = format!("parameter {} of {name}", ordinal(index));
                let place = Place { what, span: value.place, function: name };
                // If C sets a `T*` behind a `T**`, the `T` is C's.
                let memory = if value.stars == 2 { Memory::OfC } else { Memory::Ours };
                self.compared(value, memory, parameter.of, Rule::ParameterType, &place);
                self.constant(value, parameter.of, &place);
            }
        }
        self.returned(function, declared.returns.as_ref(), found);
    }

    /// Compares a value, and reports the result.
    fn compared(&self, value: &CValue, memory: Memory, id: TypeId, rule: Rule, place: &Place<'_>) {
        let verdict = self.value(value, memory, id, place);
        self.judge(verdict, rule, place, &wording::declared(value, &self.document.types), id);
    }

    /// Compares the parameters before `...`, and returns their number in the document.
    fn variadic(&self, function: &Declaration, declared: &CSignature, found: &Signature) -> usize {
        let all = declared.params.len();
        let fixed = found.parameters.len();
        let name = &function.name.value;
        let says = self.says;
        if is_without_prototype(found) {
            return all;
        }
        match (declared.variadic, found.variadic) {
            (None, false) => all,
            (None, true) => {
                let help = if all >= fixed {
                    format!("add \"x-variadic\": {fixed} to the function")
                } else {
                    format!("describe its first {fixed} parameters, and add \"x-variadic\": {fixed}")
                };
                let message = format!(
                    "{name}: {says} says that `...` follows {}, and the document does not",
                    parameters(fixed)
                );
                self.report(Rule::VariadicMismatch, function.name.span, message, help);
                all.min(fixed)
            }
            (Some(Spanned { value: given, span }), false) => {
                let message = format!(
                    "{name}: the document says that `...` follows {}, {says} says that it takes {}",
                    parameters(given),
                    parameters(fixed)
                );
                self.report(Rule::VariadicMismatch, span, message, "remove `x-variadic`".to_owned());
                all
            }
            (Some(Spanned { value: given, span }), true) => {
                if given != fixed {
                    let message = format!(
                        "{name}: the document says that `...` follows {}, {says} says {}",
                        parameters(given),
                        parameters(fixed)
                    );
                    let help = format!("write \"x-variadic\": {fixed}");
                    self.report(Rule::VariadicMismatch, span, message, help);
                }
                given.min(fixed).min(all)
            }
        }
    }

    fn arity(&self, rule: Rule, name: &str, span: Span, own: usize, found: &Signature) {
        let library = found.parameters.len();
        let says = self.says;
        let spelled: Vec<String> = found
            .parameters
            .iter()
            .map(|parameter| {
                let of = self.types().spelling(parameter.of);
                match &parameter.name {
                    Some(name) => format!("{of} {name}").replace("* ", "*"),
                    None => of,
                }
            })
            .collect();
        let help = match library {
            0 => "write \"parameters\": []".to_owned(),
            _ => format!("describe them in this order: {}", spelled.join(", ")),
        };
        let message =
            format!("{name}: the document says {}, {says} says {}", parameters(own), parameters(library));
        self.report(rule, span, message, help);
    }

    fn returned(&self, function: &Declaration, declared: Option<&CValue>, found: &Signature) {
        let name = &function.name.value;
        let says = self.says;
        let library = self.types().resolve(found.returns);
        match (declared, library) {
            (None, Type::Void) => {}
            (None, Type::Record(_) | Type::Complex(_) | Type::Float { .. }) => {
                let returns = wording::explained(found.returns, self.types());
                let message = format!(
                    "what {name} returns: the document says nothing, {says} says {returns}, which a \
                     caller must receive"
                );
                self.report(Rule::ReturnType, function.name.span, message, self.return_help(found));
            }
            (None, _) => {
                let returns = wording::explained(found.returns, self.types());
                let message =
                    format!("what {name} returns: the document says nothing, {says} says {returns}");
                self.report(Rule::DroppedReturn, function.name.span, message, self.return_help(found));
            }
            (Some(value), Type::Void) => {
                let of = wording::declared(value, &self.document.types);
                let message = format!("what {name} returns: the document says {of}, {says} says nothing");
                self.report(Rule::ReturnType, value.place, message, "write \"return\": null".to_owned());
            }
            (Some(value), _) => {
                let what = format!("what {name} returns");
                let place = Place { what, span: value.place, function: name };
                self.compared(value, Memory::OfC, found.returns, Rule::ReturnType, &place);
            }
        }
    }

    fn return_help(&self, found: &Signature) -> String {
        let help = wording::help(found.returns, self.interface);
        match help.strip_prefix("write ") {
            Some(c_type) => format!("describe it in \"return\", with {c_type}"),
            None => help,
        }
    }

    /// Reports an output that C cannot write to.
    fn constant(&self, value: &CValue, id: TypeId, place: &Place<'_>) {
        let is_pointer = value.stars > 0 || matches!(value.base, CBase::Function(_));
        let Some(span) = value.written_place.filter(|_| is_pointer) else { return };
        if let Type::Pointer { constant: true, .. } = self.types().resolve(id) {
            let library = wording::explained(id, self.types());
            let what = &place.what;
            let says = self.says;
            self.report(
                Rule::ConstOutput,
                span,
                format!("{what}: the document says that C writes to it, {says} says {library}"),
                "write \"isIn\": true, and no `x-inout`".to_owned(),
            );
        }
    }

    pub(super) fn convention(&self, function: &Declaration, found: Called) {
        let declared = self.document.convention;
        let (library, help) = match (declared, found) {
            (None, _)
            | (Some(Convention::Cdecl), Called::Cdecl)
            | (Some(Convention::Stdcall), Called::Stdcall) => {
                return;
            }
            (_, Called::Other) => {
                ("another", "remove the function: a document can only express `cdecl` and `stdcall`")
            }
            // Elsewhere the two conventions are the same.
            _ if !self.interface.target.has_stdcall => return,
            (_, Called::Stdcall) => ("stdcall", "write \"callingConvention\": \"stdcall\" in `info`"),
            (_, Called::Cdecl) => ("cdecl", "write \"callingConvention\": \"cdecl\" in `info`"),
        };
        let own = match declared {
            Some(Convention::Stdcall) => "stdcall",
            _ => "cdecl",
        };
        let (name, says) = (&function.name.value, self.says);
        self.report(
            Rule::ConventionMismatch,
            function.name.span,
            format!("the calling convention of {name}: the document says {own}, {says} says {library}"),
            help.to_owned(),
        );
    }

    /// `x-callback` against the type of a function.
    pub(super) fn callback(&self, declared: &CCallback, found: &Signature, place: &Place<'_>) -> Verdict {
        let (of, span) = (&place.what, declared.place);
        if is_without_prototype(found) {
            self.leave("a callback without a prototype in C".to_owned(), place.function);
            return Verdict::Fits;
        }
        let misfits = declared.params.len() != found.parameters.len();
        if misfits {
            let what = format!("the callback, {of}");
            self.arity(Rule::CallbackSignature, &what, span, declared.params.len(), found);
        }
        if found.variadic {
            let message = format!("the callback, {of}: {} says that it takes `...`", self.says);
            let help = "remove `x-callback`: the method then takes a raw `void*`".to_owned();
            self.report(Rule::CallbackSignature, span, message, help);
        }
        let alike = if misfits { 0 } else { found.parameters.len() };
        let params = declared.params.iter().zip(&found.parameters).take(alike);
        for (index, ((_, value), parameter)) in params.enumerate() {
            let what = format!("parameter {} of the callback, {of}", ordinal(index));
            let place = Place { what, span: value.place, function: place.function };
            self.compared(value, Memory::OfC, parameter.of, Rule::CallbackSignature, &place);
        }
        let what = format!("what the callback returns, {of}");
        match (&declared.returns, self.types().resolve(found.returns)) {
            (None, Type::Void) => {}
            (None, _) => {
                let returns = wording::explained(found.returns, self.types());
                let message = format!("{what}: the document says nothing, {} says {returns}", self.says);
                self.report(Rule::CallbackSignature, span, message, self.return_help(found));
            }
            (Some(value), Type::Void) => {
                let own = wording::declared(value, &self.document.types);
                let message = format!("{what}: the document says {own}, {} says nothing", self.says);
                let help = "write \"return\": null in `x-callback`".to_owned();
                self.report(Rule::CallbackSignature, value.place, message, help);
            }
            (Some(value), _) => {
                let place = Place { what, span: value.place, function: place.function };
                self.compared(value, Memory::Ours, found.returns, Rule::CallbackSignature, &place);
            }
        }
        Verdict::Fits
    }
}

/// `f()` of old C, which leaves its parameters unspecified. C could not access the arguments of a function
/// that takes only `...`.
fn is_without_prototype(signature: &Signature) -> bool {
    signature.variadic && signature.parameters.is_empty()
}

fn parameters(count: usize) -> String {
    match count {
        0 => "no parameters".to_owned(),
        1 => "1 parameter".to_owned(),
        _ => format!("{count} parameters"),
    }
}
