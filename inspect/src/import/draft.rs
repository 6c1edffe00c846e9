//! Writes the document: first the functions and their names, then the description of each.

use serde_json::{Value, json};

use super::context::Context;
use super::function::{self, Entry};
use super::gir::Gir;
use super::information::Information;
use super::names::Names;
use super::said::Said;
use super::scalar::Object;
use super::seen::Seen;
use super::selection::Selection;
use super::{Imported, Summary, convention, thrown};
use crate::{Convention, Interface, Parameter, Signature, Type};

/// What to import, and from where.
pub(super) struct Draft<'i> {
    /// The source of functions and types: the headers if there are any.
    pub(super) interface: &'i Interface,
    pub(super) selection: Selection<'i>,
    pub(super) information: Information,
    /// The GIR files of the library.
    pub(super) gir: &'i [Gir],
    /// The machine code of the library.
    pub(super) seen: Seen,
    /// Whether every suggestion is taken as the answer to its question.
    pub(super) take_suggestions: bool,
    /// Whether the types are those of debug info.
    pub(super) is_debug_info: bool,
}

impl Draft<'_> {
    /// Writes the document.
    pub(super) fn write(mut self) -> Imported {
        let seen = std::mem::take(&mut self.seen);
        let interface = self.interface;
        let mut summary = Summary::default();
        let convention = self.convention();
        let entries = self.entries(convention, &mut summary);
        let context = Context::new(&entries, interface, self.is_debug_info, self.gir, seen);
        let mut functions = Vec::new();
        let mut facts = Vec::new();
        let mut asked = Vec::new();
        for entry in &entries {
            match function::describe(entry, &context, self.take_suggestions) {
                Ok(outcome) => {
                    summary.imported += 1;
                    summary.described += usize::from(outcome.is_described);
                    summary.questioned += usize::from(!outcome.questions.is_empty());
                    summary.questions += outcome.questions.len();
                    asked.extend(outcome.questions.into_iter().map(|asked| asked.of(functions.len())));
                    facts.extend(outcome.facts);
                    functions.push(Value::Object(outcome.object));
                }
                Err(reason) => summary.omitted.push((entry.symbol.clone(), reason)),
            }
        }
        functions.extend(thrown::members(&entries, &context));
        summary.omitted.sort();
        let (schemas, types) = context.schemas.into_inner().finish();
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        let title = self.information.title(&types, &names);
        let errors = convention::question(&entries, &interface.types);
        let info = self.information.write(interface, convention, &title, &summary, errors);
        let mut document = Object::new();
        document.insert("opendyn".to_owned(), "1.0.0".into());
        document.insert("info".to_owned(), info.into());
        document.insert("functions".to_owned(), functions.into());
        if !schemas.is_empty() {
            document.insert("schemas".to_owned(), schemas.into());
        }
        let refused_title = self.information.refused(&title).map(str::to_owned);
        Imported { document: document.into(), summary, refused_title, skipped: Vec::new(), facts, asked }
    }

    /// The functions that can be described, with their names in the document.
    fn entries(&self, convention: Convention, summary: &mut Summary) -> Vec<Entry<'_>> {
        let mut names = Names::of_functions();
        let mut entries = Vec::new();
        for function in self.interface.functions.iter().filter(|function| self.selection.has(function)) {
            let symbol = function.symbol.as_deref().unwrap_or(&function.name).to_owned();
            let signature = match &function.signature {
                Ok(signature) => signature,
                Err(reason) => {
                    summary.omitted.push((function.name.clone(), reason.clone()));
                    continue;
                }
            };
            let is_other = signature.convention != convention && self.interface.target.has_stdcall;
            if is_other || signature.convention == Convention::Other {
                let reason = "its calling convention differs from that of the document";
                summary.omitted.push((function.name.clone(), reason.to_owned()));
                continue;
            }
            let mut taken = Names::of_values();
            let parameters = signature
                .parameters
                .iter()
                .enumerate()
                .map(|(index, parameter)| {
                    let name = parameter.name.as_deref().unwrap_or_default().trim_start_matches('_');
                    (taken.take(name, &format!("arg{}", index + 1)), !name.is_empty())
                })
                .collect();
            let name = match may_have_outputs(signature, self.interface) {
                true => names.take_with_outputs(&function.name, "function"),
                false => names.take(&function.name, "function"),
            };
            let said = Said::of(function);
            entries.push(Entry { function, signature, name, symbol, parameters, said });
        }
        entries
    }

    /// The convention of the document: that of most of its functions.
    fn convention(&self) -> Convention {
        let selected = || {
            self.interface
                .functions
                .iter()
                .filter(|function| self.selection.has(function))
                .filter_map(|function| function.signature.as_ref().ok())
        };
        let stdcall = selected().filter(|signature| signature.convention == Convention::Stdcall).count();
        if stdcall * 2 > selected().count() { Convention::Stdcall } else { Convention::Cdecl }
    }
}

/// Whether a function may have more results than its return value.
fn may_have_outputs(signature: &Signature, interface: &Interface) -> bool {
    let types = &interface.types;
    let is_output = |parameter: &Parameter| match types.resolve(parameter.of) {
        Type::Pointer { to, constant: false } => !matches!(types.resolve(*to), Type::Function(_)),
        _ => false,
    };
    signature.parameters.iter().any(is_output)
}

/// `info.x-omitted`: the reasons why functions are left out, with their names.
pub(super) fn omitted(summary: &Summary) -> Option<Value> {
    let reasons: Object =
        summary.reasons().into_iter().map(|(reason, names)| (reason.to_owned(), json!(names))).collect();
    (!reasons.is_empty()).then_some(Value::Object(reasons))
}

#[cfg(test)]
mod tests {
    use crate::{Function, Target, Types};

    use super::*;

    fn interface(conventions: &[(&str, Convention)]) -> Interface {
        let mut types = Types::new();
        let void = types.add(Type::Void);
        let function = |(name, convention): &(&str, Convention)| Function {
            name: (*name).to_owned(),
            symbol: None,
            signature: Ok(Signature {
                parameters: Vec::new(),
                returns: void,
                variadic: false,
                convention: *convention,
            }),
            comment: None,
            attributes: Vec::new(),
            place: None,
        };
        let target = Target::of_triple("i686-pc-windows-msvc").expect("it is known");
        let functions = conventions.iter().map(function).collect();
        Interface {
            target,
            functions,
            types,
            constants: Vec::new(),
            skipped: Vec::new(),
            type_comments: std::collections::HashMap::new(),
        }
    }

    fn import(interface: &Interface) -> Imported {
        let draft = Draft {
            interface,
            selection: Selection::default(),
            information: Information::default(),
            gir: &[],
            seen: Seen::default(),
            take_suggestions: false,
            is_debug_info: false,
        };
        draft.write()
    }

    #[test]
    fn the_convention_is_that_of_most_functions_and_others_are_left_out() {
        let (stdcall, cdecl) = (Convention::Stdcall, Convention::Cdecl);
        let imported = import(&interface(&[("a", stdcall), ("b", stdcall), ("c", cdecl)]));
        assert_eq!(imported.document["info"]["callingConvention"], "stdcall");
        assert_eq!(imported.summary.imported, 2);
        assert_eq!(imported.summary.omitted[0].0, "c");
    }

    #[test]
    fn a_convention_that_no_document_names_is_left_out() {
        let imported = import(&interface(&[("a", Convention::Cdecl), ("b", Convention::Other)]));
        assert_eq!(imported.document["info"]["callingConvention"], "cdecl");
        assert_eq!(imported.summary.omitted[0].0, "b");
    }

    #[test]
    fn a_signature_that_cannot_be_told_is_left_out_with_the_reason() {
        let mut interface = interface(&[("a", Convention::Cdecl)]);
        interface.functions[0].signature = Err("an assembler wrote it".to_owned());
        let imported = import(&interface);
        assert_eq!(imported.summary.omitted, [("a".to_owned(), "an assembler wrote it".to_owned())]);
    }
}
