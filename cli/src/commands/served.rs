//! What `serve` and `mcp` share: documents, their libraries, scripts and workflows.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

use super::confinement::Confinement;
use super::isolation::Isolation;
use crate::document::{Document, is_stdin};
use crate::failure::Outcome;
use crate::script::{Script, is_script};
use crate::tool::{self, Flow, Source, Surroundings, Wanted};

/// A path that may be empty, which clap's own parser refuses.
pub(super) fn path_or_empty() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// The files of a command line: documents, then scripts, then workflows, whatever their order. Libraries are those of the
/// documents.
pub(super) fn sources(files: &[PathBuf], libraries: &[PathBuf]) -> Outcome<Vec<Source>> {
    let (scripts, others): (Vec<_>, Vec<_>) = files.iter().partition(|file| is_script(file));
    let scripts = scripts.into_iter().map(|path| Script::find(path)).collect::<Outcome<Vec<_>>>()?;
    let others =
        others.into_iter().map(|path| Ok((path, Document::read(path)?))).collect::<Outcome<Vec<_>>>()?;
    let (flows, documents): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|(_, document)| tool::is_workflow(&document.source));
    let libraries = tool::libraries(documents.len(), libraries)?;
    let documents = documents.into_iter().zip(libraries);
    let mut sources: Vec<Source> =
        documents.map(|((path, document), library)| Source::of(path, document, library)).collect();
    sources.extend(scripts.into_iter().map(Source::Script));
    for (path, document) in flows {
        sources.push(Source::Workflow(Flow::of(path, document)?));
    }
    Ok(sources)
}

#[derive(Args)]
pub(super) struct Served {
    /// Documents; scripts (.py) and workflows, whose tools are named after their files
    #[arg(value_name = "DOC|SCRIPT", required = true)]
    files: Vec<PathBuf>,
    /// The library of the first document, then of the second, …; '' for the document's own
    #[arg(long = "library", value_name = "LIB", value_parser = path_or_empty())]
    libraries: Vec<PathBuf>,
    /// Prefix every function with the title of its document: zlib_crc32
    #[arg(long)]
    prefix: bool,
    /// A folder where scripts find modules, searched first; may be repeated
    #[arg(long = "modules", value_name = "DIR")]
    modules: Vec<PathBuf>,
    /// An environment variable for scripts to see; may be repeated
    #[arg(long = "env", value_name = "NAME")]
    environment: Vec<String>,
    #[command(flatten)]
    isolation: Isolation,
    #[command(flatten)]
    confinement: Confinement,
}

impl Served {
    /// Whether a document comes from stdin.
    pub(super) fn reads_stdin(&self) -> bool {
        self.files.iter().any(|file| is_stdin(file))
    }

    /// How long a call may take.
    pub(super) fn deadline(&self) -> Duration {
        self.isolation.deadline()
    }

    /// What to serve.
    pub(super) fn wanted(self) -> Outcome<Wanted> {
        let sources = sources(&self.files, &self.libraries)?;
        let allowed = self.confinement.allowed()?;
        let surroundings = Surroundings::new(self.modules, self.environment)?.within(allowed.clone());
        Ok(Wanted {
            sources,
            surroundings,
            prefix: self.prefix,
            watch: true,
            workers: self.isolation.workers(allowed),
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        served: Served,
    }

    #[test]
    fn an_empty_library_leaves_it_to_the_document() {
        let line = ["serve", "a.json", "b.json", "--library", "", "--library", "b.so"];
        let command = Command::try_parse_from(line).map_err(|error| error.to_string());
        let served = command.expect("it is documented").served;
        assert_eq!(served.libraries, [PathBuf::new(), PathBuf::from("b.so")]);
    }
}
