//! `opendyn export calc.json --format openai`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use opendyn_codegen::description::Function;
use opendyn_codegen::{reference, script};

use crate::bundle::{self, Contents, Entry};
use crate::document::Document;
use crate::export::{self, Selection};
use crate::failure::{Failure, Outcome};
use crate::options::Generator;
use crate::{findings, output, tool};

/// Write the functions as tools for models, a reference page, scripts or a bundle
#[derive(Args)]
#[command(after_help = "\
Formats: opentool, openai (Responses), openai-chat, anthropic, gemini, mcp, json-schema,
markdown (a reference page), python (dynamic-tool scripts that call an OpenTool server, or with
--direct the library), mcpb (a bundle for MCP clients: this command, the document, the library of
--library), ots (the same for the OpenTool daemon), server-json (the MCP registry's entry of a
bundle)

Examples:
  opendyn export calc.json --format openai --strict > tools.json
  opendyn export calc.json --format markdown -o docs/calc.md
  opendyn export calc.json --format python -o tools/    one script per function
  opendyn export calc.json --format mcpb --author Ada --library ./libcalc.so -o calc.mcpb")]
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
    /// For --direct and bundles: the library, a path or a name; otherwise the document's own
    #[arg(long, value_name = "LIB")]
    library: Option<PathBuf>,
    /// Only this function; may be repeated
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// Where to write: a file, for python a folder; stdout unless given
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    shelf: Shelf,
    #[command(flatten)]
    generator: Generator,
}

/// What bundles say besides the document.
#[derive(Args)]
#[command(next_help_heading = "Bundles")]
struct Shelf {
    /// For mcpb: who made the bundle, which clients show
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
    /// For server-json: the bundle, which is hashed
    #[arg(long, value_name = "FILE")]
    bundle: Option<PathBuf>,
    /// For server-json: where clients download the bundle
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// For server-json: the name in the registry, such as io.github.ada/zlib
    #[arg(long, value_name = "NAME")]
    registry_name: Option<String>,
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
    Mcpb,
    Ots,
    ServerJson,
}

impl Format {
    /// Whether it is a file with all that serves a document.
    fn is_bundle(self) -> bool {
        matches!(self, Self::Mcpb | Self::Ots)
    }
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        if self.strict && !matches!(self.format, Format::Openai | Format::OpenaiChat) {
            return Err(Failure::new("`--strict` needs the format `openai` or `openai-chat`"));
        }
        if self.direct && self.format != Format::Python {
            return Err(Failure::new("`--direct` needs the format `python`"));
        }
        if self.library.is_some() && !self.direct && !self.format.is_bundle() {
            return Err(Failure::new("`--library` needs `--direct`, or the format `mcpb` or `ots`"));
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
        if self.format == Format::ServerJson {
            return self.finish(&bundle::entry(&selection.description, &self.shelf.entry()?)?);
        }
        let text = match opendyn_codegen::opentool(&document.name, &document.source, &options) {
            Ok(text) => text,
            Err(found) => {
                findings::show(&found);
                return Ok(ExitCode::from(1));
            }
        };
        let tool = selection.of_tool(&text)?;
        if self.format.is_bundle() {
            return self.bundle(&document, &selection, &tool);
        }
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
            // The others are written before.
            Format::Opentool
            | Format::Markdown
            | Format::Python
            | Format::Mcpb
            | Format::Ots
            | Format::ServerJson => return Ok(tool.published().to_string_pretty() + "\n"),
        };
        Ok(format!("{value:#}\n"))
    }

    /// A file with all that serves the document.
    fn bundle(&self, document: &Document, selection: &Selection, tool: &opentool::OpenTool) -> Outcome {
        let Some(path) = self.output.as_deref() else {
            return Err(Failure::new("a bundle is a file: name it with -o"));
        };
        let library = self.library.as_deref();
        let contents = Contents::of(document, &selection.description, &self.function, library)?;
        let (bytes, told) = match self.format {
            Format::Ots => bundle::ots(&contents)?,
            _ => bundle::mcpb(&contents, tool, self.shelf.author()?)?,
        };
        std::fs::write(path, &bytes)
            .map_err(|error| Failure::new(format!("cannot write `{}`: {error}", path.display())))?;
        let count = tool.functions.len();
        let noun = if count == 1 { "function" } else { "functions" };
        let mebibytes = bytes.len().div_ceil(1 << 20);
        anstream::eprintln!("{}: {count} {noun}, {mebibytes} MiB, {told}", path.display());
        Ok(ExitCode::SUCCESS)
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

impl Shelf {
    fn author(&self) -> Outcome<&str> {
        let author = self.author.as_deref().filter(|author| !author.trim().is_empty());
        author.ok_or_else(|| {
            Failure::new("an MCP bundle says who made it")
                .help("name yourself or your project with --author NAME")
        })
    }

    fn entry(&self) -> Outcome<Entry<'_>> {
        let (Some(name), Some(bundle), Some(url)) = (&self.registry_name, &self.bundle, &self.url) else {
            return Err(Failure::new("an entry of the MCP registry needs a name, a bundle and its address")
                .help("give --registry-name, --bundle and --url"));
        };
        Ok(Entry { name, bundle: Path::new(bundle), url })
    }
}
