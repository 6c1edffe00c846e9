//! Python scripts next to the libraries. They are read in place, so changes take effect at once.

use std::sync::Arc;

use opentool::ToolSetBuilder;
use opentool_python::{InvalidScript, Peers, PythonError, PythonTool, Workers};

use super::documents::Opened;
use super::request::{Request, Script};
use super::{HostError, threads};

/// The libraries of `set` and the scripts. Scripts can call all of them.
pub(super) fn join(set: ToolSetBuilder, request: &Request) -> Result<Opened, HostError> {
    let peers = Peers::new();
    let mut set = set;
    let mut found = Vec::new();
    for script in &request.scripts {
        match open(script, request, &peers)? {
            Ok(tool) => set = set.add(script.path.display().to_string(), tool),
            Err(invalid) => found.extend(invalid.findings),
        }
    }
    if !found.is_empty() {
        return Err(HostError::findings(InvalidScript { findings: found }));
    }
    let set = Arc::new(set.build().map_err(HostError::new)?);
    peers.are(&set);
    Ok(Box::new(set))
}

/// Opens a script with processes of its own: it cannot see other scripts, and they do not wait for it.
fn open(
    script: &Script,
    request: &Request,
    peers: &Peers,
) -> Result<Result<PythonTool, InvalidScript>, HostError> {
    let workers = Workers::builder().size(threads());
    let workers = request.modules.iter().fold(workers, |workers, folder| workers.module_folder(folder));
    let workers = request.environment.iter().fold(workers, |workers, name| workers.inherit(name));
    let workers = workers.build().map_err(HostError::new)?;
    match PythonTool::builder(&script.path).workers(&workers).named(&script.name).peers(peers).build() {
        Ok(tool) => Ok(Ok(tool)),
        Err(PythonError::Invalid(invalid)) => Ok(Err(invalid)),
        Err(error) => Err(HostError::new(error)),
    }
}
