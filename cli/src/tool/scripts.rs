//! Python scripts as tools. Each has processes of its own: it cannot see other scripts, and they do not wait for it.

use std::path::PathBuf;

use opentool_sandbox::Allowed;

use super::source::Shared;
use crate::failure::{Failure, Outcome};
use crate::script::Script;

#[cfg(unix)]
pub(super) use opentool_python::Peers;

/// The variable with an API key of the server.
pub(crate) const KEY: &str = "OPENDYN_API_KEY";

/// What scripts can use of the machine, as the operator allows it.
#[derive(Default)]
#[cfg_attr(not(unix), expect(dead_code, reason = "scripts run on Unix only"))]
pub(crate) struct Surroundings {
    /// The folders where scripts find modules, searched first.
    modules: Vec<PathBuf>,
    /// The environment variables that scripts see in addition to a few standard ones.
    environment: Vec<String>,
    /// What scripts may do in their sandbox; `None` without one.
    allowed: Option<Allowed>,
}

impl Surroundings {
    pub(crate) fn new(modules: Vec<PathBuf>, environment: Vec<String>) -> Outcome<Self> {
        if environment.iter().any(|name| name == KEY) {
            return Err(Failure::new(format!("{KEY} holds a key of the server, which scripts must not see")));
        }
        Ok(Self { modules, environment, allowed: None })
    }

    /// In a sandbox, where this is allowed; `None` is without one, as for `call`.
    pub(crate) fn within(self, allowed: Option<Allowed>) -> Self {
        Self { allowed, ..self }
    }

    pub(super) fn allowed(&self) -> Option<&Allowed> {
        self.allowed.as_ref()
    }
}

/// Opens a script, which can call its peers. Findings are shown.
#[cfg(unix)]
pub(super) fn open(script: &Script, surroundings: &Surroundings, peers: &Peers) -> Outcome<Shared> {
    use opentool_python::{Launcher, PythonError, PythonTool, Workers};

    let workers = Workers::builder().size(super::threads());
    let workers = surroundings.modules.iter().fold(workers, |workers, folder| workers.module_folder(folder));
    let workers = surroundings.environment.iter().fold(workers, |workers, name| workers.inherit(name));
    let workers = match surroundings.allowed().cloned() {
        Some(mut allowed) => {
            let this =
                std::env::current_exe().map_err(|error| Failure::new(format!("this command: {error}")))?;
            // For the lines that Python shows of an error. The file may be gone by then.
            allowed.read.push(script.path.clone());
            workers.sandbox(allowed, Launcher { program: this, variable: super::sandbox::VARIABLE.into() })
        }
        None => workers,
    };
    let workers = workers.build().map_err(|error| Failure::new(error.to_string()))?;
    let tool = PythonTool::builder(&script.path).workers(&workers).named(&script.tool).peers(peers);
    // Changed files are read again together with documents.
    match tool.read_once().build() {
        Ok(tool) => Ok(std::sync::Arc::new(tool)),
        Err(PythonError::Invalid(mut invalid)) => {
            for finding in &mut invalid.findings {
                finding.file.clone_from(&script.name);
            }
            crate::findings::show(&invalid);
            Err(Failure::shown())
        }
        Err(error) => Err(Failure::new(error.to_string())),
    }
}

/// Scripts run on Unix only.
#[cfg(not(unix))]
pub(super) fn open(script: &Script, _: &Surroundings, _: &Peers) -> Outcome<Shared> {
    let message = format!("`{}` cannot run here: Python scripts run on Unix", script.name);
    Err(Failure::new(message).help("`opendyn check` can check it"))
}

/// There are no scripts that could call others.
#[cfg(not(unix))]
#[derive(Default)]
pub(super) struct Peers;

#[cfg(not(unix))]
impl Peers {
    pub(super) fn are<T>(&self, _: &std::sync::Arc<T>) {}
}
