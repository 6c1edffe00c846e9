//! Checks whether a host can be made of documents and scripts, before anything is compiled.

use opendyn_codegen::{Diagnostics, Generated, Options, generate};
use opentool::{Map, MapTool, OpenTool, ToolError, ToolSet, Value};

use super::Wanted;
use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::findings;
use crate::script::Script;

/// The name of a binding if its own name is taken.
const NAME: &str = "HostedLibrary";

/// The bindings of every document; `None` if documents have errors, which are all shown.
pub(super) fn bindings(wanted: &Wanted<'_>) -> Outcome<Option<Vec<Generated>>> {
    let mut bindings = Vec::new();
    for document in wanted.documents {
        match either(|options| generate(&document.name, &document.source, options)) {
            Ok(generated) => bindings.push(generated),
            Err(diagnostics) => findings::show(&diagnostics),
        }
    }
    if bindings.len() < wanted.documents.len() {
        return Ok(None);
    }
    for ((document, binding), library) in wanted.documents.iter().zip(&bindings).zip(wanted.libraries) {
        if library.is_none() && !binding.has_default_library() {
            return Err(Failure::new(format!("`{}` names no library", document.name))
                .help("name it with --library, or in the document with `x-library`"));
        }
    }
    let mut described = Vec::new();
    for document in wanted.documents {
        match functions(document)? {
            Some(functions) => described.push(functions),
            None => return Ok(None),
        }
    }
    if let (Some(function), [document]) = (wanted.function, wanted.documents) {
        known(function, document, &described)?;
    }
    // All scripts are checked before giving up, so that all findings are shown.
    let scripts = wanted.scripts.iter().map(script).collect::<Outcome<Vec<_>>>()?;
    let Some(scripts) = scripts.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
    if described.len() + scripts.len() > 1 || wanted.prefix {
        joined(wanted, described, scripts)?;
    }
    Ok(Some(bindings))
}

/// With the usual options, or else with a name for the binding that no type of a document is likely to have:
/// a clash with a handle type only matters to Rust code.
fn either<T>(with: impl Fn(&Options) -> Result<T, Diagnostics>) -> Result<T, Diagnostics> {
    with(&Options::default()).or_else(|_| {
        let mut options = Options::default();
        options.name = Some(NAME.to_owned());
        with(&options)
    })
}

/// The functions of a document as callers see them; `None` if the document has errors, which are all shown.
pub(super) fn functions(document: &Document) -> Outcome<Option<OpenTool>> {
    match either(|options| opendyn_codegen::opentool(&document.name, &document.source, options)) {
        Err(diagnostics) => {
            findings::show(&diagnostics);
            Ok(None)
        }
        Ok(text) => OpenTool::parse(&text).map(Some).map_err(|error| {
            Failure::new(format!("the functions of `{}` cannot be described: {error}", document.name))
        }),
    }
}

/// Functions that JSON cannot call are not in the description; the host reports the reason.
fn known(function: &str, document: &Document, described: &[OpenTool]) -> Outcome<()> {
    let value: Value = serde_json::from_str(&document.source).unwrap_or_default();
    let functions = value["functions"].as_array().into_iter().flatten();
    if functions.filter_map(|function| function["name"].as_str()).any(|name| name == function) {
        return Ok(());
    }
    let names = described.iter().flat_map(|described| &described.functions);
    let names = names.map(|function| function.name.as_str());
    let error = ToolError::unknown_function(function, names);
    Err(Failure::fault(error.to_string()).help(format!("`opendyn call {} --list` lists them", document.name)))
}

/// Combines the documents and scripts as the host will.
fn joined(wanted: &Wanted<'_>, described: Vec<OpenTool>, scripts: Vec<OpenTool>) -> Outcome<()> {
    let tool = |described| {
        MapTool::new(|_, arguments: &Map<String, Value>| Ok(arguments.clone())).described_by(described)
    };
    let set =
        wanted.documents.iter().zip(described).fold(ToolSet::builder(), |set, (document, described)| {
            match wanted.prefix {
                true => set.add_prefixed(prefix(document), tool(described)),
                false => set.add(&document.name, tool(described)),
            }
        });
    let set = wanted
        .scripts
        .iter()
        .zip(scripts)
        .fold(set, |set, (script, described)| set.add(&script.name, tool(described)));
    let Err(error) = set.build() else { return Ok(()) };
    let failure = Failure::fault(format!("these cannot be served together\n{error}"));
    Err(match (wanted.prefix || wanted.documents.is_empty(), wanted.scripts) {
        (false, _) => failure.help("`--prefix` prefixes every function with the title of its document"),
        (true, []) => failure,
        (true, _) => failure.help("the tool of a script is named after its file: rename the file"),
    })
}

/// The tool of a script as callers see it; `None` if the script breaks rules, which are all shown.
#[cfg(unix)]
pub(super) fn script(script: &Script) -> Outcome<Option<OpenTool>> {
    use opentool::Tool;
    use opentool_python::{PythonError, PythonTool};

    match PythonTool::builder(&script.path).named(&script.tool).build() {
        Ok(tool) => Ok(tool.load()),
        Err(PythonError::Invalid(mut invalid)) => {
            for finding in &mut invalid.findings {
                finding.file.clone_from(&script.name);
            }
            findings::show(&invalid);
            Ok(None)
        }
        Err(error) => Err(Failure::new(error.to_string())),
    }
}

#[cfg(not(unix))]
pub(super) fn script(script: &Script) -> Outcome<Option<OpenTool>> {
    let message = format!("`{}` cannot run here: Python scripts run on Unix", script.name);
    Err(Failure::new(message).help("`opendyn check` can check it"))
}

/// The prefix of a document's functions: its title, in characters that are legal in function names.
pub(super) fn prefix(document: &Document) -> String {
    let value: Value = serde_json::from_str(&document.source).unwrap_or_default();
    let title = value["info"]["title"].as_str().unwrap_or_default();
    let letter = |character: char| if character.is_ascii_alphanumeric() { character } else { '_' };
    title.chars().map(|character| letter(character.to_ascii_lowercase())).collect()
}
