//! Which functions `opendyn export` writes, and the messages for those that a format refuses.

use opendyn_codegen::description::{Description, Function};
use opendyn_source::json::{self, Node, Value};
use opendyn_source::span::Lines;
use opentool::OpenTool;
use opentool::export::ExportError;

use crate::document::Document;
use crate::failure::{Failure, Outcome};

/// The requested functions.
pub(crate) struct Selection {
    /// The description of only these functions.
    pub(crate) description: Description,
    is_chosen: bool,
}

impl Selection {
    /// The functions with these `names`, or all if there are none.
    pub(crate) fn new(mut description: Description, names: &[String]) -> Outcome<Self> {
        for name in names {
            if !description.functions.iter().any(|function| function.name == *name) {
                let known: Vec<&str> =
                    description.functions.iter().map(|function| function.name.as_str()).take(8).collect();
                let more = if description.functions.len() > known.len() { ", …" } else { "" };
                return Err(Failure::new(format!("the document has no function `{name}`"))
                    .help(format!("it has {}{more}", known.join(", "))));
            }
        }
        if !names.is_empty() {
            description.retain(|function| names.contains(&function.name));
        }
        Ok(Self { description, is_chosen: !names.is_empty() })
    }

    /// Fails if a function that was requested by name cannot be called with JSON. Others are left out with a
    /// note.
    pub(crate) fn callable(&self) -> Result<(), String> {
        for function in &self.description.functions {
            let Some(reason) = &function.refused else { continue };
            let name = &function.name;
            if self.is_chosen {
                return Err(format!("`{name}` cannot be called with JSON: {reason}"));
            }
            anstream::eprintln!("note: `{name}` is left out, because JSON cannot call it: {reason}");
        }
        Ok(())
    }

    /// The functions that JSON can call.
    pub(crate) fn offered(&self) -> impl Iterator<Item = &Function> {
        self.description.functions.iter().filter(|function| function.refused.is_none())
    }

    /// The OpenTool document `text`, with only these functions.
    pub(crate) fn of_tool(&self, text: &str) -> Outcome<OpenTool> {
        let mut tool = OpenTool::parse(text).map_err(|error| {
            Failure::new(format!("the OpenTool document is invalid, which is a bug in opendyn: {error}"))
        })?;
        tool.functions.retain(|function| self.offered().any(|offered| offered.name == function.name));
        Ok(tool)
    }
}

/// Shows the functions that a format refuses, each with its place in the document.
pub(crate) fn show_refusals(document: &Document, error: &ExportError) {
    show(document, error.refusals.iter().map(|refusal| (refusal.function.as_str(), refusal.to_string())));
}

/// Shows the functions that have no script, each with its place in the document and the reason.
pub(crate) fn show_reasons(document: &Document, refused: &[(String, String)]) {
    let reasons = refused.iter();
    show(
        document,
        reasons.map(|(name, reason)| {
            (name.as_str(), format!("`{name}` cannot be a script that calls C: {reason}"))
        }),
    );
}

fn show<'r>(document: &Document, refusals: impl Iterator<Item = (&'r str, String)>) {
    let lines = Lines::new(&document.source);
    let tree = json::parse(&document.source).ok();
    for (function, refusal) in refusals {
        let at = tree.as_ref().and_then(|tree| place(tree, function)).map(|at| lines.locate(at));
        let place = at.map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
        anstream::eprintln!("{}{place}: {refusal}", document.name);
    }
}

/// The place of the function `name`.
fn place(tree: &Node, name: &str) -> Option<usize> {
    let Value::Array(functions) = &member(tree, "functions")?.value else { return None };
    functions.iter().find_map(|function| {
        let node = member(function, "name")?;
        matches!(&node.value, Value::String(text) if text == name).then_some(node.span.start)
    })
}

fn member<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    let Value::Object(members) = &node.value else { return None };
    members.iter().find(|member| member.key == key).map(|member| &member.value)
}
