//! `opendyn keys`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use opentool_server::{Identity, KeyFile, KeyFileError};

use super::policy::Allowed;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Add, list or remove the API keys of `serve --keys`, each with its own rights
#[derive(Args)]
#[command(after_help = "\
A key is printed once, when it is added; the file has only its hash.
A server that runs reads the file again when it changes.

  opendyn keys add ci --allow 'sqlite3_*' --read-only
  opendyn keys remove ci
  opendyn serve sqlite.json --keys keys.json")]
pub(crate) struct Arguments {
    /// The key file
    #[arg(long, value_name = "FILE", default_value = "keys.json", global = true)]
    file: PathBuf,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Add a key and print it
    Add {
        /// A name for the key, for messages and the audit log
        name: String,
        #[command(flatten)]
        allowed: Allowed,
        /// Allow the key to stop the server
        #[arg(long)]
        stop: bool,
    },
    /// List the names of the keys and their rights
    List,
    /// Remove a key
    Remove {
        /// The name of the key
        name: String,
    },
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let path = &self.file;
        match self.action {
            Action::Add { name, allowed, stop } => {
                let mut file = if path.exists() { read(path)? } else { KeyFile::default() };
                let key = file.add(&name, allowed.rules(), stop).map_err(failed)?;
                file.write(path).map_err(failed)?;
                output::print(&format!("{key}\n"))?;
            }
            Action::List => {
                let lines: String = read(path)?.identities().map(|identity| line(&identity)).collect();
                output::print(&lines)?;
            }
            Action::Remove { name } => {
                let mut file = read(path)?;
                if !file.remove(&name) {
                    let message = format!("`{}` has no key `{name}`", path.display());
                    return Err(Failure::new(message).help("`opendyn keys list` lists them"));
                }
                file.write(path).map_err(failed)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn read(path: &std::path::Path) -> Outcome<KeyFile> {
    KeyFile::read(path).map_err(failed)
}

fn failed(error: KeyFileError) -> Failure {
    Failure::new(error.to_string())
}

/// The name, and the options that were given for it.
fn line(identity: &Identity) -> String {
    let rules = identity.rules();
    let mut line = identity.name().to_owned();
    for pattern in &rules.allow {
        line += &format!(" --allow '{pattern}'");
    }
    for pattern in &rules.deny {
        line += &format!(" --deny '{pattern}'");
    }
    if rules.read_only {
        line += " --read-only";
    }
    if identity.may_stop() {
        line += " --stop";
    }
    line + "\n"
}
