//! `opendyn import zlib.h --library libz.so.1 -o zlib.json`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use opendyn_inspect::import::{Imported, Interview, Merged, Options, import};

use crate::ask;
use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Write a first document from C headers, a library, or its debug info
#[derive(Args)]
#[command(after_help = "\
What C does not say becomes a question, `x-todo`; until it is answered, JSON callers are refused.

Examples:
  opendyn import zlib.h --library libz.so.1 -o zlib.json --ask --answers zlib-answers.json
  opendyn import --debug-info ./libmine.so --only 'mine_*' -o mine.json --merge")]
pub(crate) struct Arguments {
    /// C headers: paths, or names as in #include <zlib.h>
    #[arg(value_name = "HEADER", required_unless_present = "debug_info")]
    headers: Vec<PathBuf>,
    /// Only functions that this library exports: a path, or a name
    #[arg(short, long, value_name = "LIB")]
    library: Option<PathBuf>,
    /// A file with debug info: for prototypes, or for names that headers lack
    #[arg(long, value_name = "FILE")]
    debug_info: Option<PathBuf>,
    /// A GIR file of the library; by default the one that names HEADER
    #[arg(long, value_name = "FILE", requires = "headers")]
    gir: Vec<PathBuf>,
    /// Read manual pages for text and parameter names that headers lack
    #[arg(long, requires = "headers")]
    man: bool,
    /// A folder to search for headers
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// A macro to define, NAME or NAME=VALUE
    #[arg(short = 'D', value_name = "MACRO")]
    define: Vec<String>,
    /// Also take declarations from headers in this folder that a HEADER includes
    #[arg(long, value_name = "DIR")]
    also: Vec<PathBuf>,
    /// Only functions that match: * is any characters, ? is one
    #[arg(long, value_name = "PATTERN")]
    only: Vec<String>,
    /// The title of the document; by default that of the header or the library
    #[arg(long)]
    title: Option<String>,
    /// Where to write; stdout unless given
    #[arg(short, long, value_name = "DOC")]
    output: Option<PathBuf>,
    /// Overwrite an existing document
    #[arg(long, requires = "output")]
    force: bool,
    /// Keep the content of an existing document, and add functions that it lacks
    #[arg(long, requires = "output", conflicts_with = "force")]
    merge: bool,
    /// Write no document, only its summary
    #[arg(long, conflicts_with_all = ["output", "force"])]
    summary: bool,
    /// Print each fact of the document with its evidence
    #[arg(long, conflicts_with = "merge")]
    evidence: bool,
    /// Ask the questions, one key each; the answers are kept in --answers
    #[arg(long, requires = "answers", conflicts_with = "merge")]
    ask: bool,
    /// Apply the answers that are kept in this file
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Take every suggestion as the answer to its question
    #[arg(long, hide = true, conflicts_with = "answers")]
    take_suggestions: bool,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        // Checked before the work begins.
        let there = self.output.as_deref().filter(|path| path.exists());
        if let Some(path) = there.filter(|_| !self.force && !self.merge) {
            return Err(Failure::new(format!("`{}` already exists", path.display()))
                .help("--merge keeps its content and adds functions that it lacks; --force overwrites it"));
        }
        let answers = match &self.answers {
            Some(path) => Some((path, ask::read(path, self.ask)?)),
            None => None,
        };
        let mut imported = import(&self.options())?;
        if let Some((path, answers)) = answers {
            let mut interview = Interview::new(imported, answers);
            if !interview.answers().is_empty() {
                ask::report(&interview, path);
            }
            if self.ask {
                ask::ask(&mut interview, path)?;
            }
            imported = interview.finish();
        }
        self.finish(&imported)
    }

    fn options(&self) -> Options {
        Options {
            headers: self.headers.clone(),
            library: self.library.clone(),
            debug_info: self.debug_info.clone(),
            gir: self.gir.clone(),
            man: self.man,
            include: self.include.clone(),
            define: self.define.clone(),
            also: self.also.clone(),
            only: self.only.clone(),
            title: self.title.clone(),
            take_suggestions: self.take_suggestions,
        }
    }

    fn finish(&self, imported: &Imported) -> Outcome {
        let summary = &imported.summary;
        let name = match (&self.output, self.summary) {
            (_, true) => None,
            (None, _) if self.evidence => None,
            (None, _) => {
                output::print(&imported.text())?;
                Some("document".to_owned())
            }
            (Some(path), _) if self.merge && path.exists() => return merge_into(path, imported),
            (Some(path), _) => {
                output::write(path, &imported.text())?;
                Some(path.display().to_string())
            }
        };
        if self.evidence {
            let facts: Vec<String> = imported.facts.iter().map(|fact| format!("{fact}\n")).collect();
            output::print(&facts.concat())?;
        }
        match name {
            Some(name) => anstream::eprintln!("{name}: {summary}"),
            None if self.evidence && !self.summary => anstream::eprintln!("{summary}"),
            None => output::print(&format!("{summary}\n"))?,
        }
        told(imported);
        if summary.questions > 0 && !self.summary {
            anstream::eprintln!(
                "Each question is in the document as `x-todo`: answer it there and remove it, or use --ask."
            );
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What the summary does not say: the title that was refused, and what was left out, each with the reason.
pub(super) fn told(imported: &Imported) {
    if let Some(wanted) = &imported.refused_title {
        let title = imported.title();
        anstream::eprintln!(
            "  the title is `{title}`: the bindings cannot be named after `{wanted}`, which is not a legal name \
             in Rust, or is the name of a type of the document"
        );
    }
    for (reason, names) in imported.summary.reasons() {
        anstream::eprintln!("  left out, because {reason}: {}", names.join(", "));
    }
    for skipped in &imported.skipped {
        anstream::eprintln!(
            "  not read: {}:{}: {}: `{}`",
            skipped.place.file,
            skipped.place.line,
            skipped.reason,
            skipped.text
        );
    }
}

/// Adds new functions to the document at `path`.
fn merge_into(path: &Path, imported: &Imported) -> Outcome {
    let present = Document::read(path)?;
    let Some(merged) = imported.merge_into(&present.source) else {
        return Err(Failure::new(format!("`{}` is not a document that can be merged with", present.name))
            .help("`opendyn check` says what is wrong with it"));
    };
    output::write(path, &merged.text())?;
    let Merged { kept, added, gone, .. } = &merged;
    let noun = if *kept == 1 { "function" } else { "functions" };
    anstream::eprintln!("{}: {kept} {noun} kept, {} added", present.name, added.len());
    if !added.is_empty() {
        anstream::eprintln!("  added: {}", added.join(", "));
    }
    if !gone.is_empty() {
        anstream::eprintln!("  kept, but no longer found: {}", gone.join(", "));
    }
    Ok(ExitCode::SUCCESS)
}
