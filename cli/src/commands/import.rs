//! `opendyn import zlib.h --library libz.so.1 -o zlib.json`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use opendyn_inspect::{Exports, Interface, debug};
use opendyn_model::layout;

use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::import::{Import, Imported, Information, Merged, Selection};
use crate::{headers, import, output};

/// Write a first document from C headers, a library, or its debug info
#[derive(Args)]
#[command(after_help = "\
What C does not say is a question in the document, as `x-todo`; `opendyn check` lists them. Until
then a pointer of unknown length or meaning makes its method unsafe, and JSON cannot call it.

Examples:
  opendyn import zlib.h --library libz.so.1 -o zlib.json
  opendyn import pcre2.h -D PCRE2_CODE_UNIT_WIDTH=8 --library libpcre2-8.so.0 -o pcre2.json
  opendyn import --debug-info ./libmine.so --only 'mine_*' -o mine.json --merge")]
pub(crate) struct Arguments {
    /// C headers: paths, or names as in #include <zlib.h>
    #[arg(value_name = "HEADER", required_unless_present = "debug_info")]
    headers: Vec<PathBuf>,
    /// Only functions that this library exports: a path, or a name that the loader finds
    #[arg(short, long, value_name = "LIB")]
    library: Option<PathBuf>,
    /// A library with debug info, or the file with that of LIB: for prototypes or, beside headers, for
    /// names of parameters
    #[arg(long, value_name = "FILE")]
    debug_info: Option<PathBuf>,
    /// A folder to look for headers in
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// A macro to define, NAME or NAME=VALUE
    #[arg(short = 'D', value_name = "MACRO")]
    define: Vec<String>,
    /// Also what a header of this folder declares, where a HEADER includes it
    #[arg(long, value_name = "DIR")]
    also: Vec<PathBuf>,
    /// Only functions of such a name: * stands for any letters, ? for one
    #[arg(long, value_name = "PATTERN")]
    only: Vec<String>,
    /// The title of the document; after the first header, or the library, unless given
    #[arg(long)]
    title: Option<String>,
    /// Where to write; stdout unless given
    #[arg(short, long, value_name = "DOC")]
    output: Option<PathBuf>,
    /// Write over a document that is there
    #[arg(long, requires = "output")]
    force: bool,
    /// Keep what is in a document that is there, and add functions that it lacks
    #[arg(long, requires = "output", conflicts_with = "force")]
    merge: bool,
    /// Write no document, only what it would come to
    #[arg(long, conflicts_with_all = ["output", "force"])]
    summary: bool,
    /// Take every suggestion for the answer of its question
    #[arg(long, hide = true)]
    take_suggestions: bool,
}

/// What the sources say.
struct Sources {
    library: Option<Exports>,
    headers: Option<Interface>,
    debug_info: Option<Interface>,
    information: Information,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        // Before the work, not after it.
        let there = self.output.as_deref().filter(|path| path.exists());
        if let Some(path) = there.filter(|_| !self.force && !self.merge) {
            return Err(Failure::new(format!("`{}` is there already", path.display())).help(
                "--merge keeps what is in it and adds functions that it lacks; --force writes over all of it",
            ));
        }
        let sources = self.read()?;
        let (interface, names) = match (&sources.headers, &sources.debug_info) {
            (Some(headers), names) => (headers, names.as_ref()),
            (None, Some(debug_info)) => (debug_info, None),
            (None, None) => return Err(Failure::new("there is nothing to import from").help("name a header")),
        };
        let import = Import {
            interface,
            names,
            selection: Selection { exports: sources.library.as_ref(), only: &self.only },
            information: sources.information,
            take_suggestions: self.take_suggestions,
        };
        let imported = import.run();
        self.finish(interface, &imported)
    }

    fn read(&self) -> Outcome<Sources> {
        let mut information = Information::new(self.title.clone());
        if let Some(first) = self.headers.first() {
            information.call_after(first);
        }
        let library =
            self.library.as_deref().or(self.debug_info.as_deref().filter(|_| self.headers.is_empty()));
        let library = match library {
            Some(library) => {
                headers::library_file(library)?;
                let path = opendyn_inspect::locate(library).map_err(|error| {
                    Failure::new(error.to_string()).help("write the path of the library's file")
                })?;
                let exports = Exports::read(&path).map_err(|error| headers::not_a_library(&error))?;
                let file = path.canonicalize().unwrap_or_else(|_| path.clone());
                information.learn(&exports, &name_of(&path), &name_of(&file));
                Some((path, exports))
            }
            None => None,
        };
        let headers = match self.headers.as_slice() {
            [] => None,
            headers => {
                let wanted = headers::Wanted {
                    headers,
                    include: &self.include,
                    define: &self.define,
                    also: &self.also,
                    target: None,
                    library: library.as_ref().map(|(_, exports)| exports),
                };
                Some(wanted.read()?)
            }
        };
        let debug_info = match &self.debug_info {
            None => None,
            Some(file) => Some(self.debug_info(file, library.as_ref().map(|(path, _)| path.as_path()))?),
        };
        Ok(Sources { library: library.map(|(_, exports)| exports), headers, debug_info, information })
    }

    fn debug_info(&self, file: &Path, library: Option<&Path>) -> Outcome<Interface> {
        let failed = |error: debug::DebugError| Failure::new(error.to_string());
        match library.filter(|_| self.library.is_some()) {
            Some(library) => {
                let options = debug::Options { file: Some(file), ..debug::Options::default() };
                debug::read(library, &options).map_err(failed)
            }
            None => {
                let file = opendyn_inspect::locate(file).map_err(|error| Failure::new(error.to_string()))?;
                debug::read(&file, &debug::Options::default()).map_err(failed)
            }
        }
    }

    fn finish(&self, interface: &Interface, imported: &Imported) -> Outcome {
        let summary = &imported.summary;
        if summary.imported == 0 {
            let mut failure = Failure::new("no function was found to import");
            if self.library.is_some() {
                failure = failure.help("the library exports none of the functions that the headers declare");
            }
            return Err(failure);
        }
        let name = match (&self.output, self.summary) {
            (_, true) => None,
            (None, _) => {
                output::print(&layout::of_value(&imported.document))?;
                Some("document".to_owned())
            }
            (Some(path), _) if self.merge && path.exists() => return merge_into(path, &imported.document),
            (Some(path), _) => {
                output::write(path, &layout::of_value(&imported.document))?;
                Some(path.display().to_string())
            }
        };
        match name {
            Some(name) => anstream::eprintln!("{name}: {summary}"),
            None => output::print(&format!("{summary}\n"))?,
        }
        if let Some(wanted) = &imported.refused_title {
            let title = imported.document["info"]["title"].as_str().unwrap_or_default();
            anstream::eprintln!(
                "  the title is `{title}`: the bindings cannot be named after `{wanted}`, which gives no name \
                 in Rust, or that of a type of the document"
            );
        }
        for (reason, names) in summary.reasons() {
            anstream::eprintln!("  left out, because {reason}: {}", names.join(", "));
        }
        for skipped in &interface.skipped {
            anstream::eprintln!(
                "  not read: {}:{}: {}: `{}`",
                skipped.place.file,
                skipped.place.line,
                skipped.reason,
                skipped.text
            );
        }
        if summary.questions > 0 && !self.summary {
            anstream::eprintln!(
                "Each question stands in the document as `x-todo`: answer it there, and remove it."
            );
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Adds what is new to the document at `path`.
fn merge_into(path: &Path, new: &serde_json::Value) -> Outcome {
    let present = Document::read(path)?;
    let merged = serde_json::from_str(&present.source).ok().and_then(|old| import::merge(&old, new));
    let Some(Merged { document, kept, added, gone }) = merged else {
        return Err(Failure::new(format!("`{}` is no document that could be merged with", present.name))
            .help("`opendyn check` says what is wrong with it"));
    };
    output::write(path, &layout::of_value(&document))?;
    let noun = if kept == 1 { "function" } else { "functions" };
    anstream::eprintln!("{}: {kept} {noun} kept, {} added", present.name, added.len());
    if !added.is_empty() {
        anstream::eprintln!("  added: {}", added.join(", "));
    }
    if !gone.is_empty() {
        anstream::eprintln!("  kept, but not found any more: {}", gone.join(", "));
    }
    Ok(ExitCode::SUCCESS)
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
