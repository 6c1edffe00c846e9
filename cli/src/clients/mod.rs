//! Configurations of MCP clients, for `mcp --install`: where each client keeps its own, and how an entry is added to one
//! or taken out of it.
//!
//! `client` knows the clients; `edit` changes the text and nothing around the entry; `difference` shows the change.

mod client;
mod difference;
mod edit;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::failure::{Failure, Outcome};
use crate::output;

pub(crate) use client::{Client, Folders};

/// A change of a configuration file that is not written yet.
pub(crate) struct Change {
    path: PathBuf,
    before: Option<String>,
    after: String,
}

impl Change {
    /// Adds an entry, or replaces the one with this name. `None` if it is there already.
    pub(crate) fn adding(client: Client, path: PathBuf, name: &str, entry: &Value) -> Outcome<Option<Self>> {
        let before = read(&path)?;
        check_own(client, &path, before.as_deref(), name, "--as NAME gives the new entry another name")?;
        let after = edit::with(before.as_deref().unwrap_or_default(), client.section(), name, entry);
        let after = after.map_err(|unfit| refused(&path, &unfit, &by_hand(client, name, entry)))?;
        Ok(Self::of(path, before, after))
    }

    /// Takes an entry out. `None` if there is none with this name.
    pub(crate) fn removing(client: Client, path: PathBuf, name: &str) -> Outcome<Option<Self>> {
        let Some(before) = read(&path)? else { return Ok(None) };
        check_own(client, &path, Some(&before), name, "remove it by hand")?;
        let after = edit::without(&before, client.section(), name);
        let help = format!("remove `{name}` from `{}` by hand", client.section());
        let after = after.map_err(|unfit| refused(&path, &unfit, &help))?;
        Ok(Self::of(path, Some(before), after))
    }

    fn of(path: PathBuf, before: Option<String>, after: String) -> Option<Self> {
        (before.as_ref() != Some(&after)).then_some(Self { path, before, after })
    }

    /// The change as a unified diff, in colour on a terminal.
    pub(crate) fn show(&self) {
        let before = self.before.as_deref().unwrap_or_default();
        anstream::eprint!("{}", difference::unified(&self.path, before, &self.after));
    }

    /// Writes the file: it has its old text or the new one, whenever the process ends.
    pub(crate) fn write(self) -> Outcome<PathBuf> {
        if read(&self.path)? != self.before {
            let message = format!("`{}` has changed since it was read", self.path.display());
            return Err(Failure::new(message).help("nothing was written: run the command again"));
        }
        // A link, as people with dotfiles have, stays one.
        let file = self.path.canonicalize().unwrap_or(self.path);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| {
                Failure::new(format!("cannot make the folder `{}`: {error}", folder.display()))
            })?;
        }
        output::replace(&file, &self.after)?;
        Ok(file)
    }
}

fn read(path: &Path) -> Outcome<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::new(format!("cannot read `{}`: {error}", path.display()))),
    }
}

/// Refuses to touch an entry that another program or a person wrote. One that cannot be read is refused elsewhere.
fn check_own(client: Client, path: &Path, text: Option<&str>, name: &str, help: &str) -> Outcome<()> {
    let present = edit::present(text.unwrap_or_default(), client.section(), name);
    match present {
        Ok(Some(entry)) if !is_own(&entry) => {
            let message = format!("`{name}` in `{}` does not start `opendyn mcp`", path.display());
            Err(Failure::new(message).help(help))
        }
        _ => Ok(()),
    }
}

/// Whether an entry starts this command, wherever it was installed.
fn is_own(entry: &Value) -> bool {
    let command = Path::new(entry["command"].as_str().unwrap_or_default());
    command.file_stem().is_some_and(|stem| stem == "opendyn") && entry["args"][0] == "mcp"
}

fn refused(path: &Path, unfit: &edit::Unfit, help: &str) -> Failure {
    Failure::new(format!("`{}` is left as it is: {unfit}", path.display())).help(help)
}

/// What to write where this command would destroy something.
fn by_hand(client: Client, name: &str, entry: &Value) -> String {
    format!("add this to `{}` by hand:\n{}: {entry:#}", client.section(), Value::from(name))
}
