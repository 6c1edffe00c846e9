//! The options of the sandbox: their words, what they allow, and what a server says of it at its start. The command has the
//! same ones.

use std::path::{Path, PathBuf};

use opentool_sandbox::{Allowed, Sandbox};

/// What a library may do beyond what it needs to run, as the command line says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    /// `--allow-read`
    pub read: Vec<PathBuf>,
    /// `--allow-write`
    pub write: Vec<PathBuf>,
    /// `--allow-net`
    pub network: bool,
    /// `--no-sandbox`
    pub none: bool,
}

impl Confinement {
    /// What is allowed; `None` without a sandbox, which only Unix systems have. Paths are absolute then, because a library may
    /// change the folder.
    ///
    /// # Errors
    ///
    /// A folder or file does not exist.
    pub fn allowed(&self) -> Result<Option<Allowed>, String> {
        if self.none || cfg!(not(unix)) {
            return Ok(None);
        }
        let there = |flag: &str, paths: &[PathBuf]| {
            paths.iter().map(|path| there(flag, path)).collect::<Result<Vec<_>, _>>()
        };
        Ok(Some(Allowed {
            read: there("--allow-read", &self.read)?,
            write: there("--allow-write", &self.write)?,
            network: self.network,
            ..Allowed::default()
        }))
    }
}

fn there(flag: &str, path: &Path) -> Result<PathBuf, String> {
    let shown = path.display();
    if !path.exists() {
        return Err(format!("{flag}: `{shown}` does not exist"));
    }
    std::path::absolute(path).map_err(|error| format!("{flag}: `{shown}`: {error}"))
}

/// What a server says at its start if its workers can do this: what is allowed, and what the kernel lacks.
///
/// # Errors
///
/// The kernel has a sandbox that cannot be entered. [`WITHOUT`] helps.
pub fn said(allowed: Option<&Allowed>) -> Result<String, String> {
    let Some(allowed) = allowed else {
        let none = if cfg!(unix) { "no sandbox" } else { "this system has no sandbox" };
        return Ok(format!("{none}: what is served can do all that this account can do"));
    };
    let entered = Sandbox::allowing(allowed).probe().map_err(|error| format!("the sandbox: {error}"))?;
    Ok(format!("sandbox: {}", entered.describe(allowed)))
}

/// What a server says at its start if it has no workers.
pub const IN_PROCESS: &str = "no sandbox for libraries, which run in this process";

/// What helps where there can be no sandbox.
pub const WITHOUT: &str = "`--no-sandbox` serves without it";

/// The options, if they can be what helps after this error of a library that was opened in a sandbox: what it needs may be
/// where it must not read.
#[must_use]
pub fn help_after(error: &str) -> Option<&'static str> {
    let may_be_refused = ["the sandbox: ", "Permission denied", "cannot open shared object file"];
    may_be_refused.iter().any(|text| error.contains(text)).then_some(
        "in the sandbox a library can load those beside it and the system's: `--allow-read DIR` allows more, and \
         `--no-sandbox` everything",
    )
}

/// What `--help` says.
pub mod help {
    /// `--allow-read`, of a server of libraries alone.
    pub const ALLOW_READ: &str = "A folder or file that libraries may read; may be repeated";
    /// `--allow-write`
    pub const ALLOW_WRITE: &str = "A folder or file that they may read and write; may be repeated";
    /// `--allow-net`
    pub const ALLOW_NET: &str = "Let them use the network";
    /// `--no-sandbox`
    pub const NO_SANDBOX: &str = "Let them do all that this account can do, such as starting processes";
}

/// The options in the text of `--help`.
pub(super) fn help_text() -> String {
    let options = [
        ("--allow-read DIR", help::ALLOW_READ),
        ("--allow-write DIR", help::ALLOW_WRITE),
        ("--allow-net", help::ALLOW_NET),
        ("--no-sandbox", help::NO_SANDBOX),
    ];
    let lines = options.map(|(option, words)| format!("    {option:<20} {words}\n"));
    format!("\nSandbox:\n{}", lines.concat())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_is_allowed_exists_and_is_absolute() {
        let here = Confinement { read: vec!["src".into()], network: true, ..Confinement::default() };
        let allowed =
            here.allowed().map(|allowed| allowed.map(|Allowed { read, network, .. }| (read, network)));
        let absolute = std::env::current_dir().map(|folder| folder.join("src")).unwrap_or_default();
        assert_eq!(allowed, Ok(Some((vec![absolute], true))));
        let gone = Confinement { write: vec!["/no/such".into()], ..Confinement::default() };
        assert_eq!(gone.allowed(), Err("--allow-write: `/no/such` does not exist".to_owned()));
        assert_eq!(Confinement { none: true, ..gone }.allowed(), Ok(None));
    }

    #[test]
    fn only_an_error_that_the_sandbox_may_have_caused_names_its_options() {
        assert!(help_after("libb.so: cannot open shared object file: No such file").is_some());
        assert_eq!(help_after("`liba.so` lacks 1 function of the document: f"), None);
    }
}
