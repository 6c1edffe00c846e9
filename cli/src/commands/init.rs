//! `opendyn init libfoo.so foo.h`

use std::ffi::OsStr;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use opendyn_inspect::contract::default_library;
use opendyn_inspect::import::{Imported, Interview, Options, import};

use super::import::told;
use crate::ask;
use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::start::{Names, Next, quoted, show_open};
use crate::tool::{self, Confined, First};

/// Start with a library: import its header, answer the questions, make a first call
#[derive(Args)]
#[command(after_help = "\
Writes foo.json, the document, and foo-answers.json, the answers. Without a terminal nothing is
asked and nothing is called: the command says which questions are open, and how to go on. A first
call runs in a process of its own, which can write no files and has no network.

Examples:
  opendyn init ./libfoo.so foo.h
  opendyn init libz.so.1 zlib.h --only 'crc32*'
  opendyn init ./libfoo.so foo.h --force    again: the answers are kept")]
pub(crate) struct Arguments {
    /// The library: a path, or a name for the system to find
    #[arg(value_name = "LIB")]
    library: PathBuf,
    /// Its C headers: paths, or names as in #include <zlib.h>; without one, its debug info
    #[arg(value_name = "HEADER")]
    headers: Vec<PathBuf>,
    /// The document to write; by default it is named after the header
    #[arg(short, long, value_name = "DOC")]
    output: Option<PathBuf>,
    /// Write the document although it exists
    #[arg(long)]
    force: bool,
    /// Only functions that match: * is any characters, ? is one
    #[arg(long, value_name = "PATTERN")]
    only: Vec<String>,
    /// A folder to search for headers
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// A macro to define, NAME or NAME=VALUE
    #[arg(short = 'D', value_name = "MACRO")]
    define: Vec<String>,
    /// Ask without a terminal too: each line of stdin is a key
    #[arg(long)]
    ask: bool,
    /// Make the first call without asking
    #[arg(short, long)]
    yes: bool,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        if is_header(&self.library) {
            return Err(Failure::new(format!("`{}` is not a library", self.library.display()))
                .help("the library comes first: opendyn init ./libfoo.so foo.h"));
        }
        let names = Names::of(&self.library, self.headers.first().map(PathBuf::as_path), self.output.clone());
        if names.document.exists() && !self.force {
            let (document, answers) = (names.document.display(), names.answers.display());
            return Err(Failure::new(format!("`{document}` already exists")).help(format!(
                "-o names another one; --force writes it again, with the answers in `{answers}`"
            )));
        }
        let answers = ask::read(&names.answers, true)?;
        let imported =
            import(&self.options()).map_err(Failure::from).map_err(|failure| self.helped(failure))?;
        anstream::eprintln!("{}: {}", self.library.display(), imported.summary);
        told(&imported);

        let mut interview = Interview::new(imported, answers);
        if !interview.answers().is_empty() {
            ask::report(&interview, &names.answers);
        }
        let asks = self.ask || std::io::stdin().is_terminal();
        if asks && interview.next().is_some() {
            ask::ask(&mut interview, &names.answers)?;
        }
        if !asks {
            show_open(&interview, &self.again());
        }
        let callable = interview.callable().len();
        let imported = interview.finish();
        output::replace(&names.document, &imported.text())?;
        let noun = if callable == 1 { "function" } else { "functions" };
        anstream::eprintln!("\n{}: written; {callable} {noun} callable with JSON", names.document.display());

        let names = names.without_library_if_found_as(own_name(&imported).as_deref());
        let read = tool::read(&Document::read(&names.document)?)?;
        let first = tool::first(&read);
        let next =
            Next { names: &names, headers: &self.headers, first: first.as_ref(), callable: callable > 0 };
        let status = match &first {
            Some(first) => self.call(&names, first, &next, asks)?,
            None => ExitCode::SUCCESS,
        };
        anstream::eprint!("{}", next.text());
        Ok(status)
    }

    /// Makes the suggested call if a person or `--yes` says so. A failing call is told, and is no reason to stop.
    fn call(&self, names: &Names, first: &First, next: &Next<'_>, asks: bool) -> Outcome {
        if !asks && !self.yes {
            return Ok(ExitCode::SUCCESS);
        }
        anstream::eprintln!("\nA first call: {}", next.call(first));
        let library = names.library.as_deref().map_or(Ok(None), tool::located)?;
        let confined = Confined::new(&names.document, library)?;
        confined.say()?;
        if !self.yes {
            let said = if first.is_read_only { "" } else { "Nobody has said what else this call does. " };
            if ask::agrees(&format!("{said}Make it?"))? != Some(true) {
                return Ok(ExitCode::SUCCESS);
            }
        }
        match confined.call(first) {
            Ok(result) => {
                output::print(&format!("{result}\n"))?;
                Ok(ExitCode::SUCCESS)
            }
            Err(failure) => {
                failure.show();
                Ok(failure.status())
            }
        }
    }

    fn options(&self) -> Options {
        Options {
            headers: self.headers.clone(),
            // Alone, the library is read as what has the debug info.
            library: (!self.headers.is_empty()).then(|| self.library.clone()),
            debug_info: self.headers.is_empty().then(|| self.library.clone()),
            include: self.include.clone(),
            define: self.define.clone(),
            only: self.only.clone(),
            ..Options::default()
        }
    }

    /// Without a header, everything depends on the debug info of the library.
    fn helped(&self, failure: Failure) -> Failure {
        if !self.headers.is_empty() {
            return failure;
        }
        let library = self.library.display();
        failure.help(format!(
            "name the header: opendyn init {library} HEADER; without one, debug info is needed"
        ))
    }

    /// This command again, which keeps the answers.
    fn again(&self) -> String {
        let is_kept = |word: &String| !["--force", "--yes", "-y"].contains(&word.as_str());
        let words = std::env::args().skip(1).filter(is_kept);
        let words: Vec<String> = words.map(|word| quoted(&word)).collect();
        format!("opendyn {} --force", words.join(" "))
    }
}

/// The name of the library in the document, for this system.
fn own_name(imported: &Imported) -> Option<String> {
    default_library(&imported.text(), std::env::consts::OS)
}

fn is_header(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    ["h", "hpp", "hh"].contains(&ending)
}
