//! `opendyn new NAME DOC`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use opendyn_codegen::Options;

use crate::document::{Document, is_stdin};
use crate::failure::{Failure, Outcome};
use crate::new::{self, Crate, CrateLibrary, Dependency};
use crate::{findings, tool};

/// Write a Rust crate that calls and serves a library with compiled bindings
#[derive(Args)]
#[command(after_help = "\
The crate has the document, a program with opendyn! and serve!, and a test that opens the library.

  opendyn new zlib-tools zlib.json
  cd zlib-tools && cargo test && cargo run -- --help")]
pub(crate) struct Arguments {
    /// The folder to make; its last part is the name of the crate
    #[arg(value_name = "NAME")]
    folder: PathBuf,
    /// The document, which is copied; - is stdin
    #[arg(value_name = "DOC")]
    document: PathBuf,
    /// The library, a path or a name for the system to find; otherwise the document's own
    #[arg(long, value_name = "LIB")]
    library: Option<PathBuf>,
    /// The name of the struct; from the title unless given
    #[arg(long, value_name = "STRUCT")]
    name: Option<String>,
    /// The folder with the sources of opendyn; otherwise its released version
    #[arg(long, value_name = "DIR")]
    opendyn: Option<PathBuf>,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let name = self.folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        new::legal(name)?;
        vacant(&self.folder)?;
        let document = Document::read(&self.document)?;
        let mut options = Options::default();
        options.name.clone_from(&self.name);
        let described = opendyn_codegen::describe(&document.name, &document.source, &options);
        let described = described.map_err(|found| {
            findings::show(&found);
            Failure::shown()
        })?;
        let file = self.file(name)?;
        let given = self.library.as_deref().map_or(Ok(None), tool::located)?;
        let library = match given {
            Some(path) => CrateLibrary::Named(text(&path)?.to_owned()),
            None if described.library.is_some() => CrateLibrary::OfDocument,
            None => CrateLibrary::Variable,
        };
        let folder = std::path::absolute(&self.folder)
            .map_err(|error| Failure::new(format!("`{}`: {error}", self.folder.display())))?;
        let written = Crate {
            name: name.to_owned(),
            document: file,
            source: document.source,
            described,
            is_renamed: self.name.is_some(),
            library,
            dependency: self.opendyn.as_deref().map_or(Ok(Dependency::Released), Dependency::at)?,
            is_nested: folder.ancestors().skip(1).any(|above| above.join("Cargo.toml").is_file()),
        };
        written.write(&self.folder)?;
        let shown = self.folder.display();
        anstream::eprintln!(
            "{shown}: {} functions; `cargo test` there opens the library",
            written.functions()
        );
        Ok(ExitCode::SUCCESS)
    }

    /// The name of the document in the crate.
    fn file(&self, name: &str) -> Outcome<String> {
        if is_stdin(&self.document) {
            return Ok(format!("{name}.json"));
        }
        let file = text(self.document.file_name().unwrap_or_default().as_ref())?;
        if new::FILES.iter().any(|own| own.eq_ignore_ascii_case(file)) {
            return Err(Failure::fault(format!("the crate has a file `{file}` of its own"))
                .help("rename the document, for example to `library.json`"));
        }
        Ok(file.to_owned())
    }
}

/// The folder must not exist, or be empty.
fn vacant(folder: &Path) -> Outcome<()> {
    let shown = folder.display();
    match std::fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::new(format!("the folder `{shown}` is not empty"))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::new(format!("cannot make the folder `{shown}`: {error}"))),
    }
}

fn text(path: &Path) -> Outcome<&str> {
    path.to_str().ok_or_else(|| Failure::new(format!("the name `{}` is not text", path.display())))
}
