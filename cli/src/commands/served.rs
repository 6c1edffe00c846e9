//! What `serve` and `mcp` share: documents, their libraries, scripts, and a host that serves.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::document::{Document, is_stdin};
use crate::failure::Outcome;
use crate::host::{self, HostRole, Launch, Wanted};
use crate::script::{Script, is_script};

/// A path that may be empty, which clap's own parser refuses.
fn path_or_empty() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

#[derive(Args)]
pub(super) struct Served {
    /// Documents, and Python scripts (.py), whose tools are named after their files
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
    /// Compile what is needed, and exit
    #[arg(long)]
    prepare: bool,
}

impl Served {
    /// Whether a document comes from stdin.
    pub(super) fn reads_stdin(&self) -> bool {
        self.files.iter().any(|file| is_stdin(file))
    }

    /// Runs a host for `order`, with the additions of `more`.
    pub(super) fn start(self, order: &str, more: impl FnOnce(Launch) -> Launch) -> Outcome {
        let (scripts, documents): (Vec<_>, Vec<_>) = self.files.iter().partition(|file| is_script(file));
        let scripts = scripts.into_iter().map(|path| Script::find(path)).collect::<Outcome<Vec<_>>>()?;
        let documents =
            documents.into_iter().map(|path| Document::read(path)).collect::<Outcome<Vec<_>>>()?;
        let libraries = host::libraries(&documents, &self.libraries)?;
        let wanted = Wanted {
            role: HostRole::Serve,
            documents: &documents,
            libraries: &libraries,
            scripts: &scripts,
            modules: &self.modules,
            environment: &self.environment,
            prefix: self.prefix,
            function: None,
        };
        match host::ready(&wanted)? {
            Ok(_) if self.prepare => Ok(ExitCode::SUCCESS),
            Ok(program) => more(Launch::new(order, &wanted)?).run(&program),
            Err(status) => Ok(status),
        }
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
