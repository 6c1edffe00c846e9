//! `opendyn export calc.json --format openai`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use opendyn_codegen::description::Function;
use opendyn_codegen::{reference, script};

use crate::document::Document;
use crate::export::{self, Selection};
use crate::failure::{Failure, Outcome};
use crate::options::Generator;
use crate::{findings, output, tool};

/// Write the functions as tools for models, as a reference page or as scripts
#[derive(Args)]
#[command(after_help = "\
Formats: opentool, openai (Responses), openai-chat, anthropic, gemini, mcp, json-schema,
markdown (a reference page), python (dynamic-tool scripts that call an OpenTool server, or with
--direct the library)

Examples:
  opendyn export calc.json --format openai --strict > tools.json
  opendyn export calc.json --format markdown -o docs/calc.md
  opendyn export calc.json --format python -o tools/    one script per function")]
pub(crate) struct Arguments {
    /// The document; - is stdin
    #[arg(value_name = "DOC")]
    document: PathBuf,
    /// What to write
    #[arg(short, long, hide_possible_values = true)]
    format: Format,
    /// OpenAI's strict mode; a function that it refuses is an error
    #[arg(long)]
    strict: bool,
    /// For python: call the library itself, through ctypes
    #[arg(long)]
    direct: bool,
    /// For --direct: the library, a path or a name; otherwise the document's own
    #[arg(long, value_name = "LIB", requires = "direct")]
    library: Option<PathBuf>,
    /// Only this function; may be repeated
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// Where to write: a file, for python a folder; stdout unless given
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    generator: Generator,
}

/// The formats.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Opentool,
    Openai,
    OpenaiChat,
    Anthropic,
    Gemini,
    Mcp,
    JsonSchema,
    Markdown,
    Python,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        if self.strict && !matches!(self.format, Format::Openai | Format::OpenaiChat) {
            return Err(Failure::new("`--strict` needs the format `openai` or `openai-chat`"));
        }
        if (self.direct || self.library.is_some()) && self.format != Format::Python {
            return Err(Failure::new("`--direct` and `--library` need the format `python`"));
        }
        let document = Document::read(&self.document)?;
        let options = self.generator.options();
        let described = match opendyn_codegen::describe(&document.name, &document.source, &options) {
            Ok(described) => described,
            Err(found) => {
                findings::show(&found);
                return Ok(ExitCode::from(1));
            }
        };
        let selection = Selection::new(described, &self.function)?;
        if self.format == Format::Markdown {
            return self.finish(&reference::page(&selection.description));
        }
        if let Err(refused) = selection.callable() {
            anstream::eprintln!("{refused}");
            return Ok(ExitCode::from(1));
        }
        if self.format == Format::Python {
            return self.scripts(&document, &selection);
        }
        let text = match opendyn_codegen::opentool(&document.name, &document.source, &options) {
            Ok(text) => text,
            Err(found) => {
                findings::show(&found);
                return Ok(ExitCode::from(1));
            }
        };
        let tool = selection.of_tool(&text)?;
        match self.of_tool(&tool) {
            Ok(text) => self.finish(&text),
            Err(error) => {
                export::show_refusals(&document, &error);
                Ok(ExitCode::from(1))
            }
        }
    }

    fn of_tool(&self, tool: &opentool::OpenTool) -> Result<String, opentool::export::ExportError> {
        let value = match self.format {
            Format::Openai => opentool::export::openai_responses(tool, self.strict)?,
            Format::OpenaiChat => opentool::export::openai_chat(tool, self.strict)?,
            Format::Anthropic => opentool::export::anthropic(tool)?,
            Format::Gemini => opentool::export::gemini(tool)?,
            Format::Mcp => opentool::export::mcp_tools(tool)?,
            Format::JsonSchema => opentool::export::json_schema(tool)?,
            Format::Opentool | Format::Markdown | Format::Python => {
                return Ok(tool.published().to_string_pretty() + "\n");
            }
        };
        Ok(format!("{value:#}\n"))
    }

    /// One script to stdout, or each to its own file.
    fn scripts(&self, document: &Document, selection: &Selection) -> Outcome {
        let functions: Vec<&Function> = selection.offered().collect();
        let scripts = match self.direct {
            true => self.direct_scripts(document, selection, &functions)?,
            false => {
                let served = |function| script::served(&selection.description, function);
                functions.iter().map(|function| Ok(served(function))).collect()
            }
        };
        // Functions that cannot be written are listed; the others are written nevertheless.
        let mut refused = Vec::new();
        let written: Vec<(&str, String)> = functions
            .iter()
            .zip(scripts)
            .filter_map(|(function, script)| match script {
                Ok(script) => Some((function.name.as_str(), script)),
                Err(reason) => {
                    refused.push((function.name.clone(), reason));
                    None
                }
            })
            .collect();
        let status = if refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) };
        match (&self.output, &functions[..], &written[..]) {
            (None, [_], [(_, script)]) => output::print(script)?,
            (None, [_], []) => {}
            (None, several, _) => {
                let message =
                    format!("the document has {} functions, and a script has only one", several.len());
                return Err(Failure::new(message)
                    .help("name it with `--function NAME`, or give a folder for all of them with `-o DIR`"));
            }
            (Some(folder), ..) => {
                std::fs::create_dir_all(folder).map_err(|error| {
                    Failure::new(format!("cannot create the folder `{}`: {error}", folder.display()))
                })?;
                for (name, script) in written {
                    output::write(&folder.join(format!("{name}.py")), &script)?;
                }
            }
        }
        export::show_reasons(document, &refused);
        Ok(status)
    }

    /// A script for each function, or why there is none.
    fn direct_scripts(
        &self,
        document: &Document,
        selection: &Selection,
        functions: &[&Function],
    ) -> Outcome<Vec<Result<String, String>>> {
        let library = match &self.library {
            Some(path) => tool::located(path)?,
            None => None,
        };
        let library = match &library {
            None => None,
            Some(path) => Some(path.to_str().ok_or_else(|| {
                Failure::new(format!("the name of the library `{}` is not text", path.display()))
            })?),
        };
        let description = &selection.description;
        if library.is_none() && description.library.is_none() {
            return Err(Failure::new(format!("`{}` names no library", document.name))
                .help("name it with --library, or in the document with `x-library`"));
        }
        let options = self.generator.options();
        let calls = opendyn_codegen::python_calls(&document.name, &document.source, &options, library)
            .map_err(|found| Failure::new(found.to_string()))?;
        let script = |function: &&Function| {
            let call = calls.iter().find(|call| call.function == function.name);
            match call.map(|call| &call.code) {
                Some(Ok(code)) => Ok(script::direct(description, function, code)),
                Some(Err(reason)) => Err(reason.clone()),
                None => Err("it is not in the document".to_owned()),
            }
        };
        Ok(functions.iter().map(script).collect())
    }

    fn finish(&self, text: &str) -> Outcome {
        match &self.output {
            None => output::print(text)?,
            Some(path) => {
                output::write(path, text)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
