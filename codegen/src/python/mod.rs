//! Calls of a library from Python, through `ctypes`, with the checks that `ctypes` lacks. The command puts them
//! into scripts.
//!
//! `call` carries out the steps of the plan, `operands` says what C is passed, `outcomes` what comes back, `lengths`
//! how many elements there are, `kinds` what a value is in JSON, `records` what a struct is. `values.py` and
//! `memory.py` hold the functions that these name; a `Script` records which of them it needs. What Python cannot do
//! is refused with the reason.

mod call;
mod kinds;
mod lengths;
mod library;
mod literals;
mod names;
mod operands;
mod outcomes;
mod parts;
mod records;
mod refusal;
mod script;
#[cfg(test)]
mod tests;
mod types;

use opendyn_model::plan::{Binding, Function, Json};
use refusal::Refusal;
use script::Script;

/// A function for Python to call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PythonCall {
    /// The name in the document.
    pub function: String,
    /// The code that calls it, or why a script cannot.
    pub code: Result<PythonCode, String>,
}

/// Code that defines `_call`, which takes the dict of the arguments and returns the dict of the results, or raises
/// one of `raises`. All of its names begin with `_`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PythonCode {
    /// The modules that it needs.
    pub imports: Vec<&'static str>,
    /// The classes of its exceptions, whose texts are messages.
    pub raises: Vec<&'static str>,
    /// The definitions, from `def _call` on.
    pub text: String,
    /// The environment variable that names the file of the library.
    pub variable: String,
}

/// Every function of a binding. `library` is the file to load, in place of the one that the document names.
pub(crate) fn calls(binding: &Binding, variable: &str, library: Option<&str>) -> Vec<PythonCall> {
    let call = |function: &Function| PythonCall {
        function: function.name.clone(),
        code: code(binding, function, variable, library),
    };
    binding.functions.iter().map(call).collect()
}

fn code(
    binding: &Binding,
    function: &Function,
    variable: &str,
    library: Option<&str>,
) -> Result<PythonCode, Refusal> {
    if let Json::Refused(refusal) = &function.json {
        return Err(refusal.reason.clone());
    }
    if function.signature.variadic.is_some() {
        return Err(refusal::variadic());
    }
    if binding.init.is_some() {
        return Err(refusal::init());
    }
    let mut script = Script::new(binding);
    let lines = call::lines(&mut script, function)?;
    let loader = library::loader(&mut script, variable, library);
    let structs = script.structs()?;
    let checks = script.size_checks();
    let body: String = checks.iter().chain(&lines).map(|line| format!("    {line}\n")).collect();
    let definitions = script.definitions();
    let mut text = format!("def _call(tool_input):\n{body}\n\n{loader}\n\n{definitions}");
    if !structs.is_empty() {
        text += &format!("\n\n{structs}");
    }
    let (imports, raises) = (script.imports(), script.raises());
    Ok(PythonCode { imports, raises, text, variable: variable.to_owned() })
}
