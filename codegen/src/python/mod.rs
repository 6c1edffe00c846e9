//! What calls a function from Python through `ctypes`, with the checks that `ctypes` lacks: what the bindings do, in
//! the words of Python. The command puts it into scripts.
//!
//! `kinds` says what a value is, `arguments` how a parameter gets to C, `results` what comes back; `values.py` and
//! `memory.py` have the functions that these name, of which a script gets those that it uses.

mod arguments;
mod kinds;
mod names;
mod parts;
mod results;

use arguments::Arguments;
use kinds::Kinds;
use names::Names;
use opendyn_model::ir::{Binding, Convention, Form, Function, Json, Passing};

/// A function for Python to call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PythonCall {
    /// The name in the document.
    pub function: String,
    /// What calls it, or why a script cannot.
    pub code: Result<PythonCode, String>,
}

/// Code that defines `_call`, which takes the dict of the arguments and returns that of the results; it raises one of
/// `raises`. All names begin with `_`.
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
    let call = |function: &Function| {
        let code = match refusal(binding, function) {
            Some(reason) => Err(reason),
            None => Ok(code(binding, function, variable, library)),
        };
        PythonCall { function: function.name.clone(), code }
    };
    binding.functions.iter().map(call).collect()
}

/// Why a script cannot call it: every call of a script is alone, so that nothing lives from one to the next.
fn refusal(binding: &Binding, function: &Function) -> Option<String> {
    if let Json::Refused(reason) = &function.json {
        return Some(reason.clone());
    }
    if function.variadic.is_some() {
        return Some(
            "it takes a variable number of arguments (`...`), which `ctypes` cannot pass safely".to_owned(),
        );
    }
    let lives = |key: &str, what: &str| {
        format!("`{key}` is a {what}, which lives from call to call: a script is one call, and keeps nothing")
    };
    let form = |form: &Form, key: &str| match form {
        Form::Handle { handle, .. } => {
            Some(lives(key, &format!("handle of `{}`", binding.types.handles[*handle].name)))
        }
        _ => None,
    };
    let param = function.params.iter().find_map(|param| match &param.passing {
        Passing::Handle { handle, .. } => {
            Some(lives(&param.key, &format!("handle of `{}`", binding.types.handles[*handle].name)))
        }
        Passing::State { record, .. } => {
            Some(lives(&param.key, &format!("state of `{}`", binding.types.records[*record].name)))
        }
        Passing::Fetched(fetched) => form(fetched, &param.key),
        Passing::Buffer { capacity: None, .. } => Some(format!(
            "the document does not say how large the buffer `{}` must be (`x-length`)",
            param.key
        )),
        _ => None,
    });
    param.or_else(|| function.returned.as_ref().and_then(|returned| form(&returned.form, &returned.key)))
}

fn code(binding: &Binding, function: &Function, variable: &str, library: Option<&str>) -> PythonCode {
    let mut kinds = Kinds::new(binding);
    let names = Names::of(function);
    let arguments = Arguments::new(binding, function, &names, &mut kinds);
    let mut lines = arguments.lines;
    let returns = function
        .returned
        .as_ref()
        .map_or_else(|| "None".to_owned(), |returned| kinds.restype(&returned.form));
    let arguments_of_c =
        arguments.passed.iter().map(|(c_type, _)| c_type.as_str()).collect::<Vec<_>>().join(", ");
    let passed = arguments.passed.iter().map(|(_, passed)| passed.as_str()).collect::<Vec<_>>().join(", ");
    let symbol = names::text(&function.symbol);
    lines.push(format!("function = _function({symbol}, {returns}, [{arguments_of_c}])"));
    lines.extend(results::lines(binding, function, &names, &mut kinds, &format!("function({passed})")));
    let checks = kinds.checks();
    let body: String = checks.iter().chain(&lines).map(|line| format!("    {line}\n")).collect();
    let own = format!("def _call(tool_input):\n{body}\n\n{}", self::library(binding, variable, library));
    let structs = kinds.definitions();
    let parts = parts::used(&[own.as_str(), &structs].concat());
    let text = [own.as_str(), &parts, &structs]
        .iter()
        .filter(|part| !part.is_empty())
        .copied()
        .collect::<Vec<_>>()
        .join("\n\n");
    PythonCode {
        imports: parts::imports(&text),
        raises: parts::raised(&text),
        text,
        variable: variable.to_owned(),
    }
}

/// The function that loads the library.
fn library(binding: &Binding, variable: &str, given: Option<&str>) -> String {
    let mut text = "def _library():\n".to_owned();
    if binding.convention == Convention::Stdcall {
        text += "    if ctypes.sizeof(ctypes.c_void_p) == 4:\n";
        text += "        raise _Failed('a script cannot call stdcall functions of 32 bits')\n";
    }
    let none = || "None".to_owned();
    let system = match (given, &binding.default_library) {
        (Some(path), _) => names::text(path),
        (None, None) => none(),
        (None, Some(library)) => {
            let of = |name: &Option<String>| name.as_deref().map_or_else(none, names::text);
            let (windows, macos, linux) = (of(&library.windows), of(&library.macos), of(&library.linux));
            if windows == linux && macos == linux {
                linux
            } else {
                format!("{{'win32': {windows}, 'darwin': {macos}}}.get(sys.platform, {linux})")
            }
        }
    };
    text += &format!("    path = os.environ.get({}) or {system}\n", names::text(variable));
    if system.contains("None") {
        text += "    if path is None:\n";
        text += &format!(
            "        raise _Failed(f'the document names no library for {{sys.platform}}; say which in {variable}')\n"
        );
    }
    text += "    try:\n        return ctypes.CDLL(path)\n    except OSError as error:\n";
    text += &format!(
        "        raise _Failed(f'cannot load `{{path}}`: {{error}}; {variable} can name another file') from None\n"
    );
    text
}
