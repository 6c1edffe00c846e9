//! `opendyn export calc.json --format openai`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use crate::document::Document;
use crate::export::{self, Selection};
use crate::failure::{Failure, Outcome};
use crate::options::Generator;
use crate::{findings, output};

/// Write the functions as tools for models, a reference page or scripts
#[derive(Args)]
#[command(after_help = "\
Formats: opentool, openai (Responses), openai-chat, anthropic, gemini, mcp, json-schema,
markdown (a reference page), python (dynamic-tool scripts that call an OpenTool server)

Examples:
  opendyn export calc.json --format openai --strict > tools.json
  opendyn export calc.json --format markdown -o docs/calc.md
  opendyn export calc.json --format python -o tools/    one script a function")]
pub(crate) struct Arguments {
    /// The document; - is stdin
    #[arg(value_name = "DOC")]
    document: PathBuf,
    /// What to write
    #[arg(short, long, hide_possible_values = true)]
    format: Format,
    /// OpenAI's strict mode; what it refuses is an error
    #[arg(long)]
    strict: bool,
    /// Only this function; may be repeated
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// Where to write: a file, for python a folder; stdout unless given
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    generator: Generator,
}

/// What can be written.
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
            return Err(Failure::new("`--strict` is for the formats `openai` and `openai-chat`"));
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
            return self.finish(&export::markdown::page(&selection.description));
        }
        if let Err(refused) = selection.callable() {
            anstream::eprintln!("{refused}");
            return Ok(ExitCode::from(1));
        }
        if self.format == Format::Python {
            return self.scripts(&selection);
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
                return Ok(tool.to_string_pretty() + "\n");
            }
        };
        Ok(format!("{value:#}\n"))
    }

    /// One script to stdout, or each to a file of its own.
    fn scripts(&self, selection: &Selection) -> Outcome {
        let functions: Vec<_> = selection.offered().collect();
        let scripts = functions
            .iter()
            .map(|function| (&function.name, export::python::script(&selection.description, function)));
        let Some(folder) = &self.output else {
            let [function] = functions.as_slice() else {
                return Err(Failure::new(format!(
                    "the document has {} functions, and a script has one",
                    functions.len()
                ))
                .help("name it with `--function NAME`, or give a folder for all of them with `-o DIR`"));
            };
            return output::print(&export::python::script(&selection.description, function))
                .map(|()| ExitCode::SUCCESS);
        };
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::new(format!("cannot make the folder `{}`: {error}", folder.display()))
        })?;
        for (name, script) in scripts {
            output::write(&folder.join(format!("{name}.py")), &script)?;
        }
        Ok(ExitCode::SUCCESS)
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
