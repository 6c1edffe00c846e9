//! `opendyn generate calc.json -o calc.rs`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::options::Generator;
use crate::{findings, output, stale};

/// Write the Rust bindings of a document
#[derive(Args)]
#[command(after_help = "\
The text is the same as from opendyn! and build.rs; a crate with it depends only on `opendyn`.

Examples:
  opendyn generate calc.json -o src/calc.rs
  opendyn generate calc.json -o src/calc.rs --check    for CI: is src/calc.rs up to date?
  opendyn generate sqlite.json --strip-prefix sqlite3_ --rename sqlite3_open=open_database")]
pub(crate) struct Arguments {
    /// The document; - is stdin
    #[arg(value_name = "DOC")]
    document: PathBuf,
    /// Where to write; stdout unless given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write nothing, and fail if FILE differs from what would be written
    #[arg(long, requires = "output")]
    check: bool,
    #[command(flatten)]
    generator: Generator,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let document = Document::read(&self.document)?;
        let generated =
            opendyn_codegen::generate(&document.name, &document.source, &self.generator.options());
        let generated = match generated {
            Ok(generated) => generated,
            Err(found) => {
                findings::show(&found);
                return Ok(ExitCode::from(1));
            }
        };
        findings::show(&generated.warnings);
        let text = generated.to_file().map_err(|error| {
            Failure::new(format!(
                "the generated bindings are not valid Rust, which is a bug in opendyn: {error}"
            ))
        })?;
        match &self.output {
            None => output::print(&text)?,
            Some(path) if self.check => return self.compare(path, &text),
            Some(path) => {
                output::write(path, &text)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Compares the file with the text. Line ends do not count, because they depend on the checkout.
    fn compare(&self, path: &Path, text: &str) -> Outcome {
        let present = match std::fs::read_to_string(path) {
            Ok(present) => present,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                anstream::eprintln!(
                    "{} does not exist\n  help: write it with `{}`",
                    path.display(),
                    self.renewal(path)
                );
                return Ok(ExitCode::from(1));
            }
            Err(error) => return Err(Failure::new(format!("cannot read `{}`: {error}", path.display()))),
        };
        let difference = stale::difference(&present, text);
        if difference.is_empty() {
            return Ok(ExitCode::SUCCESS);
        }
        anstream::eprintln!(
            "{} is out of date:\n{difference}  help: update it with `{}`",
            path.display(),
            self.renewal(path)
        );
        Ok(ExitCode::from(1))
    }

    /// The command that writes the file.
    fn renewal(&self, path: &Path) -> String {
        let mut words =
            vec!["opendyn".to_owned(), "generate".to_owned(), self.document.display().to_string()];
        words.extend(["-o".to_owned(), path.display().to_string()]);
        words.extend(self.generator.arguments());
        let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        quoted.join(" ")
    }
}

/// A word, quoted for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./=:,@+".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
