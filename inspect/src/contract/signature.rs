//! Signatures: the number of parameters, the return value, the calling convention.

use opendyn_model::plan::Convention;
use opendyn_model::rule::Rule;
use opendyn_source::span::Span;

use super::comparison::{Comparison, Place};
use super::declared::{self, DeclaredType, DeclaredValue};
use super::verdict::Verdict;
use super::wording::{self, ordinal};
use crate::{Convention as Called, Signature, Type};

impl Comparison<'_> {
    pub(super) fn signature(
        &self,
        function: &declared::DeclaredFunction<'_>,
        declared: &declared::DeclaredSignature<'_>,
        found: &Signature,
    ) {
        let name = function.name;
        let fixed = self.variadic(function, declared, found);
        if !is_without_prototype(found) {
            let misfits = fixed != found.parameters.len() && declared.variadic.is_none() && !found.variadic;
            if misfits {
                self.arity(Rule::Arity, name, function.name_span, declared, found);
            }
            // It is unknown which parameter is missing or extra, so comparing the others would only give
            // wrong findings.
            let fixed = if misfits { 0 } else { fixed };
            for (index, (value, parameter)) in
                declared.parameters.iter().take(fixed).zip(&found.parameters).enumerate()
            {
                let what = format!("parameter {} of {name}", ordinal(index));
                let place = Place { what, span: value.span, function: name };
                let verdict = self.value(&value.of, parameter.of, &place);
                self.judge(verdict, Rule::ParameterType, &place, &wording::declared(&value.of), parameter.of);
                self.constant(value, parameter.of, &place);
            }
        }
        self.returned(function, declared.returns.as_ref(), found);
    }

    /// Compares the parameters before `...`, and returns their number in the document.
    fn variadic(
        &self,
        function: &declared::DeclaredFunction<'_>,
        declared: &declared::DeclaredSignature<'_>,
        found: &Signature,
    ) -> usize {
        let all = declared.parameters.len();
        let fixed = found.parameters.len();
        let name = function.name;
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
                self.report(Rule::VariadicMismatch, function.name_span, message, help);
                all.min(fixed)
            }
            (Some(variadic), false) => {
                let message = format!(
                    "{name}: the document says that `...` follows {}, {says} says that it takes {}",
                    parameters(usize::try_from(variadic.value).unwrap_or(all)),
                    parameters(fixed)
                );
                self.report(Rule::VariadicMismatch, variadic.span, message, "remove `x-variadic`".to_owned());
                all
            }
            (Some(variadic), true) => {
                let given = usize::try_from(variadic.value).unwrap_or(all);
                if given != fixed {
                    let message = format!(
                        "{name}: the document says that `...` follows {}, {says} says {}",
                        parameters(given),
                        parameters(fixed)
                    );
                    let help = format!("write \"x-variadic\": {fixed}");
                    self.report(Rule::VariadicMismatch, variadic.span, message, help);
                }
                given.min(fixed).min(all)
            }
        }
    }

    pub(super) fn arity(
        &self,
        rule: Rule,
        name: &str,
        span: Span,
        declared: &declared::DeclaredSignature<'_>,
        found: &Signature,
    ) {
        let (own, library) = (declared.parameters.len(), found.parameters.len());
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

    fn returned(
        &self,
        function: &declared::DeclaredFunction<'_>,
        declared: Option<&DeclaredValue<'_>>,
        found: &Signature,
    ) {
        let name = function.name;
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
                self.report(Rule::ReturnType, function.name_span, message, self.return_help(found));
            }
            (None, _) => {
                let returns = wording::explained(found.returns, self.types());
                let message =
                    format!("what {name} returns: the document says nothing, {says} says {returns}");
                self.report(Rule::DroppedReturn, function.name_span, message, self.return_help(found));
            }
            (Some(value), Type::Void) => {
                let of = wording::declared(&value.of);
                let message = format!("what {name} returns: the document says {of}, {says} says nothing");
                self.report(Rule::ReturnType, value.span, message, "write \"return\": null".to_owned());
            }
            (Some(value), _) => {
                let what = format!("what {name} returns");
                let place = Place { what, span: value.span, function: name };
                let verdict = self.value(&value.of, found.returns, &place);
                self.judge(verdict, Rule::ReturnType, &place, &wording::declared(&value.of), found.returns);
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
    fn constant(&self, value: &DeclaredValue<'_>, id: crate::TypeId, place: &Place<'_>) {
        let (Some(span), DeclaredType::Pointer(_)) = (value.output, &value.of) else { return };
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

    pub(super) fn convention(
        &self,
        function: &declared::DeclaredFunction<'_>,
        declared: Option<Convention>,
        found: Called,
    ) {
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
        let (name, says) = (function.name, self.says);
        self.report(
            Rule::ConventionMismatch,
            function.name_span,
            format!("the calling convention of {name}: the document says {own}, {says} says {library}"),
            help.to_owned(),
        );
    }

    /// `x-callback` against the type of a function.
    pub(super) fn callback(
        &self,
        declared: &declared::DeclaredSignature<'_>,
        span: Span,
        found: &Signature,
        place: &Place<'_>,
    ) -> Verdict {
        let of = &place.what;
        if is_without_prototype(found) {
            self.leave("a callback without a prototype in C".to_owned(), place.function);
            return Verdict::Fits;
        }
        let misfits = declared.parameters.len() != found.parameters.len();
        if misfits {
            self.arity(Rule::CallbackSignature, &format!("the callback, {of}"), span, declared, found);
        }
        if found.variadic {
            let message = format!("the callback, {of}: {} says that it takes `...`", self.says);
            let help = "remove `x-callback`: the method then takes a raw `void*`".to_owned();
            self.report(Rule::CallbackSignature, span, message, help);
        }
        let alike = if misfits { 0 } else { found.parameters.len() };
        for (index, (value, parameter)) in
            declared.parameters.iter().zip(&found.parameters).take(alike).enumerate()
        {
            let what = format!("parameter {} of the callback, {of}", ordinal(index));
            let place = Place { what, span: value.span, function: place.function };
            let verdict = self.value(&value.of, parameter.of, &place);
            self.judge(verdict, Rule::CallbackSignature, &place, &wording::declared(&value.of), parameter.of);
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
                let own = wording::declared(&value.of);
                let message = format!("{what}: the document says {own}, {} says nothing", self.says);
                let help = "write \"return\": null in `x-callback`".to_owned();
                self.report(Rule::CallbackSignature, value.span, message, help);
            }
            (Some(value), _) => {
                let place = Place { what, span: value.span, function: place.function };
                let verdict = self.value(&value.of, found.returns, &place);
                let own = wording::declared(&value.of);
                self.judge(verdict, Rule::CallbackSignature, &place, &own, found.returns);
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
