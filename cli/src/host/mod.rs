//! Hosts: programs that call and serve the functions of documents and Python scripts. They are generated into
//! a cache, compiled once, and run. `call`, `serve` and `mcp` use them, and `cache` lists them.
//!
//! | step | module | what it does |
//! |---|---|---|
//! | where | `cache` | the folder, what is in it, its lock |
//! | which | `fingerprint`, `source` | the key of a host: documents, role, version, target, our own sources |
//! | whether | `sound` | the documents have no errors, and their names do not clash |
//! | what | `project` | the files of the host's crate |
//! | how | `cargo`, `progress` | dependencies, then a build with a bar |
//! | run | `launch` | the host replaces this process |
//!
//! The second start of a host reads its documents, computes the key, and runs the program.

mod cache;
mod cargo;
mod fingerprint;
mod launch;
mod library;
mod listing;
mod progress;
mod project;
mod sound;
mod source;

use std::path::PathBuf;
use std::process::ExitCode;

use crate::document::Document;
use crate::failure::Outcome;
use crate::script::Script;

pub(crate) use cache::Cache;
pub(crate) use launch::{Launch, OWN_KEY};
pub(crate) use library::{libraries, located};
pub(crate) use listing::{listing, listing_of_script};

use fingerprint::Fingerprint;
use source::Source;

/// What a host can do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum HostRole {
    /// Calls. It has few dependencies and compiles in a fraction of the time.
    Call,
    /// Calls, and serves clients of OpenTool and MCP.
    Serve,
}

impl HostRole {
    fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Serve => "serve",
        }
    }

    /// The features of `opendyn` that it needs.
    fn features(self, scripts: bool) -> &'static [&'static str] {
        match (self, scripts) {
            (Self::Call, false) => &["host"],
            (Self::Call, true) => &["host", "python"],
            (Self::Serve, false) => &["host", "mcp", "server"],
            (Self::Serve, true) => &["host", "mcp", "python", "server"],
        }
    }
}

/// What a host must provide.
pub(crate) struct Wanted<'d> {
    pub(crate) role: HostRole,
    pub(crate) documents: &'d [Document],
    /// The library of each document, if not the document's own.
    pub(crate) libraries: &'d [Option<PathBuf>],
    /// Scripts are read from their files at each start; the host only has to support scripts.
    pub(crate) scripts: &'d [Script],
    /// The folders where scripts find modules.
    pub(crate) modules: &'d [PathBuf],
    /// Further environment variables that scripts see.
    pub(crate) environment: &'d [String],
    /// Whether functions are prefixed with the name of their document.
    pub(crate) prefix: bool,
    /// The function to call.
    pub(crate) function: Option<&'d str>,
}

/// The program of a host, compiled if it does not exist; or the exit status, if the documents have errors,
/// which are all shown.
pub(crate) fn ready(wanted: &Wanted<'_>) -> Outcome<Result<PathBuf, ExitCode>> {
    let cache = Cache::find()?;
    let source = Source::find()?;
    let key = |role: HostRole| {
        Fingerprint::of(role, !wanted.scripts.is_empty(), wanted.documents, &source).to_string()
    };
    // A host that serves can call too.
    let roles: &[HostRole] = match wanted.role {
        HostRole::Call => &[HostRole::Serve, HostRole::Call],
        HostRole::Serve => &[HostRole::Serve],
    };
    for role in roles {
        let program = cache.program(&key(*role));
        if program.is_file() {
            return Ok(Ok(program));
        }
    }
    let Some(bindings) = sound::bindings(wanted)? else { return Ok(Err(ExitCode::from(1))) };
    let project = project::Project::new(wanted, &source, &bindings)?;
    let key = key(wanted.role);
    let toolchain = cargo::Toolchain::find()?;
    let _lock = cache.lock()?;
    let program = cache.program(&key);
    // Another process may have compiled it while this one waited.
    if !program.is_file() {
        let folder = cache.create(&key)?;
        project.write(&folder)?;
        toolchain.build(&project, &cache, &key)?;
    }
    Ok(Ok(program))
}
