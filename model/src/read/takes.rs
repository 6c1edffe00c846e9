//! `x-takes`: what is C's after the call.

use crate::diagnostic::Findings;
use crate::document::{Symbol, Takes};
use crate::json::{Node, Value};
use crate::keys::Place;
use crate::rule::Rule;
use crate::span::Spanned;

use super::object::Object;

/// `x-takes`: a name, an object, or true.
pub(super) fn read_takes(within: &Object<'_>, findings: &Findings) -> Option<Spanned<Takes>> {
    let node = within.optional("x-takes")?;
    let span = node.span;
    let whole = Takes { into: None, on_success: None, memory: None, free: None };
    let value = match &node.value {
        Value::String(name) => Takes { into: Some(Spanned { value: name.clone(), span }), ..whole },
        Value::Bool(true) => whole,
        Value::Object(_) => {
            let object = Object::new(node, Place::Takes, findings)?;
            let (into, on) = (object.optional_string("into"), object.optional_string("on"));
            let memory = object.optional("memory").map(|node| read_symbol(node, "memory", &object, findings));
            let free = object.optional("free").map(|node| read_symbol(node, "free", &object, findings));
            object.finish();
            if let Some(on) = on.as_ref().filter(|on| on.value != "success") {
                findings.report(
                    Rule::Takes,
                    on.span,
                    format!("`on` is {:?}, but can only be \"success\"", on.value),
                    "remove it if a call that fails has taken it, too",
                );
            }
            Takes {
                into,
                on_success: on.map(|on| on.span),
                memory: memory.map_or(Some(None), |memory| memory.map(Some))?,
                free: free.map_or(Some(None), |free| free.map(Some))?,
            }
        }
        _ => {
            within.wrong(node, "x-takes", "the name of a parameter, an object, or true");
            return None;
        }
    };
    Some(Spanned { value, span })
}

/// A symbol: its name, or an object that says whether it is a variable.
fn read_symbol(node: &Node, key: &str, within: &Object<'_>, findings: &Findings) -> Option<Symbol> {
    match &node.value {
        Value::String(name) => {
            Some(Symbol { name: Spanned { value: name.clone(), span: node.span }, is_variable: false })
        }
        Value::Object(_) => {
            let object = Object::new(node, Place::Symbol, findings)?;
            let (symbol, variable) = (object.optional_string("symbol"), object.optional_string("variable"));
            object.finish();
            match (symbol, variable) {
                (Some(name), None) => Some(Symbol { name, is_variable: false }),
                (None, Some(name)) => Some(Symbol { name, is_variable: true }),
                _ => {
                    findings.report(
                        Rule::MissingField,
                        node.span,
                        format!("`{key}` of `x-takes` must have either `symbol` or `variable`"),
                        "write the name of a symbol such as \"malloc\", or {\"variable\": \"xmlMalloc\"}",
                    );
                    None
                }
            }
        }
        _ => {
            within.wrong(node, key, "the name of a symbol, or an object with `variable`");
            None
        }
    }
}
