//! `opendyn import zlib.h --library libz.so.1 -o zlib.json`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use opendyn_inspect::import::{Imported, Merged, Options, import};

use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::output;

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

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        // Before the work, not after it.
        let there = self.output.as_deref().filter(|path| path.exists());
        if let Some(path) = there.filter(|_| !self.force && !self.merge) {
            return Err(Failure::new(format!("`{}` is there already", path.display())).help(
                "--merge keeps what is in it and adds functions that it lacks; --force writes over all of it",
            ));
        }
        let imported = import(&self.options())?;
        self.finish(&imported)
    }

    fn options(&self) -> Options {
        Options {
            headers: self.headers.clone(),
            library: self.library.clone(),
            debug_info: self.debug_info.clone(),
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
        match name {
            Some(name) => anstream::eprintln!("{name}: {summary}"),
            None => output::print(&format!("{summary}\n"))?,
        }
        if let Some(wanted) = &imported.refused_title {
            let title = imported.title();
            anstream::eprintln!(
                "  the title is `{title}`: the bindings cannot be named after `{wanted}`, which gives no name \
                 in Rust, or that of a type of the document"
            );
        }
        for (reason, names) in summary.reasons() {
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
        if summary.questions > 0 && !self.summary {
            anstream::eprintln!(
                "Each question stands in the document as `x-todo`: answer it there, and remove it."
            );
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Adds what is new to the document at `path`.
fn merge_into(path: &Path, imported: &Imported) -> Outcome {
    let present = Document::read(path)?;
    let Some(merged) = imported.merge_into(&present.source) else {
        return Err(Failure::new(format!("`{}` is no document that could be merged with", present.name))
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
        anstream::eprintln!("  kept, but not found any more: {}", gone.join(", "));
    }
    Ok(ExitCode::SUCCESS)
}
